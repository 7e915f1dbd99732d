/*
 * From edits to code: see edit.h. A function gets all its edits at once, a 'meta-mutant'. Where an
 * instruction has edits, its block is split:
 *
 *	B:    ...                          N:    x = phi [original, B], [edited, E1], ...
 *	      selector is one of these:          the instruction, with x
 *	      switch E1, E2; scout: E1;          ...
 *	      else N
 *	E1:   compute what the edit does; note it for scouts; scout ? E2 : N
 *	...
 *	D:    scouts go on here, to N
 *
 * So where no edit is in force, a place costs two comparisons, whatever the number of its edits.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "cc/emit.h"
#include "cc/instrument.h"
#include "edit/declared.h"

/* Instructions that have no block yet. */
struct statement_copy {
	LLVMValueRef *at;
	uint32_t size, room;
};

struct runtime_call {
	LLVMValueRef call, function;
};

struct builder {
	struct edit_module *m;
	LLVMBuilderRef b;
	LLVMTypeRef i1, i32, i64, ptr;
	LLVMValueRef selector, scouts;
	LLVMValueRef slots;  /* addresses of variables, for choices */
	LLVMValueRef choose; /* the runtime's function, as data: a call of it is not for the tape */
	LLVMValueRef safe;   /* the same */
	bool looks; /* what is computed now is only looked at, even if an edit is in force */
	LLVMBasicBlockRef here;        /* the block that ends where edits are built now */
	const struct edit *only;       /* NULL: all, under the selector */
	struct statement_copy *copies; /* by index of the edit */
	VEC(struct runtime_call) calls;
};

/* What is built has no place in the source. */
static void go_before(struct builder *k, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(k->b, instruction);
	LLVMSetCurrentDebugLocation2(k->b, NULL);
}

static void go_to_end(struct builder *k, LLVMBasicBlockRef block)
{
	LLVMPositionBuilderAtEnd(k->b, block);
	LLVMSetCurrentDebugLocation2(k->b, NULL);
}

/* --- blocks --- */

/* Where a block is named as the one that control comes from, it is another one. C has no call for that:
   such instructions are made anew. */
static void rename_incoming(struct builder *k, LLVMBasicBlockRef in, LLVMBasicBlockRef from,
                            LLVMBasicBlockRef to)
{
	LLVMValueRef i = LLVMGetFirstInstruction(in), next;

	for (; i && LLVMIsAPHINode(i); i = next) {
		unsigned count = LLVMCountIncoming(i);
		bool names = false;
		LLVMValueRef phi;

		next = LLVMGetNextInstruction(i);
		for (unsigned n = 0; n < count; n++)
			names |= LLVMGetIncomingBlock(i, n) == from;
		if (!names)
			continue;
		go_before(k, i);
		phi = LLVMBuildPhi(k->b, LLVMTypeOf(i), "");
		for (unsigned n = 0; n < count; n++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, n);
			LLVMBasicBlockRef block = LLVMGetIncomingBlock(i, n);

			if (block == from)
				block = to;
			LLVMAddIncoming(phi, &value, &block, 1);
		}
		LLVMInstructionSetDebugLoc(phi, LLVMInstructionGetDebugLoc(i));
		LLVMReplaceAllUsesWith(i, phi);
		LLVMInstructionEraseFromParent(i);
	}
}

/* Moves the instruction and all that follow it into a new block, and gives that. The old one has no end. */
static LLVMBasicBlockRef split_before(struct builder *k, LLVMValueRef i)
{
	LLVMBasicBlockRef old = LLVMGetInstructionParent(i), next = LLVMGetNextBasicBlock(old);
	LLVMValueRef f = LLVMGetBasicBlockParent(old), end;
	LLVMBasicBlockRef made = next ? LLVMInsertBasicBlockInContext(k->m->context, next, "")
	                              : LLVMAppendBasicBlockInContext(k->m->context, f, "");

	while (i) {
		LLVMValueRef after = LLVMGetNextInstruction(i);

		LLVMInstructionRemoveFromParent(i);
		go_to_end(k, made);
		LLVMInsertIntoBuilder(k->b, i);
		i = after;
	}
	end = LLVMGetBasicBlockTerminator(made);
	for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
		rename_incoming(k, LLVMGetSuccessor(end, s), old, made);
	return made;
}

/* --- values --- */

/* A call of a function of the runtime. It is no call of the program, so the plan must not see one:
   until the code is woven, inline assembly stands for it. */
static LLVMValueRef call_runtime(struct builder *k, LLVMValueRef function, LLVMValueRef args[4])
{
	static const char constraints[] = "=r,r,r,r,r,~{memory}";
	LLVMTypeRef types[] = {k->ptr, k->ptr, k->i64, k->i32};
	LLVMTypeRef type = LLVMFunctionType(k->i64, types, 4, false);
	LLVMValueRef call =
		LLVMGetInlineAsm(type, "", 0, (char *)constraints, sizeof(constraints) - 1, true,
	                         false, LLVMInlineAsmDialectATT, false);

	call = LLVMBuildCall2(k->b, type, call, args, 4, "");
	*vec_push(&k->calls) = (struct runtime_call){call, function};
	return call;
}

/* Inline assembly would cost the code generator more than the rest of the edit. */
static void make_calls(struct builder *k)
{
	for (uint32_t i = 0; i < k->calls.size; i++) {
		LLVMValueRef call = k->calls.at[i].call;

		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1,
		               k->calls.at[i].function);
	}
}

/* An address that is read although the program does not do so here. A scout must not die of it. */
static LLVMValueRef safe(struct builder *k, LLVMValueRef address)
{
	LLVMValueRef args[] = {address, LLVMConstNull(k->ptr), LLVMConstNull(k->i64), NULL};

	if (k->only || LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address))
		return address;
	args[3] = k->looks ? LLVMConstInt(k->i32, HENCE_EDIT_SCOUT, false)
	                   : LLVMBuildLoad2(k->b, k->i32, k->selector, "");
	return LLVMBuildIntToPtr(k->b, call_runtime(k, k->safe, args), k->ptr, "");
}

static LLVMValueRef tree(struct builder *k, const struct edit_tree *t)
{
	LLVMValueRef of[3];

	for (uint32_t i = 0; i < t->count; i++)
		of[i] = tree(k, t->operands[i]);
	switch (t->kind) {
	case EDIT_TREE_LEAF: return t->leaf;
	case EDIT_TREE_LOAD: return LLVMBuildLoad2(k->b, t->type, safe(k, of[0]), "");
	case EDIT_TREE_ELEMENT:
		return LLVMBuildGEP2(k->b, t->type, of[0], of + 1, t->count - 1, "");
	case EDIT_TREE_CAST: return LLVMBuildCast(k->b, (LLVMOpcode)t->opcode, of[0], t->type, "");
	case EDIT_TREE_BINARY: return LLVMBuildBinOp(k->b, (LLVMOpcode)t->opcode, of[0], of[1], "");
	}
	return NULL;
}

static LLVMValueRef term(struct builder *k, const struct edit *e, const struct edit_term *t,
                         LLVMValueRef original)
{
	switch (t->kind) {
	case EDIT_ORIGINAL: return original;
	case EDIT_ITS: return LLVMGetOperand(e->at, t->operand);
	case EDIT_CONSTANT:
		return LLVMGetTypeKind(t->type) == LLVMIntegerTypeKind
		               ? LLVMConstInt(t->type, (uint64_t)t->constant, true)
		               : LLVMConstReal(t->type, t->real);
	case EDIT_LOADED: return LLVMBuildLoad2(k->b, t->type, t->value, "");
	case EDIT_READ: return LLVMBuildLoad2(k->b, t->type, safe(k, tree(k, t->tree)), "");
	case EDIT_STORED: return LLVMBuildLoad2(k->b, t->type, LLVMGetOperand(e->at, 1), "");
	case EDIT_ADDRESS: return t->value;
	case EDIT_STRING: {
		LLVMValueRef text =
			LLVMConstStringInContext2(k->m->context, t->text, strlen(t->text), false);
		LLVMValueRef made = LLVMAddGlobal(k->m->ir, LLVMTypeOf(text), "hence.string");

		LLVMSetInitializer(made, text);
		LLVMSetLinkage(made, LLVMInternalLinkage);
		return made;
	}
	case EDIT_NONE: break;
	}
	return NULL;
}

static LLVMValueRef is_scout(struct builder *k)
{
	return LLVMBuildICmp(k->b, LLVMIntEQ, LLVMBuildLoad2(k->b, k->i32, k->selector, ""),
	                     LLVMConstInt(k->i32, HENCE_EDIT_SCOUT, false), "");
}

/* A scout must not die of a division that nobody makes. */
static LLVMValueRef binary(struct builder *k, int opcode, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeRef type = LLVMTypeOf(b);

	if (!k->only && (opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem ||
	                 opcode == LLVMURem)) {
		LLVMValueRef near = LLVMBuildAdd(k->b, b, LLVMConstInt(type, 1, false), "");
		LLVMValueRef bad =
			LLVMBuildICmp(k->b, LLVMIntULE, near, LLVMConstInt(type, 1, false), "");

		bad = LLVMBuildAnd(k->b, bad, is_scout(k), "");
		b = LLVMBuildSelect(k->b, bad, LLVMConstInt(type, 1, false), b, "");
	}
	return LLVMBuildBinOp(k->b, (LLVMOpcode)opcode, a, b, "");
}

static LLVMValueRef binary_of(void *context, int opcode, LLVMValueRef a, LLVMValueRef b)
{
	return binary(context, opcode, a, b);
}

static LLVMValueRef compare(struct builder *k, int predicate, LLVMValueRef a, LLVMValueRef b)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(a));

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind
	               ? LLVMBuildFCmp(k->b, (LLVMRealPredicate)predicate, a, b, "")
	               : LLVMBuildICmp(k->b, (LLVMIntPredicate)predicate, a, b, "");
}

/* What the edit has instead of the original value. */
static LLVMValueRef compute(struct builder *k, const struct edit *e, LLVMValueRef original)
{
	LLVMValueRef a = term(k, e, &e->a, original), b = term(k, e, &e->b, original), from;
	LLVMValueRef indices[2];
	LLVMTypeRef type;

	switch (e->operation) {
	case EDIT_TAKE: return a;
	case EDIT_BINARY: return binary(k, e->code, a, b);
	case EDIT_COMPARE: return compare(k, e->code, a, b);
	case EDIT_AND: return LLVMBuildAnd(k->b, original, compare(k, e->code, a, b), "");
	case EDIT_OR: return LLVMBuildOr(k->b, original, compare(k, e->code, a, b), "");
	case EDIT_CAST:
		from = LLVMGetOperand(e->at, 0);
		type = LLVMTypeOf(e->at);
		if (!e->inner)
			return LLVMBuildCast(k->b, (LLVMOpcode)e->code, from, type, "");
		a = LLVMBuildCast(k->b, (LLVMOpcode)e->code, LLVMGetOperand(from, 0), type, "");
		b = LLVMBuildCast(k->b, (LLVMOpcode)e->code, LLVMGetOperand(from, 1), type, "");
		return binary(k, e->inner, a, b);
	case EDIT_SELECT:
		from = original;
		if (e->code)
			from = LLVMBuildSelect(k->b,
			                       LLVMBuildICmp(k->b, LLVMIntEQ, original, b, ""), a,
			                       original, "");
		return LLVMBuildSelect(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, original, a, ""), b,
		                       from, "");
	case EDIT_RETYPE:
		return edit_declared_value(
			k->m, e, &(struct edit_declared_builder){k->b, k->here, binary_of, k});
	case EDIT_FIELD:
		indices[0] = LLVMGetOperand(e->at, 1);
		indices[1] = LLVMConstInt(k->i32, (uint64_t)e->code, false);
		return LLVMBuildGEP2(k->b, LLVMGetGEPSourceElementType(e->at),
		                     LLVMGetOperand(e->at, 0), indices, 2, "");
	}
	return NULL;
}

/* --- what scouts note --- */

static LLVMValueRef as_bits(struct builder *k, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) < 64    ? LLVMBuildZExt(k->b, v, k->i64, "")
		       : LLVMGetIntTypeWidth(type) == 64 ? v
		                                         : LLVMBuildTrunc(k->b, v, k->i64, "");
	case LLVMPointerTypeKind: return LLVMBuildPtrToInt(k->b, v, k->i64, "");
	case LLVMFloatTypeKind:
		return LLVMBuildZExt(k->b, LLVMBuildBitCast(k->b, v, k->i32, ""), k->i64, "");
	case LLVMDoubleTypeKind: return LLVMBuildBitCast(k->b, v, k->i64, "");
	default: return LLVMConstInt(k->i64, 1, false);
	}
}

static LLVMValueRef scout_field(struct builder *k, const struct edit *e, size_t offset)
{
	LLVMValueRef n = LLVMConstInt(k->i64, e->id * sizeof(struct hence_scout) + offset, false);

	return LLVMBuildGEP2(k->b, LLVMInt8TypeInContext(k->m->context), k->scouts, &n, 1, "");
}

/* `before` and `now`: values as they are without and with the edit; NULL: they differ anyway. */
static void note(struct builder *k, const struct edit *e, LLVMValueRef before, LLVMValueRef now)
{
	LLVMValueRef at, sum, differs;

	if (k->only)
		return;
	at = scout_field(k, e, offsetof(struct hence_scout, executed));
	sum = LLVMBuildAdd(k->b, LLVMBuildLoad2(k->b, k->i32, at, ""),
	                   LLVMConstInt(k->i32, 1, false), "");
	LLVMBuildStore(k->b, sum, at);
	differs = LLVMConstInt(k->i32, 1, false);
	if (now) {
		LLVMValueRef bits = as_bits(k, now), old = as_bits(k, before), hash;

		differs = LLVMBuildZExt(k->b, LLVMBuildICmp(k->b, LLVMIntNE, bits, old, ""), k->i32,
		                        "");
		at = scout_field(k, e, offsetof(struct hence_scout, values));
		hash = LLVMBuildXor(k->b, LLVMBuildLoad2(k->b, k->i64, at, ""), bits, "");
		hash = LLVMBuildMul(k->b, hash, LLVMConstInt(k->i64, 0x9e3779b97f4a7c15ull, false),
		                    "");
		hash = LLVMBuildAdd(k->b, hash,
		                    LLVMBuildLShr(k->b, hash, LLVMConstInt(k->i64, 29, false), ""),
		                    "");
		LLVMBuildStore(k->b, hash, at);
	}
	at = scout_field(k, e, offsetof(struct hence_scout, differs));
	LLVMBuildStore(k->b, LLVMBuildAdd(k->b, LLVMBuildLoad2(k->b, k->i32, at, ""), differs, ""),
	               at);
}

/* --- one place --- */

#define MOST_OPERANDS 64u

struct place {
	LLVMValueRef at;
	const struct edit **edits;
	uint32_t count;
};

/* Before anything is built: clones of a statement, in no block yet. A later one of them is a use of earlier ones. */
static void clone_statement(struct statement_copy *copy, const struct edit *e, LLVMValueRef begin,
                            LLVMValueRef end)
{
	LLVMMetadataRef place = e->where == EDIT_COPY ? LLVMInstructionGetDebugLoc(e->at) : NULL;
	VEC(LLVMValueRef) from = VEC_INIT;
	uint32_t base = copy->size;

	for (LLVMValueRef i = begin;; i = LLVMGetNextInstruction(i)) {
		const char *intrinsic = ir_intrinsic(i);
		LLVMValueRef clone;

		if (!intrinsic || strncmp(intrinsic, "dbg.", 4)) {
			clone = LLVMInstructionClone(i);
			for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(clone); n++) {
				LLVMValueRef operand = LLVMGetOperand(clone, n);

				for (uint32_t c = 0; c < from.size; c++)
					if (operand == from.at[c])
						LLVMSetOperand(clone, n, copy->at[base + c]);
				if (e->b.kind == EDIT_ADDRESS && operand == e->a.value)
					LLVMSetOperand(clone, n, e->b.value);
			}
			if (place)
				LLVMInstructionSetDebugLoc(clone, place);
			*vec_push(&from) = i;
			*vec_push(copy) = clone;
		}
		if (i == end)
			break;
	}
	vec_deinit(&from);
}

static void insert_copy(struct builder *k, const struct edit *e)
{
	struct statement_copy *copy = &k->copies[e - k->m->edits.at];
	LLVMTypeRef type = LLVMFunctionType(k->i32, &k->ptr, 1, true);
	LLVMValueRef text, call;

	for (uint32_t i = 0; i < copy->size; i++)
		LLVMInsertIntoBuilder(k->b, copy->at[i]);
	vec_deinit(copy);
	if (e->a.kind != EDIT_STRING)
		return;
	text = term(k, e, &e->a, NULL);
	call = LLVMBuildCall2(k->b, type, LLVMGetNamedFunction(k->m->ir, "printf"), &text, 1, "");
	LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(e->at));
}

/* Control leaves the function at once. */
static LLVMBasicBlockRef build_return(struct builder *k, LLVMBasicBlockRef before,
                                      const struct edit *e)
{
	LLVMBasicBlockRef leave = LLVMInsertBasicBlockInContext(k->m->context, before, "");
	LLVMBasicBlockRef old = LLVMGetInsertBlock(k->b);
	LLVMTypeRef type = LLVMGetReturnType(
		LLVMGlobalGetValueType(k->m->plan->functions.at[e->function].function));
	LLVMValueRef end;

	go_to_end(k, leave);
	end = LLVMGetTypeKind(type) == LLVMVoidTypeKind
	              ? LLVMBuildRetVoid(k->b)
	              : LLVMBuildRet(k->b, LLVMConstInt(type, (uint64_t)e->slots->value, true));
	LLVMInstructionSetDebugLoc(end, LLVMInstructionGetDebugLoc(e->at));
	go_to_end(k, old);
	return leave;
}

/* After an edit that is in force, control goes to `real`; scouts go to `next`. */
static void finish(struct builder *k, LLVMBasicBlockRef next, LLVMBasicBlockRef real)
{
	if (k->only)
		LLVMBuildBr(k->b, real);
	else
		LLVMBuildCondBr(k->b, is_scout(k), next, real);
}

/* At the end of a block: to `scouted` for scouts, to the edits of the place by cases that the caller adds to the switch,
   and else to `now`. The code generator makes a chain of comparisons of a switch, so most pass by it. `from` are the
   blocks that control comes to `now` from. */
static LLVMValueRef build_switch(struct builder *k, const struct place *p,
                                 LLVMBasicBlockRef scouted, LLVMBasicBlockRef now,
                                 LLVMBasicBlockRef from[2])
{
	LLVMValueRef sel = LLVMBuildLoad2(k->b, k->i32, k->selector, ""), in;
	uint32_t first = p->edits[0]->id, last = first;

	for (uint32_t i = 1; i < p->count; i++) {
		first = p->edits[i]->id < first ? p->edits[i]->id : first;
		last = p->edits[i]->id > last ? p->edits[i]->id : last;
	}
	from[0] = LLVMInsertBasicBlockInContext(k->m->context, scouted, "");
	from[1] = LLVMInsertBasicBlockInContext(k->m->context, scouted, "");
	in = LLVMBuildICmp(k->b, LLVMIntULE,
	                   LLVMBuildSub(k->b, sel, LLVMConstInt(k->i32, first, false), ""),
	                   LLVMConstInt(k->i32, last - first, false), "");
	LLVMBuildCondBr(k->b, in, from[0], from[1]);
	go_to_end(k, from[1]);
	LLVMBuildCondBr(k->b, is_scout(k), scouted, now);
	go_to_end(k, from[0]);
	return LLVMBuildSwitch(k->b, sel, now, p->count);
}

/* The edits whose work is done before the instruction. */
static void build_before(struct builder *k, const struct place *p)
{
	LLVMBasicBlockRef old = LLVMGetInstructionParent(p->at), now = split_before(k, p->at);
	LLVMBasicBlockRef done, after = NULL, *own = mem_alloc((p->count + 1) * sizeof(*own));
	unsigned operands = (unsigned)LLVMGetNumOperands(p->at);
	LLVMBasicBlockRef moved = NULL;
	LLVMValueRef phis[MOST_OPERANDS] = {0}, originals[MOST_OPERANDS], way = NULL;
	bool skips = false;

	k->here = old;
	operands = operands < MOST_OPERANDS ? operands : MOST_OPERANDS;
	for (unsigned n = 0; n < operands; n++)
		originals[n] = LLVMGetOperand(p->at, n);
	for (uint32_t i = 0; i < p->count; i++)
		skips |= p->edits[i]->where == EDIT_SKIP;
	if (skips)
		after = split_before(k, LLVMGetNextInstruction(p->at));
	if (after) {
		go_to_end(k, now);
		LLVMBuildBr(k->b, after);
	}
	for (uint32_t i = 0; i < p->count && !moved; i++) {
		LLVMValueRef last = p->edits[i]->copied;

		if (p->edits[i]->where != EDIT_MOVE)
			continue;
		moved = split_before(k, LLVMGetNextInstruction(last));
		go_to_end(k, LLVMGetInstructionParent(last));
		LLVMBuildBr(k->b, moved);
	}
	for (uint32_t i = 0; i < p->count; i++)
		own[i] = LLVMInsertBasicBlockInContext(k->m->context, now, "");
	done = own[p->count] = LLVMInsertBasicBlockInContext(k->m->context, now, "");
	/* Operands that some edit replaces come together in front of the instruction. */
	for (uint32_t i = 0; i < p->count; i++) {
		const struct edit *e = p->edits[i];

		for (int second = 0; second < 2 && e->where == EDIT_OPERAND; second++) {
			uint32_t n = second ? (uint32_t)e->code - 1 : e->operand;

			if ((second && e->kind != EDIT_EXCHANGED) || n >= operands || phis[n])
				continue;
			go_before(k, LLVMGetFirstInstruction(now));
			phis[n] = LLVMBuildPhi(k->b, LLVMTypeOf(originals[n]), "");
		}
	}
	go_to_end(k, old);
	if (k->only) {
		LLVMBuildBr(k->b, own[0]);
	} else {
		LLVMBasicBlockRef idle[2];

		way = build_switch(k, p, own[0], now, idle);
		for (unsigned n = 0; n < operands; n++) {
			LLVMValueRef same[] = {originals[n], originals[n]};

			if (phis[n])
				LLVMAddIncoming(phis[n], same, idle, 2);
		}
	}
	for (uint32_t i = 0; i < p->count; i++) {
		const struct edit *e = p->edits[i];
		LLVMValueRef value = NULL, second = NULL, loaded;
		LLVMBasicBlockRef real = now, from;

		if (way)
			LLVMAddCase(way, LLVMConstInt(k->i32, e->id, false), own[i]);
		go_to_end(k, own[i]);
		switch (e->where) {
		case EDIT_OPERAND:
			value = compute(k, e, originals[e->operand]);
			if (e->kind == EDIT_EXCHANGED)
				second = originals[e->operand];
			if (e->operation != EDIT_RETYPE || !e->operand)
				note(k, e, originals[e->operand], value);
			break;
		case EDIT_SKIP:
			/* What is there already need not be stored. */
			if (LLVMIsAStoreInst(p->at)) {
				loaded = LLVMBuildLoad2(k->b, LLVMTypeOf(originals[0]),
				                        originals[1], "");
				note(k, e, originals[0], loaded);
			} else {
				note(k, e, NULL, NULL);
			}
			real = after;
			break;
		case EDIT_COPY:
			if (e->code)
				note(k, e, LLVMConstInt(k->i1, 1, false), originals[0]);
			else
				note(k, e, NULL, NULL);
			break;
		case EDIT_GO:
		case EDIT_MOVE:
		case EDIT_WAY: note(k, e, NULL, NULL); break;
		default: break;
		}
		from = LLVMGetInsertBlock(k->b);
		if (e->where == EDIT_COPY || e->where == EDIT_WAY || e->where == EDIT_GO ||
		    e->where == EDIT_MOVE) {
			/* Only when it is in force. */
			LLVMBasicBlockRef force =
				LLVMInsertBasicBlockInContext(k->m->context, now, "");

			finish(k, own[i + 1], force);
			go_to_end(k, force);
			from = force;
			switch (e->where) {
			case EDIT_COPY:
				if (e->code) {
					LLVMBasicBlockRef other = LLVMInsertBasicBlockInContext(
						k->m->context, now, "");

					LLVMBuildCondBr(k->b, originals[0], now, other);
					for (unsigned n = 0; n < operands; n++)
						if (phis[n])
							LLVMAddIncoming(phis[n], &originals[n],
							                &force, 1);
					go_to_end(k, other);
					from = other;
				}
				insert_copy(k, e);
				LLVMBuildBr(k->b, now);
				break;
			case EDIT_MOVE:
				insert_copy(k, e);
				LLVMBuildBr(k->b, moved);
				real = NULL;
				break;
			case EDIT_GO:
				LLVMInstructionSetDebugLoc(
					LLVMBuildBr(k->b, e->to ? e->to : build_return(k, now, e)),
					LLVMInstructionGetDebugLoc(p->at));
				real = NULL;
				break;
			default: {
				LLVMBasicBlockRef next =
					LLVMGetSuccessor(p->at, (unsigned)e->code % 2);

				real = NULL;
				if (e->code >= 2) {
					LLVMBasicBlockRef end =
						LLVMGetSuccessor(p->at, 3 - (unsigned)e->code);
					LLVMValueRef alone =
						LLVMConstInt(k->i1, e->code == 2, false);

					LLVMBuildCondBr(k->b, originals[0],
					                e->code == 2 ? end : next,
					                e->code == 2 ? next : end);
					LLVMAddIncoming(LLVMGetFirstInstruction(end), &alone,
					                &force, 1);
					break;
				}

				LLVMBuildCondBr(k->b, originals[0], e->code ? next : e->to,
				                e->code ? e->to : next);
			}
			}
		} else {
			finish(k, own[i + 1], real);
		}
		for (unsigned n = 0; n < operands && real == now; n++) {
			LLVMValueRef v = value && n == e->operand               ? value
			                 : second && n == (unsigned)e->code - 1 ? second
			                                                        : originals[n];

			if (phis[n])
				LLVMAddIncoming(phis[n], &v, &from, 1);
		}
	}
	go_to_end(k, done);
	if (k->only)
		LLVMBuildUnreachable(k->b);
	else
		LLVMBuildBr(k->b, now);
	for (unsigned n = 0; n < operands; n++) {
		if (!phis[n])
			continue;
		if (!k->only)
			LLVMAddIncoming(phis[n], &originals[n], &done, 1);
		LLVMSetOperand(p->at, n, phis[n]);
	}
	if (k->only)
		LLVMDeleteBasicBlock(done);
	free(own);
}

/* The edits of what an instruction computes. */
static void build_result(struct builder *k, const struct place *p)
{
	struct use {
		LLVMValueRef user;
		unsigned operand;
	};
	VEC(struct use) uses = VEC_INIT;
	LLVMBasicBlockRef old = LLVMGetInstructionParent(p->at), now, done, *own;
	LLVMValueRef phi, way = NULL;

	for (LLVMUseRef u = LLVMGetFirstUse(p->at); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(user); n++)
			if (LLVMGetOperand(user, n) == p->at)
				*vec_push(&uses) = (struct use){user, n};
	}
	now = split_before(k, LLVMGetNextInstruction(p->at));
	/* What splitting has made anew uses it, too. */
	uses.size = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(p->at); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(user); n++)
			if (LLVMGetOperand(user, n) == p->at)
				*vec_push(&uses) = (struct use){user, n};
	}
	k->here = old;
	own = mem_alloc((p->count + 1) * sizeof(*own));
	for (uint32_t i = 0; i < p->count; i++)
		own[i] = LLVMInsertBasicBlockInContext(k->m->context, now, "");
	done = own[p->count] = LLVMInsertBasicBlockInContext(k->m->context, now, "");
	go_before(k, LLVMGetFirstInstruction(now));
	phi = LLVMBuildPhi(k->b, LLVMTypeOf(p->at), "");
	go_to_end(k, old);
	if (k->only) {
		LLVMBuildBr(k->b, own[0]);
	} else {
		LLVMValueRef same[] = {p->at, p->at};
		LLVMBasicBlockRef idle[2];

		way = build_switch(k, p, own[0], now, idle);
		LLVMAddIncoming(phi, same, idle, 2);
	}
	for (uint32_t i = 0; i < p->count; i++) {
		const struct edit *e = p->edits[i];
		LLVMBasicBlockRef from;
		LLVMValueRef value;

		if (way)
			LLVMAddCase(way, LLVMConstInt(k->i32, e->id, false), own[i]);
		go_to_end(k, own[i]);
		value = compute(k, e, p->at);
		note(k, e, p->at, value);
		from = LLVMGetInsertBlock(k->b);
		finish(k, own[i + 1], now);
		LLVMAddIncoming(phi, &value, &from, 1);
	}
	if (k->only) {
		LLVMDeleteBasicBlock(done);
	} else {
		go_to_end(k, done);
		LLVMBuildBr(k->b, now);
		LLVMAddIncoming(phi, (LLVMValueRef *)&p->at, &done, 1);
	}
	for (uint32_t i = 0; i < uses.size; i++)
		LLVMSetOperand(uses.at[i].user, uses.at[i].operand, phi);
	vec_deinit(&uses);
	free(own);
}

/* --- choices --- */

/* The address of a variable of a place. While one choice is in force, all others of its table are looked at. */
static LLVMValueRef slot(struct builder *k, const struct edit_slots *s, uint32_t which)
{
	LLVMValueRef address;

	if (!s->trees[which])
		return s->storage[which];
	k->looks = true;
	address = safe(k, tree(k, s->trees[which]));
	k->looks = false;
	return address;
}

static LLVMValueRef choice_value(struct builder *k, const struct edit *e, uint8_t which,
                                 int64_t constant)
{
	const struct hence_choice_variable *t;
	LLVMValueRef v;

	if (which == HENCE_CHOICE_CONSTANT)
		return LLVMConstInt(k->i64, (uint64_t)constant, true);
	t = &e->slots->types[which];
	v = LLVMBuildLoad2(k->b, LLVMIntTypeInContext(k->m->context, 8u * t->size),
	                   slot(k, e->slots, which), "");
	if (t->size == 8)
		return v;
	return t->is_signed ? LLVMBuildSExt(k->b, v, k->i64, "")
	                    : LLVMBuildZExt(k->b, v, k->i64, "");
}

static LLVMValueRef operate(struct builder *k, uint8_t operation, LLVMValueRef x, LLVMValueRef y)
{
	LLVMIntPredicate less = operation == HENCE_OPERATION_MIN ? LLVMIntSLT : LLVMIntSGT;

	switch ((enum hence_choice_operation)operation) {
	case HENCE_OPERATION_ADD: return LLVMBuildAdd(k->b, x, y, "");
	case HENCE_OPERATION_SUB: return LLVMBuildSub(k->b, x, y, "");
	case HENCE_OPERATION_FROM: return LLVMBuildSub(k->b, y, x, "");
	case HENCE_OPERATION_MUL: return LLVMBuildMul(k->b, x, y, "");
	case HENCE_OPERATION_DIV: return LLVMBuildSDiv(k->b, x, y, "");
	case HENCE_OPERATION_MOD: return LLVMBuildSRem(k->b, x, y, "");
	case HENCE_OPERATION_MIN:
	case HENCE_OPERATION_MAX:
		return LLVMBuildSelect(k->b, LLVMBuildICmp(k->b, less, x, y, ""), x, y, "");
	default: return x;
	}
}

/* Is it of a type of 8 bytes without sign? Then the comparison is one of unsigned numbers. */
static bool is_natural(const struct edit *e, uint8_t which)
{
	return which != HENCE_CHOICE_CONSTANT && !e->slots->types[which].is_signed &&
	       e->slots->types[which].size == 8;
}

/* One choice alone, as code. */
static void build_choice(struct builder *k, const struct edit *e)
{
	LLVMBasicBlockRef old = LLVMGetInstructionParent(e->at), now = NULL, after = e->to;
	LLVMValueRef a, b, holds, original;

	if (e->choice.kind == HENCE_CHOICE_IF) {
		now = split_before(k, e->at);
		if (e->kind == EDIT_GUARDED) {
			after = split_before(k, LLVMGetNextInstruction(e->copied));
			go_to_end(k, LLVMGetInstructionParent(e->copied));
			LLVMBuildBr(k->b, after);
		}
		go_to_end(k, old);
	} else {
		go_before(k, e->at);
	}
	a = choice_value(k, e, e->choice.a, 0);
	b = choice_value(k, e, e->choice.b, e->choice.constant);
	if (e->choice.operation)
		a = operate(k, e->choice.operation, a,
		            choice_value(k, e, e->choice.with, e->choice.with_constant));
	if (e->choice.kind == HENCE_CHOICE_ADD)
		b = LLVMBuildAdd(k->b, a, b, "");
	if (e->choice.kind == HENCE_CHOICE_FILL)
		b = LLVMBuildSelect(k->b,
		                    LLVMBuildICmp(k->b, LLVMIntEQ, a, LLVMConstNull(k->i64), ""), b,
		                    a, "");
	if (e->choice.kind >= HENCE_CHOICE_SET) {
		LLVMTypeRef type =
			LLVMIntTypeInContext(k->m->context, 8u * e->slots->types[e->choice.a].size);

		if (LLVMGetIntTypeWidth(type) < 64)
			b = LLVMBuildTrunc(k->b, b, type, "");
		LLVMInstructionSetDebugLoc(LLVMBuildStore(k->b, b, slot(k, e->slots, e->choice.a)),
		                           LLVMInstructionGetDebugLoc(e->at));
		return;
	}
	original = LLVMGetNumOperands(e->at) ? LLVMGetOperand(e->at, e->operand) : NULL;
	if (e->choice.kind == HENCE_CHOICE_VALUE) {
		a = operate(k, e->choice.predicate, a, b);
		if (e->slots->watched->bits < 64)
			a = LLVMBuildTrunc(k->b, a, LLVMTypeOf(original), "");
		LLVMSetOperand(e->at, e->operand, a);
		return;
	}
	/* The comparison of a choice, as code. */
	static const LLVMIntPredicate signs[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT,
	                                         LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
	static const LLVMIntPredicate natural[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT,
	                                           LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
	bool naturally =
		!e->choice.operation && (is_natural(e, e->choice.a) || is_natural(e, e->choice.b));
	holds = LLVMBuildICmp(k->b, (naturally ? natural : signs)[e->choice.predicate], a, b, "");
	if (e->choice.kind == HENCE_CHOICE_IF) {
		LLVMValueRef br;

		if (e->slots->result) {
			LLVMBasicBlockRef leave =
				LLVMInsertBasicBlockInContext(k->m->context, now, "");

			br = LLVMBuildCondBr(k->b, holds, leave, now);
			go_to_end(k, leave);
			LLVMBuildStore(k->b,
			               LLVMConstInt(LLVMGetAllocatedType(e->slots->result),
			                            (uint64_t)e->slots->value, true),
			               e->slots->result);
			LLVMBuildBr(k->b, after);
		} else if (e->kind == EDIT_GUARDED) {
			br = LLVMBuildCondBr(k->b, holds, now, after);
		} else {
			if (!after)
				after = build_return(k, now, e);
			br = LLVMBuildCondBr(k->b, holds, after, now);
		}
		LLVMInstructionSetDebugLoc(br, LLVMInstructionGetDebugLoc(e->at));
		return;
	}
	if (e->choice.kind == HENCE_CHOICE_AND)
		holds = LLVMBuildAnd(k->b, original, holds, "");
	else if (e->choice.kind == HENCE_CHOICE_OR)
		holds = LLVMBuildOr(k->b, original, holds, "");
	LLVMSetOperand(e->at, e->operand, holds);
}

/* A table of choices: asked when one of them is in force, or a scout comes by. */
static void build_choices(struct builder *k, const struct edit **list, uint32_t count)
{
	const struct edit *first = list[0];
	bool replaces = !first->to && first->choice.kind <= HENCE_CHOICE_OR;
	bool goes = first->choice.kind == HENCE_CHOICE_IF;
	LLVMBasicBlockRef old = LLVMGetInstructionParent(first->at),
			  now = split_before(k, first->at);
	LLVMBasicBlockRef ask = LLVMInsertBasicBlockInContext(k->m->context, now, ""), after = NULL;
	LLVMTypeRef i8 = LLVMInt8TypeInContext(k->m->context);
	LLVMValueRef sel, in, table, original, args[4], answer;
	size_t size = sizeof(struct hence_choices) + count * sizeof(struct hence_choice);
	struct hence_choices *c = mem_alloc(size);
	static unsigned serial;
	char name[32];

	c->first = first->id;
	c->count = count;
	c->variables = (uint16_t)first->slots->count;
	c->bits = replaces ? (uint16_t)LLVMGetIntTypeWidth(
				     LLVMTypeOf(LLVMGetOperand(first->at, first->operand)))
	                   : 1;
	memcpy(c->types, first->slots->types, sizeof(c->types));
	for (uint32_t i = 0; i < count; i++)
		c->list[i] = list[i]->choice;
	snprintf(name, sizeof(name), "hence.choices%u", serial++);
	table = LLVMAddGlobal(k->m->ir, LLVMArrayType2(i8, size), name);
	LLVMSetInitializer(table,
	                   LLVMConstStringInContext2(k->m->context, (const char *)c, size, true));
	LLVMSetLinkage(table, LLVMInternalLinkage);
	LLVMSetAlignment(table, 8);
	free(c);
	/* A guarded statement ends with `copied`: after it control goes on. */
	if (first->kind == EDIT_GUARDED) {
		LLVMBasicBlockRef whole;

		after = split_before(k, LLVMGetNextInstruction(first->copied));
		whole = LLVMGetInstructionParent(first->copied);
		go_to_end(k, whole);
		LLVMBuildBr(k->b, after);
	} else {
		after = first->to;
	}
	go_to_end(k, old);
	sel = LLVMBuildLoad2(k->b, k->i32, k->selector, "");
	in = LLVMBuildICmp(k->b, LLVMIntULT,
	                   LLVMBuildSub(k->b, sel, LLVMConstInt(k->i32, first->id, false), ""),
	                   LLVMConstInt(k->i32, count, false), "");
	in = LLVMBuildOr(k->b, in,
	                 LLVMBuildICmp(k->b, LLVMIntEQ, sel,
	                               LLVMConstInt(k->i32, HENCE_EDIT_SCOUT, false), ""),
	                 "");
	LLVMBuildCondBr(k->b, in, ask, now);
	go_to_end(k, ask);
	for (uint32_t i = 0; i < first->slots->count; i++) {
		LLVMValueRef n = LLVMConstInt(k->i64, i, false);

		LLVMBuildStore(k->b, slot(k, first->slots, i),
		               LLVMBuildGEP2(k->b, k->ptr, k->slots, &n, 1, ""));
	}
	/* A guarded statement is executed as it is, and nobody leaves. */
	original = replaces ? LLVMGetOperand(first->at, first->operand)
	                    : LLVMConstInt(k->i1, first->kind == EDIT_GUARDED, false);
	args[0] = table;
	args[1] = k->slots;
	args[2] = as_bits(k, original);
	args[3] = sel;
	answer = call_runtime(k, k->choose, args);
	if (LLVMTypeOf(original) != k->i64)
		answer = LLVMBuildTrunc(k->b, answer, LLVMTypeOf(original), "");
	if (goes) {
		LLVMBasicBlockRef leave = after;

		if (first->slots->result) {
			leave = LLVMInsertBasicBlockInContext(k->m->context, now, "");
			LLVMBuildCondBr(k->b, answer, leave, now);
			go_to_end(k, leave);
			LLVMBuildStore(k->b,
			               LLVMConstInt(LLVMGetAllocatedType(first->slots->result),
			                            (uint64_t)first->slots->value, true),
			               first->slots->result);
			LLVMBuildBr(k->b, after);
		} else if (first->kind == EDIT_GUARDED) {
			LLVMBuildCondBr(k->b, answer, now, after);
		} else {
			if (!leave)
				leave = build_return(k, now, first);
			LLVMBuildCondBr(k->b, answer, leave, now);
		}
	} else {
		LLVMBuildBr(k->b, now);
	}
	if (replaces) {
		LLVMValueRef phi, values[] = {original, answer};
		LLVMBasicBlockRef blocks[] = {old, ask};

		go_before(k, LLVMGetFirstInstruction(now));
		phi = LLVMBuildPhi(k->b, LLVMTypeOf(original), "");
		LLVMAddIncoming(phi, values, blocks, 2);
		LLVMSetOperand(first->at, first->operand, phi);
	}
}

/* --- functions --- */

static bool is_built(const struct builder *k, const struct edit *e)
{
	if (k->only && k->only->group)
		return e->group && !strcmp(e->group, k->only->group);
	return k->only ? e == k->only : e->id != 0;
}

static void build_places(struct builder *k)
{
	struct edit_module *m = k->m;
	const struct edit **list = mem_alloc((m->edits.size + 1) * sizeof(*list));

	k->copies = mem_alloc((m->edits.size + 1) * sizeof(*k->copies));
	for (uint32_t i = 0; i < m->edits.size; i++) {
		const struct edit *e = &m->edits.at[i];

		if (!is_built(k, e) || !e->first)
			continue;
		clone_statement(&k->copies[i], e,
		                e->where == EDIT_MOVE ? LLVMGetNextInstruction(e->first) : e->first,
		                e->copied);
		if (e->where == EDIT_MOVE)
			clone_statement(&k->copies[i], e, e->at, e->first);
	}
	for (uint32_t i = 0; i < m->edits.size; i++)
		if (is_built(k, &m->edits.at[i]) && m->edits.at[i].declared)
			edit_declare(m, m->edits.at[i].declared, k->b, !k->only);
	/* Edits of one instruction are neighbours; the later instructions of a block come first, so
	   that what was split off is done with. */
	for (uint32_t end = m->edits.size; end;) {
		LLVMValueRef at = m->edits.at[end - 1].at;
		uint32_t begin = end;

		while (begin && m->edits.at[begin - 1].at == at)
			begin--;
		for (uint32_t i = end; i-- > begin;) {
			uint32_t count = 1;

			if (m->edits.at[i].where != EDIT_CHOICE || !is_built(k, &m->edits.at[i]))
				continue;
			list[0] = &m->edits.at[i];
			while (i > begin && m->edits.at[i - 1].slots == list[0]->slots &&
			       m->edits.at[i - 1].to == list[0]->to && !k->only)
				list[count++] = &m->edits.at[--i];
			for (uint32_t n = 0; n < count / 2; n++) {
				const struct edit *kept = list[n];

				list[n] = list[count - 1 - n];
				list[count - 1 - n] = kept;
			}
			if (k->only)
				build_choice(k, list[0]);
			else
				build_choices(k, list, count);
		}
		/* Other types are edits of many places, with ids that are not near those of the others here. */
		for (int pass = 3; pass >= 0; pass--) {
			struct place p = {.at = at, .edits = list};
			bool result = pass % 2, retypes = pass / 2;

			for (uint32_t i = begin; i < end; i++) {
				const struct edit *e = &m->edits.at[i];

				if (is_built(k, e) && e->where != EDIT_POKE &&
				    e->where != EDIT_CHOICE &&
				    (e->operation == EDIT_RETYPE) == retypes &&
				    (e->where == EDIT_RESULT) == result)
					list[p.count++] = e;
			}
			if (p.count && result)
				build_result(k, &p);
			else if (p.count)
				build_before(k, &p);
		}
		end = begin;
	}
	free(list);
	free(k->copies);
}

/* --- the rest of the module --- */

static void delete_named(LLVMModuleRef ir, const char *name)
{
	LLVMValueRef global = LLVMGetNamedGlobal(ir, name);

	if (global)
		LLVMDeleteGlobal(global);
}

static LLVMValueRef declare_for(LLVMModuleRef ir, LLVMValueRef global, const char *name)
{
	LLVMValueRef made;

	LLVMSetValueName2(global, "hence.old", 9);
	made = LLVMAddGlobal(ir, LLVMGlobalGetValueType(global), name);
	LLVMReplaceAllUsesWith(global, made);
	return made;
}

/* What the runtime and the program have already is only referred to. */
static void refer(struct builder *k, const bool *edited)
{
	LLVMModuleRef ir = k->m->ir;
	struct plan *plan = k->m->plan;
	VEC(LLVMValueRef) gone = VEC_INIT;
	char name[64];

	delete_named(ir, "llvm.used");
	delete_named(ir, "llvm.compiler.used");
	delete_named(ir, "llvm.global_ctors");
	delete_named(ir, "llvm.global_dtors");
	delete_named(ir, "hence.entry");
	for (int i = 0; i < 2; i++) {
		static const char *const names[] = {IMAGE_MODULE, IMAGE_IMPORTS};
		LLVMValueRef global = LLVMGetNamedGlobal(ir, names[i]);

		declare_for(ir, global, names[i]);
		*vec_push(&gone) = global;
	}
	for (uint32_t i = 0; i < plan->functions.size; i++) {
		LLVMValueRef f = plan->functions.at[i].function, made;

		snprintf(name, sizeof(name), "hence.f%u", i);
		made = LLVMAddFunction(ir, name, LLVMGlobalGetValueType(f));
		LLVMReplaceAllUsesWith(f, made);
	}
	for (uint32_t i = 0; i < plan->imports.size; i++) {
		LLVMValueRef f = plan->imports.at[i].function, made;

		if (!LLVMIsAFunction(f) || !LLVMIsDeclaration(f))
			continue;
		snprintf(name, sizeof(name), "hence.i%u", i);
		made = LLVMAddFunction(ir, name, LLVMGlobalGetValueType(f));
		LLVMReplaceAllUsesWith(f, made);
	}
	for (uint32_t i = 0; i < plan->globals.size; i++) {
		LLVMValueRef global = plan->globals.at[i];
		size_t length;
		const char *old = LLVMGetValueName2(global, &length);

		if (LLVMIsThreadLocal(global) || !strncmp(old, "hence", 5) ||
		    !strncmp(old, "llvm.", 5))
			continue;
		snprintf(name, sizeof(name), "hence.g%u", i);
		declare_for(ir, global, name);
		*vec_push(&gone) = global;
	}
	for (uint32_t i = 0; i < plan->functions.size; i++)
		if (!edited[i])
			LLVMDeleteFunction(plan->functions.at[i].function);
	for (uint32_t i = 0; i < gone.size; i++)
		LLVMDeleteGlobal(gone.at[i]);
	delete_named(ir, "hence.addresses");
	delete_named(ir, "hence.sizes");
	vec_deinit(&gone);
}

static void drop_protector(LLVMValueRef f)
{
	static const char *const names[] = {"ssp", "sspstrong", "sspreq"};

	for (int i = 0; i < 3; i++)
		LLVMRemoveEnumAttributeAtIndex(
			f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
}

#define UNIT_GLOBALS 6u /* operand of a DICompileUnit: its list of global variables */

static struct hence_error *check(LLVMModuleRef ir)
{
	char *message = NULL;
	struct hence_error *error = NULL;

	if (LLVMVerifyModule(ir, LLVMReturnStatusAction, &message))
		error = error_create(HENCE_ERROR_INTERNAL, "edits broke the module: %.300s",
		                     message);
	LLVMDisposeMessage(message);
	return error;
}

/* After this the module's plan is that of the edited code. */
static struct hence_error *compile(struct builder *k, struct image *image)
{
	struct edit_module *m = k->m;
	VEC(struct image_entry) entries = VEC_INIT;
	VEC(struct hence_image_poke) pokes = VEC_INIT;
	bool *edited = mem_alloc(m->plan->functions.size + 1);
	struct hence_error *error = check(m->ir);
	LLVMMemoryBufferRef object = NULL;

	for (uint32_t i = 0; i < m->edits.size; i++) {
		const struct edit *e = &m->edits.at[i];

		if (is_built(k, e) && e->where == EDIT_POKE)
			*vec_push(&pokes) = e->poke;
		else if (is_built(k, e))
			edited[e->function] = true;
	}
	if (!error) {
		plan_destroy(m->plan);
		m->plan = plan_create(m->ir, m->loaded->plan);
		LLVMSetModuleInlineAsm2(m->ir, "", 0);
		/* What runs under a selector is never recorded. */
		cc_weave(m->plan, m->loaded->hash, edited, !k->only);
		make_calls(k);
		/* The selector is there in any case. */
		if (!k->selector)
			k->selector = LLVMAddGlobal(m->ir, k->i32, IMAGE_SELECTOR);
		LLVMSetInitializer(k->selector, LLVMConstNull(k->i32));
		LLVMSetLinkage(k->selector, LLVMInternalLinkage);
		for (uint32_t i = 0; i < m->plan->functions.size; i++)
			if (edited[i]) {
				*vec_push(&entries) = (struct image_entry){
					.function = i, .name = m->plan->functions.at[i].name};
				drop_protector(m->plan->functions.at[i].function);
				LLVMSetLinkage(m->plan->functions.at[i].function,
				               LLVMExternalLinkage);
			}
		refer(k, edited);
		if (image->debug) {
			/* Debug information has only locals: a debugger that finds globals without an address would not look for those of the
			   program. */
			unsigned count = LLVMGetNamedMetadataNumOperands(m->ir, "llvm.dbg.cu");
			LLVMValueRef *units = mem_alloc((count + 1) * sizeof(LLVMValueRef));

			LLVMGetNamedMetadataOperands(m->ir, "llvm.dbg.cu", units);
			for (unsigned i = 0; i < count; i++)
				LLVMReplaceMDNodeOperandWith(units[i], UNIT_GLOBALS, NULL);
			free(units);
		} else {
			LLVMStripModuleDebugInfo(m->ir);
		}
		error = check(m->ir);
	}
	if (!error)
		error = emit_object(m->ir, &object);
	if (!error)
		error = image_add(image, m->loaded, LLVMGetBufferStart(object),
		                  LLVMGetBufferSize(object), entries.at, entries.size, pokes.at,
		                  pokes.size);
	if (object)
		LLVMDisposeMemoryBuffer(object);
	vec_deinit(&entries);
	vec_deinit(&pokes);
	free(edited);
	return error;
}

static struct builder begin(struct edit_module *m, const struct edit *only)
{
	struct builder k = {.m = m, .only = only};

	k.b = LLVMCreateBuilderInContext(m->context);
	k.i1 = LLVMInt1TypeInContext(m->context);
	k.i32 = LLVMInt32TypeInContext(m->context);
	k.i64 = LLVMInt64TypeInContext(m->context);
	k.ptr = LLVMPointerTypeInContext(m->context, 0);
	return k;
}

void edit_apply(struct edit_module *m, const struct edit *edit)
{
	struct builder k = begin(m, edit);

	build_places(&k);
	LLVMDisposeBuilder(k.b);
	plan_destroy(m->plan);
	m->plan = plan_create(m->ir, m->loaded->plan);
}

struct hence_error *edit_build(struct edit_module *m, const struct edit *only, struct image *image)
{
	struct builder k = begin(m, only);
	struct hence_error *error;

	if (!only) {
		k.selector = LLVMAddGlobal(m->ir, k.i32, IMAGE_SELECTOR);
		k.safe = LLVMAddGlobal(m->ir, LLVMInt8TypeInContext(m->context), IMAGE_SAFE);
		k.scouts = LLVMAddGlobal(
			m->ir, LLVMArrayType2(LLVMInt8TypeInContext(m->context), 16), IMAGE_SCOUTS);
	}
	for (uint32_t i = 0; i < m->edits.size && !only && !k.slots; i++)
		if (m->edits.at[i].where == EDIT_CHOICE && m->edits.at[i].id) {
			LLVMTypeRef type = LLVMArrayType2(k.ptr, HENCE_CHOICE_SLOTS);

			k.slots = LLVMAddGlobal(m->ir, type, "hence.slots");
			LLVMSetInitializer(k.slots, LLVMConstNull(type));
			LLVMSetLinkage(k.slots, LLVMInternalLinkage);
			k.choose = LLVMAddGlobal(m->ir, LLVMInt8TypeInContext(m->context),
			                         IMAGE_CHOOSE);
		}
	build_places(&k);
	error = compile(&k, image);
	vec_deinit(&k.calls);
	LLVMDisposeBuilder(k.b);
	return error;
}
