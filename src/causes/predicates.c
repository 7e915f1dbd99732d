/* Critical predicates: see predicates.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "causes/attempts.h"
#include "causes/criterion.h"
#include "causes/predicates_work.h"

/* A way that was tried and made the run pass. */
struct found {
	uint32_t way; /* index */
	bool exact, early, check;
};

struct finder {
	const struct recording *run;
	const struct trial_result *result;
	const struct oracle *oracle;
	const struct predicates_options *options;
	struct branches branches;
	VEC(uint32_t) above; /* of a failed check: the instances that it hangs on, inwards first */
	uint32_t check;      /* the branch among these; 0: none */
	struct attempts attempts; /* a way each */
	struct stop force;
	VEC(struct found) found;
	uint32_t good; /* of them neither early nor the check */
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
		f->options->progress(f->options->context, f->attempts.done, phase);
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

	say(f, "slicing the failing run");
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

/* --- the runs --- */

static const struct branch_instance *instance_of(const struct finder *f, uint64_t way)
{
	return &f->branches.instances.at[f->branches.ways.at[way].instance];
}

static bool is_good(const struct found *found)
{
	return !found->early && !found->check;
}

static bool has_enough(const struct finder *f)
{
	return f->options->most && f->good >= f->options->most;
}

static bool next_way(void *context, uint64_t way, struct experiment *out)
{
	struct finder *f = context;
	const struct branch_instance *instance;

	if (way == f->branches.ways.size || has_enough(f))
		return false;
	instance = instance_of(f, way);
	f->force = (struct stop){.site = f->branches.all.at[instance->branch].site,
	                         .count = instance->count,
	                         .force = FORCE_BRANCH,
	                         .outcome = f->branches.ways.at[way].successor};
	*out = (struct experiment){
		.time = instance->time, .stops = &f->force, .stop_count = 1, .once = true};
	return true;
}

static void on_end(void *context, uint64_t way, const struct attempt_end *end)
{
	struct finder *f = context;
	const struct oracle_options *oracle = f->oracle->options;
	struct found found = {.way = (uint32_t)way, .exact = end->exact, .early = end->early};

	if (end->verdict != VERDICT_PASS)
		return;
	if (!oracle->expected && !oracle->test)
		found.check = f->check && instance_of(f, way)->instance == f->check;
	f->good += is_good(&found);
	*vec_push(&f->found) = found;
}

static void tell(void *context)
{
	say(context, "turning branches round");
}

static struct hence_error *try_all(struct finder *f)
{
	f->attempts.printed = f->branches.printed;
	return attempts_run(&f->attempts);
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
	f->out->experiments = f->attempts.done;
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
	if (f->attempts.diverged)
		*vec_push(&f->out->notes) = str_format(
			"%llu of %llu runs did not come to the branch that was to be "
			"switched; %s",
			(unsigned long long)f->attempts.diverged,
			(unsigned long long)f->attempts.done,
			f->attempts.tests ? "the test must run the program as it is given it, "
					    "with its open files"
					  : "what the program does must depend on its input only");
}

/* --- the whole --- */

struct hence_error *predicates_find(struct experiments *pool, const struct recording *run,
                                    const struct trial_result *result, const struct oracle *oracle,
                                    const struct predicates_options *options,
                                    struct predicates *out)
{
	struct predicates found = {0};
	struct finder f = {.run = run,
	                   .result = result,
	                   .oracle = oracle,
	                   .options = options,
	                   .attempts = {.pool = pool,
	                                .run = run,
	                                .result = result,
	                                .oracle = oracle,
	                                .trials = options->trials,
	                                .next = next_way,
	                                .ended = on_end,
	                                .tell = tell,
	                                .stop = is_over,
	                                .context = &f},
	                   .out = &found};
	struct hence_error *error = attempts_open(&f.attempts);

	if (!error && !f.attempts.stopped)
		error = find_branches(&f);
	if (!error && !f.attempts.stopped)
		error = try_all(&f);
	found.stopped = f.attempts.stopped;
	if (!error) {
		keep(&f);
		note(&f);
		error = predicates_describe(run, &found);
	}
	attempts_close(&f.attempts);
	branches_deinit(&f.branches);
	vec_deinit(&f.above);
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
