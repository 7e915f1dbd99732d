/* What a cause tree keeps of its run: see tree_work.h. */
#include "causes/tree_work.h"

#include "slice/work.h"

#define NEAR    4u       /* segments of a statement that are looked at */
#define AT_ONCE 2000000u /* instances that are decoded before somebody looks at the time */

/* --- decoding --- */

static struct hence_error *create(const struct recording *run, bool keep, struct execution **out)
{
	/* Copies are only told apart where windows are possible. */
	const struct execution_options options = {.table = run->table,
	                                          .windows = true,
	                                          .outputs = true,
	                                          .bytes = true,
	                                          .retain = keep};

	return execution_create(run->modules, run->folder, run->tape, &options, out);
}

/* execution_advance(), which is ended when the time is over. */
static struct hence_error *advance(const struct tree_work *w, struct execution *e, uint64_t until,
                                   bool *ended)
{
	const struct tree_options *options = w->options;

	while (!*ended && execution_next(e) < until) {
		uint64_t next = execution_next(e) + AT_ONCE;
		struct hence_error *error =
			execution_advance(e, next < until ? next : until, w->run->death, ended);

		if (error)
			return error;
		if (!*ended && options->stop && options->stop(options->context))
			return error_create(HENCE_ERROR_INPUT,
			                    "the time was up before the run was read; give more "
			                    "with --time");
	}
	return NULL;
}

/* Keeps what comes from instance `from` on. */
static struct hence_error *keep_from(const struct tree_work *w, uint64_t from,
                                     struct execution **out)
{
	struct execution *e;
	struct hence_error *error = create(w->run, false, &e);
	bool ended = false;

	if (error)
		return error;
	error = advance(w, e, from, &ended);
	if (!error) {
		execution_window(e, true);
		error = advance(w, e, UINT64_MAX, &ended);
	}
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

/* Tries to keep all. When that is too much, the rest is only counted. */
static struct hence_error *keep_all(const struct tree_work *w, uint64_t most,
                                    struct execution **out, uint64_t *next)
{
	struct execution *e;
	struct hence_error *error = create(w->run, true, &e);
	bool ended = false;

	if (error)
		return error;
	error = advance(w, e, EXECUTION_FIRST + most, &ended);
	if (!error && !ended) {
		execution_window(e, false);
		error = advance(w, e, UINT64_MAX, &ended);
		*next = execution_next(e);
		execution_destroy(e);
		*out = NULL;
		return error;
	}
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

struct hence_error *tree_decode(struct tree_work *w, bool *window)
{
	uint64_t most = slice_window(w->run), next = 0;
	struct execution *e = NULL;
	struct hence_error *error = keep_all(w, most, &e, &next);

	if (!error && !e) {
		error = keep_from(w, next - most, &e);
		*window = true;
	}
	if (error)
		return error;
	w->e = e;
	w->code = execution_code_table(e);
	w->segments = execution_segments(e, &w->segment_count);
	w->frames = execution_frames(e, &w->frame_count);
	execution_kept(e, &w->first, &w->end);
	w->correct = mem_alloc(w->frame_count + 1);
	sides_table_init(&w->sides, w->code->program);
	w->sides.outside = w->run->table;
	return NULL;
}

/* --- statements --- */

bool tree_takes_parameter(const struct tree_work *w, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(w->e, instance);
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	const struct code_insn *insn = execution_insn(w->e, instance);

	return insn->op == CODE_STORE && !(insn->flags & CODE_STATEMENT) && !(insn->a & 1) &&
	       f->makers[insn->a >> 1] & CODE_PARAMETER;
}

/* The first instance from this one on, in its segment, that ends a statement; 0: none. */
static uint32_t find_end(const struct tree_work *w, uint32_t segment, uint32_t instance)
{
	const struct execution_segment *s = &w->segments[segment];
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	uint32_t end = tree_segment_end(w, segment);

	for (uint32_t i = instance; i < end; i++)
		if (f->insns[s->code - f->first + (i - s->first)].flags & CODE_STATEMENT)
			return i;
	return 0;
}

/* The next segment of the same frame; 0: there is none near. */
static uint32_t next_segment(const struct tree_work *w, uint32_t segment)
{
	for (uint32_t i = segment + 1; i < w->segment_count && i - segment <= NEAR; i++)
		if (w->segments[i].frame == w->segments[segment].frame)
			return i;
	return 0;
}

uint32_t tree_statement_of(const struct tree_work *w, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(w->e, instance);
	uint32_t segment = (uint32_t)(s - w->segments), call = w->frames[s->frame].call, end;

	if (tree_takes_parameter(w, instance))
		return tree_keeps(w, call) ? call : 0;
	/* A side of ?: has no end of its own: it is part of what comes behind it. */
	end = find_end(w, segment, instance);
	for (uint32_t i = 0; !end && i < NEAR && segment + 1 < w->segment_count; i++) {
		segment = next_segment(w, segment);
		if (!segment)
			return 0;
		end = find_end(w, segment, w->segments[segment].first);
	}
	/* None: the program died in it. */
	return end || segment + 1 < w->segment_count ? end : w->end - 1;
}

/* --- functions that are designated correct --- */

static bool is_correct(struct tree_work *w, uint32_t frame)
{
	const struct execution_frame *f = &w->frames[frame];

	if (!w->options->is_correct)
		return false;
	if (!w->correct[frame])
		w->correct[frame] =
			1 + w->options->is_correct(w->options->context,
		                                   w->code->functions.at[f->function]->plan->name);
	return w->correct[frame] == 2;
}

uint32_t tree_outside_correct(struct tree_work *w, uint32_t instance)
{
	uint32_t frame = execution_segment(w->e, instance)->frame;

	if (!w->options->is_correct)
		return instance;
	/* The outermost that is correct: whatever it calls is so, too. */
	for (uint32_t f = frame + 1; f; f = w->frames[f - 1].caller) {
		const struct execution_frame *at = &w->frames[f - 1];

		if (is_correct(w, f - 1))
			instance = at->call ? at->call : at->within;
	}
	return tree_keeps(w, instance) ? instance : 0;
}
