/* An experiment as bytes for a worker: see experiment_orders.h. The layout is that of
   runtime/orders.h. */
#include "experiment/experiment_orders.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "runtime/orders.h"
#include "trial/worker_points.h"

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

static struct hence_error *add_stop(struct maker *maker, const struct stop *stop)
{
	struct hence_order_stop to = {.count = stop->count,
	                              .change = maker->changes.size,
	                              .changes = stop->change_count,
	                              .reading = maker->readings.size,
	                              .readings = stop->reading_count};
	struct hence_error *error = place_of(maker, &stop->site, HENCE_SITE_STATEMENT, &to.place);
	uint64_t size = 0;

	if (!error)
		error = add_force(maker, stop, &to);
	for (uint32_t i = 0; i < stop->change_count && !error; i++)
		add_change(maker, &stop->changes[i]);
	for (uint32_t i = 0; i < stop->reading_count && !error; i++) {
		*vec_push(&maker->readings) =
			(struct hence_order_reading){.address = stop->readings[i].address,
		                                     .size = stop->readings[i].size,
		                                     .through = stop->readings[i].through,
		                                     .offset = stop->readings[i].offset};
		size += stop->readings[i].size;
	}
	to.bytes = put(maker, NULL, size);
	*vec_push(&maker->stops) = to;
	return error;
}

static void add_known(struct maker *maker)
{
	for (uint32_t i = 0; i < maker->experiment->known_count; i++) {
		const struct known *known = &maker->experiment->known[i];

		*vec_push(&maker->known) = (struct hence_order_reading){
			.address = known->address,
			.size = known->size,
			.bytes = put(maker, known->bytes, known->size)};
	}
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

struct hence_error *experiment_orders_make(const struct point_sites *sites,
                                           const struct experiment *experiment,
                                           const struct patch *patch, bool snapshot,
                                           struct str *out)
{
	struct maker maker = {.sites = sites, .experiment = experiment};
	struct worker_point point = {.count = experiment->stops[0].count, .snapshot = snapshot};
	struct hence_error *error = NULL;

	put(&maker, NULL, sizeof(maker.head));
	for (uint32_t i = 0; i < experiment->stop_count && !error; i++)
		error = add_stop(&maker, &experiment->stops[i]);
	if (!error)
		error = add_patch(&maker, patch);
	add_known(&maker);
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

struct hence_error *experiment_orders_patch(const struct point_sites *sites,
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

bool experiment_orders_patched(const struct str *answer)
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

struct hence_error *experiment_orders_read(const struct point_sites *sites,
                                           const struct str *message, const struct site *places,
                                           const struct str *answer, struct experiment_result *out)
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
