/*
 * Long and large runs: numbers of instances that are used again (executor_forget()), and a bound of
 * memory. What is decoded does not depend on the first; the second gives an error, and what was
 * kept until then stays readable.
 */
#include "trace_decoded.h"

#define LIMIT 20000u

static const char long_source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"static int table[64];\nstatic char text[32], other[32];\n"
	"static int leaf(int n)\n{\n"
	"	table[n & 63] += n;\n"
	"	return table[(n + 7) & 63] > n ? n : table[n & 15];\n}\n"
	"static int tree(int depth, int n)\n{\n"
	"	if (depth == 0)\n		return leaf(n);\n"
	"	return tree(depth - 1, n + 1) + tree(depth - 1, n * 2);\n}\n"
	"static int order(const void *a, const void *b)\n{\n"
	"	return *(const int *)a - *(const int *)b;\n}\n"
	"int main(void)\n{\n"
	"	int sum = 0, *block = malloc(10 * sizeof(int)), never;\n"
	"	memset(block, 0, 10 * sizeof(int));\n"
	"	if (sum == 0) { /* this controls the rest, to the end */\n"
	"	for (int i = 0; i < 700; i++) {\n"
	"		block[i % 10] = i;\n"
	"		sprintf(text, \"%d:%d\", i, sum);\n"
	"		memcpy(other, text + 1, 8);\n"
	"		sum += strlen(text) + other[1] + tree(3, i);\n"
	"		if (i % 50 == 7) sum += block[10]; /* behind the end */\n"
	"		if (i == 300 && never > 5) sum++; /* not initialised */\n"
	"		if (i % 64 == 9) { qsort(table, 32, sizeof(int), order); printf(\"%d\\n\", "
	"sum & 1); }\n"
	"	}\n"
	"	printf(\"end %d\\n\", table[3]);\n	}\n	return 0;\n}\n";

/* --- the same without and with a limit --- */

static void same_errors(const struct execution *a, const struct execution *b)
{
	uint32_t count, other;
	const struct execution_error *x = execution_errors(a, &count);
	const struct execution_error *y = execution_errors(b, &other);

	assert_int_equal(count, 2); /* behind the end, not initialised */
	assert_int_equal(count, other);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(x[i].kind, y[i].kind);
		assert_int_equal(x[i].code, y[i].code);
		assert_int_equal(x[i].object, y[i].object);
		assert_int_equal(x[i].address, y[i].address);
		assert_int_equal(x[i].statement, y[i].statement);
		assert_int_equal(x[i].count, y[i].count);
	}
}

static void same_outputs(const struct execution *a, const struct execution *b)
{
	const struct outputs_stream *x = outputs_stream(execution_outputs(a), 1);
	const struct outputs_stream *y = outputs_stream(execution_outputs(b), 1);

	assert_non_null(x);
	assert_non_null(y);
	assert_true(x->size > 20);
	assert_int_equal(x->size, y->size);
	assert_int_equal(x->unknown, 0);
	assert_int_equal(y->unknown, 0);
	assert_memory_equal(x->bytes.at, y->bytes.at, x->size);
	assert_int_equal(outputs_mismatches(execution_outputs(b)), 0);
}

static void same_run(const struct execution *a, const struct execution *b)
{
	assert_in_range(execution_instances(a), 200000, 1000000);
	assert_int_equal(execution_instances(a), execution_instances(b));
	assert_int_equal(execution_statements(a), execution_statements(b));
	assert_int_equal(execution_guesses(a), execution_guesses(b));
	same_errors(a, b);
	same_outputs(a, b);
}

/* What a source becomes when numbers are smaller by `less`. */
static uint32_t smaller(uint32_t source, uint32_t less)
{
	if (source < EXECUTION_FIRST)
		return source;
	return source >= less + EXECUTION_FIRST ? source - less : SOURCE_EARLIER;
}

static void same_flows(const struct execution *a, const struct execution *b, uint32_t source,
                       uint32_t other, uint32_t less)
{
	const struct execution_group *x = execution_group(a, source);
	const struct execution_group *y = execution_group(b, other);

	assert_int_equal(x->count, y->count);
	for (uint32_t i = 0; i < x->count; i++) {
		assert_int_equal(execution_flows(a, x)[i].from, execution_flows(b, y)[i].from);
		assert_int_equal(execution_flows(a, x)[i].size, execution_flows(b, y)[i].size);
		assert_int_equal(smaller(execution_flows(a, x)[i].source, less),
		                 execution_flows(b, y)[i].source);
	}
}

static uint32_t same_window(const struct execution *a, const struct execution *b)
{
	uint32_t first, end, other, other_end, less;

	execution_kept(a, &first, &end);
	execution_kept(b, &other, &other_end);
	less = first - other;
	assert_int_equal(end - first, other_end - other);
	for (uint32_t i = first; i < end; i++) {
		uint32_t k = i - less, x = execution_source(a, i), y = execution_source(b, k);

		assert_int_equal(execution_code(a, i), execution_code(b, k));
		assert_int_equal(execution_value(a, i), execution_value(b, k));
		assert_int_equal(smaller(execution_segment(a, i)->parent, less),
		                 execution_segment(b, k)->parent);
		if (x & EXECUTION_GROUP)
			same_flows(a, b, x, y, less);
		else
			assert_int_equal(smaller(x, less), y);
	}
	return end - first;
}

static void compare(struct decoded *d, struct execution_options options, uint32_t least)
{
	struct execution *without = decoded_run(d, options), *with;

	d->e = NULL;
	options.limit = LIMIT;
	with = decoded_run(d, options);
	same_run(without, with);
	assert_true(same_window(without, with) >= least);
	execution_destroy(without);
}

static void test_nothing_kept(void **state)
{
	struct decoded d = decoded_record(long_source);

	compare(&d, (struct execution_options){.outputs = true}, 0);
	decoded_free(&d);
}

static void test_end_kept(void **state)
{
	struct decoded d = decoded_record(long_source);
	struct execution_options options = {.outputs = true};
	uint64_t statements = execution_statements(decoded_run(&d, options));

	options.retain = true;
	options.from = statements - 1000;
	compare(&d, options, 1000);
	decoded_free(&d);
}

/* What comes behind the window has numbers that are used again. */
static void test_middle_kept(void **state)
{
	struct decoded d = decoded_record(long_source);
	struct execution_options options = {
		.outputs = true, .retain = true, .from = 20000, .to = 20900};

	compare(&d, options, 1000);
	options.from = 0;
	options.to = 800;
	compare(&d, options, 1000);
	decoded_free(&d);
}

/* The whole run has more instances than there are numbers. */
static void test_too_long(void **state)
{
	struct decoded d = decoded_record(long_source);
	struct execution_options options = {.retain = true, .limit = LIMIT};
	uint32_t first, end;

	decoded_try(&d, options);
	assert_non_null(d.error);
	assert_int_equal(d.error->kind, HENCE_ERROR_INPUT);
	assert_non_null(strstr(d.error->message, "it has 20000 instructions"));
	assert_non_null(strstr(d.error->message, "--from N and --to N"));
	execution_kept(d.e, &first, &end);
	assert_in_range(end - first, LIMIT / 2, LIMIT);
	decoded_free(&d);
}

/* Handlers interrupt all the time: what they wrote before the numbers began anew is old. */
static const char handler_source[] =
	"#include <signal.h>\n"
	"static volatile int count, values[8];\n"
	"static void trapped(int n) { for (int i = 0; i < 8; i++) values[i] = count += i; }\n"
	"int main(void)\n{\n"
	"	int sum = 0;\n"
	"	signal(SIGTRAP, trapped);\n"
	"	for (int i = 0; i < 300; i++) {\n"
	"		int a = values[i & 7];\n"
	"		__asm__ volatile(\"int3\");\n"
	"		sum += a + values[i & 7];\n"
	"		for (int k = 0; k < 20; k++) sum ^= values[k & 7] + k;\n"
	"	}\n"
	"	return sum & 1;\n}\n";

static void test_handlers(void **state)
{
	struct decoded d = decoded_record(handler_source);
	struct execution_options options = {.limit = 3000};

	decoded_run(&d, options);
	assert_true(execution_instances(d.e) > 50000);
	decoded_free(&d);
}

/* --- memory --- */

static bool is_one_line(const char *message)
{
	return !strchr(message, '\n');
}

/* All that was kept can be asked for. */
static void count_origin(void *context, const struct execution_origin *origin)
{
	uint64_t *count = context;

	*count += origin->source != 0;
}

static uint64_t read_all(const struct execution *e)
{
	uint32_t first, end, count;
	const struct execution_segment *s = execution_segments(e, &count);
	uint64_t origins = 0;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		execution_value(e, i);
		execution_origins(e, i, 0, 0, count_origin, &origins);
	}
	/* the last segment does not say to be longer than its block */
	if (count) {
		const struct code_function *f =
			code_of(execution_code_table((struct execution *)e), s[count - 1].code);
		uint32_t size = end - s[count - 1].first, b = 0;

		while (f->blocks[b + 1] <= s[count - 1].code - f->first)
			b++;
		assert_true(s[count - 1].code - f->first + size <= f->blocks[b + 1]);
	}
	return origins;
}

static const char busy_source[] = "int main(void)\n{\n"
				  "	volatile int sum = 0;\n"
				  "	for (int i = 0; i < 200000; i++)\n"
				  "		sum += i;\n"
				  "	return sum & 1;\n}\n";

static void test_kept_too_much(void **state)
{
	struct decoded d = decoded_record(busy_source);
	struct execution_options options = {.retain = true, .memory = 10 << 20};
	uint32_t first, end;

	decoded_try(&d, options);
	assert_non_null(d.error);
	assert_int_equal(d.error->kind, HENCE_ERROR_INPUT);
	assert_true(is_one_line(d.error->message));
	assert_non_null(strstr(d.error->message, "the run is too long to be kept"));
	assert_non_null(strstr(d.error->message, "the memory for it is used up"));
	assert_non_null(strstr(d.error->message, "--from N and --to N"));
	execution_kept(d.e, &first, &end);
	assert_in_range(end - first, 100000, 1000000);
	assert_in_range(execution_bytes(d.e), 5 << 20, 11 << 20);
	assert_true(read_all(d.e) > 100000);
	/* a part of it can be kept, as the message says */
	options.from = execution_statements(d.e) / 2;
	options.to = options.from + 1000;
	decoded_run(&d, options);
	assert_true(read_all(d.e) > 1000);
	/* and without keeping anything there is no end to it */
	options.retain = false;
	decoded_run(&d, options);
	decoded_free(&d);
}

static const char large_source[] = "#include <stdlib.h>\n#include <string.h>\n"
				   "int main(void)\n{\n"
				   "	char *p = malloc(256 << 20);\n"
				   "	int sum = 3;\n"
				   "	if (sum > 2) sum++;\n"
				   "	memset(p, 1, 256 << 20);\n"
				   "	for (int i = 0; i < 1000; i++) sum += p[i << 18];\n"
				   "	return sum & 1;\n}\n";

static void expect_too_large(struct decoded *d, bool retain)
{
	struct execution_options options = {.retain = retain, .memory = 100 << 20};

	decoded_try(d, options);
	assert_non_null(d->error);
	assert_int_equal(d->error->kind, HENCE_ERROR_INPUT);
	assert_true(is_one_line(d->error->message));
	assert_non_null(strstr(d->error->message, "MB of memory, more than can be followed here"));
	assert_null(strstr(d->error->message, "--from"));
}

static void test_program_too_large(void **state)
{
	struct decoded d = decoded_record(large_source);
	uint64_t count;
	uint32_t kept, first, end;

	expect_too_large(&d, false);
	execution_kept(d.e, &first, &end);
	assert_int_equal(first, end);
	expect_too_large(&d, true);
	execution_kept(d.e, &first, &end);
	assert_true(end - first > 5);
	assert_true(read_all(d.e) > 5);
	execution_mismatches(d.e, &kept, &count);
	assert_int_equal(count, 0);
	decoded_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_kept),      cmocka_unit_test(test_end_kept),
		cmocka_unit_test(test_middle_kept),       cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_handlers),          cmocka_unit_test(test_kept_too_much),
		cmocka_unit_test(test_program_too_large),
	};

	return cmocka_run_group_tests_name("trace_limits", tests, decoded_set_up,
	                                   decoded_tear_down);
}
