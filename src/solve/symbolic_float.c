/* What instructions compute with floating-point numbers: see symbolic_work.h. */
#include "solve/symbolic_work.h"

static bool is_real(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static term either(struct terms *terms, term a, term b)
{
	return term_make(terms, TERM_OR, 1, a, b, 0);
}

static term less(struct terms *terms, enum term_op op, term a, term b)
{
	return term_make(terms, op, 1, a, b, 0);
}

static term unordered(struct terms *terms, const term *in)
{
	return either(terms, term_make(terms, TERM_FNAN, 1, in[0], 0, 0),
	              term_make(terms, TERM_FNAN, 1, in[1], 0, 0));
}

/* 'Unordered or less' is 'not greater or equal'. */
static term compared(struct terms *terms, LLVMRealPredicate predicate, const term *in)
{
	term a = in[0], b = in[1];

	switch (predicate) {
	case LLVMRealPredicateFalse: return term_constant(terms, 1, 0);
	case LLVMRealPredicateTrue: return term_constant(terms, 1, 1);
	case LLVMRealOEQ: return less(terms, TERM_FEQ, a, b);
	case LLVMRealOGT: return less(terms, TERM_FLT, b, a);
	case LLVMRealOGE: return less(terms, TERM_FLE, b, a);
	case LLVMRealOLT: return less(terms, TERM_FLT, a, b);
	case LLVMRealOLE: return less(terms, TERM_FLE, a, b);
	case LLVMRealONE:
		return either(terms, less(terms, TERM_FLT, a, b), less(terms, TERM_FLT, b, a));
	case LLVMRealORD: return term_not(terms, unordered(terms, in));
	case LLVMRealUNO: return unordered(terms, in);
	case LLVMRealUEQ: return term_not(terms, compared(terms, LLVMRealONE, in));
	case LLVMRealUGT: return term_not(terms, less(terms, TERM_FLE, a, b));
	case LLVMRealUGE: return term_not(terms, less(terms, TERM_FLT, a, b));
	case LLVMRealULT: return term_not(terms, less(terms, TERM_FLE, b, a));
	case LLVMRealULE: return term_not(terms, less(terms, TERM_FLT, b, a));
	case LLVMRealUNE: return term_not(terms, less(terms, TERM_FEQ, a, b));
	}
	return 0;
}

static enum term_op operation(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMFAdd: return TERM_FADD;
	case LLVMFSub: return TERM_FSUB;
	case LLVMFMul: return TERM_FMUL;
	case LLVMFDiv: return TERM_FDIV;
	case LLVMSIToFP: return TERM_FROM_SIGNED;
	case LLVMUIToFP: return TERM_FROM_UNSIGNED;
	case LLVMFPToSI: return TERM_TO_SIGNED;
	case LLVMFPToUI: return TERM_TO_UNSIGNED;
	case LLVMFPExt:
	case LLVMFPTrunc: return TERM_RESIZE;
	default: return TERM_OPS;
	}
}

term symbolic_compute_float(struct terms *terms, LLVMValueRef i, const term *in)
{
	LLVMTypeRef type = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
	enum term_op op = operation(opcode);
	bool whole = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
	bool from_whole = LLVMGetTypeKind(from) == LLVMIntegerTypeKind;
	uint32_t bits = symbolic_type_bits(i, type);

	if (!(is_real(type) || whole) || !(is_real(from) || from_whole) || !bits)
		return 0;
	if (opcode == LLVMFCmp)
		return compared(terms, LLVMGetFCmpPredicate(i), in);
	if (opcode == LLVMFNeg)
		return term_make(terms, TERM_XOR, bits, in[0],
		                 term_constant(terms, bits, 1ull << (bits - 1)), 0);
	if (op == TERM_OPS)
		return 0;
	return term_make(terms, op, bits, in[0], op <= TERM_FDIV ? in[1] : 0, 0);
}
