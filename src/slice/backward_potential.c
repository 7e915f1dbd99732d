/* Potential dependences in a backward slice: see relevant.h. */
#include "slice/backward_walker.h"

/* --- potential dependences --- */

void backward_open(struct backward_walker *w, const struct execution_origin *o)
{
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	relevant_add(&w->b->relevant, o->from, o->size, since, w->instance,
	             backward_keeps(w, w->instance) ? relevant_classes(w->e, w->instance)
	                                            : SIDES_ALL);
}

void backward_try_branch(struct backward_walker *w, const struct execution_segment *s,
                         const struct code_function *f, uint32_t branch)
{
	uint32_t load;

	if (marks_has(w->m->want, branch))
		return;
	load = relevant_try(&w->b->relevant, &w->sides, w->e, s, f, branch);
	if (!load)
		return;
	marks_set(w->m->want, branch);
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = branch, .to = load, .potential = true};
}
