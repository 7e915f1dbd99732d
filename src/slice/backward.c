/*
 * Backward slices: which parts of a run are decoded and kept when. See slice.h.
 *
 * A run that fits is kept whole. Else it is decoded once without keeping, and each WINDOW instances
 * a copy of the process is left behind (checkpoint.h). When there are too many copies every
 * second one is dropped, so the one before it has two windows to do; what has more than one window
 * is done in the same way, by copies of the copy. So the time is that of two decodings, and for
 * each doubling a part of a third.
 */
#include <assert.h>

#include "slice/checkpoint.h"

#define MOST_COPIES 64u

/* Copies that wait, the oldest first. `fresh`: the first part is done by a new decoding. */
struct copies {
	VEC(struct checkpoint) at;
	bool fresh;
	uint32_t step; /* instances between two */
};

static bool is_stopped(struct backward *b)
{
	b->stopped |= b->options.stop && b->options.stop(b->options.context);
	return b->stopped;
}

/* --- decoding --- */

static struct hence_error *create(const struct backward *b, struct execution **out)
{
	struct execution_options options = {
		.table = b->run->table, .windows = true, .retain = true};

	return execution_create(b->run->modules, b->run->folder, b->run->tape, &options, out);
}

/* Has all that can matter been decoded? The value of a call comes when it returns. */
static bool is_complete(const struct backward *b, const struct execution *e)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->criteria[i].instance >= execution_next(e) ||
		    execution_is_under_way(e, b->criteria[i].instance))
			return false;
	return true;
}

/* Decodes on to `until`, or to where all is complete. */
static struct hence_error *advance(struct backward *b, struct execution *e, uint64_t until,
                                   bool *ended)
{
	struct hence_error *error = NULL;
	uint64_t next = execution_next(e);

	while (!error && !*ended && next < until) {
		/* Behind the last criterion in short steps: a call may return soon. */
		uint64_t step = next <= b->last ? b->last + 1 : next + 1024;

		error = execution_advance(e, step < until ? step : until, b->run->death, ended);
		next = execution_next(e);
		*ended |= is_complete(b, e);
	}
	return error;
}

/* --- one part of the run --- */

/* Keeps from here to `end`, and goes back through it. */
static struct hence_error *do_window(struct backward *b, struct execution *e, uint64_t end)
{
	struct hence_error *error;
	bool ended = false;

	execution_window(e, true);
	error = advance(b, e, end, &ended);
	if (!error)
		backward_walk(b, e);
	return error;
}

static struct hence_error *do_part(struct backward *b, struct execution *e,
                                   struct checkpoint_work work);

static void drop_copies(struct copies *all)
{
	for (uint32_t i = 0; i < all->at.size; i++)
		checkpoint_drop(&all->at.at[i]);
	vec_deinit(&all->at);
}

static void thin_out(struct copies *all)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < all->at.size; i++)
		if (i % 2 == all->fresh) /* the part before it is the first that stays */
			all->at.at[kept++] = all->at.at[i];
		else
			checkpoint_drop(&all->at.at[i]);
	all->at.size = kept;
	all->step *= 2;
}

/* How many copies may wait: each has a memory of its own of what changes after it was made. */
static uint32_t most_copies(struct execution *e)
{
	uint64_t each = execution_memory(e)->pages.size * sizeof(struct memory_page) + (4u << 20);
	uint64_t most = mem_available() / 4 / each;

	return most < 4 ? 4 : most > MOST_COPIES ? MOST_COPIES : (uint32_t)most;
}

/* Decodes to `end`, leaving copies behind. */
static struct hence_error *leave_copies(struct backward *b, struct execution *e, uint64_t end,
                                        struct copies *all)
{
	struct hence_error *error = NULL;
	bool ended = false, copy = false;

	while (!error && !ended && execution_next(e) < end && !is_stopped(b)) {
		uint32_t first = execution_next(e);
		struct checkpoint c;
		struct checkpoint_work work;

		if (all->at.size >= most_copies(e))
			thin_out(all);
		error = checkpoint_create(b, first, &c, &copy, &work);
		if (error)
			break;
		if (copy)
			checkpoint_answer(b, &c, do_part(b, e, work));
		*vec_push(&all->at) = c;
		error = advance(b, e, (uint64_t)first + all->step, &ended);
	}
	return error;
}

/* From the last to the first. */
static struct hence_error *ask_copies(struct backward *b, uint64_t end, struct copies *all)
{
	struct checkpoint_work work = {.end = end, .split = all->step > b->window};
	struct hence_error *error = NULL;

	while (!error && all->at.size && !is_stopped(b)) {
		struct checkpoint c = all->at.at[--all->at.size];

		error = checkpoint_ask(&c, b, work);
		work.end = c.first;
	}
	if (!error && all->fresh && !b->stopped) {
		struct execution *e;

		error = create(b, &e);
		if (!error) {
			execution_window(e, false);
			error = do_part(b, e, work);
			execution_destroy(e);
		}
	}
	return error;
}

static struct hence_error *do_part(struct backward *b, struct execution *e,
                                   struct checkpoint_work work)
{
	struct copies all = {.step = b->window};
	struct hence_error *error;

	if (!work.split)
		return do_window(b, e, work.end);
	error = leave_copies(b, e, work.end, &all);
	if (!error)
		error = ask_copies(b, work.end, &all);
	drop_copies(&all);
	return error;
}

/* --- all --- */

static struct hence_error *do_run(struct backward *b)
{
	struct copies all = {.step = b->window, .fresh = true};
	struct hence_error *error;
	struct execution *e;
	bool ended = false;

	error = create(b, &e);
	if (error)
		return error;
	error = advance(b, e, (uint64_t)EXECUTION_FIRST + b->window, &ended);
	if (!error && ended)
		backward_walk(b, e);
	if (!error && !ended) {
		execution_window(e, false);
		error = leave_copies(b, e, UINT64_MAX, &all);
		if (!error)
			error = ask_copies(b, execution_next(e), &all);
		drop_copies(&all);
	}
	b->total = execution_instances(e);
	b->statements = execution_statements(e);
	b->codes = execution_code_table(e)->size;
	slice_classify(execution_code_table(e), &b->marks, b->ends, b->constants);
	execution_destroy(e);
	return error;
}

static struct hence_error *check_reached(const struct backward *b)
{
	uint64_t end = b->total + EXECUTION_FIRST;

	for (uint32_t i = 0; i < b->count; i++)
		if (b->criteria[i].instance < EXECUTION_FIRST || b->criteria[i].instance >= end)
			return error_create(HENCE_ERROR_INPUT,
			                    "there is nothing to slice from: the run has %llu "
			                    "instructions, and instance %u is none of them",
			                    (unsigned long long)b->total, b->criteria[i].instance);
	return NULL;
}

static void tell_edges(const struct backward *b)
{
	for (uint32_t i = 0; i < b->found.edges.size; i++)
		b->options.edge(b->options.context, &b->found.edges.at[i]);
}

static void begin_with(struct backward *b, const struct slice_criterion *c)
{
	if (c->instance > b->last)
		b->last = c->instance;
	if (c->instance < EXECUTION_FIRST || c->instance >> 31)
		return; /* see check_reached() */
	marks_set(b->marks.in, c->instance);
	if (!c->itself && !c->to)
		marks_set(b->marks.values, c->instance);
}

static struct hence_error *slice_once(const struct recording *run,
                                      const struct slice_criterion *criteria, uint32_t count,
                                      const struct slice_options *options, struct slice *out)
{
	struct backward b = {.run = run,
	                     .criteria = criteria,
	                     .count = count,
	                     .options = *options,
	                     .window = slice_window(run),
	                     .ends = roaring_bitmap_create(),
	                     .constants = roaring_bitmap_create()};
	struct hence_error *error = marks_init(&b.marks);

	if (error)
		return error;
	for (uint32_t i = 0; i < count; i++)
		begin_with(&b, &criteria[i]);
	error = do_run(&b);
	if (!error && !b.stopped)
		error = check_reached(&b);
	if (!error) {
		tell_edges(&b);
		*out = (struct slice){.total = b.total,
		                      .statements = b.statements,
		                      .windows = b.found.windows,
		                      .peak = b.found.peak,
		                      .given = b.found.given,
		                      .unseen = b.found.unseen,
		                      .guesses = b.found.guesses,
		                      .stopped = b.stopped};
		slice_collect(&b.marks, (uint32_t)(b.total + EXECUTION_FIRST), b.codes, out);
		out->ends = b.ends;
		out->constants = b.constants;
	} else {
		roaring_bitmap_free(b.ends);
		roaring_bitmap_free(b.constants);
	}
	vec_deinit(&b.found.edges);
	relevant_deinit(&b.relevant);
	marks_deinit(&b.marks);
	return error;
}

/* What is in the slice for potential dependences only, a slice without them tells. */
struct hence_error *slice_backward(const struct recording *run,
                                   const struct slice_criterion *criteria, uint32_t count,
                                   const struct slice_options *options, struct slice *out)
{
	struct slice_options plain = *options;
	struct hence_error *error;
	struct slice first;

	if (!options->relevant)
		return slice_once(run, criteria, count, options, out);
	plain.relevant = false;
	plain.edge = NULL;
	error = slice_once(run, criteria, count, &plain, &first);
	if (error)
		return error;
	error = slice_once(run, criteria, count, options, out);
	if (!error) {
		roaring_bitmap_free(out->potential);
		out->potential = roaring_bitmap_andnot(out->instances, first.instances);
	}
	slice_deinit(&first);
	return error;
}
