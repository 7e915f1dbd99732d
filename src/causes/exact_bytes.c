/* Bytes that events read: see exact_work.h. */
#include "causes/exact_work.h"

/* Was it written before the point, or is it from outside the program? */
static bool is_before(const struct exact_run *r, unsigned side, uint32_t instance)
{
	return instance < EXECUTION_FIRST || exact_is_before(r->x, side, instance, r->times[side]);
}

/* As it was at the point: replaced, as the changed run has it, or where that has nothing, the other. */
static bool read_before(const struct exact_run *r, uint64_t place, struct exact_byte *out)
{
	*out = exact_get(&r->memory, place);
	if (out->writer == EXACT_NOBODY)
		*out = exact_get(&r->moment->memory[r->base], place);
	if (out->writer == EXACT_NOBODY)
		*out = exact_get(&r->moment->memory[!r->base], place);
	if (out->writer == EXACT_NOBODY)
		*out = (struct exact_byte){.taint = EXACT_UNKNOWN, .writer = EXACT_BEFORE};
	return out->writer == EXACT_BEFORE;
}

/* Is it a call that has not returned? What it has done so far nobody knows. */
static bool is_open(const struct exact_run *r, uint32_t event)
{
	for (uint32_t i = 0; i < r->open.size; i++)
		if (r->open.at[i] == event)
			return true;
	return false;
}

static bool read_at(struct exact_run *r, unsigned side, const struct dual_edge *edge,
                    uint64_t place, struct exact_byte *out)
{
	uint32_t event;

	if (is_before(r, side, edge->from))
		return read_before(r, place, out);
	event = exact_event_of(r->x, side, edge->from);
	if (event != EXACT_NONE && is_open(r, event)) {
		*out = (struct exact_byte){.taint = EXACT_UNKNOWN, .writer = EXACT_FIRST + event};
		return true;
	}
	*out = exact_get(&r->memory, place);
	return event != EXACT_NONE && out->writer == EXACT_FIRST + event;
}

/* Where the bytes of an edge lie. */
static uint64_t edge_place(const struct exact_run *r, unsigned side, const struct dual_edge *edge)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t instance = edge->from >= EXECUTION_FIRST ? edge->from : edge->to;

	return exact_place(r->x, side, instance, s->written[edge - s->edges]);
}

bool exact_read_edge(struct exact_run *r, unsigned side, const struct dual_edge *edge, uint64_t k,
                     struct exact_byte *out)
{
	return read_at(r, side, edge, edge_place(r, side, edge) + k, out);
}

/* The edge through a byte that the instance read. */
static const struct dual_edge *edge_at(const struct exact_run *r, unsigned side, uint32_t instance,
                                       uint64_t address)
{
	uint32_t count;
	const struct dual_edge *edges = exact_edges_to(r->x, side, instance, &count);

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].size && address >= edges[i].address &&
		    address - edges[i].address < edges[i].size)
			return &edges[i];
	return NULL;
}

/* As in that run: from the same place, or at least written by the same event. */
static bool read_as(struct exact_run *r, unsigned side, const struct dual_edge *edge, uint64_t k,
                    uint64_t was, uint64_t is, struct exact_byte *out)
{
	if (was == is)
		return exact_read_edge(r, side, edge, k, out);
	return !is_before(r, side, edge->from) && read_at(r, side, edge, is, out);
}

/* --- what is not from the slice --- */

struct finding {
	uint64_t address;
	uint32_t source;
};

static void note_source(void *context, const struct execution_origin *origin)
{
	struct finding *f = context;

	if (origin->size && f->address >= origin->from && f->address - origin->from < origin->size)
		f->source = origin->source;
}

/* Has an event written there what the instance did not read in that run, though it was there before it? */
static bool is_in_between(const struct exact_run *r, unsigned side, uint32_t instance,
                          uint64_t address, uint64_t place)
{
	struct exact_byte byte = exact_get(&r->memory, place);
	struct finding f = {.address = address};
	uint32_t writer;

	if (byte.writer < EXACT_FIRST)
		return false;
	writer = r->x->events.at[byte.writer - EXACT_FIRST].instances[side];
	execution_origins(r->x->sides[side].execution, instance, 0, 0, note_source, &f);
	return !writer || f.source < writer;
}

/* --- all --- */

/* Where the instance read by way of the operand, in its run and in the space of both. */
static void find_address(const struct exact_run *r, unsigned side, uint32_t instance, uint32_t role,
                         uint64_t *address, uint64_t *place)
{
	const struct execution *e = r->x->sides[side].execution;
	uint32_t made;

	execution_operand(e, instance, exact_operand_of(execution_insn(e, instance), role), address,
	                  &made);
	*place = exact_place(r->x, side, instance, *address);
}

enum exact_origin exact_read(struct exact_run *r, const struct exact_event *event, uint32_t role,
                             uint64_t place, uint64_t k, struct exact_byte *out)
{
	enum exact_origin origin = EXACT_NOWHERE;

	for (unsigned n = 0; n < 2; n++) {
		unsigned side = n ? !r->base : r->base;
		const struct dual_edge *edge;
		uint64_t address, was;

		if (!event->instances[side])
			continue;
		find_address(r, side, event->instances[side], role, &address, &was);
		edge = edge_at(r, side, event->instances[side], address + k);
		if (edge &&
		    read_as(r, side, edge, address + k - edge->address, was + k, place + k, out))
			return EXACT_SLICE;
		if (!edge && was == place && origin == EXACT_NOWHERE &&
		    !is_in_between(r, side, event->instances[side], address + k, place + k))
			origin = side ? EXACT_TRACE_1 : EXACT_TRACE_0;
	}
	return origin;
}
