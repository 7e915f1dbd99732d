/* An explanation for a person: the failure, the chain that leads to it, where to look. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/columns.h"
#include "report/explanation_words.h"

#define TEXT_INDENT  4u  /* of what belongs to a step */
#define LEAST_SOURCE 24u /* columns of source next to its place; else it has a line of its own */
#define WHOLE_LINE   100000u /* columns: a line of source is not cut */
#define LONGEST_NAME 48u     /* columns of what an earlier step is called */
#define SCREEN       40u     /* lines of all steps */
#define FOLD         2u      /* lines that say how many are left out */
#define MOST_ALIKE   3u      /* steps by one statement, one after the other, that are shown */
#define OTHER_FIXES  3u      /* other lines with a plausible edit that are named */
#define MOST_NOTES   10u     /* that are shown */
#define WHY_LINES    2u      /* of the reason to look at a place */

struct text_printer {
	const struct explanation *e;
	const struct explanation_style *style;
	const struct explanation_marks *marks;
	unsigned width;
	unsigned longest; /* columns of a value; 0: any number */
	FILE *file;
};

static const char *text_colour(const struct text_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

/* Prints a paragraph, if there is one, and empties it. */
static void print_paragraph(const struct text_printer *p, struct str *text, unsigned indent)
{
	if (text->length)
		columns_wrap(str_text(text), indent, p->width, p->file);
	str_deinit(text);
}

/* --- a step: where --- */

/* --- a step: why --- */

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
	bool elsewhere =
		explanation_step_place(step) != &step->cause &&
		!explanation_same_line(&step->at, &step->cause) &&
		!(number && explanation_same_line(explanation_step_place(step - 1), &step->cause));

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
 * apart does not, and why it is so is not known.
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

/* --- a step: how that is known --- */

static const struct explanation_proof *proof_in(const struct explanation_step *step,
                                                enum explanation_run in, bool local)
{
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		const struct explanation_proof *proof = &step->proofs.at[i];

		if (proof->local == local && explanation_proves(proof) && proof->in == in)
			return proof;
	}
	return NULL;
}

/* Is the step proven by both runs: the failing one passes, and the reference fails? */
static bool is_proven_twice(const struct explanation_step *step)
{
	const struct explanation_proof *failing = proof_in(step, EXPLANATION_FAILING, false);
	const struct explanation_proof *reference = proof_in(step, EXPLANATION_REFERENCE, false);

	return step->proven && !step->observed && failing && reference &&
	       explanation_changed_these(step, failing) &&
	       explanation_changed_these(step, reference);
}

/* Is there an experiment that proves it by the failure itself? */
static bool has_whole_proof(const struct explanation_step *step)
{
	return proof_in(step, EXPLANATION_FAILING, false) ||
	       proof_in(step, EXPLANATION_REFERENCE, false);
}

/* Is the experiment printed? One about the next step only if no experiment is about the failure itself. */
static bool is_told(const struct explanation_step *step, uint32_t number)
{
	const struct explanation_proof *proof = &step->proofs.at[number];

	/* Another method may have made the same experiment. */
	for (uint32_t i = 0; i < number; i++) {
		const struct explanation_proof *other = &step->proofs.at[i];

		if (other->in == proof->in && other->local == proof->local &&
		    other->outcome == proof->outcome &&
		    (!strcmp(other->changed, proof->changed) ||
		     (explanation_changed_all(step, other) &&
		      explanation_changed_all(step, proof))))
			return false;
	}
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
	const struct explanation_proof *failing = proof_in(step, EXPLANATION_FAILING, local);
	const struct explanation_proof *reference = proof_in(step, EXPLANATION_REFERENCE, local);
	const struct explanation_proof *one = failing ? failing : reference;

	if (!one) {
		add_proofs(step, out);
		return;
	}
	if (is_proven_twice(step)) {
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

/* Why it is so and how that is known, in one line where both are short. */
static void print_reasons(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	struct str why GUARD(str_deinit) = STR_INIT, proof = STR_INIT;

	add_because(p, number, &why);
	if (!step->observed) {
		const char *sign = step->proven ? "\xe2\x9c\x93 " : "\xe2\x9c\x97 ";

		str_printf(&proof, "%s%s%s%s",
		           text_colour(p, step->proven ? TEXT_GREEN : TEXT_YELLOW),
		           p->style->unicode ? sign : "", step->proven ? "proven" : "not proven",
		           text_colour(p, TEXT_PLAIN));
		if (step->proven && !p->style->full)
			add_short_proof(step, &proof);
		else
			add_proofs(step, &proof);
	}
	if (why.length && proof.length && !p->style->full &&
	    TEXT_INDENT + columns_all(why.text) + 2 + columns_all(proof.text) <= p->width) {
		str_printf(&why, "; %s", proof.text);
		str_deinit(&proof);
	}
	if (why.length)
		columns_wrap_hanging(why.text, TEXT_INDENT, TEXT_INDENT + 2, p->width, p->file);
	if (proof.length)
		columns_wrap_hanging(proof.text, TEXT_INDENT, TEXT_INDENT + 2, p->width, p->file);
	str_deinit(&proof);
}

/* Prints a step: what it is, where, why, and what proves it. */
static void print_step(const struct text_printer *p, uint32_t number)
{
	const struct explanation_step *step = &p->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);
	struct str text GUARD(str_deinit) = STR_INIT;
	uint64_t instance = place == &step->at ? step->instance : 0;
	struct str position = STR_INIT, line = STR_INIT;
	unsigned used, mark;

	str_printf(&text, "%2u. %s", number + 1, number && step->apart ? "also, " : "");
	explanation_add_step_short(&text, step, p->marks, p->longest);
	fputc('\n', p->file);
	columns_wrap_hanging(str_text(&text), 0, TEXT_INDENT, p->width, p->file);
	/* `sort.c:17:3 in sort(), 3rd time`, and the line of source. */
	if (place->file) {
		explanation_add_place_in(&position, place, text_colour(p, TEXT_CYAN),
		                         text_colour(p, TEXT_PLAIN));
		if (instance > 1) {
			str_add(&position, ", ");
			explanation_add_ordinal(&position, instance);
			str_add(&position, " time");
		}
		used = TEXT_INDENT + columns_all(str_text(&position)) + 2;
		if (place->source)
			explanation_add_source(place, UINT_MAX, &line, &mark);
		if (place->source && used + LEAST_SOURCE <= p->width &&
		    used + columns_all(str_text(&line)) <= p->width) {
			/* Both have room in one line. */
			fprintf(p->file, "%*s%s  %s\n", (int)TEXT_INDENT, "", str_text(&position),
			        str_text(&line));
			if (mark != UINT_MAX)
				fprintf(p->file, "%*s%s^%s\n", (int)(used + mark), "",
				        text_colour(p, TEXT_GREEN), text_colour(p, TEXT_PLAIN));
		} else {
			columns_wrap(str_text(&position), TEXT_INDENT, p->width, p->file);
			if (place->source)
				explanation_print_source(place, TEXT_INDENT + 2,
				                         p->style->full ? WHOLE_LINE : p->width,
				                         text_colour(p, TEXT_GREEN),
				                         text_colour(p, TEXT_PLAIN), p->file);
		}
		str_deinit(&position);
		str_deinit(&line);
	}
	print_reasons(p, number);
}

/* --- all steps: which are shown --- */

struct shown_step {
	char *text;
	unsigned lines;
	bool alike; /* of many by one statement, one in the middle */
	bool shown;
};

/* The index of the suspect on the line of the step's statement; the number of suspects: there is none. */
static uint32_t suspicion(const struct explanation *e, const struct explanation_step *step)
{
	const struct explanation_place *at = step->cause.file ? &step->cause : &step->at;
	uint32_t i;

	for (i = 0; i < explanation_shown_suspects(e, false); i++)
		if (explanation_same_line(&e->suspects.at[i].at, at))
			break;
	return i;
}

/* The lower, the more important is the step; 0: it is always shown. */
static uint32_t rank(const struct explanation *e, const struct shown_step *shown, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];
	uint32_t suspects = explanation_shown_suspects(e, false);

	if (!number || number + 1 == e->steps.size || step->observed)
		return 0;
	if (shown[number].alike)
		return UINT32_MAX;
	if (step->transition && suspicion(e, step) < suspects)
		return 1 + suspicion(e, step);
	return step->transition ? 1 + suspects : 2 + suspects;
}

/* Lines of those that are shown and of the gaps between them. */
static unsigned lines_of(const struct shown_step *steps, uint32_t count)
{
	unsigned lines = 0;

	for (uint32_t i = 0; i < count; i++)
		lines += steps[i].shown ? steps[i].lines : i && steps[i - 1].shown ? FOLD : 0;
	return lines;
}

/* Prints all steps, or those that fit on a screen: the first, the last, and the most important ones between them. */
static void print_steps(const struct text_printer *p)
{
	uint32_t count = p->e->steps.size, hidden = 0;
	struct shown_step *steps = mem_alloc((count + 1) * sizeof(*steps));
	const struct explanation_step *all = p->e->steps.at;

	for (uint32_t i = 0; i < count; i++) {
		struct text_printer to = *p;
		size_t size;

		to.file = open_memstream(&steps[i].text, &size);
		if (!to.file)
			abort(); /* as all allocation does */
		print_step(&to, i);
		fclose(to.file);
		for (const char *at = steps[i].text; *at; at++)
			steps[i].lines += *at == '\n';
	}
	/* Of many steps by one statement, as in a loop, the first ones and the last one are shown. */
	for (uint32_t i = 0, end; i < p->e->steps.size; i = end) {
		end = i + 1;
		while (all[i].transition && end < p->e->steps.size && all[end].transition &&
		       explanation_same_place(&all[i].cause, &all[end].cause))
			end++;
		for (uint32_t j = i + MOST_ALIKE - 1; end - i > MOST_ALIKE && j + 1 < end; j++)
			steps[j].alike = true;
	}
	if (!p->style->full) {
		/* In the order of their ranks, of one rank those near the failure first, as long as they fit. */
		uint32_t last = 2 + p->e->suspects.size;

		for (uint32_t level = 0; level <= last; level++)
			for (uint32_t i = count; i-- > 0;) {
				if (rank(p->e, steps, i) != level)
					continue;
				steps[i].shown = true;
				if (level && lines_of(steps, count) > SCREEN)
					steps[i].shown = false;
			}
	}
	for (uint32_t i = 0; i < count; i++) {
		bool shown = p->style->full || steps[i].shown;

		hidden += !shown;
		if (shown && hidden)
			fprintf(p->file, "\n%*s%s %u more step%s (--full shows %s)\n",
			        (int)TEXT_INDENT, "", p->style->unicode ? "\xe2\x80\xa6" : "...",
			        hidden, hidden == 1 ? "" : "s", hidden == 1 ? "it" : "them");
		if (shown) {
			fputs(steps[i].text, p->file);
			hidden = 0;
		}
		free(steps[i].text);
	}
	free(steps);
}

/* --- the table of points --- */

static void add_code(const struct explanation_point *point, struct str *out)
{
	struct explanation_place whole = {.source = point->at.source};
	unsigned mark;

	if (whole.source)
		explanation_add_source(&whole, UINT_MAX, out, &mark);
}

struct points_widths {
	unsigned place, code;
};

/* A cell of text, filled up with spaces. */
static void print_cell(const char *text, unsigned width, FILE *file)
{
	unsigned columns = columns_all(text);

	fprintf(file, "%s%*s  ", text, (int)(columns < width ? width - columns : 0), "");
}

static void print_time(uint64_t time, FILE *file)
{
	if (time)
		fprintf(file, "%9llu  ", (unsigned long long)time);
	else
		fprintf(file, "%9s  ", "-");
}

static void print_point(const struct explanation_point *point, const struct points_widths *widths,
                        FILE *file)
{
	struct explanation_place at = point->at;
	struct str place GUARD(str_deinit) = STR_INIT, code GUARD(str_deinit) = STR_INIT,
			 cause GUARD(str_deinit) = STR_INIT;

	at.column = 0;
	explanation_add_place(&place, &at);
	add_code(point, &code);
	columns_cut(&code, widths->code);
	print_time(point->failing_time, file);
	print_time(point->reference_time, file);
	print_cell(str_text(&place), widths->place, file);
	print_cell(str_text(&code), widths->code, file);
	for (uint32_t i = 0; i < point->values.size; i++) {
		const struct explanation_value *v = &point->values.at[i];

		str_add(&cause, i ? ", " : "");
		explanation_add_safe(&cause, v->name);
		str_add(&cause, " = ");
		explanation_add_safe(&cause, v->failing ? v->failing : "(none)");
	}
	fprintf(file, "%s\n", cause.length ? str_text(&cause) : "?");
}

void explanation_print_points(const struct explanation *e, unsigned width, FILE *file)
{
	struct points_widths widths = {.place = 5, .code = 4};
	unsigned most = width > 70 ? width - 50 : 20, rule;

	for (uint32_t i = 0; i < e->points.size; i++) {
		struct explanation_place at = e->points.at[i].at;
		struct str place GUARD(str_deinit) = STR_INIT, code GUARD(str_deinit) = STR_INIT;

		at.column = 0;
		explanation_add_place(&place, &at);
		add_code(&e->points.at[i], &code);
		if (columns_all(str_text(&place)) > widths.place)
			widths.place = columns_all(str_text(&place));
		if (columns_all(str_text(&code)) > widths.code)
			widths.code = columns_all(str_text(&code));
	}
	if (widths.code > most)
		widths.code = most;
	rule = 26 + widths.place + widths.code + 5;
	fprintf(file, "\n%9s  %9s  ", "failing", "reference");
	print_cell("place", widths.place, file);
	print_cell("code", widths.code, file);
	fputs("cause\n", file);
	for (uint32_t i = 0; i < e->points.size; i++) {
		for (unsigned k = 0; i && e->points.at[i].transition && k < rule; k++)
			fputs(k + 1 < rule ? "-" : "-\n", file);
		print_point(&e->points.at[i], &widths, file);
	}
}

/* --- plausible edits --- */

/* A mark below the changed part of a line, after so many columns. */
static void print_mark(const struct text_printer *p, const char *text, size_t length,
                       unsigned before)
{
	unsigned room = p->style->full ? WHOLE_LINE : p->width - TEXT_INDENT - 2, columns;
	char *copy GUARD_FREE = mem_strndup(text, length);
	struct str part GUARD(str_deinit) = STR_INIT;

	for (char *at = copy; *at; at++)
		*at = *at == '\t' ? ' ' : *at;
	explanation_add_safe(&part, copy);
	columns = columns_all(str_text(&part));
	fprintf(p->file, "%*s%s^", (int)(TEXT_INDENT + 2 + before), "", text_colour(p, TEXT_GREEN));
	for (unsigned i = 1; i < columns && before + i < room; i++)
		fputc('~', p->file);
	fprintf(p->file, "%s\n", text_colour(p, TEXT_PLAIN));
}

/* Its lines, those of `after` with a mark below the changed part. */
static void print_lines(const struct text_printer *p, const char *text, const char *sign,
                        const char *colour, const struct explanation_fix *fix, bool marked)
{
	unsigned room = p->width > TEXT_INDENT + 22 ? p->width - TEXT_INDENT - 2 : 20;

	for (size_t begin = 0, length; text[begin];
	     begin += length + (text[begin + length] == '\n')) {
		size_t at = fix->mark >= begin ? fix->mark - begin : SIZE_MAX;
		struct explanation_place place = {0};
		struct str line GUARD(str_deinit) = STR_INIT;
		unsigned shown; /* columns before the mark; UINT_MAX: it is not in this line */

		length = strcspn(text + begin, "\n");
		place.column = at < length ? (unsigned)at + 1 : 0;
		place.source = mem_strndup(text + begin, length);
		explanation_add_source(&place, p->style->full ? WHOLE_LINE : room, &line, &shown);
		fprintf(p->file, "%*s%s%s %s%s\n", (int)TEXT_INDENT, "", text_colour(p, colour),
		        sign, str_text(&line), text_colour(p, TEXT_PLAIN));
		free(place.source);
		if (!marked || !fix->mark_length || shown == UINT_MAX)
			continue;
		print_mark(p, text + begin + at,
		           fix->mark_length < length - at ? fix->mark_length : length - at, shown);
	}
}

static void print_change(const struct text_printer *p, const struct explanation_fix *fix)
{
	struct explanation_fix clamped = *fix;

	explanation_fix_clamp(&clamped);
	print_lines(p, fix->before ? fix->before : "", "-", TEXT_RED, &clamped, false);
	print_lines(p, fix->after ? fix->after : "", "+", TEXT_GREEN, &clamped, true);
}

static void add_where(const struct text_printer *p, const struct explanation_fix *fix,
                      struct str *out)
{
	explanation_add_place_in(out, &fix->at, text_colour(p, TEXT_CYAN),
	                         text_colour(p, TEXT_PLAIN));
	if (p->style->full)
		str_printf(out, "  (%.3f, %s)", fix->score, fix->class ? fix->class : "?");
}

/* What is said below its lines. */
static void print_support(const struct text_printer *p, const struct explanation_fix *fix,
                          unsigned indent)
{
	struct str text = STR_INIT;

	explanation_add_tried(&text, p->e, fix);
	print_paragraph(p, &text, indent);
	explanation_add_agree(&text, fix);
	print_paragraph(p, &text, indent);
	if (p->style->full && fix->changed)
		str_printf(&text, "it changes what %llu execution%s of that place comput%s",
		           (unsigned long long)fix->changed, fix->changed == 1 ? "" : "s",
		           fix->changed == 1 ? "es" : "e");
	print_paragraph(p, &text, indent);
	if (fix->no_patch && (p->style->full || p->e->fixes_only)) {
		str_add(&text, "no patch: ");
		explanation_add_safe(&text, fix->no_patch);
	}
	print_paragraph(p, &text, indent);
}

/* Prints where the defect is likely to be: the best edit, and where others are. Nothing without one. */
static void print_defect(const struct text_printer *p)
{
	struct str text = STR_INIT;

	if (!p->e->fixes.size)
		return;
	str_printf(&text, "%s%s defect:%s ", text_colour(p, TEXT_BOLD),
	           explanation_is_doubtful(p->e) || p->e->fixes.at[0].fitted ? "possible"
	                                                                     : "likely",
	           text_colour(p, TEXT_PLAIN));
	add_where(p, &p->e->fixes.at[0], &text);
	fputc('\n', p->file);
	print_paragraph(p, &text, 0);
	print_change(p, &p->e->fixes.at[0]);
	print_support(p, &p->e->fixes.at[0], 2);
	explanation_add_other_fixes(&text, p->e, p->style->full ? UINT32_MAX : OTHER_FIXES);
	print_paragraph(p, &text, 2);
	explanation_add_doubt(&text, p->e);
	print_paragraph(p, &text, 2);
	if (p->e->reference.text)
		fputc('\n', p->file);
}

/* Prints the edits that are shown, one below the other: the text of `hence fix`. */
static void print_fixes(const struct text_printer *p)
{
	uint32_t shown = explanation_shown_fixes(p->e, p->style);
	struct str text = STR_INIT;

	explanation_add_no_fix(&text, p->e);
	if (text.length)
		fputc('\n', p->file);
	print_paragraph(p, &text, 0);
	for (uint32_t i = 0; i < shown; i++) {
		str_printf(&text, "%2u. ", i + 1);
		add_where(p, &p->e->fixes.at[i], &text);
		fputc('\n', p->file);
		print_paragraph(p, &text, 0);
		print_change(p, &p->e->fixes.at[i]);
		print_support(p, &p->e->fixes.at[i], TEXT_INDENT);
	}
	if (p->e->fixes.size > shown)
		fprintf(p->file, "\nand %u more (--all shows them)\n", p->e->fixes.size - shown);
	if (explanation_is_doubtful(p->e))
		fputc('\n', p->file);
	explanation_add_doubt(&text, p->e);
	print_paragraph(p, &text, 0);
	explanation_add_many(&text, p->e);
	print_paragraph(p, &text, 0);
}

/* --- the failure --- */

/* --- where to look --- */

static void print_suspects(const struct text_printer *p)
{
	if (p->e->suspects.size)
		fprintf(p->file, "\n%slook first at%s\n", text_colour(p, TEXT_BOLD),
		        text_colour(p, TEXT_PLAIN));
	for (uint32_t i = 0; i < explanation_shown_suspects(p->e, p->style->full); i++) {
		const struct explanation_suspect *s = &p->e->suspects.at[i];
		struct str text GUARD(str_deinit) = STR_INIT, why GUARD(str_deinit) = STR_INIT;
		unsigned used, room;

		str_add(&text, text_colour(p, TEXT_CYAN));
		explanation_add_place(&text, &s->at);
		str_add(&text, text_colour(p, TEXT_PLAIN));
		str_add(&text, "  ");
		if (p->style->full)
			str_printf(&text, "(%.2f)  ", fmin(s->score, 0.99));
		explanation_add_safe(&why, s->why ? s->why : "");
		used = 2 + columns_all(str_text(&text));
		room = WHY_LINES * p->width > used + 40 ? WHY_LINES * p->width - used - 20 : 20;
		if (!p->style->full)
			columns_cut(&why, room);
		str_add(&text, str_text(&why));
		columns_wrap_hanging(str_text(&text), 2, TEXT_INDENT, p->width, p->file);
	}
}

/* --- how it was found --- */

/* How proofs are read, once for all. */
static void print_legend(const struct text_printer *p)
{
	bool any = false, twice = false;

	for (uint32_t i = 0; i < p->e->steps.size && !p->style->full; i++) {
		any = any || (p->e->steps.at[i].proven && p->e->steps.at[i].proofs.size);
		twice = twice || is_proven_twice(&p->e->steps.at[i]);
	}
	if (twice)
		columns_wrap("proven both ways [m, n]: with the values in brackets the failing "
		             "run passes (experiment m), and with the others the reference run "
		             "fails (experiment n)",
		             0, p->width, p->file);
	else if (any)
		columns_wrap("[numbers] are those of the experiments (--full tells more)", 0,
		             p->width, p->file);
}

/* '; 4 decodes of recordings, 9 parts again, 6 walks' */
static void add_work(struct str *out, const struct explanation *e)
{
	unsigned long long decodes = e->stats.decodes, resumed = e->stats.resumed,
			   walks = e->stats.walks;

	if (decodes || walks)
		str_printf(out, "; %llu decode%s of recordings", decodes, decodes == 1 ? "" : "s");
	if (resumed)
		str_printf(out, ", %llu part%s again", resumed, resumed == 1 ? "" : "s");
	if (walks)
		str_printf(out, ", %llu walk%s", walks, walks == 1 ? "" : "s");
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
		if (p->style->full)
			add_work(&text, e);
		print_paragraph(p, &text, 0);
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
	if (p->style->full)
		add_work(&text, e);
	print_paragraph(p, &text, 0);
}

static void print_note(const struct text_printer *p, const char *note)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	str_add(&text, "- ");
	explanation_add_safe(&text, note);
	columns_wrap_hanging(str_text(&text), 0, 2, p->width, p->file);
}

static void print_notes(const struct text_printer *p)
{
	const struct explanation *e = p->e;
	struct str none GUARD(str_deinit) = STR_INIT;

	if (!e->fixes_only)
		explanation_add_no_fix(&none, e);
	if (e->notes.size || none.length)
		fprintf(p->file, "\n%sworth knowing%s\n", text_colour(p, TEXT_BOLD),
		        text_colour(p, TEXT_PLAIN));
	for (uint32_t i = 0; i < e->notes.size && (i < MOST_NOTES || p->style->full); i++)
		print_note(p, e->notes.at[i]);
	if (e->notes.size > MOST_NOTES && !p->style->full)
		fprintf(p->file, "- and %u more (--full shows them)\n", e->notes.size - MOST_NOTES);
	if (none.length)
		print_note(p, str_text(&none));
	if (e->hint) {
		struct str text = STR_INIT;

		fputc('\n', p->file);
		explanation_add_safe(&text, e->hint);
		print_paragraph(p, &text, 0);
	}
}

static struct text_printer printer_of(const struct explanation *e,
                                      const struct explanation_style *style, FILE *file)
{
	static const struct explanation_marks coloured = {TEXT_BOLD, TEXT_RED, TEXT_GREEN,
	                                                  TEXT_PLAIN};

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
	print_defect(&p);
}

void explanation_print_text(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	const struct text_printer p = printer_of(e, style, file);
	struct str text = STR_INIT;
	const struct explanation_memory_error *error;
	bool any = false;
	bool brackets = false; /* values of the reference stand in brackets */

	str_add(&text, text_colour(&p, TEXT_BOLD));
	explanation_add_failure(&text, p.e);
	str_add(&text, text_colour(&p, TEXT_PLAIN));
	print_paragraph(&p, &text, 0);
	/* After a memory error the program may do what its source does not say. */
	error = &p.e->memory_error;
	if (error->words) {
		str_add(&text, "memory error: ");
		explanation_add_safe(&text, error->words);
		if (error->usual)
			str_add(&text, "; a run that passes makes it, too");
		columns_wrap_hanging(str_text(&text), 0, 2, p.width, p.file);
		str_deinit(&text);
	}
	if (e->origin.words) {
		str_add(&text, "bad value: ");
		explanation_add_safe(&text, e->origin.words);
		columns_wrap_hanging(str_text(&text), 0, 2, p.width, p.file);
		str_deinit(&text);
	}
	if (e->fixes_only)
		print_fixes(&p);
	else
		print_defect(&p);
	if (p.e->reference.text) {
		str_add(&text, "compared with: ");
		explanation_add_safe(&text, p.e->reference.text);
		print_paragraph(&p, &text, 0);
		for (uint32_t i = 0; i < p.e->steps.size; i++)
			for (uint32_t j = 0; j < p.e->steps.at[i].values.size; j++)
				brackets |= p.e->steps.at[i].values.at[j].reference != NULL;
		if (brackets)
			fputs("values in brackets are those of that run\n", p.file);
	}
	print_steps(&p);
	for (uint32_t i = 0; i < p.e->steps.size; i++)
		any |= p.e->steps.at[i].proven;
	if (p.e->verdict == EXPLANATION_UNPROVEN && !p.e->fixes_only)
		fputs(any ? "\nthat this is why it fails is not proven: see below\n"
		          : "\nno cause could be proven\n",
		      p.file);
	if (p.e->verdict == EXPLANATION_INCOMPLETE)
		fputs("\nincomplete: the search was ended early; this is what was known\n", p.file);
	print_suspects(&p);
	if (e->points.size)
		explanation_print_points(e, p.width, file);
	print_notes(&p);
	fputc('\n', file);
	print_legend(&p);
	print_stats(&p);
}
