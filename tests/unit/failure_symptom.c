/*
 * The symptom of pairs of runs: what it is, where, and with which values. Expectations follow from the
 * programs' text; lines are named by comments.
 */
#include <sys/stat.h>

#include "trace_decoded.h"

#include "failure/symptom.h"

/* --- pairs of runs --- */

struct one {
	struct trial_result result;
	struct walk_place death;
	struct recording recording;
};

struct pair {
	const char *source;
	struct modules *modules;
	struct one runs[2]; /* the failing one is 1 */
	struct alignment alignment;
	struct str expected;
	struct oracle_options options;
	struct oracle oracle;
};

static void must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

static void read_output(struct one *one, int fd)
{
	char buffer[4096];
	ssize_t got;

	lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, buffer, sizeof(buffer))) > 0)
		str_add_bytes(&one->result.output, buffer, (size_t)got);
}

/* Runs the program with one argument, recorded as the next tape of the session. */
static void record(struct pair *p, bool failing, char *argument)
{
	char *argv[] = {"./prog", argument, NULL};
	struct one *one = &p->runs[failing];
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open("out", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct launch_options launch = {.path = "./prog",
	                                .argv = argv,
	                                .session = decoded_session.path,
	                                .streams = {in, out, in},
	                                .timeout = 60};
	struct launch_result result;
	const struct place *place = &one->result.outcome.place;

	must(launch_run(&launch, &result));
	outcome_copy(&one->result.outcome, &result.processes.list.at[0].outcome);
	launch_result_deinit(&result);
	read_output(one, out);
	one->result.test = -1;
	one->recording = (struct recording){.modules = p->modules,
	                                    .folder = decoded_session.path,
	                                    .tape = failing ? 0 : 1,
	                                    .table = decoded_models};
	if (one->result.outcome.kind == OUTCOME_SIGNALLED) {
		one->death = (struct walk_place){.function = place->function,
		                                 .line = (unsigned)place->line,
		                                 .column = (unsigned)place->column};
		one->recording.death = &one->death;
	}
	close(in);
	close(out);
	unlink("out");
}

static void pair_make(struct pair *p, const char *source, char *failing, char *passing,
                      const char *expected)
{
	struct session_options options = {
		.tape_limit = 64 << 20, .table = decoded_models, .table_size = decoded_models_size};

	*p = (struct pair){.source = source};
	decoded_end();
	decoded_build(source);
	must(session_create(&options, &decoded_session));
	p->modules = modules_create();
	record(p, true, failing);
	record(p, false, passing);
	if (expected) {
		str_add(&p->expected, expected);
		p->options.expected = &p->expected;
	}
	assert_true(oracle_create(&p->options, &p->runs[true].result, &p->oracle));
	must(align_runs(&p->runs[true].recording, &p->runs[false].recording,
	                &(struct align_options){0}, &p->alignment));
}

static struct hence_error *pair_find(struct pair *p, struct symptom *out)
{
	static struct symptom_run failing, reference;

	failing = (struct symptom_run){&p->runs[true].recording, &p->runs[true].result};
	reference = (struct symptom_run){&p->runs[false].recording, &p->runs[false].result};
	return symptom_find(&failing, &reference, &p->alignment, &p->oracle, out);
}

static void pair_free(struct pair *p)
{
	alignment_deinit(&p->alignment);
	oracle_deinit(&p->oracle);
	str_deinit(&p->expected);
	for (uint32_t i = 0; i < 2; i++)
		trial_result_deinit(&p->runs[i].result);
	modules_destroy(p->modules);
	decoded_end();
}

/* --- what is expected --- */

struct expectation {
	enum symptom_kind kind;
	const char *what, *failing, *reference;
	const char *line; /* its comment */
	uint64_t failing_time, reference_time;
};

static void check(const char *source, char *failing, char *passing, const char *output,
                  const struct expectation *e)
{
	struct symptom symptom;
	struct decoded d = {.source = source};
	struct pair p;

	pair_make(&p, source, failing, passing, output);
	must(pair_find(&p, &symptom));
	assert_string_equal(str_text(&symptom.what), e->what);
	assert_int_equal(symptom.kind, e->kind);
	assert_string_equal(str_text(&symptom.failing), e->failing);
	assert_string_equal(str_text(&symptom.reference), e->reference);
	assert_int_equal(symptom.line, decoded_line(&d, e->line));
	assert_int_equal(symptom.failing_time, e->failing_time);
	assert_int_equal(symptom.reference_time, e->reference_time);
	symptom_deinit(&symptom);
	pair_free(&p);
}

#define HEAD                                                                                       \
	"#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n"                           \
	"int main(int argc, char **argv) {\n"                                                      \
	"  int n = atoi(argv[1]); (void)argc;\n" /* 1, 2 */

/* The second value of the second call is wrong. */
static void test_value(void **state)
{
	struct expectation e = {SYMPTOM_OUTPUT, "the program prints 9", "9", "4", "second", 4, 4};

	check(HEAD "  printf(\"%d\\n\", 1);\n"
	           "  printf(\"n %d, %d.\\n\", n % 1, n * n); /*second*/\n"
	           "  return 0; }\n",
	      "3", "2", "1\nn 0, 8.\n", &e);
}

/* The first wrong byte is the end of the line behind a number that is too short. */
static void test_shorter(void **state)
{
	struct expectation e = {SYMPTOM_OUTPUT, "the program prints 2", "2", "25", "print", 3, 3};

	check(HEAD "  printf(\"%d\\n\", n); /*print*/\n  return 0; }\n", "2", "25", "20\n", &e);
}

/* What is wrong begins in a text that both print, the numbers are behind it in the same line. */
static void test_next_call(void **state)
{
	struct expectation e = {SYMPTOM_OUTPUT, "the program prints 7", "7", "6", "value", 4, 4};

	check(HEAD "  fputs(\"sum \", stdout);\n"
	           "  printf(\"%d\\n\", n); /*value*/\n  return 0; }\n",
	      "7", "6", "total 7\n", &e);
}

/* One line too many: the loop's condition decides. Statements 3 (i = 0), then for each round the
   condition, the call, i++: 4 5 6, 7 8 9, 10. */
static void test_extra(void **state)
{
	struct expectation e = {SYMPTOM_BRANCH,
	                        "the program prints line",
	                        "prints line next",
	                        "prints end next",
	                        "line",
	                        7,
	                        7};

	check(HEAD "  for (int i = 0; i < n; i++)\n"
	           "    puts(\"line\"); /*line*/\n"
	           "  puts(\"end\");\n  return 0; }\n",
	      "2", "1", "line\nend\n", &e);
}

/* One line too few. */
static void test_missing(void **state)
{
	struct expectation e = {SYMPTOM_BRANCH,
	                        "the program does not print line",
	                        "prints end next",
	                        "prints line next",
	                        "line",
	                        7,
	                        7};

	check(HEAD "  for (int i = 0; i < n; i++)\n"
	           "    puts(\"line\"); /*line*/\n"
	           "  puts(\"end\");\n  return 0; }\n",
	      "1", "2", "line\nline\nend\n", &e);
}

/* The beginning of all output is missing. Statements: 3 is the condition. */
static void test_missing_first(void **state)
{
	struct expectation e = {SYMPTOM_BRANCH,
	                        "the program does not print name:",
	                        "prints line next",
	                        "prints name: next",
	                        "name",
	                        3,
	                        3};

	check(HEAD "  if (n > 1) printf(\"name:\"); /*name*/\n"
	           "  puts(\"line\");\n  return 0; }\n",
	      "1", "2", "name:line\n", &e);
}

/* The output ends too early. */
static void test_missing_end(void **state)
{
	struct expectation e = {SYMPTOM_BRANCH,
	                        "the program does not print \"the end\"",
	                        "prints nothing more",
	                        "prints \"the end\" next",
	                        "end",
	                        4,
	                        4};

	check(HEAD "  puts(\"line\");\n"
	           "  if (n > 1) puts(\"the end\"); /*end*/\n"
	           "  return 0; }\n",
	      "1", "2", "line\nthe end\n", &e);
}

/* The call is made, but prints nothing. */
static void test_nothing(void **state)
{
	struct expectation e = {
		SYMPTOM_OUTPUT, "the program prints \"\"", "\"\"", "x", "print", 3, 3};

	check(HEAD "  printf(\"%s\", n > 1 ? \"x\" : \"\"); /*print*/\n  return 0; }\n", "1", "2",
	      "x", &e);
}

/* --- ends --- */

static void test_exit(void **state)
{
	struct expectation e = {SYMPTOM_END,
	                        "the program exits with 3",
	                        "exit status 3",
	                        "exit status 0",
	                        "return",
	                        4,
	                        4};

	check(HEAD "  if (n > 3) n = 3;\n  return n; /*return*/\n}\n", "3", "0", NULL, &e);
}

/* What the program dies of has not ended, but counts as its last statement. */
static void test_crash(void **state)
{
	struct expectation e = {SYMPTOM_END, NULL, "SIGSEGV", "exit status 0", "crash", 4, 5};
	struct symptom symptom;
	struct pair p;

	pair_make(&p,
	          HEAD "  int *q = n ? NULL : &n;\n"
	               "  *q = 1; /*crash*/\n  return 0; }\n",
	          "1", "0", NULL);
	must(pair_find(&p, &symptom));
	assert_int_equal(symptom.kind, e.kind);
	assert_non_null(strstr(str_text(&symptom.what), "the program dies of SIGSEGV at "));
	assert_string_equal(str_text(&symptom.failing), e.failing);
	assert_string_equal(str_text(&symptom.reference), e.reference);
	assert_int_equal(symptom.failing_time, p.alignment.a_statements + 1);
	assert_int_equal(symptom.reference_time, p.alignment.b_statements);
	assert_true(alignment_of_a(&p.alignment, symptom.failing_time));
	symptom_deinit(&symptom);
	pair_free(&p);
}

/* --- what cannot be --- */

static void check_refused(const char *source, char *failing, char *passing, const char *output,
                          const char *message)
{
	struct hence_error *error;
	struct symptom symptom;
	struct pair p;

	pair_make(&p, source, failing, passing, output);
	error = pair_find(&p, &symptom);
	assert_non_null(error);
	assert_non_null(strstr(error->message, message));
	error_destroy(error);
	pair_free(&p);
}

static void test_refused(void **state)
{
	check_refused(HEAD "  puts(n ? \"a\" : \"b\");\n  return 0; }\n", "1", "2", "b\n",
	              "the reference fails as well");
	check_refused(HEAD "  return n > 0; }\n", "1", "2", NULL, "the reference fails as well");
	check_refused(HEAD "  puts(\"a\");\n  printf(\"%d\\n\", n);\n  return 0; }\n", "1", "2",
	              "b\n1\n", "nothing to compare");
	/* What comes before the wrong byte is right, though another one in the reference. */
	check_refused(HEAD "  printf(\" %d\", n);\n  puts(\"\");\n  return 0; }\n", "1", "2",
	              " 1 5\n", "nothing to compare");
}

/* But it may be the beginning of a text that is too short. */
static void test_too_short(void **state)
{
	struct symptom symptom;
	struct pair p;

	pair_make(&p, HEAD "  printf(\"%d\", n / 10); /*print*/\n  puts(\"\");\n  return 0; }\n",
	          "12", "34", "12\n");
	must(pair_find(&p, &symptom));
	assert_string_equal(str_text(&symptom.failing), "1");
	assert_string_equal(str_text(&symptom.reference), "3");
	symptom_deinit(&symptom);
	pair_free(&p);
}

/* --- judgement --- */

static void add_stop(struct experiment_result *result, bool reached, uint64_t stack,
                     uint64_t printed)
{
	*vec_push(&result->stops) =
		(struct stopped){.reached = reached, .stack = stack, .printed = printed};
}

static void reset(struct experiment_result *result, const char *output)
{
	result->stops.size = 0;
	str_deinit(&result->run.output);
	str_add(&result->run.output, output);
	result->run.outcome.kind = OUTCOME_EXITED;
	result->run.test = -1;
}

/* Statements of the reference: 3 i = 0; 4 5 6, 7 8 9, 10 11 12 condition, call, i++; 13. The symptom is
   the second call, 8. */
static void test_judge_output(void **state)
{
	struct experiment_result result = {0};
	struct stop stops[SYMPTOM_STOPS];
	struct symptom symptom;
	struct pair p;
	uint32_t count = 0;

	pair_make(&p,
	          HEAD "  for (int i = 0; i < 3; i++)\n"
	               "    printf(\"%d;\\n\", i * n); /*print*/\n  return 0; }\n",
	          "3", "2", "0;\n4;\n8;\n");
	must(pair_find(&p, &symptom));
	assert_int_equal(symptom.reference_time, 8);
	/* From 4 on, the call is passed for the second time, and so is what follows. */
	must(symptom_stops(&symptom, false, 4, stops, &count));
	assert_int_equal(count, 2);
	assert_int_equal(stops[0].count, 2);
	assert_int_equal(stops[1].count, 2);
	reset(&result, "0;\n2;\n4;\n");
	add_stop(&result, true, 1000, 0);
	add_stop(&result, true, 900, 3);
	add_stop(&result, true, 900, 6);
	symptom_learn(&symptom, false, 4, &result, 1);
	assert_int_equal(symptom_judge(&symptom, false, 4, &result, 1), VERDICT_PASS);
	str_deinit(&result.run.output);
	str_add(&result.run.output, "0;\n3;\n4;\n");
	assert_int_equal(symptom_judge(&symptom, false, 4, &result, 1), VERDICT_FAIL);
	/* Another depth of calls: not the same execution of the call. */
	result.stops.at[1].stack = 800;
	assert_int_equal(symptom_judge(&symptom, false, 4, &result, 1), VERDICT_UNRESOLVED);
	result.stops.at[1].stack = 900;
	result.stops.at[1].reached = false;
	assert_int_equal(symptom_judge(&symptom, false, 4, &result, 1), VERDICT_UNRESOLVED);
	result.stops.at[1].reached = true;
	str_deinit(&result.run.output);
	str_add(&result.run.output, "0;\n5;\n4;\n");
	assert_int_equal(symptom_judge(&symptom, false, 4, &result, 1), VERDICT_UNRESOLVED);
	/* From the call itself on. */
	count = 0;
	must(symptom_stops(&symptom, false, 8, stops, &count));
	assert_int_equal(count, 1);
	assert_int_equal(stops[0].count, 1);
	reset(&result, "0;\n3;\n4;\n");
	add_stop(&result, true, 900, 3);
	add_stop(&result, true, 900, 6);
	assert_int_equal(symptom_judge(&symptom, false, 8, &result, 1), VERDICT_FAIL);
	experiment_result_deinit(&result);
	symptom_deinit(&symptom);
	pair_free(&p);
}

/* What is printed next tells which way a branch went. */
static void test_judge_branch(void **state)
{
	struct experiment_result result = {0};
	struct stop stops[SYMPTOM_STOPS];
	struct symptom symptom;
	struct pair p;
	uint32_t count = 0;

	pair_make(&p,
	          HEAD "  for (int i = 0; i < n; i++)\n"
	               "    puts(\"line\");\n"
	               "  puts(\"end\");\n  return 0; }\n",
	          "2", "1", "line\nend\n");
	must(pair_find(&p, &symptom));
	must(symptom_stops(&symptom, false, 3, stops, &count));
	assert_int_equal(count, 3);
	assert_int_equal(stops[0].count, 2); /* the condition */
	assert_int_equal(stops[1].count, 2); /* puts("line") */
	assert_int_equal(stops[2].count, 1); /* puts("end") */
	reset(&result, "line\nend\n");
	add_stop(&result, true, 1000, 0);
	add_stop(&result, true, 900, 5);
	add_stop(&result, false, 0, 0);
	add_stop(&result, true, 900, 5);
	assert_int_equal(symptom_judge(&symptom, false, 3, &result, 1), VERDICT_PASS);
	reset(&result, "line\nline\nend\n");
	add_stop(&result, true, 1000, 0);
	add_stop(&result, true, 900, 5);
	add_stop(&result, true, 900, 5);
	add_stop(&result, true, 900, 10);
	assert_int_equal(symptom_judge(&symptom, false, 3, &result, 1), VERDICT_FAIL);
	reset(&result, "line\n");
	add_stop(&result, true, 1000, 0);
	add_stop(&result, true, 900, 5);
	add_stop(&result, false, 0, 0);
	add_stop(&result, false, 0, 0);
	assert_int_equal(symptom_judge(&symptom, false, 3, &result, 1), VERDICT_UNRESOLVED);
	experiment_result_deinit(&result);
	symptom_deinit(&symptom);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value),        cmocka_unit_test(test_shorter),
		cmocka_unit_test(test_next_call),    cmocka_unit_test(test_extra),
		cmocka_unit_test(test_missing),      cmocka_unit_test(test_missing_first),
		cmocka_unit_test(test_missing_end),  cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_exit),         cmocka_unit_test(test_crash),
		cmocka_unit_test(test_refused),      cmocka_unit_test(test_too_short),
		cmocka_unit_test(test_judge_output), cmocka_unit_test(test_judge_branch),
	};

	return cmocka_run_group_tests_name("failure_symptom", tests, decoded_set_up,
	                                   decoded_tear_down);
}
