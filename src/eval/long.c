/* Integers of more than 128 bits, which clang makes of long runs of bit-fields: what those need. */
#include <string.h>

#include "eval/prepared.h"

#define MOST_WORDS 64u

static uint32_t words_of(uint32_t bits)
{
	return (bits + 63) / 64;
}

static bool bit(const uint64_t *words, uint32_t at)
{
	return words[at / 64] >> at % 64 & 1;
}

/* Bits behind the value are 0. */
static void trim(uint64_t *words, uint32_t bits)
{
	if (bits % 64)
		words[bits / 64] &= (1ull << bits % 64) - 1;
}

static void shift_left(const uint64_t *from, uint32_t count, uint32_t bits, uint64_t *to)
{
	uint32_t whole = count / 64, part = count % 64;

	for (uint32_t i = words_of(bits); i-- > 0;) {
		uint64_t high = i >= whole ? from[i - whole] : 0;
		uint64_t low = i >= whole + 1 ? from[i - whole - 1] : 0;

		to[i] = part ? high << part | low >> (64 - part) : high;
	}
	trim(to, bits);
}

/* `fill`: the bits that come in from above. */
static void shift_right(const uint64_t *from, uint32_t count, uint32_t bits, bool fill,
                        uint64_t *to)
{
	for (uint32_t at = 0; at < bits; at++) {
		bool value = at + count < bits ? bit(from, at + count) : fill;

		to[at / 64] &= ~(1ull << at % 64);
		to[at / 64] |= (uint64_t)value << at % 64;
	}
	trim(to, bits);
}

static bool run_shift(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint32_t bits = e->total, count = (uint32_t)o[1].bits[0];

	memset(result->bits, 0, words_of(e->total) * sizeof(uint64_t));
	memset(result->undef, 0, words_of(e->total) * sizeof(uint64_t));
	if (o[1].bits[0] >= bits || memcmp(o[1].undef, result->undef, words_of(bits) * 8))
		return false;
	for (uint32_t i = 1; i < words_of(bits); i++)
		if (o[1].bits[i])
			return false;
	if (e->code == LLVMShl) {
		shift_left(o[0].bits, count, bits, result->bits);
		shift_left(o[0].undef, count, bits, result->undef);
		return true;
	}
	shift_right(o[0].bits, count, bits, e->code == LLVMAShr && bit(o[0].bits, bits - 1),
	            result->bits);
	shift_right(o[0].undef, count, bits, e->code == LLVMAShr && bit(o[0].undef, bits - 1),
	            result->undef);
	return true;
}

static bool run_logic(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	for (uint32_t i = 0; i < words_of(e->total); i++) {
		uint64_t x = o[0].bits[i], y = o[1].bits[i];
		uint64_t u = o[0].undef[i], v = o[1].undef[i];

		if (e->code == LLVMAnd) {
			result->bits[i] = x & y;
			result->undef[i] = (u & v) | (u & y) | (v & x);
		} else if (e->code == LLVMOr) {
			result->bits[i] = x | y;
			result->undef[i] = (u & v) | (u & ~y) | (v & ~x);
		} else {
			result->bits[i] = x ^ y;
			result->undef[i] = u | v;
		}
	}
	return true;
}

static bool run_sum(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	uint64_t carry = e->code == LLVMSub;
	bool undefined = false;

	for (uint32_t i = 0; i < words_of(e->total); i++) {
		uint64_t y = e->code == LLVMSub ? ~o[1].bits[i] : o[1].bits[i];
		uint64_t either = o[0].undef[i] | o[1].undef[i];
		u128 sum = (u128)o[0].bits[i] + y + carry;

		result->bits[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> 64);
		/* From the lowest undefined bit upwards. */
		result->undef[i] = undefined ? UINT64_MAX : either | -either;
		undefined |= either != 0;
	}
	trim(result->bits, e->total);
	trim(result->undef, e->total);
	return true;
}

/* `size` bits become `total`. */
static bool run_resize(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	bool sign = e->code == LLVMSExt && bit(o[0].bits, e->size - 1);
	bool doubt = e->code == LLVMSExt && bit(o[0].undef, e->size - 1);

	for (uint32_t i = 0; i < words_of(e->total); i++) {
		bool there = i < words_of(e->size);

		result->bits[i] = there ? o[0].bits[i] : sign ? UINT64_MAX : 0;
		result->undef[i] = there ? o[0].undef[i] : doubt ? UINT64_MAX : 0;
	}
	if (e->total > e->size && e->size % 64) {
		uint64_t above = ~((1ull << e->size % 64) - 1);

		result->bits[e->size / 64] |= sign ? above : 0;
		result->undef[e->size / 64] |= doubt ? above : 0;
	}
	trim(result->bits, e->total);
	trim(result->undef, e->total);
	return true;
}

static int order(const struct eval *e, const struct eval_value *o)
{
	uint32_t top = e->size - 1;

	if (e->is_signed && bit(o[0].bits, top) != bit(o[1].bits, top))
		return bit(o[0].bits, top) ? -1 : 1;
	for (uint32_t i = words_of(e->size); i-- > 0;)
		if (o[0].bits[i] != o[1].bits[i])
			return o[0].bits[i] < o[1].bits[i] ? -1 : 1;
	return 0;
}

static bool run_compare(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	bool undefined = false, differ = false, value;
	int way = order(e, o);

	for (uint32_t i = 0; i < words_of(e->size); i++) {
		uint64_t either = o[0].undef[i] | o[1].undef[i];

		undefined |= either != 0;
		differ |= ((o[0].bits[i] ^ o[1].bits[i]) & ~either) != 0;
	}
	switch ((LLVMIntPredicate)e->code) {
	case LLVMIntEQ: value = way == 0; break;
	case LLVMIntNE: value = way != 0; break;
	case LLVMIntUGT:
	case LLVMIntSGT: value = way > 0; break;
	case LLVMIntUGE:
	case LLVMIntSGE: value = way >= 0; break;
	case LLVMIntULT:
	case LLVMIntSLT: value = way < 0; break;
	default: value = way <= 0;
	}
	if (differ && (e->code == LLVMIntEQ || e->code == LLVMIntNE))
		undefined = false;
	result->bits[0] = value;
	result->undef[0] = undefined;
	return true;
}

static eval_function *function_of(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr: return run_shift;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor: return run_logic;
	case LLVMAdd:
	case LLVMSub: return run_sum;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt: return run_resize;
	case LLVMICmp: return run_compare;
	default: return NULL;
	}
}

bool eval_prepare_long(const struct eval_request *r, struct eval *e)
{
	LLVMTypeRef from;

	e->run = function_of(r->opcode);
	if (!e->run)
		return false;
	from = LLVMTypeOf(LLVMGetOperand(r->value, 0));
	if (LLVMGetTypeKind(from) != LLVMIntegerTypeKind ||
	    LLVMGetTypeKind(LLVMTypeOf(r->value)) != LLVMIntegerTypeKind)
		return false;
	e->size = LLVMGetIntTypeWidth(from);
	e->total = LLVMGetIntTypeWidth(LLVMTypeOf(r->value));
	if (words_of(e->size) > MOST_WORDS || words_of(e->total) > MOST_WORDS)
		return false;
	if (r->opcode == LLVMICmp) {
		LLVMIntPredicate predicate = LLVMGetICmpPredicate(r->value);

		e->code = (uint8_t)predicate;
		e->is_signed = predicate >= LLVMIntSGT;
	}
	return true;
}
