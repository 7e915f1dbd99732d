/* What events get: see exact_work.h. */
#include "causes/exact_work.h"

/* What one run has of an input: its value there, and who made it if that is from the slice. */
struct seen {
	bool there;
	uint64_t value;
	uint32_t made; /* 0: it is not followed */
};

unsigned exact_first(const struct exact_run *r, const struct exact_event *event)
{
	return event->instances[r->base] ? r->base : !r->base;
}

const struct code_insn *exact_insn(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return execution_insn(r->x->sides[side].execution, event->instances[side]);
}

uint32_t exact_operand_of(const struct code_insn *insn, uint32_t role)
{
	uint32_t index = role - EXACT_LIST;

	switch (role) {
	case EXACT_A: return insn->a;
	case EXACT_B: return insn->b;
	case EXACT_C: return insn->c;
	case EXACT_CALLEE: return ((const struct code_call *)insn->more)->callee;
	default: break;
	}
	if (insn->op == CODE_EVAL)
		return ((const struct code_eval *)insn->more)->in[index].operand;
	if (insn->op == CODE_INDICES)
		return ((const struct code_indices *)insn->more)->at[index].operand;
	return ((const struct code_call *)insn->more)->arguments[index].operand;
}

/* --- values of the slice --- */

static bool is_followed(const struct exact *x, unsigned side, uint32_t to, uint32_t from)
{
	uint32_t count;
	const struct dual_edge *edges = exact_edges_to(x, side, to, &count);

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].from == from && !edges[i].size && !edges[i].control)
			return true;
	return false;
}

/* A call has the value that its callee returned. */
static uint32_t maker_of(const struct execution *e, uint32_t made)
{
	while (execution_insn(e, made)->op == CODE_CALL) {
		uint32_t source = execution_source(e, made);

		if (source & EXECUTION_GROUP || source < EXECUTION_FIRST)
			break;
		made = source;
	}
	return made;
}

static struct exact_value known(uint64_t word)
{
	return (struct exact_value){.word = word, .words = 1, .done = true};
}

/* What an instance of the slice made now. Not `done`: it was not executed. */
static struct exact_value made_now(const struct exact_run *r, unsigned side, uint32_t made)
{
	uint32_t maker = maker_of(r->x->sides[side].execution, made);
	uint32_t event = exact_event_of(r->x, side, maker), base;

	if (event == EXACT_NONE)
		return known(exact_made(r->x, side, made));
	if (r->values[event].done || !exact_is_before(r->x, side, maker, r->times[side]))
		return r->values[event];
	/* It waits in a register, and is what the changed run has there. */
	base = side == r->base ? made : dual_counterpart(r->x->dual, side, made);
	return base ? known(exact_made(r->x, r->base, base))
	            : (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
}

/* --- operands --- */

/* Is it a call that the instance's function, or a caller of it, was called by? Such a call only passed
   something on: a constant. */
static bool is_caller(const struct execution *e, uint32_t instance, uint32_t call)
{
	uint32_t count;
	const struct execution_frame *frames = execution_frames(e, &count);
	const struct execution_frame *frame = &frames[execution_segment(e, instance)->frame];

	while (frame->call > call && frame->caller)
		frame = &frames[frame->caller - 1];
	return frame->call == call || frame->within == call;
}

static struct seen look(const struct exact_run *r, unsigned side, uint32_t instance, uint32_t role)
{
	const struct execution *e = r->x->sides[side].execution;
	struct seen seen = {.there = instance != 0};
	uint32_t operand;

	if (!instance)
		return seen;
	operand = exact_operand_of(execution_insn(e, instance), role);
	seen.value = exact_operand(r->x, side, instance, operand, &seen.made);
	if (seen.made < EXECUTION_FIRST || is_caller(e, instance, seen.made) ||
	    !is_followed(r->x, side, instance, seen.made))
		seen.made = 0;
	return seen;
}

/* All words as they were in that run. */
static struct exact_value wide_input(struct exact_run *r, unsigned side, uint32_t instance,
                                     uint32_t role, uint32_t words)
{
	const struct code_insn *insn = execution_insn(r->x->sides[side].execution, instance);
	uint64_t bits[CODE_WORDS] = {0};
	struct exact_value value = {.done = true};

	if (!exact_wide_operand(r->x, side, instance, exact_operand_of(insn, role), words, bits))
		value.taint = EXACT_UNKNOWN;
	exact_keep(r, &value, bits, words);
	return value;
}

struct exact_value exact_input(struct exact_run *r, const struct exact_event *event, uint32_t role,
                               uint32_t words)
{
	unsigned first = exact_first(r, event);
	struct seen seen[2];

	for (unsigned side = 0; side < 2; side++)
		seen[side] = look(r, side, event->instances[side], role);
	for (unsigned n = 0; n < 2; n++) {
		unsigned side = n ? !first : first;
		struct exact_value value;

		if (!seen[side].there || !seen[side].made)
			continue;
		value = made_now(r, side, seen[side].made);
		if (value.done)
			return value;
	}
	/* Neither run made it on this way. */
	if (seen[first].made && (!seen[!first].there || seen[!first].made))
		return (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
	if (seen[first].made)
		first = !first;
	if (words > 1)
		return wide_input(r, first, event->instances[first], role, words);
	return known(seen[first].value);
}

void exact_keep(struct exact_run *r, struct exact_value *value, const uint64_t *bits,
                uint32_t words)
{
	value->word = bits[0];
	value->words = (uint8_t)words;
	if (words > 1)
		value->more = r->wide.size + 1;
	for (uint32_t w = 0; words > 1 && w < words; w++)
		*vec_push(&r->wide) = bits[w];
}

uint64_t exact_word(const struct exact_run *r, const struct exact_value *value, uint32_t index)
{
	if (value->more)
		return index < value->words ? r->wide.at[value->more - 1 + index] : 0;
	return index ? 0 : value->word;
}

struct exact_value exact_chosen(struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);
	uint32_t instance, source;

	if (event->behind && r->ways[event->behind - 1] >= 0 &&
	    event->instances[r->ways[event->behind - 1]])
		side = (unsigned)r->ways[event->behind - 1];
	instance = event->instances[side];
	source = execution_source(r->x->sides[side].execution, instance);
	if (source >= EXECUTION_FIRST && is_followed(r->x, side, instance, source)) {
		struct exact_value value = made_now(r, side, source);

		value.taint = value.done ? value.taint : EXACT_UNKNOWN;
		return value;
	}
	if (exact_insn(r, event)->words > 1)
		return (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
	return known(exact_made(r->x, side, instance));
}

/* --- all inputs --- */

static bool same_bytes(struct exact_run *r, unsigned side, const struct dual_edge *edge,
                       uint8_t *taint)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t before = s->before[edge - s->edges];

	for (uint64_t k = 0; k < edge->size; k++) {
		struct exact_byte byte;

		if (!exact_read_edge(r, side, edge, k, &byte))
			return false;
		if (byte.taint > *taint)
			*taint = byte.taint;
		if (byte.taint || before == EXACT_NONE || byte.byte != s->bytes[before + k])
			return false;
	}
	return true;
}

bool exact_same(struct exact_run *r, const struct exact_event *event, unsigned side, uint8_t *taint)
{
	uint32_t instance = event->instances[side], count;
	const struct dual_edge *edges;

	if (!instance)
		return false;
	edges = exact_edges_to(r->x, side, instance, &count);
	for (uint32_t i = 0; i < count; i++) {
		struct exact_value value;

		if (edges[i].control)
			continue;
		if (!edges[i].size &&
		    (edges[i].from < EXECUTION_FIRST ||
		     is_caller(r->x->sides[side].execution, instance, edges[i].from)))
			continue;
		if (edges[i].size) {
			if (!same_bytes(r, side, &edges[i], taint))
				return false;
			continue;
		}
		value = made_now(r, side, edges[i].from);
		if (value.taint > *taint)
			*taint = value.taint;
		if (!value.done || value.taint || value.more ||
		    value.word != exact_made(r->x, side, edges[i].from))
			return false;
	}
	return true;
}
