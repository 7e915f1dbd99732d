/* An explanation for a person: the failure, the chain that leads to it, where to look. */
#include <string.h>

#include "report/cells.h"
#include "report/explanation_layout.h"
#include "report/explanation_words.h"

#define INDENT 4u /* of what belongs to a step */

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

static void print_proofs(const struct text_printer *p, const struct explanation_step *step)
{
	struct str text = STR_INIT;

	if (step->observed)
		return;
	str_printf(&text, "%s%s%s", colour(p, step->proven ? GREEN : CELL_YELLOW),
	           step->proven ? "proven" : "not proven", colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		str_add(&text, i ? "; " : ": ");
		explanation_add_proof(&text, step, &step->proofs.at[i]);
	}
	print_wrapped(p, &text, INDENT);
	str_deinit(&text);
}

/* A step that tells a moment, and whose cause lies at another line. */
static void print_cause(const struct text_printer *p, const struct explanation_step *step)
{
	const struct explanation_place *shown = explanation_step_place(step);
	struct str text = STR_INIT;

	if (!step->transition || !step->cause.file || shown == &step->cause)
		return;
	if (shown->file && shown->line == step->cause.line &&
	    !strcmp(shown->file, step->cause.file))
		return;
	str_add(&text, "it became the cause at ");
	explanation_add_place(&text, &step->cause);
	if (step->statement) {
		str_add(&text, ": ");
		explanation_add_safe(&text, step->statement);
	}
	print_wrapped(p, &text, INDENT);
	str_deinit(&text);
}

static void print_step(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);
	struct str text = STR_INIT;

	str_printf(&text, "%2u. %s", number + 1, number ? "therefore " : "");
	explanation_add_step(&text, step, p->marks);
	fputc('\n', p->file);
	explanation_wrap_hanging(str_text(&text), 0, INDENT, p->width, p->file);
	print_place(p, place, place == &step->at ? step->instance : 0);
	print_cause(p, step);
	print_proofs(p, step);
	str_deinit(&text);
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
	for (uint32_t i = 0; i < e->notes.size; i++)
		print_note(p, e->notes.at[i]);
	if (e->hint) {
		struct str text = STR_INIT;

		fputc('\n', p->file);
		explanation_add_safe(&text, e->hint);
		print_wrapped(p, &text, 0);
		str_deinit(&text);
	}
}

static void print_verdict(const struct text_printer *p)
{
	if (!strcmp(p->e->verdict, "unproven"))
		fputs("\nno cause could be proven\n", p->file);
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
	for (uint32_t i = 0; i < e->steps.size; i++)
		print_step(&p, i);
	print_verdict(&p);
	print_suspects(&p);
	if (e->points.size)
		explanation_print_points(e, p.width, file);
	print_notes(&p);
	fputc('\n', file);
	print_stats(&p);
}
