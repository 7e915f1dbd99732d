/* The words of an explanation: see explanation_words.h. */
#include "report/explanation_words.h"

#include <stdlib.h>
#include <string.h>

#include "report/json.h"

#define MOST_VALUES 4u /* that a sentence tells */

const struct explanation_marks explanation_unmarked = {"", "", "", ""};

/* --- what a terminal may see --- */

static void add_control(struct str *out, unsigned char c)
{
	if (c == '\n')
		str_add(out, "\\n");
	else if (c == '\t')
		str_add(out, "\\t");
	else
		str_printf(out, "\\x%02x", c);
}

void explanation_add_safe(struct str *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (*at) {
		size_t length = json_utf8_length(at);
		bool safe = length && !json_is_obeyed(at, length);

		if (safe)
			str_add_bytes(out, at, length);
		for (size_t i = 0; !safe && i < (length ? length : 1); i++)
			add_control(out, at[i]);
		at += length ? length : 1;
	}
}

/* --- sentences --- */

static void add_value(struct str *out, const struct explanation_value *v,
                      const struct explanation_marks *marks)
{
	str_add(out, marks->name);
	explanation_add_safe(out, v->name);
	str_printf(out, "%s %s%s", marks->end, v->failing ? "is " : "does not exist",
	           marks->failing);
	if (v->failing)
		explanation_add_safe(out, v->failing);
	str_printf(out, "%s (%s%s", marks->end,
	           !v->reference ? "does not exist in the reference"
	           : v->failing  ? "not "
	                         : "is ",
	           v->reference ? marks->reference : "");
	if (v->reference)
		explanation_add_safe(out, v->reference);
	str_printf(out, "%s%s)", v->reference ? marks->end : "",
	           v->reference && !v->failing ? " in the reference" : "");
}

void explanation_add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                            const struct explanation_marks *marks)
{
	uint32_t shown = count > MOST_VALUES ? MOST_VALUES - 1 : count;

	for (uint32_t i = 0; i < shown; i++) {
		str_add(out, !i ? "" : i + 1 == count ? " and " : ", ");
		add_value(out, &values[i], marks);
	}
	if (shown < count)
		str_printf(out, " and %u more variables", count - shown);
}

/* A step that is a branch is told by its condition. */
static bool is_branch(const struct explanation_step *step)
{
	return step->kind && !strcmp(step->kind, "branch");
}

/* 'the program prints 0 (not 7)'; of a branch, what the other way leads to: '(the reference prints 7
   next)'. */
static void add_what(struct str *out, const struct explanation_step *step,
                     const struct explanation_marks *marks)
{
	const struct explanation_value *v = step->values.size ? step->values.at : NULL;

	explanation_add_safe(out, step->what);
	if (!v || !v->reference)
		return;
	str_printf(out, " (%s %s", is_branch(step) ? "the reference" : "not", marks->reference);
	explanation_add_safe(out, v->reference);
	str_printf(out, "%s)", marks->end);
}

/* 'switch (state) goes to case STAR (not to default)'. */
static void add_switch(struct str *out, const struct explanation_value *v,
                       const struct explanation_marks *marks)
{
	str_printf(out, "switch (%s", marks->name);
	explanation_add_safe(out, v->name);
	str_printf(out, "%s) goes to %s", marks->end, marks->failing);
	explanation_add_safe(out, v->failing);
	str_printf(out, "%s (not to %s", marks->end, marks->reference);
	explanation_add_safe(out, v->reference);
	str_printf(out, "%s)", marks->end);
}

static bool is_case(const char *text)
{
	return text && (!strncmp(text, "case ", strlen("case ")) || !strcmp(text, "default"));
}

/* Is it a switch that went different ways? */
static bool is_switch(const struct explanation_step *step)
{
	return is_branch(step) && step->values.size == 1 && step->values.at[0].name &&
	       is_case(step->values.at[0].failing) && is_case(step->values.at[0].reference);
}

bool explanation_is_told(const struct explanation_step *step)
{
	bool told = false;

	for (uint32_t i = 0; i < step->values.size && !told && step->statement; i++) {
		const struct explanation_value *v = &step->values.at[i];
		char *text;

		if (!v->name || !v->failing)
			continue;
		text = str_format("%s = %s", v->name, v->failing);
		told = !strcmp(text, step->statement);
		free(text);
	}
	return told;
}

/* A statement that assigns the variable tells more than the moment that comes next. */
static bool shows_cause(const struct explanation_step *step)
{
	return step->transition && step->cause.file && (!step->when || explanation_is_told(step));
}

void explanation_add_step(struct str *out, const struct explanation_step *step,
                          const struct explanation_marks *marks)
{
	if (step->what)
		add_what(out, step, marks);
	else if (is_switch(step))
		add_switch(out, &step->values.at[0], marks);
	else
		explanation_add_values(out, step->values.at, step->values.size, marks);
	if (step->when && !shows_cause(step)) {
		str_add(out, " when ");
		explanation_add_safe(out, step->when);
	} else if (step->transition && step->statement && !step->until.file &&
	           !explanation_is_told(step) && !is_branch(step)) {
		str_add(out, " after ");
		explanation_add_safe(out, step->statement);
	}
}

/* 'passes', 'still fails': what the run does now; of a proof about the next step, whether that comes. */
static const char *outcome_words(const struct explanation_proof *proof)
{
	bool failing = !strcmp(proof->in, "failing");

	if (proof->local && explanation_proves(proof))
		return failing ? "does not come to the next step" : "comes to the next step";
	if (proof->local)
		return "does not show whether the next step follows";
	if (!strcmp(proof->outcome, "pass"))
		return failing ? "passes" : "still passes";
	if (!strcmp(proof->outcome, "fail"))
		return failing ? "still fails" : "fails";
	return "neither passes nor fails";
}

/* Is the name in a list with ', ' between? */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
		if ((at == list || (at[-1] == ' ' && at - 1 > list && at[-2] == ',')) &&
		    (!at[length] || (at[length] == ',' && at[length + 1] == ' ')))
			return true;
	return false;
}

bool explanation_changed_all(const struct explanation_step *step,
                             const struct explanation_proof *proof)
{
	size_t length = 0;

	for (uint32_t i = 0; i < step->values.size; i++) {
		if (!step->values.at[i].name || !is_listed(proof->changed, step->values.at[i].name))
			return false;
		length += strlen(step->values.at[i].name) + (i ? strlen(", ") : 0);
	}
	return step->values.size > 1 && length == strlen(proof->changed);
}

/* 'a = 1 and b = 2'. */
static void add_change(struct str *out, const struct explanation_step *step,
                       const struct explanation_proof *proof)
{
	bool failing = !strcmp(proof->in, "failing");

	if (!explanation_changed_all(step, proof)) {
		explanation_add_safe(out, proof->changed);
		str_add(out, proof->to ? " = " : "");
		explanation_add_safe(out, proof->to ? proof->to : "");
		return;
	}
	if (step->values.size > MOST_VALUES) {
		str_add(out, failing ? "the values of the reference" : "these values");
		return;
	}
	for (uint32_t i = 0; i < step->values.size; i++) {
		const struct explanation_value *v = &step->values.at[i];
		const char *to = failing ? v->reference : v->failing;

		str_add(out, !i ? "" : i + 1 == step->values.size ? " and " : ", ");
		explanation_add_safe(out, v->name);
		str_add(out, to ? " = " : " taken away");
		explanation_add_safe(out, to ? to : "");
	}
}

void explanation_add_proof(struct str *out, const struct explanation_step *step,
                           const struct explanation_proof *proof)
{
	str_add(out, "with ");
	add_change(out, step, proof);
	str_printf(out, " the %s run %s [experiment %llu%s]", proof->in, outcome_words(proof),
	           (unsigned long long)proof->experiment, proof->guarded ? ", guarded" : "");
}

void explanation_add_place(struct str *out, const struct explanation_place *place)
{
	explanation_add_safe(out, place->file ? place->file : "?");
	if (place->line)
		str_printf(out, ":%u", place->line);
	if (place->line && place->column)
		str_printf(out, ":%u", place->column);
}

bool explanation_proves(const struct explanation_proof *proof)
{
	return !strcmp(proof->outcome, strcmp(proof->in, "failing") ? "fail" : "pass");
}

const struct explanation_place *explanation_step_place(const struct explanation_step *step)
{
	return shows_cause(step) ? &step->cause : &step->at;
}

/* --- for printers that have a line, a message or a node for each of them --- */

const struct explanation_place *explanation_failure_place(const struct explanation *e)
{
	if (e->failure.at.file && *e->failure.at.file)
		return &e->failure.at;
	for (uint32_t i = e->steps.size; i-- > 0;) {
		const struct explanation_place *place = explanation_step_place(&e->steps.at[i]);

		if (place->file && *place->file)
			return place;
	}
	return NULL;
}

void explanation_add_failure(struct str *out, const struct explanation *e)
{
	explanation_add_safe(out, e->program ? e->program : "the program");
	str_add_char(out, ' ');
	explanation_add_safe(out, e->failure.message ? e->failure.message : "fails");
}

void explanation_add_proven(struct str *out, const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->proofs.size; i++)
		str_printf(out, "%s%llu", i ? ", " : " [experiment ",
		           (unsigned long long)step->proofs.at[i].experiment);
	if (step->proofs.size)
		str_add_char(out, ']');
	if (!step->proven && !step->observed)
		str_add(out, " (not proven)");
}

static void add_statement(struct str *out, const struct explanation_place *place,
                          const char *statement)
{
	explanation_add_place(out, place);
	if (!statement)
		return;
	str_add(out, ": ");
	explanation_add_safe(out, statement);
}

static bool same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

void explanation_add_cause(struct str *out, const struct explanation_step *step)
{
	if (!step->transition || !step->cause.file)
		return;
	if (step->until.file) {
		str_add(out, "it became the cause between ");
		add_statement(out, &step->cause, step->statement);
		str_add(out, " and ");
		add_statement(out, &step->until, step->until_statement);
	} else if (explanation_step_place(step) != &step->cause &&
	           !same_line(&step->at, &step->cause)) {
		str_add(out, "it became the cause at ");
		add_statement(out, &step->cause, step->statement);
	}
}

void explanation_add_verdict(struct str *out, const struct explanation *e)
{
	bool any = false;

	if (!e->verdict || !strcmp(e->verdict, "explained"))
		return;
	for (uint32_t i = 0; i < e->steps.size; i++)
		any |= e->steps.at[i].proven;
	if (!strcmp(e->verdict, "incomplete"))
		str_add(out, "incomplete: the search was ended early; this is what was known");
	else
		str_add(out, any ? "that this is why it fails is not proven"
		                 : "no cause could be proven");
}
