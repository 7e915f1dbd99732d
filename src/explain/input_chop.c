/* From a failing input to its chop: see input_chop.h. */
#include "explain/input_chop.h"

#include <ctype.h>

#include "base/budget.h"
#include "methods/chop.h"

#define HANG_TAPE (1ull << 20) /* bytes that are recorded of a run that does not end */

static void note(struct input_chop *out, char *text)
{
	*vec_push(&out->notes) = text;
}

/* What is wrong with the failing run? */
static struct hence_error *find_criterion(const struct oracle *oracle, const struct run *run,
                                          const struct run_confined *confined,
                                          const struct recording *tape, struct input_chop *out)
{
	const struct str *output = &confined->first.output, *passed = &confined->passed;
	struct hence_error *error = criterion_of_result(
		tape, oracle, &confined->first, &run->recorded.at[0].outcome, &out->criterion);
	uint64_t at = 0;

	if (error || out->criterion.kind != CRITERION_NONE)
		return error;
	criterion_deinit(&out->criterion);
	/* The user's test has judged the run, not the program. */
	if (confined->passing_tape) {
		while (at < output->length && at < passed->length &&
		       output->text[at] == passed->text[at])
			at++;
		note(out, str_format("only the test knows what is wrong; the first byte of output "
		                     "that is not as with the passing input is taken for it"));
	} else {
		for (at = output->length; at && isspace((unsigned char)output->text[at - 1]);)
			at--;
		at = at ? at - 1 : output->length;
		note(out,
		     str_format(
			     "only the test knows what is wrong; the last output is taken for it"));
	}
	/* At the end: something is missing there. */
	return criterion_of_wrong_output(tape, output, at < output->length ? at : output->length, 0,
	                                 &out->criterion);
}

/* Does the run of the passing input come to where the failure begins? */
static bool passing_gets_there(const struct run *run, uint32_t tape, struct modules *modules,
                               const struct criterion *criterion)
{
	const struct criterion_point point = {
		.file = criterion->file, .line = criterion->line, .instance = -1};
	struct criterion found = {0};
	struct walk_place death;
	struct recording passing;
	struct hence_error *error;

	if (!tape || !criterion->file)
		return false;
	passing = record_slice_run(run, &run->recorded.at[tape], modules, &death);
	error = criterion_of_place(&passing, &point, 0, &found);
	if (!error)
		criterion_deinit(&found);
	error_destroy(error);
	return !error;
}

static uint32_t last_instance(const struct listing_line *line)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (s->instances.size && s->instances.at[s->instances.size - 1].instance > last)
			last = s->instances.at[s->instances.size - 1].instance;
	}
	return last;
}

static int by_time(const void *a, const void *b)
{
	uint32_t first = last_instance(a), second = last_instance(b);

	return (first < second) - (first > second);
}

static struct hence_error *list(const struct recording *tape, const struct chop *chop,
                                struct input_chop *out)
{
	struct listing_set sets[] = {{.codes = chop->backward.codes},
	                             {.codes = chop->forward.codes}};
	const struct listing_choice choice = {
		.codes = chop->codes,
		.instances = chop->backward.instances,
		.potential = chop->backward.potential,
		.special = chop->independent,
		.marks = out->criterion.marks.at,
		.mark_count = out->criterion.marks.size,
		.sets = sets,
		.set_count = 2,
		.end = out->criterion.end,
	};
	struct hence_error *error = listing_collect(tape, &choice, &out->listing);

	if (error)
		return error;
	if (out->listing.lines.size)
		qsort(out->listing.lines.at, out->listing.lines.size,
		      sizeof(*out->listing.lines.at), by_time);
	out->backward = sets[0].lines;
	out->forward = sets[1].lines;
	for (uint32_t i = 0; i < out->listing.lines.size; i++)
		out->independent +=
			out->listing.lines.at[i].chosen && out->listing.lines.at[i].independent;
	return NULL;
}

static struct hence_error *chop_run(const struct input_chop_options *o, const struct run *run,
                                    const struct run_confined *confined, struct modules *modules,
                                    struct input_chop *out)
{
	const struct reduce_result *reduced = o->reduced;
	const struct slice_options slice = {
		.relevant = o->relevant, .stop = budget_stops, .context = (void *)o->budget};
	struct walk_place death;
	const struct recording tape = record_slice_run(run, &run->recorded.at[0], modules, &death);
	struct hence_error *error = find_criterion(&reduced->oracle, run, confined, &tape, out);
	bool hang = reduced->oracle.failure.kind == FAILURE_HANG;
	char *doubts[RECORD_DOUBTS];
	unsigned count;
	struct chop chop;

	if (error)
		return error;
	/* Is what decides the difference to the passing input? One that was only found may pass because the program gives
	   up early, and what separates the two need not be what the fault handles: so it counts only if the user wants
	   it. */
	out->isolated = reduced->has_passing &&
	                (reduced->chosen >= 0 ||
	                 (o->isolate && passing_gets_there(run, confined->passing_tape, modules,
	                                                   &out->criterion)));
	deciding_find(&reduced->failing, out->isolated ? &reduced->passing : NULL, &out->deciding);
	error = chop_compute(&tape, out->criterion.at.at, out->criterion.at.size,
	                     out->deciding.inputs.at, out->deciding.inputs.size, &slice, &chop);
	if (error)
		return error;
	error = list(&tape, &chop, out);
	out->stopped = chop.backward.stopped || chop.forward.stopped;

	for (uint32_t i = 0; i < out->criterion.notes.size; i++)
		note(out, mem_strdup(out->criterion.notes.at[i]));
	for (uint32_t i = 0; i < run->notes.size && !hang; i++)
		note(out, mem_strdup(run->notes.at[i]));
	if (hang)
		note(out, str_format("of the run without end, %llu statements were recorded",
		                     (unsigned long long)chop.backward.statements));
	if (reduced->end == REDUCE_STOPPED && !o->as_given)
		note(out, str_format("the search ended early: the input may not be minimal"));
	count = record_slice_doubts(&chop.backward, "the backward slice", "the chop", doubts);
	for (unsigned i = 0; i < count; i++)
		note(out, doubts[i]);
	if (out->stopped)
		note(out, str_format("the time was over before the whole run was read: the chop is "
		                     "incomplete"));
	chop_deinit(&chop);
	return error;
}

struct hence_error *input_chop_find(const struct input_chop_options *o, struct input_chop *out)
{
	const struct reduce_result *reduced = o->reduced;
	struct trials_options trials = *o->trials;
	struct run_options run_options = *o->run;
	struct run_confined confined = {.trials = &trials,
	                                .passing = reduced->has_passing ? &reduced->passing : NULL};
	struct run run = {.options = &run_options, .input = -1, .output = -1};
	struct modules *modules = modules_create();
	struct hence_error *error;

	*out = (struct input_chop){0};
	trials.input = &reduced->failing;
	trials.workers = 1;
	trials.plain = true;
	trials.test = NULL;
	/* Of a run without end a part will do. */
	if (reduced->oracle.failure.kind == FAILURE_HANG && run_options.tape_limit > HANG_TAPE)
		run_options.tape_limit = HANG_TAPE;
	error = run_record_confined(&run, &confined);
	out->unstable =
		!error && confined.differs && reduced->oracle.failure.kind == FAILURE_OUTPUT;
	if (!error && !out->unstable)
		error = chop_run(o, &run, &confined, modules, out);
	modules_destroy(modules);
	trial_result_deinit(&confined.first);
	str_deinit(&confined.passed);
	run_deinit(&run);
	return error;
}

void input_chop_deinit(struct input_chop *chop)
{
	listing_deinit(&chop->listing);
	deciding_deinit(&chop->deciding);
	criterion_deinit(&chop->criterion);
	vec_free(&chop->notes);
}
