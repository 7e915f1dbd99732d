/* The edges of a dual slice, and what its bytes are wanted of: sets that grow. See dual_walk.h. */
#include "slice/dual_walk.h"

/* --- edges --- */

static int by_ends(const void *a, const void *b)
{
	const struct dual_edge *x = a, *y = b;

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (int)x->control - (int)y->control;
}

/* Into the order of `to`: each instance has few edges. */
static void distribute(struct dual_edges *edges)
{
	uint32_t last = 0, *begins;
	struct dual_edge *sorted = mem_alloc(edges->at.size * sizeof(*sorted));

	for (uint32_t i = 0; i < edges->at.size; i++)
		last = edges->at.at[i].to > last ? edges->at.at[i].to : last;
	begins = mem_alloc(((size_t)last + 2) * sizeof(*begins));
	for (uint32_t i = 0; i < edges->at.size; i++)
		begins[edges->at.at[i].to + 1]++;
	for (uint32_t i = 0; i < last; i++)
		begins[i + 1] += begins[i];
	for (uint32_t i = 0; i < edges->at.size; i++)
		sorted[begins[edges->at.at[i].to]++] = edges->at.at[i];
	free(begins);
	free(edges->at.at);
	edges->at.at = sorted;
	edges->at.room = edges->at.size;
}

void dual_edges_sort(struct dual_edges *edges)
{
	struct dual_edge *at;
	uint32_t count = 0;

	if (edges->sorted == edges->at.size)
		return;
	distribute(edges);
	at = edges->at.at;
	for (uint32_t i = 0, end; i < edges->at.size; i = end) {
		for (end = i + 1; end < edges->at.size && at[end].to == at[i].to; end++)
			;
		if (end - i > 1)
			qsort(&at[i], end - i, sizeof(*at), by_ends);
		for (uint32_t k = i; k < end; k++)
			if (!count || by_ends(&at[count - 1], &at[k]))
				at[count++] = at[k];
	}
	edges->sorted = edges->at.size = count;
}

/* An instance that is followed for one byte after the other tells its operands each time. */
void dual_edges_add(struct dual_edges *edges, const struct dual_edge *edge)
{
	*vec_push(&edges->at) = *edge;
	if (edges->at.size >= 2 * edges->sorted + 65536)
		dual_edges_sort(edges);
}

/* --- ranges --- */

bool dual_ranges_add(struct dual_ranges *r, uint64_t from, uint64_t to)
{
	uint32_t low = 0, high = r->at.size, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->at.at[middle].to < from)
			low = middle + 1;
		else
			high = middle;
	}
	for (end = low; end < r->at.size && r->at.at[end].from <= to; end++) {
		if (r->at.at[end].from <= from && to <= r->at.at[end].to)
			return false;
		from = r->at.at[end].from < from ? r->at.at[end].from : from;
		to = r->at.at[end].to > to ? r->at.at[end].to : to;
	}
	if (end == low)
		vec_push(&r->at);
	memmove(&r->at.at[low + 1], &r->at.at[end == low ? low : end],
	        (r->at.size - (end == low ? low + 1 : end)) * sizeof(*r->at.at));
	r->at.size -= end == low ? 0 : end - low - 1;
	r->at.at[low] = (struct execution_range){from, to};
	return true;
}
