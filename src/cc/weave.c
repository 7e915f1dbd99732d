/*
 * Putting the hooks into a function. Values are stored at growing offsets from the write position,
 * which lives in a local of its own, the cursor. The cursor becomes a register (emit.c runs
 * mem2reg, and no other local is such that it would be promoted). The position is written back to
 * hence_rt_head only where somebody else goes on writing, before calls and returns: a store in each
 * block would cost more than all the rest. How the reader finds the end of a tape without it is
 * said in runtime/protocol.h.
 */
#include "cc/weave.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/plan.h"
#include "runtime/protocol.h"

/* ------ keeping the code generator from optimising what the program does ------ */

/*
 * The code generator must do what -O0 does: each load and store in its place. Otherwise it hands
 * stored values on to loads and folds what follows, and a division by zero is gone. A load that is
 * neither recorded nor of a private local is dead: -O0 drops it, so it stays as it is.
 */
static void pin_function(const struct plan *plan, const struct plan_function *function)
{
	for (uint32_t b = 0; b < function->blocks.size; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(function->blocks.at[b].block);

		for (; i; i = LLVMGetNextInstruction(i)) {
			int64_t offset;
			int local = LLVMIsALoadInst(i)
			                    ? plan_local_of(plan, function, LLVMGetOperand(i, 0),
			                                    &offset)
			                    : -1;

			if (LLVMIsAStoreInst(i) ||
			    (local >= 0 && function->locals.at[local].private_))
				LLVMSetVolatile(i, true);
			/* Clang promises that some things never happen (a signed sum that
			   overflows). The code generator relies on that when it optimises, but
			   not at -O0, where sums just wrap: without the promises they do here. */
			switch (LLVMGetInstructionOpcode(i)) {
			case LLVMAdd:
			case LLVMSub:
			case LLVMMul:
			case LLVMShl:
				LLVMSetNSW(i, false);
				LLVMSetNUW(i, false);
				break;
			case LLVMUDiv:
			case LLVMSDiv:
			case LLVMLShr:
			case LLVMAShr: LLVMSetExact(i, false); break;
			case LLVMZExt: LLVMSetNNeg(i, false); break;
			case LLVMGetElementPtr: LLVMGEPSetNoWrapFlags(i, 0); break;
			default:
				if (LLVMCanValueUseFastMathFlags(i))
					LLVMSetFastMathFlags(i, LLVMFastMathNone);
			}
		}
	}
	for (uint32_t r = 0; r < function->records.size; r++)
		if (LLVMIsALoadInst(function->records.at[r].instruction))
			LLVMSetVolatile(function->records.at[r].instruction, true);
}

/* ------ hooks ------ */

struct weaver {
	const struct plan *plan;
	const struct plan_function *function;
	struct hooks *hooks;
	struct tables *tables;
	struct points *points;
	LLVMContextRef context;
	LLVMBuilderRef b;
	LLVMTypeRef i8, i32, i64, ptr;
	LLVMValueRef frame;
	LLVMValueRef cursor;     /* address of the local that holds the write position */
	LLVMValueRef descriptor; /* of an enterable function */
	LLVMValueRef base;       /* the write position as last read; NULL: not yet */
	uint32_t block;          /* that is being woven */
	uint32_t offset;         /* bytes written since */
	uint32_t unchecked;      /* bytes written in this block since the last check */
	bool counts;             /* nothing is written, only work is counted: there is no cursor */
};

#define TICK 64u /* bytes that a call or a round of a loop counts for, then */

/* --- the write position --- */

static LLVMValueRef at_offset(struct weaver *w, LLVMValueRef base, uint64_t offset)
{
	LLVMValueRef n = LLVMConstInt(w->i64, offset, false);

	return offset ? LLVMBuildInBoundsGEP2(w->b, w->i8, base, &n, 1, "") : base;
}

static void set_base(struct weaver *w, LLVMValueRef base)
{
	w->base = base;
	w->offset = 0;
}

static LLVMValueRef load_cursor(struct weaver *w)
{
	return LLVMBuildLoad2(w->b, w->ptr, w->cursor, "");
}

/* Moves the cursor behind what was written. */
static void move_cursor(struct weaver *w)
{
	if (w->offset)
		LLVMBuildStore(w->b, at_offset(w, w->base, w->offset), w->cursor);
	set_base(w, NULL);
}

/* The same, and tells the runtime. */
static void commit(struct weaver *w)
{
	move_cursor(w);
	hooks_commit(w->hooks, w->b, load_cursor(w));
}

/* The position after a check or a call. */
static void move_to(struct weaver *w, LLVMValueRef position)
{
	LLVMBuildStore(w->b, position, w->cursor);
	set_base(w, position);
	w->unchecked = 0;
}

static void check(struct weaver *w, LLVMValueRef position)
{
	move_to(w, hooks_check(w->hooks, w->b, position));
}

/* Room for `size` bytes: gives their place. A block of many records checks in between. */
static LLVMValueRef advance(struct weaver *w, uint32_t size)
{
	LLVMValueRef place;

	if (w->unchecked + size > HENCE_SLACK / 8) {
		commit(w);
		check(w, load_cursor(w));
	}
	if (!w->base)
		set_base(w, load_cursor(w));
	place = at_offset(w, w->base, w->offset);
	w->offset += size;
	w->unchecked += size;
	return place;
}

static void put(struct weaver *w, LLVMValueRef value, uint32_t size)
{
	LLVMValueRef place = advance(w, size);

	LLVMSetAlignment(LLVMBuildStore(w->b, value, place), 1);
}

/* --- frames --- */

static LLVMValueRef build_frame(struct weaver *w, LLVMBasicBlockRef entry)
{
	LLVMTypeRef type = LLVMArrayType2(w->i8, w->function->frame_size);
	LLVMValueRef frame;

	LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(entry));
	frame = LLVMBuildAlloca(w->b, type, "hence.frame");
	LLVMSetAlignment(frame, w->function->frame_align);
	return frame;
}

/* --- records --- */

static void position_after(struct weaver *w, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(w->b, LLVMGetNextInstruction(instruction));
}

static void weave_memory(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef pointer = LLVMGetOperand(r->instruction, r->target), value;

	position_after(w, r->instruction);
	value = LLVMBuildLoad2(w->b, LLVMArrayType2(w->i8, r->size), pointer, "");
	LLVMSetAlignment(value, 1);
	put(w, value, r->size);
}

/* The runtime wraps these: to see signal handlers run, and so that confined runs have temporary files. */
static const struct {
	const char *name, *wrapper;
} wrapped[] = {
	{"signal", "hence_rt_signal"},       {"bsd_signal", "hence_rt_signal"},
	{"sysv_signal", "hence_rt_signal"},  {"__sysv_signal", "hence_rt_signal"},
	{"sigaction", "hence_rt_sigaction"}, {"tmpfile", "hence_rt_tmpfile"},
	{"tmpfile64", "hence_rt_tmpfile"},
};

static void wrap_callee(struct weaver *w, LLVMValueRef call, const char *name)
{
	for (size_t i = 0; i < sizeof(wrapped) / sizeof(*wrapped); i++) {
		LLVMValueRef f;

		if (strcmp(name, wrapped[i].name))
			continue;
		f = LLVMGetNamedFunction(w->plan->module, wrapped[i].wrapper);
		if (!f)
			f = LLVMAddFunction(w->plan->module, wrapped[i].wrapper,
			                    LLVMGetCalledFunctionType(call));
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, f);
	}
}

/* Uses `value` wherever the call's result was used, but in the instruction that makes it. */
static void replace_result(LLVMValueRef call, LLVMValueRef value)
{
	unsigned own = (unsigned)LLVMGetNumArgOperands(value);

	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
		return;
	LLVMReplaceAllUsesWith(call, value);
	LLVMSetOperand(value, own - 1, call);
}

/* What comes out of a site behind the call, where its result can be changed; the call itself, if it
   has no such result or no place in the source. */
static LLVMValueRef result_site(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef call = r->instruction, value, taker;

	if (w->counts || !points_takes(LLVMTypeOf(call)) || !plan_ends_statement(call))
		return call;
	value = points_value(w->points, w->b, HENCE_SITE_RESULT, w->block, r->statement, call,
	                     &taker);
	LLVMReplaceAllUsesWith(call, value);
	LLVMSetOperand(taker, 0, call);
	return value;
}

static uint32_t record_number(const struct weaver *w, const struct plan_record *r)
{
	return (uint32_t)(r - w->function->records.at);
}

static void weave_import(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef import = tables_import(w->tables, r->target), call = r->instruction, result;
	LLVMValueRef site = tables_site(w->tables, call, import, record_number(w, r));

	hooks_before(w->hooks, w->b, site, import, w->frame, call);
	wrap_callee(w, call, w->plan->imports.at[r->target].name);
	position_after(w, call);
	if (ir_call_has(call, "noreturn"))
		return;
	result = result_site(w, r);
	replace_result(result, hooks_after(w->hooks, w->b, site, import, w->frame, result,
	                                   r->returns_twice));
}

static void weave_indirect(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef import = tables_cache(w->tables), call = r->instruction, outside, result;
	LLVMValueRef site = tables_site(w->tables, call, import, record_number(w, r));

	outside = hooks_before_indirect(w->hooks, w->b, site, import, w->frame, call);
	position_after(w, call);
	if (ir_call_has(call, "noreturn"))
		return;
	result = result_site(w, r);
	replace_result(result,
	               hooks_after_indirect(w->hooks, w->b, site, w->frame, result, outside));
}

static void weave_call(struct weaver *w, const struct plan_record *r)
{
	LLVMPositionBuilderBefore(w->b, r->instruction);
	if (w->counts) {
		if (r->kind == PLAN_IMPORT)
			weave_import(w, r);
		else if (r->kind == PLAN_INDIRECT)
			weave_indirect(w, r);
		return;
	}
	commit(w);
	if (r->kind == PLAN_CALL) {
		position_after(w, r->instruction);
		check(w, hooks_position(w->hooks, w->b));
		return;
	}
	if (r->kind == PLAN_IMPORT)
		weave_import(w, r);
	else
		weave_indirect(w, r);
	move_to(w, hooks_position(w->hooks, w->b));
}

static LLVMValueRef switch_number(struct weaver *w, const struct plan_switch *s, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	LLVMValueRef most = LLVMConstInt(type, s->most, false), above;

	value = LLVMBuildSub(w->b, value, LLVMConstInt(type, (uint64_t)s->low, true), "");
	above = LLVMBuildICmp(w->b, LLVMIntUGE, value, most, "");
	value = LLVMBuildSelect(w->b, above, most, value, "");
	value = LLVMBuildAdd(w->b, value, LLVMConstInt(type, 1, false), "");
	return LLVMBuildTrunc(w->b, value, LLVMIntTypeInContext(w->context, 8 * s->size), "");
}

/* The value that a branch or switch goes by, behind a site where it can be changed. */
static LLVMValueRef decide(struct weaver *w, const struct plan_record *r, LLVMValueRef value)
{
	LLVMValueRef taker;

	return points_value(w->points, w->b, HENCE_SITE_BRANCH, w->block, r->statement, value,
	                    &taker);
}

/* Writes 2 or 1: a branch that is not yet written reads as 0. */
static void weave_branch(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef bit = LLVMBuildZExt(w->b, LLVMGetCondition(r->instruction), w->i8, "");

	bit = decide(w, r, bit);
	put(w, LLVMBuildAdd(w->b, bit, LLVMConstInt(w->i8, 1, false), ""), 1);
	LLVMSetCondition(r->instruction,
	                 LLVMBuildICmp(w->b, LLVMIntNE, bit, LLVMConstNull(w->i8), ""));
}

static void weave_switch(struct weaver *w, const struct plan_record *r)
{
	struct plan_switch s = plan_switch(w->plan->layout, r->instruction);
	LLVMValueRef value = decide(w, r, LLVMGetOperand(r->instruction, 0));

	LLVMSetOperand(r->instruction, 0, value);
	if (s.most) {
		put(w, switch_number(w, &s, value), r->size);
		move_cursor(w);
	} else {
		put(w, value, r->size);
		commit(w);
	}
}

static void weave_return(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef value =
		LLVMGetNumOperands(r->instruction) ? LLVMGetOperand(r->instruction, 0) : NULL;

	if (!w->counts)
		commit(w);
	if (w->descriptor)
		hooks_leave(w->hooks, w->b, w->descriptor, w->frame, value);
}

static void weave_end(struct weaver *w, const struct plan_record *r)
{
	LLVMValueRef operand;

	LLVMPositionBuilderBefore(w->b, r->instruction);
	switch (r->kind) {
	case PLAN_BRANCH: weave_branch(w, r); break;
	case PLAN_SWITCH: weave_switch(w, r); return;
	case PLAN_JUMP:
		operand = LLVMGetOperand(r->instruction, 0);
		put(w, LLVMBuildPtrToInt(w->b, operand, w->i32, ""), 4);
		break;
	case PLAN_RETURN: weave_return(w, r); return;
	default: break;
	}
	move_cursor(w);
}

static LLVMValueRef half_of(struct weaver *w, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(w->b, value, w->i32, "");
	if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind) {
		value = LLVMBuildBitCast(w->b, value, w->i64, "");
		value = LLVMBuildLShr(w->b, value, LLVMConstInt(w->i64, 32, false), "");
	}
	return LLVMBuildTrunc(w->b, value, w->i32, "");
}

static void weave_record(struct weaver *w, const struct plan_record *r)
{
	LLVMSetCurrentDebugLocation2(w->b, LLVMInstructionGetDebugLoc(r->instruction));
	if (w->counts && r->kind == PLAN_RETURN) {
		LLVMPositionBuilderBefore(w->b, r->instruction);
		weave_return(w, r);
	}
	if (w->counts && r->kind != PLAN_CALL && r->kind != PLAN_IMPORT && r->kind != PLAN_INDIRECT)
		return;
	switch (r->kind) {
	case PLAN_VALUE:
		position_after(w, r->instruction);
		put(w, r->instruction, r->size);
		break;
	case PLAN_HALF:
		position_after(w, r->instruction);
		put(w, half_of(w, r->instruction), 4);
		break;
	case PLAN_MEMORY: weave_memory(w, r); break;
	case PLAN_CALL:
	case PLAN_IMPORT:
	case PLAN_INDIRECT: weave_call(w, r); break;
	default: weave_end(w, r);
	}
}

/* --- functions --- */

static bool is_main(LLVMValueRef function)
{
	size_t length;

	return LLVMGetLinkage(function) != LLVMInternalLinkage &&
	       !strcmp(LLVMGetValueName2(function, &length), "main");
}

/* Counts a piece of work. */
static void tick(struct weaver *w, LLVMValueRef position)
{
	position = hooks_check(w->hooks, w->b, position);
	hooks_commit(w->hooks, w->b, at_offset(w, position, TICK));
}

static void weave_entry(struct weaver *w, uint32_t function)
{
	LLVMValueRef f = w->function->function, low, *params;
	unsigned count = LLVMCountParams(f);

	params = mem_alloc(count * sizeof(*params));
	LLVMGetParams(f, params);
	if (is_main(f))
		hooks_main(w->hooks, w->b, params, count);
	if (w->function->enterable) {
		LLVMValueRef position;

		w->descriptor = tables_function(w->tables, function);
		position = hooks_enter(w->hooks, w->b, params, count, w->descriptor, w->frame);
		if (w->counts)
			tick(w, position);
		else
			move_to(w, position);
	} else if (w->counts) {
		tick(w, hooks_position(w->hooks, w->b));
	} else {
		check(w, hooks_position(w->hooks, w->b));
	}
	free(params);
	if (w->counts)
		return;
	low = LLVMBuildPtrToInt(w->b, w->frame, w->i32, "");
	put(w, low, 4);
	for (uint32_t i = 0; i < w->function->byvals.size; i++)
		put(w, LLVMGetParam(f, w->function->byvals.at[i]), 8);
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

/* Does the function write so much that blocks need checks of their own? */
static bool is_huge(const struct plan_function *function)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < function->records.size; i++)
		sum += function->records.at[i].size;
	return sum > HENCE_SLACK / 4;
}

static void weave_block(struct weaver *w, uint32_t block, bool check_all)
{
	const struct plan_block *p = &w->function->blocks.at[block];

	w->block = block;
	if (block && (p->check || check_all)) {
		LLVMPositionBuilderBefore(w->b, first_after_phis(p->block));
		LLVMSetCurrentDebugLocation2(
			w->b, LLVMInstructionGetDebugLoc(first_after_phis(p->block)));
		if (w->counts)
			tick(w, hooks_position(w->hooks, w->b));
		else
			check(w, load_cursor(w));
	}
	for (uint32_t i = 0; i < p->count; i++)
		weave_record(w, &w->function->records.at[p->first + i]);
	set_base(w, NULL);
	w->unchecked = 0;
}

void weave_function(const struct plan *plan, uint32_t function, struct hooks *hooks,
                    struct tables *tables, struct points *points, bool counts)
{
	struct weaver w = {.plan = plan,
	                   .function = &plan->functions.at[function],
	                   .hooks = hooks,
	                   .tables = tables,
	                   .points = points,
	                   .counts = counts};
	bool check_all = !counts && is_huge(w.function);

	w.context = LLVMGetModuleContext(plan->module);
	w.b = LLVMCreateBuilderInContext(w.context);
	w.i8 = LLVMInt8TypeInContext(w.context);
	w.i32 = LLVMInt32TypeInContext(w.context);
	w.i64 = LLVMInt64TypeInContext(w.context);
	w.ptr = LLVMPointerTypeInContext(w.context, 0);
	w.frame = build_frame(&w, LLVMGetEntryBasicBlock(w.function->function));
	pin_function(plan, w.function);
	points_begin(points, w.b, function, !counts);
	for (uint32_t i = 0; i < w.function->locals.size; i++) {
		const struct plan_local *local = &w.function->locals.at[i];

		LLVMPositionBuilderBefore(w.b, local->alloca_);
		LLVMReplaceAllUsesWith(local->alloca_, at_offset(&w, w.frame, local->offset));
		LLVMInstructionEraseFromParent(local->alloca_);
	}
	position_after(&w, w.frame);
	if (!counts)
		w.cursor = LLVMBuildAlloca(w.b, w.ptr, "hence.cursor");
	weave_entry(&w, function);
	for (uint32_t i = 0; i < w.function->blocks.size; i++)
		weave_block(&w, i, check_all);
	LLVMDisposeBuilder(w.b);
}
