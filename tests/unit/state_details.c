/* States: who wrote a value, what was never written, far and many objects, memory limits. */
#include "state_runs.h"

/* Two runs of a program and their states at a point. */
struct twins {
	struct modules *modules;
	struct run runs[2];
	uint64_t times[2];
	struct state *states[2];
};

static struct twins twins_make(const char *source, const char *first, const char *second,
                               const char *point)
{
	struct twins t = {.modules = modules_create()};

	decoded_build(source);
	t.runs[0] = runs_record(t.modules, source, first);
	t.runs[1] = runs_record(t.modules, source, second);
	for (int i = 0; i < 2; i++) {
		t.times[i] = runs_point(&t.runs[i], point, 0);
		t.states[i] = runs_state(&t.runs[i], t.times[i]);
	}
	return t;
}

static void twins_free(struct twins *t)
{
	for (int i = 0; i < 2; i++) {
		state_destroy(t->states[i]);
		runs_free(&t->runs[i]);
	}
	modules_destroy(t->modules);
}

static const struct difference *named(const struct state_diff *diff, const char *name)
{
	uint32_t count;
	const struct difference *all = state_diff_all(diff, &count);

	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	fail_msg("there is no difference %s", name);
	return NULL;
}

/* --- who wrote it --- */

static void test_written(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
				     "static int g;\n"
				     "static void set(int v)\n{\n	g = v; /*store*/\n}\n"
				     "int main(int argc, char **argv)\n{\n"
				     "	int n = atoi(argv[1]);\n"
				     "	int *p = malloc(8);\n"
				     "	p[1] = n; /*element*/\n"
				     "	for (int i = 0; i < n; i++)\n		set(i); /*call*/\n"
				     "	return 0; /*end*/\n}\n";
	struct twins t = twins_make(source, "2", "3", "end");
	struct state_diff *diff = states_compare(t.states[0], t.states[1], NULL);
	const struct difference *d = named(diff, "g");

	assert_int_equal(d->a_written, runs_point(&t.runs[0], "store", 1));
	assert_int_equal(d->b_written, runs_point(&t.runs[1], "store", 2));
	assert_null(d->function);
	assert_string_equal(d->a, "1");
	d = named(diff, "p[1]");
	assert_int_equal(d->a_written, runs_point(&t.runs[0], "element", 0));
	assert_int_equal(d->b_written, runs_point(&t.runs[1], "element", 0));
	d = named(diff, "n");
	assert_string_equal(d->function, "main");
	assert_int_equal(d->depth, 0);
	assert_string_equal(d->file, "prog.c");
	assert_int_equal(d->size, 4);
	state_diff_destroy(diff);
	twins_free(&t);
}

/* A parameter is written by the call. */
static void test_parameters(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
				     "static int twice(int v)\n{\n	return 2 * v; /*in*/\n}\n"
				     "int main(int argc, char **argv)\n{\n"
				     "	int n = argc;\n"
				     "	return twice(n + 1); /*call*/\n}\n";
	struct twins t = twins_make(source, "", "x", "in");
	struct state_diff *diff = states_compare(t.states[0], t.states[1], NULL);
	const struct difference *d = named(diff, "v");

	assert_string_equal(d->a, "2");
	assert_string_equal(d->b, "3");
	assert_int_equal(d->a_written, runs_point(&t.runs[0], "call", 0));
	assert_string_equal(d->function, "twice");
	d = named(diff, "main.n");
	assert_string_equal(d->function, "main");
	assert_int_equal(d->depth, 1);
	state_diff_destroy(diff);
	twins_free(&t);
}

/* --- what was never written --- */

/* The bytes that a reading is about. */
static bool covers(const struct reading *all, uint32_t count, uint64_t address)
{
	for (uint32_t i = 0; i < count; i++)
		if (address >= all[i].address && address < all[i].address + all[i].size)
			return true;
	return false;
}

static void test_unknown(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
				     "int main(int argc, char **argv)\n{\n"
				     "	int never, sometimes, *a = malloc(argc * sizeof(int));\n"
				     "	if (argc == 3)\n		sometimes = 5;\n"
				     "	for (int i = 0; i < argc; i++)\n		a[i] = 7;\n"
				     "	return 0; /*end*/\n}\n";
	struct twins t = twins_make(source, "x", "x x", "end");
	struct state_diff *diff = states_compare(t.states[0], t.states[1], NULL);
	uint64_t beyond = named(diff, "a[2]")->a_address;
	uint64_t unset = named(diff, "sometimes")->a_address;
	uint32_t count, all[] = {0, 1, 2, 3, 4, 5}, changes;
	const struct reading *readings;
	uint8_t bytes[64] = {0};
	uint32_t offset = 0;
	char *text;

	assert_string_equal(named(diff, "a[2]")->a, "not known");
	assert_int_equal(named(diff, "a[2]")->kind, DIFFERENCE_MISSING);
	assert_string_equal(named(diff, "sometimes")->a, "uninitialised");
	state_diff_all(diff, &count);
	assert_int_equal(count, 4); /* and argc and argv[2]; never is none */
	/* What nobody knows is not given to the other run. */
	state_diff_changes(diff, all, count, false, &changes);
	assert_int_equal(changes, 2);
	state_diff_destroy(diff);
	assert_null(states_unknown(t.states[0], t.states[1], NULL, true, &count));
	readings = states_unknown(t.states[0], t.states[1], NULL, false, &count);
	assert_int_equal(count, 2);
	assert_true(covers(readings, count, beyond) && covers(readings, count, beyond + 3));
	assert_true(covers(readings, count, unset));
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(readings[i].size, 4);
		bytes[offset] = readings[i].address == beyond ? 9 : 8;
		offset += readings[i].size;
	}
	state_know(t.states[0], bytes);
	diff = states_compare(t.states[0], t.states[1], NULL);
	text = runs_print(diff);
	assert_string_equal(named(diff, "a[2]")->a, "9");
	assert_string_equal(named(diff, "a[2]")->b, "7");
	assert_int_equal(named(diff, "a[2]")->kind, DIFFERENCE_VALUE);
	assert_string_equal(named(diff, "sometimes")->a, "8");
	state_diff_changes(diff, all, 4, false, &changes);
	assert_int_equal(changes, 4);
	free(text);
	state_diff_destroy(diff);
	twins_free(&t);
}

/* --- values that are in no variable --- */

static void test_waiting(void **state)
{
	static const char source[] = "#include <stdlib.h>\n"
				     "struct item { int value; };\n"
				     "static struct item *make(int v)\n{\n"
				     "	struct item *item = malloc(sizeof(*item));\n"
				     "	item->value = v;\n	return item;\n}\n"
				     "static int same(int x)\n{\n	return x; /*in*/\n}\n"
				     "int main(int argc, char **argv)\n{\n"
				     "	int n = atoi(argv[1]);\n"
				     "	struct item *made; int sum;\n"
				     "	n = n > 1; /*before*/\n"
				     "	made = make(atoi(argv[1])), same(0);\n"
				     "	sum = atoi(argv[1]) + same(1);\n"
				     "	free(make(atoi(argv[1])));  /*free*/\n"
				     "	return sum; /*end*/\n}\n";
	struct twins t = twins_make(source, "2", "3", "before");
	struct state_diff *diff = states_compare(t.states[0], t.states[1], NULL);
	struct state *states[2];

	assert_null(state_diff_hidden(diff));
	state_diff_destroy(diff);
	/* In same(1) the result of atoi() waits. */
	for (int i = 0; i < 2; i++)
		states[i] = runs_state(&t.runs[i], runs_point(&t.runs[i], "in", 1));
	diff = states_compare(states[0], states[1], NULL);
	assert_string_equal(state_diff_hidden(diff),
	                    "what atoi() returned to main() is in no variable yet");
	state_diff_destroy(diff);
	for (int i = 0; i < 2; i++)
		state_destroy(states[i]);
	/* What make() returned to main() is in no variable, but has a value that can be changed. It
	   is the statement before the last. */
	for (int i = 0; i < 2; i++)
		states[i] = runs_state(&t.runs[i], runs_point(&t.runs[i], "end", 0) - 1);
	diff = states_compare(states[0], states[1], NULL);
	assert_null(state_diff_hidden(diff));
	assert_string_equal(named(diff, "make()->value")->a, "2");
	state_diff_destroy(diff);
	for (int i = 0; i < 2; i++)
		state_destroy(states[i]);
	twins_free(&t);
}

/* --- two versions of a program --- */

static const char old_version[] = "#include <stdlib.h>\n"
				  "struct s { int x; char *name; };\n"
				  "static int count = 1;\n"
				  "static int one(int v) { return v; }\n"
				  "int main(int argc, char **argv)\n{\n"
				  "	struct s *p = malloc(sizeof(*p));\n"
				  "	int (*f)(int) = one;\n"
				  "	p->x = argc;\n"
				  "	p->name = \"old\";\n"
				  "	return f(p->x) + count; /*end*/\n}\n";
static const char new_version[] = "#include <stdlib.h>\n"
				  "struct s { long more; int x; char *name; };\n"
				  "static int added = 5;\n"
				  "static int count = 2;\n"
				  "static int two(int v) { return v + added; }\n"
				  "static int one(int v) { return v; }\n"
				  "int main(int argc, char **argv)\n{\n"
				  "	int local = 3;\n"
				  "	struct s *p = malloc(sizeof(*p));\n"
				  "	int (*f)(int) = one;\n"
				  "	p->more = local;\n"
				  "	p->x = two(argc);\n"
				  "	p->name = \"new\";\n"
				  "	return f(p->x) + count; /*end*/\n}\n";

static void test_versions(void **state)
{
	static const char *const sources[] = {old_version, new_version};
	struct modules *modules[2];
	struct run runs[2];
	struct state *states[2];
	struct state_diff *diff;
	const struct change *changes;
	uint32_t all[] = {0, 1, 2}, count;
	char *text;

	for (int i = 0; i < 2; i++) {
		modules[i] = modules_create();
		decoded_build(sources[i]);
		runs[i] = runs_record(modules[i], sources[i], "");
		states[i] = runs_state(&runs[i], runs_point(&runs[i], "end", 0));
	}
	diff = states_compare(states[0], states[1], NULL);
	text = runs_print(diff);
	assert_string_equal(text, "p->x: 1 | 6\np->name: \"old\" | \"new\" extra\ncount: 1 | 2\n");
	/* The literal does not exist in the other program. */
	changes = state_diff_changes(diff, all, 3, false, &count);
	assert_int_equal(count, 5);
	assert_int_equal(changes[0].kind, CHANGE_NEW);
	assert_int_equal(changes[0].size, 4);
	free(text);
	state_diff_destroy(diff);
	for (int i = 0; i < 2; i++) {
		state_destroy(states[i]);
		runs_free(&runs[i]);
		modules_destroy(modules[i]);
	}
}

/* --- far away, and many --- */

static const char far_source[] =
	"#include <stdlib.h>\n"
	"struct node { int val; struct node *next; } *list;\n"
	"int numbers[20000];\n"
	"int main(int argc, char **argv)\n{\n"
	"	int n = atoi(argv[1]);\n"
	"	for (int i = 0; i < 100; i++) {\n"
	"		struct node *new = malloc(sizeof(*new));\n"
	"		new->val = i == 3 ? n : i;\n		new->next = list;\n"
	"		list = new;\n	}\n"
	"	for (int i = 0; i < 20000; i += 2)\n		numbers[i] = n;\n"
	"	return 0; /*end*/\n}\n";

static void test_far(void **state)
{
	struct twins t = twins_make(far_source, "-1", "-2", "end");
	struct state_diff *diff = states_compare(t.states[0], t.states[1], NULL);
	uint32_t count;

	assert_string_equal(named(diff, "numbers[19998]")->b, "-2");
	/* The list's first node is list, the last but three is reached over 96 pointers. */
	assert_string_equal(named(diff, "(list, 96 times ->next)->val")->a, "-1");
	state_diff_all(diff, &count);
	assert_int_equal(count, 10000 + 3); /* n, argv[1], val */
	state_diff_destroy(diff);
	twins_free(&t);
}

static bool refuse(void *context, uint32_t index, struct state *state)
{
	++*(uint32_t *)context;
	state_destroy(state);
	return index < 1;
}

static bool is_partial(void *context, uint32_t index, struct state *state)
{
	*(bool *)context = state_partial(state) != NULL;
	state_destroy(state);
	return true;
}

static void test_limits(void **state)
{
	struct twins t = twins_make(far_source, "-1", "-2", "end");
	uint64_t times[] = {1, 2, 3, t.times[0]};
	struct state_options options = {.memory = 10000};
	uint32_t taken = 0;
	bool partial = false;
	uint64_t beyond = 1000000000;
	struct hence_error *error;

	runs_must(states_take(&t.runs[0].recording, times, 4, NULL, refuse, &taken));
	assert_int_equal(taken, 2);
	runs_must(states_take(&t.runs[0].recording, &times[3], 1, &options, is_partial, &partial));
	assert_true(partial);
	error = states_take(&t.runs[0].recording, &beyond, 1, NULL, is_partial, &partial);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "there is no statement 1000000000"));
	error_destroy(error);
	twins_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_written),  cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_unknown),  cmocka_unit_test(test_far),
		cmocka_unit_test(test_limits),   cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_versions),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
