/* An explanation for a person: the failure, the chain that leads to it, where to look. */
#include <string.h>

#include "report/cells.h"
#include "report/explanation_layout.h"
#include "report/explanation_words.h"

#define INDENT     4u  /* of what belongs to a step */
#define MOST_ALIKE 3u  /* steps by one statement, one after the other, that are shown */
#define MOST_NOTES 10u /* that are shown */

#define GREEN "\x1b[32m"

static const struct explanation_marks coloured = {CELL_BOLD, CELL_RED, GREEN, CELL_PLAIN};

struct text_printer {
	const struct explanation *e;
	const struct explanation_style *style;
	const struct explanation_marks *marks;
	unsigned width;
	FILE *file;
};

static const char *colour(const struct text_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

static void print_wrapped(const struct text_printer *p, const struct str *text, unsigned indent)
{
	explanation_wrap(str_text(text), indent, p->width, p->file);
}

/* --- the failure --- */

static void print_failure(const struct text_printer *p)
{
	const struct explanation *e = p->e;
	struct str text = STR_INIT;

	str_add(&text, colour(p, CELL_BOLD));
	explanation_add_safe(&text, e->program ? e->program : "the program");
	str_add_char(&text, ' ');
	explanation_add_safe(&text, e->failure.message ? e->failure.message : "fails");
	str_add(&text, colour(p, CELL_PLAIN));
	print_wrapped(p, &text, 0);
	str_deinit(&text);
}

static void print_reference(const struct text_printer *p)
{
	struct str text = STR_INIT;

	if (!p->e->reference.text)
		return;
	str_add(&text, "compared with: ");
	explanation_add_safe(&text, p->e->reference.text);
	print_wrapped(p, &text, 0);
	str_deinit(&text);
}

/* --- steps --- */

static void add_ordinal(struct str *out, uint64_t number)
{
	const char *ending = number % 100 >= 11 && number % 100 <= 13 ? "th"
	                     : number % 10 == 1                       ? "st"
	                     : number % 10 == 2                       ? "nd"
	                     : number % 10 == 3                       ? "rd"
	                                                              : "th";

	str_printf(out, "%llu%s", (unsigned long long)number, ending);
}

/* `sort.c:17:3 in sort(), 3rd time`, and the line of source. */
static void print_place(const struct text_printer *p, const struct explanation_place *place,
                        uint64_t instance)
{
	struct str text = STR_INIT;

	if (!place->file)
		return;
	str_add(&text, colour(p, CELL_CYAN));
	explanation_add_place(&text, place);
	str_add(&text, colour(p, CELL_PLAIN));
	if (place->function) {
		str_add(&text, " in ");
		explanation_add_safe(&text, place->function);
		str_add(&text, "()");
	}
	if (instance > 1) {
		str_add(&text, ", ");
		add_ordinal(&text, instance);
		str_add(&text, " time");
	}
	print_wrapped(p, &text, INDENT);
	if (place->source)
		explanation_print_source(place, INDENT + 2, p->width, colour(p, GREEN),
		                         colour(p, CELL_PLAIN), p->file);
	str_deinit(&text);
}

/* Is there an experiment that proves it by the failure itself? */
static bool has_whole_proof(const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->proofs.size; i++)
		if (!step->proofs.at[i].local && explanation_proves(&step->proofs.at[i]))
			return true;
	return false;
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

/* What proves it; if nothing does, what was tried. */
static void print_proofs(const struct text_printer *p, const struct explanation_step *step)
{
	const char *between = ": ";
	bool any = false;
	struct str text = STR_INIT;

	if (step->observed)
		return;
	str_printf(&text, "%s%s%s", colour(p, step->proven ? GREEN : CELL_YELLOW),
	           step->proven ? "proven" : "not proven", colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		if (!is_told(step, i))
			continue;
		any = true;
		str_add(&text, between);
		explanation_add_proof(&text, step, &step->proofs.at[i]);
		between = "; ";
	}
	if (step->proven && !any)
		str_add(&text,
		        " with the step before, which brings it about; by itself it is not enough");
	print_wrapped(p, &text, INDENT);
	str_deinit(&text);
}

static bool same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
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

/* Which statement made it the cause, if that does not show: the step tells a moment at another line, or
   nobody knows which it was. */
static void print_cause(const struct text_printer *p, const struct explanation_step *step)
{
	struct str text = STR_INIT;

	if (!step->transition || !step->cause.file)
		return;
	if (step->until.file)
		str_add(&text, "it became the cause between ");
	else if (explanation_step_place(step) != &step->cause &&
	         !same_line(&step->at, &step->cause))
		str_add(&text, "it became the cause at ");
	else
		return;
	add_statement(&text, &step->cause, step->statement);
	if (step->until.file) {
		str_add(&text, " and ");
		add_statement(&text, &step->until, step->until_statement);
	}
	print_wrapped(p, &text, INDENT);
	str_deinit(&text);
}

static void print_step(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);
	struct str text = STR_INIT;

	str_printf(&text, "%2u. %s", number + 1,
	           !number       ? ""
	           : step->apart ? "also, "
	                         : "therefore ");
	explanation_add_step(&text, step, p->marks);
	fputc('\n', p->file);
	explanation_wrap_hanging(str_text(&text), 0, INDENT, p->width, p->file);
	print_place(p, place, place == &step->at ? step->instance : 0);
	print_cause(p, step);
	print_proofs(p, step);
	str_deinit(&text);
}

/* Are they transitions by the same statement? */
static bool same_cause(const struct explanation_step *a, const struct explanation_step *b)
{
	return a->transition && b->transition && a->cause.file && b->cause.file &&
	       a->cause.line == b->cause.line && a->cause.column == b->cause.column &&
	       !strcmp(a->cause.file, b->cause.file);
}

/* Of a loop that moves the cause on and on, the first steps and the last. */
static void print_steps(const struct text_printer *p)
{
	const struct explanation_step *steps = p->e->steps.at;

	for (uint32_t i = 0, end; i < p->e->steps.size; i = end) {
		for (end = i + 1; end < p->e->steps.size && same_cause(&steps[i], &steps[end]);)
			end++;
		for (uint32_t j = i; j < end; j++) {
			if (end - i > MOST_ALIKE && j == i + MOST_ALIKE - 1) {
				fprintf(p->file, "\n    ... %u more steps by the same statement\n",
				        end - i - MOST_ALIKE);
				j = end - 1;
			}
			print_step(p, j);
		}
	}
}

/* --- where to look --- */

static void print_suspects(const struct text_printer *p)
{
	if (p->e->suspects.size)
		fprintf(p->file, "\n%slook first at%s\n", colour(p, CELL_BOLD),
		        colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < p->e->suspects.size; i++) {
		const struct explanation_suspect *s = &p->e->suspects.at[i];
		struct str text = STR_INIT;

		explanation_add_place(&text, &s->at);
		str_printf(&text, "  (%.2f)  ", s->score);
		explanation_add_safe(&text, s->why ? s->why : "");
		explanation_wrap_hanging(str_text(&text), 2, INDENT, p->width, p->file);
		str_deinit(&text);
	}
}

/* --- how it was found --- */

static void print_stats(const struct text_printer *p)
{
	const struct explanation *e = p->e;
	struct str text = STR_INIT;

	str_printf(&text, "%llu experiment%s", (unsigned long long)e->stats.experiments,
	           e->stats.experiments == 1 ? "" : "s");
	if (e->stats.confounded)
		str_printf(&text, " (%llu went ways that neither run had, and %s not counted)",
		           (unsigned long long)e->stats.confounded,
		           e->stats.confounded == 1 ? "was" : "were");
	if (e->stats.runs)
		str_printf(&text, ", %llu run%s on other input", (unsigned long long)e->stats.runs,
		           e->stats.runs == 1 ? "" : "s");
	str_printf(&text, ", %.2f seconds", e->stats.seconds);
	if (e->stats.statements_failing)
		str_printf(&text, "; the failing run has %llu statements",
		           (unsigned long long)e->stats.statements_failing);
	if (e->stats.statements_failing && e->stats.statements_reference)
		str_printf(&text, ", the reference %llu",
		           (unsigned long long)e->stats.statements_reference);
	print_wrapped(p, &text, 0);
	str_deinit(&text);
}

static void print_note(const struct text_printer *p, const char *note)
{
	struct str text = STR_INIT;

	str_add(&text, "- ");
	explanation_add_safe(&text, note);
	explanation_wrap_hanging(str_text(&text), 0, 2, p->width, p->file);
	str_deinit(&text);
}

static void print_notes(const struct text_printer *p)
{
	const struct explanation *e = p->e;

	if (e->notes.size)
		fprintf(p->file, "\n%sto be known%s\n", colour(p, CELL_BOLD),
		        colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < e->notes.size && i < MOST_NOTES; i++)
		print_note(p, e->notes.at[i]);
	if (e->notes.size > MOST_NOTES)
		fprintf(p->file, "- and %u more (--json has all)\n", e->notes.size - MOST_NOTES);
	if (e->hint) {
		struct str text = STR_INIT;

		fputc('\n', p->file);
		explanation_add_safe(&text, e->hint);
		print_wrapped(p, &text, 0);
		str_deinit(&text);
	}
}

static bool has_proven(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].proven)
			return true;
	return false;
}

static void print_verdict(const struct text_printer *p)
{
	if (!strcmp(p->e->verdict, "unproven"))
		fputs(has_proven(p->e) ? "\nthat this is why it fails is not proven: see below\n"
		                       : "\nno cause could be proven\n",
		      p->file);
	if (!strcmp(p->e->verdict, "incomplete"))
		fputs("\nincomplete: the search was ended early; this is what was known\n",
		      p->file);
}

void explanation_print_text(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	const struct text_printer p = {
		.e = e,
		.style = style,
		.marks = style->coloured ? &coloured : &explanation_unmarked,
		.width = style->width ? style->width : 80,
		.file = file,
	};

	print_failure(&p);
	print_reference(&p);
	print_steps(&p);
	print_verdict(&p);
	print_suspects(&p);
	if (e->points.size)
		explanation_print_points(e, p.width, file);
	print_notes(&p);
	fputc('\n', file);
	print_stats(&p);
}
