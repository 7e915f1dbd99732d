/* An explanation for a person: the failure, the chain that leads to it, where to look. */
#include <math.h>
#include <string.h>

#include "report/explanation_fixes.h"
#include "report/explanation_layout.h"
#include "report/explanation_steps.h"

#define MOST_NOTES 10u /* that are shown */
#define WHY_LINES  2u  /* of the reason to look at a place */

static const struct explanation_marks coloured = {CELL_BOLD, CELL_RED, TEXT_GREEN, CELL_PLAIN};

static void print_wrapped(const struct text_printer *p, const struct str *text, unsigned indent)
{
	explanation_wrap(str_text(text), indent, p->width, p->file);
}

/* --- the failure --- */

static void print_failure(const struct text_printer *p)
{
	const struct explanation *e = p->e;
	struct str text = STR_INIT;

	str_add(&text, text_colour(p, CELL_BOLD));
	explanation_add_safe(&text, e->program ? e->program : "the program");
	str_add_char(&text, ' ');
	explanation_add_safe(&text, e->failure.message ? e->failure.message : "fails");
	str_add(&text, text_colour(p, CELL_PLAIN));
	print_wrapped(p, &text, 0);
	str_deinit(&text);
}

/* What the program did after it need not be what its source says. */
static void print_memory_error(const struct text_printer *p)
{
	const struct explanation_memory_error *error = &p->e->memory_error;
	struct str text = STR_INIT;

	if (!error->words)
		return;
	str_add(&text, "memory error: ");
	explanation_add_safe(&text, error->words);
	if (error->usual)
		str_add(&text, "; a run that passes makes it, too");
	explanation_wrap_hanging(str_text(&text), 0, 2, p->width, p->file);
	str_deinit(&text);
}

/* Do values of the reference stand in brackets? */
static bool has_brackets(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		for (uint32_t j = 0; j < e->steps.at[i].values.size; j++)
			if (e->steps.at[i].values.at[j].reference)
				return true;
	return false;
}

static void print_reference(const struct text_printer *p)
{
	struct str text = STR_INIT;

	if (!p->e->reference.text)
		return;
	str_add(&text, "compared with: ");
	explanation_add_safe(&text, p->e->reference.text);
	print_wrapped(p, &text, 0);
	if (has_brackets(p->e))
		fputs("values in brackets are those of that run\n", p->file);
	str_deinit(&text);
}

/* --- where to look --- */

static void print_suspect(const struct text_printer *p, const struct explanation_suspect *s)
{
	struct str text = STR_INIT, why = STR_INIT;
	unsigned used, room;

	str_add(&text, text_colour(p, CELL_CYAN));
	explanation_add_place(&text, &s->at);
	str_add(&text, text_colour(p, CELL_PLAIN));
	str_add(&text, "  ");
	if (p->style->full)
		str_printf(&text, "(%.2f)  ", fmin(s->score, 0.99));
	explanation_add_safe(&why, s->why ? s->why : "");
	used = 2 + cell_columns(str_text(&text));
	room = WHY_LINES * p->width > used + 40 ? WHY_LINES * p->width - used - 20 : 20;
	if (!p->style->full)
		cell_cut(&why, room);
	str_add(&text, str_text(&why));
	explanation_wrap_hanging(str_text(&text), 2, TEXT_INDENT, p->width, p->file);
	str_deinit(&why);
	str_deinit(&text);
}

static void print_suspects(const struct text_printer *p)
{
	if (p->e->suspects.size)
		fprintf(p->file, "\n%slook first at%s\n", text_colour(p, CELL_BOLD),
		        text_colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < explanation_shown_suspects(p->e, p->style->full); i++)
		print_suspect(p, &p->e->suspects.at[i]);
}

/* --- how it was found --- */

/* How proofs are read, once for all. */
static void print_legend(const struct text_printer *p)
{
	bool any = false, twice = false;

	for (uint32_t i = 0; i < p->e->steps.size && !p->style->full; i++) {
		any = any || (p->e->steps.at[i].proven && p->e->steps.at[i].proofs.size);
		twice = twice || explanation_is_proven_twice(&p->e->steps.at[i]);
	}
	if (twice)
		explanation_wrap("proven both ways [m, n]: with the values in brackets the failing "
		                 "run passes (experiment m), and with the others the reference run "
		                 "fails (experiment n)",
		                 0, p->width, p->file);
	else if (any)
		explanation_wrap("[numbers] are those of the experiments (--full tells more)", 0,
		                 p->width, p->file);
}

static void print_stats(const struct text_printer *p)
{
	const struct explanation *e = p->e;
	struct str text = STR_INIT;

	if (e->fixes_only) {
		explanation_add_edit_counts(&text, e);
		str_printf(&text, "; %.2f seconds", e->stats.seconds);
		if (e->stats.edits_run && e->stats.seconds > 0)
			str_printf(&text, ", %.0f edits per second",
			           (double)e->stats.edits_run / e->stats.seconds);
		print_wrapped(p, &text, 0);
		str_deinit(&text);
		return;
	}
	str_printf(&text, "%llu experiment%s", (unsigned long long)e->stats.experiments,
	           e->stats.experiments == 1 ? "" : "s");
	if (e->stats.confounded)
		str_printf(&text, " (%llu went ways that neither run had, and %s not counted)",
		           (unsigned long long)e->stats.confounded,
		           e->stats.confounded == 1 ? "was" : "were");
	if (e->stats.runs)
		str_printf(&text, ", %llu run%s on other input", (unsigned long long)e->stats.runs,
		           e->stats.runs == 1 ? "" : "s");
	if (e->stats.edits)
		str_printf(&text, ", %llu of %llu edits of the code tried",
		           (unsigned long long)e->stats.edits_run,
		           (unsigned long long)e->stats.edits);
	str_printf(&text, ", %.2f seconds", e->stats.seconds);
	if (e->stats.statements_failing)
		str_printf(&text, "; the failing run has %llu statement%s",
		           (unsigned long long)e->stats.statements_failing,
		           e->stats.statements_failing == 1 ? "" : "s");
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
	struct str none = STR_INIT;

	if (!e->fixes_only)
		explanation_add_no_fix(&none, e);
	if (e->notes.size || none.length)
		fprintf(p->file, "\n%sworth knowing%s\n", text_colour(p, CELL_BOLD),
		        text_colour(p, CELL_PLAIN));
	for (uint32_t i = 0; i < e->notes.size && (i < MOST_NOTES || p->style->full); i++)
		print_note(p, e->notes.at[i]);
	if (e->notes.size > MOST_NOTES && !p->style->full)
		fprintf(p->file, "- and %u more (--full shows them)\n", e->notes.size - MOST_NOTES);
	if (none.length)
		print_note(p, str_text(&none));
	str_deinit(&none);
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
	if (!strcmp(p->e->verdict, "unproven") && !p->e->fixes_only)
		fputs(has_proven(p->e) ? "\nthat this is why it fails is not proven: see below\n"
		                       : "\nno cause could be proven\n",
		      p->file);
	if (!strcmp(p->e->verdict, "incomplete"))
		fputs("\nincomplete: the search was ended early; this is what was known\n",
		      p->file);
}

static struct text_printer printer_of(const struct explanation *e,
                                      const struct explanation_style *style, FILE *file)
{
	return (struct text_printer){
		.e = e,
		.style = style,
		.marks = style->coloured ? &coloured : &explanation_unmarked,
		.width = style->width ? style->width : 80,
		.longest = style->full ? 0 : EXPLANATION_SHORT_VALUE,
		.file = file,
	};
}

void explanation_print_text_defect(const struct explanation *e,
                                   const struct explanation_style *style, FILE *file)
{
	struct explanation alone = *e;
	const struct text_printer p = printer_of(&alone, style, file);

	alone.reference.text = NULL;
	explanation_print_defect(&p);
}

void explanation_print_text(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	const struct text_printer p = printer_of(e, style, file);

	print_failure(&p);
	print_memory_error(&p);
	if (e->fixes_only)
		explanation_print_fixes(&p);
	else
		explanation_print_defect(&p);
	print_reference(&p);
	explanation_print_steps(&p);
	print_verdict(&p);
	print_suspects(&p);
	if (e->points.size)
		explanation_print_points(e, p.width, file);
	print_notes(&p);
	fputc('\n', file);
	print_legend(&p);
	print_stats(&p);
}
