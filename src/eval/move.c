/* Instructions that move bits about: casts between integers and pointers, bitcast, freeze, select,
   and members of aggregates. Undefined bits move along. */
#include "eval/prepared.h"

#include <string.h>

/* --- trunc, zext, sext, casts of pointers --- */

static bool run_zero_extend(const struct eval *e, const struct eval_value *o,
                            struct eval_value *result)
{
	u128 mask = eval_mask(e->bits);

	eval_put(result->bits, e->bits, eval_get(o->bits, e->from) & mask);
	eval_put(result->undef, e->bits, eval_get(o->undef, e->from) & mask);
	return true;
}

/* Where the sign is undefined, so are its copies. */
static bool run_sign_extend(const struct eval *e, const struct eval_value *o,
                            struct eval_value *result)
{
	u128 mask = eval_mask(e->bits);
	u128 value = (u128)eval_extend(eval_get(o->bits, e->from), e->from);
	u128 undef = (u128)eval_extend(eval_get(o->undef, e->from), e->from);

	eval_put(result->bits, e->bits, value & mask);
	eval_put(result->undef, e->bits, undef & mask);
	return true;
}

bool eval_prepare_resize(const struct eval_request *r, struct eval *e)
{
	bool is_signed = r->opcode == LLVMSExt;

	if (r->opcode == LLVMAddrSpaceCast) {
		/* Address space 270 is that of __ptr32 __sptr: pointers of 32 bits with a sign. */
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(r->value, 0));

		if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			type = LLVMGetElementType(type);
		is_signed = LLVMGetPointerAddressSpace(type) == 270;
	}
	e->run = is_signed ? run_sign_extend : run_zero_extend;
	return r->to.format == EVAL_INTEGER && r->from.format == EVAL_INTEGER;
}

/* --- bitcast, freeze --- */

static bool run_copy(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	memcpy(result->bits, o->bits, e->words * sizeof(uint64_t));
	memcpy(result->undef, o->undef, e->words * sizeof(uint64_t));
	return true;
}

static bool run_freeze(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	memcpy(result->bits, o->bits, e->words * sizeof(uint64_t));
	memset(result->undef, 0, e->words * sizeof(uint64_t));
	return true;
}

bool eval_prepare_copy(const struct eval_request *r, struct eval *e)
{
	e->whole = true;
	e->run = r->opcode == LLVMFreeze ? run_freeze : run_copy;
	return true;
}

/* --- select --- */

/* Of a value of any size by one bit. When that is undefined, so is where the two differ. */
static bool run_select(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	const struct eval_value *chosen = o[0].bits[0] & 1 ? &o[1] : &o[2];
	uint64_t unsure = o[0].undef[0] & 1 ? ~0ull : 0;

	for (uint32_t i = 0; i < e->words; i++) {
		uint64_t either = o[1].undef[i] | o[2].undef[i] | (o[1].bits[i] ^ o[2].bits[i]);

		result->bits[i] = chosen->bits[i];
		result->undef[i] = chosen->undef[i] | (either & unsure);
	}
	return true;
}

bool eval_prepare_select(const struct eval_request *r, struct eval *e)
{
	e->whole = r->from.lanes == 0;
	e->run = run_select;
	return e->whole || r->to.format != EVAL_OTHER;
}

/* --- members of aggregates --- */

static bool run_extract(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	result->bits[e->words - 1] = 0;
	result->undef[e->words - 1] = 0;
	memcpy(result->bits, (const char *)o->bits + e->offset, e->size);
	memcpy(result->undef, (const char *)o->undef + e->offset, e->size);
	return true;
}

static bool run_insert(const struct eval *e, const struct eval_value *o, struct eval_value *result)
{
	run_copy(e, o, result);
	memcpy((char *)result->bits + e->offset, o[1].bits, e->size);
	memcpy((char *)result->undef + e->offset, o[1].undef, e->size);
	return true;
}

/* Steps into member `index` of *type. */
static uint64_t step(LLVMTargetDataRef layout, unsigned index, LLVMTypeRef *type)
{
	LLVMTypeRef whole = *type;

	if (LLVMGetTypeKind(whole) == LLVMStructTypeKind) {
		*type = LLVMStructGetTypeAtIndex(whole, index);
		return LLVMOffsetOfElement(layout, whole, index);
	}
	*type = LLVMGetElementType(whole);
	return index * LLVMABISizeOfType(layout, *type);
}

bool eval_prepare_aggregate(const struct eval_request *r, struct eval *e)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(r->value, 0));
	const unsigned *indices = LLVMGetIndices(r->value);
	uint64_t offset = 0;

	for (unsigned i = 0; i < LLVMGetNumIndices(r->value); i++)
		offset += step(r->layout, indices[i], &type);
	e->offset = (uint32_t)offset;
	e->size = ir_store_size(r->layout, type);
	e->whole = true;
	e->run = r->opcode == LLVMExtractValue ? run_extract : run_insert;
	return e->size > 0;
}
