/*
 * Smallest sufficient sets of small programs: the examples of comparative causality, written anew. What is
 * expected was derived by hand from the text. The cause point is the line `cause`, the goal is the
 * symptom.
 */
#include "methods_pair.h"
#include "state_runs.h"

#include "methods/compare.h"

/* How the question is put. */
enum test {
	PLAIN, /* M3: all differences, in the reference */
	BOTH,  /* all differences, in both runs */
	CUT,   /* the cut, in both runs */
	RAILS, /* M4: the same, on rails */
};

struct expectation {
	const char *source, *failing, *passing, *output;
	enum test test;
	const char *set;
	uint32_t candidates;
	bool beyond_cut;
};

static struct hybrids hybrids_of(struct pair *p)
{
	return (struct hybrids){.pair = pair_comparison(p, NULL), .phase = ""};
}

static uint64_t time_of(const struct pair *p, const char *comment)
{
	struct run run = {.source = {.source = p->source, .modules = p->modules},
	                  .recording = p->runs[true].recording,
	                  .folder = decoded_session.path};

	return runs_point(&run, comment, 0);
}

static struct dual *find_dual(const struct pair *p)
{
	struct dual_seed seed = compare_seed(&p->symptom);
	struct dual *dual;

	pair_must(dual_find(&p->runs[true].recording, &p->runs[false].recording, &p->alignment,
	                    &seed, 1, &(struct dual_options){0}, &dual));
	return dual;
}

static void make_rails(const struct pair *p, struct rails *out[2])
{
	for (uint32_t i = 0; i < 2; i++) {
		const struct rail *all;
		uint32_t count;

		pair_must(rails_create(&p->runs[true].recording, &p->runs[false].recording,
		                       &p->alignment, !i, &out[i]));
		all = rails_all(out[i], &count);
		pair_must(experiments_set_rails(p->runs[i].pool, all, count));
	}
}

/* 'i a[1]', in order of differences; or why there is none. */
static char *text_of(const struct hybrid_point *point, const struct inferred *inferred)
{
	struct str text = STR_INIT;

	if (!inferred->sufficient)
		return mem_strdup(inferred->why);
	for (uint32_t i = 0; i < inferred->set.size; i++)
		str_printf(&text, "%s%s", i ? " " : "",
		           point->differences[dd_set_nth(&inferred->set, i)].name);
	return str_steal(&text);
}

static void check(const struct expectation *e)
{
	struct pair p;
	struct hybrids h;
	struct hybrid_point point;
	struct infer_options options = {.way = e->test == PLAIN ? HYBRID_REFERENCE : HYBRID_BOTH};
	struct dual *dual = NULL;
	struct rails *rails[2] = {NULL, NULL};
	struct inferred inferred;
	uint64_t time;
	char *text;

	pair_make(&p, e->source, e->failing, e->passing, e->output);
	pair_find_symptom(&p);
	h = hybrids_of(&p);
	if (e->test >= CUT)
		dual = find_dual(&p);
	options.dual = dual;
	if (e->test == RAILS)
		make_rails(&p, rails);
	h.rails[0] = rails[0];
	h.rails[1] = rails[1];
	time = time_of(&p, "cause");
	pair_must(hybrids_prepare(&h, &time, 1, &point));
	pair_must(hybrids_check(&h, &point));
	pair_must(infer_causes(&h, &point, NULL, &options, &inferred));
	text = text_of(&point, &inferred);
	print_message("%lu experiments: %s\n", (unsigned long)h.asked, text);
	assert_string_equal(text, e->set);
	assert_int_equal(inferred.candidates, e->candidates);
	assert_int_equal(inferred.beyond_cut, e->beyond_cut);
	free(text);
	inferred_deinit(&inferred);
	hybrid_point_deinit(&point);
	rails_destroy(rails[0]);
	rails_destroy(rails[1]);
	dual_destroy(dual);
	pair_free(&p);
}

/* --- programs --- */

/* Only y is printed. Both runs skip the branch, but y of one with z of the other takes it. */
static const char unrelated[] = "#include <stdio.h>\n"
				"#include <stdlib.h>\n"
				"int main(int argc, char **argv) {\n"
				"  int y = atoi(argv[1]), z = atoi(argv[2]), out = 0;\n"
				"  out = y; /*cause*/\n"
				"  if (y > z)\n"
				"    out = -1;\n"
				"  printf(\"%d\\n\", out);\n"
				"  return 0; }\n";

static void test_unrelated_plain(void **state)
{
	check(&(struct expectation){unrelated, "10 20", "1 5", "11\n", PLAIN, "y z", 4, false});
}

/* y alone is not enough: without rails the reference takes the branch. */
static void test_unrelated_cut(void **state)
{
	check(&(struct expectation){unrelated, "10 20", "1 5", "11\n", CUT, "y z", 4, true});
}

static void test_unrelated_rails(void **state)
{
	check(&(struct expectation){unrelated, "10 20", "1 5", "11\n", RAILS, "y", 1, false});
}

/* What is printed is not written, since flag is 0. */
static const char omission[] = "#include <stdio.h>\n"
			       "#include <stdlib.h>\n"
			       "int main(int argc, char **argv) {\n"
			       "  int flag = atoi(argv[1]), twice = 2 * flag, out = 3;\n"
			       "  int other = twice + 1;\n"
			       "  other++; /*cause*/\n"
			       "  if (flag)\n"
			       "    out = 7;\n"
			       "  printf(\"%d\\n\", out);\n"
			       "  return other == 99; }\n";

static void test_omission_plain(void **state)
{
	check(&(struct expectation){omission, "0", "1", "7\n", PLAIN, "flag", 4, false});
}

static void test_omission_cut(void **state)
{
	check(&(struct expectation){omission, "0", "1", "7\n", CUT, "flag", 1, false});
}

/* The branch went different ways, so the program decides. */
static void test_omission_rails(void **state)
{
	check(&(struct expectation){omission, "0", "1", "7\n", RAILS, "flag", 1, false});
}

/* The index differs, and so do the elements: the reference needs those that it reads then. */
static const char elements[] = "#include <stdio.h>\n"
			       "#include <stdlib.h>\n"
			       "int main(int argc, char **argv) {\n"
			       "  int i = atoi(argv[1]), out, a[5] = {0};\n"
			       "  a[i] = atoi(argv[2]);\n"
			       "  a[2] = 9; /*cause*/\n"
			       "  out = a[i];\n"
			       "  printf(\"%d\\n\", out);\n"
			       "  return 0; }\n";

static void test_elements_plain(void **state)
{
	check(&(struct expectation){elements, "1 5", "3 8", "8\n", PLAIN, "i a[1]", 5, false});
}

/* And the failing run needs the other one. */
static void test_elements_cut(void **state)
{
	check(&(struct expectation){elements, "1 5", "3 8", "8\n", CUT, "i a[1] a[3]", 3, false});
}

/* Each run reads what it did not write; with the other's j alone, the reference does. */
static const char fresh[] = "#include <stdio.h>\n"
			    "#include <stdlib.h>\n"
			    "int main(int argc, char **argv) {\n"
			    "  int i = atoi(argv[1]), j = atoi(argv[2]), out;\n"
			    "  int a[5] = {0, 0, 0, 7, 2};\n"
			    "  a[i] = 9; /*cause*/\n"
			    "  out = a[j];\n"
			    "  printf(\"%d\\n\", out);\n"
			    "  return 0; }\n";

static void test_fresh_plain(void **state)
{
	check(&(struct expectation){fresh, "1 3", "3 4", "2\n", PLAIN, "i j", 4, false});
}

/* The write is not in the slice, so i is not in the cut; but it is done all the same. */
static void test_fresh_cut(void **state)
{
	check(&(struct expectation){fresh, "1 3", "3 4", "2\n", CUT, "i j", 4, true});
}

/* Rails keep the ways, not the data. */
static void test_fresh_rails(void **state)
{
	check(&(struct expectation){fresh, "1 3", "3 4", "2\n", RAILS, "i j", 4, true});
}

/* x differs and is read, but y decides. */
static const char masked[] = "#include <stdio.h>\n"
			     "#include <stdlib.h>\n"
			     "int main(int argc, char **argv) {\n"
			     "  int x = atoi(argv[1]), y = atoi(argv[2]), out = 0;\n"
			     "  out++; /*cause*/\n"
			     "  out = x & y;\n"
			     "  printf(\"%d\\n\", out);\n"
			     "  return 0; }\n";

static void test_masked_plain(void **state)
{
	check(&(struct expectation){masked, "3 1", "7 8", "0\n", PLAIN, "y", 4, false});
}

static void test_masked_cut(void **state)
{
	check(&(struct expectation){masked, "3 1", "7 8", "0\n", CUT, "y", 2, false});
}

/* Of eight elements that differ and are read, two are printed: of the others the same is left when the low bits
   are gone, so they are not in the slice. */
static const char many[] = "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "int main(int argc, char **argv) {\n"
			   "  int n = atoi(argv[1]), a[8], out = 0;\n"
			   "  for (int i = 0; i < 8; i++)\n"
			   "    a[i] = n + (i == 2 || i == 5 ? 16 * n : 0);\n"
			   "  out++; /*cause*/\n"
			   "  out = 0;\n"
			   "  for (int i = 0; i < 8; i++)\n"
			   "    out += a[i] & ~15;\n"
			   "  printf(\"%d\\n\", out);\n"
			   "  return 0; }\n";

static void test_many_rails(void **state)
{
	check(&(struct expectation){many, "3", "2", "0\n", RAILS, "a[2] a[5]", 2, false});
}

static void test_many_plain(void **state)
{
	check(&(struct expectation){many, "3", "2", "0\n", PLAIN, "a[2] a[5]", 10, false});
}

static void test_masked_both(void **state)
{
	check(&(struct expectation){masked, "3 1", "7 8", "0\n", BOTH, "y", 4, false});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unrelated_plain), cmocka_unit_test(test_unrelated_cut),
		cmocka_unit_test(test_unrelated_rails), cmocka_unit_test(test_omission_plain),
		cmocka_unit_test(test_omission_cut),    cmocka_unit_test(test_omission_rails),
		cmocka_unit_test(test_elements_plain),  cmocka_unit_test(test_elements_cut),
		cmocka_unit_test(test_fresh_plain),     cmocka_unit_test(test_fresh_cut),
		cmocka_unit_test(test_fresh_rails),     cmocka_unit_test(test_masked_plain),
		cmocka_unit_test(test_masked_cut),      cmocka_unit_test(test_many_rails),
		cmocka_unit_test(test_many_plain),      cmocka_unit_test(test_masked_both),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
