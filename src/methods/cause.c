/* What a method finds: see cause.h. */
#include "methods/cause.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/guard.h"
#include "base/str.h"
#include "words/describe.h"

/* --- steps and their proofs --- */

void causes_deinit(struct causes *causes)
{
	for (uint32_t i = 0; i < causes->steps.size; i++)
		explanation_step_deinit(&causes->steps.at[i]);
	for (uint32_t i = 0; i < causes->notes.size; i++)
		free(causes->notes.at[i]);
	vec_deinit(&causes->steps);
	vec_deinit(&causes->notes);
	*causes = (struct causes){0};
}

bool causes_proven(const struct causes *causes)
{
	for (uint32_t i = 0; i < causes->steps.size; i++)
		if (causes->steps.at[i].proven)
			return true;
	return false;
}

bool cause_is_shown(const struct explanation_proof *proof)
{
	return proof->outcome == (proof->in == EXPLANATION_FAILING ? VERDICT_PASS : VERDICT_FAIL);
}

/* 'a, b': this text of each variable. NULL: there is no variable yet. */
static char *join(const struct explanation_step *step, size_t field)
{
	struct str text = STR_INIT;

	if (!step->values.size)
		return NULL;
	for (uint32_t i = 0; i < step->values.size; i++) {
		const char *part = *(char *const *)((const char *)&step->values.at[i] + field);

		str_printf(&text, "%s%s", i ? ", " : "", part ? part : "?");
	}
	return str_steal(&text);
}

/* What was changed: all variables, to what they have in the other run. */
static void set_change(const struct explanation_step *step, struct explanation_proof *proof)
{
	size_t own = offsetof(struct explanation_value, failing);
	size_t other = offsetof(struct explanation_value, reference);

	if (proof->in == EXPLANATION_REFERENCE) {
		own = other;
		other = offsetof(struct explanation_value, failing);
	}
	proof->changed = join(step, offsetof(struct explanation_value, name));
	proof->from = join(step, own);
	proof->to = join(step, other);
}

struct explanation_proof *cause_add_proof(struct explanation_step *step, enum explanation_run in,
                                          enum verdict outcome)
{
	struct explanation_proof *proof = vec_push(&step->proofs);

	*proof = (struct explanation_proof){
		.in = in,
		.outcome = outcome,
		.instance = in == EXPLANATION_FAILING ? step->instance : step->reference_instance,
		.time = in == EXPLANATION_FAILING ? step->time : step->reference_time,
	};
	set_change(step, proof);
	return proof;
}

void described_step_deinit(struct described_step *described)
{
	free(described->condition);
	free(described->switched);
	free(described->way);
}

void cause_set_decision(struct described_step *d, struct described_step *reference)
{
	struct explanation_step *step = d->step;
	struct explanation_value *value = vec_push(&step->values);

	if (d->condition) {
		value->name = GUARD_STEAL(d->condition);
		value->failing = mem_strdup(d->outcome ? "true" : "false");
		value->reference = mem_strdup(d->outcome ? "false" : "true");
	} else if (d->switched && d->way) {
		/* A patched run went a way that its value does not tell. */
		bool told = reference && reference->way && strcmp(reference->way, d->way) != 0;

		value->name = GUARD_STEAL(d->switched);
		value->failing = GUARD_STEAL(d->way);
		value->reference = mem_strdup(told ? reference->way : "another way");
	} else {
		/* A computed goto has no name. */
		value->name = mem_strdup("the jump");
		value->failing = mem_strdup("here");
		value->reference = mem_strdup("elsewhere");
	}
	value->function = mem_strdup_or_null(step->cause.function);
	for (uint32_t i = 0; i < step->proofs.size; i++)
		set_change(step, &step->proofs.at[i]);
}

/* --- where steps are, and what was executed there --- */

/* A statement that is described. */
struct wanted {
	uint64_t time;
	struct described_step *of;
	enum { WANT_PLACE, WANT_MAKER, WANT_UNTIL } what; /* as in struct described_step */
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

static struct explanation_place copy_place(const struct walk_place *place)
{
	return (struct explanation_place){.file = mem_strdup_or_null(place->file),
	                                  .line = place->line,
	                                  .column = place->column,
	                                  .function = mem_strdup_or_null(place->function)};
}

/* The statement as C has it: 'return 1', and not '(return value) = 1'. Takes the text. */
static char *statement_of(struct str *text)
{
	static const char result[] = "(return value) = ";
	char *statement = str_steal(text), *returned;

	if (strncmp(statement, result, strlen(result)) != 0)
		return statement;
	returned = str_format("return %s", statement + strlen(result));
	free(statement);
	return returned;
}

/* What made it a transition has been executed. */
static void describe_maker(struct described_step *to, const struct walk_place *place,
                           struct described *described)
{
	const char *text = str_text(&described->text);
	size_t length = described->text.length, way = described->result.length;
	size_t condition = strlen(" is "), switched = strlen("switch (") + strlen("): ");

	if (to->step->transition)
		to->step->cause = copy_place(place);
	/* The text is 'CONDITION is true'. */
	if (described->kind == DESCRIBED_BRANCH && length > way + condition) {
		to->condition = mem_strndup(text, length - way - condition);
		to->outcome = !strcmp(str_text(&described->result), "true");
	}
	/* The text is 'switch (EXPRESSION): WAY'. */
	if (described->kind == DESCRIBED_SWITCH && length >= way + switched) {
		to->switched = mem_strndup(text + strlen("switch ("), length - way - switched);
		to->way = mem_strdup(str_text(&described->result));
	}
	to->step->statement = statement_of(&described->text);
}

/* A statement has been executed, or calls. */
static void describe(struct describing *d, struct execution *e, const struct wanted *wanted,
                     bool inside)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc - 1);
	struct explanation_step *step = wanted->of->step;
	struct described described = {0};

	names_say_targets(d->names);
	describe_statement(d->names, e, inside, &described);
	if (wanted->what == WANT_MAKER) {
		describe_maker(wanted->of, &place, &described);
	} else if (wanted->what == WANT_UNTIL) {
		if (step->transition) {
			step->until = copy_place(&place);
			free(step->until.function);
			step->until.function = NULL;
		}
		step->until_statement = statement_of(&described.text);
	} else if (described.callee) {
		step->call = true;
		if (!step->when)
			step->when = str_format("%s() is called", described.callee);
	}
	described_deinit(&described);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS) {
		for (uint32_t i = d->next; i < d->wanted.size && d->wanted.at[i].time == number;
		     i++) {
			struct described_step *of = d->wanted.at[i].of;
			const struct activation *a = execution_top(e, 0);
			struct walk_place place = cause_place(d->names, a->function, a->pc);

			if (d->wanted.at[i].what != WANT_PLACE)
				continue;
			of->step->at = copy_place(&place);
			if (of->begins && place.function)
				of->step->when = str_format("%s() starts", place.function);
		}
		return;
	}
	names_follow(d->names);
	if (event == EXECUTION_CALLS_BACK)
		return;
	for (; d->next < d->wanted.size && d->wanted.at[d->next].time <= number; d->next++) {
		const struct wanted *wanted = &d->wanted.at[d->next];

		if (wanted->time == number && (wanted->what != WANT_PLACE || wanted->of->calls))
			describe(d, e, wanted, event == EXECUTION_CALLS);
	}
	if (d->next == d->wanted.size)
		walk_halt(execution_walk(e));
}

static void want(struct describing *d, struct described_step *of, uint64_t time, int what)
{
	if (time)
		*vec_push(&d->wanted) = (struct wanted){.time = time, .of = of, .what = what};
}

struct hence_error *cause_describe(const struct recording *failing, struct described_step *steps,
                                   uint32_t count)
{
	struct describing d = {0};
	const struct execution_options options = {
		.table = failing->table, .begins = true, .statement = on_statement, .context = &d};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		want(&d, &steps[i], steps[i].step->time, WANT_PLACE);
		want(&d, &steps[i], steps[i].maker, WANT_MAKER);
		want(&d, &steps[i], steps[i].until, WANT_UNTIL);
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
