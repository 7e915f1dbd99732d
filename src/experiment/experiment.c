/* Experiments: see experiment.h. The pool is one of trials, whose workers keep snapshots. */
#include "experiment/experiment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "base/mem.h"
#include "runtime/orders.h"
#include "trial/trial_pool.h"
#include "trial/worker_server.h"

/* ------ guard rails as the program has them; the layout is that of runtime/orders.h ------ */

struct rails_maker {
	const struct point_sites *sites;
	VEC(struct hence_rails_branch) branches;
	VEC(struct hence_rails_case) cases;
};

static void add_case(struct rails_maker *m, const struct site *site, uint32_t successor)
{
	uint64_t value;

	if (point_sites_value(m->sites, site, successor, &value))
		*vec_push(&m->cases) =
			(struct hence_rails_case){value, point_sites_way(m->sites, site, value)};
}

/* Does a bit above the type of what the branch goes by make no difference? */
static bool ignores(const struct rails_maker *m, const struct site *site, uint32_t first,
                    uint32_t bit)
{
	for (uint32_t i = first; i < m->cases.size; i++)
		if (point_sites_way(m->sites, site, m->cases.at[i].value ^ 1ull << bit) !=
		    m->cases.at[i].way)
			return false;
	return true;
}

static uint64_t mask_of(const struct rails_maker *m, const struct site *site, uint32_t first)
{
	for (uint32_t bits = 8; bits < 64; bits *= 2)
		if (ignores(m, site, first, bits))
			return (1ull << bits) - 1;
	return UINT64_MAX;
}

/* Rails as the program has them (struct hence_rails), appended to `out`. */
static void experiment_orders_rails(const struct point_sites *sites, const struct rail *rails,
                                    uint32_t count, struct str *out)
{
	struct rails_maker m = {.sites = sites};
	uint32_t places;
	const struct site_place *all = point_sites_all(sites, HENCE_SITE_BRANCH, &places);
	struct hence_rails head = {.rail_count = count, .branches = sizeof(head)};

	for (uint32_t i = 0; i < places; i++) {
		const struct site_place *place = &all[i];
		const struct site *site = &place->site;
		struct hence_rails_branch *branch = vec_push(&m.branches);
		uint64_t value;

		/* Each case has a successor of its own; the first successor is for the rest. */
		*branch = (struct hence_rails_branch){.address = place->address,
		                                      .number = point_sites_number(m.sites, site),
		                                      .first = m.cases.size};
		if (point_sites_value(m.sites, site, 0, &value))
			branch->way = point_sites_way(m.sites, site, value);
		for (uint32_t k = 1; point_sites_value(m.sites, site, k, &value); k++)
			add_case(&m, site, k);
		add_case(&m, site, 0);
		branch->count = m.cases.size - branch->first;
		branch->mask = mask_of(&m, site, branch->first);
	}
	head.branch_count = m.branches.size;
	head.cases = head.branches + m.branches.size * sizeof(*m.branches.at);
	head.rails = head.cases + m.cases.size * sizeof(*m.cases.at);
	head.size = head.rails + count * sizeof(struct hence_order_rail);
	str_add_bytes(out, &head, sizeof(head));
	if (places)
		str_add_bytes(out, m.branches.at, m.branches.size * sizeof(*m.branches.at));
	if (m.cases.size)
		str_add_bytes(out, m.cases.at, m.cases.size * sizeof(*m.cases.at));
	for (uint32_t i = 0; i < count; i++) {
		const struct rail *rail = &rails[i];
		bool branch = rail->kind == RAIL_FORCE || rail->kind == RAIL_EVALUATE;
		struct hence_order_rail to = {.kind = rail->kind,
		                              .branch = UINT32_MAX,
		                              .way = rail->way,
		                              .other = rail->other,
		                              .skip = rail->skip};

		if (branch)
			to.branch = point_sites_number(m.sites, &rail->site);
		str_add_bytes(out, &to, sizeof(to));
	}
	vec_deinit(&m.branches);
	vec_deinit(&m.cases);
}

/* ------ an experiment as bytes for a worker (trial/worker_server.h), and its answer ------ */

#define MOST_PLACES 64u /* of one site */

/* A site and a kind make a place. */
struct used {
	struct site site;
	enum hence_site_kind kind;
};

struct maker {
	const struct point_sites *sites;
	const struct experiment *experiment;
	struct str bytes;
	struct hence_orders head;
	VEC(struct used) used;
	VEC(struct hence_order_place) places;
	VEC(struct hence_order_stop) stops;
	VEC(struct hence_order_change) changes;
	VEC(struct hence_order_reading) readings;
	VEC(struct hence_order_reading) known;
	uint64_t first; /* address of the first stop's site */
};

/* --- bytes --- */

/* Appends room for something, aligned; gives its offset. */
static uint64_t put(struct maker *maker, const void *bytes, uint64_t size)
{
	static const char zeros[8];
	uint64_t offset;

	str_add_bytes(&maker->bytes, zeros, (8 - maker->bytes.length % 8) % 8);
	offset = maker->bytes.length;
	if (bytes) {
		str_add_bytes(&maker->bytes, size ? bytes : "", size);
		return offset;
	}
	for (; size >= 8; size -= 8)
		str_add_bytes(&maker->bytes, zeros, 8);
	str_add_bytes(&maker->bytes, zeros, size);
	return offset;
}

/* --- places --- */

static bool same_site(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

static struct hence_error *no_place(const struct site *site, enum hence_site_kind kind)
{
	static const char *const names[] = {"statement", "branch at the end of statement",
	                                    "result of statement"};

	return error_create(HENCE_ERROR_INPUT,
	                    "the %s %u of block %u, function %u, module %u is nowhere in the code "
	                    "of the program",
	                    names[kind], site->statement, site->block, site->function,
	                    site->module);
}

/* The number of a place, which is added if it is not there yet. */
static struct hence_error *place_of(struct maker *maker, const struct site *site,
                                    enum hence_site_kind kind, uint32_t *out)
{
	uint64_t addresses[MOST_PLACES];
	uint32_t count;

	for (uint32_t i = 0; i < maker->used.size; i++)
		if (maker->used.at[i].kind == kind && same_site(&maker->used.at[i].site, site)) {
			*out = i;
			return NULL;
		}
	count = point_sites_find(maker->sites, site, kind, addresses, MOST_PLACES);
	if (!count || count > MOST_PLACES)
		return no_place(site, kind);
	*out = maker->used.size;
	*vec_push(&maker->used) = (struct used){*site, kind};
	*vec_push(&maker->places) =
		(struct hence_order_place){put(maker, addresses, count * sizeof(*addresses)), count,
	                                   kind == HENCE_SITE_BRANCH};
	if (!*out)
		maker->first = addresses[0];
	return NULL;
}

/* --- stops --- */

static void add_change(struct maker *maker, const struct change *change)
{
	struct hence_order_change *to = vec_push(&maker->changes);

	*to = (struct hence_order_change){.kind = change->kind,
	                                  .object = change->object,
	                                  .target = change->target,
	                                  .address = change->address,
	                                  .size = change->size,
	                                  .addend = change->addend};
	if (change->kind == CHANGE_BYTES)
		to->bytes = put(maker, change->bytes, change->size);
	if (change->kind == CHANGE_BYTES && change->mask)
		to->mask = put(maker, change->mask, change->size);
}

/* The value that the branch at the end of a statement must go by. */
static struct hence_error *branch_value(struct maker *maker, const struct site *site,
                                        uint32_t outcome, uint64_t *out)
{
	if (point_sites_value(maker->sites, site, outcome, out))
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "the branch at the end of block %u, function %u, module %u cannot be "
	                    "made to go to its successor %u",
	                    site->block, site->function, site->module, outcome);
}

static struct hence_error *add_force(struct maker *maker, const struct stop *stop,
                                     struct hence_order_stop *to)
{
	enum hence_site_kind kind =
		stop->force == FORCE_RESULT ? HENCE_SITE_RESULT : HENCE_SITE_BRANCH;
	struct hence_error *error = NULL;

	if (stop->force == FORCE_NOTHING && !stop->tell_outcome)
		return NULL;
	if (stop->force != FORCE_NOTHING)
		to->force = stop->force == FORCE_SWITCHED ? HENCE_FORCE_OTHER : HENCE_FORCE_VALUE;
	to->tell = stop->tell_outcome;
	to->value = stop->value;
	to->same_stack = stop->force == FORCE_RESULT;
	if (stop->force == FORCE_BRANCH)
		error = branch_value(maker, &stop->site, stop->outcome, &to->value);
	return error ? error : place_of(maker, &stop->site, kind, &to->forced_place);
}

/* A branch is passed as often as the statement that it ends: calls end statements of their own. */
static struct hence_error *add_patch(struct maker *maker, const struct patch *patch)
{
	struct hence_orders *head = &maker->head;
	struct hence_error *error;

	if (!patch)
		return NULL;
	head->patch_count = patch->count;
	head->patch_time = patch->time;
	error = branch_value(maker, &patch->site, patch->outcome, &head->patch_value);
	return error ? error : place_of(maker, &patch->site, HENCE_SITE_BRANCH, &head->patch_place);
}

/* --- all --- */

#define PUT_LIST(maker, name, list)                                                                \
	((maker)->head.name =                                                                      \
	         put((maker), (maker)->list.at, (maker)->list.size * sizeof(*(maker)->list.at)))

static void finish(struct maker *maker)
{
	struct hence_orders *head = &maker->head;

	PUT_LIST(maker, places, places);
	PUT_LIST(maker, stops, stops);
	PUT_LIST(maker, changes, changes);
	PUT_LIST(maker, readings, readings);
	PUT_LIST(maker, known, known);
	head->place_count = maker->places.size;
	head->stop_count = maker->stops.size;
	head->change_count = maker->changes.size;
	head->reading_count = maker->readings.size;
	head->known_count = maker->known.size;
	head->size = maker->bytes.length;
	memcpy(maker->bytes.text, head, sizeof(*head));
}

static void maker_deinit(struct maker *maker)
{
	str_deinit(&maker->bytes);
	vec_deinit(&maker->used);
	vec_deinit(&maker->places);
	vec_deinit(&maker->stops);
	vec_deinit(&maker->changes);
	vec_deinit(&maker->readings);
	vec_deinit(&maker->known);
}

/* The message of an experiment, on a run that is patched so (NULL: it is not); `snapshot`: the program
   may be forked at its first stop. The error says what cannot be done: a site that is nowhere in the
   code, a branch that cannot go there. */
static struct hence_error *experiment_orders_make(const struct point_sites *sites,
                                                  const struct experiment *experiment,
                                                  const struct patch *patch, bool snapshot,
                                                  struct str *out)
{
	struct maker maker = {.sites = sites, .experiment = experiment};
	struct worker_point point = {.count = experiment->stops[0].count, .snapshot = snapshot};
	struct hence_error *error = NULL;

	put(&maker, NULL, sizeof(maker.head));
	for (uint32_t i = 0; i < experiment->stop_count && !error; i++) {
		const struct stop *stop = &experiment->stops[i];
		struct hence_order_stop to = {.count = stop->count,
		                              .change = maker.changes.size,
		                              .changes = stop->change_count,
		                              .reading = maker.readings.size,
		                              .readings = stop->reading_count};
		uint64_t size = 0;

		error = place_of(&maker, &stop->site, HENCE_SITE_STATEMENT, &to.place);
		if (!error)
			error = add_force(&maker, stop, &to);
		for (uint32_t k = 0; k < stop->change_count && !error; k++)
			add_change(&maker, &stop->changes[k]);
		for (uint32_t k = 0; k < stop->reading_count && !error; k++) {
			*vec_push(&maker.readings) =
				(struct hence_order_reading){.address = stop->readings[k].address,
			                                     .size = stop->readings[k].size,
			                                     .through = stop->readings[k].through,
			                                     .offset = stop->readings[k].offset};
			size += stop->readings[k].size;
		}
		to.bytes = put(&maker, NULL, size);
		*vec_push(&maker.stops) = to;
	}
	if (!error)
		error = add_patch(&maker, patch);
	for (uint32_t i = 0; i < maker.experiment->known_count; i++) {
		const struct known *known = &maker.experiment->known[i];

		*vec_push(&maker.known) = (struct hence_order_reading){
			.address = known->address,
			.size = known->size,
			.bytes = put(&maker, known->bytes, known->size)};
	}
	maker.head.ends = experiment->ends;
	maker.head.on_rails = experiment->on_rails;
	maker.head.rail = experiment->rail;
	finish(&maker);
	point.site = maker.first;
	if (!error) {
		str_add_bytes(out, &point, sizeof(point));
		str_add_bytes(out, maker.bytes.text, maker.bytes.length);
	}
	maker_deinit(&maker);
	return error;
}

/* Orders for a patched run that is recorded: no stops. */
static struct hence_error *experiment_orders_patch(const struct point_sites *sites,
                                                   const struct patch *patch, struct str *out)
{
	struct maker maker = {.sites = sites};
	struct hence_error *error;

	put(&maker, NULL, sizeof(maker.head));
	error = add_patch(&maker, patch);
	finish(&maker);
	if (!error)
		str_add_bytes(out, maker.bytes.text, maker.bytes.length);
	maker_deinit(&maker);
	return error;
}

/* --- answers --- */

/* Did the recorded run come to its branch? `answer` is what came back of these orders. */
static bool experiment_orders_patched(const struct str *answer)
{
	const struct hence_orders *head = (const void *)answer->text;

	return answer->length >= sizeof(*head) && head->patched == 1;
}

/* `asked` says where things are: the program may have written anything to what came back. */
static void read_stop(const char *asked, const char *came, const struct hence_order_stop *stop,
                      const struct hence_order_stop *answer, struct stopped *out)
{
	const struct hence_orders *head = (const void *)asked;
	const struct hence_order_reading *readings = (const void *)(asked + head->readings);
	uint64_t size = 0;

	for (uint32_t i = 0; i < stop->readings; i++)
		size += readings[stop->reading + i].size;
	*out = (struct stopped){.reached = answer->reached == 1,
	                        .stack = answer->stack,
	                        .printed = answer->printed,
	                        .has_outcome = stop->tell && answer->told == 1};
	if (out->reached && size)
		str_add_bytes(&out->bytes, came + stop->bytes, size);
}

/* How it went: `message` is what was made, `stops` are the sites of its stops, `answer` is what came back. Fills all but `run`. An error says
   that the code does not fit the recording. Caller frees the stops. */
static struct hence_error *experiment_orders_read(const struct point_sites *sites,
                                                  const struct str *message,
                                                  const struct site *places,
                                                  const struct str *answer,
                                                  struct experiment_result *out)
{
	const char *asked = message->text + sizeof(struct worker_point);
	const char *came = answer->text + sizeof(struct worker_answer);
	const struct hence_orders *head = (const void *)asked, *heard = (const void *)came;
	const struct hence_order_stop *stops = (const void *)(asked + head->stops);
	const struct hence_order_stop *answers = (const void *)(came + head->stops);

	if (answer->length != sizeof(struct worker_answer) + head->size)
		return error_create(HENCE_ERROR_INTERNAL, "a worker gave a damaged answer");
	/* Others may be in a library that this run did not load. */
	if (heard->missing == 1 && !answers[0].reached)
		return error_create(HENCE_ERROR_INPUT,
		                    "the code of the program is not what was recorded; was it "
		                    "built again? Start anew");
	out->off_rails = heard->off_rails == 1;
	out->unreadable = heard->unwritable == 1;
	for (uint32_t i = 0; i < head->stop_count; i++) {
		struct stopped *stopped = vec_push(&out->stops);

		read_stop(asked, came, &stops[i], &answers[i], stopped);
		if (stopped->has_outcome)
			stopped->outcome = point_sites_way(sites, &places[i], answers[i].outcome);
	}
	out->diverged = heard->diverged == 1 || (!out->stops.at[0].reached && !out->unreadable);
	return NULL;
}

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

struct hence_error *experiments_use(struct experiments *experiments, const struct recording *run)
{
	struct trials *trials;
	struct hence_error *error;

	assert(!experiments->run);
	experiments->run = run;
	trials = experiments->trials;
	error = share_rails(experiments);
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
	error = trials_open_slot(trials);
	if (!error)
		trials->made = true;
	return error;
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
