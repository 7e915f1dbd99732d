/* What calls print: bytes, and the pieces that say where they came from. */
#include "trace/execution.h"
#include "actions/outputs.h"

#include "actions_call.h"

#define CALL 77u /* instance */

static struct outputs *outputs;
static uint64_t wide[32];  /* second word of each argument */
static uint32_t undefined; /* bit k: argument k is */
static const char *function;

static int begin_outputs(void **state)
{
	outputs = outputs_create();
	undefined = 0;
	return setup(state);
}

static int end_outputs(void **state)
{
	outputs_destroy(outputs);
	outputs = NULL;
	return 0;
}

/* --- calls --- */

static bool argument_of(void *context, uint32_t index, uint32_t size, uint8_t *out)
{
	uint64_t words[2] = {current_arguments[index], wide[index]};

	assert_true(index < current.count && size <= sizeof(words));
	memcpy(out, words, size);
	return !(undefined >> index & 1);
}

/* The call that begin() began returns, with the effects that were made since. */
static void finish(uint64_t result)
{
	struct outputs_call call = {.name = function,
	                            .instance = CALL,
	                            .call = &current,
	                            .actions = &made.list,
	                            .memory = &sim,
	                            .argument = argument_of,
	                            .program = "prog"};

	end(result);
	outputs_add(outputs, &call);
	str_deinit(&effect_bytes);
}

static void wrote_out(int32_t stream, uint64_t address, uint64_t offset, uint64_t size)
{
	effect(HENCE_OUTPUT, 0, stream, address, offset, size, NULL);
}

#define start(name, ...)                                                                           \
	do {                                                                                       \
		function = name;                                                                   \
		begin(name, __VA_ARGS__);                                                          \
	} while (0)

/* printf(format, ...), which prints `size` bytes. */
#define print(size, format, signature, ...)                                                        \
	do {                                                                                       \
		poke_text(A, format);                                                              \
		start("printf", "ip" signature, A, ##__VA_ARGS__);                                 \
		wrote_out(1, 0, 0, size);                                                          \
		finish(size);                                                                      \
	} while (0)

/* --- what came of it --- */

static const struct outputs_stream *out(void)
{
	const struct outputs_stream *stream = outputs_stream(outputs, 1);

	assert_non_null(stream);
	return stream;
}

static const struct outputs_piece *piece(uint32_t n)
{
	assert_true(n < out()->pieces.size);
	assert_int_equal(out()->pieces.at[n].instance, CALL);
	return &out()->pieces.at[n];
}

/* The bytes of all pieces, with a ~ for each that is not known. */
static void expect_text(const char *text)
{
	const struct outputs_stream *stream = out();
	struct str all = STR_INIT;

	for (uint32_t i = 0; i < stream->pieces.size; i++) {
		const struct outputs_piece *p = &stream->pieces.at[i];
		const uint8_t *bytes = outputs_piece_bytes(stream, p);

		assert_int_equal(p->offset, all.length);
		assert_int_equal(p->known, bytes != NULL);
		for (uint64_t k = 0; k < p->size; k++)
			str_add_char(&all, bytes ? (char)bytes[k] : '~');
	}
	assert_string_equal(str_text(&all), text);
	assert_int_equal(stream->size, all.length);
	str_deinit(&all);
}

static void expect_piece(uint32_t n, uint64_t offset, uint64_t size, uint32_t argument,
                         uint64_t address)
{
	const struct outputs_piece *p = piece(n);

	assert_int_equal(p->offset, offset);
	assert_int_equal(p->size, size);
	assert_int_equal(p->argument, argument);
	assert_int_equal(p->address, address);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* --- from memory --- */

static void test_memory(void **state)
{
	poke(D, "some bytes", 10);
	start("fwrite", "lpllp", D, 1ull, 10ull, C);
	wrote_out(1, D, 0, 10);
	finish(10);
	expect_text("some bytes");
	expect_piece(0, 0, 10, 1, D);
	assert_true(piece(0)->exact);
	assert_int_equal(piece(0)->length, 10);
}

/* Bytes that are not known are a piece of their own. */
static void test_memory_hole(void **state)
{
	poke(D, "abc", 3);
	poke(D + 5, "fg", 2);
	start("write", "lipl", 1ull, D, 9ull);
	wrote_out(1, D, 0, 9);
	finish(9);
	expect_text("abc~~fg~~");
	expect_piece(0, 0, 3, 2, D);
	expect_piece(1, 3, 2, 2, D + 3);
	expect_piece(2, 5, 2, 2, D + 5);
	assert_false(piece(3)->known);
	assert_int_equal(out()->unknown, 2);
}

static void test_vectors(void **state)
{
	poke(D, "onetwo", 6);
	poke_word(B, D);
	poke_word(B + 8, 3);
	poke_word(B + 16, D + 3);
	poke_word(B + 24, 3);
	start("writev", "lipi", 1ull, B, 2ull);
	wrote_out(1, D, 0, 3);
	wrote_out(1, D + 3, 3, 3);
	finish(6);
	expect_text("onetwo");
	expect_piece(1, 3, 3, piece(0)->argument, D + 3);
}

static void test_lines_and_characters(void **state)
{
	poke_text(D, "line");
	start("puts", "ip", D);
	wrote_out(1, 0, 0, 5);
	finish(5);
	start("putchar", "ii", 0x12345678ull);
	wrote_out(1, 0, 5, 1);
	finish(0x78);
	expect_text("line\nx");
	expect_piece(0, 0, 4, 1, D);
	expect_piece(1, 4, 1, 0, 0);
	expect_piece(2, 5, 1, 1, 0);
}

/* --- formats --- */

static void test_format(void **state)
{
	poke_text(D, "word");
	print(18, "<%d|%s|%5.1f%%>\n", "ipd", (uint64_t)(uint32_t)-12, D, bits_of(2.25));
	expect_text("<-12|word|  2.2%>\n");
	assert_int_equal(outputs_mismatches(outputs), 0);
}

static void test_pieces(void **state)
{
	poke_text(D, "word");
	print(16, "n=%03d s=%6s;\n", "ip", 7ull, D);
	expect_text("n=007 s=  word;\n");
	expect_piece(0, 0, 2, 1, A); /* text of the format */
	expect_piece(1, 2, 3, 2, 0);
	expect_piece(2, 5, 3, 1, A + 6);
	expect_piece(3, 8, 2, 3, 0); /* filled up */
	expect_piece(4, 10, 4, 3, D);
	expect_piece(5, 14, 2, 1, A + 12);
	assert_false(piece(1)->exact);
	assert_true(piece(4)->exact);
}

static void test_conversions(void **state)
{
	poke_text(D, "word");
	print(14, "%hhd %hu %lx", "iil", 0xff01ull, 0xffff0002ull, 1ull << 36);
	expect_text("1 2 1000000000");
}

static void test_stars(void **state)
{
	poke_text(D, "word");
	print(15, "%*d%-*d|%.*s|%.*s", "iiiiipip", 4ull, 1ull, (uint64_t)(uint32_t)-3, 2ull, 2ull,
	      D, (uint64_t)(uint32_t)-1, D);
	expect_text("   12  |wo|word");
}

/* All 10 bytes of a long double count. */
static void test_long_double(void **state)
{
	long double value = 1.0L + 0x1p-63L;
	uint64_t words[2] = {0, 0};
	char text[64];
	int length = snprintf(text, sizeof(text), "%La", value);

	memcpy(words, &value, 10);
	wide[1] = words[1];
	print((uint64_t)length, "%La", "e", words[0]);
	expect_text(text);
}

static void test_null(void **state)
{
	print(24, "%s|%.3s|%8s|%-3s.", "pppp", 0ull, 0ull, 0ull, 0ull);
	expect_text("(null)||  (null)|(null).");
}

static void test_wide(void **state)
{
	static const uint32_t text[] = {'a', 'b', 0}, foreign[] = {0xe9, 0};

	poke(D, text, sizeof(text));
	poke(D + 64, foreign, sizeof(foreign));
	print(5, "%ls %lc|", "pi", D, (uint64_t)'c');
	expect_text("ab c|");
	print(2, "%ls", "p", D + 64);
	expect_text("ab c|~~");
}

/* Only what the program cannot have known is left open. */
static void test_unknown(void **state)
{
	print(9, "a%db%s", "ip", 1ull, C); /* no string is known at C */
	expect_text("a1b~~~~~~");
	expect_piece(3, 3, 6, 3, C);
	assert_int_equal(outputs_mismatches(outputs), 0);
}

static void test_undefined(void **state)
{
	undefined = 2;
	print(5, "<%d>%d", "ii", 1ull, 2ull);
	expect_text("<~~>2");
	expect_piece(1, 1, 2, 2, 0);
}

static void test_error_text(void **state)
{
	print(12, "%m: %d", "i", 3ull);
	expect_text("~~~~~~~~~: 3");
}

static void test_two_unknown(void **state)
{
	print(10, "%m %m", "");
	expect_text("~~~~~~~~~~");
	assert_int_equal(out()->pieces.size, 1);
	assert_int_equal(outputs_mismatches(outputs), 0);
}

static void test_size_differs(void **state)
{
	print(9, "x=%d\n", "i", 7ull);
	expect_text("~~~~~~~~~");
	assert_int_equal(outputs_mismatches(outputs), 1);
	print(2, "x=%d\n", "i", 7ull);
	assert_int_equal(outputs_mismatches(outputs), 2);
	print(3, "x=%d", "i", 7777ull);
	assert_int_equal(outputs_mismatches(outputs), 3);
}

/* Nobody renders a width of a gigabyte for a call that printed little. */
static void test_large_width(void **state)
{
	print(6, "%999999999d %.999999999f", "id", 1ull, bits_of(1));
	expect_text("~~~~~~");
}

static void test_list(void **state)
{
	poke_word(B, 8 | 48ull << 32);
	poke_word(B + 8, B + 0x300);
	poke_word(B + 16, B + 0x100);
	poke_word(B + 0x108, 42);
	poke_word(B + 0x110, D);
	poke_word(B + 0x130, bits_of(0.5));
	poke_text(D, "word");
	poke_text(A, "%d %s %g");
	start("vprintf", "ipp", A, B);
	wrote_out(1, 0, 0, 11);
	finish(11);
	expect_text("42 word 0.5");
	expect_piece(0, 0, 2, 0, 0);
	assert_int_equal(piece(0)->slot, B + 0x108);
	expect_piece(2, 3, 4, 0, D);
	assert_int_equal(piece(2)->slot, B + 0x110);
	assert_int_equal(piece(4)->slot, B + 0x130);
}

static void test_locale(void **state)
{
	poke_text(D, "de_DE");
	start("setlocale", "pip", 0ull, D);
	wrote(0, C, 2, "C"); /* there is no such locale, say */
	finish(C);
	print(3, "%.1f", "d", bits_of(1.5));
	expect_text("1.5");
	start("setlocale", "pip", 0ull, D);
	wrote(0, C, 6, "de_DE");
	finish(C);
	print(6, "%.1f %d", "di", bits_of(1.5), 12ull);
	expect_text("1.5~~~ 12");
}

static void test_messages(void **state)
{
	const struct outputs_stream *stream;

	poke_text(A, "n is %d");
	start("warnx", "vpi", A, 5ull);
	wrote_out(2, 0, 0, 0); /* nobody knows how many */
	finish(0);
	poke_text(D, "open");
	start("perror", "vp", D);
	wrote_out(2, 0, 0, 12);
	finish(0);
	stream = outputs_stream(outputs, 2);
	assert_int_equal(stream->size, strlen("prog: n is 5\n") + 12);
	assert_memory_equal(stream->bytes.at, "prog: n is 5\nopen: \n", 20);
	assert_int_equal(outputs_at(stream, 13 + 6)->size, 5); /* strerror() */
	assert_false(outputs_at(stream, 13 + 6)->known);
}

/* --- streams --- */

static void put_one(int32_t stream, uint64_t offset)
{
	poke(D, "x", 1);
	start("write", "lipl", (uint64_t)stream, D, 1ull);
	wrote_out(stream, D, offset, 1);
	finish(1);
}

/* A copy of a descriptor is the same stream; one that was opened is not. */
static void test_streams(void **state)
{
	const struct outputs_stream *const *all;
	uint32_t count;

	put_one(1, 0);
	start("dup", "ii", 1ull);
	effect(HENCE_OPENED, 0, 5, 0, 2, 0, NULL);
	finish(5);
	put_one(5, 1);
	put_one(1, 1);
	expect_text("xxx");
	start("close", "ii", 1ull);
	effect(HENCE_CLOSED, 1, 1, 0, 0, 0, NULL);
	finish(0);
	poke_text(A, "file");
	start("open", "ipi", A, 0ull);
	effect(HENCE_OPENED, 1, 1, A, 0, 4, "file");
	finish(1);
	put_one(1, 0);
	put_one(5, 2);
	expect_text("xxxx");
	all = outputs_streams(outputs, &count);
	assert_int_equal(count, 2);
	assert_string_equal(all[1]->name, "file");
	assert_int_equal(all[1]->size, 1);
	assert_false(all[1]->given);
}

static void test_closed(void **state)
{
	start("close", "ii", 1ull);
	effect(HENCE_CLOSED, 1, 1, 0, 0, 0, NULL);
	finish(0);
	put_one(1, 0); /* whatever that is */
	assert_null(outputs_stream(outputs, 1));
	assert_null(outputs_stream(outputs, 2));
}

static void test_gap(void **state)
{
	put_one(1, 0);
	put_one(1, 4);
	expect_text("x~~~x");
	assert_int_equal(out()->pieces.at[1].instance, 0); /* nobody knows whose */
}

static void test_at(void **state)
{
	print(5, "a%db%d", "ii", 12ull, 3ull);
	expect_text("a12b3");
	assert_ptr_equal(outputs_at(out(), 0), piece(0));
	assert_ptr_equal(outputs_at(out(), 1), piece(1));
	assert_ptr_equal(outputs_at(out(), 2), piece(1));
	assert_ptr_equal(outputs_at(out(), 4), piece(3));
	assert_null(outputs_at(out(), 5));
}

static void test_forget(void **state)
{
	put_one(1, 0);
	outputs_forget(outputs);
	assert_int_equal(out()->pieces.at[0].instance, SOURCE_EARLIER);
	outputs_forget(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_outputs, end_outputs)
	const struct CMUnitTest tests[] = {
		TEST(test_memory),       TEST(test_memory_hole), TEST(test_vectors),
		TEST(test_format),       TEST(test_pieces),      TEST(test_lines_and_characters),
		TEST(test_conversions),  TEST(test_stars),       TEST(test_long_double),
		TEST(test_null),         TEST(test_wide),        TEST(test_unknown),
		TEST(test_undefined),    TEST(test_error_text),  TEST(test_two_unknown),
		TEST(test_size_differs), TEST(test_large_width), TEST(test_list),
		TEST(test_locale),       TEST(test_messages),    TEST(test_streams),
		TEST(test_closed),       TEST(test_gap),         TEST(test_at),
		TEST(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, cleanup);
}
