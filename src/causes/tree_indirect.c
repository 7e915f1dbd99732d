/* Indirect critical conditions: branches that could have changed what a cause read, had they gone another way. */
#include "causes/tree_work.h"

struct scan {
	struct tree_work *w;
	struct relevant open;
	uint32_t oldest;   /* of what is open: who wrote it */
	uint32_t instance; /* that reads */
};

static void open_origin(void *context, const struct execution_origin *o)
{
	struct scan *s = context;
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	if (!o->size || o->value || o->chosen ||
	    (o->source == SOURCE_INITIAL && tree_is_constant(s->w, o->from, s->instance)))
		return;
	relevant_add(&s->open, o->from, o->size, since, s->instance,
	             relevant_classes(s->w->e, s->instance));
	if (since < s->oldest)
		s->oldest = since;
}

static void open_instance(struct scan *s, uint32_t instance)
{
	if (tree_outside_correct(s->w, instance) != instance)
		return;
	s->instance = instance;
	execution_origins(s->w->e, instance, 0, 0, open_origin, s);
}

static void try_branch(struct scan *s, uint32_t segment, struct tree_conditions *out)
{
	const struct tree_work *w = s->w;
	const struct execution_segment *at = &w->segments[segment];
	const struct code_function *f = w->code->functions.at[w->frames[at->frame].function];
	uint32_t branch = tree_segment_end(w, segment) - 1;
	uint32_t load = relevant_try(&s->open, &s->w->sides, w->e, at, f, branch);

	if (load)
		*vec_push(&out->all) = (struct tree_condition){
			.reason = TREE_INDIRECT, .instance = branch, .via = load};
}

static uint32_t segment_of(const struct tree_work *w, uint32_t instance)
{
	return (uint32_t)(execution_segment(w->e, instance) - w->segments);
}

/* One way backwards: what an instance read is open from there to who wrote it. Where nothing is open, the way goes on
   with the next instance that reads. */
void tree_find_indirect(struct tree_work *w, const roaring_bitmap_t *instances,
                        struct tree_conditions *out)
{
	struct scan s = {.w = w, .oldest = UINT32_MAX};
	uint32_t segment = segment_of(w, roaring_bitmap_maximum(instances));
	roaring_uint32_iterator_t next;

	roaring_init_iterator_last(instances, &next);
	for (;;) {
		uint32_t first = w->segments[segment].first;

		if (s.oldest < UINT32_MAX)
			try_branch(&s, segment, out);
		for (; next.has_value && next.current_value >= first;
		     roaring_previous_uint32_iterator(&next))
			open_instance(&s, next.current_value);
		if (s.oldest < first && segment) {
			segment--;
			continue;
		}
		if (!next.has_value)
			break;
		segment = segment_of(w, next.current_value);
		s.oldest = UINT32_MAX;
	}
	relevant_deinit(&s.open);
}

/* --- output that did not come --- */

static bool puts_out(const struct tree_work *w, const struct execution_call *call)
{
	const struct outside_clause *clauses;

	if (!call->model)
		return false;
	clauses = outside_table_clauses(w->run->table, call->model);
	for (uint32_t i = 0; i < call->model->clause_count; i++)
		if (clauses[i].kind == OUTSIDE_PRODUCES)
			return true;
	return false;
}

/* The last call before an instance that put something out; 0: none. */
static uint32_t last_output(const struct tree_work *w, uint32_t before)
{
	for (uint32_t i = execution_call_count(w->e); i; i--) {
		const struct execution_call *call = execution_call(w->e, i);

		if (call->instance < before && puts_out(w, call))
			return call->instance;
	}
	return 0;
}

void tree_find_silent(struct tree_work *w, uint32_t instance, struct tree_conditions *out)
{
	uint32_t since = last_output(w, instance);

	for (uint32_t segment = segment_of(w, instance);; segment--) {
		const struct execution_segment *s = &w->segments[segment];
		uint32_t branch = tree_segment_end(w, segment) - 1;

		if (branch < since)
			return;
		if (branch < instance &&
		    relevant_prints(&w->sides, w->e, s,
		                    w->code->functions.at[w->frames[s->frame].function], branch))
			*vec_push(&out->all) = (struct tree_condition){
				.reason = TREE_INDIRECT, .instance = branch, .via = instance};
		if (!segment)
			return;
	}
}
