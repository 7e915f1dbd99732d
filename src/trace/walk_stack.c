/* Where a walk stands: the stack of calls, and what has been counted. See walker.h. */
#include "trace/walker.h"

#include <string.h>

struct hence_error *walker_damaged(const struct walk *w, const char *what)
{
	return error_create(HENCE_ERROR_INTERNAL, "%s is damaged: %s at byte %llu", w->tape->path,
	                    what, (unsigned long long)walker_position(w));
}

const struct plan_block *walker_block_of(const struct plan_function *function, uint32_t record)
{
	uint32_t low = 0, high = function->blocks.size;

	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (function->blocks.at[middle].first <= record)
			low = middle;
		else
			high = middle;
	}
	return &function->blocks.at[low];
}

void walker_count_block(struct walk *w, struct context *c, const struct plan_block *block)
{
	if (w->counting) {
		w->counts.instructions += block->instructions - c->instruction;
		w->counts.statements += block->statements - c->statement;
	}
	c->instruction = c->statement = 0;
}

/* The part of a block up to and with the call that was under way. */
void walker_count_part(struct walk *w, struct context *c)
{
	const struct plan_record *r;

	if (!c->function)
		return;
	r = &c->function->records.at[c->record];
	if (w->counting && r->instruction_number >= c->instruction) {
		w->counts.instructions += r->instruction_number + 1 - c->instruction;
		w->counts.statements += r->statement + (r->kind < PLAN_GOTO) - c->statement;
	}
	c->instruction = r->instruction_number + 1;
	c->statement = r->statement + 1;
}

void walker_enter_block(struct walk *w, struct context *c, uint32_t block)
{
	c->block = block;
	c->record = c->function->blocks.at[block].first;
	w->counts.blocks += w->counting;
}

void walker_push_function(struct walk *w, struct program_place place, uint64_t frame, bool entered)
{
	struct context *c = vec_push(&w->stack);

	c->function = program_function(w->program, place);
	c->place = place;
	c->frame = frame;
	c->entered = entered;
	if (w->counting) {
		w->counts.functions++;
		*count_map_put(&w->entered, (uint64_t)place.module << 32 | place.function) = 1;
	}
	walker_enter_block(w, c, 0);
}

void walker_push_outside(struct walk *w, uint64_t callee)
{
	vec_push(&w->stack)->callee = callee;
}

/* The function on top returns. */
void walker_leave(struct walk *w)
{
	w->stack.size--;
	if (w->follower)
		w->follower->left(w->follower->context);
}

void walker_pop(struct walk *w)
{
	walker_count_part(w, walker_top(w));
	w->stack.size--;
}
