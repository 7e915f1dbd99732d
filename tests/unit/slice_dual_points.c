/* Dual slices of runs that end in other ways and of versions; their seeds, cuts, forks and listings. */
#include "slice_dual.h"

#include "report/dual_listing.h"

#define HEAD "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
#define MAIN "int main(int argc, char **argv)\n{\n"

/* --- places --- */

/* The store on the line with this comment: where it wrote. */
static uint64_t place_of(const struct pair *p, const struct dual *dual, unsigned run,
                         const char *name)
{
	const struct execution *e = dual_execution(dual, run);
	uint32_t line = pair_line(p->runs[run].source, name), first, end, made;
	uint64_t address = 0;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(e, i)->op == CODE_STORE &&
		    LLVMGetDebugLocLine(execution_instruction(e, i)) == line)
			execution_operand(e, i, execution_insn(e, i)->b, &address, &made);
	assert_true(address);
	return address;
}

static const char sum[] = HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
				    "	int k = argc; /*k*/\n"
				    "	int m = n + k; /*m*/\n"
				    "	n = 0; /*clear*/\n"
				    "	printf(\"%d\\n\", m); /*out*/\n"
				    "	return 0;\n}\n";

static void expect_crossing(const struct pair *p, const struct dual *dual, const char *point,
                            const char *variable, bool crosses)
{
	for (unsigned run = 0; run < 2; run++)
		assert_int_equal(dual_crosses(dual, run, pair_time(p, run, point, 0),
		                              place_of(p, dual, run, variable), 4),
		                 crosses);
}

/* A variable is in the cut from where it is written to where it is read. */
static void cut(void **state)
{
	struct pair p = pair_create(sum, "3", "4");
	struct dual *dual = dual_from(&p, "out");

	expect_crossing(&p, dual, "n", "n", false);
	expect_crossing(&p, dual, "k", "n", true);
	expect_crossing(&p, dual, "m", "n", true);
	expect_crossing(&p, dual, "clear", "n", false);
	expect_crossing(&p, dual, "out", "n", false);
	expect_crossing(&p, dual, "m", "m", false);
	expect_crossing(&p, dual, "out", "m", true);
	expect_crossing(&p, dual, "m", "k", false);
	dual_destroy(dual);
	pair_free(&p);
}

/* A parameter is there when its function stands before the first statement. */
static void cut_in_function(void **state)
{
	struct pair p =
		pair_create(HEAD "static int g;\n"
	                         "static void set(int v)\n{\n"
	                         "	g = v; /*set*/\n}\n" MAIN "	set(atoi(argv[1]));\n"
	                         "	printf(\"%d\\n\", g); /*out*/\n"
	                         "	return 0;\n}\n",
	                    "3", "4");
	struct dual *dual = dual_from(&p, "out");
	uint32_t count, found = 0;
	const struct dual_edge *edges = dual_edges(dual, 0, &count);

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].size == 4 &&
		    dual_statement(dual, 0, edges[i].to) == pair_time(&p, 0, "set", 0)) {
			assert_true(dual_crosses(dual, 0, pair_time(&p, 0, "set", 0),
			                         edges[i].address, 4));
			found++;
		}
	assert_int_equal(found, 1);
	expect_crossing(&p, dual, "out", "set", true);
	expect_crossing(&p, dual, "set", "set", false);
	dual_destroy(dual);
	pair_free(&p);
}

/* Only what is read of these bytes counts. */
static void seed_of_bytes(void **state)
{
	struct pair p = pair_create(sum, "3", "4");
	struct dual *all = dual_from(&p, "m"), *dual;
	struct dual_seed seed = {{pair_time(&p, 0, "m", 0), pair_time(&p, 1, "m", 0)}, {0}, {0}};

	for (unsigned run = 0; run < 2; run++) {
		seed.from[run] = place_of(&p, all, run, "k");
		seed.to[run] = seed.from[run] + 4;
	}
	pair_must(dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, NULL,
	                    &dual));
	dual_expect(&p, dual, 0, "m");
	dual_destroy(dual);
	for (unsigned run = 0; run < 2; run++) {
		seed.from[run] = place_of(&p, all, run, "clear");
		seed.to[run] = seed.from[run] + 4;
	}
	pair_must(dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, NULL,
	                    &dual));
	dual_expect(&p, dual, 0, "n m");
	dual_expect(&p, dual, 1, "n m");
	dual_destroy(dual);
	dual_destroy(all);
	pair_free(&p);
}

/* --- what is told of it --- */

static const char omitted[] = HEAD MAIN "	int x = 1; /*x*/\n"
					"	int y = argv[1][0]; /*y*/\n"
					"	if (argc > 5) /*never*/\n"
					"		y = 0; /*zero*/\n"
					"	if (y == 'y') /*if*/\n"
					"		x = 2; /*set*/\n"
					"	if (y == 'n') /*other*/\n"
					"		y = 3; /*three*/\n"
					"	printf(\"%d\\n\", x); /*out*/\n"
					"	return 0;\n}\n";

/* Of two branches that went different ways one matters. */
static void forks_and_definitions(void **state)
{
	struct pair p = pair_create(omitted, "n", "y");
	struct dual *dual = dual_from(&p, "out");
	const uint64_t *times;
	const uint32_t *forks;
	uint32_t count;

	assert_int_equal(p.al.forks.size, 2);
	forks = dual_forks(dual, &count);
	assert_int_equal(count, 1);
	assert_int_equal(p.al.forks.at[forks[0]].a, pair_time(&p, 0, "if", 0));
	times = dual_definitions(dual, 1, &count);
	/* x, y, set, and the call that puts it out. */
	assert_int_equal(count, 4);
	assert_int_equal(times[0], pair_time(&p, 1, "x", 0));
	assert_int_equal(times[1], pair_time(&p, 1, "y", 0));
	assert_int_equal(times[2], pair_time(&p, 1, "set", 0));
	times = dual_definitions(dual, 0, &count);
	assert_int_equal(count, 3);
	dual_destroy(dual);
	pair_free(&p);
}

/* What differs comes from the arguments. */
static void given(void **state)
{
	struct pair p = pair_create(omitted, "n", "y");
	struct dual *dual = dual_from(&p, "out");
	uint32_t count, found = 0;
	const struct dual_edge *edges = dual_edges(dual, 0, &count);

	for (uint32_t i = 0; i < count; i++)
		found += edges[i].from == SOURCE_GIVEN && edges[i].size == 1;
	assert_int_equal(found, 1);
	dual_destroy(dual);
	pair_free(&p);
}

static void listing(void **state)
{
	static const char expected[] = "both  prog.c:7   main: x = 1\n"
				       "bad   prog.c:8   main: y = 110\n"
				       "good  prog.c:8   main: y = 121\n"
				       "bad   prog.c:11  main: y == 121 is false\n"
				       "good  prog.c:11  main: y == 121 is true\n"
				       "good  prog.c:12  main: x = 2\n";
	struct pair p = pair_create(omitted, "n", "y");
	struct dual *dual = dual_from(&p, "out");
	struct dual_listing l;
	struct str json = STR_INIT;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	pair_must(
		dual_listing_collect(&p.runs[0].recording, &p.runs[1].recording, &p.al, dual, &l));
	dual_listing_print(&l, (const char *const[]){"bad", "good"}, file);
	fclose(file);
	if (strncmp(text, expected, strlen(expected)))
		fail_msg("%s", text);
	dual_listing_add_json(&l, (const char *const[]){"bad", "good"}, &json);
	assert_non_null(strstr(str_text(&json), "\"function\":\"main\",\"good\":{\"statement\":"));
	free(text);
	str_deinit(&json);
	dual_listing_deinit(&l);
	dual_destroy(dual);
	pair_free(&p);
}

/* --- how it ends --- */

static void crash(void **state)
{
	struct pair p = pair_record("int g, *q = &g;\n"
	                            "int main(int argc, char **argv)\n"
	                            "{\n"
	                            "	if (argv[1][0] == '2') /*if*/\n"
	                            "		q = 0; /*null*/\n"
	                            "	g = 1; /*before*/\n"
	                            "	*q = 2; /*crash*/\n"
	                            "	return 0;\n"
	                            "}\n",
	                            "2", "1");
	struct dual *dual;

	p.runs[0].death = (struct walk_place){.function = "main", .line = 7, .column = 5};
	pair_align(&p, (uint32_t[]){0, 1});
	dual = dual_from(&p, "crash");
	dual_expect(&p, dual, 0, "if null crash");
	dual_expect(&p, dual, 1, "if crash");
	dual_destroy(dual);
	pair_free(&p);
}

/* The statement that a failed assertion dies in is the call, which does not return. */
static void assertion(void **state)
{
	struct pair p = pair_create(HEAD MAIN "	int n = atoi(argv[1]); /*n*/\n"
	                                      "	int k = argc; /*k*/\n"
	                                      "	assert(n != k + 1); /*assert*/\n"
	                                      "	return 0;\n}\n",
	                            "3", "4");
	struct dual_seed seed = {{p.al.a_statements + 1, 0}, {0}, {0}};
	struct dual *dual;

	pair_must(dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, NULL,
	                    &dual));
	dual_expect(&p, dual, 0, "n assert");
	dual_expect(&p, dual, 1, "n assert");
	dual_destroy(dual);
	pair_free(&p);
}

/* --- two versions --- */

static void versions(void **state)
{
	static const char old[] =
		HEAD "static int twice(int *v)\n{\n"
		     "	return *v * 2; /*twice*/\n}\n" MAIN "	int x = atoi(argv[1]); /*x*/\n"
		     "	int y = x + 1; /*y*/\n"
		     "	int z = twice(&x); /*z*/\n"
		     "	printf(\"%d %s\\n\", y + z, \"end\"); /*out*/\n"
		     "	return 0;\n}\n";
	static const char new[] =
		HEAD "static int twice(int *v)\n{\n"
		     "	return *v * 2; /*twice*/\n}\n" MAIN "	int more[20] = {argc}; /*more*/\n"
		     "	int x = atoi(argv[1]); /*x*/\n"
		     "	puts(\"begin\");\n"
		     "	int y = x + 2; /*y*/\n"
		     "	int z = twice(&x); /*z*/\n"
		     "	printf(\"%d %s\\n\", y + z, \"end\"); /*out*/\n"
		     "	return more[1];\n}\n";
	struct pair p = pair_versions(old, new, "3");
	struct dual *dual = dual_from(&p, "out");

	dual_expect(&p, dual, 0, "y out");
	dual_expect(&p, dual, 1, "y out");
	dual_destroy(dual);
	pair_free(&p);
}

/* --- what cannot be --- */

static void refused(void **state)
{
	struct pair p = pair_create(sum, "3", "4");
	struct dual_seed seed = {{p.al.a_statements, 0}, {0}, {0}};
	struct dual_options options = {.memory = 1000};
	struct hence_error *error;
	struct dual *dual;

	error = dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, &options,
	                  &dual);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "the runs are too long to be compared: "));
	error_destroy(error);
	seed.times[0] = 1000;
	error = dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, NULL, &dual);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "the first run has no statement 1000"));
	error_destroy(error);
	pair_free(&p);
}

static bool stop_at_once(void *context)
{
	return true;
}

static void stopped(void **state)
{
	struct pair p = pair_create(HEAD MAIN "	int s = 0, n = atoi(argv[1]);\n"
	                                      "	for (int i = 0; i < 30000; i++)\n"
	                                      "		s += n;\n"
	                                      "	return s; /*ret*/\n}\n",
	                            "3", "4");
	struct dual_seed seed = {{pair_time(&p, 0, "ret", 0), 0}, {0}, {0}};
	struct dual_options options = {.stop = stop_at_once};
	struct dual *dual;

	pair_must(dual_find(&p.runs[0].recording, &p.runs[1].recording, &p.al, &seed, 1, &options,
	                    &dual));
	assert_true(dual_stopped(dual));
	dual_destroy(dual);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut),           cmocka_unit_test(cut_in_function),
		cmocka_unit_test(seed_of_bytes), cmocka_unit_test(forks_and_definitions),
		cmocka_unit_test(given),         cmocka_unit_test(listing),
		cmocka_unit_test(crash),         cmocka_unit_test(assertion),
		cmocka_unit_test(versions),      cmocka_unit_test(refused),
		cmocka_unit_test(stopped),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, pair_clean_versions);
}
