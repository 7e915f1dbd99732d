/* Experiments: see experiment.h. The pool is one of trials, whose workers keep snapshots. */
#include "experiment/experiment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "base/mem.h"
#include "experiment/experiment_orders.h"
#include "runtime/orders.h"
#include "trial/trial_pool.h"
#include "trial/worker_points.h"

/* An experiment under way. */
struct pending {
	uint64_t id;
	struct str message; /* that was sent */
	struct site *stops;
};

struct experiments {
	struct trials_options options;
	uint64_t memory;
	bool tests;
	const struct patch *patch; /* NULL: none */
	const struct recording *patch_from;
	struct trials *trials;
	const struct recording *run; /* NULL: not in use yet */
	struct point_sites *sites;   /* NULL: no experiment was made yet */
	struct hence_rails *rails;   /* shared with the workers; NULL: not yet */
	uint64_t last_fork;
	char *session; /* that was recorded into */
	VEC(struct pending) pending;
	struct experiments_counts counts;
};

void experiment_result_deinit(struct experiment_result *result)
{
	trial_result_deinit(&result->run);
	for (uint32_t i = 0; i < result->stops.size; i++)
		str_deinit(&result->stops.at[i].bytes);
	vec_deinit(&result->stops);
}

/* --- the pool --- */

struct hence_error *experiments_create(const struct experiments_options *options,
                                       struct experiments **out)
{
	struct experiments *experiments = mem_alloc(sizeof(*experiments));
	struct trial_result first = {0};
	struct hence_error *error;

	experiments->options = options->trials;
	if (!options->tests)
		experiments->options.test = NULL;
	experiments->options.other = NULL;
	experiments->options.plain = true;
	experiments->tests = options->tests;
	experiments->memory = options->memory;
	experiments->patch = options->patch;
	experiments->patch_from = options->patch_from;
	error = trials_make(&experiments->options, &experiments->trials, &first);
	if (!error && experiments->trials && !experiments->trials->counted)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s was not built with hence cc; rebuild with CC=hence-cc, or "
		                     "use 'hence build -- make'",
		                     options->trials.name);
	trial_result_deinit(&first);
	if (error || !experiments->trials) {
		experiments_destroy(experiments);
		experiments = NULL;
	}
	if (!error)
		*out = experiments;
	return error;
}

static void forget(struct experiments *experiments, uint32_t i)
{
	str_deinit(&experiments->pending.at[i].message);
	free(experiments->pending.at[i].stops);
	experiments->pending.at[i] = experiments->pending.at[--experiments->pending.size];
}

void experiments_destroy(struct experiments *experiments)
{
	if (!experiments)
		return;
	trials_destroy(experiments->trials);
	if (experiments->rails)
		munmap(experiments->rails, HENCE_RAILS_ROOM);
	point_sites_destroy(experiments->sites);
	while (experiments->pending.size)
		forget(experiments, 0);
	vec_deinit(&experiments->pending);
	free(experiments->session);
	free(experiments);
}

/* What the program is told when the run is patched. */
static struct hence_error *order_patch(struct experiments *experiments, struct str *out)
{
	struct point_sites *sites;
	struct hence_error *error;

	if (!experiments->patch)
		return NULL;
	error = point_sites_create(experiments->patch_from, &sites);
	if (error)
		return error;
	error = experiment_orders_patch(sites, experiments->patch, out);
	point_sites_destroy(sites);
	return error;
}

static struct hence_error *run_recorded(struct experiments *experiments, struct trial_result *out)
{
	struct trials *trials = experiments->trials;
	struct trial_result result;
	struct str answer = STR_INIT;
	uint64_t id;
	struct hence_error *error = trials_open_slot(trials);

	if (!error)
		error = trials_start(trials, experiments->options.input, 0);
	if (!error)
		error = trials_take(trials, &id, &result, &answer);
	if (error)
		return error;
	if (experiments->patch && !experiment_orders_patched(&answer)) {
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s did not come to the branch that it was to take another "
		                     "way; what it does must depend on its input only",
		                     experiments->options.name);
		trial_result_deinit(&result);
	} else {
		*out = result;
	}
	str_deinit(&answer);
	return error;
}

struct hence_error *experiments_record(struct experiments *experiments, const char *session,
                                       struct trial_result *out)
{
	struct trials *trials = experiments->trials;
	struct str orders = STR_INIT;
	uint64_t memory = trials->memory;
	struct hence_error *error;

	assert(!experiments->session && !experiments->run);
	experiments->session = mem_strdup(session);
	trials->kind = WORKER_RECORDS;
	trials->session = experiments->session;
	trials->memory = 0;
	error = order_patch(experiments, &orders);
	trials->orders = experiments->patch ? &orders : NULL;
	if (!error)
		error = run_recorded(experiments, out);
	trials->orders = NULL;
	trials->memory = memory;
	str_deinit(&orders);
	return error;
}

/* What all snapshots of one worker may take. */
static uint64_t choose_budget(const struct experiments *experiments)
{
	uint64_t all = experiments->memory;
	struct sysinfo info;

	if (!all && !sysinfo(&info))
		all = ((uint64_t)info.freeram + info.bufferram) * info.mem_unit / 4;
	return all / experiments->trials->count;
}

/* Memory that workers have as well, once they are started. */
static struct hence_error *share_rails(struct experiments *experiments)
{
	void *shared = mmap(NULL, HENCE_RAILS_ROOM, PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (shared == MAP_FAILED)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make shared memory");
	experiments->rails = shared;
	experiments->trials->rails = shared;
	return NULL;
}

static struct hence_error *open_workers(struct experiments *experiments,
                                        const struct recording *run)
{
	struct trials *trials = experiments->trials;
	struct hence_error *error = share_rails(experiments);

	if (error)
		return error;
	if (!experiments->session && !experiments->tests)
		experiments->session = mem_strdup(run->folder);
	trials->kind = experiments->tests ? WORKER_TESTS : WORKER_EXPERIMENTS;
	trials->session = experiments->session;
	trials->tape = run->tape;
	trials->budget = choose_budget(experiments);
	/* The first worker gets the directory that the recorded run had: libraries may be loaded from
	   there, and who reads the tape looks for them. */
	trials_close_slots(trials);
	trials->next -= trials->next > 0;
	if (trials->memory)
		trials->memory += HENCE_ORDERS_ROOM + (uint64_t)HENCE_RAILS_ROOM;
	while (!error && trials->slots.size < trials->count)
		error = trials_open_slot(trials);
	if (!error)
		trials->made = true;
	return error;
}

struct hence_error *experiments_use(struct experiments *experiments, const struct recording *run)
{
	assert(!experiments->run);
	experiments->run = run;
	return open_workers(experiments, run);
}

/* Walks over the run, which takes seconds for long ones: not before there is an experiment. */
static struct hence_error *find_sites(struct experiments *experiments)
{
	struct hence_error *error;

	if (experiments->sites)
		return NULL;
	error = points_last_fork(experiments->run, &experiments->last_fork);
	return error ? error : point_sites_create(experiments->run, &experiments->sites);
}

struct hence_error *experiments_set_rails(struct experiments *experiments, const struct rail *rails,
                                          uint32_t count)
{
	uint64_t serial = experiments->rails->serial + 1;
	struct hence_error *error = find_sites(experiments);
	struct str bytes = STR_INIT;

	assert(!experiments->pending.size);
	if (error)
		return error;
	experiment_orders_rails(experiments->sites, rails, count, &bytes);
	if (bytes.length > HENCE_RAILS_ROOM) {
		error = error_create(HENCE_ERROR_INPUT,
		                     "the run has too many branches to be guided: %u, which take "
		                     "%zu MB; there is room for %u MB. Look at a shorter run",
		                     count, bytes.length >> 20, HENCE_RAILS_ROOM >> 20);
	} else {
		memcpy(experiments->rails, bytes.text, bytes.length);
		experiments->rails->serial = serial;
	}
	str_deinit(&bytes);
	return error;
}

/* --- experiments --- */

bool experiments_ready(const struct experiments *experiments)
{
	return trials_ready(experiments->trials);
}

static struct hence_error *make_orders(struct experiments *experiments,
                                       const struct experiment *experiment, struct str *out)
{
	const struct stop *stop = &experiment->stops[0];
	const struct patch patch = {stop->site, stop->count, experiment->time, stop->outcome};
	struct hence_error *error = find_sites(experiments);

	if (error)
		return error;
	if (!experiments->tests)
		return experiment_orders_make(
			experiments->sites, experiment, experiments->patch,
			!experiment->once && experiment->time <= experiments->last_fork, out);
	assert(experiment->stop_count == 1 && stop->force == FORCE_BRANCH);
	return experiment_orders_patch(experiments->sites, &patch, out);
}

struct hence_error *experiments_start(struct experiments *experiments,
                                      const struct experiment *experiment, uint64_t id)
{
	struct pending pending = {.id = id};
	struct hence_error *error = make_orders(experiments, experiment, &pending.message);

	if (!error)
		error = trials_give(experiments->trials, &pending.message, id);
	if (error) {
		str_deinit(&pending.message);
		return error;
	}
	pending.stops = mem_alloc(experiment->stop_count * sizeof(*pending.stops));
	for (uint32_t i = 0; i < experiment->stop_count; i++)
		pending.stops[i] = experiment->stops[i].site;
	*vec_push(&experiments->pending) = pending;
	experiments->counts.experiments++;
	return NULL;
}

static uint32_t find(const struct experiments *experiments, uint64_t id)
{
	for (uint32_t i = 0; i < experiments->pending.size; i++)
		if (experiments->pending.at[i].id == id)
			return i;
	assert(!"no such experiment is under way");
	return 0;
}

static void count(struct experiments *experiments, const struct str *answer)
{
	struct worker_answer how = {0};

	if (answer->length >= sizeof(how))
		memcpy(&how, answer->text, sizeof(how));
	experiments->counts.snapshots += how.snapshots;
	experiments->counts.executed += !how.forked;
}

struct hence_error *experiments_wait(struct experiments *experiments, uint64_t *id,
                                     struct experiment_result *out)
{
	struct experiment_result result = {.off_rails = false};
	struct str answer = STR_INIT;
	struct hence_error *error;
	uint64_t got = 0;
	uint32_t i;

	error = trials_take(experiments->trials, &got, &result.run, &answer);
	if (error)
		return error;
	i = find(experiments, got);
	if (experiments->tests) {
		result.diverged = !experiment_orders_patched(&answer);
	} else {
		error = experiment_orders_read(experiments->sites,
		                               &experiments->pending.at[i].message,
		                               experiments->pending.at[i].stops, &answer, &result);
		count(experiments, &answer);
	}
	forget(experiments, i);
	str_deinit(&answer);
	/* Who was too slow to get there has not gone another way. */
	result.diverged &= result.run.outcome.kind != OUTCOME_TIMED_OUT;
	if (error) {
		experiment_result_deinit(&result);
		return error;
	}
	*id = got;
	*out = result;
	return NULL;
}

struct hence_error *experiments_poll(struct experiments *experiments, double seconds, bool *ended)
{
	return trials_poll(experiments->trials, seconds, ended);
}

void experiments_cancel(struct experiments *experiments, uint64_t id)
{
	trials_cancel(experiments->trials, id);
	forget(experiments, find(experiments, id));
}

struct hence_error *experiments_run(struct experiments *experiments,
                                    const struct experiment *experiment,
                                    struct experiment_result *out)
{
	struct hence_error *error = experiments_start(experiments, experiment, 0);
	uint64_t id;

	return error ? error : experiments_wait(experiments, &id, out);
}

bool experiments_copied(const struct experiments *experiments)
{
	return experiments->trials->origin;
}

const char *experiments_note(const struct experiments *experiments)
{
	return trials_note(experiments->trials);
}

struct experiments_counts experiments_counts(const struct experiments *experiments)
{
	return experiments->counts;
}
