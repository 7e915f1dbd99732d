/* The words of an explanation: see explanation_words.h. */
#include "report/explanation_words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/columns.h"
#include "report/json.h"

#define MOST_VALUES  4u  /* that a sentence tells */
#define MANY_PLACES  5u  /* more lines than this have a plausible edit: most of them by accident */
#define LONGEST_EDIT 32u /* columns of an edit at another line */
#define MARK_ROOM    6u  /* columns after a mark, so that one sees what is marked */

/* --- texts of the program as a terminal may see them --- */

void explanation_add_control(struct str *out, unsigned char c)
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
			explanation_add_control(out, at[i]);
		at += length ? length : 1;
	}
}

bool explanation_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* --- values, shortened --- */

/* The last columns of a text; one less where half a character would be left. */
static const char *tail(const char *text, unsigned columns)
{
	unsigned all = columns_all(text);
	const char *rest = all > columns ? text + columns_fit(text, all - columns) : text;

	return columns_all(rest) > columns ? text + columns_fit(text, all - columns + 1) : rest;
}

static void add_head(struct str *out, const char *text, unsigned columns)
{
	str_add_bytes(out, text, columns_fit(text, columns));
}

void explanation_add_short(struct str *out, const char *value, const char *other, unsigned longest)
{
	struct str safe GUARD(str_deinit) = STR_INIT, against GUARD(str_deinit) = STR_INIT;
	unsigned all, differs;
	const char *text, *against_text;
	size_t common = 0; /* bytes in front, up to the beginning of a character */

	explanation_add_safe(&safe, value);
	text = str_text(&safe);
	all = columns_all(text);
	explanation_add_safe(&against, other ? other : "");
	against_text = str_text(&against);
	while (text[common] && text[common] == against_text[common])
		common++;
	while (common && ((unsigned char)text[common] & 0xc0) == 0x80)
		common--;
	differs = columns_of(text, common);
	if (!longest || all <= longest) {
		str_add(out, text);
	} else if (differs + 3 >= longest / 2 && differs + longest / 2 < all) {
		/* beginning ... what differs ... end */
		add_head(out, text, longest / 4);
		str_add(out, "...");
		add_head(out, text + columns_fit(text, differs > 4 ? differs - 4 : 0),
		         longest / 2 - 6);
		str_add(out, "...");
		str_add(out, tail(text, longest / 4));
	} else {
		add_head(out, text, (longest - 3) / 2);
		str_add(out, "...");
		str_add(out, tail(text, longest - 3 - (longest - 3) / 2));
	}
}

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

/* --- sentences of steps and proofs --- */

static void add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                       const struct explanation_marks *marks, unsigned longest)
{
	uint32_t shown = count > MOST_VALUES ? MOST_VALUES - 1 : count;

	for (uint32_t i = 0; i < shown; i++) {
		const struct explanation_value *v = &values[i];

		str_printf(out, "%s%s", !i ? "" : i + 1 == count ? " and " : ", ", marks->name);
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
	if (shown < count)
		str_printf(out, " and %u more variables", count - shown);
}

void explanation_add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                            const struct explanation_marks *marks)
{
	add_values(out, values, count, marks, EXPLANATION_SHORT_VALUE);
}

/* The sentence of a branch is its condition. */
static bool is_branch(const struct explanation_step *step)
{
	return step->kind == EXPLANATION_BRANCH;
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

/* Is it a switch that went different ways? */
static bool is_switch(const struct explanation_step *step)
{
	return is_branch(step) && step->values.size == 1 && step->values.at[0].name &&
	       is_case(step->values.at[0].failing) && step->values.at[0].reference &&
	       (is_case(step->values.at[0].reference) ||
	        !strcmp(step->values.at[0].reference, "another way"));
}

/* Does `left = right` tell about this variable? */
static bool assigns(const char *statement, const struct explanation_value *v)
{
	const char *equals = strstr(statement, " = ");
	const char *right = equals ? equals + strlen(" = ") : NULL;
	size_t left = equals ? (size_t)(equals - statement) : 0;

	if (!equals || !v->name || !v->failing || strncmp(v->name, statement, left))
		return false;
	/* Pointers and structures are described differently from different sides, so any text of one will do. */
	if (!v->name[left])
		return !strcmp(right, v->failing) || (*right && strchr("{\"&", *right)) ||
		       !strncmp(right, "0x", 2) || !strcmp(right, "a heap block");
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
	else if (is_switch(step)) {
		/* 'switch (state) goes to case STAR (not to default)'. */
		const struct explanation_value *v = &step->values.at[0];

		str_printf(out, "switch (%s", marks->name);
		explanation_add_safe(out, v->name);
		str_printf(out, "%s) goes to %s", marks->end, marks->failing);
		explanation_add_safe(out, v->failing);
		str_printf(out, "%s (%s %s", marks->end,
		           is_case(v->reference) ? "not to" : "the reference goes",
		           marks->reference);
		explanation_add_safe(out, v->reference);
		str_printf(out, "%s)", marks->end);
	} else
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

bool explanation_add_reason(struct str *out, const struct explanation_step *step, unsigned longest)
{
	const struct explanation_value *v = step->values.size ? step->values.at : NULL;
	struct str text = STR_INIT, names GUARD(str_deinit) = STR_INIT;
	bool fits;

	for (uint32_t i = 0; i < step->values.size; i++)
		if (!step->values.at[i].name)
			v = NULL;
	if (!v || step->what) {
		explanation_add_safe(&text, step->what ? step->what : "");
	} else {
		for (uint32_t i = 0; i < step->values.size; i++) {
			str_add(&names, !i ? "" : i + 1 == step->values.size ? " and " : ", ");
			explanation_add_safe(&names, step->values.at[i].name);
		}
		if (is_switch(step))
			str_printf(&text, "switch (%s) goes to ", str_text(&names));
		else if (step->values.size == 1)
			str_printf(&text, "%s %s", str_text(&names),
			           v->failing ? "is " : "does not exist");
		if (step->values.size == 1)
			explanation_add_safe(&text, v->failing ? v->failing : "");
	}
	if (names.length && (!text.length || columns_all(text.text) > longest)) {
		str_deinit(&text);
		str_printf(&text, "of %s", str_text(&names));
	}
	fits = text.length && columns_all(text.text) <= longest;
	str_add(out, fits ? str_text(&text) : "");
	str_deinit(&text);
	return fits;
}

/* 'passes', 'still fails': what the run does now; of a proof about the next step, whether that comes. */
static const char *outcome_words(const struct explanation_proof *proof)
{
	bool failing = proof->in == EXPLANATION_FAILING;

	if (proof->local && explanation_proves(proof))
		return failing ? "does not come to the next step" : "comes to the next step";
	if (proof->local)
		return "does not show whether the next step follows";
	if (proof->outcome == VERDICT_PASS)
		return failing ? "passes" : "still passes";
	if (proof->outcome == VERDICT_FAIL)
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
	bool failing = proof->in == EXPLANATION_FAILING;

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
	str_printf(out, " the %s run %s [experiment %llu%s]", explanation_run_names[proof->in],
	           outcome_words(proof), (unsigned long long)proof->experiment,
	           proof->guarded ? ", guarded" : "");
}

bool explanation_changed_these(const struct explanation_step *step,
                               const struct explanation_proof *proof)
{
	const struct explanation_value *v = step->values.size == 1 ? step->values.at : NULL;
	const char *to = v && proof->in == EXPLANATION_FAILING ? v->reference
	                 : v                                   ? v->failing
	                                                       : NULL;

	if (!v)
		return explanation_changed_all(step, proof);
	return v->name && !strcmp(v->name, proof->changed) && to && proof->to &&
	       !strcmp(to, proof->to);
}

void explanation_add_proof_short(struct str *out, const struct explanation_step *step,
                                 const struct explanation_proof *proof, unsigned longest)
{
	bool failing = proof->in == EXPLANATION_FAILING, one = step->values.size == 1;

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
	str_printf(out, " the %s run %s", explanation_run_names[proof->in], outcome_words(proof));
}

void explanation_add_place(struct str *out, const struct explanation_place *place)
{
	explanation_add_safe(out, place->file ? place->file : "?");
	if (place->line)
		str_printf(out, ":%u", place->line);
	if (place->line && place->column)
		str_printf(out, ":%u", place->column);
}

void explanation_add_place_in(struct str *out, const struct explanation_place *place,
                              const char *colour, const char *plain)
{
	str_add(out, colour);
	explanation_add_place(out, place);
	str_add(out, plain);
	if (place->function) {
		str_add(out, " in ");
		explanation_add_safe(out, place->function);
		str_add(out, "()");
	}
}

bool explanation_same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

bool explanation_same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return explanation_same_line(a, b) && a->column == b->column;
}

bool explanation_proves(const struct explanation_proof *proof)
{
	return proof->outcome == (proof->in == EXPLANATION_FAILING ? VERDICT_PASS : VERDICT_FAIL);
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
	           !explanation_same_line(&step->at, &step->cause)) {
		str_add(out, "it became the cause at ");
		add_statement(out, &step->cause, step->statement);
	}
}

void explanation_add_verdict(struct str *out, const struct explanation *e)
{
	bool any = false;

	if (!e->verdict || e->verdict == EXPLANATION_EXPLAINED)
		return;
	for (uint32_t i = 0; i < e->steps.size; i++)
		any |= e->steps.at[i].proven;
	if (e->fixes_only && e->verdict != EXPLANATION_INCOMPLETE)
		explanation_add_no_fix(out, e);
	else if (e->verdict == EXPLANATION_INCOMPLETE)
		str_add(out, "incomplete: the search was ended early; this is what was known");
	else
		str_add(out, any ? "that this is why it fails is not proven"
		                 : "no cause could be proven");
}

/* --- plausible edits --- */

bool explanation_sought_fixes(const struct explanation *e)
{
	return e->fixes_sought || e->fixes_only || e->fixes.size || e->stats.edits;
}

const struct explanation_fix *explanation_find_fix(const struct explanation *e, const char *edit)
{
	for (uint32_t i = 0; i < e->fixes.size; i++)
		if (e->fixes.at[i].edit && !strcmp(e->fixes.at[i].edit, edit))
			return &e->fixes.at[i];
	return NULL;
}

void explanation_fix_clamp(struct explanation_fix *fix)
{
	size_t length = fix->after ? strlen(fix->after) : 0;

	if (fix->mark > length)
		fix->mark = (unsigned)length;
	if (fix->mark_length > length - fix->mark)
		fix->mark_length = (unsigned)(length - fix->mark);
}

uint32_t explanation_shown_fixes(const struct explanation *e, const struct explanation_style *style)
{
	uint32_t most = e->fixes_only ? EXPLANATION_SHOWN_FIXES : 1;

	return style->full || style->all_fixes || e->fixes.size < most ? e->fixes.size : most;
}

/* Was it tried on one failing run only? */
static bool is_thin(const struct explanation_fix *fix)
{
	return fix->failing_of <= 1 && !fix->passing_of;
}

bool explanation_is_doubtful(const struct explanation *e)
{
	const struct explanation_fix *best = e->fixes.at;

	/* Not all passing runs stay as they were, or not all failing ones become right. */
	return e->fixes.size &&
	       (is_thin(best) || best->passing < best->passing_of ||
	        best->failing < best->failing_of || e->stats.edit_places > MANY_PLACES);
}

/* --- sentences of plausible edits --- */

/* '1 edit', '2 edits'. */
static void add_count(struct str *out, uint64_t count, const char *one)
{
	str_printf(out, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

/* What the failing run does with the change. */
static const char *effect(enum explanation_kind kind)
{
	switch (kind) {
	case EXPLANATION_WRONG_OUTPUT: return "prints what is expected";
	case EXPLANATION_CRASH: return "does not crash";
	case EXPLANATION_ABORT: return "does not abort";
	case EXPLANATION_ASSERT: return "meets the assertion";
	case EXPLANATION_EXIT: return "exits as it should";
	case EXPLANATION_HANG: return "terminates";
	case EXPLANATION_MEMORY: return "has no memory error";
	case EXPLANATION_TEST: return "passes the test";
	default: return "passes";
	}
}

void explanation_add_tried(struct str *out, const struct explanation *e,
                           const struct explanation_fix *fix)
{
	str_add(out, "with this change ");
	if (fix->failing_of <= 1)
		str_printf(out, "the program %s", effect(e->failure.kind));
	else if (fix->failing == fix->failing_of)
		str_printf(out, "all %u failing runs pass", fix->failing_of);
	else
		str_printf(out, "%u of %u failing runs pass%s", fix->failing, fix->failing_of,
		           fix->failing == 1 ? "es" : "");
	if (fix->passing == 1 && fix->passing_of == 1)
		str_add(out, ", and the passing run stays as it was");
	else if (fix->passing_of && fix->passing == fix->passing_of)
		str_printf(out, ", and the %u passing runs stay as they were", fix->passing);
	else if (fix->passing < fix->passing_of)
		str_printf(out, ", but %u of %u passing run%s do%s not stay as %s",
		           fix->passing_of - fix->passing, fix->passing_of,
		           fix->passing_of == 1 ? "" : "s",
		           fix->passing_of - fix->passing == 1 ? "es" : "",
		           fix->passing_of - fix->passing == 1 ? "it was" : "they were");
	if (fix->experiment)
		str_printf(out, " [experiment %llu]", (unsigned long long)fix->experiment);
}

void explanation_add_agree(struct str *out, const struct explanation_fix *fix)
{
	if (fix->fitted)
		str_add(out,
		        "it was looked up so that it fits these runs: that they agree says less");
	else if (fix->agree)
		str_printf(out, "%u other kind%s of change of this line make%s it pass, too",
		           fix->agree, fix->agree == 1 ? "" : "s", fix->agree == 1 ? "s" : "");
}

/* '412 edits were tried of 900'. */
static void add_tried_of(struct str *out, const struct explanation *e)
{
	add_count(out, e->stats.edits_run, "edit");
	str_printf(out, " tried of %llu", (unsigned long long)e->stats.edits);
}

void explanation_add_doubt(struct str *out, const struct explanation *e)
{
	bool prints = e->failure.kind == EXPLANATION_WRONG_OUTPUT;

	if (!e->fixes.size || !is_thin(&e->fixes.at[0]))
		return;
	str_printf(out,
	           "this is little evidence: it was tried on one failing run and no passing one, "
	           "and %s "
	           "by accident",
	           prints ? "one short output can become right" : "one run can pass");
	if (e->stats.edits) {
		str_add(out, " (");
		add_tried_of(out, e);
		str_add_char(out, ')');
	}
	str_add(out, "; runs that pass, given with --pass or --tests, tell more");
}

void explanation_add_many(struct str *out, const struct explanation *e)
{
	if (e->fixes.size && e->stats.edit_places > MANY_PLACES)
		str_printf(out,
		           "%llu lines have such a change: most of them must be accidents, and the "
		           "first may be one",
		           (unsigned long long)e->stats.edit_places);
}

/* Is it the first on its line? */
static bool is_first(const struct explanation *e, uint32_t index)
{
	const struct explanation_place *at = &e->fixes.at[index].at;

	for (uint32_t i = 0; i < index; i++) {
		const struct explanation_place *other = &e->fixes.at[i].at;

		if (other->line == at->line && !other->file == !at->file &&
		    (!at->file || !strcmp(other->file, at->file)))
			return false;
	}
	return true;
}

void explanation_add_other_fixes(struct str *out, const struct explanation *e, uint32_t most)
{
	uint64_t others = 0;
	uint32_t named = 0;

	for (uint32_t i = 1; i < e->fixes.size; i++)
		others += is_first(e, i);
	if (e->stats.edit_places > others + 1)
		others = e->stats.edit_places - 1;
	if (!e->fixes.size || !others)
		return;
	add_count(out, others, "other line");
	str_printf(out, " %s such a change, too", others == 1 ? "has" : "have");
	if (others + 1 > MANY_PLACES)
		str_add(out, ", so that it is here may well be an accident");
	for (uint32_t i = 1; i < e->fixes.size && named < most; i++) {
		const struct explanation_fix *fix = &e->fixes.at[i];
		struct explanation_place place = fix->at;

		if (!is_first(e, i))
			continue;
		place.column = 0;
		str_add(out, named++ ? ", " : ": ");
		explanation_add_place(out, &place);
		if (fix->after && *fix->after) {
			str_add(out, " (");
			explanation_add_short(out, fix->after, fix->before,
			                      most == UINT32_MAX ? 0 : LONGEST_EDIT);
			str_add_char(out, ')');
		} else {
			str_add(out, " (deleted)");
		}
	}
	if (named && named < others)
		str_add(out, " ...");
}

void explanation_add_no_fix(struct str *out, const struct explanation *e)
{
	if (e->fixes.size || !explanation_sought_fixes(e))
		return;
	str_add(out, "no small change of the code was found: ");
	add_tried_of(out, e);
	if (e->stats.edits_idle)
		str_printf(out, " (%llu of the others change%s nothing in the failing run)",
		           (unsigned long long)e->stats.edits_idle,
		           e->stats.edits_idle == 1 ? "s" : "");
}

void explanation_add_edit_counts(struct str *out, const struct explanation *e)
{
	uint64_t idle = e->stats.edits_idle, run = e->stats.edits_run;

	add_count(out, e->stats.edits, "edit");
	str_printf(out, ": %llu change%s nothing in the failing run, %llu %s run",
	           (unsigned long long)idle, idle == 1 ? "s" : "", (unsigned long long)run,
	           run == 1 ? "was" : "were");
	if (e->stats.edits > idle + run)
		str_printf(out, ", %llu not tried",
		           (unsigned long long)(e->stats.edits - idle - run));
	str_printf(out, "; %llu plausible", (unsigned long long)e->stats.edits_plausible);
	if (e->stats.edit_places) {
		str_add(out, ", on ");
		add_count(out, e->stats.edit_places, "line");
	}
}

/* --- lines of source --- */

/* The first `length` bytes of a line, as they are shown: a tab is one column. */
static void add_part(const char *text, size_t length, struct str *out)
{
	char *part GUARD_FREE = mem_strndup(text, length);

	for (char *at = part; *at; at++)
		if (*at == '\t')
			*at = ' ';
	explanation_add_safe(out, part);
}

void explanation_add_source(const struct explanation_place *place, unsigned room, struct str *line,
                            unsigned *mark)
{
	const char *source = place->source;
	size_t skip = strspn(source, " \t");

	*mark = UINT_MAX;
	if (place->column > skip && place->column <= strlen(source)) {
		/* Where the character begins that the byte belongs to. */
		size_t at = place->column - 1, start = at;
		struct str before GUARD(str_deinit) = STR_INIT;

		while (start && at - start < 3 && ((unsigned char)source[start] & 0xc0) == 0x80)
			start--;
		if (json_utf8_length((const unsigned char *)source + start) > at - start)
			at = start;
		add_part(source + skip, at - skip, &before);
		*mark = columns_all(str_text(&before));
	}
	add_part(source + skip, strlen(source + skip), line);
	if (*mark != UINT_MAX && *mark + MARK_ROOM > room && columns_all(str_text(line)) > room) {
		/* The line is too long for its mark to be seen: its beginning is left out. */
		size_t cut = columns_fit(str_text(line), *mark - room / 2);
		struct str rest = STR_INIT;

		str_printf(&rest, "...%s", str_text(line) + cut);
		*mark = *mark - columns_of(str_text(line), cut) + 3;
		str_deinit(line);
		*line = rest;
	}
	columns_cut(line, room);
}

void explanation_print_source(const struct explanation_place *place, unsigned indent,
                              unsigned width, const char *colour, const char *plain, FILE *file)
{
	struct str line GUARD(str_deinit) = STR_INIT;
	unsigned mark;

	explanation_add_source(place, width > indent + 20 ? width - indent : 20, &line, &mark);
	fprintf(file, "%*s%s\n", (int)indent, "", str_text(&line));
	if (mark != UINT_MAX)
		fprintf(file, "%*s%s^%s\n", (int)(indent + mark), "", colour, plain);
}
