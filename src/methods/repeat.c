/* The experiments of a report once more: see repeat.h. */
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/map.h"
#include "methods/attempts.h"
#include "methods/cause.h"
#include "methods/hybrid.h"
#include "methods/repeat.h"
#include "methods/replacement.h"

struct repeat_times {
	VEC(uint64_t) at;
};

/* A branch of both runs, or of the failing one, and what it decided on, in words of the report. */
struct repeat_branch {
	uint64_t time; /* in the failing run */
	struct explanation_step step;
};

struct repeat_comparison {
	struct repeat_items *items;
	struct hybrids h;
	struct symptom symptom;
	struct rails *rails[2];          /* NULL: none are needed, or there are none */
	uint64_t last;                   /* the last point that both runs have before the failure */
	VEC(uint64_t) times;             /* of the items, in the run that is changed; 0: none */
	VEC(struct hybrid_point) points; /* in order of time */
	VEC(struct repeat_branch) branches;
};

/* A branch that is to go another way, or a store whose variable is to get another value after
   it. */
struct repeat_target {
	struct repeat_item *item;
	bool branch;
	uint64_t time;      /* of the statement */
	uint64_t at;        /* of the point where it is changed: of a branch the same */
	struct point point; /* there */
	bool described;     /* what follows is known: */
	struct store store;
	uint64_t value; /* that is stored; of a branch the successor */
};

struct repeat_targets {
	VEC(struct repeat_target) all;
	uint64_t check; /* the statement of the check that failed, if it is a branch; else 0 */
};

/* ------ an item ------ */

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool repeat_is_alone(const struct repeat_item *item)
{
	return item->cause || item->fix || item->proof->whole;
}

void repeat_refuse(struct repeat_item *item, enum repeat_end end, char *why)
{
	if (item->tried || item->why) {
		free(why);
		return;
	}
	item->end = end;
	item->why = why;
}

/* Is the failing run changed? */
static bool is_in_failing(const struct repeat_item *item)
{
	return item->cause || item->fix || item->proof->in == EXPLANATION_FAILING;
}

bool repeat_is_branch(const struct repeat_item *item)
{
	return item->cause ? item->cause->kind == CAUSE_BRANCH : item->branch;
}

/* What was changed, and into what, must be as the report says; else the item is refused. */
static void check_change(struct repeat_item *item, const char *from, const char *from_now,
                         const char *to, const char *to_now)
{
	const char *changed = item->cause ? item->cause->changed : item->proof->changed;

	if (!same_text(from, from_now))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("%s is %s there, not %s", changed,
		                         from_now ? from_now : "?", from ? from : "?"));
	else if (!same_text(to, to_now))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("%s would become %s, not %s", changed,
		                         to_now ? to_now : "?", to ? to : "?"));
}

/* Compares what came of it with what the report has. */
static void judge(struct repeat_item *item, enum verdict reported, enum verdict now)
{
	item->tried = true;
	item->outcome = now;
	item->end = reported == now ? REPEAT_HOLDS : REPEAT_DIFFERS;
}

/* ------ points that a report names by place and number ------ */

MAP_DEFINE_U64(locate_map, uint32_t);

enum { AS_POINT, AS_STATEMENT };

/* One of the wanted places is at this statement of the code. */
struct match {
	uint32_t place;
	bool as;
};

/* A statement of the code that was executed. */
struct visited {
	uint64_t count;
	VEC(struct match) matches;
};

struct locating {
	struct repeat_place *places;
	uint32_t count;
	struct locate_map numbers; /* 1 + index, by the number of its first instruction */
	VEC(struct visited) all;
	struct names *names;
};

static bool is_at(const struct explanation_place *place, const struct walk_place *at)
{
	return place->line == at->line && place->column == at->column &&
	       same_text(place->file, at->file) &&
	       (!place->function || same_text(place->function, at->function));
}

/* The instruction that ends the statement. */
static uint32_t end_of(const struct code_function *f, uint32_t pc)
{
	while (!(f->insns[pc].flags & CODE_STATEMENT))
		pc++;
	return pc;
}

static void match(struct locating *l, const struct code_function *f, uint32_t pc,
                  struct visited *out)
{
	struct walk_place point = cause_place(l->names, f, pc);
	struct walk_place statement = names_place(l->names, f->first + end_of(f, pc));

	for (uint32_t i = 0; i < l->count; i++)
		if (is_at(l->places[i].at, &point))
			*vec_push(&out->matches) = (struct match){i, AS_POINT};
		else if (is_at(l->places[i].at, &statement))
			*vec_push(&out->matches) = (struct match){i, AS_STATEMENT};
}

static struct visited *visit(struct locating *l, const struct code_function *f, uint32_t pc)
{
	uint32_t *number = locate_map_put(&l->numbers, f->first + pc);
	struct visited *visited;

	if (*number)
		return &l->all.at[*number - 1];
	visited = vec_push(&l->all);
	*number = l->all.size;
	match(l, f, pc, visited);
	return visited;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct locating *l = context;
	const struct activation *a;
	struct visited *visited;

	if (event != EXECUTION_BEGINS)
		return;
	a = execution_top(e, 0);
	visited = visit(l, a->function, a->pc);
	visited->count++;
	for (uint32_t i = 0; i < visited->matches.size; i++) {
		struct repeat_place *place = &l->places[visited->matches.at[i].place];
		uint64_t *found = &place->found[visited->matches.at[i].as];

		if (place->instance == visited->count && (!*found || place->hint == number))
			*found = number;
	}
}

struct hence_error *repeat_locate(const struct recording *run, struct repeat_place *places,
                                  uint32_t count)
{
	struct locating l = {.places = places, .count = count};
	const struct execution_options options = {
		.table = run->table, .begins = true, .statement = on_statement, .context = &l};
	struct hence_error *error =
		count ? names_visit(run, NULL, 0, &options, &l.names, NULL) : NULL;

	for (uint32_t i = 0; i < count && !error; i++) {
		struct repeat_place *place = &places[i];

		place->time = place->found[AS_POINT] ? place->found[AS_POINT]
		                                     : place->found[AS_STATEMENT];
		if (place->hint && place->found[AS_STATEMENT] == place->hint)
			place->time = place->hint;
	}
	for (uint32_t i = 0; i < l.all.size; i++)
		vec_deinit(&l.all.at[i].matches);
	vec_deinit(&l.all);
	locate_map_deinit(&l.numbers);
	return error;
}

/* ------ what is changed in the failing run alone ------ */

struct describing {
	struct repeat_targets *targets;
	struct point_sites *sites;
	struct names *names;
	bool checked; /* the failed check is a branch */
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static const char *changed_of(const struct repeat_item *item)
{
	return text_of(item->cause ? item->cause->changed : item->proof->changed);
}

static const char *to_of(const struct repeat_item *item)
{
	return item->cause ? item->cause->to : item->proof->to;
}

static void check(struct repeat_item *item, const char *changed, const char *from, const char *to)
{
	if (strcmp(changed_of(item), text_of(changed)))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("what the statement is about is %s",
		                         changed ? changed : "not known"));
	else
		check_change(item, item->cause ? item->cause->from : item->proof->from, from,
		             to_of(item), to);
}

/* A step of a switched branch does not say which way in numbers: it is the one that has the
   name. */
static bool is_meant(const struct repeat_target *target, const struct replacement_way *way)
{
	if (target->item->cause)
		return target->item->cause->bits == way->successor;
	return to_of(target->item) && !strcmp(to_of(target->item), way->words.other);
}

static void take_store(struct describing *d, struct repeat_target *target,
                       struct replacement_store *store)
{
	uint64_t value = target->item->cause->bits;
	char *to GUARD_FREE = replacement_store_print(d->names, store, value);

	target->described = true;
	target->store = store->store;
	target->value = value;
	check(target->item, store->changed, store->from, to);
}

/* --- the run --- */

static void on_end(struct describing *d, struct execution *e, uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	const struct code_insn *last = &a->function->insns[a->pc - 1];
	bool branches = last->op == CODE_BRANCH || last->op == CODE_SWITCH;

	d->checked |= number == d->targets->check && branches;
	for (uint32_t i = 0; i < d->targets->all.size; i++) {
		struct repeat_target *target = &d->targets->all.at[i];
		struct replacement_way ways[BRANCH_WAYS];
		struct replacement_store store;

		if (target->time != number || target->described || target->item->why)
			continue;
		if (target->branch && branches) {
			uint32_t count = replacement_ways(d->sites, d->names, e, ways);

			for (uint32_t k = 0; k < count; k++) {
				const struct branch_words *words = &ways[k].words;

				if (!target->described && is_meant(target, &ways[k])) {
					target->described = true;
					target->value = ways[k].successor;
					check(target->item,
					      words->condition ? words->condition : "the branch",
					      words->failing, words->other);
				}
				replacement_way_deinit(&ways[k]);
			}
		} else if (!target->branch && last->op == CODE_STORE && last->bytes <= 8 &&
		           replacement_store_find(d->names, e, &store)) {
			take_store(d, target, &store);
			replacement_store_deinit(&store);
		}
	}
}

static void look_for_target(void *context, struct execution *e, enum execution_event event,
                            uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS) {
		const struct activation *a = execution_top(e, 0);
		bool first = true;

		/* Has the function executed no statement yet? */
		for (uint32_t pc = 0; pc < a->pc && first; pc++)
			first = !(a->function->insns[pc].flags & CODE_STATEMENT);
		for (uint32_t i = 0; i < d->targets->all.size && first; i++) {
			struct repeat_target *target = &d->targets->all.at[i];
			struct replacement_store store;

			if (target->time != number || target->at != number || target->branch)
				continue;
			/* A parameter was put in its place before the first statement of its
			   function. */
			for (uint32_t pc = 0; pc < a->pc && !target->described; pc++) {
				if (!replacement_store_find_parameter(d->names, e, pc, &store))
					continue;
				if (!strcmp(store.changed, changed_of(target->item)))
					take_store(d, target, &store);
				replacement_store_deinit(&store);
			}
		}
	} else {
		names_follow(d->names);
	}
	if (event == EXECUTION_ENDED)
		on_end(d, e, number);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Finds out what is changed, and whether that is what the report says; items for which it is not
   are refused. Decodes the run once. */
static struct hence_error *repeat_describe_targets(const struct recording *run,
                                                   struct repeat_targets *targets)
{
	struct describing d = {.targets = targets};
	const struct execution_options options = {
		.table = run->table, .begins = true, .statement = look_for_target, .context = &d};
	struct hence_error *error = point_sites_create(run, &d.sites);
	VEC(uint64_t) times = VEC_INIT;

	if (error)
		return error;
	for (uint32_t i = 0; i < targets->all.size; i++) {
		if (targets->all.at[i].time)
			*vec_push(&times) = targets->all.at[i].time;
		if (targets->all.at[i].at)
			*vec_push(&times) = targets->all.at[i].at;
	}
	if (targets->check)
		*vec_push(&times) = targets->check;
	if (times.size)
		qsort(times.at, times.size, sizeof(*times.at), by_value);
	error = names_visit(run, times.at, times.size, &options, &d.names, NULL);
	vec_deinit(&times);
	point_sites_destroy(d.sites);
	if (!d.checked)
		targets->check = 0;
	for (uint32_t i = 0; i < targets->all.size && !error; i++)
		if (!targets->all.at[i].described)
			repeat_refuse(
				targets->all.at[i].item, REPEAT_UNTRIED,
				mem_strdup("there is nothing there that could be changed so"));
	return error;
}

/* ------ experiments on the failing run alone, once more ------ */

struct trying {
	const struct comparison *runs;
	struct repeat_targets targets;
	struct point check; /* site of the check that failed, if there is one */
	VEC(struct repeat_target) ready;
	struct attempts attempts;
	struct replacement replacement; /* of the attempt that begins */
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

static int by_point(const void *a, const void *b)
{
	const struct repeat_target *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* The points of those that can be made, and of the check. */
static struct hence_error *find_ready(struct trying *t)
{
	const struct recording *run = t->runs->runs[true].recording;
	uint64_t *times GUARD_FREE = mem_alloc((t->targets.all.size + 1) * sizeof(*times));
	struct point *points GUARD_FREE = mem_alloc((t->targets.all.size + 1) * sizeof(*points));
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < t->targets.all.size; i++)
		if (!t->targets.all.at[i].item->why)
			*vec_push(&t->ready) = t->targets.all.at[i];
	if (t->ready.size)
		qsort(t->ready.at, t->ready.size, sizeof(*t->ready.at), by_point);
	for (uint32_t i = 0; i < t->ready.size; i++)
		times[i] = t->ready.at[i].at;
	if (t->ready.size)
		error = points_find(run, times, t->ready.size, points);
	for (uint32_t i = 0; i < t->ready.size && !error; i++)
		t->ready.at[i].point = points[i];
	if (!error && t->targets.check)
		error = points_find(run, &t->targets.check, 1, &t->check);
	return error;
}

/* --- experiments --- */

static bool next(void *context, uint64_t id, struct experiment *out)
{
	struct trying *t = context;
	const struct repeat_target *target;

	if (id >= t->ready.size)
		return false;
	target = &t->ready.at[id];
	/* Is the check executed again? */
	*out = replacement_experiment(&target->point, target->branch ? NULL : &target->store,
	                              target->value, t->targets.check ? &t->check.site : NULL,
	                              &t->replacement);
	return true;
}

/* It passes, but the check that failed was switched or is not executed any more. */
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
	                               ? "whether it prints what it did before it failed is "
	                                 "not as reported"
	                               : "whether the check that failed is made again is not as "
	                                 "reported");
}

static void ended(void *context, uint64_t id, const struct attempt_end *end)
{
	struct trying *t = context;
	struct repeat_target *target = &t->ready.at[id];
	struct repeat_item *item = target->item;

	judge(item, item->cause ? item->cause->outcome : item->proof->outcome, end->verdict);
	/* The step that tells of it says the same. */
	if (item->cause && item->proof && item->end == REPEAT_HOLDS)
		judge(item, item->proof->outcome, end->verdict);
	check_worth(t, target, end);
}

static void tell(void *context)
{
	const struct trying *t = context;

	budget_show(t->runs->budget, t->attempts.done, "causes");
}

/* --- the whole --- */

struct hence_error *repeat_alone(const struct comparison *runs, const struct cause_tree *tree,
                                 bool (*wanted)(const struct repeat_item *item),
                                 struct repeat_items *items)
{
	struct trying t = {
		.runs = runs,
		.attempts = {
			.pair = runs, .next = next, .ended = ended, .tell = tell, .context = &t}};

	struct repeat_place *places GUARD_FREE =
		mem_alloc((2 * items->all.size + 1) * sizeof(*places));
	bool has_check =
		tree && tree->nodes.size && attempts_have_check(&t.attempts, tree->failure);
	struct hence_error *error;
	uint32_t count = 0;

	for (uint32_t i = 0; i < items->all.size; i++)
		if (wanted(&items->all.at[i])) {
			add_places(&items->all.at[i], places + count);
			count += 2;
		}
	if (has_check)
		places[count] = (struct repeat_place){.at = &tree->nodes.at[0].at,
		                                      .instance = tree->nodes.at[0].instance};
	error = repeat_locate(t.runs->runs[true].recording, places, count + has_check);
	if (has_check)
		t.targets.check = places[count].time;
	for (uint32_t i = 0, k = 0; i < items->all.size && !error; i++)
		if (wanted(&items->all.at[i])) {
			add_target(&t, &items->all.at[i], places + k);
			k += 2;
		}

	if (!error && t.targets.all.size)
		error = repeat_describe_targets(runs->runs[true].recording, &t.targets);
	if (!error)
		error = find_ready(&t);
	if (!error && t.ready.size)
		error = attempts_open(&t.attempts);
	if (!error && t.ready.size)
		error = attempts_find_printed(&t.attempts);
	if (!error && t.ready.size && !t.attempts.stopped)
		error = attempts_run(&t.attempts);
	for (uint32_t i = 0; i < t.ready.size && !error; i++)
		repeat_refuse(t.ready.at[i].item, REPEAT_UNTRIED,
		              mem_strdup(budget_is_over(runs->budget)
		                                 ? "the time was over"
		                                 : "the run does not come there again"));
	attempts_close(&t.attempts);
	vec_deinit(&t.targets.all);
	vec_deinit(&t.ready);
	return error;
}

/* --- the variables --- */

static const char *value_of(const struct difference *d, bool failing)
{
	const char *value = failing ? d->a : d->b;

	return value ? value : "?";
}

/* Several parts of one text have the same name: that which is not chosen yet and whose values the
   proof has. */
static uint32_t find_value_experiment(const struct hybrid_point *point, const char *name,
                                      const struct explanation_proof *proof,
                                      const struct dd_set *chosen)
{
	bool in_failing = proof->in == EXPLANATION_FAILING;
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < point->count; i++) {
		const struct difference *d = &point->differences[i];

		if (!d->name || strcmp(d->name, name) || dd_set_has(chosen, i))
			continue;
		if (proof->from && proof->to && strstr(proof->from, value_of(d, in_failing)) &&
		    strstr(proof->to, value_of(d, !in_failing)))
			return i;
		found = found == UINT32_MAX ? i : found;
	}
	return found;
}

/* Adds what the variable has in both runs; false: it is not among the differences. */
static bool choose_value(struct hybrid_point *point, const char *name,
                         const struct explanation_proof *proof, struct dd_set *chosen,
                         struct str values[2])
{
	uint32_t at = find_value_experiment(point, name, proof, chosen);

	if (at == UINT32_MAX)
		return false;
	dd_set_put(chosen, at, true);
	for (unsigned side = 0; side < 2; side++)
		str_printf(&values[side], "%s%s", values[side].length ? ", " : "",
		           value_of(&point->differences[at], side));
	return true;
}

/* The end of the first name of a list: a comma outside of brackets and quotes, or the end of the text. */
static const char *name_end(const char *at)
{
	int depth = 0;
	char quote = 0;

	for (; *at; at++) {
		if (quote && *at == '\\' && at[1])
			at++;
		else if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (strchr("([{", *at))
			depth++;
		else if (strchr(")]}", *at))
			depth--;
		else if (!depth && at[0] == ',' && at[1] == ' ')
			break;
	}
	return at;
}

/* Chooses the differences that the report says were changed. The item is refused if they are not there, or have other
   values. */
static void choose_all(struct hybrid_point *point, struct repeat_item *item, struct dd_set *chosen)
{
	const struct explanation_proof *proof = item->proof;
	struct str values[2] = {STR_INIT, STR_INIT};
	const char *text = proof->changed, *end;

	if (!text || !*text)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the report does not say what was changed"));
	for (; text && *text && !item->why; text = *end ? end + 2 : end) {
		char *name GUARD_FREE = NULL;

		end = name_end(text);
		name = mem_strndup(text, (size_t)(end - text));
		if (!choose_value(point, name, proof, chosen, values))
			repeat_refuse(
				item, REPEAT_UNTRIED,
				str_format("%s does not differ between the two runs there", name));
	}
	/* Is it the experiment that the report tells of? */
	if (!item->why)
		check_change(item, proof->from, str_text(&values[is_in_failing(item)]), proof->to,
		             str_text(&values[!is_in_failing(item)]));
	for (unsigned side = 0; side < 2; side++)
		str_deinit(&values[side]);
}

/* --- what it was to bring about --- */

/* What the aims are. */
struct wanted {
	struct hybrid_point *later;
	struct dd_set set;
	VEC(const struct align_fork *) forks;
};

/* The point at that time of the failing run; NULL: it is not prepared. */
static struct hybrid_point *repeat_point(struct repeat_comparison *c, uint64_t time)
{
	for (uint32_t i = 0; i < c->points.size; i++)
		if (c->points.at[i].times[true] == time)
			return &c->points.at[i];
	return NULL;
}

static struct hence_error *take_aim(struct repeat_comparison *c, struct repeat_item *item,
                                    const struct explanation_aim *aim, struct wanted *out)
{
	struct hybrid_point *point = repeat_point(c, aim->time);
	const struct align_fork *fork = aim->names.size ? NULL : hybrid_fork(&c->h, aim->time);
	const struct explanation_proof any = {.in = EXPLANATION_FAILING};
	struct str values[2] = {STR_INIT, STR_INIT};
	struct hence_error *error;

	if (fork)
		*vec_push(&out->forks) = fork;
	if (fork || item->why)
		return NULL;
	if (!point || out->later || !aim->names.size) {
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the two runs do not meet where it was judged"));
		return NULL;
	}
	error = hybrid_compare(&c->h, point);
	if (error)
		return error;
	out->later = point;
	dd_set_init(&out->set, point->count, false);
	for (uint32_t i = 0; i < aim->names.size; i++)
		if (!choose_value(point, aim->names.at[i], &any, &out->set, values))
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("%s, which was to be brought about, does not "
			                         "differ between the two runs later",
			                         aim->names.at[i]));
	for (unsigned side = 0; side < 2; side++)
		str_deinit(&values[side]);
	return NULL;
}

/* What a local experiment was to bring about. *out is NULL if it is not local, or the item is
   refused. Caller frees with hybrid_goal_destroy(). */
static struct hence_error *repeat_goal(struct repeat_comparison *c, struct repeat_item *item,
                                       struct hybrid_goal **out)
{
	const struct explanation_proof *proof = item->proof;
	struct wanted wanted = {0};
	struct hence_error *error = NULL;

	*out = NULL;
	if (!proof->local)
		return NULL;
	for (uint32_t i = 0; i < proof->aims.size && !error; i++)
		error = take_aim(c, item, &proof->aims.at[i], &wanted);
	if (!error && !item->why && proof->aims.size)
		error = hybrid_goal_create(&c->h, wanted.later, &wanted.set, wanted.forks.at,
		                           wanted.forks.size, out);
	if (!error && !*out)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the report does not say by what it was judged"));
	if (wanted.later)
		dd_set_deinit(&wanted.set);
	vec_deinit(&wanted.forks);
	return error;
}

/* --- the experiment --- */

/* Make the experiment of an item again, at that time of the failing run; a branch, at `own` of the
   run that is changed. The item is refused when it is not the experiment that the report tells
   of. */
static struct hence_error *repeat_values(struct repeat_comparison *c, struct repeat_item *item,
                                         uint64_t time, enum verdict *out)
{
	struct hybrid_point *point = repeat_point(c, time);
	enum hybrid_way way = is_in_failing(item) ? HYBRID_FAILING : HYBRID_REFERENCE;
	struct hybrid_goal *goal = NULL;
	struct dd_set chosen;
	struct hence_error *error = hybrid_compare(&c->h, point);

	if (error)
		return error;
	dd_set_init(&chosen, point->count, false);
	choose_all(point, item, &chosen);
	if (!item->why)
		error = repeat_goal(c, item, &goal);
	if (!error && !item->why)
		error = hybrid_ask(&c->h, point, way, &chosen, goal, out);
	hybrid_goal_destroy(goal);
	dd_set_deinit(&chosen);
	return error;
}

/* --- the points --- */

static bool is_compared(const struct repeat_item *item)
{
	return !repeat_is_alone(item) && !item->why;
}

static void add_time(struct repeat_times *times, uint64_t time)
{
	if (time)
		*vec_push(&times->at) = time;
}

static struct hence_error *locate_side(struct repeat_comparison *c, bool in_failing)
{
	VEC(struct repeat_place) places = VEC_INIT;
	VEC(uint32_t) numbers = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < c->items->all.size; i++) {
		const struct repeat_item *item = &c->items->all.at[i];

		if (!is_compared(item) || is_in_failing(item) != in_failing)
			continue;
		*vec_push(&places) = (struct repeat_place){.at = &item->proof->at,
		                                           .instance = item->proof->instance,
		                                           .hint = item->proof->time};
		*vec_push(&numbers) = i;
	}
	error = repeat_locate(c->h.pair.runs[in_failing].recording, places.at, places.size);
	for (uint32_t i = 0; i < numbers.size && !error; i++)
		c->times.at[numbers.at[i]] = places.at[i].time;
	vec_deinit(&places);
	vec_deinit(&numbers);
	return error;
}

/* Places are those of the failing version's source: in another version the time tells, and the
   number must fit it. */
static struct hence_error *locate_version(struct repeat_comparison *c)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < c->items->all.size && !error; i++) {
		const struct repeat_item *item = &c->items->all.at[i];
		struct point point;

		if (!is_compared(item) || is_in_failing(item) || !item->proof->time ||
		    item->proof->time > c->h.pair.alignment->b_statements)
			continue;
		error = points_find(c->h.pair.runs[false].recording, &item->proof->time, 1, &point);
		if (!error && point.count == item->proof->instance)
			c->times.at[i] = item->proof->time;
	}
	return error;
}

/* The point of an item in the failing run; 0: that has none. */
static uint64_t failing_time(const struct repeat_comparison *c, uint32_t number)
{
	const struct repeat_item *item = &c->items->all.at[number];
	uint64_t time = c->times.at[number];

	return is_in_failing(item) ? time : alignment_of_b(c->h.pair.alignment, time);
}

static char *place_text(const struct explanation_proof *proof)
{
	return str_format("%s:%u:%u for the %llu. time", proof->at.file ? proof->at.file : "?",
	                  proof->at.line, proof->at.column, (unsigned long long)proof->instance);
}

static struct hence_error *prepare_points(struct repeat_comparison *c)
{
	struct repeat_times times = {VEC_INIT};
	uint32_t kept = 0;
	struct hence_error *error;

	add_time(&times, c->last);
	/* Refuses items whose points are not there, and lists the times of the others. */
	for (uint32_t i = 0; i < c->items->all.size; i++) {
		struct repeat_item *item = &c->items->all.at[i];
		uint64_t time = is_compared(item) ? failing_time(c, i) : 0;
		char *place = is_compared(item) ? place_text(item->proof) : NULL;

		if (place && !c->times.at[i])
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("the %s run does not come to %s",
			                         explanation_run_names[item->proof->in], place));
		else if (place && !alignment_of_a(c->h.pair.alignment, time) &&
		         !repeat_is_branch(item))
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("the other run has no point like %s", place));
		free(place);
		if (!is_compared(item))
			continue;
		if (alignment_of_a(c->h.pair.alignment, time))
			add_time(&times, time);
		for (uint32_t k = 0; k < item->proof->aims.size; k++)
			if (alignment_of_a(c->h.pair.alignment, item->proof->aims.at[k].time))
				add_time(&times, item->proof->aims.at[k].time);
	}
	qsort(times.at.at, times.at.size, sizeof(*times.at.at), by_value);
	for (uint32_t i = 0; i < times.at.size; i++)
		if (!kept || times.at.at[kept - 1] != times.at.at[i])
			times.at.at[kept++] = times.at.at[i];
	vec_reserve(&c->points, kept);
	error = hybrids_prepare(&c->h, times.at.at, kept, c->points.at);
	if (!error)
		c->points.size = kept;
	vec_deinit(&times.at);
	return error;
}

/* --- rails --- */

static bool has_guarded(const struct repeat_comparison *c)
{
	for (uint32_t i = 0; i < c->items->all.size; i++)
		if (is_compared(&c->items->all.at[i]) && c->items->all.at[i].proof->guarded)
			return true;
	return false;
}

static void set_rails(struct repeat_comparison *c, bool guarded)
{
	for (unsigned i = 0; i < 2; i++)
		c->h.rails[i] = guarded ? c->rails[i] : NULL;
}

/* Those that need them cannot be made without. */
static struct hence_error *prepare_rails(struct repeat_comparison *c)
{
	struct hence_error *error = has_guarded(c) ? hybrid_make_rails(&c->h.pair, c->rails) : NULL;

	for (uint32_t i = 0; i < c->items->all.size && error; i++)
		if (is_compared(&c->items->all.at[i]) && c->items->all.at[i].proof->guarded)
			repeat_refuse(&c->items->all.at[i], REPEAT_UNTRIED,
			              str_format("no guard rails: %s", error->message));
	error_destroy(error);
	set_rails(c, has_guarded(c));
	return hybrids_check(&c->h, repeat_point(c, c->last));
}

/* ------ branches that go as they do in the other run, once more ------ */

/* --- what they are called --- */

static struct repeat_branch *find(struct repeat_comparison *c, uint64_t time)
{
	for (uint32_t i = 0; i < c->branches.size; i++)
		if (c->branches.at[i].time == time)
			return &c->branches.at[i];
	return NULL;
}

/* Describes the branches that items are about; switches in the reference as well. */
static struct hence_error *describe_branches(struct repeat_comparison *c)
{
	const struct alignment *alignment = c->h.pair.alignment;
	struct described_step *failing GUARD_FREE = NULL, *reference GUARD_FREE = NULL;
	struct explanation_step *there GUARD_FREE = NULL;
	struct hence_error *error;
	uint32_t count;

	for (uint32_t i = 0; i < c->items->all.size; i++) {
		const struct repeat_item *item = &c->items->all.at[i];
		uint64_t time = c->times.at[i];

		if (item->why || repeat_is_alone(item) || !repeat_is_branch(item))
			continue;
		if (!is_in_failing(item))
			time = alignment_of_b(alignment, time);
		if (time && !find(c, time))
			vec_push(&c->branches)->time = time;
	}
	count = c->branches.size;
	failing = mem_alloc((count + 1) * sizeof(*failing));
	reference = mem_alloc((count + 1) * sizeof(*reference));
	there = mem_alloc((count + 1) * sizeof(*there));
	for (uint32_t i = 0; i < count; i++) {
		failing[i].step = &c->branches.at[i].step;
		failing[i].maker = c->branches.at[i].time;
		reference[i].step = &there[i];
	}
	error = cause_describe(c->h.pair.runs[true].recording, failing, count);
	for (uint32_t i = 0; i < count; i++)
		if (failing[i].switched)
			reference[i].maker = alignment_of_a(alignment, failing[i].maker);
	if (!error)
		error = cause_describe(c->h.pair.runs[false].recording, reference, count);
	for (uint32_t i = 0; i < count; i++) {
		if (!error)
			cause_set_decision(&failing[i], &reference[i]);
		described_step_deinit(&failing[i]);
		described_step_deinit(&reference[i]);
		explanation_step_deinit(&there[i]);
	}
	return error;
}

static void check_branch(struct repeat_comparison *c, struct repeat_item *item, uint64_t time)
{
	const struct repeat_branch *branch = find(c, time);
	bool in_failing = is_in_failing(item);
	const struct explanation_value *decided;

	if (!branch || !branch->step.values.size) {
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup("there is no branch there"));
		return;
	}
	decided = &branch->step.values.at[0];
	if (!same_text(item->proof->changed, decided->name))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("what is decided there is %s", decided->name));
	else
		check_change(item, item->proof->from,
		             in_failing ? decided->failing : decided->reference, item->proof->to,
		             in_failing ? decided->reference : decided->failing);
}

/* --- the experiment --- */

/* A branch that only the failing run has. */
static struct hence_error *switch_branch(struct repeat_comparison *c, struct repeat_item *item,
                                         uint64_t own, enum verdict *out)
{
	struct point at;
	struct hence_error *error = points_find(c->h.pair.runs[true].recording, &own, 1, &at);

	if (error)
		return error;
	if (!is_in_failing(item) || item->proof->local) {
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the branch goes the same way in both runs"));
		return NULL;
	}
	return hybrid_switch(&c->h, &at, true, out);
}

static struct hence_error *repeat_branch(struct repeat_comparison *c, struct repeat_item *item,
                                         uint64_t own, uint64_t time, enum verdict *out)
{
	const struct align_fork *fork = hybrid_fork(&c->h, time);
	struct hybrid_goal *goal = NULL;
	struct hence_error *error = NULL;

	check_branch(c, item, time);
	if (!item->why && fork)
		error = repeat_goal(c, item, &goal);
	if (!error && !item->why)
		error = fork ? hybrid_force(&c->h, fork, is_in_failing(item), goal, out)
		             : switch_branch(c, item, own, out);
	hybrid_goal_destroy(goal);
	return error;
}

/* ------ experiments that compare two runs, once more ------ */

static void repeat(struct repeat_comparison *c, uint32_t number)
{
	struct repeat_item *item = &c->items->all.at[number];
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error;

	set_rails(c, item->proof->guarded);
	error = repeat_is_branch(item) ? repeat_branch(c, item, c->times.at[number],
	                                               failing_time(c, number), &verdict)
	                               : repeat_values(c, item, failing_time(c, number), &verdict);
	if (error)
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup(error->message));
	else if (budget_is_over(c->h.pair.budget))
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup("the time was over"));
	error_destroy(error);
	if (!item->why)
		judge(item, item->proof->outcome, verdict);
}

static struct hence_error *prepare(struct repeat_comparison *c)
{
	struct hence_error *error = NULL;

	c->last = alignment_until_a(c->h.pair.alignment, c->symptom.failing_time);
	if (!c->last)
		return error_create(HENCE_ERROR_INPUT,
		                    "the two runs have no point in common before the failure");
	for (uint32_t i = 0; i < c->items->all.size; i++)
		vec_push(&c->times);
	for (unsigned side = 0; side < 2 && !error; side++)
		error = !side && c->h.pair.alignment->versions ? locate_version(c)
		                                               : locate_side(c, side);
	if (!error)
		error = prepare_points(c);
	if (!error)
		error = prepare_rails(c);
	if (!error)
		error = describe_branches(c);
	return error;
}

struct hence_error *repeat_compared(const struct comparison *runs, struct repeat_items *items)
{
	struct repeat_comparison c = {
		.items = items,
		.h = {.pair = *runs, .phase = "comparing"},
	};
	struct hence_error *error = symptom_find(&runs->runs[true], &runs->runs[false],
	                                         runs->alignment, runs->oracle, &c.symptom);

	if (error)
		return error;
	c.h.pair.symptom = &c.symptom;
	error = prepare(&c);
	for (uint32_t i = 0; i < items->all.size && !error; i++)
		if (is_compared(&items->all.at[i]))
			repeat(&c, i);
	for (uint32_t i = 0; i < c.points.size; i++)
		hybrid_point_deinit(&c.points.at[i]);
	for (uint32_t i = 0; i < c.branches.size; i++)
		explanation_step_deinit(&c.branches.at[i].step);
	vec_deinit(&c.points);
	vec_deinit(&c.branches);
	vec_deinit(&c.times);
	hybrid_drop_rails(c.rails);
	symptom_deinit(&c.symptom);
	return error;
}

/* ------ edits of the code once more ------ */

struct hence_error *repeat_edits(const struct edit_search_options *options,
                                 struct repeat_items *items)
{
	VEC(struct edit_repeat) edits = VEC_INIT;
	VEC(struct repeat_item *) owners = VEC_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < items->all.size; i++) {
		struct repeat_item *item = &items->all.at[i];

		if (!item->fix)
			continue;
		if (!item->fix->edit || !item->fix->at.file) {
			repeat_refuse(item, REPEAT_DIFFERS,
			              mem_strdup("the report does not name the edit"));
			continue;
		}
		*vec_push(&edits) = (struct edit_repeat){.name = item->fix->edit,
		                                         .file = item->fix->at.file,
		                                         .line = item->fix->at.line};
		*vec_push(&owners) = item;
	}
	if (edits.size)
		error = edit_repeat(options, edits.at, edits.size);
	for (uint32_t i = 0; i < edits.size && !error; i++) {
		if (edits.at[i].tried)
			judge(owners.at[i], VERDICT_PASS, edits.at[i].outcome);
		else if (!edits.at[i].edits)
			repeat_refuse(owners.at[i], REPEAT_DIFFERS,
			              mem_strdup("the program has no such edit"));
	}
	vec_deinit(&edits);
	vec_deinit(&owners);
	return error;
}

/* ------ the whole ------ */

static bool same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->line == b->line && a->column == b->column && same_text(a->file, b->file);
}

/* Does the proof of a step tell of this experiment of the tree? */
static bool is_same(const struct explanation_proof *proof, const struct cause_proof *cause)
{
	return same_text(proof->changed, cause->changed) && same_text(proof->from, cause->from) &&
	       same_text(proof->to, cause->to) && same_place(&proof->at, &cause->point) &&
	       proof->instance == cause->point_instance;
}

/* --- listing --- */

static void find_cause(const struct cause_tree *tree, struct repeat_item *item)
{
	for (uint32_t i = 0; i < tree->nodes.size && !item->cause; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size && !item->cause; k++)
			if (is_same(item->proof, &tree->nodes.at[i].proofs.at[k])) {
				item->node = tree->nodes.at[i].number;
				item->cause = &tree->nodes.at[i].proofs.at[k];
			}
}

static void list_step(const struct explanation *e, uint32_t number, struct repeat_items *out)
{
	const struct explanation_step *step = &e->steps.at[number - 1];

	for (uint32_t i = 0; i < step->proofs.size; i++) {
		struct repeat_item *item = vec_push(&out->all);

		item->step = number;
		item->branch = step->kind == EXPLANATION_BRANCH;
		item->proof = &step->proofs.at[i];
		if (same_text(step->method, "tree") && e->tree)
			find_cause(e->tree, item);
	}
}

static bool is_listed(const struct repeat_items *items, const struct cause_proof *cause)
{
	for (uint32_t i = 0; i < items->all.size; i++)
		if (items->all.at[i].cause == cause)
			return true;
	return false;
}

static void list_node(const struct cause_node *node, struct repeat_items *out)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		struct repeat_item *item;

		if (is_listed(out, &node->proofs.at[i]))
			continue;
		item = vec_push(&out->all);
		item->node = node->number;
		item->cause = &node->proofs.at[i];
	}
}

void repeat_list(const struct explanation *e, uint32_t step, struct repeat_items *out)
{
	*out = (struct repeat_items){0};
	for (uint32_t i = 1; i <= e->steps.size; i++)
		if (!step || step == i)
			list_step(e, i, out);
	for (uint32_t i = 0; e->tree && !step && i < e->tree->nodes.size; i++)
		list_node(&e->tree->nodes.at[i], out);
	for (uint32_t i = 0; !step && i < e->fixes.size; i++) {
		struct repeat_item *item;

		if (i >= REPEAT_FIXES) {
			out->left_out++;
			continue;
		}
		item = vec_push(&out->all);
		item->change = i + 1;
		item->fix = &e->fixes.at[i];
	}
}

void repeat_items_deinit(struct repeat_items *items)
{
	for (uint32_t i = 0; i < items->all.size; i++)
		free(items->all.at[i].why);
	vec_deinit(&items->all);
}
