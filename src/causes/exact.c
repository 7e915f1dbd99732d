/* What the exact model knows before it is asked: edges, and bytes that traces do not keep. See exact.h. */
#include "causes/exact_work.h"

#define MOST 2000000u /* instances of a slice in both runs */

/* --- finding --- */

uint32_t exact_event_of(const struct exact *x, unsigned side, uint32_t instance)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->instances[middle] < instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->instances[low] == instance ? s->events[low] : EXACT_NONE;
}

const struct dual_edge *exact_edges_to(const struct exact *x, unsigned side, uint32_t instance,
                                       uint32_t *count)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->edge_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges[middle].to < instance)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < s->edge_count && s->edges[end].to == instance)
		end++;
	*count = end - low;
	return s->edges + low;
}

const uint32_t *exact_edges_from(const struct exact *x, unsigned side, uint32_t instance,
                                 uint32_t *count)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->from_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges[s->from[middle]].from < instance)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < s->from_count && s->edges[s->from[end]].from == instance)
		end++;
	*count = end - low;
	return s->from + low;
}

bool exact_is_opaque(const struct execution *e, uint32_t instance)
{
	switch (execution_insn(e, instance)->op) {
	case CODE_CALL: return (execution_source(e, instance) & EXECUTION_GROUP) != 0;
	case CODE_ATOMIC:
	case CODE_ASM:
	case CODE_VA_START:
	case CODE_VA_COPY: return true;
	default: return false;
	}
}

uint32_t exact_until(const struct execution *e, uint32_t instance)
{
	uint32_t source = execution_source(e, instance);
	const struct execution_group *group = NULL;

	if (execution_insn(e, instance)->op == CODE_CALL && source & EXECUTION_GROUP)
		group = execution_group(e, source);
	return group && group->call ? execution_call(e, group->call)->until : 0;
}

bool exact_is_before(const struct exact *x, unsigned side, uint32_t instance, uint64_t time)
{
	uint32_t until;

	if (!dual_is_before(x->dual, side, instance, time))
		return false;
	until = exact_until(x->sides[side].execution, instance);
	return until <= instance + 1 || dual_is_before(x->dual, side, until - 1, time);
}

/* --- bytes that traces do not keep --- */

struct finding {
	const struct exact_side *side;
	const struct dual_edge *edges;
	uint32_t count;
};

static void note_written(void *context, const struct execution_origin *origin)
{
	const struct finding *f = context;

	for (uint32_t i = 0; origin->size && i < f->count; i++) {
		const struct dual_edge *edge = &f->edges[i];

		if (edge->size && edge->from == origin->source && origin->written &&
		    edge->address >= origin->from && edge->address - origin->from < origin->size)
			f->side->written[edge - f->side->edges] =
				origin->written + (edge->address - origin->from);
	}
}

static void find_written(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	struct finding f = {.side = s};

	for (uint32_t i = 0; i < s->edge_count; i++)
		s->written[i] = s->edges[i].address;
	for (uint32_t i = 0; i < s->edge_count; i += f.count) {
		f.edges = exact_edges_to(x, side, s->edges[i].to, &f.count);
		execution_origins(s->execution, s->edges[i].to, 0, 0, note_written, &f);
	}
}

/* Does an instance put bytes somewhere that do not follow from its value? */
static bool puts_bytes(const struct execution *e, uint32_t instance)
{
	return instance >= EXECUTION_FIRST &&
	       (execution_insn(e, instance)->op == CODE_COPY || exact_is_opaque(e, instance));
}

static int by_from(const void *a, const void *b, void *edges)
{
	const struct dual_edge *e = edges;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (e[x].from != e[y].from)
		return e[x].from < e[y].from ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct hence_error *take_bytes(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	struct exact_requests requests = {0};
	struct hence_error *error;
	uint8_t *unknown;

	for (uint32_t i = 0; i < s->edge_count; i++) {
		const struct dual_edge *edge = &s->edges[i];

		s->before[i] = s->after[i] = EXACT_NONE;
		if (!edge->size)
			continue;
		if (exact_is_opaque(s->execution, edge->to))
			s->before[i] = exact_ask(
				&requests, &(struct exact_request){
						   dual_statement(x->dual, side, edge->to), false,
						   edge->address, edge->size, edge->to, 0});
		if (!puts_bytes(s->execution, edge->from))
			continue;
		s->after[i] = exact_ask(
			&requests,
			&(struct exact_request){dual_statement(x->dual, side, edge->from), true,
		                                s->written[i], edge->size, edge->from, 0});
		s->from[s->from_count++] = i;
	}
	for (uint32_t i = 0; i < s->count; i++)
		exact_ask_wide(x, side, s->instances[i], &requests);
	qsort_r(s->from, s->from_count, sizeof(*s->from), by_from, (void *)s->edges);
	error = exact_take(x, side, &requests, &s->bytes, &unknown);
	free(unknown);
	vec_deinit(&requests.at);
	return error;
}

/* --- all --- */

static struct hence_error *check_size(const struct exact *x)
{
	uint32_t size = x->sides[0].count + x->sides[1].count;

	if (size <= MOST)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "the dual slice has %u instructions, more than the %u that the exact "
	                    "model can evaluate; leave --exact out",
	                    size, MOST);
}

static struct hence_error *create_side(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];

	s->edges = dual_edges(x->dual, side, &s->edge_count);
	s->written = mem_alloc((s->edge_count + 1ull) * sizeof(*s->written));
	s->before = mem_alloc((s->edge_count + 1ull) * sizeof(*s->before));
	s->after = mem_alloc((s->edge_count + 1ull) * sizeof(*s->after));
	s->from = mem_alloc((s->edge_count + 1ull) * sizeof(*s->from));
	find_written(x, side);
	return take_bytes(x, side);
}

void exact_destroy(struct exact *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->moments.size; i++) {
		exact_words_deinit(&x->moments.at[i]->memory[0]);
		exact_words_deinit(&x->moments.at[i]->memory[1]);
		free(x->moments.at[i]);
	}
	for (unsigned side = 0; side < 2; side++) {
		free(x->sides[side].written);
		free(x->sides[side].before);
		free(x->sides[side].after);
		free(x->sides[side].bytes);
		exact_offsets_deinit(&x->sides[side].wide);
		free(x->sides[side].from);
		free(x->sides[side].instances);
		free(x->sides[side].events);
	}
	vec_deinit(&x->moments);
	vec_deinit(&x->events);
	free(x);
}

struct hence_error *exact_create(const struct recording *failing, const struct recording *reference,
                                 const struct alignment *alignment, const struct dual *dual,
                                 const struct dual_seed *seeds, uint32_t count, struct exact **out)
{
	struct exact *x = mem_alloc(sizeof(*x));
	struct hence_error *error;

	x->alignment = alignment;
	x->dual = dual;
	x->seeds = seeds;
	x->seed_count = count;
	x->sides[0].run = failing;
	x->sides[1].run = reference;
	exact_list(x, 0);
	exact_list(x, 1);
	error = check_size(x);
	for (unsigned side = 0; side < 2 && !error; side++)
		error = create_side(x, side);
	if (error) {
		exact_destroy(x);
		return error;
	}
	exact_join(x);
	*out = x;
	return NULL;
}
