/* Alignment of two runs: what is aligned was worked out by hand from the source. */
#include "align_pair.h"

/* The exact spans: store x, loop test, body, ... */
static void test_spans(void **state)
{
	struct pair p = pair_create("int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int n = argv[1][0] - '0';\n"
	                            "	while (n > 0)\n"
	                            "		n--;\n"
	                            "	return n;\n"
	                            "}\n",
	                            "3", "1");
	const struct align_span *s = p.al.spans.at;

	/*
	 * n = ; test 1 (true); n--; test 2 (true and false); n--; test 3; n--; test 4; return.
	 * Stores of parameters have no place in the source.
	 */
	assert_int_equal(p.al.a_statements, 1 + 4 + 3 + 1);
	assert_int_equal(p.al.b_statements, 1 + 2 + 1 + 1);
	assert_int_equal(p.al.spans.size, 2);
	assert_int_equal(s[0].a, 1);
	assert_int_equal(s[0].b, 1);
	assert_int_equal(s[0].count, 4);
	assert_int_equal(s[1].a, 9);
	assert_int_equal(s[1].b, 5);
	assert_int_equal(s[1].count, 1);
	assert_int_equal(p.al.forks.size, 1);
	assert_int_equal(p.al.forks.at[0].kind, FORK_BRANCH);
	assert_int_equal(p.al.forks.at[0].a, 4);
	assert_int_equal(p.al.forks.at[0].b, 4);
	assert_int_equal(p.al.forks.at[0].a_end, 9);
	assert_int_equal(p.al.forks.at[0].b_end, 5);
	assert_int_equal(p.al.forks.at[0].depth, 1);
	assert_int_equal(alignment_of_a(&p.al, 0), 0);
	assert_int_equal(alignment_of_a(&p.al, 10), 0);
	pair_free(&p);
}

static void test_loops(void **state)
{
	struct pair p = pair_create("int g;\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int n = argv[1][0] - '0';\n"
	                            "	for (int i = 0; i < n; i++) { /*test*/\n"
	                            "		g += i; /*body*/\n"
	                            "		if (i == 1 && n == 4) /*if*/\n"
	                            "			continue;\n"
	                            "		g += 2; /*rest*/\n"
	                            "	}\n"
	                            "	g = 0; /*end*/\n"
	                            "	do {\n"
	                            "		g++; /*do*/\n"
	                            "	} while (g < n); /*while*/\n"
	                            "	return g; /*return*/\n"
	                            "}\n",
	                            "4", "2");

	pair_expect(&p, "body", 0, 0);
	pair_expect(&p, "body", 1, 1);
	pair_expect(&p, "body", 2, -1);
	pair_expect(&p, "rest", 0, 0);
	/* The second round of the second run has it, that of the first run has not. */
	pair_expect_alone(&p, "rest", 1);
	pair_expect(&p, "rest", 1, -1);
	pair_expect(&p, "end", 0, 0);
	pair_expect(&p, "do", 0, 0);
	pair_expect(&p, "do", 1, 1);
	pair_expect(&p, "do", 2, -1);
	pair_expect(&p, "return", 0, 0);
	pair_free(&p);
}

static const char leaving[] = "#include <stdlib.h>\n"
			      "int g;\n"
			      "static int leave(int n)\n"
			      "{\n"
			      "	g = 1; /*first*/\n"
			      "	if (n == 1) /*if*/\n"
			      "		return 1; /*early*/\n"
			      "	g = 2; /*late*/\n"
			      "	switch (n) { /*switch*/\n"
			      "	case 2: g = 3; /*two*/\n"
			      "	case 3: g = 4; /*three*/ break;\n"
			      "	case 4: exit(3); /*exit*/\n"
			      "	default: g = 5; /*other*/\n"
			      "	}\n"
			      "	g = 6; /*last*/\n"
			      "	return 0;\n"
			      "}\n"
			      "int main(int argc, char **argv)\n"
			      "{\n"
			      "	leave(argv[1][0] - '0'); /*call*/\n"
			      "	g = 7; /*after*/\n"
			      "	return 0; /*return*/\n"
			      "}\n";

static void test_early_return(void **state)
{
	struct pair p = pair_create(leaving, "1", "5");

	pair_expect(&p, "first", 0, 0);
	pair_expect(&p, "if", 0, 0);
	pair_expect(&p, "early", 0, -1);
	pair_expect_alone(&p, "late", 0);
	pair_expect_alone(&p, "last", 0);
	pair_expect(&p, "after", 0, 0);
	pair_expect(&p, "return", 0, 0);
	pair_expect_decided(&p, 0, "early", 0, "if", 0);
	pair_expect_decided(&p, 1, "last", 0, "if", 0);
	pair_expect_decided(&p, 1, "after", 0, NULL, 0);
	pair_free(&p);
}

static void test_switch(void **state)
{
	struct pair p = pair_create(leaving, "2", "3");

	pair_expect(&p, "late", 0, 0);
	pair_expect(&p, "two", 0, -1);
	/* The switch controls what a case falls through to. */
	pair_expect(&p, "three", 0, -1);
	pair_expect(&p, "last", 0, 0);
	pair_expect_decided(&p, 0, "three", 0, "switch", 0);
	pair_expect_decided(&p, 1, "three", 0, "switch", 0);
	pair_free(&p);
}

static void test_exit(void **state)
{
	struct pair p = pair_create(leaving, "4", "3");

	pair_expect(&p, "late", 0, 0);
	pair_expect(&p, "exit", 0, -1);
	/* The first run has ended: what decided is that it came to the exit. */
	pair_expect_alone(&p, "last", 0);
	pair_expect_alone(&p, "after", 0);
	pair_expect_decided(&p, 1, "after", 0, "switch", 0);
	pair_free(&p);
}

/* As every tool reads its options: the tests within the loop do not control what follows it. */
static void test_option_loop(void **state)
{
	struct pair p = pair_create("int g;\n"
	                            "static int options(const char *s)\n"
	                            "{\n"
	                            "	while (*s) { /*while*/\n"
	                            "		if (*s == '?') /*test*/\n"
	                            "			return 2; /*bad*/\n"
	                            "		g++; /*more*/\n"
	                            "		s++;\n"
	                            "	}\n"
	                            "	g = 7; /*behind*/\n"
	                            "	return 0; /*good*/\n"
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int code = options(argv[1]); /*call*/\n"
	                            "	g = code; /*after*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "123", "4");

	pair_expect(&p, "more", 0, 0);
	pair_expect(&p, "more", 1, -1);
	pair_expect(&p, "behind", 0, 0);
	pair_expect(&p, "good", 0, 0);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
}

static void test_recursion(void **state)
{
	struct pair p = pair_create("int g;\n"
	                            "static void down(int n)\n"
	                            "{\n"
	                            "	g++; /*enter*/\n"
	                            "	if (n > 0) /*test*/\n"
	                            "		down(n - 1); /*call*/\n"
	                            "	g--; /*leave*/\n"
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	down(argv[1][0] - '0');\n"
	                            "	return g; /*return*/\n"
	                            "}\n",
	                            "4", "2");

	for (uint32_t i = 0; i < 3; i++)
		pair_expect(&p, "enter", i, (int)i);
	pair_expect(&p, "enter", 3, -1);
	pair_expect(&p, "enter", 4, -1);
	/* Innermost first: the two deepest of the first run are alone. */
	pair_expect(&p, "leave", 0, -1);
	pair_expect(&p, "leave", 1, -1);
	pair_expect(&p, "leave", 2, 0);
	pair_expect(&p, "leave", 3, 1);
	pair_expect(&p, "leave", 4, 2);
	pair_expect(&p, "return", 0, 0);
	pair_expect_decided(&p, 0, "leave", 1, "test", 2);
	pair_free(&p);
}

static void test_longjmp(void **state)
{
	struct pair p = pair_create("#include <setjmp.h>\n"
	                            "int g;\n"
	                            "jmp_buf env;\n"
	                            "static void work(int n)\n"
	                            "{\n"
	                            "	g = 1; /*work*/\n"
	                            "	if (n == 3) /*if*/\n"
	                            "		longjmp(env, 1); /*jump*/\n"
	                            "	g = 2; /*done*/\n"
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	if (setjmp(env) == 0) { /*set*/\n"
	                            "		work(argv[1][0] - '0'); /*call*/\n"
	                            "		g = 3; /*good*/\n"
	                            "	} else {\n"
	                            "		g = 4; /*bad*/\n"
	                            "	}\n"
	                            "	g = 5; /*after*/\n"
	                            "	return 0; /*return*/\n"
	                            "}\n",
	                            "3", "1");

	pair_expect(&p, "set", 0, 0);
	pair_expect(&p, "set", 1, 1);
	pair_expect(&p, "set", 2, -1); /* the test of what setjmp() returned the second time */
	pair_expect(&p, "work", 0, 0);
	pair_expect(&p, "jump", 0, -1);
	pair_expect_alone(&p, "done", 0);
	pair_expect_alone(&p, "good", 0);
	pair_expect(&p, "bad", 0, -1);
	pair_expect(&p, "after", 0, 0);
	pair_expect(&p, "return", 0, 0);
	pair_expect_decided(&p, 0, "bad", 0, "if", 0);
	pair_expect_decided(&p, 1, "good", 0, "if", 0);
	pair_free(&p);
}

static void test_pointers(void **state)
{
	struct pair p = pair_create("#include <stdlib.h>\n"
	                            "int g;\n"
	                            "static void one(void) { g = 1; /*one*/ }\n"
	                            "static void two(void) { g = 2; /*two*/ }\n"
	                            "static int less(const void *a, const void *b)\n"
	                            "{\n"
	                            "	return *(char *)a - *(char *)b; /*less*/\n"
	                            "}\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	void (*f)(void) = argv[1][1] ? two : one; /*choice*/\n"
	                            "	f(); /*call*/\n"
	                            "	char t[9] = \"cab\";\n"
	                            "	qsort(t, argv[1][1] ? 3 : 2, 1, less); /*sort*/\n"
	                            "	g = 3; /*after*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "12", "1");
	const struct align_fork *fork;

	pair_expect(&p, "call", 0, 0);
	pair_expect(&p, "two", 0, -1);
	pair_expect_alone(&p, "one", 0);
	fork = alignment_decided(&p.al, true, pair_time(&p, 0, "two", 0));
	assert_non_null(fork);
	assert_int_equal(fork->kind, FORK_CALL);
	assert_int_equal(fork->a, pair_time(&p, 0, "call", 0));
	assert_int_equal(fork->b, pair_time(&p, 1, "call", 0));
	/* Two elements are compared once, three more often. */
	pair_expect(&p, "less", 0, 0);
	pair_expect(&p, "less", 1, -1);
	pair_expect_decided(&p, 0, "less", 1, NULL, 0);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
}

static void test_crash(void **state)
{
	struct pair p = pair_record("int g, *q = &g;\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	if (argv[1][0] == '2') /*if*/\n"
	                            "		q = 0; /*null*/\n"
	                            "	g = 1; /*before*/\n"
	                            "	*q = 2; /*crash*/\n"
	                            "	g = 3; /*after*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "2", "1");

	p.runs[0].death = (struct walk_place){.function = "main", .line = 7, .column = 5};
	pair_align(&p, (uint32_t[]){0, 1});
	pair_expect(&p, "null", 0, -1);
	pair_expect(&p, "before", 0, 0);
	/* It did not end, but it began. */
	assert_int_equal(pair_time(&p, 0, "crash", 0), p.al.a_statements + 1);
	pair_expect(&p, "crash", 0, 0);
	pair_expect_alone(&p, "after", 0);
	pair_expect_decided(&p, 1, "after", 0, NULL, 0);
	pair_free(&p);
}

/* It dies on the way that only it goes. */
static void test_crash_alone(void **state)
{
	struct pair p = pair_record("int g, *q;\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	if (argv[1][0] == '2') { /*if*/\n"
	                            "		g = 1; /*in*/\n"
	                            "		*q = 0; /*crash*/\n"
	                            "	}\n"
	                            "	g = 3; /*after*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "2", "1");

	p.runs[0].death = (struct walk_place){.function = "main", .line = 6, .column = 6};
	pair_align(&p, (uint32_t[]){0, 1});
	pair_expect(&p, "in", 0, -1);
	assert_int_equal(pair_time(&p, 0, "crash", 0), p.al.a_statements + 1);
	pair_expect(&p, "crash", 0, -1);
	pair_expect_decided(&p, 0, "crash", 0, "if", 0);
	pair_expect_alone(&p, "after", 0);
	pair_expect_decided(&p, 1, "after", 0, "if", 0);
	pair_free(&p);
}

/* A handler that interrupts one run, or both, does not put them out of step. */
static void test_handlers(void **state)
{
	static const char source[] = "#include <signal.h>\n"
				     "#include <unistd.h>\n"
				     "#include <sys/time.h>\n"
				     "volatile int g, rings;\n"
				     "static void ring(int s)\n"
				     "{\n"
				     "	rings++; /*ring*/\n"
				     "}\n"
				     "int main(int argc, char **argv)\n"
				     "{\n"
				     "	signal(SIGALRM, ring);\n"
				     "	struct itimerval t = {{0, 0}, {0, 500}};\n"
				     "	if (argv[1][0] == '2')\n"
				     "		setitimer(ITIMER_REAL, &t, 0);\n"
				     "	for (long i = 0; i < 1000000; i++)\n"
				     "		g += i; /*busy*/\n"
				     "	raise(SIGALRM); /*raise*/\n"
				     "	g = 3; /*after*/\n"
				     "	return 0;\n"
				     "}\n";
	struct pair p = pair_create(source, "2", "1");

	pair_expect(&p, "busy", 999999, 999999);
	pair_expect(&p, "raise", 0, 0);
	pair_expect(&p, "ring", 0, -1);
	pair_expect(&p, "ring", 1, 0);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
	p = pair_create(source, "2", "2");
	pair_expect(&p, "busy", 999999, 999999);
	pair_expect(&p, "ring", 1, 1);
	pair_expect(&p, "after", 0, 0);
	pair_free(&p);
}

/* A child's tape goes on where its parent's was when it forked. */
static void test_children(void **state)
{
	struct pair p = pair_record("#include <sys/wait.h>\n"
	                            "#include <unistd.h>\n"
	                            "int g;\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	g = 1; /*parent*/\n"
	                            "	if (argv[1][0] == '2')\n"
	                            "		g = 2; /*two*/\n"
	                            "	if (fork() == 0) {\n"
	                            "		g = 3; /*child*/\n"
	                            "		_exit(0); /*exit*/\n"
	                            "	}\n"
	                            "	wait(0);\n"
	                            "	g = 4; /*after*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "2", "1");

	pair_align(&p, (uint32_t[]){1, 3});
	pair_expect(&p, "parent", 0, 0);
	pair_expect(&p, "two", 0, -1);
	pair_expect(&p, "child", 0, 0);
	pair_expect(&p, "exit", 0, 0);
	assert_int_equal(pair_find(&p, 0, "after", 0), 0);
	pair_free(&p);
}

/* The recordings may have their modules from two places. */
static void test_modules(void **state)
{
	struct pair p = pair_create(leaving, "2", "2");
	struct alignment al;
	struct recording other = p.runs[1].recording;

	assert_int_equal(p.al.spans.size, 1);
	assert_int_equal(p.al.forks.size, 0);
	other.modules = modules_create();
	pair_must(align_runs(&p.runs[0].recording, &other, NULL, &al));
	assert_int_equal(al.spans.size, 1);
	assert_int_equal(al.spans.at[0].count, p.al.a_statements);
	alignment_deinit(&al);
	modules_destroy(other.modules);
	pair_free(&p);
}

static bool stop_at_once(void *context)
{
	++*(int *)context;
	return true;
}

static void test_stop(void **state)
{
	struct pair p = pair_record("int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	int n = 0;\n"
	                            "	for (int i = 0; i < 200000; i++)\n"
	                            "		n += i;\n"
	                            "	return n != 0;\n"
	                            "}\n",
	                            "1", "2");
	int asked = 0;
	struct align_options options = {.stop = stop_at_once, .context = &asked};
	struct alignment al;

	pair_align(&p, (uint32_t[]){0, 1});
	assert_false(p.al.stopped);
	pair_must(align_runs(&p.runs[0].recording, &p.runs[1].recording, &options, &al));
	assert_int_equal(asked, 1);
	assert_true(al.stopped);
	assert_true(al.a_statements > 0 && al.a_statements < p.al.a_statements);
	alignment_deinit(&al);
	pair_free(&p);
}

static void test_errors(void **state)
{
	struct pair p = pair_create(leaving, "2", "2");
	struct recording missing = p.runs[1].recording;
	struct alignment al;
	struct hence_error *error;

	missing.tape = 7;
	error = align_runs(&p.runs[0].recording, &missing, NULL, &al);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "00000007.tape"));
	error_destroy(error);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),        cmocka_unit_test(test_loops),
		cmocka_unit_test(test_early_return), cmocka_unit_test(test_switch),
		cmocka_unit_test(test_exit),         cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_option_loop),  cmocka_unit_test(test_longjmp),
		cmocka_unit_test(test_pointers),     cmocka_unit_test(test_crash),
		cmocka_unit_test(test_crash_alone),  cmocka_unit_test(test_handlers),
		cmocka_unit_test(test_children),     cmocka_unit_test(test_modules),
		cmocka_unit_test(test_stop),         cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
