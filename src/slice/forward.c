/* Forward slices: the run is decoded once, a window at a time. See slice.h. */
#include "slice/forward.h"

static struct hence_error *do_run(struct forward *f, struct execution *e, struct slice *out)
{
	uint32_t window = slice_window(f->run);
	struct hence_error *error;
	bool ended = false;

	/* What the program was given is known when its first instance is. */
	error = execution_advance(e, EXECUTION_FIRST + 1, f->run->death, &ended);
	inputs_begin(&f->inputs, e);
	while (!error) {
		uint32_t first, end;

		execution_kept(e, &first, &end);
		if (!ended)
			error = execution_advance(e, (uint64_t)first + window, f->run->death,
			                          &ended);
		if (error)
			break;
		forward_walk(f, e);
		out->windows++;
		out->stopped = !ended && f->options.stop && f->options.stop(f->options.context);
		if (ended || out->stopped)
			break;
		execution_window(e, true);
	}
	return error;
}

static struct hence_error *check_reached(const struct forward *f, uint64_t total)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (f->criteria[i].instance < EXECUTION_FIRST ||
		    f->criteria[i].instance >= total + EXECUTION_FIRST)
			return error_create(HENCE_ERROR_INPUT,
			                    "there is nothing to slice from: the run has %llu "
			                    "instructions, and instance %u is none of them",
			                    (unsigned long long)total, f->criteria[i].instance);
	return NULL;
}

static void finish(struct forward *f, struct execution *e, struct slice *out)
{
	out->total = execution_instances(e);
	out->statements = execution_statements(e);
	out->guesses = f->guesses;
	out->peak = f->peak;
	slice_collect(&f->marks, (uint32_t)(out->total + EXECUTION_FIRST),
	              execution_code_table(e)->size, out);
}

struct hence_error *slice_forward(const struct recording *run,
                                  const struct slice_criterion *criteria, uint32_t count,
                                  const struct slice_input *inputs, uint32_t input_count,
                                  const struct slice_options *options, struct slice *out)
{
	struct forward f = {.run = run, .criteria = criteria, .count = count, .options = *options};
	struct execution_options decode = {.table = run->table, .windows = true, .retain = true};
	struct hence_error *error = marks_init(&f.marks);
	struct execution *e = NULL;
	struct slice slice = {0};

	if (error)
		return error;
	inputs_init(&f.inputs, inputs, input_count, run->table);
	error = execution_create(run->modules, run->folder, run->tape, &decode, &e);
	if (!error)
		error = do_run(&f, e, &slice);
	if (!error && !slice.stopped)
		error = check_reached(&f, execution_instances(e));
	if (!error) {
		finish(&f, e, &slice);
		*out = slice;
	}
	execution_destroy(e);
	vec_deinit(&f.read.ranges);
	inputs_deinit(&f.inputs);
	marks_deinit(&f.marks);
	return error;
}
