/*
 * Undefined bits. Of every operation of the table: what is said to be defined does not change when
 * the undefined bits of operands do. Of those that must be exact: what is said to be undefined does
 * change, for some choice of those bits. And a few that programs depend on, by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "eval_operands.h"

#define RUNS      60
#define CHANGES   12
#define MOST_BITS 12 /* undefined ones, of which all choices are tried */

static LLVMModuleRef module;
static LLVMTargetDataRef layout;

static int set_up(void **state)
{
	module = make_module();
	layout = LLVMGetModuleDataLayout(module);
	return 0;
}

/* --- masks --- */

/* Sets the bits that a value of the type has, without padding. */
static void put_ones(uint64_t *words, uint64_t at, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMArrayTypeKind:
		for (unsigned i = 0; i < LLVMGetArrayLength2(type); i++)
			put_ones(words,
			         at + i * 8 * LLVMABISizeOfType(layout, LLVMGetElementType(type)),
			         LLVMGetElementType(type));
		break;
	case LLVMStructTypeKind:
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			put_ones(words, at + 8 * LLVMOffsetOfElement(layout, type, i),
			         LLVMStructGetTypeAtIndex(type, i));
		break;
	default:
		for (uint64_t i = 0; i < LLVMSizeOfTypeInBits(layout, type); i++, at++)
			words[at / 64] |= 1ull << at % 64;
		break;
	}
}

/* Few bits, many or none, and up to `most` of them. */
static uint32_t put_mask(uint64_t *words, LLVMTypeRef type, uint32_t most)
{
	uint64_t ones[MOST_WORDS] = {0};
	uint32_t count = 0, wanted = (uint32_t)(random_word() % 4);
	uint64_t size = LLVMStoreSizeOfType(layout, type) * 8;

	put_ones(ones, 0, type);
	if (random_word() % 8 == 0)
		wanted = most;
	for (uint32_t tries = 0; tries < 200 && count < wanted && count < most; tries++) {
		uint64_t at = random_word() % size;

		if (!(ones[at / 64] >> at % 64 & 1) || (words[at / 64] >> at % 64 & 1))
			continue;
		words[at / 64] |= 1ull << at % 64;
		count++;
	}
	return count;
}

/* --- sound --- */

static uint64_t defined, undefined;

/* Gives the undefined bits of operands other values. */
static void change(const struct case_ *c, const struct slot *from, struct slot *to)
{
	memcpy(to, from, 3 * sizeof(*to));
	for (uint32_t i = 0; i < c->operands; i++)
		for (uint32_t w = 0; w < MOST_WORDS; w++)
			to[i].bits[w] ^= random_word() & from[i].undef[w];
}

static void check_sound(const struct case_ *c, const struct eval *eval)
{
	struct slot slots[MOST_SLOTS] = {0}, changed[MOST_SLOTS] = {0}, first = {0}, second = {0};
	struct eval_value operands[4], others[4];
	struct eval_value result = {first.bits, first.undef}, other = {second.bits, second.undef};
	uint64_t ones[MOST_WORDS] = {0};

	for (uint32_t i = 0; i < c->operands; i++) {
		put_random(layout, slots[i].bits, 0, c->operand[i]);
		put_mask(slots[i].undef, c->operand[i], 64);
	}
	list_operands(c, slots, operands);
	if (!eval_run(eval, operands, &result))
		return;
	put_ones(ones, 0, LLVMTypeOf(c->instruction));
	for (uint32_t w = 0; w < eval_words(eval); w++) {
		assert_int_equal(first.undef[w] & ~ones[w], 0);
		undefined += (uint64_t)__builtin_popcountll(first.undef[w]);
		defined += (uint64_t)__builtin_popcountll(ones[w] & ~first.undef[w]);
	}
	for (uint32_t i = 0; i < CHANGES; i++) {
		change(c, slots, changed);
		list_operands(c, changed, others);
		if (!eval_run(eval, others, &other))
			continue;
		for (uint32_t w = 0; w < eval_words(eval); w++)
			if ((first.bits[w] ^ second.bits[w]) & ~first.undef[w])
				fail_msg("%s [%s]: a bit said to be defined is not", c->row->text,
				         c->type);
	}
}

static void test_sound(void **state)
{
	struct arena arena = ARENA_INIT;

	for (uint32_t i = 0; i < cases.size; i++) {
		const struct case_ *c = &cases.at[i];
		const struct eval *eval;

		assert_null(eval_prepare(layout, c->instruction, &arena, &eval));
		/* Defined, whatever its operand is: that is what it is for. */
		if (LLVMGetInstructionOpcode(c->instruction) == LLVMFreeze)
			continue;
		for (uint32_t run = 0; run < RUNS; run++)
			check_sound(c, eval);
	}
	assert_true(defined > 100000);
	assert_true(undefined > 100000);
	arena_deinit(&arena);
}

/* --- exact --- */

/* What changes between any two choices of the undefined bits. */
static uint64_t find_changes(const struct case_ *c, const struct eval *eval, struct slot *slots,
                             uint32_t bits)
{
	struct eval_value operands[4];
	struct slot changed[MOST_SLOTS] = {0}, out = {0};
	struct eval_value result = {out.bits, out.undef};
	uint64_t low = ~0ull, high = 0;

	for (uint32_t choice = 0; choice < 1u << bits; choice++) {
		uint32_t next = 0;

		memcpy(changed, slots, 3 * sizeof(*changed));
		for (uint32_t i = 0; i < c->operands; i++)
			for (uint32_t b = 0; b < 64; b++)
				if (slots[i].undef[0] >> b & 1)
					changed[i].bits[0] ^= (uint64_t)(choice >> next++ & 1) << b;
		list_operands(c, changed, operands);
		if (!eval_run(eval, operands, &result))
			continue;
		low &= out.bits[0];
		high |= out.bits[0];
	}
	return high & ~low;
}

/* Is the operation one whose mask must be exact? `carries`: only its lowest bit must be. */
static bool is_exact(const struct case_ *c, bool *carries)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(c->instruction);
	const char *intrinsic = ir_intrinsic(c->instruction);

	*carries = opcode == LLVMAdd || opcode == LLVMSub;
	if (LLVMSizeOfTypeInBits(layout, LLVMTypeOf(c->instruction)) > 64)
		return false;
	for (uint32_t i = 0; i < c->operands; i++)
		if (LLVMSizeOfTypeInBits(layout, c->operand[i]) > 64)
			return false;
	switch (opcode) {
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMICmp:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMBitCast:
	case LLVMSelect:
	case LLVMExtractValue:
	case LLVMAdd:
	case LLVMSub: return true;
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr: return c->operands == 1;
	case LLVMCall: return !strncmp(intrinsic, "b", 1); /* bswap, bitreverse */
	default: return false;
	}
}

static bool check_exact(const struct case_ *c, const struct eval *eval, bool carries)
{
	struct slot slots[MOST_SLOTS] = {0}, out = {0};
	struct eval_value operands[4], result = {out.bits, out.undef};
	uint32_t bits = 0;
	uint64_t changes;

	for (uint32_t i = 0; i < c->operands; i++) {
		put_random(layout, slots[i].bits, 0, c->operand[i]);
		bits += put_mask(slots[i].undef, c->operand[i], (MOST_BITS - bits) / 2);
	}
	list_operands(c, slots, operands);
	if (!eval_run(eval, operands, &result))
		return false;
	changes = find_changes(c, eval, slots, bits);
	if (carries ? (changes & -changes) != (out.undef[0] & -out.undef[0])
	            : changes != out.undef[0])
		fail_msg("%s [%s]: undefined %lx, but %lx changes; a %lx (%lx) b %lx (%lx)",
		         c->row->text, c->type, out.undef[0], changes, slots[0].bits[0],
		         slots[0].undef[0], slots[1].bits[0], slots[1].undef[0]);
	return true;
}

static void test_exact(void **state)
{
	struct arena arena = ARENA_INIT;
	uint32_t checked = 0;

	for (uint32_t i = 0; i < cases.size; i++) {
		const struct case_ *c = &cases.at[i];
		const struct eval *eval;
		bool carries;

		if (!is_exact(c, &carries))
			continue;
		assert_null(eval_prepare(layout, c->instruction, &arena, &eval));
		for (uint32_t run = 0; run < RUNS; run++)
			checked += check_exact(c, eval, carries);
	}
	assert_true(checked > 5000);
	arena_deinit(&arena);
}

/* --- by hand --- */

struct one {
	uint64_t bits, undef;
};

/* The result of an operation of the table on small operands. */
static struct one run(const char *text, const char *type, struct one a, struct one b, struct one c)
{
	struct arena arena = ARENA_INIT;
	struct slot slots[MOST_SLOTS] = {0}, out = {0};
	struct eval_value operands[4], result = {out.bits, out.undef};
	const struct one *const given[] = {&a, &b, &c};
	const struct eval *eval;
	uint32_t i = 0;

	while (strcmp(cases.at[i].row->text, text) || strcmp(cases.at[i].type, type))
		assert_true(++i < cases.size);
	for (uint32_t j = 0; j < 3; j++) {
		slots[j].bits[0] = given[j]->bits;
		slots[j].undef[0] = given[j]->undef;
	}
	assert_null(eval_prepare(layout, cases.at[i].instruction, &arena, &eval));
	list_operands(&cases.at[i], slots, operands);
	assert_true(eval_run(eval, operands, &result));
	arena_deinit(&arena);
	return (struct one){out.bits[0], out.undef[0]};
}

static void expect(struct one got, uint64_t bits, uint64_t undef)
{
	assert_int_equal(got.bits & ~got.undef, bits);
	assert_int_equal(got.undef, undef);
}

/* x.b = 5 in struct { unsigned a : 4, b : 4; } x, never written: b is defined, a is not. */
static void test_bit_field(void **state)
{
	const struct one none = {0}, fresh = {0xab, 0xff};
	struct one rest = run("and $T %a, %b", "i8", fresh, (struct one){0x0f, 0}, none);
	struct one all = run("or $T %a, %b", "i8", rest, (struct one){0x50, 0}, none);

	expect(rest, 0, 0x0f);
	expect(all, 0x50, 0x0f);
	expect(run("lshr $T %a, %b", "i8", all, (struct one){4, 0}, none), 5, 0);
	expect(run("lshr $T %a, %b", "i8", all, (struct one){4, 1}, none), 0, 0xff);
	expect(run("ashr $T %a, %b", "i8", (struct one){0, 0x80}, (struct one){3, 0}, none), 0,
	       0xf0);
}

static void test_arithmetic(void **state)
{
	const struct one none = {0};

	expect(run("add $T %a, %b", "i16", (struct one){1, 0x10}, (struct one){2, 0}, none), 3,
	       0xfff0);
	expect(run("mul $T %a, %b", "i8", (struct one){3, 0x80}, (struct one){5, 0}, none), 15,
	       0x80);
	expect(run("udiv $T %a, %b", "i8", (struct one){9, 1}, (struct one){3, 0}, none), 0, 0xff);
	expect(run("fadd $T %a, %b", "float", (struct one){0, 1}, none, none), 0, 0xffffffff);
	expect(run("fcmp olt $T %a, %b", "double:i1", (struct one){0, 1}, none, none), 0, 1);
	expect(run("freeze $T %a", "i32", (struct one){7, 0xff}, none, none), 7, 0);
}

static void test_decided(void **state)
{
	const struct one none = {0}, five = {5, 0};

	expect(run("icmp eq $T %a, %b", "i8:i1", (struct one){0x10, 0x0f}, five, none), 0, 0);
	expect(run("icmp eq $T %a, %b", "i8:i1", (struct one){0x05, 0x80}, five, none), 0, 1);
	expect(run("icmp ult $T %a, %b", "i8:i1", five, (struct one){0x80, 0x0f}, none), 1, 0);
	expect(run("icmp slt $T %a, %b", "i8:i1", (struct one){0x80, 0x7f}, none, none), 1, 0);
	expect(run("select i1 %a, $T %b, $T %c", "i8", (struct one){1, 1}, (struct one){0xf0, 0},
	           (struct one){0xf3, 0}),
	       0xf0, 0x03);
	expect(run("select i1 %a, $T %b, $T %c", "i8", (struct one){1, 0}, (struct one){0xf0, 0},
	           (struct one){0xf3, 0xff}),
	       0xf0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound),     cmocka_unit_test(test_exact),
		cmocka_unit_test(test_bit_field), cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_decided),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}
