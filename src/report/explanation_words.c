/* The words of an explanation: see explanation_words.h. */
#include "report/explanation_words.h"

#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "report/explanation_fixes.h"

#define MOST_VALUES 4u /* that a sentence tells */

const struct explanation_marks explanation_unmarked = {"", "", "", ""};

void explanation_add_ordinal(struct str *out, uint64_t number)
{
	const char *ending = number % 100 >= 11 && number % 100 <= 13 ? "th"
	                     : number % 10 == 1                       ? "st"
	                     : number % 10 == 2                       ? "nd"
	                     : number % 10 == 3                       ? "rd"
	                                                              : "th";

	str_printf(out, "%llu%s", (unsigned long long)number, ending);
}

/* --- sentences --- */

static void add_value(struct str *out, const struct explanation_value *v,
                      const struct explanation_marks *marks, unsigned longest)
{
	str_add(out, marks->name);
	explanation_add_safe(out, v->name);
	str_printf(out, "%s %s%s", marks->end, v->failing ? "is " : "does not exist",
	           marks->failing);
	if (v->failing)
		explanation_add_short(out, v->failing, v->reference, longest);
	str_printf(out, "%s (%s%s", marks->end,
	           !v->reference ? "does not exist in the reference"
	           : v->failing  ? "not "
	                         : "is ",
	           v->reference ? marks->reference : "");
	if (v->reference)
		explanation_add_short(out, v->reference, v->failing, longest);
	str_printf(out, "%s%s)", v->reference ? marks->end : "",
	           v->reference && !v->failing ? " in the reference" : "");
}

static void add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                       const struct explanation_marks *marks, unsigned longest)
{
	uint32_t shown = count > MOST_VALUES ? MOST_VALUES - 1 : count;

	for (uint32_t i = 0; i < shown; i++) {
		str_add(out, !i ? "" : i + 1 == count ? " and " : ", ");
		add_value(out, &values[i], marks, longest);
	}
	if (shown < count)
		str_printf(out, " and %u more variables", count - shown);
}

void explanation_add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                            const struct explanation_marks *marks)
{
	add_values(out, values, count, marks, EXPLANATION_SHORT_VALUE);
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

static bool is_case(const char *text)
{
	return text && (!strncmp(text, "case ", strlen("case ")) || !strcmp(text, "default"));
}

/* 'switch (state) goes to case STAR (not to default)'. */
static void add_switch(struct str *out, const struct explanation_value *v,
                       const struct explanation_marks *marks)
{
	str_printf(out, "switch (%s", marks->name);
	explanation_add_safe(out, v->name);
	str_printf(out, "%s) goes to %s", marks->end, marks->failing);
	explanation_add_safe(out, v->failing);
	str_printf(out, "%s (%s %s", marks->end,
	           is_case(v->reference) ? "not to" : "the reference goes", marks->reference);
	explanation_add_safe(out, v->reference);
	str_printf(out, "%s)", marks->end);
}

/* Is it a switch that went different ways? */
static bool is_switch(const struct explanation_step *step)
{
	return is_branch(step) && step->values.size == 1 && step->values.at[0].name &&
	       is_case(step->values.at[0].failing) && step->values.at[0].reference &&
	       (is_case(step->values.at[0].reference) ||
	        !strcmp(step->values.at[0].reference, "another way"));
}

/* Is it the text of a pointer or of a structure: what is told of it differs with the way that it is looked at. */
static bool is_opaque(const char *value)
{
	return *value == '{' || *value == '"' || *value == '&' || !strncmp(value, "0x", 2) ||
	       !strcmp(value, "a heap block");
}

/* Does `left = right` tell about this variable? */
static bool assigns(const char *statement, const struct explanation_value *v)
{
	const char *equals = strstr(statement, " = ");
	const char *right = equals ? equals + strlen(" = ") : NULL;
	size_t left = equals ? (size_t)(equals - statement) : 0;

	if (!equals || !v->name || !v->failing || strncmp(v->name, statement, left))
		return false;
	if (!v->name[left])
		return !strcmp(right, v->failing) || is_opaque(right);
	return strchr(".[", v->name[left]) && *right == '{';
}

bool explanation_is_told(const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->values.size && step->statement; i++)
		if (assigns(step->statement, &step->values.at[i]))
			return true;
	return false;
}

/* A statement that assigns the variable tells more than the moment that comes next. */
static bool shows_cause(const struct explanation_step *step)
{
	return step->transition && step->cause.file && (!step->when || explanation_is_told(step));
}

void explanation_add_step_short(struct str *out, const struct explanation_step *step,
                                const struct explanation_marks *marks, unsigned longest)
{
	if (step->what)
		add_what(out, step, marks);
	else if (is_switch(step))
		add_switch(out, &step->values.at[0], marks);
	else
		add_values(out, step->values.at, step->values.size, marks, longest);
	if (step->when && !shows_cause(step)) {
		str_add(out, " when ");
		explanation_add_safe(out, step->when);
	} else if (step->transition && step->statement && !step->until.file &&
	           !explanation_is_told(step) && !is_branch(step)) {
		str_add(out, " after ");
		explanation_add_short(out, step->statement, NULL, longest);
	}
}

void explanation_add_step(struct str *out, const struct explanation_step *step,
                          const struct explanation_marks *marks)
{
	explanation_add_step_short(out, step, marks, 0);
}

/* 'a, b and c'. */
static void add_names(struct str *out, const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->values.size; i++) {
		str_add(out, !i ? "" : i + 1 == step->values.size ? " and " : ", ");
		explanation_add_safe(out, step->values.at[i].name);
	}
}

bool explanation_add_reason(struct str *out, const struct explanation_step *step, unsigned longest)
{
	const struct explanation_value *v = step->values.size ? step->values.at : NULL;
	struct str text = STR_INIT, names = STR_INIT;
	bool fits;

	for (uint32_t i = 0; i < step->values.size; i++)
		if (!step->values.at[i].name)
			v = NULL;
	if (!v || step->what) {
		explanation_add_safe(&text, step->what ? step->what : "");
	} else {
		add_names(&names, step);
		if (is_switch(step))
			str_printf(&text, "switch (%s) goes to ", str_text(&names));
		else if (step->values.size == 1)
			str_printf(&text, "%s %s", str_text(&names),
			           v->failing ? "is " : "does not exist");
		if (step->values.size == 1)
			explanation_add_safe(&text, v->failing ? v->failing : "");
	}
	if (names.length && (!text.length || columns_of(text.text, text.length) > longest)) {
		str_deinit(&text);
		str_printf(&text, "of %s", str_text(&names));
	}
	fits = text.length && columns_of(text.text, text.length) <= longest;
	str_add(out, fits ? str_text(&text) : "");
	str_deinit(&names);
	str_deinit(&text);
	return fits;
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

bool explanation_changed_these(const struct explanation_step *step,
                               const struct explanation_proof *proof)
{
	const struct explanation_value *v = step->values.size == 1 ? step->values.at : NULL;
	const char *to = v && !strcmp(proof->in, "failing") ? v->reference : v ? v->failing : NULL;

	if (!v)
		return explanation_changed_all(step, proof);
	return v->name && !strcmp(v->name, proof->changed) && to && proof->to &&
	       !strcmp(to, proof->to);
}

void explanation_add_proof_short(struct str *out, const struct explanation_step *step,
                                 const struct explanation_proof *proof, unsigned longest)
{
	bool failing = !strcmp(proof->in, "failing"), one = step->values.size == 1;

	str_add(out, "with ");
	if (explanation_changed_these(step, proof)) {
		str_printf(out, "%s%s",
		           failing ? "the value"
		           : one   ? "this value"
		                   : "these value",
		           one ? "" : "s");
		str_add(out, failing ? " in brackets" : "");
	} else {
		explanation_add_short(out, proof->changed, NULL, longest);
		str_add(out, proof->to ? " = " : "");
		explanation_add_short(out, proof->to ? proof->to : "", NULL, longest);
	}
	str_printf(out, " the %s run %s", proof->in, outcome_words(proof));
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
	if (e->fixes_only && strcmp(e->verdict, "incomplete"))
		explanation_add_no_fix(out, e);
	else if (!strcmp(e->verdict, "incomplete"))
		str_add(out, "incomplete: the search was ended early; this is what was known");
	else
		str_add(out, any ? "that this is why it fails is not proven"
		                 : "no cause could be proven");
}
