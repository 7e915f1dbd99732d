/* Attempts to mend a failing run: see attempts.h. */
#include "methods/attempts.h"

#include <assert.h>
#include <string.h>

#include "trace/history.h"

#define PULSE 0.2 /* seconds between two questions whether to stop */

/* --- the judge --- */

/* Has the run given up before it printed what the failing one did? */
static bool is_early(const struct attempts *a, const struct str *output)
{
	const struct str *before = &a->pair->runs[true].result->output;
	enum failure_kind kind = a->pair->oracle->failure.kind;

	if (kind != FAILURE_CRASH && kind != FAILURE_ASSERT)
		return false;
	return output->length < a->printed || output->length < before->length ||
	       memcmp(str_text(output), str_text(before), before->length);
}

/* The oracle only knows which line is wrong, since it judges other inputs, too: a right output may
   have that line elsewhere. */
static bool is_right(const struct attempts *a, const struct trial_result *run)
{
	return oracle_exits_well(a->pair->oracle, &run->outcome) &&
	       oracle_is_expected(a->pair->oracle, &run->output);
}

static struct attempt_end judge(const struct attempts *a, const struct trial_result *run)
{
	const struct oracle_options *options = a->pair->oracle->options;
	struct attempt_end end = {.verdict = oracle_judge(a->pair->oracle, run)};

	if (options->expected) {
		end.exact = is_right(a, run);
		if (end.exact)
			end.verdict = VERDICT_PASS;
		else if (end.verdict == VERDICT_PASS)
			end.verdict = VERDICT_UNRESOLVED;
	} else if (!options->test) {
		end.early = is_early(a, &run->output);
	}
	return end;
}

/* --- the runs --- */

static struct experiments *pool_of(const struct attempts *a)
{
	return a->tests ? a->tests : a->pair->pools[true];
}

static struct hence_error *start(struct attempts *a, bool *more)
{
	struct experiment experiment;
	struct hence_error *error;

	*more = a->next(a->context, a->begun, &experiment);
	if (!*more)
		return NULL;
	error = experiments_start(pool_of(a), &experiment, a->begun);
	if (!error)
		*vec_push(&a->flying) = a->begun++;
	return error;
}

static void land(struct attempts *a, uint64_t id)
{
	for (uint32_t i = 0; i < a->flying.size; i++)
		if (a->flying.at[i] == id) {
			a->flying.at[i] = a->flying.at[--a->flying.size];
			break;
		}
}

static struct hence_error *take(struct attempts *a)
{
	struct experiment_result result;
	struct attempt_end end;
	uint64_t id;
	struct hence_error *error = experiments_wait(pool_of(a), &id, &result);

	if (error)
		return error;
	land(a, id);
	a->done++;
	a->diverged += result.diverged;
	if (!result.diverged && !result.unreadable) {
		end = judge(a, &result.run);
		end.reached = result.stops.size && result.stops.at[result.stops.size - 1].reached;
		a->ended(a->context, id, &end);
	}
	experiment_result_deinit(&result);
	return NULL;
}

struct hence_error *attempts_run(struct attempts *a)
{
	struct hence_error *error = NULL;
	bool ended, more = true;

	if (a->pair->oracle->judge_patched) {
		/* Sequentially, since each run is recorded and decoded. */
		struct experiment experiment;

		while (!error && !a->stopped && a->next(a->context, a->begun, &experiment)) {
			const struct stop *stop = experiment.stops;
			const struct patch patch = {.site = stop->site,
			                            .count = stop->count,
			                            .time = experiment.time,
			                            .outcome = stop->outcome};
			struct attempt_end end = {.verdict = VERDICT_UNRESOLVED, .reached = true};

			assert(stop->force == FORCE_BRANCH && !stop->change_count);
			error = a->pair->oracle->judge_patched(a->pair->oracle->context, &patch,
			                                       &end.verdict, &end.early);
			if (!error)
				a->ended(a->context, a->begun, &end);
			a->begun++;
			a->done++;
			if (a->tell)
				a->tell(a->context);
			a->stopped = budget_is_over(a->pair->budget);
		}
		return error;
	}

	while (!error && !a->stopped) {
		while (!error && more && experiments_ready(pool_of(a)))
			error = start(a, &more);
		if (error || !a->flying.size)
			break;
		if (a->tell)
			a->tell(a->context);
		error = experiments_poll(pool_of(a), PULSE, &ended);
		if (!error && ended)
			error = take(a);
		a->stopped = budget_is_over(a->pair->budget);
	}
	while (a->flying.size)
		experiments_cancel(pool_of(a), a->flying.at[--a->flying.size]);
	return error;
}

/* Does neither the expected output nor the user's test judge? */
static bool end_judges(const struct attempts *a)
{
	return !a->pair->oracle->options->expected && !a->pair->oracle->options->test;
}

bool attempts_have_check(const struct attempts *a, enum explanation_kind failure)
{
	return end_judges(a) && (failure == EXPLANATION_ASSERT || failure == EXPLANATION_ABORT);
}

struct hence_error *attempts_find_printed(struct attempts *a)
{
	const struct recording *run = a->pair->runs[true].recording;
	const struct execution_options options = {.table = run->table, .outputs = true};
	const struct outputs_stream *printed;
	struct execution *whole, *e;
	struct hence_error *error;

	if (!end_judges(a))
		return NULL;
	error = history_whole(run, &whole);
	e = whole;
	if (!error && !whole) {
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
		if (!error)
			error = execution_run(e, run->death);
	}
	if (error)
		return error;
	printed = outputs_stream(execution_outputs(e), 1);
	a->printed = printed ? printed->size : 0;
	if (!whole)
		execution_destroy(e);
	return error;
}

/* --- the user's test --- */

struct hence_error *attempts_open(struct attempts *a)
{
	struct experiments_options *options = &a->tests_options;
	struct hence_error *error;

	if (!a->pair->oracle->options->test)
		return NULL;
	if (!a->pair->trials)
		return error_create(HENCE_ERROR_INTERNAL, "nobody said how to run the test");
	options->trials = *a->pair->trials;
	options->tests = true;
	options->trials.stop = budget_stops;
	options->trials.context = (void *)a->pair->budget;
	error = experiments_create(options, &a->tests);
	if (!error && a->tests)
		error = experiments_use(a->tests, a->pair->runs[true].recording);
	a->stopped = !a->tests;
	return error;
}

void attempts_close(struct attempts *a)
{
	experiments_destroy(a->tests);
	vec_deinit(&a->flying);
}
