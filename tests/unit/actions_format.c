/* What printf and its family use: arguments, strings, and lists of arguments. */
#include "actions_call.h"

/* printf(format, ...) with these arguments. */
#define print(format, signature, ...)                                                              \
	do {                                                                                       \
		poke_text(A, format);                                                              \
		begin("printf", "ip" signature, A, ##__VA_ARGS__);                                 \
		end(1);                                                                            \
	} while (0)

static void expect_used(uint32_t n, uint32_t argument, uint64_t size)
{
	const struct action *action = nth(ACTION_USED, n);

	assert_int_equal(action->argument, argument);
	assert_int_equal(action->size, size);
}

static void test_plain(void **state)
{
	print("hello %% \n", "");
	expect_kinds(ACTION_READ);
	expect_read(0, 1, A, 11);
	print("", "");
	expect_read(0, 1, A, 1);
}

static void test_integers(void **state)
{
	print("%d %5ld|%-08hhx %hu %lld %zu %c %p %i", "ilbslllpi", 1ull, 2ull, 3ull, 4ull, 5ull,
	      6ull, 7ull, 8ull, 9ull);
	assert_int_equal(count_of(ACTION_USED), 9);
	expect_used(0, 2, 4);
	expect_used(1, 3, 8);
	expect_used(2, 4, 1);
	expect_used(3, 5, 2);
	expect_used(4, 6, 8);
	expect_used(5, 7, 8);
	expect_used(6, 8, 1);
	expect_used(7, 9, 8);
	expect_used(8, 10, 4);
	assert_int_equal(count_of(ACTION_UNKNOWN), 0);
}

static void test_reals(void **state)
{
	print("%f %.3Lg %s", "dep", 1ull, 2ull, D);
	expect_used(0, 2, 8);
	expect_used(1, 3, 10);
	expect_used(2, 4, 8);
	expect_unknown(0, OUTSIDE_READS, 4);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->from, D);
}

static void test_strings(void **state)
{
	poke_text(D, "word");
	print("%s %.2s %.9s %s", "pppp", D, D, D, 0ull);
	expect_read(0, 1, A, 16);
	expect_read(1, 2, D, 5);
	expect_read(2, 3, D, 2);
	expect_read(3, 4, D, 5);
	assert_int_equal(count_of(ACTION_READ), 4);
	assert_int_equal(count_of(ACTION_USED), 4);
	/* No byte behind the precision is looked at. */
	memset(known_of, 0, sizeof(known_of));
	poke(D, "word", 4);
	print("%.4s", "p", D);
	expect_read(1, 2, D, 4);
	assert_int_equal(count_of(ACTION_UNKNOWN), 0);
	print("%.5s", "p", D);
	expect_unknown(0, OUTSIDE_READS, 2);
}

static void test_wide_strings(void **state)
{
	static const uint32_t wide[] = {'a', 'b', 0};

	poke(D, wide, sizeof(wide));
	print("%ls%S%.1ls", "ppp", D, D, D);
	expect_read(1, 2, D, 12);
	expect_read(2, 3, D, 12);
	expect_read(3, 4, D, 4);
}

static void test_stars(void **state)
{
	poke_text(D, "word");
	print("%*d %.*s %-*.*s", "iiipiip", 5ull, 1ull, 2ull, D, 9ull, 0xffffffffull, D);
	assert_int_equal(count_of(ACTION_USED), 7);
	expect_used(0, 2, 4);
	expect_used(1, 3, 4);
	expect_used(2, 4, 4);
	expect_used(3, 5, 8);
	expect_read(1, 5, D, 2);
	expect_read(2, 8, D, 5); /* a negative precision is none */
}

static void test_positions(void **state)
{
	poke_text(D, "word");
	print("%2$s %1$d %2$.*1$s", "ip", 3ull, D);
	expect_used(0, 3, 8);
	expect_used(1, 2, 4);
	expect_used(2, 2, 4);
	expect_used(3, 3, 8);
	expect_read(1, 3, D, 5);
	expect_read(2, 3, D, 3);
	print("%4$d", "ip", 3ull, D);
	expect_unknown(0, OUTSIDE_FORMATS, 5);
}

static void test_wrong(void **state)
{
	print("%d %d", "i", 1ull);
	expect_used(0, 2, 4);
	expect_unknown(0, OUTSIDE_FORMATS, 3);
	print("%k %d", "i", 1ull);
	expect_unknown(0, OUTSIDE_FORMATS, 0);
	assert_int_equal(count_of(ACTION_USED), 0);
	print("%", "");
	assert_int_equal(count_of(ACTION_UNKNOWN), 0);
	print("%99999999999999999999d%ll", "i", 1ull);
	assert_int_equal(count_of(ACTION_USED), 1);
	begin("printf", "ip", B); /* not known */
	end(1);
	expect_kinds(ACTION_UNKNOWN);
	expect_unknown(0, OUTSIDE_FORMATS, 1);
	begin("printf", "ip", 0ull);
	end(1);
	expect_unknown(0, OUTSIDE_FORMATS, 1);
}

/* %n is on the tape; a long format is read whole. */
static void test_count(void **state)
{
	char format[2000];

	memset(format, 'x', sizeof(format));
	strcpy(format + 1990, "%d%n%d");
	poke_text(A, format);
	begin("printf", "ipipi", A, 1ull, D, 2ull);
	wrote(3, D, 4, "abcd");
	end(1991);
	expect_used(0, 2, 4);
	expect_used(1, 3, 8);
	expect_used(2, 4, 4);
	assert_int_equal(nth(ACTION_WROTE, 0)->argument, 3);
}

/* --- va_list --- */

#define LIST  B
#define SAVED (B + 0x100)
#define OVER  (B + 0x208) /* not aligned to 16, as the ABI allows */

static void make_list(uint32_t gp, uint32_t fp)
{
	poke_word(LIST, gp | (uint64_t)fp << 32);
	poke_word(LIST + 8, OVER);
	poke_word(LIST + 16, SAVED);
}

static void test_list(void **state)
{
	make_list(40, 160);
	poke_text(D, "word");
	poke_text(A, "%d%s%f%g%Lf%s%c");
	poke_word(SAVED + 40, 7);
	poke_word(OVER, D);
	poke_word(OVER + 0x30 - 8, D + 1); /* behind a double and an aligned long double */
	begin("vprintf", "ipp", A, LIST);
	end(1);
	assert_int_equal(count_of(ACTION_UNKNOWN), 0);
	assert_int_equal(count_of(ACTION_USED), 0);
	expect_read(0, 1, A, 16);
	expect_read(1, 2, LIST, 24);
	expect_read(2, 0, SAVED + 40, 4); /* %d */
	expect_read(3, 0, OVER, 8);       /* %s: registers are used up */
	expect_read(4, 0, D, 5);
	expect_read(5, 0, SAVED + 160, 8);  /* %f */
	expect_read(6, 0, OVER + 8, 8);     /* %g */
	expect_read(7, 0, OVER + 0x18, 10); /* %Lf */
	expect_read(8, 0, OVER + 0x28, 8);  /* %s */
	expect_read(9, 0, D + 1, 4);
	expect_read(10, 0, OVER + 0x30, 1); /* %c */
}

static void test_list_unknown(void **state)
{
	poke_text(A, "%s%d");
	begin("vprintf", "ipp", A, LIST);
	end(1);
	expect_kinds(ACTION_READ, ACTION_UNKNOWN);
	expect_unknown(0, OUTSIDE_FORMATS, 2);
	/* A string whose address is not known does not hide what follows. */
	make_list(0, 48);
	end(1);
	expect_kinds(ACTION_READ, ACTION_READ, ACTION_READ, ACTION_UNKNOWN, ACTION_READ);
	expect_unknown(0, OUTSIDE_READS, 0);
	expect_read(3, 0, SAVED + 8, 4);
	/* Nor does an unknown precision. */
	poke_text(A, "%.*s%C");
	poke_text(D, "word");
	poke_word(SAVED + 8, D);
	end(1);
	expect_kinds(ACTION_READ, ACTION_READ, ACTION_READ, ACTION_READ, ACTION_UNKNOWN,
	             ACTION_READ);
	assert_int_equal(nth(ACTION_UNKNOWN, 0)->from, D);
	expect_read(4, 0, SAVED + 16, 4);
	poke_text(A, "%1$d");
	end(1);
	expect_unknown(0, OUTSIDE_FORMATS, 0);
}

/* The list is used up by the call: what counts is how it was before. */
static void test_list_before(void **state)
{
	static const uint8_t later[24] = {48};

	make_list(16, 48);
	poke_text(A, "%x");
	begin("vfprintf", "ippp", C, A, LIST);
	wrote(3, LIST, 24, later);
	end(1);
	expect_read(2, 0, SAVED + 16, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_plain, setup),
		cmocka_unit_test_setup(test_integers, setup),
		cmocka_unit_test_setup(test_reals, setup),
		cmocka_unit_test_setup(test_strings, setup),
		cmocka_unit_test_setup(test_wide_strings, setup),
		cmocka_unit_test_setup(test_stars, setup),
		cmocka_unit_test_setup(test_positions, setup),
		cmocka_unit_test_setup(test_wrong, setup),
		cmocka_unit_test_setup(test_count, setup),
		cmocka_unit_test_setup(test_list, setup),
		cmocka_unit_test_setup(test_list_unknown, setup),
		cmocka_unit_test_setup(test_list_before, setup),
	};

	return cmocka_run_group_tests(tests, NULL, cleanup);
}
