/* Steps whose variables differ between runs that pass, too: three runs of one program. */
#include "methods_pair.h"

#include "explain/steps.h"

/* The sum is wrong for 7; it follows the input in all runs. `extra` is something only when it is wrong. */
static const char program[] = "#include <stdio.h>\n"
			      "#include <stdlib.h>\n"
			      "static int twice(int n) { return 2 * n; }\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	int n = atoi(argv[1]), sum, extra = 0;\n"
			      "	sum = twice(n);\n"
			      "	if (n == 7)\n"
			      "		extra = 1;\n"
			      "	printf(\"%d\\n\", sum + extra);\n"
			      "	return 0;\n"
			      "}\n";

/* The last point that both runs have: all variables are there. */
static uint64_t last_point(const struct pair *p)
{
	const struct align_span *last = &p->alignment.spans.at[p->alignment.spans.size - 1];

	return last->b + last->count - 1;
}

static void add(struct explanation *e, const char *name, uint64_t time)
{
	struct explanation_step *step = vec_push(&e->steps);

	step->kind = EXPLANATION_VALUE;
	step->reference_time = time;
	*vec_push(&step->values) = (struct explanation_value){mem_strdup(name), mem_strdup("?"),
	                                                      mem_strdup("?"), mem_strdup("main")};
}

static void test_usual(void **state)
{
	struct pair p;
	struct pair_run other = {0};
	struct explanation e = {0};
	uint64_t time;

	pair_make(&p, program, "7", "3", "14\n");
	pair_input(&other.input, "4");
	pair_record_run(&p, &other, 2);
	time = last_point(&p);
	add(&e, "sum", time);
	add(&e, "extra", time);
	add(&e, "main.n", time);
	pair_must(explain_usual(&p.runs[false].recording, &other.recording,
	                        &(struct align_options){0}, &e));
	assert_true(e.steps.at[0].usual);
	assert_false(e.steps.at[1].usual);
	assert_true(e.steps.at[2].usual);
	/* Both variables of a step must be. */
	e.steps.at[0].usual = false;
	*vec_push(&e.steps.at[0].values) = (struct explanation_value){
		mem_strdup("extra"), mem_strdup("1"), mem_strdup("0"), mem_strdup("main")};
	pair_must(explain_usual(&p.runs[false].recording, &other.recording,
	                        &(struct align_options){0}, &e));
	assert_false(e.steps.at[0].usual);
	explanation_deinit(&e);
	pair_run_free(&other);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_usual)};

	return cmocka_run_group_tests_name("explain_usual", tests, decoded_set_up,
	                                   decoded_tear_down);
}
