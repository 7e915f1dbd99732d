/* One step as text: see explanation_steps.h. */
#include <limits.h>
#include <string.h>

#include "report/columns.h"
#include "report/explanation_layout.h"
#include "report/explanation_steps.h"

#define LEAST_SOURCE                                                                               \
	24u /* columns of source next to its place; if there are fewer, it has its own line */
#define WHOLE_LINE   100000u /* columns: a line of source is not cut */
#define LONGEST_NAME 48u     /* columns of what an earlier step is called */

/* --- where --- */

/* `sort.c:17:3 in sort(), 3rd time`. */
static void add_position(const struct text_printer *p, const struct explanation_place *place,
                         uint64_t instance, struct str *out)
{
	str_add(out, text_colour(p, CELL_CYAN));
	explanation_add_place(out, place);
	str_add(out, text_colour(p, CELL_PLAIN));
	if (place->function) {
		str_add(out, " in ");
		explanation_add_safe(out, place->function);
		str_add(out, "()");
	}
	if (instance > 1) {
		str_add(out, ", ");
		explanation_add_ordinal(out, instance);
		str_add(out, " time");
	}
}

/* The place and behind it the source, if both have room in one line. False: they do not. */
static bool print_beside(const struct text_printer *p, const struct explanation_place *place,
                         const struct str *position)
{
	unsigned used = TEXT_INDENT + cell_columns(str_text(position)) + 2, mark;
	struct str line = STR_INIT;
	unsigned all;

	explanation_add_source(place, UINT_MAX, &line, &mark);
	all = cell_columns(str_text(&line));
	str_deinit(&line);
	if (used + LEAST_SOURCE > p->width || used + all > p->width)
		return false;
	explanation_add_source(place, p->width - used, &line, &mark);
	fprintf(p->file, "%*s%s  %s\n", (int)TEXT_INDENT, "", str_text(position), str_text(&line));
	if (mark != UINT_MAX)
		fprintf(p->file, "%*s%s^%s\n", (int)(used + mark), "", text_colour(p, TEXT_GREEN),
		        text_colour(p, CELL_PLAIN));
	str_deinit(&line);
	return true;
}

static void print_place(const struct text_printer *p, const struct explanation_place *place,
                        uint64_t instance)
{
	struct str position = STR_INIT;

	if (!place->file)
		return;
	add_position(p, place, instance, &position);
	if (!place->source || !print_beside(p, place, &position)) {
		explanation_wrap(str_text(&position), TEXT_INDENT, p->width, p->file);
		if (place->source)
			explanation_print_source(
				place, TEXT_INDENT + 2, p->style->full ? WHOLE_LINE : p->width,
				text_colour(p, TEXT_GREEN), text_colour(p, CELL_PLAIN), p->file);
	}
	str_deinit(&position);
}

/* --- why --- */

static bool same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

static void add_statement(const struct text_printer *p, struct str *out,
                          const struct explanation_place *place, const char *statement)
{
	explanation_add_place(out, place);
	if (!statement)
		return;
	str_add(out, ": ");
	explanation_add_short(out, statement, NULL, p->longest ? p->width - 20 : 0);
}

/* ' at sort.c:7:3: call f(n = 3)': which statement made it so, if neither the place of the step nor of the one
   before shows it. */
static void add_maker(const struct text_printer *p, uint32_t number, const char *before,
                      struct str *out)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	bool elsewhere = explanation_step_place(step) != &step->cause &&
	                 !same_line(&step->at, &step->cause) &&
	                 !(number && same_line(explanation_step_place(step - 1), &step->cause));

	if (!step->transition || !step->cause.file || (!step->until.file && !elsewhere))
		return;
	str_printf(out, "%s%s ", before, step->until.file ? "between" : "at");
	add_statement(p, out, &step->cause, step->statement);
	if (!step->until.file)
		return;
	str_add(out, " and ");
	add_statement(p, out, &step->until, step->until_statement);
}

/*
 * 'because a[2] is 0 (step 3), at sort.c:7:3: i < n is false'. That it follows from the step before is what the chain says; a step
 * apart does not, and nobody knows why.
 */
static void add_because(const struct text_printer *p, uint32_t number, struct str *out)
{
	const struct explanation_step *step = &p->e->steps.at[number];

	if (!number || step->apart) {
		add_maker(p, number, "made ", out);
		return;
	}
	str_add(out, "because ");
	if (!explanation_add_reason(out, step - 1, p->longest ? LONGEST_NAME : UINT_MAX))
		str_add(out, "of all that");
	str_printf(out, " (step %u)", number);
	add_maker(p, number, ", ", out);
}

/* --- how that is known --- */

static const struct explanation_proof *proof_in(const struct explanation_step *step, const char *in,
                                                bool local)
{
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		const struct explanation_proof *proof = &step->proofs.at[i];

		if (proof->local == local && explanation_proves(proof) && !strcmp(proof->in, in))
			return proof;
	}
	return NULL;
}

bool explanation_is_proven_twice(const struct explanation_step *step)
{
	const struct explanation_proof *failing = proof_in(step, "failing", false);
	const struct explanation_proof *reference = proof_in(step, "reference", false);

	return step->proven && !step->observed && failing && reference &&
	       explanation_changed_these(step, failing) &&
	       explanation_changed_these(step, reference);
}

/* Is there an experiment that proves it by the failure itself? */
static bool has_whole_proof(const struct explanation_step *step)
{
	return proof_in(step, "failing", false) || proof_in(step, "reference", false);
}

/* Have two methods made the same experiment? */
static bool is_same(const struct explanation_step *step, const struct explanation_proof *a,
                    const struct explanation_proof *b)
{
	return !strcmp(a->in, b->in) && a->local == b->local && !strcmp(a->outcome, b->outcome) &&
	       (!strcmp(a->changed, b->changed) ||
	        (explanation_changed_all(step, a) && explanation_changed_all(step, b)));
}

/* That the next step comes of it is told if nothing shows that the failure does. */
static bool is_told(const struct explanation_step *step, uint32_t number)
{
	const struct explanation_proof *proof = &step->proofs.at[number];

	for (uint32_t i = 0; i < number; i++)
		if (is_same(step, &step->proofs.at[i], proof))
			return false;
	if (!step->proven)
		return true;
	return explanation_proves(proof) && proof->local != has_whole_proof(step);
}

/* Each experiment in a sentence. */
static void add_proofs(const struct explanation_step *step, struct str *out)
{
	const char *between = ": ";
	bool any = false;

	for (uint32_t i = 0; i < step->proofs.size; i++) {
		if (!is_told(step, i))
			continue;
		any = true;
		str_add(out, between);
		explanation_add_proof(out, step, &step->proofs.at[i]);
		between = "; ";
	}
	if (step->proven && !any)
		str_add(out,
		        " with the step before, which brings it about; by itself it is not enough");
}

/* What proves it in a few words; how 'both ways' is read is said once for all steps. */
static void add_short_proof(const struct explanation_step *step, struct str *out)
{
	bool local = !has_whole_proof(step);
	const struct explanation_proof *failing = proof_in(step, "failing", local);
	const struct explanation_proof *reference = proof_in(step, "reference", local);
	const struct explanation_proof *one = failing ? failing : reference;

	if (!one) {
		add_proofs(step, out);
		return;
	}
	if (explanation_is_proven_twice(step)) {
		str_add(out, " both ways");
	} else {
		str_add(out, ": ");
		explanation_add_proof_short(out, step, one, LONGEST_NAME);
	}
	str_printf(out, " [%llu", (unsigned long long)one->experiment);
	if (failing && reference)
		str_printf(out, ", %llu", (unsigned long long)reference->experiment);
	str_add_char(out, ']');
}

static void add_proof(const struct text_printer *p, const struct explanation_step *step,
                      struct str *out)
{
	const char *sign = step->proven ? "\xe2\x9c\x93 " : "\xe2\x9c\x97 ";

	str_printf(out, "%s%s%s%s", text_colour(p, step->proven ? TEXT_GREEN : CELL_YELLOW),
	           p->style->unicode ? sign : "", step->proven ? "proven" : "not proven",
	           text_colour(p, CELL_PLAIN));
	if (step->proven && !p->style->full)
		add_short_proof(step, out);
	else
		add_proofs(step, out);
}

/* Why it is so and how that is known, in one line where both are short. */
static void print_reasons(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	struct str why = STR_INIT, proof = STR_INIT;

	add_because(p, number, &why);
	if (!step->observed)
		add_proof(p, step, &proof);
	if (why.length && proof.length && !p->style->full &&
	    TEXT_INDENT + cell_columns(why.text) + 2 + cell_columns(proof.text) <= p->width) {
		str_printf(&why, "; %s", proof.text);
		str_deinit(&proof);
	}
	if (why.length)
		explanation_wrap_hanging(why.text, TEXT_INDENT, TEXT_INDENT + 2, p->width, p->file);
	if (proof.length)
		explanation_wrap_hanging(proof.text, TEXT_INDENT, TEXT_INDENT + 2, p->width,
		                         p->file);
	str_deinit(&why);
	str_deinit(&proof);
}

/* --- all --- */

void explanation_print_step(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);
	struct str text = STR_INIT;

	str_printf(&text, "%2u. %s", number + 1, number && step->apart ? "also, " : "");
	explanation_add_step_short(&text, step, p->marks, p->longest);
	fputc('\n', p->file);
	explanation_wrap_hanging(str_text(&text), 0, TEXT_INDENT, p->width, p->file);
	print_place(p, place, place == &step->at ? step->instance : 0);
	print_reasons(p, number);
	str_deinit(&text);
}
