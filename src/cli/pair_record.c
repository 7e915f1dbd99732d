/* Records a failing run and its reference: see pair.h. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/pair.h"
#include "cli/record.h"

#define HANG_WORK                                                                                  \
	(16u << 20) /* more than ten times that of the reference, after which a run hangs */
#define HANG_TAPE (512u << 10) /* bytes at least that are recorded of a run that does not end */

/* `work`: after which a run is cut; 0: chosen. */
static struct hence_error *record(struct pair *p, const struct input *input, uint64_t work,
                                  struct pair_side *side)
{
	struct hence_control control;
	struct hence_error *error = session_control(&p->run.session, &control);

	if (error)
		return error;
	side->tape = control.tapes;
	side->result.test = -1;
	side->options.trials = p->failure.reduce.trials;
	side->options.trials.input = input;
	side->options.trials.test = NULL;
	side->options.trials.other = NULL;
	side->options.trials.work = work;
	side->options.trials.stop = pair_is_over;
	side->options.trials.context = p;
	error = experiments_create(&side->options, &side->pool);
	if (error || !side->pool)
		return error;
	return experiments_record(side->pool, p->run.session.path, &side->result);
}

static struct hence_error *use(struct pair *p, struct pair_side *side)
{
	const struct run_tape *tape = &p->run.recorded.at[side->tape];

	if (tape->tape->condition != TAPE_GOOD)
		return error_create(HENCE_ERROR_INPUT, "the tape of %s is lost",
		                    p->options->command[0]);
	side->recording = record_slice_run(&p->run, tape, p->modules, &side->death);
	return experiments_use(side->pool, &side->recording);
}

/* --- runs that differ --- */

/* Records the input once more and finds out where that run and the first one part. NULL: nobody knows.
   Caller frees. */
static char *part(struct pair *p, const struct pair_side *side)
{
	struct recording first = {.modules = p->modules,
	                          .folder = p->run.session.path,
	                          .tape = p->run.recorded.at[side->tape].tape->number,
	                          .table = p->run.table};
	struct recording second = first;
	struct pair_side again = {0};
	struct hence_error *error =
		record(p, side->options.trials.input, side->options.trials.work, &again);
	char *place = NULL;

	second.tape = again.tape;
	if (!error && again.pool)
		error = pair_part(&first, &second, &place);
	error_destroy(error);
	if (again.pool)
		experiments_destroy(again.pool);
	trial_result_deinit(&again.result);
	return place;
}

static int say_unstable(struct pair *p, const struct pair_side *side)
{
	bool failing = side == &p->failing;
	char *place = part(p, side);

	fprintf(stderr,
	        "hence: %s does not always do the same: with the %s it did not %s when it was "
	        "recorded%s%s; what it does must depend on its input only\n",
	        p->options->command[0], failing ? "failing input" : "input that passes",
	        failing ? "fail as before" : "pass", place ? "; two runs part at " : "",
	        place ? place : "");
	free(place);
	return CLI_NOT_PROVEN;
}

/* Is the recorded run as the one that was judged before? A user's test has not seen it. */
static bool is_stable(const struct pair *p, const struct pair_side *side, enum verdict verdict)
{
	if (p->options->test)
		return true;
	/* What the reference should put out nobody has said. */
	if (side == &p->reference && p->reduced.oracle.failure.kind == FAILURE_OUTPUT)
		return side->result.outcome.kind == OUTCOME_EXITED;
	return oracle_judge(&p->reduced.oracle, &side->result) == verdict;
}

/* --- the whole --- */

static bool is_hang(const struct pair *p)
{
	return p->reduced.oracle.failure.kind == FAILURE_HANG;
}

static void note_recordings(struct pair *p)
{
	const char *first = p->failing.pool ? experiments_note(p->failing.pool) : NULL;
	const char *second = p->reference.pool ? experiments_note(p->reference.pool) : NULL;
	uint32_t end = p->has_reference && p->reference.tape > p->failing.tape
	                       ? p->reference.tape
	                       : p->run.recorded.size;
	uint32_t processes = end - p->failing.tape;

	/* That the tape of a run without end was full is as we wanted it. */
	for (uint32_t i = 0; i < p->run.notes.size && !is_hang(p); i++)
		pair_note(p, mem_strdup(p->run.notes.at[i]));
	if (first)
		pair_note(p, mem_strdup(first));
	if (second)
		pair_note(p, mem_strdup(second));
	if (p->has_failing && processes > 1)
		pair_note(p, str_format("%u processes were recorded; only the first is explained",
		                        processes));
}

/* The session takes the signals that end a search: none may come before they are ours again. */
static struct hence_error *begin(struct pair *p)
{
	struct hence_error *error;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	error = run_begin(&p->run);
	search_catch_signals();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return error;
}

static struct hence_error *record_reference(struct pair *p)
{
	struct hence_error *error;

	if (!p->reduced.has_passing || pair_is_over(p))
		return NULL;
	error = record(p, &p->reduced.passing, 0, &p->reference);
	p->has_reference = !error && p->reference.pool;
	return error;
}

static struct hence_error *record_failing(struct pair *p, uint64_t work)
{
	struct hence_error *error = record(p, &p->reduced.failing, work, &p->failing);

	p->has_failing = !error && p->failing.pool;
	return error;
}

/* A run without end is cut when it has done far more than the reference; recorded is as much as that took,
   and then some: the loop that does not end is in it. */
static struct hence_error *record_hang(struct pair *p)
{
	struct hence_error *error = record_reference(p);
	uint64_t work = p->reference.result.work;

	if (!error)
		error = session_limit(&p->run.session, 2 * work + HANG_TAPE);
	return error ? error : record_failing(p, p->has_reference ? 10 * work + HANG_WORK : 0);
}

static struct hence_error *record_sides(struct pair *p)
{
	struct hence_error *error = begin(p);

	if (error)
		return error;
	if (is_hang(p))
		return record_hang(p);
	error = record_failing(p, 0);
	return error || !p->has_failing ? error : record_reference(p);
}

struct hence_error *pair_record(struct pair *p, int *code)
{
	struct hence_error *error = record_sides(p);
	const struct run_end ends[] = {{p->failing.tape, &p->failing.result.outcome},
	                               {p->reference.tape, &p->reference.result.outcome}};

	if (error || !p->has_failing)
		return error;
	error = run_finish(&p->run, ends, p->has_reference ? 2 : 1);
	if (error)
		return error;
	note_recordings(p);
	p->modules = modules_create();
	if (!is_stable(p, &p->failing, VERDICT_FAIL))
		*code = say_unstable(p, &p->failing);
	else if (p->has_reference && !is_stable(p, &p->reference, VERDICT_PASS))
		*code = say_unstable(p, &p->reference);
	if (*code)
		return NULL;
	error = use(p, &p->failing);
	if (!error && p->has_reference)
		error = use(p, &p->reference);
	return error;
}
