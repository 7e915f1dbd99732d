/* Edits that give local variables another type: see declared.h. */
#include "edit/declared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MOST_TOGETHER  8u   /* variables of a declaration */
#define MOST_DEPENDENT 256u /* values that depend on them */
#define LEAST_CAST     4u   /* columns of an explicit conversion: (T) and what is converted */

/* A value with its type in C. */
struct number {
	LLVMTypeRef type;
	bool natural;       /* unsigned */
	LLVMValueRef value; /* NULL: only its type is wanted */
};

/* An instruction whose value depends on the variables, and has another type because of them. */
struct dependent {
	LLVMValueRef of;
	LLVMTypeRef type;
	bool natural;
	bool assigned; /* it is stored to a variable, and used again: as the value of (c = getchar()) */
	bool pure;     /* it is, and depends on none itself */
	LLVMValueRef
		wide; /* a phi or an early load: its value with the edit; NULL: not built yet */
};

struct edit_declared {
	LLVMValueRef variables[MOST_TOGETHER], shadows[MOST_TOGETHER];
	uint32_t count;
	LLVMTypeRef old, type;
	bool old_natural, natural;
	struct dependent *dependents;
	uint32_t size;
};

struct retyping {
	struct edit_module *m;
	struct edit_declared *d;
	const struct edit_declared_builder *k; /* NULL: only types are asked for */
};

/* --- numbers of C --- */

static bool is_whole(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

static bool is_real(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
	       LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_number(LLVMTypeRef type)
{
	return is_real(type) || (is_whole(type) && LLVMGetIntTypeWidth(type) >= 8 &&
	                         LLVMGetIntTypeWidth(type) <= 64);
}

static unsigned width(LLVMTypeRef type)
{
	return is_whole(type)                                ? LLVMGetIntTypeWidth(type)
	       : LLVMGetTypeKind(type) == LLVMDoubleTypeKind ? 64
	                                                     : 32;
}

static struct number convert(const struct retyping *r, struct number n, LLVMTypeRef type,
                             bool natural)
{
	LLVMOpcode opcode;

	if (n.value && n.type != type) {
		if (is_whole(n.type))
			opcode = is_real(type) ? (n.natural ? LLVMUIToFP : LLVMSIToFP)
			         : width(type) < width(n.type) ? LLVMTrunc
			         : n.natural                   ? LLVMZExt
			                                       : LLVMSExt;
		else
			opcode = is_whole(type)                ? (natural ? LLVMFPToUI : LLVMFPToSI)
			         : width(type) < width(n.type) ? LLVMFPTrunc
			                                       : LLVMFPExt;
		n.value = LLVMBuildCast(r->k->b, opcode, n.value, type, "");
	}
	n.type = type;
	n.natural = natural && is_whole(type);
	return n;
}

static struct number promote(const struct retyping *r, struct number n)
{
	if (!is_whole(n.type) || width(n.type) >= 32)
		return n;
	return convert(r, n, LLVMInt32TypeInContext(r->m->context), false);
}

/* The type in which C computes with both. */
static struct number common(const struct retyping *r, struct number a, struct number b)
{
	struct number n = {0};

	a = promote(r, a);
	b = promote(r, b);
	if (is_real(a.type) || is_real(b.type)) {
		n.type = !is_real(a.type)   ? b.type
		         : !is_real(b.type) ? a.type
		                            : (width(a.type) > width(b.type) ? a : b).type;
		return n;
	}
	n.type = (width(a.type) > width(b.type) ? a : b).type;
	n.natural = (a.natural && a.type == n.type) || (b.natural && b.type == n.type);
	return n;
}

/* --- what the code says about types --- */

static bool is_cast(LLVMValueRef v)
{
	if (!LLVMIsACastInst(v))
		return false;
	switch (LLVMGetInstructionOpcode(v)) {
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFPTrunc:
	case LLVMFPExt:
	case LLVMFPToSI:
	case LLVMFPToUI:
	case LLVMSIToFP:
	case LLVMUIToFP:
		return is_number(LLVMTypeOf(v)) && is_number(LLVMTypeOf(LLVMGetOperand(v, 0)));
	default: return false;
	}
}

/* The leftmost column, in the line, of what a value is computed from. */
static unsigned first_column(LLVMValueRef v, unsigned line, uint32_t depth)
{
	unsigned first = UINT32_MAX;

	if (!LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v) || depth > 12)
		return first;
	if (LLVMGetDebugLocLine(v) == line)
		first = LLVMGetDebugLocColumn(v);
	for (int n = 0; n < LLVMGetNumOperands(v) && !LLVMIsACallInst(v); n++) {
		unsigned own;

		if (LLVMIsAPHINode(v))
			break;
		own = first_column(LLVMGetOperand(v, (unsigned)n), line, depth + 1);
		first = own < first ? own : first;
	}
	return first;
}

static bool is_fmuladd(LLVMValueRef i)
{
	const char *name = LLVMIsACallInst(i) ? ir_intrinsic(i) : NULL;

	return name && !strncmp(name, "fmuladd", 7) && is_real(LLVMTypeOf(i));
}

static bool is_division(LLVMValueRef i)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(i);

	return opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem;
}

/* Does the operation itself say that its operands are unsigned? Clang marks signed sums as not wrapping. */
static bool is_natural_operation(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul: return !LLVMGetNSW(i);
	case LLVMUDiv:
	case LLVMURem:
	case LLVMLShr:
	case LLVMFPToUI:
	case LLVMUIToFP: return true;
	case LLVMICmp:
		return LLVMGetICmpPredicate(i) >= LLVMIntUGT &&
		       LLVMGetICmpPredicate(i) <= LLVMIntULE;
	default: return false;
	}
}

/* Is a whole number, which `user` uses, unsigned? */
static bool is_natural(const struct retyping *r, LLVMValueRef v, LLVMValueRef user, uint32_t depth)
{
	const struct ctype *type = NULL;
	LLVMOpcode opcode;

	if (!is_whole(LLVMTypeOf(v)) || !LLVMIsAInstruction(v) || depth > 6)
		return user && is_natural_operation(user) && !LLVMIsAConstant(v);
	opcode = LLVMGetInstructionOpcode(v);
	if (opcode == LLVMLoad) {
		type = edit_pointee(r->m, LLVMGetOperand(v, 0));
	} else if (opcode == LLVMCall && ir_callee(v)) {
		type = types_of_function(r->m->types, ir_callee(v));
		type = type ? type->target : NULL;
	} else if (opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor) {
		return is_natural(r, LLVMGetOperand(v, 0), NULL, depth + 1) ||
		       is_natural(r, LLVMGetOperand(v, 1), NULL, depth + 1);
	} else if (opcode == LLVMShl || opcode == LLVMAShr) {
		return is_natural(r, LLVMGetOperand(v, 0), NULL, depth + 1);
	} else if (LLVMIsABinaryOperator(v) || opcode == LLVMFPToUI || opcode == LLVMFPToSI) {
		return is_natural_operation(v);
	}
	type = ctype_strip(type);
	if (type && (type->kind == CTYPE_INTEGER || type->kind == CTYPE_CHAR))
		return !type->is_signed;
	return user && is_natural_operation(user);
}

/* --- computing in the other type --- */

static int variable_at(const struct edit_declared *d, LLVMValueRef address)
{
	for (uint32_t i = 0; i < d->count; i++)
		if (d->variables[i] == address)
			return (int)i;
	return -1;
}

static bool is_assignment(const struct edit_declared *d, LLVMValueRef i)
{
	return LLVMIsAStoreInst(i) && variable_at(d, LLVMGetOperand(i, 1)) >= 0;
}

static struct dependent *dependent_of(const struct edit_declared *d, LLVMValueRef v)
{
	for (uint32_t i = 0; i < d->size; i++)
		if (d->dependents[i].of == v)
			return &d->dependents[i];
	return NULL;
}

/* Is the conversion written in the source? Clang gives it the place of its bracket then, and else that of the first token of what
   is converted. */
static bool is_explicit(const struct edit_declared *d, LLVMValueRef cast)
{
	LLVMValueRef from = LLVMGetOperand(cast, 0), left = from;
	unsigned column = LLVMGetDebugLocColumn(cast), first;

	/* A literal has no place of its own. */
	while (LLVMIsAInstruction(left) && (is_cast(left) || LLVMIsABinaryOperator(left)))
		left = LLVMGetOperand(left, 0);
	if (LLVMIsAConstant(left) || !LLVMIsAInstruction(from) ||
	    (dependent_of(d, from) && dependent_of(d, from)->assigned))
		return false;
	first = first_column(from, LLVMGetDebugLocLine(cast), 0);
	return first != UINT32_MAX && column + LEAST_CAST <= first + 1;
}

/* The variable's value when it was loaded. Where nothing was stored since, its shadow still has it. */
static LLVMValueRef load_shadow(const struct retyping *r, LLVMValueRef load)
{
	struct dependent *own = dependent_of(r->d, load);
	LLVMValueRef address = LLVMGetOperand(load, 0), i = load;
	LLVMValueRef shadow = r->d->shadows[variable_at(r->d, address)];
	LLVMBuilderRef b;

	if (own->wide)
		return own->wide;
	if (LLVMGetInstructionParent(load) == r->k->here) {
		while (i && !(LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == address))
			i = LLVMGetNextInstruction(i);
		if (!i)
			return LLVMBuildLoad2(r->k->b, r->d->type, shadow, "");
	}
	b = LLVMCreateBuilderInContext(r->m->context);
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(load));
	LLVMSetCurrentDebugLocation2(b, NULL);
	own->wide = LLVMBuildLoad2(b, r->d->type, shadow, "");
	LLVMDisposeBuilder(b);
	return own->wide;
}

static struct number compute(const struct retyping *r, LLVMValueRef v);

/* The value of an assignment to a variable: what the source assigns, converted to the new type and not to the old one. */
static struct number assigned(const struct retyping *r, LLVMValueRef v)
{
	struct number n = {LLVMTypeOf(v), r->d->old_natural, r->k ? v : NULL};

	if (LLVMIsAConstantFP(v) && r->k && width(n.type) == 32) {
		LLVMBool lost;
		double value = LLVMConstRealGetDouble(v, &lost);
		char text[40] = "0";

		/* 0.1 was rounded to a float, but is written as a double. */
		for (int digits = 1; digits <= 9; digits++) {
			snprintf(text, sizeof(text), "%.*g", digits, value);
			if (strtof(text, NULL) == (float)value)
				break;
		}
		n.value = LLVMConstReal(r->d->type, strtod(text, NULL));
		n.type = r->d->type;
	} else if (LLVMIsAInstruction(v)) {
		const struct dependent *own = dependent_of(r->d, v);

		if (is_cast(v) || (own && !own->pure))
			n = compute(r, v);
		else
			n.natural = is_natural(r, v, NULL, 0);
	}
	return convert(r, n, r->d->type, r->d->natural);
}

/* What an operation uses. */
static struct number operand(const struct retyping *r, LLVMValueRef user, unsigned which)
{
	LLVMValueRef v = LLVMGetOperand(user, which);
	const struct dependent *own = dependent_of(r->d, v);
	struct number n = {LLVMTypeOf(v), false, v};

	if (own && !r->k)
		return (struct number){own->type, own->natural, NULL};
	if (own)
		return own->assigned ? assigned(r, v) : compute(r, v);
	if (LLVMIsAConstantInt(v)) {
		long long value = LLVMConstIntGetSExtValue(v);

		/* A literal is an int if it can be. */
		if (width(n.type) > 32 && value == (int)value) {
			n.type = LLVMInt32TypeInContext(r->m->context);
			n.value = LLVMConstInt(n.type, (unsigned long long)value, true);
		}
	} else if (is_cast(v) && !is_explicit(r->d, v)) {
		/* It is converted only because the other operand has the old type. */
		LLVMOpcode opcode = LLVMGetInstructionOpcode(v);

		n.value = LLVMGetOperand(v, 0);
		n.type = LLVMTypeOf(n.value);
		n.natural = opcode == LLVMZExt || opcode == LLVMUIToFP;
		if (!r->k)
			n.value = NULL;
		return promote(r, n);
	} else {
		n.natural = is_natural(r, v, user, 0);
	}
	if (!r->k)
		n.value = NULL;
	return n;
}

/* How phis compute, which divide nothing. */
static LLVMValueRef binary(void *context, int opcode, LLVMValueRef a, LLVMValueRef b)
{
	return LLVMBuildBinOp(context, (LLVMOpcode)opcode, a, b, "");
}

static int real_opcode(int opcode)
{
	switch (opcode) {
	case LLVMAdd:
	case LLVMFAdd: return LLVMFAdd;
	case LLVMSub:
	case LLVMFSub: return LLVMFSub;
	case LLVMMul:
	case LLVMFMul: return LLVMFMul;
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMFDiv: return LLVMFDiv;
	default: return 0; /* C has none */
	}
}

static int whole_opcode(int opcode, bool natural)
{
	switch (opcode) {
	case LLVMFAdd: return LLVMAdd;
	case LLVMFSub: return LLVMSub;
	case LLVMFMul: return LLVMMul;
	case LLVMFDiv:
	case LLVMSDiv:
	case LLVMUDiv: return natural ? LLVMUDiv : LLVMSDiv;
	case LLVMSRem:
	case LLVMURem: return natural ? LLVMURem : LLVMSRem;
	case LLVMAShr:
	case LLVMLShr: return natural ? LLVMLShr : LLVMAShr;
	default: return opcode;
	}
}

/* As C computes a op b. No type: it does not compile. */
static struct number operate(const struct retyping *r, int opcode, struct number a, struct number b)
{
	bool shift = opcode == LLVMShl || opcode == LLVMAShr || opcode == LLVMLShr;
	struct number n = shift ? promote(r, a) : common(r, a, b);

	opcode = is_real(n.type) ? real_opcode(opcode) : whole_opcode(opcode, n.natural);
	if (!opcode || (shift && !is_whole(b.type)))
		return (struct number){0};
	n.value = NULL;
	if (r->k) {
		a = convert(r, promote(r, a), n.type, n.natural);
		b = convert(r, promote(r, b), n.type, n.natural);
		n.value = r->k->binary(r->k->context, opcode, a.value, b.value);
	}
	return n;
}

static int whole_predicate(int p, bool natural)
{
	static const int table[][2] = {{LLVMIntSLT, LLVMIntULT},
	                               {LLVMIntSLE, LLVMIntULE},
	                               {LLVMIntSGT, LLVMIntUGT},
	                               {LLVMIntSGE, LLVMIntUGE}};

	for (int i = 0; i < 4; i++)
		if (p == table[i][0] || p == table[i][1])
			return table[i][natural];
	return p;
}

static LLVMRealPredicate real_predicate(int p)
{
	switch (whole_predicate(p, false)) {
	case LLVMIntSLT: return LLVMRealOLT;
	case LLVMIntSLE: return LLVMRealOLE;
	case LLVMIntSGT: return LLVMRealOGT;
	case LLVMIntSGE: return LLVMRealOGE;
	case LLVMIntEQ: return LLVMRealOEQ;
	default: return LLVMRealUNE;
	}
}

static struct number compare(const struct retyping *r, LLVMValueRef v)
{
	struct number a = operand(r, v, 0), b = operand(r, v, 1), n = common(r, a, b);
	bool whole = LLVMIsAICmpInst(v);
	int p = whole ? (int)LLVMGetICmpPredicate(v) : (int)LLVMGetFCmpPredicate(v);

	if (r->k) {
		a = convert(r, promote(r, a), n.type, n.natural);
		b = convert(r, promote(r, b), n.type, n.natural);
		n.value = is_real(n.type)
		                  ? LLVMBuildFCmp(r->k->b,
		                                  whole ? real_predicate(p) : (LLVMRealPredicate)p,
		                                  a.value, b.value, "")
		                  : LLVMBuildICmp(r->k->b,
		                                  (LLVMIntPredicate)whole_predicate(p, n.natural),
		                                  a.value, b.value, "");
	}
	n.type = LLVMTypeOf(v);
	n.natural = false;
	return n;
}

/* What an instruction computes with the other declaration. No type: it would not compile. */
static struct number compute(const struct retyping *r, LLVMValueRef v)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(v);
	struct number n, other;

	if (opcode == LLVMLoad)
		return (struct number){r->d->type, r->d->natural, r->k ? load_shadow(r, v) : NULL};
	if (opcode == LLVMPHI) {
		const struct dependent *own = dependent_of(r->d, v);

		if (r->k)
			return (struct number){own->type, own->natural, own->wide};
		n = operand(r, v, 0);
		for (unsigned i = 1; i < LLVMCountIncoming(v); i++) {
			other = operand(r, v, i);
			n = common(r, n, other);
		}
		return n;
	}
	if (opcode == LLVMICmp || opcode == LLVMFCmp)
		return compare(r, v);
	if (is_cast(v)) {
		n = operand(r, v, 0);
		if (!is_explicit(r->d, v))
			return promote(r, n);
		return convert(r, n, LLVMTypeOf(v), opcode == LLVMFPToUI);
	}
	if (opcode == LLVMFNeg) {
		n = promote(r, operand(r, v, 0));
		if (r->k)
			n.value = LLVMBuildFNeg(r->k->b, n.value, "");
		return n;
	}
	if (is_fmuladd(v)) {
		n = operate(r, LLVMFMul, operand(r, v, 0), operand(r, v, 1));
		return operate(r, LLVMFAdd, n, operand(r, v, 2));
	}
	return operate(r, (int)opcode, operand(r, v, 0), operand(r, v, 1));
}

/* --- which values depend on the variables --- */

/* Does what it computes have another type if an operand has? */
static bool propagates(LLVMValueRef i)
{
	return is_number(LLVMTypeOf(i)) &&
	       (is_cast(i) || LLVMIsABinaryOperator(i) || is_fmuladd(i) || LLVMIsAPHINode(i) ||
	        LLVMGetInstructionOpcode(i) == LLVMFNeg);
}

/* Phis are computed whether the edit is in force or not: nothing may trap. */
static bool divides(const struct edit_declared *d, LLVMValueRef v)
{
	if (!dependent_of(d, v))
		return false;
	if (is_division(v))
		return true;
	for (int n = 0; n < LLVMGetNumOperands(v) && !LLVMIsALoadInst(v); n++)
		if (divides(d, LLVMGetOperand(v, (unsigned)n)))
			return true;
	return false;
}

static bool uses_dependent(const struct edit_declared *d, LLVMValueRef i)
{
	for (int n = 0; n < LLVMGetNumOperands(i); n++)
		if (dependent_of(d, LLVMGetOperand(i, (unsigned)n)))
			return true;
	return false;
}

static struct dependent *add_dependent(struct edit_declared *d, LLVMValueRef of, struct number n)
{
	struct dependent *own = &d->dependents[d->size++];

	*own = (struct dependent){.of = of, .type = n.type, .natural = n.natural};
	return own;
}

/* A number where C wants a whole one: an index, a format's argument, a case. */
static bool wants_whole(LLVMValueRef user, LLVMValueRef v)
{
	if (LLVMIsACallInst(user)) {
		LLVMTypeRef type = LLVMGetCalledFunctionType(user);
		unsigned fixed = LLVMCountParamTypes(type);

		for (unsigned n = fixed;
		     LLVMIsFunctionVarArg(type) && n < LLVMGetNumArgOperands(user); n++)
			if (LLVMGetOperand(user, n) == v)
				return true;
		return false;
	}
	return LLVMIsAGetElementPtrInst(user) || LLVMIsASwitchInst(user) ||
	       LLVMIsAIntToPtrInst(user) || LLVMIsAAllocaInst(user);
}

/* Finds what depends on the variables, in the order of the code. False: the program would not compile, or it is too much. */
static bool find_dependents(struct edit_module *m, struct edit_declared *d, LLVMValueRef function)
{
	struct retyping r = {m, d, NULL};
	LLVMTypeRef i32 = LLVMInt32TypeInContext(m->context);
	/* Of the same width, but signed or not: a type as before does not say that the value is. */
	bool sign = d->old == d->type;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			struct number n = {d->type, d->natural, NULL};
			LLVMValueRef value;
			struct dependent *own;

			if (d->size == MOST_DEPENDENT)
				return false;
			if (LLVMIsALoadInst(i) && variable_at(d, LLVMGetOperand(i, 0)) >= 0) {
				add_dependent(d, i, n);
				continue;
			}
			if (is_assignment(d, i)) {
				value = LLVMGetOperand(i, 0);
				if (!LLVMIsAInstruction(value) || LLVMIsALoadInst(value) ||
				    !LLVMGetNextUse(LLVMGetFirstUse(value)))
					continue;
				own = dependent_of(d, value);
				if (!own) {
					own = add_dependent(d, value, n);
					own->pure = true;
				}
				own->assigned = true;
				own->type = d->type;
				own->natural = d->natural;
				continue;
			}
			if (!uses_dependent(d, i))
				continue;
			if (LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i)) {
				if (!is_number(LLVMTypeOf(LLVMGetOperand(i, 0))))
					return false;
				continue;
			}
			if (!propagates(i))
				continue;
			if (LLVMIsAPHINode(i)) {
				bool bad = false;

				for (unsigned s = 0; s < LLVMCountIncoming(i); s++)
					bad |= divides(d, LLVMGetIncomingValue(i, s));
				if (bad)
					continue;
			}
			n = compute(&r, i);
			if (!n.type)
				return false;
			/* Here it has the type that it had before. */
			if (n.type == LLVMTypeOf(i) && (!sign || (n.type == i32 && d->old != i32)))
				continue;
			if (is_cast(i) && is_explicit(d, i))
				continue;
			add_dependent(d, i, n);
		}
	for (uint32_t i = 0; i < d->size && is_whole(d->old) && is_real(d->type); i++)
		for (LLVMUseRef u = LLVMGetFirstUse(d->dependents[i].of); u; u = LLVMGetNextUse(u))
			if (wants_whole(LLVMGetUser(u), d->dependents[i].of) &&
			    is_real(d->dependents[i].type))
				return false;
	return true;
}

/* Is the value replaced by the one with the edit, converted to the type that it has? So is what a format says to be an int, though
   it is wider then: `%d` prints the same of a long long that fits an int, and what does not fit is not printed right with the
   patch either. */
static bool is_root(const struct edit_declared *d, LLVMValueRef i)
{
	const struct dependent *own = dependent_of(d, i);

	if (LLVMIsALoadInst(i) || LLVMIsAPHINode(i) || (own && own->pure))
		return false;
	if (!own)
		return uses_dependent(d, i) &&
		       (propagates(i) || LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i));
	for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (is_assignment(d, user) || dependent_of(d, user))
			continue;
		if (LLVMIsAICmpInst(user) || LLVMIsAFCmpInst(user) ||
		    (propagates(user) && !LLVMIsAPHINode(user)))
			continue;
		return true;
	}
	return false;
}

/* --- generating --- */

struct new_type {
	const char *name;
	bool real, natural;
	unsigned width;
};

/* Is nothing done with the variable but reading and assigning it? */
static bool is_plain(struct edit_module *m, const struct variable *v, LLVMValueRef function)
{
	const struct ctype *type = ctype_strip(v->type);
	LLVMTypeRef own;

	if (!v->storage || !LLVMIsAAllocaInst(v->storage) || v->artificial || v->indirect ||
	    v->inlined || v->also || !v->name || !v->file || !v->line || !v->column || !type ||
	    (type->kind != CTYPE_CHAR && type->kind != CTYPE_INTEGER &&
	     type->kind != CTYPE_FLOAT) ||
	    LLVMGetInstructionParent(v->storage) != LLVMGetEntryBasicBlock(function))
		return false;
	own = LLVMGetAllocatedType(v->storage);
	if (!is_number(own) || LLVMABISizeOfType(m->plan->layout, own) != type->size)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(v->storage); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsALoadInst(user)    ? LLVMTypeOf(user) != own
		    : LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) != v->storage ||
		                                       LLVMTypeOf(LLVMGetOperand(user, 0)) != own
		                             : true)
			return false;
		if (LLVMGetVolatile(user))
			return false;
	}
	if (!v->argument)
		return true;
	/* What callers give must not have been converted to its type: that conversion would be another one. */
	if (!strcmp(LLVMGetValueName(function), "main"))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u), given;

		if (!LLVMIsACallInst(call) || ir_callee(call) != function ||
		    v->argument > LLVMGetNumArgOperands(call))
			return false;
		given = LLVMGetOperand(call, v->argument - 1);
		if (LLVMIsAInstruction(given) ? is_cast(given) : !LLVMIsAConstantInt(given))
			return false;
	}
	return true;
}

struct making {
	struct edit_module *m;
	const struct edit_wish *wish;
	uint32_t function;
	LLVMValueRef f;
};

static bool is_wanted(const struct making *k, LLVMBasicBlockRef block)
{
	const struct plan_function *f = &k->m->plan->functions.at[k->function];

	for (uint32_t b = 0; b < f->blocks.size && k->wish->blocks; b++)
		if (f->blocks.at[b].block == block)
			return k->wish->blocks[k->function][b];
	return !k->wish->blocks;
}

static struct edit *add_place(struct making *k, struct edit_declared *d, const struct edit *like,
                              LLVMValueRef at, uint32_t ordinal, bool *led)
{
	struct edit *e = vec_push(&k->m->edits);

	*e = *like;
	e->declared = d;
	e->at = at;
	e->ordinal = ordinal;
	e->follows =
		*led || !LLVMGetDebugLocLine(at) || !is_wanted(k, LLVMGetInstructionParent(at));
	*led |= !e->follows;
	return e;
}

/* The edit of some variables: all its places. */
static void add_edit(struct making *k, const struct variable *const *list, uint32_t count,
                     const struct new_type *type)
{
	struct edit_module *m = k->m;
	struct edit_declared *d = arena_alloc(&m->arena, sizeof(*d));
	const struct ctype *old = ctype_strip(list[0]->type);
	struct dependent *found = mem_alloc(MOST_DEPENDENT * sizeof(*found));
	struct str names = STR_INIT;
	struct edit like = {.kind = EDIT_DECLARED,
	                    .operation = EDIT_RETYPE,
	                    .module = m->number,
	                    .function = k->function,
	                    .line = list[0]->line,
	                    .column = list[0]->column};
	uint32_t ordinal = 0, before = m->edits.size;
	bool led = false, good;

	d->count = count;
	for (uint32_t i = 0; i < count; i++) {
		d->variables[i] = list[i]->storage;
		str_printf(&names, "%s%s", i ? ", " : " ", list[i]->name);
	}
	d->old = LLVMGetAllocatedType(list[0]->storage);
	d->old_natural = !old->is_signed && is_whole(d->old);
	d->type = type->real ? LLVMDoubleTypeInContext(m->context)
	                     : LLVMIntTypeInContext(m->context, type->width);
	d->natural = type->natural;
	d->dependents = found;
	good = find_dependents(m, d, k->f);
	d->dependents = arena_alloc(&m->arena, (d->size + 1) * sizeof(*found));
	memcpy(d->dependents, found, d->size * sizeof(*found));
	free(found);
	like.file = arena_strdup(&m->arena, list[0]->file);
	like.is = arena_printf(&m->arena, "%s%s", type->name, str_text(&names));
	like.was = arena_printf(&m->arena, "%s%s",
	                        list[0]->type->name ? list[0]->type->name : old->name,
	                        str_text(&names));
	like.group = arena_printf(&m->arena, "declared %u %u %u:%u %s", m->number, k->function,
	                          like.line, like.column, like.is);
	like.part = list[0]->argument != 0;
	str_deinit(&names);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->f); b && good;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i), ordinal++) {
			struct edit *e;

			if (is_assignment(d, i)) {
				e = add_place(k, d, &like, i, ordinal, &led);
				e->where = EDIT_OPERAND;
			}
			/* As it was, a division might trap that nobody makes. */
			if (LLVMIsABinaryOperator(i) && is_division(i) && uses_dependent(d, i)) {
				e = add_place(k, d, &like, i, ordinal, &(bool){true});
				e->where = EDIT_OPERAND;
				e->operand = 1;
				e->follows = true;
			}
			if (is_root(d, i)) {
				e = add_place(k, d, &like, i, ordinal, &led);
				e->where = EDIT_RESULT;
			}
		}
	/* Nobody executed it. */
	if (!led)
		m->edits.size = before;
	for (uint32_t i = before; i < m->edits.size && led; i++)
		if (!m->edits.at[i].follows) {
			unsigned length = 0;
			LLVMValueRef at = m->edits.at[i].at;
			const char *file = LLVMGetDebugLocFilename(at, &length);

			m->edits.at[i].reader =
				file ? arena_strndup(&m->arena, file, length) : NULL;
			m->edits.at[i].reader_line = LLVMGetDebugLocLine(at);
		}
}

static void add_variable(struct making *k, const struct variable_list *all, uint32_t number)
{
	const struct variable *v = all->at[number], *together[MOST_TOGETHER];
	struct new_type types[3];
	uint32_t count, size = 0, same = 0;
	bool first = true;

	if (!is_plain(k->m, v, k->f))
		return;
	for (uint32_t i = 0; i < all->size && !v->argument; i++) {
		const struct variable *o = all->at[i];

		if (o->line != v->line || o->scope != v->scope || o->type != v->type ||
		    o->argument || !o->file || strcmp(o->file, v->file))
			continue;
		same++;
		first &= i >= number;
		if (size < MOST_TOGETHER && is_plain(k->m, o, k->f))
			together[size++] = o;
	}
	/* The other types that a variable may have, the likeliest first. */
	LLVMTypeRef old = LLVMGetAllocatedType(v->storage);
	bool natural =
		!ctype_strip(v->type)->is_signed && ctype_strip(v->type)->kind != CTYPE_FLOAT;

	count = 0;
	static const struct new_type real = {"double", true, false, 64},
				     wide = {"long long", false, false, 64},
				     plain = {"int", false, false, 32},
				     nat = {"unsigned", false, true, 32},
				     byte = {"unsigned char", false, true, 8},
				     signed_byte = {"signed char", false, false, 8};

	if (LLVMGetTypeKind(old) == LLVMFloatTypeKind) {
		types[count++] = real;
	} else if (is_whole(old) && width(old) == 64) {
		types[count++] = natural ? wide : real;
	} else if (is_whole(old) && width(old) == 32) {
		types[count++] = wide;
		types[count++] = natural ? plain : nat;
		types[count++] = real;
	} else if (is_whole(old)) {
		types[count++] = plain;
		if (width(old) == 8)
			types[count++] = natural ? signed_byte : byte;
	}
	for (uint32_t i = 0; i < count; i++) {
		/* A parameter that becomes unsigned changes comparisons only, and fits by accident more often than not. */
		if (v->argument && types[i].natural)
			continue;
		add_edit(k, &v, 1, &types[i]);
		if (first && size > 1 && size == same)
			add_edit(k, together, size, &types[i]);
	}
}

void edit_generate_declared(struct edit_module *m, const struct edit_wish *wish)
{
	uint32_t before = m->edits.size;

	for (uint32_t f = 0; f < m->plan->functions.size; f++) {
		struct making k = {m, wish, f, m->plan->functions.at[f].function};
		const struct variable_list *all;

		if (!(wish->blocks ? wish->blocks[f] != NULL : wish->functions[f]) ||
		    edit_is_refused(k.f))
			continue;
		all = variables_of_function(m->variables, k.f);
		for (uint32_t i = 0; all && i < all->size; i++)
			add_variable(&k, all, i);
	}
	if (m->edits.size > before)
		edit_sort(m);
}

/* --- building --- */

void edit_declare(struct edit_module *m, struct edit_declared *d, LLVMBuilderRef b, bool copy)
{
	struct edit_declared_builder lent = {.b = b, .binary = binary, .context = b};
	struct retyping r = {m, d, &lent};

	if (d->shadows[0])
		return;
	for (uint32_t i = 0; i < d->count; i++) {
		LLVMBasicBlockRef entry = LLVMGetInstructionParent(d->variables[i]);
		LLVMValueRef at = LLVMGetFirstInstruction(entry);

		/* After the others, so that those stay where they are in the frame: what was never assigned has the value that
		   it has by accident. */
		while (LLVMIsAAllocaInst(at))
			at = LLVMGetNextInstruction(at);
		LLVMPositionBuilderBefore(b, at);
		LLVMSetCurrentDebugLocation2(b, NULL);
		d->shadows[i] = LLVMBuildAlloca(b, d->type, "");
		if (copy) {
			struct number n = {d->old, d->old_natural,
			                   LLVMBuildLoad2(b, d->old, d->variables[i], "")};

			LLVMBuildStore(b, convert(&r, n, d->type, d->natural).value, d->shadows[i]);
		}
	}
	for (uint32_t i = 0; i < d->size; i++) {
		struct dependent *own = &d->dependents[i];

		if (!LLVMIsAPHINode(own->of))
			continue;
		LLVMPositionBuilderBefore(b, own->of);
		LLVMSetCurrentDebugLocation2(b, NULL);
		own->wide = LLVMBuildPhi(b, own->type, "");
		for (unsigned n = 0; n < LLVMCountIncoming(own->of); n++) {
			LLVMBasicBlockRef from = LLVMGetIncomingBlock(own->of, n);
			struct number value;

			LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(from));
			LLVMSetCurrentDebugLocation2(b, NULL);
			lent.here = from;
			value = convert(&r, promote(&r, operand(&r, own->of, n)), own->type,
			                own->natural);
			LLVMAddIncoming(own->wide, &value.value, &from, 1);
		}
	}
}

LLVMValueRef edit_declared_value(struct edit_module *m, const struct edit *e,
                                 const struct edit_declared_builder *k)
{
	struct edit_declared *d = e->declared;
	struct retyping r = {m, d, k};
	const struct dependent *own = dependent_of(d, e->at);
	LLVMValueRef old = e->where == EDIT_RESULT ? e->at : LLVMGetOperand(e->at, e->operand);
	struct number n;

	if (e->where == EDIT_RESULT) {
		n = own && own->assigned ? assigned(&r, e->at) : compute(&r, e->at);
	} else if (e->operand) {
		return LLVMConstInt(LLVMTypeOf(old), 1, false);
	} else {
		n = assigned(&r, old);
		LLVMBuildStore(k->b, n.value, d->shadows[variable_at(d, LLVMGetOperand(e->at, 1))]);
	}
	return convert(&r, n, LLVMTypeOf(old),
	               e->where == EDIT_RESULT ? is_natural(&r, old, NULL, 0) : d->old_natural)
	        .value;
}
