/* Records a failing run and its reference: see pair.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/pair.h"
#include "trace/history.h"
#include "cli/record.h"

#define HANG_WORK                                                                                  \
	(16u << 20) /* more than ten times that of the reference, after which a run hangs */
#define HANG_TAPE (512u << 10) /* bytes at least that are recorded of a run that does not end */

/* The failing run, or when `candidate` is not NULL that one. `work`: after which a run is cut; 0:
   chosen. */
static struct hence_error *record(struct pair *p, const struct pair_candidate *candidate,
                                  uint64_t work, struct pair_side *side)
{
	struct trials_options *trials = &side->options.trials;
	struct hence_control control;
	struct hence_error *error = session_control(&p->run.session, &control);

	if (error)
		return error;
	side->tape = control.tapes;
	side->result.test = -1;
	*trials = p->failure.reduce.trials;
	trials->input = candidate ? candidate->input : &p->reduced.failing;
	if (candidate && candidate->kind == PAIR_PROGRAM)
		trials->program = p->failure.other;
	if (candidate && candidate->kind == PAIR_EDIT) {
		if (!p->edited)
			error = edited_create(&p->failing.recording, candidate->edit, false,
			                      &p->edited);
		if (error)
			return error;
		trials->image = p->edited->path;
	}
	if (candidate && candidate->kind == PAIR_PATCHED) {
		side->options.patch = &candidate->predicate->patch;
		side->options.patch_from = &p->failing.recording;
	}
	trials->test = NULL;
	trials->other = NULL;
	trials->work = work;
	trials->stop = budget_stops;
	trials->context = &p->search.budget;
	error = experiments_create(&side->options, &side->pool);
	if (error || !side->pool)
		return error;
	error = experiments_record(side->pool, p->run.session.path, &side->result);
	if (!error)
		error = session_control(&p->run.session, &control);
	side->tapes = control.tapes - side->tape;
	return error;
}

void pair_side_deinit(struct pair_side *side)
{
	experiments_destroy(side->pool);
	trial_result_deinit(&side->result);
	history_destroy(side->recording.history);
	*side = (struct pair_side){0};
}

static bool is_hang(const struct pair *p)
{
	return p->reduced.end != REDUCE_NO_FAILURE &&
	       p->reduced.oracle.failure.kind == FAILURE_HANG;
}

static void note_recording(struct pair *p, const struct pair_side *side)
{
	const char *note = experiments_note(side->pool);

	/* That the tape of a run without end was full is as we wanted it. */
	for (uint32_t i = 0; i < p->run.notes.size && !is_hang(p); i++)
		pair_note(p, mem_strdup(p->run.notes.at[i]));
	if (note)
		pair_note(p, mem_strdup(note));
	if (side == &p->failing && side->tapes > 1)
		pair_note(p, str_format("%u processes were recorded; only the first is explained",
		                        side->tapes));
}

/* Its tape is there. */
static struct hence_error *finish(struct pair *p, const struct pair_side *side)
{
	const struct run_end end = {side->tape, &side->result.outcome};
	struct hence_error *error = run_finish(&p->run, &end, 1);

	if (!error)
		note_recording(p, side);
	return error;
}

static struct hence_error *use(struct pair *p, struct pair_side *side)
{
	const struct tape *tape = p->run.recorded.at[side->tape].tape;

	if (tape->condition != TAPE_GOOD)
		return error_create(HENCE_ERROR_INPUT, "the tape of %s is lost",
		                    p->options->command[0]);
	side->recording = (struct recording){.modules = p->modules,
	                                     .folder = p->run.session.path,
	                                     .tape = tape->number,
	                                     .table = p->run.table,
	                                     .history = history_create()};
	if (side == &p->reference && p->edited) {
		side->recording.modules = p->edited->modules;
		side->recording.edit = &p->edited->edit;
	}
	if (record_death(&side->result.outcome, &side->death))
		side->recording.death = &side->death;
	return experiments_use(side->pool, &side->recording);
}

/* --- runs that differ --- */

/* Records the input once more and finds out where that run and the first one part. NULL: nobody knows.
   Caller frees. */
static char *part(struct pair *p, const struct pair_side *side,
                  const struct pair_candidate *candidate)
{
	struct recording first = {.modules = p->modules,
	                          .folder = p->run.session.path,
	                          .tape = p->run.recorded.at[side->tape].tape->number,
	                          .table = p->run.table};
	struct recording second = first;
	struct pair_side again = {0};
	struct hence_error *error = record(p, candidate, side->options.trials.work, &again);
	char *place = NULL;

	second.tape = again.tape;
	if (!error && again.pool)
		error = pair_part(&first, &second, &place);
	error_destroy(error);
	pair_side_deinit(&again);
	return place;
}

/* Caller frees. */
static char *say_unstable(struct pair *p, const struct pair_side *side,
                          const struct pair_candidate *candidate)
{
	char *place = part(p, side, candidate), *text;
	const char *program = candidate && candidate->kind == PAIR_PROGRAM
	                              ? p->options->pass_program
	                              : p->options->command[0];

	text = str_format("%s does not always do the same: with the %s it did not %s when it was "
	                  "recorded%s%s; what it does must depend on its input only",
	                  program,
	                  candidate && candidate->kind == PAIR_INPUT ? "input that passes"
	                                                             : "failing input",
	                  candidate ? "pass" : "fail as before", place ? "; two runs part at " : "",
	                  place ? place : "");
	free(place);
	return text;
}

/* Is the recorded run the failure that was judged before? A user's test has not seen it. */
static bool still_fails(const struct pair *p)
{
	if (p->reduced.end == REDUCE_NO_FAILURE)
		return true; /* nothing was judged */
	return p->options->test ||
	       oracle_judge(&p->reduced.oracle, &p->failing.result) == VERDICT_FAIL;
}

static bool still_passes(const struct pair *p)
{
	const struct trial_result *result = &p->reference.result;

	if (p->options->test)
		return true;
	/* What the reference should put out nobody has said. */
	if (p->reduced.oracle.failure.kind == FAILURE_OUTPUT || p->options->pass_program)
		return result->outcome.kind == OUTCOME_EXITED;
	return oracle_judge(&p->reduced.oracle, result) == VERDICT_PASS;
}

/* --- the failing run --- */

/* The session takes the signals that end a search: none may come before they are ours again. */
static struct hence_error *begin(struct pair *p)
{
	struct hence_error *error;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = run_begin(&p->run);
	interrupt_catch();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

/* A run without end is cut when it has done far more than the reference; recorded is as much as that took,
   and then some: the loop that does not end is in it. */
static struct hence_error *record_hang(struct pair *p)
{
	struct hence_error *error = NULL;
	uint64_t whole = p->run.session.tape_limit, limit, work;

	if (p->candidates.size && !budget_is_over(&p->search.budget))
		error = record(p, &p->candidates.at[0], 0, &p->reference);
	work = p->reference.result.work;
	limit = 2 * work + HANG_TAPE;
	if (!error)
		error = session_limit(&p->run.session, limit < whole ? limit : whole);
	if (!error)
		error = record(p, NULL, p->reference.pool ? 10 * work + HANG_WORK : 0, &p->failing);
	return error ? error : session_limit(&p->run.session, whole);
}

/* A memory error makes a run depend on what lies where in memory, which is not the same when it is recorded: then it is
   the explanation. Else the user is told that the runs differ. */
static struct hence_error *explain_unstable(struct pair *p, int *code)
{
	struct hence_error *error = use(p, &p->failing);
	char *text;

	if (!error)
		error = memory_error_find(&p->failing.recording, UINT64_MAX, p->search.budget.until,
		                          &p->memory_error);
	p->has_failing = !error;
	if (!error && p->memory_error.kind && p->memory_errors && !p->recipe) {
		pair_take_memory_error(p);
		pair_note(p, str_format("%s did something else when it was recorded: the memory "
		                        "error changes "
		                        "what happens to lie there in memory",
		                        p->options->command[0]));
		return NULL;
	}
	error_destroy(error);
	text = say_unstable(p, &p->failing, NULL);
	budget_hide(&p->search.budget);
	fprintf(stderr, "hence: %s\n", text);
	if (p->memory_error.kind)
		fprintf(stderr, "hence: it makes a memory error, which 'hence explain' tells: %s\n",
		        p->memory_error.words);
	free(text);
	*code = CLI_NOT_PROVEN;
	return NULL;
}

struct hence_error *pair_record_failing(struct pair *p, int *code)
{
	struct hence_error *error = p->run.session.path ? NULL : begin(p);

	if (!error)
		error = is_hang(p) ? record_hang(p) : record(p, NULL, 0, &p->failing);
	p->has_failing = !error && p->failing.pool;
	if (!p->has_failing)
		return error;
	error = finish(p, &p->failing);
	if (error)
		return error;
	if (!p->modules)
		p->modules = modules_create();
	/* What another build puts out is not known yet. */
	if (!p->options->pass_program && !still_fails(p))
		return explain_unstable(p, code);
	error = use(p, &p->failing);
	p->has_failing = !error;
	return error;
}

/* --- the reference --- */

/* What the other build puts out is what is right for the failing run. */
static void take_right(struct pair *p)
{
	struct trial_result *failing = &p->failing.result;
	const struct trial_result *right = &p->reference.result;

	str_deinit(&failing->right);
	outcome_deinit(&failing->other);
	str_add_bytes(&failing->right, str_text(&right->output), right->output.length);
	outcome_copy(&failing->other, &right->outcome);
}

/* The other build must not fail by itself. */
static char *refuse_program(const struct pair *p)
{
	struct str text = STR_INIT;

	str_printf(&text, "%s fails with the failing input, too: it ", p->options->pass_program);
	outcome_write_text(&p->reference.result.outcome, &text);
	str_add(&text, "; give a build that does what is right");
	return str_steal(&text);
}

static char *find_refusal(struct pair *p, const struct pair_candidate *candidate)
{
	bool program = candidate->kind == PAIR_PROGRAM;

	if (program && p->reference.result.outcome.kind != OUTCOME_EXITED)
		return refuse_program(p);
	if (program)
		take_right(p);
	if (program && !still_fails(p))
		return say_unstable(p, &p->failing, NULL);
	return still_passes(p) ? NULL : say_unstable(p, &p->reference, candidate);
}

struct hence_error *pair_record_reference(struct pair *p, const struct pair_candidate *candidate,
                                          char **refuses)
{
	struct hence_error *error = NULL;

	if (!p->reference.pool)
		error = record(p, candidate, 0, &p->reference);
	if (error || !p->reference.pool)
		return error;
	error = finish(p, &p->reference);
	if (error)
		return error;
	p->has_reference = true;
	*refuses = find_refusal(p, candidate);
	return *refuses ? NULL : use(p, &p->reference);
}

static uint64_t count_lines(const struct str *text)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < text->length; i++)
		lines += text->text[i] == '\n';
	return lines;
}

struct hence_error *pair_judge_patched(void *context, const struct patch *patch,
                                       enum verdict *verdict, bool *early)
{
	struct pair *p = context;
	const struct predicate predicate = {.patch = *patch};
	const struct pair_candidate candidate = {.kind = PAIR_PATCHED,
	                                         .given = -1,
	                                         .input = &p->reduced.failing,
	                                         .predicate = &predicate};
	const struct str *before = &p->failing.result.output;
	struct explanation_memory_error found = {0};
	struct pair_side side = {0};
	struct hence_error *error = record(p, &candidate, 0, &side);

	*verdict = VERDICT_UNRESOLVED;
	*early = false;
	if (!error && side.pool && side.result.outcome.kind == OUTCOME_EXITED &&
	    side.result.outcome.status == p->failing.result.outcome.status) {
		error = finish(p, &side);
		if (!error)
			error = use(p, &side);
		if (!error)
			error = memory_error_find(&side.recording, UINT64_MAX,
			                          p->search.budget.until, &found);
		if (!error && !found.kind)
			*verdict = VERDICT_PASS;
		else if (!error && found.at.line == p->memory_error.at.line &&
		         !strcmp(found.kind, p->memory_error.kind))
			*verdict = VERDICT_FAIL;
		*early = count_lines(&side.result.output) < count_lines(before) ||
		         (before->length && !side.result.output.length);
	}
	/* A run that cannot be made or read says nothing. */
	if (error && error->kind == HENCE_ERROR_INPUT) {
		error_destroy(error);
		error = NULL;
	}
	explanation_memory_error_deinit(&found);
	pair_side_deinit(&side);
	return error;
}

/* NULL: there is none. */
static const struct pair_candidate *other_input(const struct pair *p)
{
	const struct pair_candidate *reference = pair_reference(p);

	if (!reference || reference->kind != PAIR_INPUT)
		return NULL;
	for (uint32_t i = 0; i < p->candidates.size; i++)
		if (&p->candidates.at[i] != reference && p->candidates.at[i].kind == PAIR_INPUT)
			return &p->candidates.at[i];
	return NULL;
}

struct hence_error *pair_record_input(struct pair *p, const struct input *input,
                                      struct pair_side *out)
{
	const struct pair_candidate candidate = {.kind = PAIR_INPUT, .input = input};
	struct hence_error *error = record(p, &candidate, 0, out);

	if (error || !out->pool)
		return error;
	error = finish(p, out);
	return error ? error : use(p, out);
}

struct hence_error *pair_record_passing(struct pair *p, uint32_t number, struct pair_side *out)
{
	if (number >= p->reduced.usable.size)
		return NULL;
	return pair_record_input(p, &p->failure.passing.at[p->reduced.usable.at[number].index],
	                         out);
}

struct hence_error *pair_record_other(struct pair *p, struct pair_side *out)
{
	const struct pair_candidate *other = other_input(p);
	struct hence_error *error = other ? record(p, other, 0, out) : NULL;

	if (error || !out->pool)
		return error;
	error = finish(p, out);
	return error ? error : use(p, out);
}
