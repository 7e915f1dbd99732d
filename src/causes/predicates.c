/* Critical predicates: see predicates.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "causes/criterion.h"
#include "causes/predicates_work.h"

#define PULSE 0.2 /* seconds between two questions whether to stop */

/* A way that was tried and made the run pass. */
struct found {
	uint32_t way; /* index */
	bool exact, early, check;
};

struct finder {
	struct experiments *pool;
	struct experiments *tests; /* where the user's test judges; NULL: there is none */
	const struct recording *run;
	const struct trial_result *result;
	const struct oracle *oracle;
	const struct predicates_options *options;
	struct branches branches;
	VEC(uint32_t) above;  /* of a failed check: the instances that it hangs on, inwards first */
	uint32_t check;       /* the branch among these; 0: none */
	VEC(uint32_t) flying; /* ways under way */
	VEC(struct found) found;
	uint32_t good; /* of them neither early nor the check */
	uint32_t next; /* the way that is tried next */
	uint64_t ended, diverged;
	struct predicates *out;
};

static bool is_over(void *context)
{
	const struct finder *f = context;

	return f->options->stop && f->options->stop(f->options->context);
}

static void say(const struct finder *f, const char *phase)
{
	if (f->options->progress)
		f->options->progress(f->options->context, f->ended, phase);
}

/* --- the slice --- */

/* Where the wrong output begins; its length: something is missing. */
static uint64_t wrong_byte(const struct finder *f)
{
	const struct failure *failure = &f->oracle->failure;
	uint64_t length = f->result->output.length, at = length;

	if (failure->kind == FAILURE_OUTPUT && !failure->missing)
		at = oracle_wrong_byte(f->oracle, f->result);
	return at < length ? at : length;
}

static struct hence_error *find_criterion(const struct finder *f, struct criterion *out)
{
	struct hence_error *error = NULL;

	if (f->oracle->failure.kind != FAILURE_OUTPUT)
		error = criterion_of_failure(f->run, &f->result->outcome, 0, out);
	if (error || out->kind != CRITERION_NONE)
		return error;
	criterion_deinit(out);
	*out = (struct criterion){0};
	return criterion_of_wrong_output(f->run, &f->result->output, wrong_byte(f), 0, out);
}

/* Follows a failed check up through calls; edges come from the last instance to the first. */
static void on_edge(void *context, const struct slice_edge *edge)
{
	struct finder *f = context;

	if (edge->control && f->above.size && f->above.at[f->above.size - 1] == edge->to)
		*vec_push(&f->above) = edge->from;
}

/* The innermost branch that the call of abort() hangs on. Both lists are in order. */
static void find_check(struct finder *f)
{
	uint32_t i = f->branches.instances.size, k = 1;

	while (i && k < f->above.size && !f->check) {
		uint32_t instance = f->branches.instances.at[i - 1].instance;

		if (instance == f->above.at[k])
			f->check = instance;
		else if (instance > f->above.at[k])
			i--;
		else
			k++;
	}
}

static struct hence_error *find_branches(struct finder *f)
{
	struct slice_options options = {.relevant = true, .stop = is_over, .context = f};
	struct criterion criterion = {0};
	struct slice slice = {0};
	uint64_t wrong = wrong_byte(f);
	struct hence_error *error;

	say(f, "the slice of the failure");
	error = find_criterion(f, &criterion);
	if (!error && criterion.at.size &&
	    (criterion.kind == CRITERION_ABORT || criterion.kind == CRITERION_ASSERT)) {
		*vec_push(&f->above) = criterion.at.at[0].instance;
		options.edge = on_edge;
	}
	if (!error)
		error = slice_backward(f->run, criterion.at.at, criterion.at.size, &options,
		                       &slice);
	if (!error)
		error = branches_find(f->run, slice.instances,
		                      wrong < f->result->output.length ? wrong : UINT64_MAX,
		                      f->options, &f->branches);
	if (!error)
		find_check(f);
	if (slice.instances)
		slice_deinit(&slice);
	criterion_deinit(&criterion);
	return error;
}

/* --- a run --- */

static const struct branch_instance *instance_of(const struct finder *f, uint32_t way)
{
	return &f->branches.instances.at[f->branches.ways.at[way].instance];
}

static struct hence_error *start(struct finder *f, uint32_t way)
{
	const struct branch_instance *instance = instance_of(f, way);
	const struct stop stop = {.site = f->branches.all.at[instance->branch].site,
	                          .count = instance->count,
	                          .force = FORCE_BRANCH,
	                          .outcome = f->branches.ways.at[way].successor};
	const struct experiment experiment = {
		.time = instance->time, .stops = &stop, .stop_count = 1, .once = true};
	struct hence_error *error =
		experiments_start(f->tests ? f->tests : f->pool, &experiment, way);

	if (!error)
		*vec_push(&f->flying) = way;
	return error;
}

/* Has the run given up before it put out what the failing one did? */
static bool is_early(const struct finder *f, const struct str *output)
{
	const struct str *before = &f->result->output;

	if (f->oracle->failure.kind != FAILURE_CRASH && f->oracle->failure.kind != FAILURE_ASSERT)
		return false;
	return output->length < f->branches.printed || output->length < before->length ||
	       memcmp(str_text(output), str_text(before), before->length);
}

/* The oracle only knows which line is wrong, since it judges other inputs, too: a right output may have that
   line elsewhere. */
static bool is_right(const struct finder *f, const struct trial_result *run)
{
	const struct failure *failure = &f->oracle->failure;
	int status = failure->kind == FAILURE_OUTPUT ? failure->outcome.status : 0;

	return run->outcome.kind == OUTCOME_EXITED &&
	       (!run->outcome.status || run->outcome.status == status) &&
	       oracle_is_expected(f->oracle, &run->output);
}

static bool is_good(const struct found *found)
{
	return !found->early && !found->check;
}

static void judge(struct finder *f, uint32_t way, const struct trial_result *run)
{
	const struct oracle_options *oracle = f->oracle->options;
	struct found found = {.way = way, .exact = oracle->expected && is_right(f, run)};

	if (oracle->expected ? !found.exact : oracle_judge(f->oracle, run) != VERDICT_PASS)
		return;
	if (!oracle->expected && !oracle->test) {
		found.early = is_early(f, &run->output);
		found.check = f->check && instance_of(f, way)->instance == f->check;
	}
	f->good += is_good(&found);
	*vec_push(&f->found) = found;
}

/* --- all runs --- */

static struct hence_error *take(struct finder *f)
{
	struct experiments *pool = f->tests ? f->tests : f->pool;
	struct experiment_result result;
	uint64_t way;
	struct hence_error *error = experiments_wait(pool, &way, &result);

	if (error)
		return error;
	for (uint32_t i = 0; i < f->flying.size; i++)
		if (f->flying.at[i] == way) {
			f->flying.at[i] = f->flying.at[--f->flying.size];
			break;
		}
	f->ended++;
	f->diverged += result.diverged;
	if (!result.diverged)
		judge(f, (uint32_t)way, &result.run);
	experiment_result_deinit(&result);
	return NULL;
}

static bool has_enough(const struct finder *f)
{
	return f->options->most && f->good >= f->options->most;
}

static struct hence_error *try_all(struct finder *f)
{
	struct experiments *pool = f->tests ? f->tests : f->pool;
	struct hence_error *error = NULL;
	bool ended;

	while (!error && !f->out->stopped) {
		while (!error && f->next < f->branches.ways.size && !has_enough(f) &&
		       experiments_ready(pool))
			error = start(f, f->next++);
		if (error || !f->flying.size)
			break;
		say(f, "branches");
		error = experiments_poll(pool, PULSE, &ended);
		if (!error && ended)
			error = take(f);
		f->out->stopped = is_over(f);
	}
	while (f->flying.size)
		experiments_cancel(pool, f->flying.at[--f->flying.size]);
	return error;
}

/* --- the result --- */

static int by_way(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->way < y->way ? -1 : x->way > y->way;
}

static void add(struct finder *f, const struct found *found)
{
	const struct branch_instance *instance = instance_of(f, found->way);
	const struct branch *branch = &f->branches.all.at[instance->branch];

	*vec_push(&f->out->all) =
		(struct predicate){.patch = {.site = branch->site,
	                                     .count = instance->count,
	                                     .time = instance->time,
	                                     .outcome = f->branches.ways.at[found->way].successor},
	                           .time = instance->time,
	                           .experiment = found->way + 1,
	                           .instance = instance->count,
	                           .instances = branch->instances,
	                           .in_slice = instance->in_slice,
	                           .exact = found->exact,
	                           .early = found->early,
	                           .check = found->check};
}

/* Those that were found by the time when there were enough: ways that were under way then do not count, so
   that the number of workers does not matter. */
static void keep(struct finder *f)
{
	uint32_t count = 0, good = 0;

	if (f->found.size)
		qsort(f->found.at, f->found.size, sizeof(*f->found.at), by_way);
	while (count < f->found.size && (!f->options->most || good < f->options->most))
		good += is_good(&f->found.at[count++]);
	f->out->experiments = f->ended;
	if (has_enough(f))
		f->out->experiments = f->found.at[count - 1].way + 1;
	for (int last = 0; last < 2; last++)
		for (uint32_t i = 0; i < count; i++)
			if (is_good(&f->found.at[i]) != last)
				add(f, &f->found.at[i]);
}

static void note(struct finder *f)
{
	f->out->branches = f->branches.instances.size;
	f->out->ways = f->branches.ways.size;
	if (f->branches.cut)
		*vec_push(&f->out->notes) = str_format(
			"the run has more branches than can be kept: only the %s are tried",
			f->options->order == PREDICATES_FIRST ? "first" : "last");
	if (f->diverged)
		*vec_push(&f->out->notes) = str_format(
			"%llu of %llu runs did not come to the branch that was to be "
			"switched; %s",
			(unsigned long long)f->diverged, (unsigned long long)f->ended,
			f->tests ? "the test must run the program as it is given it, "
				   "with its open files"
				 : "what the program does must depend on its input only");
}

/* --- the whole --- */

static struct hence_error *open_tests(struct finder *f, struct experiments_options *options)
{
	struct hence_error *error;

	if (!f->oracle->options->test)
		return NULL;
	if (!f->options->trials)
		return error_create(HENCE_ERROR_INTERNAL, "nobody said how to run the test");
	options->trials = *f->options->trials;
	options->tests = true;
	options->trials.stop = f->options->stop;
	options->trials.context = f->options->context;
	error = experiments_create(options, &f->tests);
	if (!error && f->tests)
		error = experiments_use(f->tests, f->run);
	f->out->stopped = !f->tests;
	return error;
}

struct hence_error *predicates_find(struct experiments *pool, const struct recording *run,
                                    const struct trial_result *result, const struct oracle *oracle,
                                    const struct predicates_options *options,
                                    struct predicates *out)
{
	struct predicates found = {0};
	struct experiments_options tests = {0};
	struct finder f = {.pool = pool,
	                   .run = run,
	                   .result = result,
	                   .oracle = oracle,
	                   .options = options,
	                   .out = &found};
	struct hence_error *error = open_tests(&f, &tests);

	if (!error && !found.stopped)
		error = find_branches(&f);
	if (!error && !found.stopped)
		error = try_all(&f);
	if (!error) {
		keep(&f);
		note(&f);
		error = predicates_describe(run, &found);
	}
	experiments_destroy(f.tests);
	branches_deinit(&f.branches);
	vec_deinit(&f.above);
	vec_deinit(&f.flying);
	vec_deinit(&f.found);
	if (error)
		predicates_deinit(&found);
	else
		*out = found;
	return error;
}

void predicates_deinit(struct predicates *predicates)
{
	for (uint32_t i = 0; i < predicates->all.size; i++) {
		struct predicate *p = &predicates->all.at[i];

		free(p->file);
		free(p->function);
		free(p->condition);
		free(p->failing);
		free(p->patched);
	}
	vec_deinit(&predicates->all);
	for (uint32_t i = 0; i < predicates->notes.size; i++)
		free(predicates->notes.at[i]);
	vec_deinit(&predicates->notes);
}
