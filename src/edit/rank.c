/*
 * What plausible edits are worth, and in which order a person should see them: see search.h.
 *
 * Lines are in hard tiers: those with an edit that all known runs agree with, then those with one that leaves all passing
 * runs as they are, then the rest. Within a tier, the more kinds of edits fit at a line, the likelier it is the faulty one: a single one fits by
 * accident at many lines.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edit/search.h"

/*
 * Shares of lines with a plausible edit of that kind that are the faulty one, rounded: counted on 259 defects of the
 * Codeflaws collection (the half that is for practice), from the failing run alone and with up to five passing ones.
 * Kinds that hardly occurred there (bitwise, member, step, callee, exchanged, initial, entry, text, answer, defined, copied, printed, moved,
 * left, case, else, declared, value) are by analogy.
 */
const struct edit_kind_row edit_kinds[EDIT_KINDS] = {
	[EDIT_RELATIONAL] = {"relational", EDIT_CLASS_OPERATOR, .34, .62},
	[EDIT_ARITHMETIC] = {"arithmetic", EDIT_CLASS_OPERATOR, .31, .50},
	[EDIT_BITWISE] = {"bitwise", EDIT_CLASS_OPERATOR, .25, .50},
	[EDIT_STEP] = {"step", EDIT_CLASS_OPERATOR, .10, .20},
	[EDIT_SIGN] = {"sign", EDIT_CLASS_OPERATOR, .29, .50},
	[EDIT_NEAR] = {"near", EDIT_CLASS_CONSTANT, .21, .45},
	[EDIT_OTHER_CONSTANT] = {"constant", EDIT_CLASS_CONSTANT, .20, .43},
	[EDIT_DEFINED] = {"defined", EDIT_CLASS_CONSTANT, .21, .43},
	[EDIT_OFF_BY_ONE] = {"off-by-one", EDIT_CLASS_OPERAND, .22, .42},
	[EDIT_VARIABLE] = {"variable", EDIT_CLASS_VARIABLE, .23, .38},
	[EDIT_MEMBER] = {"member", EDIT_CLASS_VARIABLE, .20, .36},
	[EDIT_TARGET] = {"target", EDIT_CLASS_VARIABLE, .06, .12},
	[EDIT_CONSTANT_FOR] = {"constant-for", EDIT_CLASS_VARIABLE, .22, .40},
	[EDIT_VARIABLE_FOR] = {"variable-for", EDIT_CLASS_CONSTANT, .21, .38},
	[EDIT_DROPPED] = {"dropped", EDIT_CLASS_OPERAND, .28, .46},
	[EDIT_EXTENDED] = {"extended", EDIT_CLASS_OPERAND, .23, .38, true},
	[EDIT_VALUE] = {"value", EDIT_CLASS_OPERAND, .15, .30, true},
	[EDIT_NEGATED] = {"negated", EDIT_CLASS_CONDITION, .34, .52},
	[EDIT_FORCED] = {"forced", EDIT_CLASS_CONDITION, .34, .55},
	[EDIT_JOINED] = {"joined", EDIT_CLASS_OPERATOR, .45, .50},
	[EDIT_TIGHTENED] = {"tightened", EDIT_CLASS_CONDITION, .25, .30, true},
	[EDIT_LOOSENED] = {"loosened", EDIT_CLASS_CONDITION, .30, .31, true},
	[EDIT_CALLEE] = {"callee", EDIT_CLASS_CALL, .15, .25},
	[EDIT_EXCHANGED] = {"exchanged", EDIT_CLASS_CALL, .10, .15},
	[EDIT_CALL_DROPPED] = {"call-dropped", EDIT_CLASS_CALL, .15, .30, true},
	[EDIT_DELETED] = {"deleted", EDIT_CLASS_STATEMENT, .08, .22, true},
	[EDIT_COPIED] = {"copied", EDIT_CLASS_STATEMENT, .10, .20, true},
	[EDIT_PRINTED] = {"printed", EDIT_CLASS_STATEMENT, .05, .10, true},
	[EDIT_MOVED] = {"moved", EDIT_CLASS_STATEMENT, .10, .20, true},
	[EDIT_ASSIGNED] = {"assigned", EDIT_CLASS_STATEMENT, .10, .12, true},
	[EDIT_LEFT] = {"left", EDIT_CLASS_STATEMENT, .06, .10, true},
	[EDIT_LEFT_IF] = {"left-if", EDIT_CLASS_STATEMENT, .08, .12, true},
	[EDIT_GUARDED] = {"guarded", EDIT_CLASS_STATEMENT, .06, .08, true},
	[EDIT_CASE] = {"case", EDIT_CLASS_STATEMENT, .30, .45},
	[EDIT_ELSE] = {"else", EDIT_CLASS_STATEMENT, .30, .40},
	[EDIT_INITIAL] = {"initial", EDIT_CLASS_DATA, .30, .50},
	[EDIT_ENTRY] = {"entry", EDIT_CLASS_DATA, .30, .50},
	[EDIT_TEXT] = {"text", EDIT_CLASS_DATA, .30, .50},
	[EDIT_ANSWER] = {"answer", EDIT_CLASS_DATA, .02, .10, true},
	[EDIT_WIDER] = {"wider", EDIT_CLASS_WIDTH, .50, .51},
	[EDIT_DECLARED] = {"declared", EDIT_CLASS_WIDTH, .40, .50},
};

/*
 * What speaks for a line, added up; its score is 1 - exp(-sum). Fitted to the lines of 156 of these defects (each line against
 * the others of its program), and rounded; half or twice as much of any one changes the order of few lines.
 */
#define FITS      0.6 /* an edit fits, and all known runs agree */
#define EACH_KIND 0.5 /* times the logarithm of the number of kinds that do */
#define ALIKE     0.9 /* one of them puts something else in the place of what is there */
#define QUIET     0.8 /* and computes nothing else in the runs that pass */
#define ADDS      0.3 /* one of them adds something or leaves it out */
#define FITTED    0.5 /* times FITS: all that fit were made so, by value */
#define LOOSE     0.4 /* times all that, where known runs disagree: the number of kinds only */
/* Where few of the lines that were tried have an edit that fits, it means more: the sum is multiplied by
   the logarithm of their ratio, over this one, within these bounds. */
#define USUAL_RATIO  1.2
#define LEAST_FACTOR 0.7
#define MOST_FACTOR  3.0

/* Of lines with the same score, those come last that only declare what is used in the others: a change of an expression is the
   smaller one. */
#define TIE 1e-9

/* Edits that often fit just this input. */
static double penalty(const struct edit_found *f)
{
	/* The fewer executions it changes, the likelier. */
	double p = 1 / (1 + 0.15 * log2(f->changed + 1.0));

	if (f->less)
		p *= 0.6;
	if (f->fitted)
		p *= FITTED;
	return p;
}

static bool same_line(const struct edit_found *a, const struct edit_found *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static uint32_t count_spaces(const char *text)
{
	uint32_t count = 0;

	for (; *text; text++)
		count += *text == ' ';
	return count;
}

static int by_rank(const void *a, const void *b)
{
	const struct edit_found *x = a, *y = b;

	if (x->tier != y->tier)
		return x->tier > y->tier ? -1 : 1;
	if (x->line_score != y->line_score)
		return x->line_score > y->line_score ? -1 : 1;
	if (!same_line(x, y))
		return x->line != y->line ? (x->line < y->line ? -1 : 1)
		                          : strcmp(x->file ? x->file : "", y->file ? y->file : "");
	if (x->fitted != y->fitted)
		return x->fitted ? 1 : -1;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	/* Of expressions that fit, the one with the fewest operators. */
	if (x->fitted && y->fitted && count_spaces(x->is) != count_spaces(y->is))
		return count_spaces(x->is) < count_spaces(y->is) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Over the edits of the line that are of the tier of this one. Those by value count only where there are no others. */
static double sum_line(const struct edit_search *s, struct edit_found *f)
{
	bool seen[EDIT_KINDS] = {false}, alike = false, quiet = false, adds = false;
	bool fitted = true;
	uint32_t kinds = 0;

	for (uint32_t i = 0; i < s->found.size; i++)
		if (same_line(f, &s->found.at[i]) && s->found.at[i].tier == f->tier)
			fitted &= s->found.at[i].fitted;
	for (uint32_t i = 0; i < s->found.size; i++) {
		const struct edit_found *o = &s->found.at[i];

		if (!same_line(f, o) || o->tier != f->tier || o->fitted != fitted)
			continue;
		kinds += !seen[o->kind];
		seen[o->kind] = true;
		adds |= edit_kinds[o->kind].adds;
		alike |= !edit_kinds[o->kind].adds;
		quiet |= !edit_kinds[o->kind].adds && o->quiet && o->passing_of;
	}
	f->agree = kinds - seen[f->kind];
	if (fitted)
		return FITTED * (f->tier < 2 ? LOOSE * 0.3 : FITS);
	if (f->tier < 2)
		return LOOSE * (0.3 + log(kinds));
	return FITS + EACH_KIND * log(kinds) + ALIKE * alike + QUIET * quiet + ADDS * adds -
	       TIE * (seen[EDIT_DECLARED] && kinds == 1);
}

void edit_rank(struct edit_search *s)
{
	uint32_t lines = 0;
	double factor;
	bool ordinary = false; /* are there edits that are not by value? */

	for (uint32_t i = 0; i < s->found.size; i++)
		ordinary |= !s->found.at[i].fitted;

	for (uint32_t i = 0; i < s->found.size; i++) {
		struct edit_found *f = &s->found.at[i];
		uint32_t others = f->passing_of + f->failing_of - 1;
		uint32_t good = f->passing + f->failing - 1;
		bool known = false;

		f->tier = good == others ? 2 : f->passing == f->passing_of;
		f->score = (f->tier == 2 && others ? edit_kinds[f->kind].all
		                                   : edit_kinds[f->kind].one) *
		           penalty(f);
		for (uint32_t k = 0; k < i && !known; k++)
			known = s->found.at[k].tier == 2 && same_line(f, &s->found.at[k]);
		lines += f->tier == 2 && !known && !(f->fitted && ordinary);
	}
	factor = lines && s->lines > lines ? log((double)s->lines / lines) / USUAL_RATIO : 0;
	factor = fmin(fmax(factor, LEAST_FACTOR), MOST_FACTOR);
	for (uint32_t i = 0; i < s->found.size; i++) {
		struct edit_found *f = &s->found.at[i];

		f->line_score = 1 - exp(-sum_line(s, f) * (f->tier == 2 ? factor : 1));
	}
	if (s->found.size)
		qsort(s->found.at, s->found.size, sizeof(*s->found.at), by_rank);
}
