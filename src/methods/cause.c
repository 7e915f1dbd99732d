/* Causes, as methods find them: see cause.h. */
#include "methods/cause.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/str.h"
#include "words/describe.h"

/* ------ where points are, and what was executed there ------ */

/* A statement that somebody wants to know about. */
struct wanted {
	uint64_t time;
	struct described_point *of;
	enum { WANT_PLACE, WANT_MAKER, WANT_UNTIL } what; /* as in struct described_point */
};

struct describing {
	VEC(struct wanted) wanted; /* in order of time */
	uint32_t next;
	struct names *names;
};

static int by_time(const void *a, const void *b)
{
	const struct wanted *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

/* What belongs to the statement before it (the value of an assignment to a bit-field, that nobody uses) has the
   same place, and is passed over. */
struct walk_place cause_place(struct names *names, const struct code_function *f, uint32_t pc)
{
	uint32_t code = f->first + pc, end = code;
	struct walk_place place = names_place(names, code);
	struct walk_place before = names_place(names, pc ? code - 1 : code);

	while (!(f->insns[end - f->first].flags & CODE_STATEMENT))
		end++;
	while (pc && code < end && place.line == before.line && place.column == before.column)
		place = names_place(names, ++code);
	return place;
}

/* The decoder stands there. */
static void place_point(struct describing *d, const struct execution *e, struct cause_point *point)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = cause_place(d->names, a->function, a->pc);

	point->file = copy(place.file);
	point->function = copy(place.function);
	point->line = place.line;
	point->column = place.column;
}

/* The text is 'switch (EXPRESSION): WAY'. */
static void set_switch(struct described_point *to, const struct described *described)
{
	size_t around = strlen("switch (") + strlen("): ") + described->result.length;

	if (described->text.length < around)
		return;
	to->switched = mem_strndup(str_text(&described->text) + strlen("switch ("),
	                           described->text.length - around);
	to->way = mem_strdup(str_text(&described->result));
}

static void set_maker(struct described_point *to, const struct walk_place *place,
                      struct described *described)
{
	struct cause_point *point = to->point;

	point->cause_file = copy(place->file);
	point->cause_function = copy(place->function);
	point->cause_line = place->line;
	point->cause_column = place->column;
	if (described->kind == DESCRIBED_BRANCH &&
	    described->text.length > described->result.length + strlen(" is ")) {
		to->condition = mem_strndup(str_text(&described->text),
		                            described->text.length - described->result.length -
		                                    strlen(" is "));
		to->outcome = !strcmp(str_text(&described->result), "true");
	}
	if (described->kind == DESCRIBED_SWITCH)
		set_switch(to, described);
	point->statement = str_steal(&described->text);
}

/* A statement has been executed, or calls. */
static void describe(struct describing *d, struct execution *e, const struct wanted *wanted,
                     bool inside)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc - 1);
	struct cause_point *point = wanted->of->point;
	struct described described = {0};

	names_say_targets(d->names);
	describe_statement(d->names, e, inside, &described);
	if (wanted->what == WANT_MAKER) {
		set_maker(wanted->of, &place, &described);
	} else if (wanted->what == WANT_UNTIL) {
		point->until_file = copy(place.file);
		point->until_line = place.line;
		point->until_column = place.column;
		point->until_statement = str_steal(&described.text);
	} else {
		point->callee = copy(described.callee);
	}
	described_deinit(&described);
}

static void on_begin(struct describing *d, const struct execution *e, uint64_t number)
{
	for (uint32_t i = d->next; i < d->wanted.size && d->wanted.at[i].time == number; i++)
		if (d->wanted.at[i].what == WANT_PLACE)
			place_point(d, e, d->wanted.at[i].of->point);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS) {
		on_begin(d, e, number);
		return;
	}
	names_follow(d->names);
	if (event == EXECUTION_CALLS_BACK)
		return;
	for (; d->next < d->wanted.size && d->wanted.at[d->next].time <= number; d->next++) {
		const struct wanted *wanted = &d->wanted.at[d->next];

		if (wanted->time == number &&
		    (wanted->what != WANT_PLACE || wanted->of->point->call))
			describe(d, e, wanted, event == EXECUTION_CALLS);
	}
	if (d->next == d->wanted.size)
		walk_halt(execution_walk(e));
}

static void want(struct describing *d, struct described_point *of, uint64_t time, int what)
{
	struct wanted *wanted;

	if (!time)
		return;
	wanted = vec_push(&d->wanted);
	wanted->time = time;
	wanted->of = of;
	wanted->what = what;
}

struct hence_error *cause_describe(const struct recording *failing, struct described_point *points,
                                   uint32_t count)
{
	struct describing d = {0};
	const struct execution_options options = {
		.table = failing->table, .begins = true, .statement = on_statement, .context = &d};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		want(&d, &points[i], points[i].point->failing_time, WANT_PLACE);
		want(&d, &points[i], points[i].maker, WANT_MAKER);
		want(&d, &points[i], points[i].until, WANT_UNTIL);
	}
	if (!d.wanted.size)
		return NULL;
	qsort(d.wanted.at, d.wanted.size, sizeof(*d.wanted.at), by_time);
	for (uint32_t i = 0; i < d.wanted.size; i++)
		*vec_push(&times) = d.wanted.at[i].time;
	error = names_visit(failing, times.at, times.size, &options, &d.names, NULL);
	vec_deinit(&times);
	vec_deinit(&d.wanted);
	return error;
}

/* ------ the whole ------ */

static void free_aims(struct proof *proof)
{
	for (uint32_t i = 0; i < proof->aims.size; i++) {
		for (uint32_t k = 0; k < proof->aims.at[i].names.size; k++)
			free(proof->aims.at[i].names.at[k]);
		vec_deinit(&proof->aims.at[i].names);
	}
	vec_deinit(&proof->aims);
}

void cause_point_deinit(struct cause_point *point)
{
	for (uint32_t i = 0; i < point->variables.size; i++) {
		free(point->variables.at[i].name);
		free(point->variables.at[i].failing);
		free(point->variables.at[i].reference);
		free(point->variables.at[i].function);
	}
	for (uint32_t i = 0; i < point->proofs.size; i++) {
		free(point->proofs.at[i].changed);
		free(point->proofs.at[i].from);
		free(point->proofs.at[i].to);
		free_aims(&point->proofs.at[i]);
	}
	vec_deinit(&point->variables);
	vec_deinit(&point->proofs);
	free(point->file);
	free(point->function);
	free(point->callee);
	free(point->cause_file);
	free(point->cause_function);
	free(point->statement);
	free(point->until_file);
	free(point->until_statement);
}

static char *join(const struct cause_point *point, size_t field)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < point->variables.size; i++) {
		const char *part = *(char *const *)((const char *)&point->variables.at[i] + field);

		str_printf(&text, "%s%s", i ? ", " : "", part ? part : "?");
	}
	return str_steal(&text);
}

struct proof *cause_add_proof(struct cause_point *point, bool in_failing, enum verdict outcome)
{
	size_t failing = offsetof(struct cause_variable, failing);
	size_t reference = offsetof(struct cause_variable, reference);
	struct proof *proof = vec_push(&point->proofs);

	*proof = (struct proof){
		.changed = join(point, offsetof(struct cause_variable, name)),
		.from = join(point, in_failing ? failing : reference),
		.to = join(point, in_failing ? reference : failing),
		.in_failing = in_failing,
		.outcome = outcome,
	};
	return proof;
}

void described_point_deinit(struct described_point *described)
{
	free(described->condition);
	free(described->switched);
	free(described->way);
}

void causes_deinit(struct causes *causes)
{
	for (uint32_t i = 0; i < causes->points.size; i++)
		cause_point_deinit(&causes->points.at[i]);
	for (uint32_t i = 0; i < causes->notes.size; i++)
		free(causes->notes.at[i]);
	vec_deinit(&causes->points);
	vec_deinit(&causes->notes);
	*causes = (struct causes){0};
}

bool causes_proven(const struct causes *causes)
{
	for (uint32_t i = 0; i < causes->points.size; i++)
		if (causes->points.at[i].proven)
			return true;
	return false;
}
