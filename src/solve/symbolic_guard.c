/* The condition that inputs are as they were: see symbolic_work.h. */
#include <string.h>

#include "solve/symbolic_work.h"

void symbolic_guard_add(struct symbolic_guard *guard, term input, uint64_t actual)
{
	struct terms *terms = guard->s->terms;
	term same;

	if (!input || !guard->left || term_is_constant(terms, input, NULL))
		return;
	guard->left--;
	same = term_equals(terms, input, actual & symbolic_mask(term_at(terms, input)->bits));
	guard->all = guard->all ? term_make(terms, TERM_AND, 1, guard->all, same, 0) : same;
}

void symbolic_guard_operand(struct symbolic_guard *guard, uint32_t instance, uint32_t operand)
{
	struct symbolic *s = guard->s;

	if (operand != CODE_NO_OPERAND && !(operand & 1))
		symbolic_guard_add(guard, symbolic_input(s, instance, operand, 0),
		                   symbolic_input_value(s, instance, operand));
}

struct symbolic_definition symbolic_constant(struct symbolic *s, uint32_t bits, uint64_t actual)
{
	return (struct symbolic_definition){
		SYMBOLIC_CONSTANT, term_constant(s->terms, bits, actual & symbolic_mask(bits))};
}

struct symbolic_definition symbolic_given(const struct symbolic_guard *guard, uint32_t bits,
                                          uint64_t actual)
{
	struct symbolic_definition constant = symbolic_constant(guard->s, bits, actual);
	struct terms *terms = guard->s->terms;

	if (!guard->all)
		return constant;
	return (struct symbolic_definition){SYMBOLIC_GIVEN,
	                                    term_make(terms, TERM_CHOICE, bits, guard->all,
	                                              constant.term, term_any(terms, bits))};
}

/* --- of outside calls --- */

struct guarding {
	struct symbolic_guard *guard;
	uint32_t instance;
	struct symbolic_callbacks *callbacks;
};

static void guard_bytes(struct guarding *g, const struct execution_origin *origin)
{
	for (uint64_t done = 0, size; done < origin->size && g->guard->left; done += size) {
		uint64_t actual = 0;

		size = origin->size - done < 8 ? origin->size - done : 8;
		memcpy(&actual, origin->bytes + done, size);
		symbolic_guard_add(g->guard,
		                   symbolic_part(g->guard->s,
		                                 symbolic_written(origin, done, g->instance),
		                                 (uint32_t)size, actual),
		                   actual);
	}
}

static void guard_origin(void *context, const struct execution_origin *origin)
{
	struct guarding *g = context;

	if (origin->source < EXECUTION_FIRST || !symbolic_keeps(g->guard->s, origin->source))
		return;
	if (origin->size && origin->bytes && origin->source < g->instance)
		guard_bytes(g, origin);
	else if (!origin->size && origin->source > g->instance)
		vec_push(&g->callbacks->at)->returned = origin->source;
}

/* Arguments and memory; and the callbacks, whose conditions are made when they are asked for. */
static struct symbolic_callbacks *find_callbacks(struct symbolic *s, uint32_t call)
{
	struct symbolic_callbacks *found = symbolic_calls_find(&s->calls, call), made = {0};
	const struct code_call *code = execution_insn(s->execution, call)->more;
	struct symbolic_guard guard = symbolic_guard(s);
	struct guarding g = {&guard, call, &made};

	if (found)
		return found;
	for (uint32_t i = 0; i < code->count; i++)
		symbolic_guard_operand(&guard, call, code->arguments[i].operand);
	execution_origins(s->execution, call, 0, 0, guard_origin, &g);
	made.before = guard.all;
	*symbolic_calls_put(&s->calls, call) = made;
	return symbolic_calls_find(&s->calls, call);
}

/* Each condition is the one before it and one more, so that thousands of callbacks are no more than that. */
void symbolic_guard_outside(struct symbolic_guard *guard, uint32_t call, uint32_t before)
{
	struct symbolic *s = guard->s;
	struct symbolic_callbacks *c = find_callbacks(s, call);

	guard->all = c->before;
	for (; c->made < c->at.size && c->at.at[c->made].returned < before; c->made++) {
		uint32_t returned = c->at.at[c->made].returned;
		struct symbolic_guard one = {s, 1, c->made ? c->at.at[c->made - 1].all : c->before};

		symbolic_guard_add(&one, symbolic_token(s, returned),
		                   execution_value(s->execution, returned));
		c->at.at[c->made].all = one.all;
	}
	for (uint32_t low = 0, high = c->made; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (c->at.at[middle].returned >= before) {
			high = middle;
		} else {
			guard->all = c->at.at[middle].all;
			low = middle + 1;
		}
	}
}

void symbolic_calls_clear(struct symbolic *s)
{
	map_each(&s->calls, i) vec_deinit(&s->calls.at[i].value.at);
	symbolic_calls_deinit(&s->calls);
}
