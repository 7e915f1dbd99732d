/*
 * Which edits a function has: see edit.h. All are typed: what replaces a value has its type, names are
 * visible where they are used. An edit that computes the same as the code at all times (x * 1 for
 * x / 1) may be among them; a scout finds it idle.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "edit/edit.h"
#include "run/blobs.h"

#define MOST_VARIABLES 24u /* that a place is offered, the nearest first */
#define MOST_CONSTANTS 12u /* of a function */

const char *const edit_class_names[EDIT_CLASSES] = {
	[EDIT_CLASS_OPERATOR] = "operator",   [EDIT_CLASS_CONSTANT] = "constant",
	[EDIT_CLASS_VARIABLE] = "variable",   [EDIT_CLASS_OPERAND] = "operand",
	[EDIT_CLASS_CONDITION] = "condition", [EDIT_CLASS_CALL] = "call",
	[EDIT_CLASS_STATEMENT] = "statement", [EDIT_CLASS_DATA] = "data",
	[EDIT_CLASS_WIDTH] = "width",
};

/* --- modules --- */

struct hence_error *edit_module_open(const struct program_module *loaded, uint32_t number,
                                     struct edit_module *out)
{
	struct edit_module m = {.number = number, .loaded = loaded};
	LLVMMemoryBufferRef buffer = NULL;
	const struct blob *blob;
	struct blobs *blobs;
	struct hence_error *error = blobs_open(loaded->path, &blobs);
	uint8_t *bitcode = NULL;
	size_t size;

	if (error)
		return error;
	blob = blobs_find(blobs, loaded->hash);
	error = blob ? blobs_bitcode(blobs, blob, &bitcode, &size)
	             : error_create(HENCE_ERROR_INPUT, "%s has changed since it was recorded",
	                            loaded->path);
	blobs_close(blobs);
	if (error)
		return error;
	m.context = LLVMContextCreate();
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((char *)bitcode, size, "ir");
	free(bitcode);
	if (LLVMParseBitcodeInContext2(m.context, buffer, &m.ir)) {
		LLVMDisposeMemoryBuffer(buffer);
		LLVMContextDispose(m.context);
		return error_create(HENCE_ERROR_INPUT, "the IR in %s is damaged; rebuild it",
		                    loaded->path);
	}
	LLVMDisposeMemoryBuffer(buffer);
	m.plan = plan_create(m.ir);
	vec_reserve(&m.poked, m.plan->globals.size + 1);
	memset(m.poked.at, 0, m.poked.room * sizeof(*m.poked.at));
	m.types = types_create(m.ir);
	m.variables = variables_create(m.types);
	*out = m;
	return NULL;
}

void edit_module_close(struct edit_module *m)
{
	if (!m->context)
		return;
	variables_destroy(m->variables);
	types_destroy(m->types);
	if (m->plan)
		plan_destroy(m->plan);
	LLVMDisposeModule(m->ir);
	LLVMContextDispose(m->context);
	arena_deinit(&m->arena);
	vec_deinit(&m->edits);
	vec_deinit(&m->poked);
	*m = (struct edit_module){0};
}

/* --- what a function has --- */

/* A scalar variable that an edit may name. */
struct candidate {
	const struct variable *variable;
	LLVMTypeRef type; /* of its value */
};

struct loop {
	LLVMBasicBlockRef header, latch, exit; /* exit: NULL if there is none */
	bool *blocks;                          /* by number */
	uint32_t size;
};

struct maker {
	struct edit_module *m;
	uint32_t function;
	LLVMValueRef f;
	uint32_t ordinal;
	VEC(struct candidate) candidates; /* of the function, with globals that it uses */
	VEC(LLVMValueRef) constants;      /* integers and reals that it uses */
	VEC(LLVMValueRef) calls;          /* of functions that it may call instead */
	VEC(LLVMBasicBlockRef) blocks;
	VEC(struct loop) loops;
	LLVMBasicBlockRef out; /* that returns; NULL: several do */
	LLVMValueRef result;   /* the alloca that holds what is returned; NULL: none */
	const struct edit_wish *wish;
};

static bool is_int(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1 &&
	       LLVMGetIntTypeWidth(type) <= 64;
}

/* Of a type that C widens to int before it computes. */
static bool is_narrow(LLVMTypeRef type)
{
	return is_int(type) && LLVMGetIntTypeWidth(type) < 32;
}

static bool is_real(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
	       LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

static bool is_pointer(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind && !LLVMGetPointerAddressSpace(type);
}

static LLVMTypeRef storage_type(LLVMValueRef storage)
{
	/* A local of constant size is there from the start of the function on. */
	if (LLVMIsAAllocaInst(storage))
		return LLVMIsAConstantInt(LLVMGetOperand(storage, 0)) &&
		                       LLVMGetInstructionParent(storage) ==
		                               LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(
						       LLVMGetInstructionParent(storage)))
		               ? LLVMGetAllocatedType(storage)
		               : NULL;
	return LLVMIsAGlobalVariable(storage) ? LLVMGlobalGetValueType(storage) : NULL;
}

static void add_candidate(struct maker *k, const struct variable *v)
{
	LLVMTypeRef type;

	if (!v || !v->storage || v->artificial || v->indirect || !v->name || v->inlined)
		return;
	type = storage_type(v->storage);
	if (!type || (!is_int(type) && !is_real(type) && !is_pointer(type)))
		return;
	if (LLVMIsAGlobalVariable(v->storage) && LLVMIsThreadLocal(v->storage))
		return;
	for (uint32_t i = 0; i < k->candidates.size; i++)
		if (k->candidates.at[i].variable == v)
			return;
	*vec_push(&k->candidates) = (struct candidate){v, type};
}

static void add_constant(struct maker *k, LLVMValueRef value)
{
	if (!LLVMIsAConstantInt(value) && !LLVMIsAConstantFP(value))
		return;
	if (!is_int(LLVMTypeOf(value)) && !is_real(LLVMTypeOf(value)))
		return;
	for (uint32_t i = 0; i < k->constants.size; i++)
		if (k->constants.at[i] == value)
			return;
	if (k->constants.size < 4 * MOST_CONSTANTS)
		*vec_push(&k->constants) = value;
}

static uint32_t block_number(const struct maker *k, LLVMBasicBlockRef block)
{
	for (uint32_t i = 0; i < k->blocks.size; i++)
		if (k->blocks.at[i] == block)
			return i;
	return UINT32_MAX;
}

static void grow_loop(struct maker *k, struct loop *loop, uint32_t block)
{
	if (loop->blocks[block])
		return;
	loop->blocks[block] = true;
	loop->size++;
	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
			if (LLVMGetSuccessor(end, s) == k->blocks.at[block])
				grow_loop(k, loop, i);
	}
}

/* A branch back to a block that comes earlier makes a loop, as clang writes them. */
static void find_loops(struct maker *k)
{
	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]);

		for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
			uint32_t header = block_number(k, LLVMGetSuccessor(end, s));
			struct loop *loop;

			if (header > i || k->blocks.size > 400)
				continue;
			loop = vec_push(&k->loops);
			loop->header = k->blocks.at[header];
			loop->latch = k->blocks.at[i];
			loop->blocks = mem_alloc(k->blocks.size);
			loop->blocks[header] = true;
			loop->size = 1;
			grow_loop(k, loop, i);
			for (int which = 0; which < 2 && !loop->exit; which++) {
				LLVMValueRef last = LLVMGetBasicBlockTerminator(
					which ? loop->latch : loop->header);

				for (unsigned e = 0; e < LLVMGetNumSuccessors(last); e++) {
					LLVMBasicBlockRef to = LLVMGetSuccessor(last, e);

					if (!loop->blocks[block_number(k, to)])
						loop->exit = to;
				}
			}
		}
	}
}

static void find_return(struct maker *k)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < k->blocks.size; i++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[i]), value;

		if (!LLVMIsAReturnInst(end))
			continue;
		count++;
		k->out = k->blocks.at[i];
		value = LLVMGetNumOperands(end) ? LLVMGetOperand(end, 0) : NULL;
		if (value && LLVMIsALoadInst(value) &&
		    LLVMIsAAllocaInst(LLVMGetOperand(value, 0)) &&
		    !variables_of_alloca(k->m->variables, LLVMGetOperand(value, 0)) &&
		    LLVMGetInstructionParent(value) == k->out)
			k->result = LLVMGetOperand(value, 0);
	}
	if (count != 1)
		k->out = NULL;
}

static void survey(struct maker *k)
{
	const struct variable_list *own = variables_of_function(k->m->variables, k->f);

	for (uint32_t i = 0; own && i < own->size; i++)
		add_candidate(k, own->at[i]);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->f); b; b = LLVMGetNextBasicBlock(b)) {
		*vec_push(&k->blocks) = b;
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			unsigned operands = (unsigned)LLVMGetNumOperands(i);
			bool call = LLVMIsACallInst(i);

			for (unsigned n = 0;
			     n < operands && !LLVMIsAGetElementPtrInst(i) && !LLVMIsAAllocaInst(i);
			     n++) {
				LLVMValueRef value = LLVMGetOperand(i, n);

				if (!call || n + 1 < operands)
					add_constant(k, value);
				if (LLVMIsAGlobalVariable(value))
					add_candidate(k,
					              variables_of_global(k->m->variables, value));
			}
		}
	}
	find_loops(k);
	find_return(k);
}

/* --- names and places --- */

/* Of a branch on one operand of && or ||, which both have the place of the operator: which one? */
static uint32_t part_of(LLVMValueRef branch)
{
	if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
		return 0;
	for (unsigned s = 0; s < 2; s++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(branch, s));

		if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && end != branch &&
		    LLVMGetDebugLocLine(end) == LLVMGetDebugLocLine(branch) &&
		    LLVMGetDebugLocColumn(end) == LLVMGetDebugLocColumn(branch))
			return 1;
		/* As a value: the other operand is computed only if this one does not decide. */
		if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(branch, s))))
			return 1;
	}
	return 2;
}

/* xor x, true */
static bool is_not(LLVMValueRef value)
{
	return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMXor &&
	       LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

static struct edit *add(struct maker *k, enum edit_kind kind, enum edit_where where,
                        LLVMValueRef at, LLVMValueRef place)
{
	struct edit *e = vec_push(&k->m->edits);
	unsigned length = 0, folder = 0;
	const char *file = LLVMGetDebugLocFilename(place, &length);
	const char *dir = LLVMGetDebugLocDirectory(place, &folder);

	e->kind = kind;
	e->where = where;
	e->module = k->m->number;
	e->function = k->function;
	e->ordinal = k->ordinal;
	e->at = at;
	e->part = part_of(at);
	if (LLVMIsABranchInst(at) && LLVMIsConditional(at) && !is_not(LLVMGetCondition(at)))
		e->part |= EDIT_PART_PLAIN;
	e->line = LLVMGetDebugLocLine(place);
	e->column = LLVMGetDebugLocColumn(place);
	(void)dir;
	if (file && e->line)
		e->file = arena_strndup(&k->m->arena, file, length);
	return e;
}

static bool has_place(LLVMValueRef i)
{
	return LLVMGetDebugLocLine(i) != 0;
}

static bool same_place(LLVMValueRef a, LLVMValueRef b)
{
	return LLVMGetDebugLocLine(a) == LLVMGetDebugLocLine(b) &&
	       LLVMGetDebugLocColumn(a) == LLVMGetDebugLocColumn(b);
}

static struct edit_term its(uint32_t operand)
{
	return (struct edit_term){.kind = EDIT_ITS, .operand = operand};
}

static struct edit_term original(void)
{
	return (struct edit_term){.kind = EDIT_ORIGINAL};
}

static struct edit_term integer(LLVMTypeRef type, int64_t value)
{
	return (struct edit_term){.kind = EDIT_CONSTANT, .type = type, .constant = value};
}

static struct edit_term real(LLVMTypeRef type, double value)
{
	return (struct edit_term){.kind = EDIT_CONSTANT, .type = type, .real = value};
}

static struct edit_term loaded(const struct candidate *c)
{
	return (struct edit_term){
		.kind = EDIT_LOADED, .value = c->variable->storage, .type = c->type};
}

static const char *text(struct maker *k, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static const char *text(struct maker *k, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	return arena_strdup(&k->m->arena, line);
}

static const char *constant_text(struct maker *k, LLVMValueRef c)
{
	LLVMBool lost;

	if (LLVMIsAConstantInt(c))
		return text(k, "%lld", LLVMConstIntGetSExtValue(c));
	return text(k, "%.17g", LLVMConstRealGetDouble(c, &lost));
}

/* May it be named where the instruction stands? */
static bool is_visible(struct maker *k, const struct candidate *c, LLVMValueRef at)
{
	const struct variable *v = c->variable;
	const struct variable_scope *scope = variables_scope(k->m->variables, at);
	unsigned line = LLVMGetDebugLocLine(at), column = LLVMGetDebugLocColumn(at);

	if (!v->scope)
		return true;
	for (; scope && scope != v->scope; scope = scope->parent)
		continue;
	if (!scope)
		return false;
	return v->argument || !v->line || v->line < line || (v->line == line && v->column < column);
}

static bool same_ctype(const struct ctype *a, const struct ctype *b)
{
	struct str one = STR_INIT, two = STR_INIT;
	bool same;

	a = ctype_strip(a);
	b = ctype_strip(b);
	if (a == b || !a || !b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	if (a->kind == CTYPE_POINTER)
		return same_ctype(a->target, b->target);
	if (a->kind == CTYPE_INTEGER || a->kind == CTYPE_CHAR || a->kind == CTYPE_FLOAT)
		return a->size == b->size;
	ctype_name(a, &one);
	ctype_name(b, &two);
	same = !strcmp(str_text(&one), str_text(&two));
	str_deinit(&one);
	str_deinit(&two);
	return same;
}

static const struct candidate *candidate_of(const struct maker *k, LLVMValueRef storage)
{
	for (uint32_t i = 0; i < k->candidates.size; i++)
		if (k->candidates.at[i].variable->storage == storage)
			return &k->candidates.at[i];
	return NULL;
}

/* --- classes --- */

static const char *const int_predicates[] = {
	[LLVMIntEQ] = "==", [LLVMIntNE] = "!=",  [LLVMIntUGT] = ">", [LLVMIntUGE] = ">=",
	[LLVMIntULT] = "<", [LLVMIntULE] = "<=", [LLVMIntSGT] = ">", [LLVMIntSGE] = ">=",
	[LLVMIntSLT] = "<", [LLVMIntSLE] = "<=",
};

static const char *real_predicate(int p)
{
	switch (p) {
	case LLVMRealOEQ:
	case LLVMRealUEQ: return "==";
	case LLVMRealONE:
	case LLVMRealUNE: return "!=";
	case LLVMRealOLT:
	case LLVMRealULT: return "<";
	case LLVMRealOLE:
	case LLVMRealULE: return "<=";
	case LLVMRealOGT:
	case LLVMRealUGT: return ">";
	case LLVMRealOGE:
	case LLVMRealUGE: return ">=";
	default: return NULL;
	}
}

/* Is it the question whether a value is 0 that no operator stands for: `if (x)`? */
static bool is_implicit(LLVMValueRef compare)
{
	LLVMValueRef left = LLVMGetOperand(compare, 0), right = LLVMGetOperand(compare, 1);
	bool zero = LLVMIsNull(right);

	return zero && LLVMIsAInstruction(left) && same_place(left, compare);
}

static void make_compare(struct maker *k, LLVMValueRef i)
{
	static const int signed_set[] = {LLVMIntSLT, LLVMIntSLE, LLVMIntSGT,
	                                 LLVMIntSGE, LLVMIntEQ,  LLVMIntNE};
	static const int unsigned_set[] = {LLVMIntULT, LLVMIntULE, LLVMIntUGT,
	                                   LLVMIntUGE, LLVMIntEQ,  LLVMIntNE};
	static const int real_set[] = {LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
	                               LLVMRealOGE, LLVMRealOEQ, LLVMRealUNE};
	bool whole = LLVMIsAICmpInst(i);
	int old = whole ? (int)LLVMGetICmpPredicate(i) : (int)LLVMGetFCmpPredicate(i);
	const char *was = whole ? int_predicates[old] : real_predicate(old);
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0));
	bool is_unsigned = old == LLVMIntULT || old == LLVMIntULE || old == LLVMIntUGT ||
	                   old == LLVMIntUGE || is_pointer(type);
	const int *set = !whole ? real_set : is_unsigned ? unsigned_set : signed_set;

	if (is_implicit(i) || !was)
		return;
	for (int n = 0; n < 6; n++) {
		struct edit *e;
		const char *is = whole ? int_predicates[set[n]] : real_predicate(set[n]);

		if (!strcmp(was, is))
			continue;
		e = add(k, EDIT_RELATIONAL, EDIT_RESULT, i, i);
		e->operation = EDIT_COMPARE;
		e->code = set[n];
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = is;
	}
	/* As if the operands were of the other signedness. */
	if (whole && is_int(type) && old != LLVMIntEQ && old != LLVMIntNE) {
		struct edit *e = add(k, EDIT_WIDER, EDIT_RESULT, i, i);

		for (int n = 0; n < 4; n++)
			if (set[n] == old)
				e->code = (is_unsigned ? signed_set : unsigned_set)[n];
		e->operation = EDIT_COMPARE;
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = text(k, "%s as %s numbers", was, is_unsigned ? "signed" : "unsigned");
	}
}

static const char *opcode_text(int opcode)
{
	switch (opcode) {
	case LLVMAdd:
	case LLVMFAdd: return "+";
	case LLVMSub:
	case LLVMFSub: return "-";
	case LLVMMul:
	case LLVMFMul: return "*";
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMFDiv: return "/";
	case LLVMSRem:
	case LLVMURem: return "%";
	case LLVMAnd: return "&";
	case LLVMOr: return "|";
	case LLVMXor: return "^";
	case LLVMShl: return "<<";
	case LLVMAShr:
	case LLVMLShr: return ">>";
	default: return NULL;
	}
}

/* Is the variable of an unsigned type that no arithmetic makes signed? */
static bool is_natural(const struct candidate *c)
{
	const struct ctype *type = c ? ctype_strip(c->variable->type) : NULL;

	return type && type->kind == CTYPE_INTEGER && !type->is_signed && type->size >= 4;
}

/* Was the value computed as an unsigned number? Clang marks signed sums as not wrapping. */
static bool is_unsigned(const struct maker *k, LLVMValueRef value, uint32_t depth)
{
	if (!LLVMIsAInstruction(value) || depth > 4)
		return false;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMLoad: return is_natural(candidate_of(k, LLVMGetOperand(value, 0)));
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul: return !LLVMGetNSW(value);
	case LLVMUDiv:
	case LLVMURem:
	case LLVMLShr: return true;
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
		return is_unsigned(k, LLVMGetOperand(value, 0), depth + 1) ||
		       is_unsigned(k, LLVMGetOperand(value, 1), depth + 1);
	case LLVMShl: return is_unsigned(k, LLVMGetOperand(value, 0), depth + 1);
	default: return false;
	}
}

static void make_binary(struct maker *k, LLVMValueRef i)
{
	static const int whole[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMSDiv, LLVMSRem, 0};
	static const int natural[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv, LLVMURem, 0};
	static const int reals[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, 0};
	static const int bits[] = {LLVMAnd, LLVMOr, LLVMXor, 0};
	static const int shifts[] = {LLVMShl, LLVMAShr, 0};
	static const int shifts_natural[] = {LLVMShl, LLVMLShr, 0};
	int old = (int)LLVMGetInstructionOpcode(i);
	const char *was = opcode_text(old);
	LLVMTypeRef type = LLVMTypeOf(i);
	LLVMValueRef left = LLVMGetOperand(i, 0), right = LLVMGetOperand(i, 1);
	bool wraps = is_int(type) && is_unsigned(k, i, 0);
	const int *set = (old == LLVMAdd || old == LLVMSub || old == LLVMMul) && wraps ? natural
	                 : old == LLVMShl && wraps                           ? shifts_natural
	                 : old == LLVMUDiv || old == LLVMURem                ? natural
	                 : old == LLVMAnd || old == LLVMOr || old == LLVMXor ? bits
	                 : old == LLVMLShr                                   ? shifts_natural
	                 : old == LLVMShl || old == LLVMAShr                 ? shifts
	                 : is_real(type)                                     ? reals
	                                                                     : whole;
	enum edit_kind kind = set == bits || set == shifts || set == shifts_natural
	                              ? EDIT_BITWISE
	                              : EDIT_ARITHMETIC;
	/* x++: an addition of 1 or -1 beside its load and store. */
	bool step = (old == LLVMAdd || old == LLVMFAdd) && LLVMIsAConstant(right) &&
	            LLVMIsALoadInst(left) && same_place(left, i);

	if (!was || (!is_int(type) && !is_real(type)))
		return;
	if (step && LLVMIsAConstantInt(right) && llabs(LLVMConstIntGetSExtValue(right)) == 1) {
		bool up = LLVMConstIntGetSExtValue(right) == 1;
		struct edit *e = add(k, EDIT_STEP, EDIT_RESULT, i, i);

		e->operation = EDIT_BINARY;
		e->code = LLVMSub;
		e->a = its(0);
		e->b = its(1);
		e->was = up ? "++" : "--";
		e->is = up ? "--" : "++";
	}
	for (int n = 0; set[n]; n++) {
		struct edit *e;

		if (set[n] == old || (step && kind == EDIT_ARITHMETIC && set[n] != LLVMMul))
			continue;
		if (step)
			break;
		e = add(k, kind, EDIT_RESULT, i, i);
		e->operation = EDIT_BINARY;
		e->code = set[n];
		e->a = its(0);
		e->b = its(1);
		e->was = was;
		e->is = opcode_text(set[n]);
	}
	/* & for && and | for || are the same on truth values; % 2 and & 1 are not edits of each other. */
	for (uint32_t n = 0; !step && is_int(type) && n < k->constants.size && n < 8; n++) {
		const int operations[] = {LLVMAdd, LLVMSub, LLVMMul, wraps ? LLVMUDiv : LLVMSDiv,
		                          wraps ? LLVMURem : LLVMSRem};
		LLVMValueRef c = k->constants.at[n];

		if (LLVMTypeOf(c) != type || LLVMIsNull(c))
			continue;
		for (int o = LLVMConstIntGetSExtValue(c) == 1 ? 5 : 0; o < 5; o++) {
			struct edit *e = add(k, EDIT_EXTENDED, EDIT_RESULT, i, i);

			e->operation = EDIT_BINARY;
			e->code = operations[o];
			e->a = original();
			e->b = integer(type, LLVMConstIntGetSExtValue(c));
			e->was = was;
			e->is = text(k, "%s %s", opcode_text(operations[o]), constant_text(k, c));
		}
	}
	for (int n = 0; n < 2 && !step && is_int(type); n++) {
		struct edit *e = add(k, EDIT_OFF_BY_ONE, EDIT_RESULT, i, i);

		e->operation = EDIT_BINARY;
		e->code = n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = integer(type, 1);
		e->was = was;
		e->is = n ? "- 1" : "+ 1";
	}
	for (uint32_t n = 0; n < 2 && !step; n++) {
		struct edit *e = add(k, EDIT_DROPPED, EDIT_RESULT, i, i);

		e->operation = EDIT_TAKE;
		e->a = its(n);
		e->operand = n;
		e->was = was;
		e->is = n ? "right" : "left";
	}
	(void)left;
}

/* Another constant for one that an instruction uses. */
static void make_constant(struct maker *k, LLVMValueRef i, uint32_t operand, LLVMValueRef place)
{
	LLVMValueRef c = LLVMGetOperand(i, operand);
	LLVMTypeRef type = LLVMTypeOf(c);
	const char *was = constant_text(k, c);
	VEC(int64_t) tried = VEC_INIT;

	if (LLVMIsAConstantFP(c)) {
		LLVMBool lost;
		double value = LLVMConstRealGetDouble(c, &lost);
		double others[] = {value + 1, value - 1, -value, 0, 1, value * 10, value / 10, 0.5};

		for (uint32_t n = 0; n < sizeof(others) / sizeof(*others); n++) {
			struct edit *e;

			if (others[n] == value)
				continue;
			e = add(k, n < 2 ? EDIT_NEAR : EDIT_OTHER_CONSTANT, EDIT_OPERAND, i, place);
			e->operand = operand;
			e->operation = EDIT_TAKE;
			e->a = real(type, others[n]);
			e->was = was;
			e->is = text(k, "%.17g", others[n]);
		}
		return;
	}
	{
		int64_t value = LLVMConstIntGetSExtValue(c);
		int64_t others[6 + 4 * MOST_CONSTANTS] = {value + 1, value - 1, 0, 1, -value};
		uint32_t count = 5, used = 0;

		for (uint32_t n = 0; n < k->constants.size && used < MOST_CONSTANTS; n++) {
			LLVMValueRef other = k->constants.at[n];

			if (LLVMTypeOf(other) != type)
				continue;
			others[count++] = LLVMConstIntGetSExtValue(other);
			used++;
		}
		for (uint32_t n = 0; n < count; n++) {
			bool known = others[n] == value;
			struct edit *e;

			for (uint32_t t = 0; t < tried.size; t++)
				known |= tried.at[t] == others[n];
			if (known)
				continue;
			*vec_push(&tried) = others[n];
			e = add(k, n < 2 ? EDIT_NEAR : EDIT_OTHER_CONSTANT, EDIT_OPERAND, i, place);
			e->operand = operand;
			e->operation = EDIT_TAKE;
			e->a = integer(type, others[n]);
			e->was = was;
			e->is = text(k, "%lld", (long long)others[n]);
		}
		vec_deinit(&tried);
	}
	/* A variable in its place. */
	for (uint32_t n = 0, used = 0; n < k->candidates.size && used < MOST_VARIABLES; n++) {
		const struct candidate *v = &k->candidates.at[n];
		struct edit *e;

		if (v->type != type || !is_visible(k, v, place))
			continue;
		used++;
		e = add(k, EDIT_VARIABLE_FOR, EDIT_OPERAND, i, place);
		e->operand = operand;
		e->operation = EDIT_TAKE;
		e->a = loaded(v);
		e->was = was;
		e->is = v->variable->name;
	}
}

/* Is the load only one half of x++ or x += y? */
static bool is_half(LLVMValueRef load)
{
	LLVMUseRef use = LLVMGetFirstUse(load);
	LLVMValueRef user = use ? LLVMGetUser(use) : NULL;

	return user && LLVMIsAInstruction(user) && LLVMIsABinaryOperator(user) &&
	       same_place(user, load);
}

/* Something else for a value that an instruction computes: x + 1, -x, a constant. `name` is what
   stands in the source. */
static void make_near_value(struct maker *k, LLVMValueRef i, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(i);
	struct edit *e;

	if (!is_int(type) && !is_real(type))
		return;
	for (int n = 0; n < 2; n++) {
		e = add(k, EDIT_OFF_BY_ONE, EDIT_RESULT, i, i);
		e->operation = EDIT_BINARY;
		e->code = is_real(type) ? (n ? LLVMFSub : LLVMFAdd) : n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = is_real(type) ? real(type, 1) : integer(type, 1);
		e->was = name;
		e->is = text(k, "%s %c 1", name, n ? '-' : '+');
	}
	e = add(k, EDIT_SIGN, EDIT_RESULT, i, i);
	e->operation = EDIT_BINARY;
	e->code = is_real(type) ? LLVMFSub : LLVMSub;
	e->a = is_real(type) ? real(type, 0) : integer(type, 0);
	e->b = original();
	e->was = name;
	e->is = text(k, "-%s", name);
}

static void make_load(struct maker *k, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0);
	LLVMTypeRef type = LLVMTypeOf(i);
	const struct candidate *own = candidate_of(k, from);
	uint32_t used = 0;

	if (is_half(i) || (!is_int(type) && !is_real(type) && !is_pointer(type)))
		return;
	if (own) {
		for (uint32_t n = 0; n < k->candidates.size && used < MOST_VARIABLES; n++) {
			const struct candidate *v = &k->candidates.at[n];
			struct edit *e;

			if (v == own || v->type != type || !is_visible(k, v, i))
				continue;
			if (is_pointer(type) && !same_ctype(v->variable->type, own->variable->type))
				continue;
			used++;
			e = add(k, EDIT_VARIABLE, EDIT_RESULT, i, i);
			e->operation = EDIT_TAKE;
			e->a = loaded(v);
			e->was = own->variable->name;
			e->is = v->variable->name;
		}
		/* C computes with narrow numbers after it has widened them: see make_cast(). */
		if (!is_narrow(type))
			make_near_value(k, i, own->variable->name);
		for (uint32_t n = 0, c = 0; is_int(type) && n < k->constants.size && c < 4; n++) {
			LLVMValueRef other = k->constants.at[n];
			struct edit *e;

			if (LLVMTypeOf(other) != type)
				continue;
			c++;
			e = add(k, EDIT_CONSTANT_FOR, EDIT_RESULT, i, i);
			e->operation = EDIT_TAKE;
			e->a = integer(type, LLVMConstIntGetSExtValue(other));
			e->was = own->variable->name;
			e->is = constant_text(k, other);
		}
		/* x op y, for the other visible numbers of the type */
		for (uint32_t n = 0, c = 0; ((is_int(type) && !is_narrow(type)) || is_real(type)) &&
		                            n < k->candidates.size && c < 10;
		     n++) {
			static const int whole[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMSDiv, LLVMSRem};
			static const int natural[] = {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv,
			                              LLVMURem};
			static const int reals[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv, 0};
			const struct candidate *v = &k->candidates.at[n];
			const int *set = is_real(type)                      ? reals
			                 : is_natural(own) || is_natural(v) ? natural
			                                                    : whole;

			if (v == own || v->type != type || !is_visible(k, v, i))
				continue;
			c++;
			for (int o = 0; o < (is_real(type) ? 4 : 5); o++) {
				struct edit *e = add(k, EDIT_EXTENDED, EDIT_RESULT, i, i);

				e->operation = EDIT_BINARY;
				e->code = set[o];
				e->a = original();
				e->b = loaded(v);
				e->was = own->variable->name;
				e->is = text(k, "%s %s %s", own->variable->name,
				             opcode_text(e->code), v->variable->name);
			}
		}
	}
}

/* The member of a structure at an element of its IR type; NULL: none is just there. */
static const struct ctype_member *member_at(struct maker *k, const struct ctype *type,
                                            LLVMTypeRef structure, unsigned element)
{
	uint64_t offset = 8 * LLVMOffsetOfElement(k->m->plan->layout, structure, element);

	type = ctype_strip(type);
	if (!type || type->kind != CTYPE_STRUCT ||
	    type->size != LLVMABISizeOfType(k->m->plan->layout, structure))
		return NULL;
	for (uint32_t i = 0; i < type->member_count; i++)
		if (type->members[i].bit_offset == offset && !type->members[i].bit_size &&
		    type->members[i].name)
			return &type->members[i];
	return NULL;
}

/* The C type of what a pointer points to; NULL: it is not known. */
static const struct ctype *pointee(struct maker *k, LLVMValueRef pointer, uint32_t depth)
{
	const struct ctype *type = NULL;
	const struct variable *v;

	if (depth > 8)
		return NULL;
	if (LLVMIsAGlobalVariable(pointer)) {
		v = variables_of_global(k->m->variables, pointer);
		return v ? v->type : NULL;
	}
	if (LLVMIsAAllocaInst(pointer)) {
		v = variables_of_alloca(k->m->variables, pointer);
		return v && !v->indirect ? v->type : NULL;
	}
	if (LLVMIsALoadInst(pointer)) {
		type = ctype_strip(pointee(k, LLVMGetOperand(pointer, 0), depth + 1));
		return type && type->kind == CTYPE_POINTER ? type->target : NULL;
	}
	if (LLVMIsAGetElementPtrInst(pointer)) {
		LLVMTypeRef source = LLVMGetGEPSourceElementType(pointer);
		int operands = LLVMGetNumOperands(pointer);

		type = pointee(k, LLVMGetOperand(pointer, 0), depth + 1);
		if (operands == 2)
			return type;
		if (operands == 3 && LLVMGetTypeKind(source) == LLVMStructTypeKind) {
			const struct ctype_member *m = member_at(
				k, type, source,
				(unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 2)));

			return m ? m->type : NULL;
		}
		type = ctype_strip(type);
		return operands == 3 && type && type->kind == CTYPE_ARRAY ? type->target : NULL;
	}
	if (LLVMIsACallInst(pointer) && ir_callee(pointer))
		type = types_of_function(k->m->types, ir_callee(pointer));
	type = type ? ctype_strip(type->target) : NULL;
	return type && type->kind == CTYPE_POINTER ? type->target : NULL;
}

/* Members of a structure: another of the same type at the same place. */
static void make_member(struct maker *k, LLVMValueRef i)
{
	LLVMTypeRef source = LLVMGetGEPSourceElementType(i), kind;
	const struct ctype_member *own, *other;
	const struct ctype *type;
	unsigned operands = (unsigned)LLVMGetNumOperands(i), field, fields;
	LLVMTypeRef *types;

	if (operands != 3 || LLVMGetTypeKind(source) != LLVMStructTypeKind ||
	    !LLVMIsAConstantInt(LLVMGetOperand(i, 2)))
		return;
	field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2));
	fields = LLVMCountStructElementTypes(source);
	types = mem_alloc(fields * sizeof(*types));
	LLVMGetStructElementTypes(source, types);
	kind = types[field];
	type = pointee(k, LLVMGetOperand(i, 0), 0);
	own = member_at(k, type, source, field);
	for (unsigned n = 0; n < fields; n++) {
		struct edit *e;

		if (n == field || types[n] != kind)
			continue;
		other = member_at(k, type, source, n);
		if (own && other && !same_ctype(own->type, other->type))
			continue;
		e = add(k, EDIT_MEMBER, EDIT_RESULT, i, i);
		e->operation = EDIT_FIELD;
		e->code = (int)n;
		e->operand = field;
		e->was = own ? own->name : text(k, "member %u", field);
		e->is = own && other ? other->name : text(k, "member %u", n);
	}
	free(types);
}

/* An array's element beside the one that is meant. */
static void make_index(struct maker *k, LLVMValueRef i)
{
	unsigned operands = (unsigned)LLVMGetNumOperands(i), last = operands - 1;
	LLVMTypeRef source = LLVMGetGEPSourceElementType(i);
	LLVMValueRef index = LLVMGetOperand(i, last);

	if (LLVMGetTypeKind(source) == LLVMStructTypeKind && operands == 3)
		return;
	if (!is_int(LLVMTypeOf(index)) || !has_place(i))
		return;
	for (int n = 0; n < 2; n++) {
		struct edit *e = add(k, EDIT_OFF_BY_ONE, EDIT_OPERAND, i, i);

		e->operand = last;
		e->operation = EDIT_BINARY;
		e->code = n ? LLVMSub : LLVMAdd;
		e->a = original();
		e->b = integer(LLVMTypeOf(index), 1);
		e->was = "[]";
		e->is = n ? "- 1" : "+ 1";
	}
}

static void make_branch(struct maker *k, LLVMValueRef i)
{
	LLVMTypeRef bit = LLVMInt1TypeInContext(k->m->context);
	struct edit *e;
	uint32_t here;

	if (!LLVMIsConditional(i) || !has_place(i))
		return;
	e = add(k, EDIT_NEGATED, EDIT_OPERAND, i, i);
	e->operation = EDIT_BINARY;
	e->code = LLVMXor;
	e->a = original();
	e->b = integer(bit, 1);
	e->was = "condition";
	e->is = "!";
	for (int n = 0; n < 2; n++) {
		e = add(k, EDIT_FORCED, EDIT_OPERAND, i, i);
		e->operation = EDIT_TAKE;
		e->a = integer(bit, n);
		e->was = "condition";
		e->is = n ? "1" : "0";
	}
	/* if (...) break; the way that only leads elsewhere is not gone. */
	for (unsigned s = 0; s < 2; s++) {
		LLVMValueRef only = LLVMGetFirstInstruction(LLVMGetSuccessor(i, s));

		if (!LLVMIsABranchInst(only) || LLVMIsConditional(only) || !has_place(only) ||
		    LLVMGetSuccessor(only, 0) == LLVMGetSuccessor(i, 1 - s))
			continue;
		e = add(k, EDIT_DELETED, EDIT_OPERAND, i, only);
		e->operation = EDIT_TAKE;
		e->a = integer(bit, s);
		e->was = "statement";
		e->is = "";
	}
	/* a && b: a goes to b or to the else; as a || b it goes to the then or to b. */
	here = block_number(k, LLVMGetInstructionParent(i));
	for (unsigned s = 0; s < 2; s++) {
		LLVMBasicBlockRef next = LLVMGetSuccessor(i, s), other = LLVMGetSuccessor(i, 1 - s);
		LLVMValueRef end = LLVMGetBasicBlockTerminator(next);
		LLVMBasicBlockRef to = NULL;

		if (next == other || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
		    block_number(k, next) <= here || !same_place(end, i))
			continue;
		if (LLVMGetSuccessor(end, 1 - s) == other)
			to = LLVMGetSuccessor(end, s);
		if (!to || LLVMIsAPHINode(LLVMGetFirstInstruction(to)) ||
		    LLVMIsAPHINode(LLVMGetFirstInstruction(next)))
			continue;
		e = add(k, EDIT_JOINED, EDIT_WAY, i, i);
		e->code = (int)s;
		e->to = to;
		e->was = s ? "||" : "&&";
		e->is = s ? "&&" : "||";
	}
}

/* The text of a string literal; NULL: it is none. */
static const char *literal_of(LLVMValueRef value, size_t *size)
{
	LLVMValueRef text;
	const char *bytes;

	if (!LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value) ||
	    LLVMIsDeclaration(value))
		return NULL;
	text = LLVMGetInitializer(value);
	if (!LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text))
		return NULL;
	bytes = LLVMGetAsString(text, size);
	return *size && !bytes[*size - 1] ? bytes : NULL;
}

static const char *quoted(struct maker *k, const char *string)
{
	struct str s = STR_INIT;
	const char *result;

	ctype_print_text((const uint8_t *)string, strlen(string), 0, &s);
	result = arena_strdup(&k->m->arena, str_text(&s));
	str_deinit(&s);
	return result;
}

static void add_literal(struct maker *k, LLVMValueRef call, uint32_t operand, const char *was,
                        const char *is)
{
	struct edit *e = add(k, EDIT_TEXT, EDIT_OPERAND, call, call);

	e->operand = operand;
	e->operation = EDIT_TAKE;
	e->a = (struct edit_term){.kind = EDIT_STRING, .text = arena_strdup(&k->m->arena, is)};
	e->was = quoted(k, was);
	e->is = quoted(k, is);
}

/* What the literal would have to be so that the output is as expected where it was printed first wrongly: its
   text up to the first directive of a format is what is looked for. */
static void make_expected_literal(struct maker *k, LLVMValueRef call, uint32_t operand,
                                  const char *literal)
{
	const struct str *printed = k->wish->printed, *expected = k->wish->expected;
	size_t length = strcspn(literal, "%"), wrong = 0, begin;
	const char *rest = literal + length;

	if (!printed || !expected || !length || !printed->length)
		return;
	while (wrong < printed->length && wrong < expected->length &&
	       printed->text[wrong] == expected->text[wrong])
		wrong++;
	begin = wrong >= length ? wrong - length : 0;
	for (size_t at = begin; at <= wrong && at + length <= printed->length; at++) {
		size_t after = at + length, tail, made = SIZE_MAX;
		char *text_;

		if (memcmp(printed->text + at, literal, length))
			continue;
		/* What follows in the output follows in the expected one, too. */
		tail = printed->length - after < 4 ? printed->length - after : 4;
		for (size_t end = at; end + tail <= expected->length && made == SIZE_MAX; end++)
			if (end >= wrong &&
			    (tail ? !memcmp(expected->text + end, printed->text + after, tail)
			          : end == expected->length))
				made = end;
		if (made == SIZE_MAX || made - at > 200)
			continue;
		text_ = str_format("%.*s%s", (int)(made - at), expected->text + at, rest);
		if (strcmp(text_, literal) && !memchr(text_, '%', made - at))
			add_literal(k, call, operand, literal, text_);
		free(text_);
	}
}

/* Other ends of what an output call prints, and other digits of its numbers: as many decimals, or leading zeros, as the
   number has that is expected where the output is first wrong. */
static void make_formats(struct maker *k, LLVMValueRef call, uint32_t operand, const char *literal)
{
	static const char *const ends[] = {"\n", " ", ""};
	const struct str *printed = k->wish->printed, *expected = k->wish->expected;
	LLVMValueRef callee = ir_callee(call);
	size_t name_length, length = strlen(literal), wrong = 0, digits = 0, decimals = 0;
	const char *name = callee ? LLVMGetValueName2(callee, &name_length) : "";
	bool ends_so = length && (literal[length - 1] == '\n' || literal[length - 1] == ' ');
	char *other;

	if (!strstr(name, "printf") && !strstr(name, "puts"))
		return;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		other = str_format("%.*s%s", (int)(length - ends_so), literal, ends[i]);
		if (strcmp(other, literal))
			add_literal(k, call, operand, literal, other);
		free(other);
	}
	if (!printed || !expected)
		return;
	while (wrong < printed->length && wrong < expected->length &&
	       printed->text[wrong] == expected->text[wrong])
		wrong++;
	while (wrong &&
	       (isdigit((uint8_t)expected->text[wrong - 1]) || expected->text[wrong - 1] == '.'))
		wrong--;
	while (wrong + digits < expected->length &&
	       isdigit((uint8_t)expected->text[wrong + digits]))
		digits++;
	if (wrong + digits < expected->length && expected->text[wrong + digits] == '.')
		while (wrong + digits + 1 + decimals < expected->length &&
		       isdigit((uint8_t)expected->text[wrong + digits + 1 + decimals]))
			decimals++;
	for (const char *at = literal; (at = strchr(at, '%')); at++) {
		size_t flags = strspn(at + 1, "-+ #0123456789."),
		       size = strspn(at + 1 + flags, "hlLqjzt");
		char conversion = at[1 + flags + size];

		if (at[1] == '%') {
			at++;
			continue;
		}
		if (strchr("eEfFgG", conversion) && conversion && decimals)
			other = str_format("%.*s%%.%zu%s", (int)(at - literal), literal, decimals,
			                   at + 1 + flags);
		else if (strchr("diu", conversion) && conversion && digits > 1 &&
		         expected->text[wrong] == '0')
			other = str_format("%.*s%%0%zu%s", (int)(at - literal), literal, digits,
			                   at + 1 + flags);
		else
			continue;
		if (strcmp(other, literal))
			add_literal(k, call, operand, literal, other);
		free(other);
	}
}

static void make_literals(struct maker *k, LLVMValueRef call)
{
	for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++) {
		LLVMValueRef value = LLVMGetOperand(call, n);
		size_t size, other_size;
		const char *was = literal_of(value, &size);
		uint32_t used = 0;

		if (!was)
			continue;
		make_expected_literal(k, call, n, was);
		make_formats(k, call, n, was);
		for (LLVMValueRef g = LLVMGetFirstGlobal(k->m->ir); g && used < 12;
		     g = LLVMGetNextGlobal(g)) {
			const char *other = literal_of(g, &other_size);
			uint32_t a = 0, b = 0;

			/* Formats take the same arguments. */
			for (const char *at = was; *at; at++)
				a += *at == '%';
			for (const char *at = other ? other : ""; *at; at++)
				b += *at == '%';
			if (!other || g == value || a != b)
				continue;
			used++;
			add_literal(k, call, n, was, other);
		}
	}
}

static void make_call(struct maker *k, LLVMValueRef i)
{
	LLVMValueRef callee = ir_callee(i);
	unsigned count = LLVMGetNumArgOperands(i);
	bool outside = callee && LLVMIsDeclaration(callee);
	struct edit *e;
	size_t length;

	if (ir_intrinsic(i) || ir_is_asm(i) || !has_place(i))
		return;
	make_literals(k, i);
	for (unsigned n = 0; n < count; n++) {
		LLVMValueRef value = LLVMGetOperand(i, n);

		if (LLVMIsAConstantInt(value) || LLVMIsAConstantFP(value)) {
			if (is_int(LLVMTypeOf(value)) || is_real(LLVMTypeOf(value)))
				make_constant(k, i, n, i);
		}
		for (unsigned o = n + 1; o < count && o < n + 3; o++) {
			LLVMValueRef other = LLVMGetOperand(i, o);

			if (LLVMTypeOf(other) != LLVMTypeOf(value) || other == value)
				continue;
			if (LLVMIsAGlobalVariable(value) || LLVMIsAGlobalVariable(other))
				continue;
			/* One edit replaces both: the second is `operand`, the first follows. */
			e = add(k, EDIT_EXCHANGED, EDIT_OPERAND, i, i);
			e->operand = n;
			e->operation = EDIT_TAKE;
			e->a = its(o);
			e->code = (int)o + 1;
			e->was = "argument";
			e->is = text(k, "%u,%u", n + 1, o + 1);
		}
	}
	if (callee && !outside)
		for (LLVMValueRef f = LLVMGetFirstFunction(k->m->ir); f;
		     f = LLVMGetNextFunction(f)) {
			if (f == callee || LLVMIsDeclaration(f) ||
			    LLVMGlobalGetValueType(f) != LLVMGlobalGetValueType(callee))
				continue;
			e = add(k, EDIT_CALLEE, EDIT_OPERAND, i, i);
			e->operand = (uint32_t)LLVMGetNumOperands(i) - 1;
			e->operation = EDIT_TAKE;
			e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = f};
			e->was = arena_strdup(&k->m->arena, LLVMGetValueName2(callee, &length));
			e->is = arena_strdup(&k->m->arena, LLVMGetValueName2(f, &length));
		}
	if (!LLVMGetFirstUse(i) && !ir_call_has(i, "noreturn")) {
		e = add(k, EDIT_CALL_DROPPED, EDIT_SKIP, i, i);
		e->was = "statement";
		e->is = "";
	}
	if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && LLVMGetFirstUse(i) && callee)
		make_near_value(k, i, text(k, "%s()", LLVMGetValueName2(callee, &length)));
}

static void make_store(struct maker *k, LLVMValueRef i)
{
	LLVMValueRef value = LLVMGetOperand(i, 0), to = LLVMGetOperand(i, 1);
	const struct candidate *own = candidate_of(k, to);
	LLVMTypeRef type = LLVMTypeOf(value);
	struct edit *e;

	if (!has_place(i) || LLVMIsAArgument(value))
		return;
	if ((LLVMIsAConstantInt(value) && is_int(type)) || LLVMIsAConstantFP(value))
		make_constant(k, i, 0, i);
	e = add(k, EDIT_DELETED, EDIT_SKIP, i, i);
	e->was = "statement";
	e->is = "";
	/* What is declared here cannot be declared under another name. */
	if (own && own->variable->line == LLVMGetDebugLocLine(i) &&
	    own->variable->column == LLVMGetDebugLocColumn(i))
		return;
	for (uint32_t n = 0, used = 0; own && n < k->candidates.size && used < 8; n++) {
		const struct candidate *v = &k->candidates.at[n];

		if (v == own || v->type != own->type || !is_visible(k, v, i) ||
		    (is_pointer(v->type) && !same_ctype(v->variable->type, own->variable->type)))
			continue;
		used++;
		e = add(k, EDIT_TARGET, EDIT_OPERAND, i, i);
		e->operand = 1;
		e->operation = EDIT_TAKE;
		e->a = (struct edit_term){.kind = EDIT_ADDRESS, .value = v->variable->storage};
		e->was = own->variable->name;
		e->is = v->variable->name;
	}
}

/* What is computed in a narrow type and then widened: widened first. Whole numbers divided, and then
   made real: made real first. */
static void make_cast(struct maker *k, LLVMValueRef i)
{
	int opcode = (int)LLVMGetInstructionOpcode(i);
	LLVMValueRef from = LLVMGetOperand(i, 0);
	int inner = LLVMIsABinaryOperator(from) ? (int)LLVMGetInstructionOpcode(from) : 0;
	struct edit *e;
	bool real_ = opcode == LLVMSIToFP || opcode == LLVMUIToFP;

	if (is_narrow(LLVMTypeOf(from)) && !is_narrow(LLVMTypeOf(i)) && is_int(LLVMTypeOf(i)) &&
	    LLVMIsALoadInst(from) && same_place(from, i) &&
	    candidate_of(k, LLVMGetOperand(from, 0)) && !is_half(from))
		make_near_value(k, i, candidate_of(k, LLVMGetOperand(from, 0))->variable->name);
	if ((opcode == LLVMSExt || opcode == LLVMZExt || real_) &&
	    (inner == LLVMMul || inner == LLVMAdd || inner == LLVMSub || inner == LLVMShl ||
	     (real_ && (inner == LLVMSDiv || inner == LLVMUDiv)))) {
		if (real_ && inner == LLVMShl)
			return;
		e = add(k, EDIT_WIDER, EDIT_RESULT, i, from);
		e->operation = EDIT_CAST;
		e->code = opcode;
		e->inner = !real_             ? inner
		           : inner == LLVMMul ? LLVMFMul
		           : inner == LLVMAdd ? LLVMFAdd
		           : inner == LLVMSub ? LLVMFSub
		                              : LLVMFDiv;
		e->was = opcode_text(inner);
		e->is = real_ ? "in floating point" : "in the wider type";
	}
	if ((opcode == LLVMSExt || opcode == LLVMZExt) && is_int(LLVMTypeOf(from))) {
		e = add(k, EDIT_WIDER, EDIT_RESULT, i, i);
		e->operation = EDIT_CAST;
		e->code = opcode == LLVMSExt ? LLVMZExt : LLVMSExt;
		e->inner = 0;
		e->was = "cast";
		e->is = opcode == LLVMSExt ? "unsigned" : "signed";
	}
}

static void make_instruction(struct maker *k, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMICmp:
	case LLVMFCmp:
		if (!has_place(i))
			return;
		make_compare(k, i);
		for (uint32_t n = 0; n < 2 && !is_implicit(i); n++) {
			LLVMValueRef c = LLVMGetOperand(i, n);

			if ((LLVMIsAConstantInt(c) && is_int(LLVMTypeOf(c))) ||
			    LLVMIsAConstantFP(c))
				make_constant(k, i, n, i);
		}
		return;
	case LLVMLoad:
		if (has_place(i))
			make_load(k, i);
		return;
	case LLVMStore: make_store(k, i); return;
	case LLVMCall: make_call(k, i); return;
	case LLVMBr: make_branch(k, i); return;
	case LLVMGetElementPtr:
		if (!has_place(i))
			return;
		make_member(k, i);
		make_index(k, i);
		return;
	case LLVMSExt:
	case LLVMZExt:
	case LLVMSIToFP:
	case LLVMUIToFP:
		if (has_place(i))
			make_cast(k, i);
		return;
	case LLVMRet:
		if (LLVMGetNumOperands(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
		    is_int(LLVMTypeOf(LLVMGetOperand(i, 0))) && has_place(i))
			make_constant(k, i, 0, i);
		return;
	default:
		if (LLVMIsABinaryOperator(i) && has_place(i)) {
			make_binary(k, i);
			for (uint32_t n = 0; n < 2; n++) {
				LLVMValueRef c = LLVMGetOperand(i, n);
				bool step = LLVMIsALoadInst(LLVMGetOperand(i, 0)) &&
				            same_place(LLVMGetOperand(i, 0), i);

				if (LLVMIsAConstantInt(c) && is_int(LLVMTypeOf(c)) &&
				    !(step && llabs(LLVMConstIntGetSExtValue(c)) == 1))
					make_constant(k, i, n, i);
				else if (LLVMIsAConstantFP(c))
					make_constant(k, i, n, i);
			}
		}
	}
}

/* --- choices --- */

/* The integers that may be named at an instruction, the nearest declared last first. */
static struct edit_slots *make_slots(struct maker *k, LLVMValueRef at, uint32_t most)
{
	struct edit_slots *s = arena_new(&k->m->arena, struct edit_slots);

	for (uint32_t i = 0; i < k->candidates.size && s->count < most; i++) {
		const struct candidate *c = &k->candidates.at[i];
		const struct ctype *type = ctype_strip(c->variable->type);
		bool pointer = is_pointer(c->type);

		if ((!is_int(c->type) && !pointer) || !is_visible(k, c, at))
			continue;
		s->storage[s->count] = c->variable->storage;
		s->types[s->count].size = (uint8_t)(pointer ? 8 : LLVMGetIntTypeWidth(c->type) / 8);
		s->types[s->count].is_signed = !pointer && type && type->is_signed;
		s->count++;
	}
	return s;
}

static const char *slot_name(struct maker *k, const struct edit_slots *s, uint32_t i)
{
	return candidate_of(k, s->storage[i])->variable->name;
}

static bool slot_is_pointer(struct maker *k, const struct edit_slots *s, uint32_t i)
{
	return is_pointer(candidate_of(k, s->storage[i])->type);
}

#define MOST_COMPARED 8u /* constants that a variable is compared with */

/* Would C compare two variables as unsigned numbers that choices compare as signed ones? */
static bool mixes_signs(const struct edit_slots *s, uint32_t a, uint32_t b)
{
	const struct hence_choice_variable *x = &s->types[a], *y = &s->types[b];

	return (!x->is_signed && y->is_signed && x->size >= 4 && x->size >= y->size) ||
	       (!y->is_signed && x->is_signed && y->size >= 4 && y->size >= x->size);
}

/* Comparisons between the variables of a place, and with constants. `few`: only the plainest. */
static void make_comparisons(struct maker *k, LLVMValueRef at, struct edit_slots *slots, int kind,
                             enum edit_kind edit, LLVMValueRef last, LLVMBasicBlockRef to,
                             const char *was, const char *how, bool few)
{
	static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
	int64_t constants[MOST_COMPARED] = {0, 1};
	uint32_t count = 2;

	for (uint32_t i = 0; i < k->constants.size && count < (few ? 4 : MOST_COMPARED); i++) {
		bool known = !LLVMIsAConstantInt(k->constants.at[i]);
		int64_t value = known ? 0 : LLVMConstIntGetSExtValue(k->constants.at[i]);

		for (uint32_t n = 0; n < count; n++)
			known |= constants[n] == value;
		if (!known)
			constants[count++] = value;
	}
	for (uint32_t a = 0; a < slots->count; a++) {
		bool pointer = slot_is_pointer(k, slots, a);

		/* With constants first: of edits that are alike in the failing run only the first is
		   tried, and a variable may be another one once the edit is in force. */
		for (uint32_t n = 0; n < slots->count + count; n++) {
			uint32_t b = n < count ? slots->count + n : n - count;
			bool constant = b >= slots->count;

			if (!constant && (b <= a || pointer || slot_is_pointer(k, slots, b)))
				continue;
			if (pointer && b > slots->count)
				continue;
			if (!constant && mixes_signs(slots, a, b))
				continue;
			if (constant && constants[b - slots->count] < 0 &&
			    !slots->types[a].is_signed && slots->types[a].size >= 4)
				continue;
			for (uint8_t p = 0; p < 6; p++) {
				struct edit *e;

				if (pointer && p > 1)
					continue;
				/* x <= c is x < c + 1, as a rule. */
				if (constant && few && (p == 3 || p == 5))
					continue;
				e = add(k, edit, EDIT_CHOICE, at, last ? last : at);
				e->slots = slots;
				e->to = to;
				e->copied = last;
				e->choice = (struct hence_choice){
					.kind = (uint8_t)kind,
					.predicate = p,
					.a = (uint8_t)a,
					.b = constant ? HENCE_CHOICE_CONSTANT : (uint8_t)b,
					.constant = constant ? constants[b - slots->count] : 0};
				e->was = was;
				if (constant)
					e->is = text(k, "%s%s %s %lld", how, slot_name(k, slots, a),
					             signs[p],
					             (long long)constants[b - slots->count]);
				else
					e->is = text(k, "%s%s %s %s", how, slot_name(k, slots, a),
					             signs[p], slot_name(k, slots, b));
			}
		}
	}
}

static void make_condition_choices(struct maker *k, LLVMValueRef branch)
{
	if (!LLVMIsConditional(branch) || !has_place(branch))
		return;
	make_comparisons(k, branch, make_slots(k, branch, 10), HENCE_CHOICE_AND, EDIT_TIGHTENED,
	                 NULL, NULL, "condition", "&& ", false);
	make_comparisons(k, branch, make_slots(k, branch, 10), HENCE_CHOICE_OR, EDIT_LOOSENED, NULL,
	                 NULL, "condition", "|| ", false);
}

/* The innermost loop around a block; NULL: none. */
static const struct loop *loop_around(const struct maker *k, LLVMBasicBlockRef block)
{
	uint32_t number = block_number(k, block);
	const struct loop *best = NULL;

	for (uint32_t i = 0; i < k->loops.size; i++)
		if (k->loops.at[i].blocks[number] && (!best || k->loops.at[i].size < best->size))
			best = &k->loops.at[i];
	return best;
}

static bool has_phi(LLVMBasicBlockRef block)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

/* Are all values of the statement used inside it only? */
static bool is_closed(LLVMValueRef begin, LLVMValueRef end)
{
	for (LLVMValueRef i = begin;; i = LLVMGetNextInstruction(i)) {
		for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u), at = begin;

			while (at && at != user && at != end)
				at = LLVMGetNextInstruction(at);
			if (at != user)
				return false;
		}
		if (i == end)
			return true;
	}
}

/* The store or call that ends the statement; NULL: it ends otherwise, or in another block. */
static LLVMValueRef statement_end(LLVMValueRef begin)
{
	for (LLVMValueRef i = begin; i; i = LLVMGetNextInstruction(i))
		if (plan_ends_statement(i))
			return LLVMIsAStoreInst(i) || LLVMIsACallInst(i) ? i : NULL;
	return NULL;
}

/* v = 0, v = w, v++ */
static void make_assignments(struct maker *k, LLVMValueRef at, LLVMValueRef place)
{
	static const int64_t values[] = {0, 1, -1};
	struct edit_slots *s = make_slots(k, place, 16);

	for (uint32_t a = 0; a < s->count; a++)
		for (uint32_t b = 0; b < s->count + 5 && !slot_is_pointer(k, s, a); b++) {
			bool constant = b >= s->count, step = b >= s->count + 3;
			int64_t value = !constant ? 0
			                : step    ? (b == s->count + 3 ? 1 : -1)
			                          : values[b - s->count];
			struct edit *e;

			if (a == b || (!constant && (slot_is_pointer(k, s, b) ||
			                             s->types[a].size != s->types[b].size)))
				continue;
			e = add(k, EDIT_ASSIGNED, EDIT_CHOICE, at, place);
			e->slots = s;
			e->choice = (struct hence_choice){
				.kind = step ? HENCE_CHOICE_ADD : HENCE_CHOICE_SET,
				.a = (uint8_t)a,
				.b = constant ? HENCE_CHOICE_CONSTANT : (uint8_t)b,
				.constant = value};
			e->was = at == place ? "before" : "after";
			e->is = step ? text(k, "%s%s;", slot_name(k, s, a), value > 0 ? "++" : "--")
			        : constant ? text(k, "%s = %lld;", slot_name(k, s, a),
			                          (long long)value)
			                   : text(k, "%s = %s;", slot_name(k, s, a),
			                          slot_name(k, s, b));
		}
}

/* Before the first statement of a line something may be missing. */
static void make_insertions(struct maker *k, LLVMValueRef begin)
{
	LLVMValueRef end = statement_end(begin);
	const struct loop *loop = loop_around(k, LLVMGetInstructionParent(begin));
	struct edit_slots *s;

	/* The condition and the step of a loop are no places for statements. */
	if (!has_place(begin) || (loop && (loop->header == LLVMGetInstructionParent(begin) ||
	                                   (loop->latch == LLVMGetInstructionParent(begin) &&
	                                    LLVMGetDebugLocLine(LLVMGetFirstInstruction(
						    loop->header)) == LLVMGetDebugLocLine(begin)))))
		return;
	if (end && is_closed(begin, end) && !LLVMIsAArgument(LLVMGetOperand(end, 0)))
		make_comparisons(k, begin, make_slots(k, begin, 8), HENCE_CHOICE_IF, EDIT_GUARDED,
		                 end, NULL, "statement", "if ", true);
	/* v = 0, v = w */
	make_assignments(k, begin, begin);
	if (loop && loop->exit && !has_phi(loop->exit))
		make_comparisons(k, begin, make_slots(k, begin, 6), HENCE_CHOICE_IF, EDIT_LEFT_IF,
		                 NULL, loop->exit, "before", "break if ", true);
	if (loop && !has_phi(loop->latch) && loop->latch != LLVMGetInstructionParent(begin))
		make_comparisons(k, begin, make_slots(k, begin, 6), HENCE_CHOICE_IF, EDIT_LEFT_IF,
		                 NULL, loop->latch, "before", "continue if ", true);
	if (k->out && !has_phi(k->out)) {
		LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(k->f));
		bool nothing = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
		/* In the block that returns, a return of its own is built. */
		bool own = k->out == LLVMGetInstructionParent(begin);

		if (!nothing &&
		    (own ? !is_int(type) : !k->result || !is_int(LLVMGetAllocatedType(k->result))))
			return;
		for (int64_t v = -1; v <= (nothing ? -1 : 1); v++) {
			s = make_slots(k, begin, 6);
			s->result = nothing || own ? NULL : k->result;
			s->value = v;
			make_comparisons(k, begin, s, HENCE_CHOICE_IF, EDIT_LEFT_IF, NULL,
			                 own ? NULL : k->out, "before",
			                 nothing ? "return if "
			                         : text(k, "return %lld if ", (long long)v),
			                 true);
		}
	}
}

/* Does a block go on with the line on which one before it ended, as the right operand of && does? */
static bool goes_on(const struct maker *k, LLVMBasicBlockRef block, unsigned line)
{
	for (uint32_t b = 0; b < k->blocks.size; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->blocks.at[b]);

		for (unsigned n = 0; n < LLVMGetNumSuccessors(end); n++)
			if (LLVMGetSuccessor(end, n) == block && LLVMGetDebugLocLine(end) == line)
				return true;
	}
	return false;
}

/* Does a statement of a new line begin here? */
static bool begins_line(const struct maker *k, LLVMValueRef i, unsigned *line)
{
	const struct plan_function *f = &k->m->plan->functions.at[k->function];

	if (!has_place(i) || LLVMGetDebugLocLine(i) == *line || LLVMIsAPHINode(i) ||
	    (!*line && goes_on(k, LLVMGetInstructionParent(i), LLVMGetDebugLocLine(i))))
		return false;
	for (uint32_t s = 0; s < f->statements.size; s++)
		if (f->statements.at[s].begin == i) {
			*line = LLVMGetDebugLocLine(i);
			return true;
		}
	return false;
}

/* --- data --- */

/* A variable's initial value, or an entry of a table: numbers near it, and others of the table. */
static void make_number(struct maker *k, LLVMValueRef c, uint64_t address, const char *name,
                        const struct variable *v, LLVMValueRef place, bool entry,
                        const int64_t *others, uint32_t other_count)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(c));
	int64_t value = LLVMConstIntGetSExtValue(c);
	int64_t list[5 + 16] = {value + 1, value - 1, 0, 1, -value};
	uint32_t count = 5;

	for (uint32_t i = 0; i < other_count && count < 21; i++)
		list[count++] = others[i];
	for (uint32_t i = 0; i < count; i++) {
		struct edit *e;
		bool known = list[i] == value;

		for (uint32_t n = 0; n < i; n++)
			known |= list[n] == list[i];
		if (known)
			continue;
		e = vec_push(&k->m->edits);
		e->kind = entry ? EDIT_ENTRY : EDIT_INITIAL;
		e->where = EDIT_POKE;
		e->module = k->m->number;
		e->function = k->function;
		e->poke.address = address;
		e->poke.size = width / 8;
		memcpy(e->poke.bytes, &list[i], width / 8);
		if (v) {
			e->file = v->file;
			e->line = v->line;
			e->column = v->column;
		} else if (place) {
			unsigned length = 0;
			const char *file = LLVMGetDebugLocFilename(place, &length);

			e->file = file ? arena_strndup(&k->m->arena, file, length) : NULL;
			e->line = LLVMGetDebugLocLine(place);
			e->column = LLVMGetDebugLocColumn(place);
		}
		e->was = text(k, "%s is %lld", name, (long long)value);
		e->is = text(k, "%s is %lld", name, (long long)list[i]);
	}
}

#define MOST_ENTRIES 128u

/* `address` of the global in the program. */
static void make_table(struct maker *k, LLVMValueRef c, uint64_t address, const char *name,
                       const struct variable *v, LLVMValueRef place, uint32_t depth)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	LLVMTargetDataRef layout = k->m->plan->layout;
	int64_t others[16];
	uint32_t count = 0, elements;

	if (LLVMIsAConstantInt(c) && is_int(type) && LLVMGetIntTypeWidth(type) % 8 == 0) {
		make_number(k, c, address, name, v, place, depth > 0, NULL, 0);
		return;
	}
	if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind)
		return;
	elements = kind == LLVMArrayTypeKind ? (uint32_t)LLVMGetArrayLength2(type)
	                                     : LLVMCountStructElementTypes(type);
	if (elements > MOST_ENTRIES || depth > 2 ||
	    (LLVMIsAConstantDataSequential(c) && LLVMIsConstantString(c)) || LLVMIsNull(c))
		return;
	for (uint32_t i = 0; i < elements && count < 16; i++) {
		LLVMValueRef e = LLVMGetAggregateElement(c, i);
		bool known = !e || !LLVMIsAConstantInt(e);

		for (uint32_t n = 0; n < count && !known; n++)
			known = others[n] == LLVMConstIntGetSExtValue(e);
		if (!known)
			others[count++] = LLVMConstIntGetSExtValue(e);
	}
	for (uint32_t i = 0; i < elements; i++) {
		LLVMValueRef e = LLVMGetAggregateElement(c, i);
		uint64_t offset = kind == LLVMArrayTypeKind
		                          ? i * LLVMABISizeOfType(layout, LLVMGetElementType(type))
		                          : LLVMOffsetOfElement(layout, type, i);
		const char *part = text(k, "%s[%u]", name, i);

		if (e && LLVMIsAConstantInt(e) && is_int(LLVMTypeOf(e)) &&
		    LLVMGetIntTypeWidth(LLVMTypeOf(e)) % 8 == 0)
			make_number(k, e, address + offset, part, v, place, true, others, count);
		else if (e)
			make_table(k, e, address + offset, part, v, place, depth + 1);
	}
}

/* Data that the function names. */
static void make_data(struct maker *k, LLVMValueRef i)
{
	for (int n = 0; n < LLVMGetNumOperands(i); n++) {
		LLVMValueRef g = LLVMGetOperand(i, (unsigned)n), value;
		const struct variable *v;
		const char *name;
		uint32_t number = 0;
		size_t length;

		if (LLVMIsAConstantExpr(g))
			g = LLVMGetOperand(g, 0);
		if (!LLVMIsAGlobalVariable(g) || LLVMIsDeclaration(g) || LLVMIsThreadLocal(g))
			continue;
		while (number < k->m->plan->globals.size && k->m->plan->globals.at[number] != g)
			number++;
		if (number == k->m->plan->globals.size || k->m->poked.at[number])
			continue;
		k->m->poked.at[number] = true;
		value = LLVMGetInitializer(g);
		v = variables_of_global(k->m->variables, g);
		name = LLVMGetValueName2(g, &length);
		/* clang calls the initial value of the array a of f() __const.f.a. */
		if (!v && strrchr(name, '.'))
			name = arena_strdup(&k->m->arena, strrchr(name, '.') + 1);
		if (value && (v || has_place(i)))
			make_table(k, value,
			           k->m->loaded->addresses[k->m->plan->functions.size + number],
			           v ? v->name : name, v, i, 0);
	}
}

/* --- functions --- */

/* Computed gotos, setjmp and the like: their code cannot be built anew safely. */
static bool is_refused(const struct maker *k)
{
	for (uint32_t b = 0; b < k->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(k->blocks.at[b]); i;
		     i = LLVMGetNextInstruction(i)) {
			if (LLVMGetInstructionOpcode(i) == LLVMIndirectBr)
				return true;
			if (LLVMIsACallInst(i) && ir_call_has(i, "returns_twice"))
				return true;
			for (int n = 0; n < LLVMGetNumOperands(i); n++) {
				LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);

				if (LLVMIsABlockAddress(v) ||
				    (LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v)))
					return true;
			}
		}
	return false;
}

/* Was the block executed, or whatever else the wish is about? */
static bool is_wanted(const struct maker *k, LLVMBasicBlockRef block)
{
	const struct plan_function *f = &k->m->plan->functions.at[k->function];

	for (uint32_t b = 0; b < f->blocks.size && k->wish->blocks; b++)
		if (f->blocks.at[b].block == block)
			return k->wish->blocks[k->function][b];
	return !k->wish->blocks;
}

static void make_function(struct maker *k)
{
	bool refused;

	k->f = k->m->plan->functions.at[k->function].function;
	survey(k);
	refused = is_refused(k);
	for (uint32_t b = 0; !refused && b < k->blocks.size; b++) {
		bool wanted = is_wanted(k, k->blocks.at[b]);
		unsigned line = 0;

		for (LLVMValueRef i = LLVMGetFirstInstruction(k->blocks.at[b]); i;
		     i = LLVMGetNextInstruction(i), k->ordinal++) {
			if (!wanted)
				continue;
			if (k->wish->narrow) {
				make_instruction(k, i);
				make_data(k, i);
			}
			if (k->wish->wide && LLVMIsABranchInst(i))
				make_condition_choices(k, i);
			if (k->wish->wide && begins_line(k, i, &line))
				make_insertions(k, i);
			/* At the end of a block, behind the last statement. */
			if (k->wish->wide && LLVMIsABranchInst(i) && !LLVMIsConditional(i) &&
			    LLVMGetPreviousInstruction(i) &&
			    plan_ends_statement(LLVMGetPreviousInstruction(i)) &&
			    !LLVMIsAPHINode(LLVMGetPreviousInstruction(i)))
				make_assignments(k, i, LLVMGetPreviousInstruction(i));
		}
	}
	for (uint32_t i = 0; i < k->loops.size; i++)
		free(k->loops.at[i].blocks);
	vec_deinit(&k->loops);
	vec_deinit(&k->blocks);
	vec_deinit(&k->candidates);
	vec_deinit(&k->constants);
	vec_deinit(&k->calls);
}

void edit_generate(struct edit_module *module, const struct edit_wish *wish)
{
	for (uint32_t f = 0; f < module->plan->functions.size; f++) {
		struct maker k = {.m = module, .function = f, .wish = wish};

		if (wish->blocks ? wish->blocks[f] != NULL : wish->functions[f])
			make_function(&k);
	}
}

/* 'main:' or 'swap@2:', with which names of edits begin. Caller frees. */
static char *name_function(const struct plan_function *function, uint32_t module)
{
	bool is_static = LLVMGetLinkage(function->function) == LLVMInternalLinkage;

	return module && is_static ? str_format("%s@%u:", function->name, module)
	                           : str_format("%s:", function->name);
}

char *edit_name(const struct edit_module *module, const struct edit *edit)
{
	/* Once it is built, its own IR is another one. */
	char *function =
		name_function(&module->loaded->plan->functions.at[edit->function], module->number);
	const char *kind = edit_kinds[edit->kind].name, *text_ = edit->is ? edit->is : "";
	char *name;

	if (edit->operand && edit->where == EDIT_OPERAND)
		name = str_format("%s%u.%u:%s:%s", function, edit->ordinal, edit->operand, kind,
		                  text_);
	else
		name = str_format("%s%u:%s:%s", function, edit->ordinal, kind, text_);
	free(function);
	return name;
}

bool edit_names(const char *name, const struct plan_function *function, uint32_t module)
{
	char *own = name_function(function, module);
	bool same = !strncmp(name, own, strlen(own));

	free(own);
	return same;
}

const struct edit *edit_named(const struct edit_module *module, const char *name)
{
	for (uint32_t i = 0; i < module->edits.size; i++) {
		char *own = edit_name(module, &module->edits.at[i]);
		bool same = !strcmp(own, name);

		free(own);
		if (same)
			return &module->edits.at[i];
	}
	return NULL;
}
