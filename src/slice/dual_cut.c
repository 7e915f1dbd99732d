/* The cut of a dual slice at a point: see dual_cut.h. */
#include "slice/dual_cut.h"

static int by_place(const void *a, const void *b)
{
	const struct dual_life *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

static bool is_same_place(const struct dual_life *a, const struct dual_life *b)
{
	return a->address == b->address && a->size == b->size;
}

/* Times of one place that touch become one. */
static void merge(struct dual_cut *cut)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < cut->lives.size; i++) {
		struct dual_life *last = count ? &cut->lives.at[count - 1] : NULL;
		const struct dual_life *life = &cut->lives.at[i];

		if (last && is_same_place(last, life) && life->from <= last->to + 1)
			last->to = life->to > last->to ? life->to : last->to;
		else
			cut->lives.at[count++] = *life;
	}
	cut->lives.size = count;
}

static void index_cells(struct dual_cut *cut)
{
	uint64_t far = 0;

	for (uint32_t i = 0; i < cut->lives.size; i++) {
		const struct dual_life *life = &cut->lives.at[i];
		struct dual_cell *cell;

		if (!i || !is_same_place(life - 1, life)) {
			cell = vec_push(&cut->cells);
			cell->address = life->address;
			cell->size = life->size;
			cell->first = i;
			far = life->address + life->size > far ? life->address + life->size : far;
			cell->far = far;
		}
		cut->cells.at[cut->cells.size - 1].count++;
	}
}

static void add_lives(struct dual_cut *cut, const struct dual_run *run,
                      const struct dual_edges *edges)
{
	for (uint32_t i = 0; i < edges->at.size; i++) {
		const struct dual_edge *edge = &edges->at.at[i];
		struct dual_life life = {.address = edge->address, .size = edge->size};

		if (!edge->size)
			continue;
		if (edge->from >= EXECUTION_FIRST)
			life.from = dual_run_time(run, edge->from) +
			            !dual_run_is_in_front(run, edge->from);
		life.to = dual_run_time(run, edge->to) - dual_run_is_in_front(run, edge->to);
		if (life.from <= life.to)
			*vec_push(&cut->lives) = life;
	}
}

void dual_cut_init(struct dual_cut *cut, const struct dual_run *run, const struct dual_found *found)
{
	*cut = (struct dual_cut){0};
	add_lives(cut, run, &found->edges);
	add_lives(cut, run, &found->passed);
	if (cut->lives.size)
		qsort(cut->lives.at, cut->lives.size, sizeof(*cut->lives.at), by_place);
	merge(cut);
	index_cells(cut);
}

void dual_cut_deinit(struct dual_cut *cut)
{
	vec_deinit(&cut->lives);
	vec_deinit(&cut->cells);
}

static bool matters_at(const struct dual_cut *cut, const struct dual_cell *cell, uint64_t time)
{
	uint32_t low = cell->first, high = cell->first + cell->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cut->lives.at[middle].to < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cell->first + cell->count && cut->lives.at[low].from <= time;
}

bool dual_cut_crosses(const struct dual_cut *cut, uint64_t time, uint64_t address, uint64_t size)
{
	uint32_t low = 0, high = cut->cells.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (cut->cells.at[middle].address < address + size)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && cut->cells.at[low].far > address) {
		const struct dual_cell *cell = &cut->cells.at[low];

		if (cell->address + cell->size > address && matters_at(cut, cell, time))
			return true;
	}
	return false;
}
