/* What instructions compute from their operands, as LLVM and the machine say: see symbolic_work.h. */
#include "solve/symbolic_work.h"

static term binary(struct terms *terms, enum term_op op, const term *in)
{
	return term_make(terms, op, term_at(terms, in[0])->bits, in[0], in[1], 0);
}

/* The machine shifts by the count modulo 32, or 64 for wide registers. What it does with a constant that is
   too large nobody knows. */
static term shifted(struct terms *terms, enum term_op op, const term *in)
{
	uint32_t bits = term_at(terms, in[0])->bits;
	uint64_t count, modulus = bits <= 32 ? 32 : 64;
	term by = in[1];

	if (bits == 1)
		return in[0];
	if (term_is_constant(terms, by, &count))
		return count < bits ? binary(terms, op, in) : 0;
	by = term_make(terms, TERM_AND, bits, by,
	               term_constant(terms, bits, (modulus - 1) & symbolic_mask(bits)), 0);
	return term_make(terms, op, bits, in[0], by, 0);
}

/* The code generator knows that 0 divided by anything is 0, and that one bit can only be divided by 1. */
static term divided(struct terms *terms, enum term_op op, const term *in)
{
	uint32_t bits = term_at(terms, in[0])->bits;
	uint64_t value;

	if (term_is_constant(terms, in[0], &value) && !value)
		return in[0];
	if (bits > 1)
		return binary(terms, op, in);
	return op == TERM_UDIV || op == TERM_SDIV ? in[0] : term_constant(terms, 1, 0);
}

static term compared(struct terms *terms, LLVMIntPredicate predicate, const term *in)
{
	const term swapped[] = {in[1], in[0]};

	switch (predicate) {
	case LLVMIntEQ: return term_make(terms, TERM_EQ, 1, in[0], in[1], 0);
	case LLVMIntNE: return term_not(terms, term_make(terms, TERM_EQ, 1, in[0], in[1], 0));
	case LLVMIntUGT: return term_make(terms, TERM_ULT, 1, swapped[0], swapped[1], 0);
	case LLVMIntUGE: return term_make(terms, TERM_ULE, 1, swapped[0], swapped[1], 0);
	case LLVMIntULT: return term_make(terms, TERM_ULT, 1, in[0], in[1], 0);
	case LLVMIntULE: return term_make(terms, TERM_ULE, 1, in[0], in[1], 0);
	case LLVMIntSGT: return term_make(terms, TERM_SLT, 1, swapped[0], swapped[1], 0);
	case LLVMIntSGE: return term_make(terms, TERM_SLE, 1, swapped[0], swapped[1], 0);
	case LLVMIntSLT: return term_make(terms, TERM_SLT, 1, in[0], in[1], 0);
	case LLVMIntSLE: return term_make(terms, TERM_SLE, 1, in[0], in[1], 0);
	}
	return 0;
}

/* --- parts of small structures --- */

bool symbolic_member(LLVMValueRef i, LLVMTypeRef type, uint32_t *offset, uint32_t *bits)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(
		LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
	const unsigned *indices = LLVMGetIndices(i);

	*offset = 0;
	for (unsigned k = 0; k < LLVMGetNumIndices(i); k++) {
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			*offset += 8 * (uint32_t)LLVMOffsetOfElement(layout, type, indices[k]);
			type = LLVMStructGetTypeAtIndex(type, indices[k]);
		} else {
			type = LLVMGetElementType(type);
			*offset += 8 * indices[k] * (uint32_t)LLVMABISizeOfType(layout, type);
		}
	}
	*bits = symbolic_type_bits(i, type);
	return *bits != 0;
}

static term extracted(struct terms *terms, LLVMValueRef i, const term *in)
{
	uint32_t offset, bits;

	if (!symbolic_member(i, LLVMTypeOf(LLVMGetOperand(i, 0)), &offset, &bits))
		return 0;
	return term_extract(terms, in[0], offset, bits);
}

/* The lower part, the new one as it lies in memory, the upper part. */
static term inserted(struct terms *terms, LLVMValueRef i, const term *in)
{
	uint32_t offset, bits, total = term_at(terms, in[0])->bits;
	term out;

	if (!symbolic_member(i, LLVMTypeOf(i), &offset, &bits))
		return 0;
	bits = (bits + 7) & ~7u;
	out = symbolic_fit(terms, in[1], bits);
	if (offset)
		out = term_make(terms, TERM_CONCAT, offset + bits, out,
		                term_extract(terms, in[0], 0, offset), 0);
	if (offset + bits < total)
		out = term_make(terms, TERM_CONCAT, total,
		                term_extract(terms, in[0], offset + bits, total - offset - bits),
		                out, 0);
	return out;
}

/* --- all --- */

static bool is_number(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
	case LLVMPointerTypeKind: return true;
	default: return false;
	}
}

static term integer(struct terms *terms, LLVMValueRef i, const term *in)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd: return binary(terms, TERM_ADD, in);
	case LLVMSub: return binary(terms, TERM_SUB, in);
	case LLVMMul: return binary(terms, TERM_MUL, in);
	case LLVMUDiv: return divided(terms, TERM_UDIV, in);
	case LLVMSDiv: return divided(terms, TERM_SDIV, in);
	case LLVMURem: return divided(terms, TERM_UREM, in);
	case LLVMSRem: return divided(terms, TERM_SREM, in);
	case LLVMAnd: return binary(terms, TERM_AND, in);
	case LLVMOr: return binary(terms, TERM_OR, in);
	case LLVMXor: return binary(terms, TERM_XOR, in);
	case LLVMShl: return shifted(terms, TERM_SHL, in);
	case LLVMLShr: return shifted(terms, TERM_LSHR, in);
	case LLVMAShr: return shifted(terms, TERM_ASHR, in);
	case LLVMICmp: return compared(terms, LLVMGetICmpPredicate(i), in);
	default: return 0;
	}
}

static term cast(struct terms *terms, LLVMValueRef i, const term *in)
{
	uint32_t bits = symbolic_type_bits(i, LLVMTypeOf(i));

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr: return symbolic_fit(terms, in[0], bits);
	case LLVMSExt: return term_make(terms, TERM_SEXT, bits, in[0], 0, 0);
	default: return 0;
	}
}

term symbolic_compute(struct terms *terms, LLVMValueRef i, const term *in)
{
	LLVMTypeRef type = LLVMTypeOf(i);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBitCast:
	case LLVMFreeze: return in[0];
	case LLVMSelect:
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) != LLVMIntegerTypeKind)
			return 0;
		return term_make(terms, TERM_CHOICE, term_at(terms, in[1])->bits, in[0], in[1],
		                 in[2]);
	case LLVMExtractValue: return extracted(terms, i, in);
	case LLVMInsertValue: return inserted(terms, i, in);
	case LLVMCall: return symbolic_compute_intrinsic(terms, i, in);
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return is_number(type) && is_number(LLVMTypeOf(LLVMGetOperand(i, 0)))
		               ? cast(terms, i, in)
		               : 0;
	default: break;
	}
	if (is_number(LLVMTypeOf(LLVMGetOperand(i, 0))) && is_number(type))
		return integer(terms, i, in);
	return symbolic_compute_float(terms, i, in);
}
