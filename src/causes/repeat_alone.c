/* Experiments on the failing run alone, once more: see repeat.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/attempts.h"
#include "causes/repeat_target.h"

struct trying {
	const struct repeat_runs *runs;
	struct repeat_targets targets;
	struct point check; /* site of the check that failed, if there is one */
	VEC(struct repeat_target) ready;
	struct attempts attempts;
	struct stop stops[2]; /* of the attempt that begins */
	struct change change;
	uint8_t bytes[8], mask[8];
};

/* --- where --- */

/* The places of an item: of the statement, and of where it is changed. */
static void add_places(struct repeat_item *item, struct repeat_place out[2])
{
	const struct explanation_proof *proof = item->proof;
	const struct cause_proof *cause = item->cause;

	if (!cause) {
		out[0] = out[1] = (struct repeat_place){
			.at = &proof->at, .instance = proof->instance, .hint = proof->time};
		return;
	}
	out[0] = (struct repeat_place){
		.at = &cause->at, .instance = cause->instance, .hint = cause->time};
	out[1] = (struct repeat_place){
		.at = &cause->point, .instance = cause->point_instance, .hint = cause->point_time};
}

static void add_target(struct trying *t, struct repeat_item *item, const struct repeat_place at[2])
{
	bool branch = repeat_is_branch(item);

	if (!item->cause && !branch)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the tree of the report does not have it"));
	else if (!at[0].time || !at[1].time)
		repeat_refuse(item, REPEAT_UNTRIED,
		              str_format("the failing run does not come to %s:%u:%u so often",
		                         at[!at[1].time].at->file ? at[!at[1].time].at->file : "?",
		                         at[!at[1].time].at->line, at[!at[1].time].at->column));
	else if (branch ? at[0].time != at[1].time : at[0].time > at[1].time)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the statement is not executed before that point"));
	else
		*vec_push(&t->targets.all) = (struct repeat_target){
			.item = item, .branch = branch, .time = at[0].time, .at = at[1].time};
}

/* Does nothing but the end of the run judge, and was it a check of the program's own that failed? */
static bool has_check(const struct trying *t, const struct cause_tree *tree)
{
	const struct oracle_options *oracle = t->runs->oracle->options;

	return tree && tree->nodes.size && tree->failure && !oracle->expected && !oracle->test &&
	       (!strcmp(tree->failure, "assert") || !strcmp(tree->failure, "abort"));
}

static struct hence_error *locate(struct trying *t, const struct cause_tree *tree,
                                  bool (*wanted)(const struct repeat_item *item),
                                  struct repeat_items *items)
{
	struct repeat_place *places = mem_alloc((2 * items->all.size + 1) * sizeof(*places));
	struct hence_error *error;
	uint32_t count = 0;

	for (uint32_t i = 0; i < items->all.size; i++)
		if (wanted(&items->all.at[i])) {
			add_places(&items->all.at[i], places + count);
			count += 2;
		}
	if (has_check(t, tree))
		places[count] = (struct repeat_place){.at = &tree->nodes.at[0].at,
		                                      .instance = tree->nodes.at[0].instance};
	error = repeat_locate(t->runs->runs[true].recording, places, count + has_check(t, tree));
	if (has_check(t, tree))
		t->targets.check = places[count].time;
	for (uint32_t i = 0, k = 0; i < items->all.size && !error; i++)
		if (wanted(&items->all.at[i])) {
			add_target(t, &items->all.at[i], places + k);
			k += 2;
		}
	free(places);
	return error;
}

static int by_point(const void *a, const void *b)
{
	const struct repeat_target *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static struct hence_error *find_points(struct trying *t)
{
	struct hence_error *error = NULL;
	uint64_t *times;
	struct point *points;

	for (uint32_t i = 0; i < t->targets.all.size; i++)
		if (!t->targets.all.at[i].item->why)
			*vec_push(&t->ready) = t->targets.all.at[i];
	times = mem_alloc((t->ready.size + 1) * sizeof(*times));
	points = mem_alloc((t->ready.size + 1) * sizeof(*points));
	if (t->ready.size)
		qsort(t->ready.at, t->ready.size, sizeof(*t->ready.at), by_point);
	for (uint32_t i = 0; i < t->ready.size; i++)
		times[i] = t->ready.at[i].at;
	if (t->ready.size)
		error = points_find(t->runs->runs[true].recording, times, t->ready.size, points);
	for (uint32_t i = 0; i < t->ready.size && !error; i++)
		t->ready.at[i].point = points[i];
	if (!error && t->targets.check)
		error = points_find(t->runs->runs[true].recording, &t->targets.check, 1, &t->check);
	free(times);
	free(points);
	return error;
}

/* --- experiments --- */

static void set_change(struct trying *t, const struct repeat_target *target)
{
	for (uint32_t i = 0; i < target->store.size; i++) {
		t->bytes[i] = (uint8_t)(target->value >> 8 * i);
		t->mask[i] = (uint8_t)(target->store.mask >> 8 * i);
	}
	t->change = (struct change){.kind = CHANGE_BYTES,
	                            .address = target->store.address,
	                            .size = target->store.size,
	                            .bytes = t->bytes,
	                            .mask = t->mask};
}

static bool next(void *context, uint64_t id, struct experiment *out)
{
	struct trying *t = context;
	const struct repeat_target *target;

	if (id >= t->ready.size)
		return false;
	target = &t->ready.at[id];
	t->stops[0] = (struct stop){.site = target->point.site, .count = target->point.count};
	if (target->branch) {
		t->stops[0].force = FORCE_BRANCH;
		t->stops[0].outcome = target->successor;
	} else {
		set_change(t, target);
		t->stops[0].changes = &t->change;
		t->stops[0].change_count = 1;
	}
	/* Is the check executed again? */
	t->stops[1] = (struct stop){.site = t->check.site, .count = 1};
	*out = (struct experiment){.time = target->at,
	                           .stops = t->stops,
	                           .stop_count = 1 + (t->targets.check != 0),
	                           .once = true};
	return true;
}

/* It passes, but the check that failed was turned round or is not executed any more. */
static bool avoids(const struct trying *t, const struct repeat_target *target,
                   const struct attempt_end *end)
{
	if (!t->targets.check)
		return false;
	return (target->branch && target->time == t->targets.check) ||
	       (memcmp(&target->point.site, &t->check.site, sizeof(t->check.site)) &&
	        !end->reached);
}

/* What passes must be worth as much as before. */
static void check_worth(const struct trying *t, const struct repeat_target *target,
                        const struct attempt_end *end)
{
	struct repeat_item *item = target->item;
	bool was_early = item->cause && item->cause->early;
	bool was_avoiding = item->cause && item->cause->avoids;

	if (item->end != REPEAT_HOLDS || end->verdict != VERDICT_PASS)
		return;
	if (end->early == was_early && (!item->cause || avoids(t, target, end) == was_avoiding))
		return;
	item->end = REPEAT_DIFFERS;
	item->why = mem_strdup(end->early != was_early
	                               ? "whether it puts out what it did before it failed is "
	                                 "not as reported"
	                               : "whether the check that failed is made again is not as "
	                                 "reported");
}

static void ended(void *context, uint64_t id, const struct attempt_end *end)
{
	struct trying *t = context;
	struct repeat_target *target = &t->ready.at[id];
	struct repeat_item *item = target->item;

	repeat_judge(item, item->cause ? item->cause->outcome : item->proof->outcome, end->verdict);
	/* The step that tells of it says the same. */
	if (item->cause && item->proof && item->end == REPEAT_HOLDS)
		repeat_judge(item, item->proof->outcome, end->verdict);
	check_worth(t, target, end);
}

static void tell(void *context)
{
	const struct trying *t = context;

	if (t->runs->progress)
		t->runs->progress(t->runs->context, t->attempts.done, "causes");
}

static bool is_over(void *context)
{
	const struct trying *t = context;

	return t->runs->stop && t->runs->stop(t->runs->context);
}

/* --- the whole --- */

static struct hence_error *try_all(struct trying *t)
{
	const struct oracle_options *oracle = t->runs->oracle->options;
	struct hence_error *error = attempts_open(&t->attempts);

	if (!error && !oracle->expected && !oracle->test)
		error = attempts_find_printed(&t->attempts);
	if (!error && !t->attempts.stopped)
		error = attempts_run(&t->attempts);
	return error;
}

struct hence_error *repeat_alone(const struct repeat_runs *runs, const struct cause_tree *tree,
                                 bool (*wanted)(const struct repeat_item *item),
                                 struct repeat_items *items)
{
	struct trying t = {.runs = runs,
	                   .attempts = {.pool = runs->pools[true],
	                                .run = runs->runs[true].recording,
	                                .result = runs->runs[true].result,
	                                .oracle = runs->oracle,
	                                .trials = runs->trials,
	                                .next = next,
	                                .ended = ended,
	                                .tell = tell,
	                                .stop = is_over,
	                                .context = &t}};
	struct hence_error *error = locate(&t, tree, wanted, items);

	if (!error && t.targets.all.size)
		error = repeat_describe_targets(runs->runs[true].recording, &t.targets);
	if (!error)
		error = find_points(&t);
	if (!error && t.ready.size)
		error = try_all(&t);
	for (uint32_t i = 0; i < t.ready.size && !error; i++)
		repeat_refuse(t.ready.at[i].item, REPEAT_UNTRIED,
		              mem_strdup(is_over(&t) ? "the time was over"
		                                     : "the run does not come there again"));
	attempts_close(&t.attempts);
	vec_deinit(&t.targets.all);
	vec_deinit(&t.ready);
	return error;
}
