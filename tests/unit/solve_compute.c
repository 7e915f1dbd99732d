/*
 * Terms of instructions against their evaluation (eval/eval.h, which is compared with compiled code): for each
 * operation and type of the table that fits 64 bits, on random operands, bit for bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "eval_operands.h"
#include "solve/symbolic.h"

#define RUNS 300

static LLVMModuleRef module;
static LLVMTargetDataRef layout;

static int set_up(void **state)
{
	module = make_module();
	layout = LLVMGetModuleDataLayout(module);
	return 0;
}

/* --- values --- */

static bool is_real(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static double real_of(LLVMTypeRef type, uint64_t bits)
{
	float single;
	double number;

	memcpy(&single, &bits, sizeof(single));
	memcpy(&number, &bits, sizeof(number));
	return LLVMGetTypeKind(type) == LLVMFloatTypeKind ? single : number;
}

/* Is it a conversion to an integer that the number does not fit? The machine gives something, a term anything. */
static bool is_too_large(const struct case_ *c, uint64_t operand)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(c->instruction);
	long double x, limit;

	if (opcode != LLVMFPToSI && opcode != LLVMFPToUI)
		return false;
	limit = __builtin_ldexpl(1, (int)LLVMGetIntTypeWidth(LLVMTypeOf(c->instruction)) -
	                                    (opcode == LLVMFPToSI));
	x = __builtin_truncl(real_of(c->operand[0], operand));
	return !(x >= (opcode == LLVMFPToSI ? -limit : 0) && x < limit);
}

static uint64_t value_of(void *context, uint64_t number)
{
	return ((const uint64_t *)context)[number];
}

/* --- comparing --- */

static uint32_t wrong;

static bool agrees(const struct case_ *c, uint64_t a, uint64_t b)
{
	LLVMTypeRef type = LLVMTypeOf(c->instruction);

	if (is_real(type) && real_of(type, a) != real_of(type, a))
		return real_of(type, b) != real_of(type, b); /* any NaN */
	return a == b;
}

/* Operands as terms: variables, and constants where the instruction has them. False: one is too wide. */
static bool make_inputs(struct terms *terms, const struct case_ *c, term *in, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(c->instruction, i);
		uint32_t bits = symbolic_type_bits(c->instruction, LLVMTypeOf(operand));

		if (!bits)
			return false;
		in[i] = LLVMIsAConstantInt(operand)
		                ? term_constant(terms, bits, LLVMConstIntGetZExtValue(operand))
		                : term_variable(terms, bits, i);
	}
	return true;
}

static uint32_t count_operands(LLVMValueRef i)
{
	return LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (uint32_t)LLVMGetNumOperands(i);
}

/* One run; true: there was a result to compare. */
static bool compare(struct terms *terms, const struct case_ *c, const struct eval *eval, term t,
                    bool is_tame)
{
	struct slot slots[MOST_SLOTS], computed = {{0}, {0}};
	struct eval_value operands[4], result = {computed.bits, computed.undef};
	uint32_t count;
	uint64_t values[4] = {0}, got;

	memset(slots, 0, sizeof(slots));
	for (uint32_t i = 0; i < c->operands; i++) {
		tame = is_tame && i > 0;
		put_random(layout, slots[i].bits, 0, c->operand[i]);
	}
	count = list_operands(c, slots, operands);
	for (uint32_t i = 0; i < count; i++)
		values[i] = operands[i].bits[0];
	if (!eval_run(eval, operands, &result) || is_too_large(c, values[0]) || computed.undef[0])
		return false;
	got = term_evaluate(terms, t, value_of, values);
	if (!agrees(c, computed.bits[0], got) && wrong++ < 20)
		fprintf(stderr, "%s [%s] of %lx, %lx, %lx: %lx, not %lx\n", c->row->text, c->type,
		        values[0], values[1], values[2], got, computed.bits[0]);
	return true;
}

/* What has no term, and need not: what C programs do not use, or Z3 cannot. */
static bool may_have_none(const struct case_ *c)
{
	static const char *const texts[] = {
		"frem",        ".sat.",      ".ceil.",       ".floor.", ".rint.",
		".round.",     ".trunc.",    "launder",      "element", "shufflevector",
		"is.constant", "objectsize", "addrspacecast"};

	for (size_t i = 0; i < COUNT(texts); i++)
		if (strstr(c->row->text, texts[i]))
			return true;
	return strchr(c->type, '<') || strstr(c->type, "half") || strstr(c->type, "bfloat") ||
	       (c->row->features && !strcmp(c->row->features, "fma"));
}

/* Those whose result does not fit: by parts. */
static void test_overflow(void **state)
{
	struct arena arena = ARENA_INIT;
	struct terms *terms = terms_create();
	uint32_t operations = 0;

	for (uint32_t i = 0; i < cases.size; i++) {
		const struct case_ *c = &cases.at[i];
		uint64_t offset = strcmp(c->type, "i33") && strcmp(c->type, "i64") ? 0 : 8;
		const struct eval *eval;
		term in[4], parts[2];

		if (!offset || !strstr(c->row->text, ".with.overflow."))
			continue;
		assert_true(make_inputs(terms, c, in, 2));
		assert_null(eval_prepare(layout, c->instruction, &arena, &eval));
		for (int k = 0; k < 2; k++)
			parts[k] = symbolic_overflow_part(terms, c->instruction, in, k);
		for (int run = 0; run < RUNS; run++) {
			struct slot slots[MOST_SLOTS] = {0}, computed = {{0}, {0}};
			struct eval_value operands[4], result = {computed.bits, computed.undef};
			uint64_t values[2];

			tame = false;
			for (uint32_t k = 0; k < 2; k++) {
				put_random(layout, slots[k].bits, 0, c->operand[k]);
				values[k] = slots[k].bits[0];
			}
			list_operands(c, slots, operands);
			assert_true(eval_run(eval, operands, &result));
			for (int k = 0; k < 2; k++)
				assert_int_equal(term_evaluate(terms, parts[k], value_of, values),
				                 computed.bits[k]);
		}
		operations++;
	}
	arena_deinit(&arena);
	terms_destroy(terms);
	assert_int_equal(operations, 12);
}

static void test_table(void **state)
{
	struct arena arena = ARENA_INIT;
	struct terms *terms = terms_create();
	uint32_t compared = 0, operations = 0;

	for (uint32_t i = 0; i < cases.size; i++) {
		const struct case_ *c = &cases.at[i];
		uint32_t bits = symbolic_type_bits(c->instruction, LLVMTypeOf(c->instruction));
		uint32_t count = 0;
		const struct eval *eval;
		term in[4], t;

		if (!bits || !make_inputs(terms, c, in, count_operands(c->instruction)))
			continue;
		t = symbolic_compute(terms, c->instruction, in);
		if (!t) {
			if (!may_have_none(c))
				fail_msg("%s [%s] has no term", c->row->text, c->type);
			continue;
		}
		assert_int_equal(term_at(terms, t)->bits, bits);
		assert_null(eval_prepare(layout, c->instruction, &arena, &eval));
		for (int run = 0; run < RUNS; run++)
			count += compare(terms, c, eval, t, run % 2);
		if (count < RUNS / 40)
			fail_msg("%s [%s]: only %u results", c->row->text, c->type, count);
		compared += count;
		operations++;
	}
	print_message("%u operations, %u results compared\n", operations, compared);
	arena_deinit(&arena);
	terms_destroy(terms);
	assert_int_equal(wrong, 0);
	assert_true(operations > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_overflow),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
