/* The memory graph: what is where. See graph.h. */
#include "state/graph.h"

void state_world_release(struct state_world *world)
{
	if (--world->users)
		return;
	names_destroy(world->names);
	function_names_deinit(&world->functions);
	vec_deinit(&world->modules);
	waiting_free(&world->waiting);
	free(world);
}

void state_destroy(struct state *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->objects.size; i++)
		free(s->objects.at[i].beyond);
	vec_deinit(&s->frames);
	vec_deinit(&s->objects);
	vec_deinit(&s->edges);
	vec_deinit(&s->runs);
	vec_deinit(&s->waiting);
	vec_deinit(&s->unknown);
	vec_deinit(&s->unknown_object);
	arena_deinit(&s->arena);
	free(s->partial);
	state_world_release(s->world);
	free(s);
}

const char *state_partial(const struct state *s)
{
	return s->partial;
}

/* --- edges and runs --- */

uint32_t state_first_edge(const struct state *s, const struct state_object *o, uint64_t at)
{
	uint32_t low = o->first_edge, high = low + o->edge_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges.at[middle].at < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct state_edge *state_edge_at(const struct state *s, const struct state_object *o,
                                       uint64_t at)
{
	uint32_t i = state_first_edge(s, o, at);

	return i < o->first_edge + o->edge_count && s->edges.at[i].at == at ? &s->edges.at[i]
	                                                                    : NULL;
}

const struct state_run *state_run_at(const struct state *s, const struct state_object *o,
                                     uint64_t at)
{
	uint32_t low = o->first_run, high = low + o->run_count;

	if (low == high || s->runs.at[low].at > at)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (s->runs.at[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return &s->runs.at[low];
}

uint64_t state_run_size(const struct state *s, const struct state_object *o,
                        const struct state_run *run)
{
	bool last = run == &s->runs.at[o->first_run + o->run_count - 1];

	return (last ? o->size : run[1].at) - run->at;
}

uint64_t state_written(const struct state *s, const struct state_object *o, uint64_t at,
                       uint64_t size)
{
	const struct state_run *run = state_run_at(s, o, at);
	const struct state_run *end = s->runs.at + o->first_run + o->run_count;
	uint64_t latest = 0;

	for (; run && run < end && run->at < at + size; run++)
		if (run->statement > latest)
			latest = run->statement;
	return latest;
}

/* --- bytes --- */

bool state_is_undefined(const struct state_object *o, uint64_t bit, uint64_t bits)
{
	if ((bit + bits + 7) / 8 > o->size || !o->bytes)
		return true;
	if (!o->undefined)
		return false;
	if (bit % 8 == 0 && bits % 8 == 0) {
		for (uint64_t k = bit / 8; k < (bit + bits) / 8; k++)
			if (o->undefined[k])
				return true;
		return false;
	}
	for (uint64_t k = bit; k < bit + bits; k++)
		if (o->undefined[k / 8] >> k % 8 & 1)
			return true;
	return false;
}

const uint8_t *state_bytes(const struct state_object *o, uint64_t at, uint64_t size)
{
	if (!o->bytes)
		return NULL;
	if (at + size <= o->size)
		return o->bytes + at;
	if (at >= o->size && at + size <= o->size + o->beyond_size)
		return o->beyond + (at - o->size);
	return NULL;
}

static bool is_printable(uint8_t c)
{
	return (c >= 32 && c != 127) || (c >= 7 && c <= 13) || c == 27;
}

bool state_text(const struct state_object *o, uint64_t at, uint64_t size, uint64_t *length)
{
	uint64_t k = at, end = at + size;

	if (!o->bytes || end > o->size)
		return false;
	while (k < end && o->bytes[k] && is_printable(o->bytes[k]) &&
	       !(o->undefined && o->undefined[k]))
		k++;
	if (k == end || o->bytes[k] || (o->undefined && o->undefined[k]))
		return false;
	*length = k - at;
	return true;
}

/* --- types --- */

bool state_is_flexible(const struct ctype *type)
{
	const struct ctype *plain = ctype_strip(type), *last;

	if (!plain || plain->kind != CTYPE_STRUCT || !plain->member_count)
		return false;
	last = ctype_strip(plain->members[plain->member_count - 1].type);
	return last && last->kind == CTYPE_ARRAY && (last->count == CTYPE_NO_COUNT || !last->count);
}

static bool fits(const struct ctype *type, uint8_t stored)
{
	switch (type->kind) {
	case CTYPE_FLOAT: return stored == STORED_REAL;
	case CTYPE_POINTER: return stored == STORED_POINTER;
	default: return stored == STORED_INTEGER;
	}
}

/* The run of these bytes that was written last. */
static const struct state_run *youngest(const struct state *s, const struct state_object *o,
                                        uint64_t at, uint64_t size)
{
	const struct state_run *run = state_run_at(s, o, at), *best = run;
	const struct state_run *end = s->runs.at + o->first_run + o->run_count;

	for (; run && run < end && run->at < at + size; run++)
		if (run->statement > best->statement)
			best = run;
	return best;
}

const struct ctype_member *state_union_member(const struct state *s, const struct state_object *o,
                                              const struct ctype *type, uint64_t at)
{
	const struct state_run *run = youngest(s, o, at, type->size);
	const struct ctype_member *same = NULL;
	uint64_t size;

	if (!type->member_count)
		return NULL;
	if (!run || run->at < at || run->bits == STORED_OTHER)
		return &type->members[0];
	size = state_run_size(s, o, run);
	for (uint32_t i = 0; i < type->member_count; i++) {
		const struct ctype_member *m = &type->members[i];
		uint64_t offset = run->at - at - m->bit_offset / 8;
		struct ctype_part part;

		/* The run may go on into what lies behind the union. */
		for (uint64_t k = size; k; k = k > 8 ? 8 : 0)
			if (!m->bit_size &&
			    ctype_part(m->type, offset, k, CTYPE_SCALAR, &part, NULL) &&
			    ctype_is_scalar(part.type)) {
				if (fits(ctype_strip(part.type), run->bits))
					return m;
				same = same ? same : m;
			}
	}
	return same ? same : &type->members[0];
}
