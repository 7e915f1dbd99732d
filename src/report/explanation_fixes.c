/* Plausible edits in words and as text: see explanation_fixes.h. */
#include "report/explanation_fixes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "report/explanation_layout.h"

#define MANY_PLACES  5u  /* more lines than this have a plausible edit: most of them by accident */
#define OTHER_FIXES  3u  /* other lines that are named */
#define LONGEST_EDIT 32u /* columns of an edit at one of these */
#define WHOLE_LINE   100000u /* columns: a line is not cut */

/* --- what is known of them --- */

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

/* Does a run that passed not stay as it was, or one that failed not become right? */
static bool is_partial(const struct explanation_fix *fix)
{
	return fix->passing < fix->passing_of || fix->failing < fix->failing_of;
}

bool explanation_is_doubtful(const struct explanation *e)
{
	return e->fixes.size && (is_thin(&e->fixes.at[0]) || is_partial(&e->fixes.at[0]) ||
	                         e->stats.edit_places > MANY_PLACES);
}

/* --- sentences --- */

/* 'edit' or 'edits' behind its number. */
static void add_count(struct str *out, uint64_t count, const char *one)
{
	str_printf(out, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

/* What the failing run does with the change. */
static const char *effect(const struct explanation *e)
{
	static const struct {
		const char *kind, *text;
	} effects[] = {
		{"wrong-output", "prints what is expected"},
		{"crash", "does not crash"},
		{"abort", "does not abort"},
		{"assert", "meets the assertion"},
		{"exit", "exits as it should"},
		{"hang", "terminates"},
		{"memory", "has no memory error"},
		{"test", "passes the test"},
	};

	for (size_t i = 0; i < sizeof(effects) / sizeof(*effects); i++)
		if (e->failure.kind && !strcmp(effects[i].kind, e->failure.kind))
			return effects[i].text;
	return "passes";
}

void explanation_add_tried(struct str *out, const struct explanation *e,
                           const struct explanation_fix *fix)
{
	str_add(out, "with this change ");
	if (fix->failing_of <= 1)
		str_printf(out, "the program %s", effect(e));
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
	bool prints = e->failure.kind && !strcmp(e->failure.kind, "wrong-output");

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

static bool same_line(const struct explanation_fix *a, const struct explanation_fix *b)
{
	if (a->at.line != b->at.line || !a->at.file != !b->at.file)
		return false;
	return !a->at.file || !strcmp(a->at.file, b->at.file);
}

/* Is it the first on its line? */
static bool is_first(const struct explanation *e, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (same_line(&e->fixes.at[i], &e->fixes.at[index]))
			return false;
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

/* --- text --- */

/* A line of the text that begins here, of `length` bytes, behind `sign`. *shown is how many columns stand before the byte `at` in it; UINT_MAX: that
   is not in it. */
static void print_line(const struct text_printer *p, const char *sign, const char *colour,
                       const char *text, size_t length, size_t at, unsigned *shown)
{
	unsigned room = p->width > TEXT_INDENT + 22 ? p->width - TEXT_INDENT - 2 : 20;
	char *copy = mem_strndup(text, length);
	const struct explanation_place place = {.column = at < length ? (unsigned)at + 1 : 0,
	                                        .source = copy};
	struct str line = STR_INIT;

	explanation_add_source(&place, p->style->full ? WHOLE_LINE : room, &line, shown);
	fprintf(p->file, "%*s%s%s %s%s\n", (int)TEXT_INDENT, "", text_colour(p, colour), sign,
	        str_text(&line), text_colour(p, CELL_PLAIN));
	str_deinit(&line);
	free(copy);
}

static void print_mark(const struct text_printer *p, const char *text, size_t length,
                       unsigned before)
{
	unsigned room = p->style->full ? WHOLE_LINE : p->width - TEXT_INDENT - 2, columns;
	char *copy = mem_strndup(text, length);
	struct str part = STR_INIT;

	for (char *at = copy; *at; at++)
		*at = *at == '\t' ? ' ' : *at;
	explanation_add_safe(&part, copy);
	columns = cell_columns(str_text(&part));
	fprintf(p->file, "%*s%s^", (int)(TEXT_INDENT + 2 + before), "", text_colour(p, TEXT_GREEN));
	for (unsigned i = 1; i < columns && before + i < room; i++)
		fputc('~', p->file);
	fprintf(p->file, "%s\n", text_colour(p, CELL_PLAIN));
	str_deinit(&part);
	free(copy);
}

/* Its lines, those of `after` with a mark below the changed part. */
static void print_lines(const struct text_printer *p, const char *text, const char *sign,
                        const char *colour, const struct explanation_fix *fix, bool marked)
{
	for (size_t begin = 0, length; text[begin];
	     begin += length + (text[begin + length] == '\n')) {
		size_t at = fix->mark >= begin ? fix->mark - begin : SIZE_MAX;
		unsigned shown;

		length = strcspn(text + begin, "\n");
		print_line(p, sign, colour, text + begin, length, at, &shown);
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
	print_lines(p, fix->before ? fix->before : "", "-", CELL_RED, &clamped, false);
	print_lines(p, fix->after ? fix->after : "", "+", TEXT_GREEN, &clamped, true);
}

static void add_where(const struct text_printer *p, const struct explanation_fix *fix,
                      struct str *out)
{
	str_add(out, text_colour(p, CELL_CYAN));
	explanation_add_place(out, &fix->at);
	str_add(out, text_colour(p, CELL_PLAIN));
	if (fix->at.function) {
		str_add(out, " in ");
		explanation_add_safe(out, fix->at.function);
		str_add(out, "()");
	}
	if (p->style->full)
		str_printf(out, "  (%.3f, %s)", fix->score, fix->class ? fix->class : "?");
}

/* Prints a paragraph, if there is one, and empties it. */
static void print_sentence(const struct text_printer *p, struct str *text, unsigned indent)
{
	if (text->length)
		explanation_wrap(str_text(text), indent, p->width, p->file);
	str_deinit(text);
}

/* What is said below its lines. */
static void print_support(const struct text_printer *p, const struct explanation_fix *fix,
                          unsigned indent)
{
	struct str text = STR_INIT;

	explanation_add_tried(&text, p->e, fix);
	print_sentence(p, &text, indent);
	explanation_add_agree(&text, fix);
	print_sentence(p, &text, indent);
	if (p->style->full && fix->changed)
		str_printf(&text, "it changes what %llu execution%s of that place comput%s",
		           (unsigned long long)fix->changed, fix->changed == 1 ? "" : "s",
		           fix->changed == 1 ? "es" : "e");
	print_sentence(p, &text, indent);
	if (fix->no_patch && (p->style->full || p->e->fixes_only)) {
		str_add(&text, "no patch: ");
		explanation_add_safe(&text, fix->no_patch);
	}
	print_sentence(p, &text, indent);
}

void explanation_print_defect(const struct text_printer *p)
{
	struct str text = STR_INIT;

	if (!p->e->fixes.size)
		return;
	str_printf(&text, "%s%s defect:%s ", text_colour(p, CELL_BOLD),
	           explanation_is_doubtful(p->e) || p->e->fixes.at[0].fitted ? "possible"
	                                                                     : "likely",
	           text_colour(p, CELL_PLAIN));
	add_where(p, &p->e->fixes.at[0], &text);
	fputc('\n', p->file);
	print_sentence(p, &text, 0);
	print_change(p, &p->e->fixes.at[0]);
	print_support(p, &p->e->fixes.at[0], 2);
	explanation_add_other_fixes(&text, p->e, p->style->full ? UINT32_MAX : OTHER_FIXES);
	print_sentence(p, &text, 2);
	explanation_add_doubt(&text, p->e);
	print_sentence(p, &text, 2);
	if (p->e->reference.text)
		fputc('\n', p->file);
}

void explanation_print_fixes(const struct text_printer *p)
{
	uint32_t shown = explanation_shown_fixes(p->e, p->style);
	struct str text = STR_INIT;

	explanation_add_no_fix(&text, p->e);
	if (text.length)
		fputc('\n', p->file);
	print_sentence(p, &text, 0);
	for (uint32_t i = 0; i < shown; i++) {
		str_printf(&text, "%2u. ", i + 1);
		add_where(p, &p->e->fixes.at[i], &text);
		fputc('\n', p->file);
		print_sentence(p, &text, 0);
		print_change(p, &p->e->fixes.at[i]);
		print_support(p, &p->e->fixes.at[i], TEXT_INDENT);
	}
	if (p->e->fixes.size > shown)
		fprintf(p->file, "\nand %u more (--all shows them)\n", p->e->fixes.size - shown);
	if (explanation_is_doubtful(p->e))
		fputc('\n', p->file);
	explanation_add_doubt(&text, p->e);
	print_sentence(p, &text, 0);
	explanation_add_many(&text, p->e);
	print_sentence(p, &text, 0);
}
