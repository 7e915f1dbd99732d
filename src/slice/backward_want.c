/* What an instance in a backward slice came from, and what that means: see backward_walk.c. */
#include <assert.h>

#include "slice/backward_walker.h"

/* --- wanting --- */

void backward_note_source(struct backward_walker *w, uint32_t source)
{
	if (source == SOURCE_GIVEN)
		w->b->found.given = true;
	else if (source == SOURCE_UNSEEN || source == SOURCE_NONE)
		w->b->found.unseen = true;
}

/* What is to be done for the value of a call that is not an outside one. */
void backward_want_returned(struct backward_walker *w, uint32_t call, uint32_t source)
{
	if (!source || source & EXECUTION_GROUP)
		return;
	if (w->edges)
		*vec_push(&w->b->found.edges) = (struct slice_edge){.from = source, .to = call};
	backward_want_value(w, source);
}

void backward_want_value(struct backward_walker *w, uint32_t instance)
{
	if (instance < EXECUTION_FIRST) {
		backward_note_source(w, instance);
	} else if (!backward_keeps(w, instance)) {
		marks_set(w->m->in, instance);
		marks_set(w->m->values, instance);
		backward_want_returned(w, instance, execution_late(w->e, instance));
	} else if (execution_insn(w->e, instance)->op != CODE_CALL) {
		marks_set(w->m->want, instance);
	} else if (!marks_has(w->m->values, instance)) {
		marks_set(w->m->values, instance);
		marks_set(w->m->want, instance);
		backward_want_returned(w, instance, w->sources[instance - w->first]);
	}
}

/* The instance, in a callback, read what the call under way had written by then: that depends on what
   callbacks returned before. The first that is found is the youngest, so it does for all. */
static void want_early(struct backward_walker *w, uint32_t call)
{
	struct span *span = w->spans.size ? span_map_find(&w->spans, call) : NULL;
	uint32_t instance = w->instance, limit = w->limit;

	if (!span || span->early || instance >= span->until || instance <= call)
		return;
	span->early = true;
	w->limit = instance;
	w->instance = call;
	execution_origins(w->e, call, 0, 0, backward_want_origin, w);
	w->limit = limit;
	w->instance = instance;
}

static void want_bytes(struct backward_walker *w, const struct execution_origin *origin)
{
	uint64_t size = origin->size;

	if (origin->source < EXECUTION_FIRST) {
		backward_note_source(w, origin->source);
		return;
	}
	marks_set(w->m->want, origin->source);
	if (!backward_copies(w, origin->source))
		return;
	if (!origin->written)
		size = 0;
	marks_add_range(w->m, origin->source, origin->written, size);
	want_early(w, origin->source);
}

/* A branch or call that decided that the instances of this frame were executed. */
void backward_want_control(struct backward_walker *w, uint32_t frame, uint32_t parent)
{
	const struct execution_frame *f = &w->frames[frame];

	if (parent < EXECUTION_FIRST)
		return;
	if (parent == f->call || parent == f->within)
		marks_set(w->m->in, parent);
	else
		marks_set(w->m->want, parent);
}

void backward_tell_edge(struct backward_walker *w, uint32_t from, bool control)
{
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = from, .to = w->instance, .control = control};
}

static void want_memory(struct backward_walker *w, const struct execution_origin *origin)
{
	want_bytes(w, origin);
	if (w->b->options.relevant)
		backward_open(w, origin);
}

void backward_want_origin(void *context, const struct execution_origin *origin)
{
	struct backward_walker *w = context;

	assert(origin->source != SOURCE_EARLIER); /* windows know what came before */
	if ((origin->chosen && !w->control) || origin->source >= w->limit)
		return;
	backward_tell_edge(w, origin->source, origin->chosen);
	if (origin->chosen)
		backward_want_control(w, execution_segment(w->e, w->instance)->frame,
		                      origin->source);
	else if (origin->itself)
		marks_set(w->m->in, origin->source);
	else if (origin->size && !origin->value)
		want_memory(w, origin);
	else
		backward_want_value(w, origin->source);
}

/* --- one instance --- */

void backward_want_origins(struct backward_walker *w, uint32_t instance)
{
	w->instance = instance;
	execution_origins(w->e, instance, 0, 0, backward_want_origin, w);
}

void backward_want_ranges(struct backward_walker *w, uint32_t instance)
{
	const struct marks_ranges *r = marks_ranges(w->m, instance);
	VEC(struct execution_range) ranges = VEC_INIT;

	w->instance = instance;
	if (!r || r->whole) {
		execution_origins(w->e, instance, 0, 0, backward_want_origin, w);
		return;
	}
	/* New ranges may move these; and where a copy did not write, it is not known what is meant. */
	for (uint32_t i = 0; i < r->at.size; i++) {
		struct execution_range range = r->at.at[i];

		*vec_push(&ranges) = range;
		if (!execution_wrote(w->e, instance, range.from, range.to - range.from)) {
			ranges.size = 0;
			break;
		}
	}
	execution_origins_of(w->e, instance, ranges.at, ranges.size, backward_want_origin, w);
	vec_deinit(&ranges);
}
