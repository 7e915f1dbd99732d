/*
 * The way back through both runs: a worklist of what is wanted of which instance. What is wanted in one
 * run is wanted in the other as well, if that has the instance.
 */
#include <string.h>

#include "slice/dual_walk.h"

/* --- wanting --- */

static bool is_new(struct dual_found *f, const struct dual_item *item)
{
	uint32_t *limit;
	bool whole = marks_has(f->whole, item->instance);

	switch ((enum dual_want)item->want) {
	case DUAL_ITSELF: return item->fresh;
	case DUAL_VALUE: marks_set(f->whole, item->instance); return !whole;
	case DUAL_BYTES:
		return !whole && dual_ranges_add(dual_range_map_put(&f->ranges, item->instance),
		                                 item->from, item->to);
	default:
		limit = dual_limit_map_put(&f->limits, item->instance);
		if (whole || item->limit <= *limit)
			return false;
		*limit = item->limit;
		return true;
	}
}

static bool add(struct dual_walk *w, struct dual_item *item)
{
	struct dual_found *f = &w->found[item->side];

	if (item->want == DUAL_BYTES &&
	    (!item->from || !execution_copies(w->pair->runs[item->side].e, item->instance)))
		item->want = DUAL_VALUE;
	if (item->want != DUAL_BYTES)
		item->from = item->to = 0;
	item->fresh = !marks_has(f->in, item->instance);
	marks_set(f->in, item->instance);
	if (!is_new(f, item))
		return false;
	*vec_push(&w->work) = *item;
	return true;
}

/* The same of the other run. */
static bool mirror(const struct dual_walk *w, struct dual_item *item)
{
	uint32_t other = dual_pair_counterpart(w->pair, item->side, item->instance), both[2];
	uint64_t from;

	if (!other)
		return false;
	both[item->side] = item->instance;
	both[!item->side] = other;
	if (item->want == DUAL_BYTES) {
		if (!dual_pair_written(w->pair, item->side, both, item->from, &from))
			item->want = DUAL_VALUE;
		else
			item->to += from - item->from;
		item->from = item->want == DUAL_BYTES ? from : 0;
	} else if (item->want == DUAL_EARLY) {
		item->limit = dual_pair_counterpart(w->pair, item->side, item->limit);
	}
	item->instance = other;
	item->side = !item->side;
	return true;
}

void dual_walk_want(struct dual_walk *w, struct dual_item item)
{
	if (item.instance >= EXECUTION_FIRST && add(w, &item) && mirror(w, &item))
		add(w, &item);
}

static void process(struct dual_walk *w, const struct dual_item *item)
{
	struct dual_use use;

	dual_use_init(&use, w, item->side, item->instance);
	use.limit = item->limit;
	if (item->fresh && !use.other)
		dual_use_explain(&use);
	/* Which function was called is why all in it was executed. */
	if (item->want == DUAL_ITSELF && dual_use_call(&use))
		dual_use_follow_operand(&use, dual_use_call(&use)->callee);
	if (item->want != DUAL_ITSELF)
		dual_use_find(&use, item->from, item->to);
	for (uint32_t i = 0; i < use.origins.at.size; i++)
		dual_use_follow(&use, &use.origins.at.at[i]);
	dual_use_deinit(&use);
}

void dual_walk_run(struct dual_walk *w, bool (*stop)(void *context), void *context)
{
	for (uint32_t steps = 1; w->work.size; steps++) {
		struct dual_item item = w->work.at[--w->work.size];

		process(w, &item);
		if (stop && steps % 16384 == 0 && stop(context)) {
			w->stopped = true;
			break;
		}
	}
	for (unsigned i = 0; i < 2; i++)
		dual_edges_sort(&w->found[i].edges);
}

/* --- beginning and end --- */

void dual_walk_init(struct dual_walk *w, struct dual_pair *pair)
{
	*w = (struct dual_walk){.pair = pair};
	for (unsigned i = 0; i < 2; i++) {
		size_t words = pair->runs[i].end / 64 + 1;

		w->found[i].in = mem_alloc(words * sizeof(uint64_t));
		w->found[i].whole = mem_alloc(words * sizeof(uint64_t));
	}
}

void dual_walk_deinit(struct dual_walk *w)
{
	for (unsigned i = 0; i < 2; i++) {
		struct dual_found *f = &w->found[i];

		free(f->in);
		free(f->whole);
		map_each(&f->ranges, k) vec_deinit(&f->ranges.at[k].value.at);
		dual_range_map_deinit(&f->ranges);
		dual_limit_map_deinit(&f->limits);
		vec_deinit(&f->edges.at);
		vec_deinit(&f->passed.at);
	}
	vec_deinit(&w->work);
	vec_deinit(&w->lists[0].at);
	vec_deinit(&w->lists[1].at);
}
