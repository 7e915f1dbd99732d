/* One of two runs that are being aligned: see side.h. */
#include "align/side.h"

#include "model/control.h"

void side_deinit(struct side *s)
{
	align_stream_destroy(s->stream);
	vec_deinit(&s->nodes);
	vec_deinit(&s->frames);
	vec_deinit(&s->marks);
}

struct hence_error *side_next(struct side *s)
{
	struct hence_error *error;
	uint32_t count;

	if (s->event != s->end && ++s->event != s->end)
		return NULL;
	error = align_stream_fill(s->stream, &s->event, &count);
	if (error)
		s->event = s->end = NULL;
	else
		s->end = s->event + count;
	return error;
}

static struct side_frame *top_of(struct side *s)
{
	return &s->frames.at[s->frames.size - 1];
}

/* --- branches --- */

/* Nodes have closed. */
static void lower_marks(struct side *s)
{
	for (uint32_t i = s->marks.size; i-- > 0 && s->marks.at[i].frame + 1 == s->frames.size;)
		if (s->marks.at[i].height > s->nodes.size)
			s->marks.at[i].height = s->nodes.size;
}

static uint32_t take_block(struct side *s)
{
	struct side_frame *f = top_of(s);
	uint32_t kept = s->nodes.size, block = s->event->at;

	if (f->block != SIDE_NOWHERE && f->function->branches[f->block]) {
		uint32_t until = f->function->until[f->block], height = s->nodes.size;
		const struct side_node *top = &s->nodes.at[height - 1];

		/* The branch at the end of the block opens a node, or takes the place of one
		   that ends with it. */
		if (height > f->base + 1 && !top->sealed && top->until == until) {
			kept = height - 1;
		} else {
			vec_push(&s->nodes)->until = until;
			kept = height;
		}
	}
	while (s->nodes.size > f->base + 1 && s->nodes.at[s->nodes.size - 1].until == block)
		s->nodes.size--;
	lower_marks(s);
	f->block = block;
	f->statements = 0;
	return kept < s->nodes.size ? kept : s->nodes.size;
}

/* --- calls --- */

static void push(struct side *s, const struct align_function *function)
{
	uint32_t depth = side_top(s)->depth + (function != NULL);
	struct side_frame *f = vec_push(&s->frames);

	f->function = function;
	f->depth = depth;
	f->base = s->nodes.size;
	f->block = SIDE_NOWHERE;
	vec_push(&s->nodes)->until = CONTROL_EXIT;
}

static uint32_t keep_frames(struct side *s, uint32_t count)
{
	s->nodes.size = s->frames.at[count].base;
	s->frames.size = count;
	while (s->marks.size && s->marks.at[s->marks.size - 1].frame >= count)
		s->marks.size--;
	return s->nodes.size;
}

/* The mark of a call by the function on top; it is NULL if there is none. */
static struct side_mark *find_mark(const struct side *s, uint32_t record)
{
	for (uint32_t i = s->marks.size; i-- > 0;)
		if (s->marks.at[i].frame + 1 == s->frames.size && s->marks.at[i].record == record)
			return &s->marks.at[i];
	return NULL;
}

static uint32_t take_call(struct side *s)
{
	const struct align_event *e = s->event;
	struct side_frame *f = top_of(s);

	f->statements += e->counts;
	s->statements += e->counts;
	if (f->function->plan->records.at[e->at].returns_twice) {
		struct side_mark *m = find_mark(s, e->at);

		if (!m)
			m = vec_push(&s->marks);
		*m = (struct side_mark){s->frames.size - 1, e->at, s->nodes.size};
		s->nodes.at[s->nodes.size - 1].sealed = true;
	}
	push(s, e->function);
	return s->nodes.size - 1;
}

/* --- calls that return once more --- */

/* What was open since the call was made closes. */
static uint32_t take_back(struct side *s)
{
	struct side_frame *f = top_of(s);
	const struct side_mark *m = find_mark(s, s->event->at);

	s->until = f->function->until[f->block];
	if (m && m->height < s->nodes.size) {
		s->until = s->nodes.at[m->height].until;
		s->nodes.size = m->height;
	}
	lower_marks(s);
	return s->nodes.size;
}

/*
 * A new node opens, so that what is executed once more is not taken for what was executed before; it ends
 * where the outermost of those that closed would have ended, since nothing from there on was executed.
 */
static uint32_t take_resumed(struct side *s)
{
	struct side_frame *f = top_of(s);
	uint32_t low = 0, high;

	vec_push(&s->nodes)->until = s->until;
	high = f->function->plan->blocks.size;
	while (high - low > 1) {
		uint32_t middle = (low + high) / 2;

		if (f->function->plan->blocks.at[middle].first <= s->event->at)
			low = middle;
		else
			high = middle;
	}
	f->block = low;
	f->statements = f->function->plan->records.at[s->event->at].statement +
	                f->function->ends[s->event->at];
	return s->nodes.size - 1;
}

/* --- all --- */

void side_take_some(struct side *s, uint32_t until)
{
	struct side_frame *f = top_of(s);

	s->statements += until - f->statements;
	f->statements = until;
}

uint32_t side_take(struct side *s)
{
	switch (s->event->kind) {
	case ALIGN_BLOCK: return take_block(s);
	case ALIGN_STATEMENTS: side_take_some(s, s->event->at); return s->nodes.size;
	case ALIGN_CALL: return take_call(s);
	case ALIGN_CALLBACK: push(s, s->event->function); return s->nodes.size - 1;
	case ALIGN_HANDLER: push(s, NULL); return s->nodes.size - 1;
	case ALIGN_RETURN: return keep_frames(s, s->frames.size - 1);
	case ALIGN_UNWOUND: return keep_frames(s, s->event->at);
	case ALIGN_BACK: return take_back(s);
	case ALIGN_RESUMED: return take_resumed(s);
	case ALIGN_DYING: s->died = true; return s->nodes.size;
	case ALIGN_END:
		s->ended = true;
		s->nodes.size = s->frames.size = s->marks.size = 0;
		return 0;
	}
	return s->nodes.size;
}
