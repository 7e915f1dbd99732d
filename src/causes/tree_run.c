/* What a cause tree keeps of its run: see tree_work.h. */
#include "causes/tree_work.h"

#include "slice/work.h"

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

/* Keeps what comes from instance `from` on. */
static struct hence_error *keep_from(const struct recording *run, uint64_t from,
                                     struct execution **out)
{
	struct execution *e;
	struct hence_error *error = create(run, false, &e);
	bool ended = false;

	if (error)
		return error;
	error = execution_advance(e, from, run->death, &ended);
	if (!error) {
		execution_window(e, true);
		error = execution_advance(e, UINT64_MAX, run->death, &ended);
	}
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

/* Tries to keep all. When that is too much, the rest is only counted. */
static struct hence_error *keep_all(const struct recording *run, uint64_t most,
                                    struct execution **out, uint64_t *next)
{
	struct execution *e;
	struct hence_error *error = create(run, true, &e);
	bool ended = false;

	if (error)
		return error;
	error = execution_advance(e, EXECUTION_FIRST + most, run->death, &ended);
	if (!error && !ended) {
		execution_window(e, false);
		error = execution_advance(e, UINT64_MAX, run->death, &ended);
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
	struct hence_error *error = keep_all(w->run, most, &e, &next);

	if (!error && !e) {
		error = keep_from(w->run, next - most, &e);
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
	return NULL;
}

/* --- statements --- */

/* Does it put a parameter into its place, before the first statement of its function? */
static bool takes_parameter(const struct code_function *f, const struct code_insn *insn)
{
	return insn->op == CODE_STORE && !(insn->flags & CODE_STATEMENT) && !(insn->a & 1) &&
	       f->makers[insn->a >> 1] & CODE_PARAMETER;
}

uint32_t tree_statement_of(const struct tree_work *w, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(w->e, instance);
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	uint32_t end = tree_segment_end(w, (uint32_t)(s - w->segments));

	if (takes_parameter(f, execution_insn(w->e, instance)) &&
	    tree_keeps(w, w->frames[s->frame].call))
		return w->frames[s->frame].call;
	for (uint32_t i = instance; i < end; i++)
		if (f->insns[s->code - f->first + (i - s->first)].flags & CODE_STATEMENT)
			return i;
	/* The program died in it. */
	return end == w->end ? end - 1 : instance;
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
