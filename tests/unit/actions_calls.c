/* What outside calls did: models, arguments and effects become actions. */
#include "actions_call.h"

static void *own_table;

/* A table of models made for a test. */
static const void *models(const char *text)
{
	struct outside_models read;
	size_t size;

	free(own_table);
	outside_models_init(&read);
	assert_null(outside_models_add_text(&read, "m", text, strlen(text)));
	outside_table_write(&read, &own_table, &size);
	outside_models_deinit(&read);
	return own_table;
}

/* --- copies and fills --- */

static void test_copy(void **state)
{
	begin("memcpy", "pppl", D, A, 100ull);
	expect_nothing();
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_COPIED);
	expect_copied(0, D, A, 100);
	assert_int_equal(nth(ACTION_COPIED, 0)->argument, 1);
	assert_int_equal(nth(ACTION_RETURNED, 0)->argument, 1);
	assert_int_equal(nth(ACTION_RETURNED, 0)->offset, 1 << 0);
	/* A result that is not what the model says is just a result. */
	end(D + 1);
	expect_kinds(ACTION_COPIED);
	begin("memcpy", "pppl", D, A, 0ull);
	end(D);
	expect_kinds(ACTION_RETURNED);
}

static void test_copied_string(void **state)
{
	poke_text(A, "hello");
	begin("stpcpy", "ppp", D, A);
	end(D + 5);
	expect_copied(0, D, A, 6);
	/* The result depends on where the string ends. */
	expect_read(0, 0, A, 6);
	assert_int_equal(nth(ACTION_READ, 0)->feeds, ACTIONS_RESULT);
	assert_int_equal(nth(ACTION_RETURNED, 0)->offset, 1 << 0 | 1 << 1);
	/* To the left over itself, as many programs do though none should. */
	begin("strcpy", "ppp", A, A + 1);
	end(A);
	expect_copied(0, A, A + 1, 5);
}

static void test_strncpy(void **state)
{
	poke_text(A, "hello");
	begin("strncpy", "pppl", D, A, 9ull);
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_COPIED, ACTION_FILLED);
	expect_copied(0, D, A, 5);
	expect_filled(0, D + 5, 4, 0);
	begin("strncpy", "pppl", D, A, 3ull);
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_COPIED);
	expect_copied(0, D, A, 3);
}

static void test_old_values(void **state)
{
	poke_text(A, "world");
	poke_text(D, "hello ");
	begin("strncat", "pppl", D, A, 3ull);
	end(D);
	expect_copied(0, D + 6, A, 3);
	expect_filled(0, D + 9, 1, 0);
}

static void test_memset(void **state)
{
	begin("memset", "ppil", D, 0x1ffull, 7ull);
	end(D);
	expect_filled(0, D, 7, 0xff);
}

/* --- the heap --- */

static void test_moved(void **state)
{
	object_at = A;
	object_bytes = 24;
	begin("realloc", "ppl", A, 100ull);
	object_at = 0; /* what the object holds is noted before the call */
	effect(HENCE_FREED, 1, -1, A, 0, 0, NULL);
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 100, NULL);
	end(D);
	expect_kinds(ACTION_FREED, ACTION_ALLOCATED, ACTION_COPIED);
	expect_copied(0, D, A, 24);
	assert_false(nth(ACTION_ALLOCATED, 0)->zeroed);
}

static void test_moved_unknown(void **state)
{
	begin("realloc", "ppl", A, 100ull);
	effect(HENCE_FREED, 1, -1, A, 0, 0, NULL);
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 100, NULL);
	end(D);
	expect_kinds(ACTION_FREED, ACTION_ALLOCATED, ACTION_UNKNOWN);
	expect_unknown(0, OUTSIDE_COPIES, 0);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->to, D);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->size, 0);
	/* No object at all is another thing. */
	str_deinit(&effect_bytes);
	begin("realloc", "ppl", 0ull, 100ull);
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 100, NULL);
	end(D);
	expect_kinds(ACTION_ALLOCATED);
}

static void test_zeroed(void **state)
{
	begin("calloc", "pll", 5ull, 8ull);
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 40, NULL);
	end(D);
	expect_kinds(ACTION_ALLOCATED);
	assert_int_equal(nth(ACTION_ALLOCATED, 0)->size, 40);
	assert_true(nth(ACTION_ALLOCATED, 0)->zeroed);
}

static void test_strdup(void **state)
{
	poke_text(A, "text");
	begin("strdup", "pp", A);
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 5, NULL);
	end(D);
	expect_kinds(ACTION_ALLOCATED, ACTION_COPIED);
	expect_copied(0, D, A, 5);
}

/* --- writes --- */

static void test_wrote(void **state)
{
	poke_text(A, "12x");
	begin("strtol", "lppi", A, D, 10ull);
	wrote(2, D, 8, "abcdefgh");
	end(12);
	expect_kinds(ACTION_READ, ACTION_WROTE);
	expect_read(0, 1, A, 4);
	assert_int_equal(nth(ACTION_READ, 0)->feeds, ACTIONS_ALL);
	assert_false(nth(ACTION_WROTE, 0)->precise);
	assert_memory_equal(nth(ACTION_WROTE, 0)->bytes, "abcdefgh", 8);
}

static void test_precise(void **state)
{
	uint32_t feeds;

	begin("swab", "vppl", A, D, 6ull);
	wrote(0, B, 4, "errn"); /* errno comes first */
	wrote(2, D, 6, "abcdef");
	end(0);
	expect_kinds(ACTION_READ, ACTION_WROTE, ACTION_WROTE);
	expect_read(0, 1, A, 6);
	feeds = nth(ACTION_READ, 0)->feeds;
	assert_ptr_equal(&made.list.at[feeds - 1], nth(ACTION_WROTE, 1));
	assert_true(nth(ACTION_WROTE, 1)->precise);
	assert_false(nth(ACTION_WROTE, 0)->precise);
}

/* What is fed lies behind copies in the list, and in front of them. */
static void test_feeds_around_copies(void **state)
{
	const void *table = models("f(a, b):\n\twrites a[4] from b[4]\n\tallocates ret[8]\n"
	                           "\twrites b[2] from a[2]\n\tcopies ret[8] from a\n");

	begin_model(table, "f", "ppp", A, B);
	wrote(1, A, 4, "abcd");
	effect(HENCE_ALLOCATED, 0, -1, D, 0, 8, NULL);
	wrote(2, B, 2, "ef");
	end(D);
	expect_kinds(ACTION_READ, ACTION_READ, ACTION_WROTE, ACTION_ALLOCATED, ACTION_COPIED,
	             ACTION_WROTE);
	assert_int_equal(made.list.at[0].from, B);
	assert_int_equal(made.list.at[0].feeds, 2 + 1);
	assert_int_equal(made.list.at[1].from, A);
	assert_int_equal(made.list.at[1].feeds, 5 + 1);
}

/* Lengths may lie in memory that the call itself wrote. */
static void test_after(void **state)
{
	const void *table = models("f(n, d, s):\n\twrites n[8]\n\tcopies d[*n] from s\n"
	                           "\treads s[old(*n)]\n");
	uint64_t seven = 7;

	poke_word(A, 3);
	begin_model(table, "f", "vppp", A, D, B);
	wrote(1, A, 8, &seven);
	end(0);
	expect_copied(0, D, B, 7);
	expect_read(0, 3, B, 3);
}

/* Written memory is laid over the old byte by byte, also where the old is not known. */
static void test_overlay(void **state)
{
	const void *table = models("f(s): writes s[2]; reads (s + 1)[strlen(s)]");

	poke(A, "ab", 2);
	poke(A + 4, "ef", 3);
	begin_model(table, "f", "vp", A);
	wrote(1, A + 1, 3, "xyz");
	end(0);
	expect_read(0, 1, A + 1, 6);
}

static void test_permuted(void **state)
{
	poke(A, "cba", 3);
	begin("qsort", "vpllp", A, 3ull, 1ull, C);
	wrote(1, A, 3, "abc");
	end(0);
	expect_kinds(ACTION_PERMUTED);
	assert_int_equal(made.list.at[0].unit, 1);
	assert_memory_equal(made.list.at[0].bytes, "abc", 3);
}

static void test_returned_old(void **state)
{
	poke_word(A, B);
	poke_text(B, "a,b");
	poke_text(C, ",");
	begin("strsep", "ppp", A, C);
	wrote(1, A, 8, "12345678");
	end(B);
	assert_int_equal(nth(ACTION_RETURNED, 0)->offset, 1);
	/* It is what stood in *sp: those 8 bytes, beside what was read for the rest. */
	expect_read(0, 2, C, 2);
	assert_int_equal(nth(ACTION_READ, 1)->from, B);
	expect_read(2, 0, A, 8);
	assert_int_equal(nth(ACTION_READ, 2)->feeds, ACTIONS_RESULT);
}

static void test_returned_into(void **state)
{
	poke_text(A, "hay");
	begin("strchr", "ppi", A, (uint64_t)'y');
	end(A + 2);
	assert_true(nth(ACTION_RETURNED, 0)->into);
	assert_int_equal(nth(ACTION_RETURNED, 0)->argument, 1);
	expect_read(0, 1, A, 4);
}

/* --- streams --- */

static void test_input(void **state)
{
	begin("fgets", "ppip", D, 100ull, B);
	effect(HENCE_INPUT, 1, 3, D, 500, 4, NULL);
	wrote(1, D, 5, "abc\n");
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_INPUT, ACTION_WROTE);
	assert_int_equal(nth(ACTION_INPUT, 0)->stream, 3);
	assert_int_equal(nth(ACTION_INPUT, 0)->offset, 500);
	assert_int_equal(nth(ACTION_INPUT, 0)->to, D);
	assert_true(nth(ACTION_INPUT, 0)->exact);
	assert_true(nth(ACTION_WROTE, 0)->precise);
}

static void test_getc(void **state)
{
	begin("getc", "ip", B);
	effect(HENCE_INPUT, 0, 0, 0, 7, 1, NULL);
	end('x');
	expect_kinds(ACTION_INPUT);
	assert_int_equal(nth(ACTION_INPUT, 0)->to, 0);
}

static void test_output(void **state)
{
	begin("fwrite", "lpllp", A, 2ull, 5ull, B);
	effect(HENCE_OUTPUT, 1, 1, A, 30, 10, NULL);
	end(5);
	expect_kinds(ACTION_OUTPUT);
	assert_int_equal(nth(ACTION_OUTPUT, 0)->from, A);
	assert_int_equal(nth(ACTION_OUTPUT, 0)->offset, 30);
	assert_int_equal(nth(ACTION_OUTPUT, 0)->size, 10);
}

static void test_scan_stream(void **state)
{
	poke_text(B, "%d");
	begin("fscanf", "ippp", C, B, D);
	effect(HENCE_INPUT, 3, 0, D, 10, 2, NULL);
	wrote(3, D, 4, "\x2a\0\0");
	end(1);
	expect_kinds(ACTION_READ, ACTION_INPUT, ACTION_WROTE);
	expect_read(0, 2, B, 3);
	assert_false(nth(ACTION_INPUT, 0)->exact); /* a number is not its digits */
	assert_true(nth(ACTION_WROTE, 0)->precise);
}

static void test_scan_memory(void **state)
{
	poke_text(A, "7 42");
	poke_text(B, "%d %d");
	begin("sscanf", "ipppp", A, B, C, D);
	effect(HENCE_INPUT, 3, -1, C, A, 1, NULL);
	wrote(3, C, 4, "\7\0\0");
	effect(HENCE_INPUT, 4, -1, D, A + 2, 2, NULL);
	wrote(4, D, 4, "\x2a\0\0");
	end(2);
	expect_kinds(ACTION_READ, ACTION_READ, ACTION_READ, ACTION_READ, ACTION_WROTE,
	             ACTION_WROTE);
	assert_int_equal(made.list.at[0].from, A);
	assert_int_equal(made.list.at[0].feeds, 4 + 1);
	assert_int_equal(made.list.at[1].from, A + 2);
	assert_int_equal(made.list.at[1].feeds, 5 + 1);
	expect_read(2, 2, B, 6);
	expect_read(3, 1, A, 5);
	assert_int_equal(made.list.at[3].feeds, ACTIONS_RESULT);
	assert_true(made.list.at[4].precise && made.list.at[5].precise);
}

static void test_opened_closed(void **state)
{
	poke_text(A, "name");
	poke_text(B, "r");
	begin("fopen", "ppp", A, B);
	effect(HENCE_OPENED, 1, 5, A, 0, 4, "name");
	end(C);
	assert_int_equal(nth(ACTION_OPENED, 0)->stream, 5);
	assert_memory_equal(nth(ACTION_OPENED, 0)->bytes, "name", 4);
	assert_int_equal(count_of(ACTION_READ), 2);
	str_deinit(&effect_bytes);
	begin("fclose", "ip", C);
	effect(HENCE_CLOSED, 1, 5, 0, 0, 0, NULL);
	end(0);
	expect_kinds(ACTION_CLOSED);
}

/* --- before the call, and callbacks --- */

static void test_texts(void **state)
{
	effect(HENCE_TEXT, 1, -1, A, 0, 5, "x > 0");
	effect(HENCE_TEXT, 2, -1, B, 0, 3, "a.c");
	begin("__assert_fail", "vppip", A, B, 7ull, C);
	expect_kinds(ACTION_TEXT, ACTION_TEXT);
	assert_int_equal(nth(ACTION_TEXT, 1)->from, B);
	assert_int_equal(nth(ACTION_TEXT, 1)->argument, 2);
	assert_memory_equal(nth(ACTION_TEXT, 0)->bytes, "x > 0", 5);
}

static void test_noreturn(void **state)
{
	begin("longjmp", "vpi", A, 1ull);
	expect_kinds(ACTION_READ);
	expect_read(0, 1, A, 200);
}

static void test_callback(void **state)
{
	begin("qsort_r", "vpllpp", A, 3ull, 4ull, C, D);
	actions_callback(&current, &sim, C, &made);
	expect_kinds(ACTION_PASSED, ACTION_PASSED, ACTION_PASSED);
	assert_int_equal(made.list.at[0].from, A);
	assert_int_equal(made.list.at[0].size, 4);
	assert_int_equal(made.list.at[0].offset, 1 << 0);
	assert_int_equal(made.list.at[2].unit, 2);
	assert_int_equal(made.list.at[2].from, D);
	assert_int_equal(made.list.at[2].size, 0);
	assert_int_equal(made.list.at[2].argument, 5);
	/* Another function is not the one that it calls. */
	actions_callback(&current, &sim, B, &made);
	expect_nothing();
	begin("atexit", "ip", C);
	actions_callback(&current, &sim, C, &made);
	expect_nothing();
}

/* --- what is not known --- */

static void test_unknown(void **state)
{
	poke(A, "ab", 2); /* and what follows is not known */
	begin("strcpy", "ppp", D, A);
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_UNKNOWN);
	expect_unknown(0, OUTSIDE_COPIES, 1);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->to, D);
	begin("strlen", "lp", A);
	end(2);
	expect_kinds(ACTION_UNKNOWN);
	expect_unknown(0, OUTSIDE_READS, 1);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->from, A);
	/* The same for a value that had to be noted before. */
	poke_text(A, "ab");
	begin("strcat", "ppp", D, A);
	poke_text(D, "");
	end(D);
	expect_unknown(0, OUTSIDE_COPIES, 1);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->to, 0);
}

static void test_unknown_condition(void **state)
{
	const void *table = models("f(p, d, s):\n\tcopies d[4] from s when *p\n"
	                           "\treads s[4] when *p\n\tfills d[2] with byte(p)\n");

	begin_model(table, "f", "vppp", A, D, B);
	end(0);
	expect_kinds(ACTION_UNKNOWN, ACTION_UNKNOWN, ACTION_UNKNOWN);
	assert_int_equal(made.list.at[0].clause, OUTSIDE_READS);
	assert_int_equal(made.list.at[0].from, B);
	assert_int_equal(made.list.at[0].size, 4);
	assert_int_equal(made.list.at[1].clause, OUTSIDE_COPIES);
	assert_int_equal(made.list.at[1].to, D);
	assert_int_equal(made.list.at[2].clause, OUTSIDE_FILLS);
}

static void test_huge(void **state)
{
	begin("memcpy", "pppl", D, A, 1ull << 60);
	end(D);
	expect_kinds(ACTION_RETURNED, ACTION_UNKNOWN);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->size, 1ull << 60);
	begin("memset", "ppil", ~0ull - 10, 0ull, 100ull);
	end(~0ull - 10);
	expect_kinds(ACTION_RETURNED, ACTION_UNKNOWN);
	/* A negative length is none, as for the runtime. */
	begin("memset", "ppil", D, 0ull, ~0ull);
	end(D);
	expect_kinds(ACTION_RETURNED);
	begin("memcpy", "pppl", 0ull, A, 10ull);
	end(0);
	expect_kinds(ACTION_RETURNED);
}

static void test_no_model(void **state)
{
	struct effects none;

	begin("abs", "ii", 3ull);
	current.model = NULL;
	current.table = NULL;
	none = take_effects();
	actions_begin(&current, &sim, &none, &made);
	expect_nothing();
	effect(HENCE_SEEN, 1, -1, A, 0, 2, "zz");
	end(3);
	expect_kinds(ACTION_SEEN);
	actions_callback(&current, &sim, C, &made);
	expect_nothing();
}

/* Narrow arguments and results have a sign, whatever lies beside them. */
static void test_signs(void **state)
{
	const void *table = models("f(n): fills (&optind)[n + 10] with n; returns n");

	begin_model(table, "f", "ii", 0xdeadbeeffffffffdull);
	end(0x11111111fffffffdull);
	expect_kinds(ACTION_RETURNED, ACTION_FILLED);
	expect_filled(0, GLOBAL + 8 * OUTSIDE_OPTIND, 7, 0xfd);
}

static void test_vectors(void **state)
{
	const void *table = models("f(v, n): reads vectors(v, n)[10]");

	poke_word(A, C);
	poke_word(A + 8, 4);
	poke_word(A + 16, 0);
	poke_word(A + 24, 0);
	poke_word(A + 32, D);
	poke_word(A + 40, 100);
	begin_model(table, "f", "vpl", A, 3ull);
	end(0);
	expect_kinds(ACTION_READ, ACTION_READ);
	expect_read(0, 1, C, 4);
	expect_read(1, 1, D, 6);
	begin_model(table, "f", "vpl", A + 16, 9ull);
	end(0);
	expect_kinds(ACTION_READ);
	begin_model(table, "f", "vpl", B, 9ull);
	end(0);
	expect_kinds(ACTION_UNKNOWN);
}

/* What was lent is not known any more, but for what the call wrote there itself. */
static void test_lent(void **state)
{
	const void *table = models("f(p, n): lends p[n] when ret; writes p[1]");

	begin_model(table, "f", "ipl", A, 10ull);
	end(0);
	expect_nothing();
	begin("setvbuf", "ippil", B, 0ull, 0ull, 10ull);
	end(0);
	expect_nothing();
	begin("setvbuf", "ippil", B, A, 0ull, 10ull);
	end(0);
	expect_unknown(0, OUTSIDE_LENDS, 2);
	begin_model(table, "f", "ipl", A, 10ull);
	effect(HENCE_WROTE, 1, -1, A, 0, 1, "x");
	end(1);
	expect_kinds(ACTION_UNKNOWN, ACTION_WROTE);
	expect_unknown(0, OUTSIDE_LENDS, 1);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->to, A);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->size, 10);
}

static int finish(void **state)
{
	free(own_table);
	return cleanup(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_copy, setup),
		cmocka_unit_test_setup(test_copied_string, setup),
		cmocka_unit_test_setup(test_strncpy, setup),
		cmocka_unit_test_setup(test_old_values, setup),
		cmocka_unit_test_setup(test_memset, setup),
		cmocka_unit_test_setup(test_moved, setup),
		cmocka_unit_test_setup(test_moved_unknown, setup),
		cmocka_unit_test_setup(test_zeroed, setup),
		cmocka_unit_test_setup(test_strdup, setup),
		cmocka_unit_test_setup(test_wrote, setup),
		cmocka_unit_test_setup(test_precise, setup),
		cmocka_unit_test_setup(test_feeds_around_copies, setup),
		cmocka_unit_test_setup(test_after, setup),
		cmocka_unit_test_setup(test_overlay, setup),
		cmocka_unit_test_setup(test_permuted, setup),
		cmocka_unit_test_setup(test_returned_old, setup),
		cmocka_unit_test_setup(test_returned_into, setup),
		cmocka_unit_test_setup(test_input, setup),
		cmocka_unit_test_setup(test_getc, setup),
		cmocka_unit_test_setup(test_output, setup),
		cmocka_unit_test_setup(test_scan_stream, setup),
		cmocka_unit_test_setup(test_scan_memory, setup),
		cmocka_unit_test_setup(test_opened_closed, setup),
		cmocka_unit_test_setup(test_texts, setup),
		cmocka_unit_test_setup(test_noreturn, setup),
		cmocka_unit_test_setup(test_callback, setup),
		cmocka_unit_test_setup(test_unknown, setup),
		cmocka_unit_test_setup(test_unknown_condition, setup),
		cmocka_unit_test_setup(test_huge, setup),
		cmocka_unit_test_setup(test_no_model, setup),
		cmocka_unit_test_setup(test_signs, setup),
		cmocka_unit_test_setup(test_vectors, setup),
		cmocka_unit_test_setup(test_lent, setup),
	};

	return cmocka_run_group_tests(tests, NULL, finish);
}
