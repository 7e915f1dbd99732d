/*
 * Evaluates the expressions of models. One evaluator for the runtime, which asks the program's own
 * memory, and for the decoder, which asks the memory that it knows: `world` answers.
 */
#ifndef HENCE_RUNTIME_OUTSIDE_EVAL_H
#define HENCE_RUNTIME_OUTSIDE_EVAL_H

#include <stdint.h>

#include "runtime/outside_table.h"

/* What expressions ask about. `context` is passed through. */
struct outside_world {
	int64_t (*leaf)(void *context, uint32_t op, int32_t value); /* ops that push, but CONST */
	int64_t (*load)(void *context, uint64_t address, int32_t size);
	/* Length of a string of characters of `unit` bytes, at most `most` of them. */
	int64_t (*length)(void *context, uint64_t address, uint32_t unit, uint64_t most);
	int64_t (*object)(void *context, uint64_t address);
};

static inline int64_t outside_binary(uint32_t op, int64_t a, int64_t b)
{
	switch (op) {
	case OUTSIDE_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
	case OUTSIDE_SUB: return (int64_t)((uint64_t)a - (uint64_t)b);
	case OUTSIDE_MUL: return (int64_t)((uint64_t)a * (uint64_t)b);
	case OUTSIDE_MIN: return (uint64_t)a < (uint64_t)b ? a : b;
	case OUTSIDE_MAX: return (uint64_t)a > (uint64_t)b ? a : b;
	case OUTSIDE_EQ: return a == b;
	case OUTSIDE_NE: return a != b;
	case OUTSIDE_LT: return a < b;
	case OUTSIDE_LE: return a <= b;
	case OUTSIDE_GT: return a > b;
	case OUTSIDE_GE: return a >= b;
	case OUTSIDE_AND: return a && b;
	default: return a || b;
	}
}

static inline __attribute__((always_inline)) int64_t
outside_unary(const struct outside_insn *insn, int64_t a, const struct outside_world *world,
              void *context)
{
	switch (insn->op) {
	case OUTSIDE_LOAD: return world->load(context, (uint64_t)a, insn->value);
	case OUTSIDE_NOT: return !a;
	case OUTSIDE_NEGATE: return (int64_t) - (uint64_t)a;
	case OUTSIDE_STRLEN: return world->length(context, (uint64_t)a, 1, UINT64_MAX);
	case OUTSIDE_WCSLEN: return world->length(context, (uint64_t)a, 4, UINT64_MAX);
	default: return world->object(context, (uint64_t)a);
	}
}

/* The value of the expression. */
static inline __attribute__((always_inline)) int64_t
outside_eval(const struct outside_insn *insn, const struct outside_world *world, void *context)
{
	int64_t stack[OUTSIDE_STACK + 1];
	uint32_t top = 0;

	stack[0] = 0;
	for (; insn->op != OUTSIDE_END; insn++) {
		if (insn->op == OUTSIDE_CONST) {
			stack[top++] = insn->value;
		} else if (insn->op < OUTSIDE_PUSHES) {
			stack[top++] = world->leaf(context, insn->op, insn->value);
		} else if (insn->op < OUTSIDE_UNARIES) {
			stack[top - 1] = outside_unary(insn, stack[top - 1], world, context);
		} else if (insn->op == OUTSIDE_STRNLEN) {
			top--;
			stack[top - 1] = world->length(context, (uint64_t)stack[top - 1], 1,
			                               (uint64_t)stack[top]);
		} else {
			top--;
			stack[top - 1] = outside_binary(insn->op, stack[top - 1], stack[top]);
		}
	}
	return stack[0];
}

#endif
