/* What each block of a function writes to the tape: see plan.h. */
#include "model/records.h"

#include <assert.h>
#include <string.h>

#include "model/locals.h"

/* Intrinsics whose result the reader computes; other results are recorded. */
static const char *const computed[] = {
	"abs.",         "bitreverse.", "bswap.",      "ceil.",  "copysign.", "ctlz.",  "ctpop.",
	"cttz.",        "expect.",     "fabs.",       "floor.", "fmuladd.",  "fshl.",  "fshr.",
	"is.constant.", "launder.",    "objectsize.", "rint.",  "round.",    "sadd.",  "smax.",
	"smin.",        "smul.",       "sqrt.",       "ssub.",  "stacksave", "trunc.", "uadd.",
	"umax.",        "umin.",       "umul.",       "usub.",
};

static bool is_computed(const char *intrinsic)
{
	for (size_t i = 0; i < sizeof(computed) / sizeof(*computed); i++)
		if (!strncmp(intrinsic, computed[i], strlen(computed[i])))
			return true;
	return false;
}

static bool is_void(LLVMValueRef instruction)
{
	return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind;
}

struct finder {
	struct plan *plan;
	struct plan_function *function;
	struct plan_block *block;
	uint32_t statement;
	uint32_t instruction;
};

static struct plan_record *add(struct finder *f, LLVMValueRef i, enum plan_kind kind, uint32_t size)
{
	struct plan_record *record = vec_push(&f->function->records);

	record->instruction = i;
	record->kind = kind;
	record->size = size;
	record->statement = f->statement;
	record->instruction_number = f->instruction;
	f->block->count++;
	return record;
}

static void add_value(struct finder *f, LLVMValueRef i)
{
	add(f, i, PLAN_VALUE, ir_store_size(f->plan->layout, LLVMTypeOf(i)));
}

/* The reader keeps the program's memory and so knows what a load gives; half of a wide value is
   enough to notice when it does not, and half as long. */
static bool is_halved(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
	case LLVMDoubleTypeKind: return true;
	case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) == 64;
	default: return false;
	}
}

/* Does the instruction do nothing but compute a value, and do only such instructions of its block use
   that? The code generator drops it then, at -O0 too: recording it would keep it, and the program
   might die of it. */
static bool is_dead(LLVMValueRef i, unsigned depth)
{
	LLVMUseRef use;

	if (depth > 64 || LLVMIsACallInst(i) || LLVMIsAStoreInst(i) || LLVMIsATerminatorInst(i) ||
	    LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) || LLVMIsAAtomicRMWInst(i) ||
	    LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
		return false;
	if (LLVMIsALoadInst(i) &&
	    (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic))
		return false;
	for (use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(i) ||
		    !is_dead(user, depth + 1))
			return false;
	}
	return true;
}

static void add_load(struct finder *f, LLVMValueRef load)
{
	int64_t offset;
	int local = plan_local_of(f->plan, f->function, LLVMGetOperand(load, 0), &offset);

	if (local >= 0 && f->function->locals.at[local].private_)
		return;
	if (is_dead(load, 0))
		return;
	if (is_halved(LLVMTypeOf(load)))
		add(f, load, PLAN_HALF, 4);
	else
		add_value(f, load);
}

/* The results of inline assembly: its value, and what lies behind each indirect operand. */
static void add_asm(struct finder *f, LLVMValueRef call)
{
	if (!is_void(call))
		add_value(f, call);
	for (unsigned a = 0; a < LLVMGetNumArgOperands(call); a++) {
		LLVMTypeRef type = ir_argument_type(call, a, "elementtype");

		if (type)
			add(f, call, PLAN_MEMORY, ir_store_size(f->plan->layout, type))->target = a;
	}
}

static void add_intrinsic(struct finder *f, LLVMValueRef call, const char *name)
{
	if (!strncmp(name, "va_start", 8))
		add(f, call, PLAN_MEMORY, 24)->target = 0;
	else if (!is_void(call) && !is_computed(name))
		add_value(f, call);
}

static int function_index(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->functions.size; i++)
		if (plan->functions.at[i].function == function)
			return (int)i;
	return -1;
}

static int import_index(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->imports.size; i++)
		if (plan->imports.at[i].function == function)
			return (int)i;
	return -1;
}

static void add_call(struct finder *f, LLVMValueRef call)
{
	const char *intrinsic = ir_intrinsic(call);
	LLVMValueRef callee = ir_callee(call);
	struct plan_record *record;
	int index;

	if (intrinsic)
		add_intrinsic(f, call, intrinsic);
	else if (ir_is_asm(call))
		add_asm(f, call);
	else if (!callee)
		add(f, call, PLAN_INDIRECT, 0);
	else if ((index = import_index(f->plan, callee)) >= 0) {
		record = add(f, call, PLAN_IMPORT, 0);
		record->target = (uint32_t)index;
		record->returns_twice = ir_call_has(call, "returns_twice");
	} else {
		index = function_index(f->plan, callee);
		assert(index >= 0);
		add(f, call, PLAN_CALL, 0)->target = (uint32_t)index;
	}
}

static void add_terminator(struct finder *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBr:
		if (LLVMIsConditional(i))
			add(f, i, PLAN_BRANCH, 1);
		else
			add(f, i, PLAN_GOTO, 0);
		break;
	case LLVMSwitch: add(f, i, PLAN_SWITCH, plan_switch(f->plan->layout, i).size); break;
	case LLVMIndirectBr: add(f, i, PLAN_JUMP, 4); break;
	case LLVMRet: add(f, i, PLAN_RETURN, 0); break;
	case LLVMUnreachable: add(f, i, PLAN_STOP, 0); break;
	default: assert(!"a terminator that records_refusal() lets through");
	}
}

static void add_instruction(struct finder *f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad: add_load(f, i); break;
	case LLVMCall: add_call(f, i); break;
	case LLVMAlloca:
		if (locals_index(f->function, i) < 0)
			add_value(f, i);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg: add_value(f, i); break;
	default:
		if (LLVMIsATerminatorInst(i))
			add_terminator(f, i);
	}
}

bool plan_ends_statement(LLVMValueRef i)
{
	const char *intrinsic;

	if (!LLVMInstructionGetDebugLoc(i))
		return false;
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMRet: return true;
	case LLVMBr: return LLVMIsConditional(i);
	case LLVMCall:
		intrinsic = ir_intrinsic(i);
		return !intrinsic || !strncmp(intrinsic, "mem", 3) || !strncmp(intrinsic, "va_", 3);
	default: return false;
	}
}

/* At the head of a function the compiler puts parameters in their places. That has no place in the
   source, so the first statement begins behind it. */
static bool may_begin_statement(LLVMValueRef i)
{
	return LLVMInstructionGetDebugLoc(i) && !LLVMIsAPHINode(i) && !LLVMIsAAllocaInst(i);
}

static void note_statement(struct finder *f, LLVMValueRef i, struct plan_statement *under_way)
{
	if (!under_way->begin && may_begin_statement(i))
		*under_way = (struct plan_statement){i, f->instruction};
	if (!plan_ends_statement(i))
		return;
	*vec_push(&f->function->statements) = *under_way;
	under_way->begin = NULL;
	f->statement++;
}

static void find_records(struct finder *f)
{
	struct plan_statement under_way = {0};
	LLVMValueRef i;

	f->statement = f->instruction = 0;
	f->block->first = f->function->records.size;
	f->block->first_statement = f->function->statements.size;
	for (i = LLVMGetFirstInstruction(f->block->block); i; i = LLVMGetNextInstruction(i)) {
		const char *intrinsic = ir_intrinsic(i);

		if (intrinsic && !strncmp(intrinsic, "dbg.", 4))
			continue;
		add_instruction(f, i);
		note_statement(f, i, &under_way);
		f->instruction++;
	}
	f->block->statements = f->statement;
	f->block->instructions = f->instruction;
}

/* --- blocks --- */

struct numbered {
	LLVMBasicBlockRef block;
	uint32_t number;
};

static int by_block(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return x->block < y->block ? -1 : x->block > y->block;
}

static void find_successors(struct plan_function *function)
{
	uint32_t count = function->blocks.size;
	struct numbered *numbers = mem_alloc(count * sizeof(*numbers));

	for (uint32_t b = 0; b < count; b++)
		numbers[b] = (struct numbered){function->blocks.at[b].block, b};
	qsort(numbers, count, sizeof(*numbers), by_block);
	for (uint32_t b = 0; b < count; b++) {
		struct plan_block *block = &function->blocks.at[b];
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block->block);

		block->successor = function->successors.size;
		block->successors = LLVMGetNumSuccessors(end);
		for (unsigned s = 0; s < block->successors; s++) {
			struct numbered key = {LLVMGetSuccessor(end, s), 0};
			struct numbered *found =
				bsearch(&key, numbers, count, sizeof(key), by_block);

			*vec_push(&function->successors) = found->number;
		}
	}
	free(numbers);
}

/* Depth-first search; the target of an edge back into the path is a loop's header. */
static void find_loops(struct plan_function *function)
{
	enum { WHITE, ON_PATH, DONE };
	uint32_t count = function->blocks.size;
	uint8_t *colour = mem_alloc(count);
	uint32_t *next = mem_alloc(count * sizeof(*next));
	VEC(uint32_t) path = VEC_INIT;

	*vec_push(&path) = 0;
	colour[0] = ON_PATH;
	while (path.size) {
		uint32_t b = path.at[path.size - 1];
		struct plan_block *block = &function->blocks.at[b];
		uint32_t s;

		if (next[b] == block->successors) {
			colour[b] = DONE;
			path.size--;
			continue;
		}
		s = function->successors.at[block->successor + next[b]++];
		if (colour[s] == ON_PATH)
			function->blocks.at[s].check = true;
		if (colour[s] == WHITE) {
			colour[s] = ON_PATH;
			*vec_push(&path) = s;
		}
	}
	vec_deinit(&path);
	free(next);
	free(colour);
}

/* What makes reading fast: how much a block without calls writes, and the cases of a switch. */
static void sum_block(struct plan *plan, struct plan_function *function, struct plan_block *block)
{
	uint32_t last = block->first + block->count - 1;

	for (uint32_t i = block->first; i < last && block->bytes != UNKNOWN_BYTES; i++) {
		const struct plan_record *r = &function->records.at[i];
		bool calls = r->kind >= PLAN_CALL && r->kind <= PLAN_INDIRECT;

		block->bytes = calls ? UNKNOWN_BYTES : block->bytes + r->size;
	}
	if (function->records.at[last].kind == PLAN_SWITCH)
		switch_list_cases(plan->layout, function, block);
}

void records_find(struct plan *plan, struct plan_function *function)
{
	struct finder f = {.plan = plan, .function = function};
	LLVMBasicBlockRef b;

	for (b = LLVMGetFirstBasicBlock(function->function); b; b = LLVMGetNextBasicBlock(b))
		vec_push(&function->blocks)->block = b;
	for (uint32_t i = 0; i < function->blocks.size; i++) {
		f.block = &function->blocks.at[i];
		find_records(&f);
	}
	find_successors(function);
	find_loops(function);
	for (uint32_t i = 0; i < function->blocks.size; i++)
		sum_block(plan, function, &function->blocks.at[i]);
}

/* --- what we cannot record --- */

static const char *instruction_refusal(LLVMValueRef i)
{
	LLVMTypeRef type;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMBr:
	case LLVMIndirectBr:
	case LLVMRet:
	case LLVMUnreachable: return NULL;
	case LLVMSwitch:
		type = LLVMTypeOf(LLVMGetOperand(i, 0));
		return LLVMGetIntTypeWidth(type) > 64 ? "a switch over more than 64 bits" : NULL;
	case LLVMCall:
		return LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail ? "a musttail call"
		                                                          : NULL;
	case LLVMCallBr: return "asm goto";
	default: return LLVMIsATerminatorInst(i) ? "an unusual terminator" : NULL;
	}
}

const char *records_refusal(LLVMValueRef function)
{
	LLVMBasicBlockRef b;
	LLVMValueRef i;

	if (ir_function_has(function, "naked"))
		return "the naked attribute";
	for (b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
		for (i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
			const char *reason = instruction_refusal(i);

			if (reason)
				return reason;
		}
	return NULL;
}
