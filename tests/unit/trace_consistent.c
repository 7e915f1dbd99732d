/*
 * Every value that is kept follows from those of its operands, as execution_operand() finds them:
 * also where something came in between (calls, callbacks, handlers, jumps back).
 */
#include "trace_decoded.h"

static uint64_t mask_of(uint8_t bits)
{
	return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static int64_t extended(uint64_t value, uint8_t bits)
{
	return (int64_t)(value << (64u - bits)) >> (64u - bits);
}

/* What an instance's value must be. False: nothing is known. */
static bool evaluate(const struct code_insn *i, uint64_t x, uint64_t y, uint64_t *out)
{
	switch ((enum code_op)i->op) {
	case CODE_ADD: *out = (x + y) & mask_of(i->bits); return true;
	case CODE_SUB: *out = (x - y) & mask_of(i->bits); return true;
	case CODE_MUL: *out = (x * y) & mask_of(i->bits); return true;
	case CODE_AND: *out = x & y; return true;
	case CODE_OR: *out = x | y; return true;
	case CODE_XOR: *out = x ^ y; return true;
	case CODE_EQ: *out = x == y; return true;
	case CODE_NE: *out = x != y; return true;
	case CODE_SLT: *out = extended(x, i->from) < extended(y, i->from); return true;
	case CODE_SGT: *out = extended(x, i->from) > extended(y, i->from); return true;
	case CODE_TRUNC: *out = x & mask_of(i->bits); return true;
	case CODE_SEXT: *out = (uint64_t)extended(x, i->from) & mask_of(i->bits); return true;
	case CODE_STEP: *out = x + (uint64_t)i->imm; return true;
	case CODE_INDEX:
		*out = x + (uint64_t)extended(y, i->from) * i->scale + (uint64_t)i->imm;
		return true;
	case CODE_STORE:
	case CODE_RETURN:
	case CODE_SWITCH:
	case CODE_MOVE: *out = x; return true;
	case CODE_BRANCH: *out = x & 1; return true;
	default: return false;
	}
}

static bool has_second(const struct code_insn *i)
{
	return (i->op >= CODE_ADD && i->op <= CODE_SLE) || i->op == CODE_INDEX;
}

static uint32_t check_one(const struct decoded *d, uint32_t instance)
{
	const struct code_insn *i = execution_insn(d->e, instance);
	uint64_t x = 0, y = 0, value;

	if (!evaluate(i, 0, 0, &value) || i->a == CODE_NO_OPERAND)
		return 0;
	x = decoded_operand(d, instance, i->a);
	if (has_second(i))
		y = decoded_operand(d, instance, i->b);
	evaluate(i, x, y, &value);
	if (value != execution_value(d->e, instance))
		fail_msg("%u, operation %u on line %u: %lx, not %lx", instance, i->op,
		         decoded_line_of(d, instance),
		         (unsigned long)execution_value(d->e, instance), (unsigned long)value);
	return 1;
}

/* A segment is of one block; the one behind it begins where it ends. */
static void check_segments(const struct decoded *d)
{
	uint32_t count, first, end;
	const struct execution_segment *s = execution_segments(d->e, &count);

	execution_kept(d->e, &first, &end);
	assert_int_equal(s[0].first, first);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t size = (i + 1 < count ? s[i + 1].first : end) - s[i].first, b = 0;
		const struct code_function *f = code_of(execution_code_table(d->e), s[i].code);

		assert_true(size > 0);
		while (f->blocks[b + 1] <= s[i].code - f->first)
			b++;
		if (s[i].code - f->first + size > f->blocks[b + 1])
			fail_msg("a segment runs over the end of block %u of %s", b, f->plan->name);
	}
}

static void check(const char *source, uint32_t least)
{
	struct decoded d = decoded_all(source);
	uint32_t first, end, count = 0;

	check_segments(&d);
	execution_kept(d.e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		count += check_one(&d, i);
	if (count < least)
		fail_msg("only %u values", count);
	decoded_free(&d);
}

static const char calls[] =
	"#include <stdlib.h>\n"
	"static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
	"static int order(const void *a, const void *b)\n"
	"{ return *(const int *)a - *(const int *)b; }\n"
	"int main(void)\n{\n"
	"	int a[20], sum = 0;\n"
	"	for (int i = 0; i < 20; i++) a[i] = fib(i % 7) * 3 - i;\n"
	"	qsort(a, 20, sizeof(int), order);\n"
	"	for (int i = 0; i < 20; i++) sum += a[i] * fib(3);\n"
	"	return sum & 1;\n}\n";

static void test_calls(void **state)
{
	check(calls, 1000);
}

/* Handlers that interrupt a block in its middle. */
static const char handlers[] =
	"#include <signal.h>\n"
	"static volatile int count;\n"
	"static void trapped(int n) { for (int i = 0; i < 3; i++) count += n * i; }\n"
	"int main(void)\n{\n"
	"	int sum = 5;\n"
	"	signal(SIGTRAP, trapped);\n"
	"	for (int i = 0; i < 4; i++) {\n"
	"		int a = sum * 3, b = a - i;\n"
	"		__asm__ volatile(\"int3\");\n"
	"		sum = a + b * 2; sum -= count; sum ^= i;\n"
	"		int *p = &sum; *p += a; a = *p - b;\n"
	"		sum += a;\n"
	"	}\n"
	"	return sum & 1;\n}\n";

static void test_handlers(void **state)
{
	check(handlers, 100);
}

static const char jumps[] =
	"#include <setjmp.h>\n"
	"static jmp_buf back;\nstatic int count;\n"
	"static int deep(int n)\n{\n"
	"	if (!n) longjmp(back, ++count);\n	return deep(n - 1) + n;\n}\n"
	"int main(void)\n{\n"
	"	volatile int sum = 1;\n	int n = setjmp(back);\n"
	"	sum = sum * 3 + n;\n"
	"	if (n < 4) deep(n + 2);\n"
	"	if (n < 8) longjmp(back, n + 1);\n"
	"	return (sum + n) & 1;\n}\n";

static void test_jumps(void **state)
{
	check(jumps, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_handlers),
		cmocka_unit_test(test_jumps),
	};

	return cmocka_run_group_tests_name("trace_consistent", tests, decoded_set_up,
	                                   decoded_tear_down);
}
