/* Operands for the operations of eval_table.h: random values of any type, with a liking for
   corners, and the list that eval_run() wants. */
#ifndef HENCE_TESTS_UNIT_EVAL_OPERANDS_H
#define HENCE_TESTS_UNIT_EVAL_OPERANDS_H

#include "eval_table.h"

#define MOST_WORDS 16
#define MOST_SLOTS 7 /* three that are loaded, then those of constants, by operand */

struct slot {
	uint64_t bits[MOST_WORDS] __attribute__((aligned(64)));
	uint64_t undef[MOST_WORDS];
};

/* --- random values --- */

static uint64_t random_state = 0x9e3779b97f4a7c15ull;

static uint64_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state * 0x2545f4914f6cdd1dull;
}

static uint64_t random_corner(void)
{
	static const uint64_t corners[] = {0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128};
	uint64_t word = random_word();

	switch (word >> 8 & 7) {
	case 0: return 0;
	case 1: return ~0ull;
	case 2: return 1ull << (word & 63);
	case 3: return (1ull << (word & 63)) - 1;
	case 4: return -(1ull << (word & 63));
	case 5: return corners[word % COUNT(corners)];
	default: return random_word() >> (word & 63);
	}
}

/* A tame run has numbers that most operations can work with: vectors would hardly get any. */
static bool tame;
static bool may_be_nan = true;

/* Not 0, and less than the number of bits. */
static uint64_t random_tame(uint64_t bits)
{
	uint64_t word = random_word() >> 1;

	return bits < 2 ? 1 : word % 2 ? 1 + (word >> 8) % (bits - 1) : 1 + (word >> 8) % 2;
}

/* Exponents around those of the limits of integers, of the format and of rounding. */
static long double random_number(void)
{
	static const int exponents[] = {
		-16500, -1075, -1022, -149, -126, -25, -14, -2, -1, 0,  1,  6,   7,   8,   14,  15,
		16,     30,    31,    32,   33,   52,  53,  62, 63, 64, 65, 126, 127, 128, 1023};
	uint64_t word = random_word();
	int exponent = exponents[word % COUNT(exponents)];
	long double value = (long double)(1ull << 63 | random_corner()) * 0x1p-63L;

	if (word >> 20 & 1)
		value = 1 + (long double)(word >> 32 & 3) / 4;
	return __builtin_ldexpl(word >> 21 & 1 ? -value : value, exponent);
}

/* A NaN of the format: `fraction` bits, the exponent above them. */
static unsigned __int128 random_nan(unsigned bits, unsigned fraction)
{
	unsigned __int128 value = (unsigned __int128)random_word() << 64 | random_word();
	unsigned __int128 exponent = ((unsigned __int128)1 << (bits - 1 - fraction)) - 1;

	value >>= 128 - fraction;
	if (random_word() & 1)
		value |= 1; /* signalling, perhaps */
	else
		value |= (unsigned __int128)1 << (fraction - 1);
	return exponent << fraction | value | (unsigned __int128)(random_word() & 1) << (bits - 1);
}

static unsigned __int128 random_float(LLVMTypeKind kind, unsigned bits)
{
	union {
		_Float16 half;
		float single;
		double double_;
		long double extended;
		__float128 quad;
		uint32_t word;
		unsigned __int128 all;
	} u = {.all = 0};
	long double number = random_word() % 8 ? random_number() : 0 * random_number();
	bool is_nan = may_be_nan && random_word() % 16 == 0, is_infinite = random_word() % 16 == 0;

	if (tame)
		number = (long double)(random_word() % 1000) / 8, is_nan = is_infinite = false;
	if (is_infinite && number != 0)
		number *= __builtin_infl();
	switch (kind) {
	case LLVMHalfTypeKind: u.half = (_Float16)number; break;
	case LLVMBFloatTypeKind: u.single = (float)number, u.word >>= 16; break;
	case LLVMFloatTypeKind: u.single = (float)number; break;
	case LLVMDoubleTypeKind: u.double_ = (double)number; break;
	case LLVMX86_FP80TypeKind: u.extended = number; break;
	default: u.quad = number + (__float128)number * 0x1p-80Q * (random_word() % 4); break;
	}
	if (is_nan && kind == LLVMX86_FP80TypeKind)
		u.all = random_nan(80, 63) | 1ull << 63;
	else if (is_nan)
		u.all = random_nan(bits, bits == 16   ? (kind == LLVMHalfTypeKind ? 10 : 7)
		                         : bits == 32 ? 23
		                         : bits == 64 ? 52
		                                      : 112);
	return u.all;
}

static void put_bits(uint64_t *words, uint64_t at, uint64_t bits, unsigned __int128 value)
{
	for (uint64_t i = 0; i < bits; i++, at++)
		if (value >> i & 1)
			words[at / 64] |= 1ull << at % 64;
}

static inline void put_random(LLVMTargetDataRef layout, uint64_t *words, uint64_t at,
                              LLVMTypeRef type)
{
	uint64_t bits = LLVMSizeOfTypeInBits(layout, type);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	LLVMTypeRef member;

	switch (kind) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind:
		for (uint64_t i = 0; i < bits && !tame; i += 64)
			put_bits(words, at + i, bits - i < 64 ? bits - i : 64, random_corner());
		if (tame)
			put_bits(words, at, bits < 64 ? bits : 64, random_tame(bits));
		break;
	case LLVMVectorTypeKind:
		member = LLVMGetElementType(type);
		for (unsigned i = 0; i < LLVMGetVectorSize(type); i++)
			put_random(layout, words, at + i * LLVMSizeOfTypeInBits(layout, member),
			           member);
		break;
	case LLVMArrayTypeKind:
		member = LLVMGetElementType(type);
		for (unsigned i = 0; i < LLVMGetArrayLength2(type); i++)
			put_random(layout, words, at + i * 8 * LLVMABISizeOfType(layout, member),
			           member);
		break;
	case LLVMStructTypeKind:
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			put_random(layout, words, at + 8 * LLVMOffsetOfElement(layout, type, i),
			           LLVMStructGetTypeAtIndex(type, i));
		break;
	default: put_bits(words, at, bits, random_float(kind, (unsigned)bits)); break;
	}
}

/* --- the list --- */

static void put_constant(struct slot *slot, LLVMValueRef constant)
{
	int64_t value = LLVMConstIntGetSExtValue(constant);
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(constant));

	memset(slot, 0, sizeof(*slot));
	slot->bits[0] = width < 64 ? (uint64_t)value & ((1ull << width) - 1) : (uint64_t)value;
	slot->bits[1] = width > 64 && value < 0 ? ~0ull : 0;
}

/* The operands of the instruction as eval_run() wants them: the loaded ones, and constants. */
static inline uint32_t list_operands(const struct case_ *c, struct slot *slots,
                                     struct eval_value *list)
{
	bool is_call = LLVMIsACallInst(c->instruction) != NULL;
	uint32_t count = is_call ? LLVMGetNumArgOperands(c->instruction)
	                         : (uint32_t)LLVMGetNumOperands(c->instruction);
	uint32_t loaded = 0;

	for (uint32_t i = 0; i < count; i++) {
		LLVMValueRef operand = LLVMGetOperand(c->instruction, i);
		struct slot *slot = LLVMIsALoadInst(operand) ? &slots[loaded++] : &slots[3 + i];

		if (LLVMIsAConstantInt(operand))
			put_constant(slot, operand);
		list[i] = (struct eval_value){slot->bits, slot->undef};
	}
	return count;
}

#endif
