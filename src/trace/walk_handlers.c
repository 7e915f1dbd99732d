/* Signal handlers that interrupted instrumented code: their stream is read where they ran. */
#include "trace/walker.h"

#include <string.h>

static struct hence_error *walk_handler(struct walk *w, const struct hence_side_record *record,
                                        uint64_t start, uint64_t end)
{
	const uint8_t *at = w->at, *old_end = w->end, *old_tail = w->tail;
	uint32_t depth = w->stack.size;
	struct hence_error *error = NULL;

	w->side = 0;
	w->at = w->tape->bytes + start;
	w->end = w->tail = w->tape->bytes + end;
	walker_push_outside(w, 0);
	if (w->follower)
		w->follower->interrupted(w->follower->context);
	while (!error && !w->stopped && w->at < w->end)
		error = walker_step(w);
	if (error)
		return error;
	/* A program that ended in the handler stays there. */
	if (!record->size)
		return NULL;
	w->stopped = false;
	while (w->stack.size > depth)
		walker_pop(w);
	if (w->follower)
		w->follower->unwound(w->follower->context, depth);
	w->at = at;
	w->end = old_end;
	w->tail = old_tail;
	if (!record->jumped)
		return NULL;
	w->at = w->tape->bytes + record->position;
	if (walker_peek_tag(w) != HENCE_RESUME)
		return walker_damaged(w, "a handler that jumped nowhere");
	return walker_step_outside(w);
}

/* Bytes that the record under way reads next; of a call, its first ones. */
static uint32_t next_size(const struct context *c)
{
	const struct plan_record *r = &c->function->records.at[c->record];

	return walker_is_call(r) ? 4 : r->size;
}

bool walker_handlers_follow(const struct walk *w)
{
	return w->side && w->side + sizeof(struct hence_side_record) <= w->tape->side_end;
}

/*
 * Did a handler run here? Its position is where the last byte that is not 0 had been written. When
 * the handler returned it does not matter if we stand a little behind that; when it did not, the
 * main stream goes on just there, also in the middle of a record.
 */
struct hence_error *walker_step_handler(struct walk *w, const struct context *c, bool *ran)
{
	struct hence_side_record record;
	uint64_t start = w->side + sizeof(record), end, reach = walker_position(w);
	struct hence_error *error;

	*ran = false;
	if (!w->side || start > w->tape->side_end)
		return NULL;
	memcpy(&record, w->tape->bytes + w->side, sizeof(record));
	if ((record.jumped || !record.size) && next_size(c))
		reach += next_size(c) - 1;
	if (record.position > reach)
		return NULL;
	end = record.size ? start + record.size : w->tape->side_end;
	if (end > w->tape->side_end || end < start)
		return walker_damaged(w, "a handler's records beyond their stream");
	if (record.jumped && record.position < walker_position(w))
		return walker_damaged(w, "a handler that jumped back");
	*ran = true;
	error = walk_handler(w, &record, start, end);
	w->side = end;
	return error;
}
