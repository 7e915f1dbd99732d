/* One ranking from all evidence: see suspects.h. */
#include "causes/suspects.h"

#include <assert.h>
#include <string.h>

#include "causes/explain_work.h"

#define MOST_REASONS 2u   /* that `why` has */
#define LEAST_TOLD   0.03 /* weight of a further one that is worth a word */

/*
 * The one table: weights for each kind of reference. They were set on 99 practice defects of the Codeflaws collection
 * and rounded; half or twice as much changes the order of few lines (docs/explain.md has the figures, and reasons in
 * more words).
 */
#define ANY(weight)                                                                                \
	{                                                                                          \
		weight, weight, weight                                                             \
	}
const struct suspect_weight suspect_weights[SUSPECT_ROWS] = {
	/* Both runs had the same input and were equal up to here: the first difference is the fault, or right after it. */
	[SUSPECT_ROOT] = {"root", SUSPECT_OF_CHAIN, {0.80, 0.30, 0.30}},
	/* Something was computed or decided here. Of two inputs it mostly was rightly so. */
	[SUSPECT_MAKES] = {"makes", SUSPECT_OF_CHAIN, {0.60, 0.25, 0.15}},
	/* It did what it was told, but could have refused. */
	[SUSPECT_RECEIVES] = {"receives", SUSPECT_OF_CHAIN, {0.50, 0.10, 0.15}},
	/* Nothing else could be told apart: all that is known is the line. */
	[SUSPECT_ALL_ALONG] = {"all-along", SUSPECT_OF_CHAIN, {0.40, 0.40, 0.40}},
	/* It did what it was told, as others did before it. */
	[SUSPECT_HANDS_ON] = {"hands-on", SUSPECT_OF_CHAIN, {0.20, 0.05, 0.02}},
	/* A messenger; but a wrong format or a wrong variable is printed here as well. */
	[SUSPECT_SHOWS] = {"shows", SUSPECT_OF_CHAIN, {0.20, 0.03, 0.25}},
	/* The run is right with it: its condition is wrong, or what it tests. */
	[SUSPECT_SWITCH] = {"switch", SUSPECT_OF_SWITCH, ANY(0.30)},
	/* There are only two ways, and the other one is right: chance seldom does that. */
	[SUSPECT_TREE_BRANCH] = {"tree-branch", SUSPECT_OF_TREE, ANY(0.75)},
	/* Near the failure some value can mostly be found with which it goes away. */
	[SUSPECT_TREE_VALUE] = {"tree-value", SUSPECT_OF_TREE, ANY(0.52)},
	/* Of two builds one fails: what was changed is to blame, but of many changes not each. */
	[SUSPECT_CHANGED] = {"changed", SUSPECT_OF_CHANGE, {0.50, 0.30, 0.30}},
	/* A potential cause, as most conditions before the failure are. */
	[SUSPECT_TREE_OPEN] = {"tree-open", SUSPECT_OF_OPEN, ANY(0.14)},
	/* What differs between the runs and goes into the failure; of two inputs nearly everything does. */
	[SUSPECT_DUAL] = {"dual-slice", SUSPECT_OF_DUAL, {0.10, 0.50, 0.05}},
	/* A third of the program or more is in it: it decides only between others. */
	[SUSPECT_CHOP] = {"chop", SUSPECT_OF_CHOP, ANY(0.15)},
	/* Times the score by the formula. All lines of a block have the same, so it seldom names one line; but it comes
	   from runs that no other witness saw. */
	[SUSPECT_SPECTRA] = {"spectra", SUSPECT_OF_TESTS, ANY(0.84)},
	/* Times the score of the line, which grows with the kinds of edits that fit. A defect is a property of code, and this
	   is the only witness that changed code. */
	[SUSPECT_EDIT] = {"edit", SUSPECT_OF_EDITS, ANY(0.99)},
	/* Other runs change with it, so it is not the right one, but may be at the right place. */
	[SUSPECT_EDIT_LOOSE] = {"edit-loose", SUSPECT_OF_EDITS, ANY(0.90)},
	/* It explains the memory error, too, so nothing else need be wrong. */
	[SUSPECT_MEMORY_CURED] = {"memory-cured", SUSPECT_OF_MEMORY, ANY(0.90)},
	/* An array that is too small, or a variable without a first value. */
	[SUSPECT_MEMORY_OBJECT] = {"memory-object", SUSPECT_OF_MEMORY, ANY(0.80)},
	/* It is wrong for sure, but often only does what it was told. */
	[SUSPECT_MEMORY_ACCESS] = {"memory-access", SUSPECT_OF_MEMORY, ANY(0.60)},
	/* Freed too early, or twice. */
	[SUSPECT_MEMORY_FREE] = {"memory-free", SUSPECT_OF_MEMORY, ANY(0.70)},
	/* A loop that goes one too far, a wrong index. */
	[SUSPECT_MEMORY_INDEX] = {"memory-index", SUSPECT_OF_MEMORY, ANY(0.50)},
	/* scanf() with a wrong format, a function that fails. */
	[SUSPECT_MEMORY_GIVEN] = {"memory-given", SUSPECT_OF_MEMORY, ANY(0.75)},
	/* In a third of a few practice crashes a check is missing just here; no line is likelier by itself. */
	[SUSPECT_CRASH] = {"crash", SUSPECT_OF_CRASH, ANY(0.60)},
};

/* The column of the table for what the explanation's evidence comes from. */
static enum suspect_reference reference_of(const struct explanation *e)
{
	const char *kind = e->reference.kind ? e->reference.kind : "none";

	if (!strcmp(kind, "program"))
		return SUSPECT_BUILD;
	return strcmp(kind, "input") ? SUSPECT_SAME : SUSPECT_INPUT;
}

/* Is it a dependence only, of which nothing was tried? */
static bool is_potential(enum suspect_family family)
{
	return family == SUSPECT_OF_DUAL || family == SUSPECT_OF_CHOP || family == SUSPECT_OF_OPEN;
}

static enum suspect_row row_of(const char *kind)
{
	enum suspect_row row = 0;

	while (row < SUSPECT_ROWS && strcmp(suspect_weights[row].kind, kind))
		row++;
	assert(row < SUSPECT_ROWS);
	return row;
}

/* --- evidence --- */

/* The suspect of that line, made if there is none. */
static struct explanation_suspect *suspect_at(struct explanation *e,
                                              const struct explanation_place *place)
{
	struct explanation_suspect *new;

	for (uint32_t i = 0; i < e->suspects.size; i++)
		if (e->suspects.at[i].at.line == place->line &&
		    !strcmp(e->suspects.at[i].at.file, place->file))
			return &e->suspects.at[i];
	new = vec_push(&e->suspects);
	new->at = explain_copy_place(place);
	return new;
}

/* The number of its evidence of that kind, made if there is none. */
static uint32_t evidence_of(struct explanation_suspect *suspect, const char *kind)
{
	for (uint32_t i = 0; i < suspect->evidence.size; i++)
		if (!strcmp(suspect->evidence.at[i].kind, kind))
			return i;
	vec_push(&suspect->evidence)->kind = kind;
	vec_push(&suspect->words);
	return suspect->evidence.size - 1;
}

/* Is all that is known that the line may have to do with it? */
static bool is_faint(const struct explanation_suspect *suspect)
{
	for (uint32_t i = 0; i < suspect->evidence.size; i++)
		if (!is_potential(suspect_weights[row_of(suspect->evidence.at[i].kind)].family))
			return false;
	return true;
}

void suspects_add(struct explanation *e, const struct explanation_place *place,
                  enum suspect_row row, double factor, char *words)
{
	const char *kind = suspect_weights[row].kind;
	double weight = suspect_weights[row].weight[reference_of(e)] * factor;
	struct explanation_suspect *suspect;
	uint32_t number;

	assert(factor <= 1);
	if (!place->file || !place->line || factor <= 0) {
		free(words);
		return;
	}
	suspect = suspect_at(e, place);
	/* The column and the function of what says most. */
	if (is_faint(suspect) && place->column) {
		explanation_place_deinit(&suspect->at);
		suspect->at = explain_copy_place(place);
	}
	number = evidence_of(suspect, kind);
	if (suspect->words.at[number] && suspect->evidence.at[number].weight >= weight) {
		free(words);
		return;
	}
	free(suspect->words.at[number]);
	suspect->evidence.at[number].weight = weight;
	suspect->words.at[number] = words;
}

static void drop(struct explanation *e, uint32_t number)
{
	explanation_suspect_deinit(&e->suspects.at[number]);
	e->suspects.size--;
	memmove(e->suspects.at + number, e->suspects.at + number + 1,
	        (e->suspects.size - number) * sizeof(*e->suspects.at));
}

void suspects_forget(struct explanation *e, enum suspect_family family)
{
	for (uint32_t i = e->suspects.size; i-- > 0;) {
		struct explanation_suspect *s = &e->suspects.at[i];
		uint32_t kept = 0;

		for (uint32_t k = 0; k < s->evidence.size; k++)
			if (suspect_weights[row_of(s->evidence.at[k].kind)].family == family) {
				free(s->words.at[k]);
			} else {
				s->words.at[kept] = s->words.at[k];
				s->evidence.at[kept++] = s->evidence.at[k];
			}
		s->evidence.size = s->words.size = kept;
		if (!kept)
			drop(e, i);
	}
}

/* --- the ranking --- */

static bool is_stronger(const struct explanation_evidence *a, const struct explanation_evidence *b)
{
	return a->weight > b->weight ||
	       (a->weight == b->weight && row_of(a->kind) < row_of(b->kind));
}

/* The strongest evidence first, with its words. */
static void sort_evidence(struct explanation_suspect *s)
{
	for (uint32_t i = 1; i < s->evidence.size; i++) {
		struct explanation_evidence moved = s->evidence.at[i];
		char *words = s->words.at[i];
		uint32_t at = i;

		for (; at && is_stronger(&moved, &s->evidence.at[at - 1]); at--) {
			s->evidence.at[at] = s->evidence.at[at - 1];
			s->words.at[at] = s->words.at[at - 1];
		}
		s->evidence.at[at] = moved;
		s->words.at[at] = words;
	}
}

/* Its evidence is sorted: the first of a family is the strongest. */
static double score(const struct explanation_suspect *suspect)
{
	bool seen[SUSPECT_FAMILIES] = {false};
	double innocent = 1;

	for (uint32_t i = 0; i < suspect->evidence.size; i++) {
		enum suspect_family family =
			suspect_weights[row_of(suspect->evidence.at[i].kind)].family;

		if (!seen[family])
			innocent *= 1 - suspect->evidence.at[i].weight;
		seen[family] = true;
	}
	return 1 - innocent;
}

static bool is_said(const struct explanation_suspect *suspect, uint32_t number)
{
	for (uint32_t i = 0; i < number; i++)
		if (!strcmp(suspect->words.at[i], suspect->words.at[number]))
			return true;
	return false;
}

/* The strongest reasons. That a line merely could have to do with it is said where nothing else is. */
static char *reasons(const struct explanation_suspect *suspect)
{
	bool faint = is_faint(suspect);
	struct str text = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < suspect->evidence.size && count < MOST_REASONS; i++) {
		const struct explanation_evidence *evidence = &suspect->evidence.at[i];

		if (is_said(suspect, i) || (count && evidence->weight < LEAST_TOLD) ||
		    (count || !faint) ==
		            is_potential(suspect_weights[row_of(evidence->kind)].family))
			continue;
		str_printf(&text, "%s%s", count++ ? "; " : "", suspect->words.at[i]);
	}
	return str_steal(&text);
}

/* Stable, and there are few. */
static void sort(struct explanation *e)
{
	for (uint32_t i = 1; i < e->suspects.size; i++) {
		struct explanation_suspect moved = e->suspects.at[i];
		uint32_t at = i;

		for (; at && e->suspects.at[at - 1].score < moved.score; at--)
			e->suspects.at[at] = e->suspects.at[at - 1];
		e->suspects.at[at] = moved;
	}
}

/* --- memory errors --- */

#define LEAST_MEMORY  0.25 /* below that a run that passes makes the same error */
#define BESIDE_MEMORY 0.60 /* what other lines are worth when there is one */
#define LEAST_EDIT    0.60 /* only an edit that other runs agree with has as much */

/* Has the line evidence of that family that counts? */
static bool has(const struct explanation_suspect *s, enum suspect_family family, double least)
{
	for (uint32_t i = 0; i < s->evidence.size; i++)
		if (suspect_weights[row_of(s->evidence.at[i].kind)].family == family &&
		    s->evidence.at[i].weight >= least)
			return true;
	return false;
}

/* After a memory error the program did not do what its source says, so what else was seen in the run may be its
   consequence; but not that a change of the code makes other runs right as well. */
static void prefer_memory(struct explanation *e)
{
	bool any = false,
	     tried = e->fixes.size && e->fixes.at[0].passing_of + e->fixes.at[0].failing_of > 1;

	for (uint32_t i = 0; i < e->suspects.size; i++)
		any |= has(&e->suspects.at[i], SUSPECT_OF_MEMORY, LEAST_MEMORY);
	for (uint32_t i = 0; i < e->suspects.size && any; i++) {
		struct explanation_suspect *s = &e->suspects.at[i];

		if (!has(s, SUSPECT_OF_MEMORY, LEAST_MEMORY) &&
		    !(tried && has(s, SUSPECT_OF_EDITS, LEAST_EDIT)))
			s->score *= BESIDE_MEMORY;
	}
}

void suspects_settle(struct explanation *e)
{
	for (uint32_t i = 0; i < e->suspects.size; i++) {
		struct explanation_suspect *s = &e->suspects.at[i];

		sort_evidence(s);
		s->score = score(s);
		free(s->why);
		s->why = reasons(s);
	}
	prefer_memory(e);
	sort(e);
}

void suspects_cut(struct explanation *e)
{
	while (e->suspects.size > SUSPECTS_MOST)
		drop(e, e->suspects.size - 1);
}
