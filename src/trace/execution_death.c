/*
 * The instruction that a program died of. The tape ends somewhere before it; the place of the crash
 * tells which it was, or if that is not known, the instructions themselves. See execution.h.
 */
#include <string.h>

#include "trace/executor.h"

/* May the instruction be what a program dies of? */
static bool may_fault(const struct code_insn *i)
{
	switch (i->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE:
	case CODE_STORE:
	case CODE_STORE_WIDE:
	case CODE_COPY:
	case CODE_FILL:
	case CODE_ATOMIC:
	case CODE_EVAL:
	case CODE_CALL:
	case CODE_STOP:
	case CODE_NOTHING: return true;
	default: return false;
	}
}

/* Only the tape has its value. */
static bool is_recorded(const struct code_insn *i)
{
	return i->op == CODE_ALLOCA || i->op == CODE_RECORDED || i->op == CODE_ASM ||
	       i->op == CODE_VA_START || i->op == CODE_ATOMIC || i->op >= CODE_GOTO;
}

/* The instruction with this place, in the block and not executed yet; UINT32_MAX: none. Of several the
   first that does not just read or write a variable: that only fails when the stack is full. */
static uint32_t find_death(const struct activation *a, uint32_t block,
                           const struct walk_place *death)
{
	const struct code_function *f = a->function;
	uint32_t k = f->blocks[block], end = f->blocks[block + 1], found = UINT32_MAX;

	if (a->pc > k && a->pc < end)
		k = a->pc;
	for (; k < end && !is_recorded(&f->insns[k]); k++)
		if (may_fault(&f->insns[k]) &&
		    LLVMGetDebugLocLine(f->instructions[k]) == death->line &&
		    LLVMGetDebugLocColumn(f->instructions[k]) == death->column) {
			if (!(f->insns[k].flags & CODE_DIRECT))
				return k;
			found = found == UINT32_MAX ? k : found;
		}
	return found;
}

/* --- without a place --- */

enum health { FINE, FAULTS, UNCERTAIN };

/* Whether an access faults, as far as that is certain. */
static enum health look_at_access(struct execution *e, const struct code_slot *pointer,
                                  uint64_t size, bool writes)
{
	const struct object *o = pointer->object && pointer->object != EXECUTOR_FOREIGN
	                                 ? objects_at(&e->objects, pointer->object)
	                                 : NULL;

	if (pointer->undefined)
		return UNCERTAIN;
	if (pointer->bits < 4096 || pointer->bits >> 47)
		return FAULTS;
	/* A global may be constant. */
	if (!o || o->death || (writes && o->kind == OBJECT_GLOBAL) || pointer->bits < o->address ||
	    pointer->bits - o->address + size > o->size)
		return UNCERTAIN;
	return FINE;
}

static enum health look_at_division(struct execution *e, const struct activation *a, uint32_t pc)
{
	LLVMValueRef instruction = a->function->instructions[pc];
	const struct code_eval *eval = a->function->insns[pc].more;
	const struct code_slot *divisor;

	if (!LLVMIsAInstruction(instruction) || eval->count != 2)
		return FINE;
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMSDiv:
	case LLVMUDiv:
	case LLVMSRem:
	case LLVMURem: break;
	default: return FINE;
	}
	divisor = executor_slot(e, a, eval->in[1].operand);
	if (divisor->undefined || eval->in[1].words > 1)
		return UNCERTAIN;
	return divisor->bits ? FINE : FAULTS;
}

static enum health look_at(struct execution *e, const struct activation *a, uint32_t pc)
{
	const struct code_insn *i = &a->function->insns[pc];

	switch (i->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return look_at_access(e, executor_slot(e, a, i->a), i->bytes, false);
	case CODE_STORE:
	case CODE_STORE_WIDE: return look_at_access(e, executor_slot(e, a, i->b), i->bytes, true);
	case CODE_EVAL: return look_at_division(e, a, pc);
	default: return UNCERTAIN;
	}
}

/* The first instruction that must fault, if all before it cannot. In a program without debug
   information nothing but the tape tells where it died. */
static void search_death(struct execution *e, struct activation *a, uint32_t block)
{
	const struct code_function *f = a->function;
	uint32_t k = f->blocks[block], end = f->blocks[block + 1];
	enum health health = FINE;

	if (a->pc > k && a->pc < end)
		k = a->pc;
	for (; health == FINE && k < end && !is_recorded(&f->insns[k]); k++) {
		if (!may_fault(&f->insns[k]) || f->insns[k].flags & CODE_DIRECT)
			continue;
		executor_reach(e, a, block, k, NULL);
		health = look_at(e, a, k);
	}
	if (health == FAULTS) {
		executor_fault(e, a);
		e->died = true;
	}
}

/* Executes what the tape does not show, up to the instruction that the program died of. That one
   has no effect, but it is an instance. */
void executor_die(struct execution *e, const struct walk_place *death)
{
	struct activation *a = executor_top(e);
	uint32_t block = walk_block(e->walk), pc;

	if (!a || e->failure || e->open.size || block == UINT32_MAX)
		return;
	if (!death->line) {
		search_death(e, a, block);
		return;
	}
	if (strcmp(a->function->plan->name, death->function))
		return;
	pc = find_death(a, block, death);
	if (pc == UINT32_MAX)
		return;
	executor_reach(e, a, block, pc, NULL);
	executor_fault(e, a);
	e->died = true;
}

bool execution_died(const struct execution *e)
{
	return e->died;
}
