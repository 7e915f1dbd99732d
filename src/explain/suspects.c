/* One ranking from all evidence: see suspects.h. */
#include "explain/suspects.h"

#include <assert.h>
#include <string.h>

#include "explain/steps.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"

/* ------ what the steps of a chain tell about where to look first ------ */

/* See suspects.h; docs/explain.md gives the reasons. */

/* Factors of the rows. */
#define FARTHER                                                                                    \
	0.97 /* for each statement with a transition of its kind that comes first: nearer to
                          the failure, or of two runs with the same input nearer to the beginning */
#define USUAL     0.60 /* runs that pass differ in it as well */
#define ONE_WAY   0.90 /* proven in one of the runs only */
#define UNPROVEN  0.50
#define OTHER_END 0.95 /* for the end of a gap that the transition lies in */
#define LEAST     0.01

/* --- what a transition does --- */

/* Are they the same value, or is one a text that the other was read from: "n=12" and 12? */
static bool same_value(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	if (*a == '"' && *b && *b != '"')
		return strstr(a, b);
	if (*b == '"' && *a && *a != '"')
		return strstr(b, a);
	return !strcmp(a, b);
}

static bool has_values(const struct explanation_step *step, const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (same_value(step->values.at[i].failing, value->failing) &&
		    same_value(step->values.at[i].reference, value->reference))
			return true;
	return false;
}

/* Does the step only propagate values: has every variable those of one of the step before? */
static bool hands_on(const struct explanation *e, uint32_t number)
{
	const struct explanation_step *step = &e->steps.at[number];

	for (uint32_t i = 0; number && i < step->values.size; i++)
		if (!has_values(&e->steps.at[number - 1], &step->values.at[i]))
			return false;
	return number;
}

static bool is_proven_by(const struct explanation_step *step, enum explanation_run in,
                         enum verdict outcome)
{
	for (uint32_t i = 0; i < step->proofs.size; i++)
		if (step->proofs.at[i].in == in && step->proofs.at[i].outcome == outcome)
			return true;
	return false;
}

static bool is_proven_twice(const struct explanation_step *step)
{
	return step->proven && is_proven_by(step, EXPLANATION_FAILING, VERDICT_PASS) &&
	       is_proven_by(step, EXPLANATION_REFERENCE, VERDICT_FAIL);
}

static bool same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->line == b->line && explain_same_text(a->file, b->file);
}

/* The steps, and which of them propagate. */
struct suspicion {
	struct explanation *e;
	bool *copies;   /* the step hands on */
	bool *last;     /* no later transition of its kind is by the same statement */
	uint32_t first; /* the first transition; UINT32_MAX: there is none */
	/* Both runs had the same input: nothing that differs is as it should be, and what comes first is
	   where they part. */
	bool same_input;
};

static void examine(struct suspicion *s)
{
	const struct explanation_step *steps = s->e->steps.at;
	uint32_t count = s->e->steps.size;

	s->copies = mem_alloc(count + 1);
	s->last = mem_alloc(count + 1);
	for (uint32_t i = count; i-- > 0;) {
		s->copies[i] = hands_on(s->e, i);
		s->last[i] = steps[i].transition;
		if (steps[i].transition)
			s->first = i;
		for (uint32_t j = i + 1; j < count && s->last[i]; j++)
			s->last[i] = !s->last[j] || s->copies[i] != s->copies[j] ||
			             !same_place(&steps[i].cause, &steps[j].cause);
	}
}

/* For each statement whose transition is of the same kind and comes before it in the order. */
static double distance(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *steps = s->e->steps.at;
	uint32_t from = s->same_input ? 0 : number + 1;
	uint32_t to = s->same_input ? number : s->e->steps.size;
	double result = 1;

	for (uint32_t i = from; i < to; i++)
		if (s->last[i] && s->copies[i] == s->copies[number] &&
		    !same_place(&steps[i].cause, &steps[number].cause))
			result *= FARTHER;
	return result;
}

static enum suspect_row row_of(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	const struct explanation_step *last = &s->e->steps.at[s->e->steps.size - 1];

	/* The condition of the assertion that failed only tells of it. */
	if (last->observed && last->kind == EXPLANATION_ASSERT &&
	    same_place(&last->at, &step->cause))
		return SUSPECT_SHOWS;
	/* Both runs part here. */
	if (s->same_input && step->proven && number == s->first)
		return SUSPECT_ROOT;
	if (!s->copies[number])
		return SUSPECT_MAKES;
	return step[-1].transition && !s->copies[number - 1] ? SUSPECT_RECEIVES : SUSPECT_HANDS_ON;
}

static double factor_of(const struct suspicion *s, uint32_t number, enum suspect_row row)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	double trust = !step->proven ? UNPROVEN : is_proven_twice(step) ? 1 : ONE_WAY;
	double result = trust * (step->usual ? USUAL : 1);

	if (row == SUSPECT_SHOWS)
		return 1;
	if (row != SUSPECT_RECEIVES && row != SUSPECT_ROOT)
		result *= distance(s, number);
	return result > LEAST ? result : LEAST;
}

/* --- in words --- */

static char *reason(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	struct str text = STR_INIT;

	/* Of two inputs nobody knows whether it is wrong. */
	str_printf(&text, "%s the %s: ", s->copies[number] ? "propagates" : "introduces",
	           s->same_input ? "wrong value" : "difference");
	explanation_add_values(&text, step->values.at, step->values.size, &explanation_unmarked);
	if (step->usual)
		str_add(&text, "; runs that pass differ in it, too");
	else if (is_proven_twice(step))
		str_add(&text, "; proven both ways");
	return str_steal(&text);
}

/* --- the whole --- */

/* The statement; when nobody knows which it was, the last that it may have been. Where a function
   begins, its first statement: what it does with it is not told. A call that comes next, if the
   statement does not assign the variable: what lies between may be in one of the runs only. */
static void add_transition(const struct suspicion *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	enum suspect_row row = row_of(s, number);
	double factor = factor_of(s, number, row);

	suspects_add(s->e, &step->cause, row, factor, reason(s, number));
	if (step->until.file) {
		suspects_add(s->e, &step->until, row, factor * OTHER_END, reason(s, number));
	} else if (step->when && step->at.file && !(step->call && explanation_is_told(step))) {
		struct str reason = STR_INIT;

		explanation_add_values(&reason, step->values.at, step->values.size,
		                       &explanation_unmarked);
		str_printf(&reason, " when %s", step->when);
		suspects_add(s->e, &step->at, row, factor * OTHER_END, str_steal(&reason));
	}
}

void suspects_add_steps(struct explanation *e)
{
	struct suspicion s = {.e = e,
	                      .first = UINT32_MAX,
	                      .same_input = e->reference.kind == RECIPE_PROGRAM ||
	                                    e->reference.kind == RECIPE_PATCHED ||
	                                    e->reference.kind == RECIPE_EDIT};
	bool any = false;

	examine(&s);
	for (uint32_t i = e->steps.size; i-- > 0;) {
		const struct explanation_step *step = &e->steps.at[i];

		if (explain_same_text(step->method, "switch"))
			suspects_add(e, step->cause.file ? &step->cause : &step->at, SUSPECT_SWITCH,
			             1, mem_strdup("switched, the run passes"));
		if (!step->transition)
			continue;
		add_transition(&s, i);
		any = true;
	}
	if (e->steps.size && e->steps.at[e->steps.size - 1].observed) {
		bool alone = !any && e->steps.size > 1;

		suspects_add(
			e, &e->steps.at[e->steps.size - 1].at,
			any ? SUSPECT_SHOWS : SUSPECT_ALL_ALONG, 1,
			mem_strdup(alone ? "the cause is the same from the beginning up to here"
		                         : "the failure shows here"));
	}
	free(s.copies);
	free(s.last);
}

void explain_suspects(struct explanation *e)
{
	suspects_add_steps(e);
	suspects_settle(e);
}

/* ------ what a cause tree tells about where to look first ------ */

#define NEARER                                                                                     \
	0.80 /* for each level that it lies nearer to the failure than the deepest that is proven */
#define NEXT 0.95 /* for each condition of its kind that comes first */

/* The further from the failure, the better: what is near it often only hands on what is wrong. How often a line can be
   changed so that the run passes does not count: one that computes a hundred values is no more suspicious for it. */
static void add_node(struct explanation *e, const struct cause_node *node, uint32_t deepest)
{
	double factor = 1;

	for (uint32_t level = node->level; level < deepest; level++)
		factor *= NEARER;
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		struct str reason = STR_INIT;

		if (!proof->counts)
			continue;
		cause_proof_add_change(proof, &reason);
		str_add(&reason, " the run passes");
		suspects_add(e, &proof->at,
		             proof->kind != CAUSE_BRANCH ? SUSPECT_TREE_VALUE : SUSPECT_TREE_BRANCH,
		             factor, str_steal(&reason));
	}
}

void suspects_add_tree(struct explanation *e, const struct cause_tree *tree)
{
	uint32_t deepest = 0;
	double factor = 1;

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].proven && tree->nodes.at[i].level > deepest)
			deepest = tree->nodes.at[i].level;
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		if (node->proven) {
			add_node(e, node, deepest);
		} else if (i && node->at.file) {
			suspects_add(
				e, &node->at, SUSPECT_TREE_OPEN, factor,
				str_format("%s would avoid it, or what leads to it (not proven)",
			                   node->wanted ? node->wanted : "another way"));
			factor *= NEXT;
		}
	}
}

/* ------ the whole ------ */

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
	[SUSPECT_ROOT] = {SUSPECT_OF_CHAIN, {0.80, 0.30, 0.30}},
	/* Something was computed or decided here. Of two inputs it mostly was rightly so. */
	[SUSPECT_MAKES] = {SUSPECT_OF_CHAIN, {0.60, 0.25, 0.15}},
	/* It did what it was told, but could have refused. */
	[SUSPECT_RECEIVES] = {SUSPECT_OF_CHAIN, {0.50, 0.10, 0.15}},
	/* Nothing else could be told apart: all that is known is the line. */
	[SUSPECT_ALL_ALONG] = {SUSPECT_OF_CHAIN, {0.40, 0.40, 0.40}},
	/* It did what it was told, as others did before it. */
	[SUSPECT_HANDS_ON] = {SUSPECT_OF_CHAIN, {0.20, 0.05, 0.02}},
	/* A messenger; but a wrong format or a wrong variable is printed here as well. */
	[SUSPECT_SHOWS] = {SUSPECT_OF_CHAIN, {0.20, 0.03, 0.25}},
	/* The run is right with it: its condition is wrong, or what it tests. */
	[SUSPECT_SWITCH] = {SUSPECT_OF_SWITCH, ANY(0.30)},
	/* There are only two ways, and the other one is right: chance seldom does that. */
	[SUSPECT_TREE_BRANCH] = {SUSPECT_OF_TREE, ANY(0.75)},
	/* Near the failure some value can mostly be found with which it goes away. */
	[SUSPECT_TREE_VALUE] = {SUSPECT_OF_TREE, ANY(0.52)},
	/* Of two builds one fails: what was changed is to blame, but of many changes not each. */
	[SUSPECT_CHANGED] = {SUSPECT_OF_CHANGE, {0.50, 0.30, 0.30}},
	/* A potential cause, as most conditions before the failure are. */
	[SUSPECT_TREE_OPEN] = {SUSPECT_OF_OPEN, ANY(0.14)},
	/* What differs between the runs and goes into the failure; of two inputs nearly everything does. */
	[SUSPECT_DUAL] = {SUSPECT_OF_DUAL, {0.10, 0.50, 0.05}},
	/* A third of the program or more is in it: it decides only between others. */
	[SUSPECT_CHOP] = {SUSPECT_OF_CHOP, ANY(0.15)},
	/* Times the score by the formula. All lines of a block have the same, so it seldom names one line; but it comes
	   from runs that no other witness saw. */
	[SUSPECT_SPECTRA] = {SUSPECT_OF_TESTS, ANY(0.84)},
	/* Times the score of the line, which grows with the kinds of edits that fit. A defect is a property of code, and this
	   is the only witness that changed code. */
	[SUSPECT_EDIT] = {SUSPECT_OF_EDITS, ANY(0.99)},
	/* Other runs change with it, so it is not the right one, but may be at the right place. */
	[SUSPECT_EDIT_LOOSE] = {SUSPECT_OF_EDITS, ANY(0.90)},
	/* It explains the memory error, too, so nothing else need be wrong. */
	[SUSPECT_MEMORY_CURED] = {SUSPECT_OF_MEMORY, ANY(0.90)},
	/* An array that is too small, or a variable without a first value. */
	[SUSPECT_MEMORY_OBJECT] = {SUSPECT_OF_MEMORY, ANY(0.80)},
	/* It is wrong for sure, but often only does what it was told. */
	[SUSPECT_MEMORY_ACCESS] = {SUSPECT_OF_MEMORY, ANY(0.60)},
	/* Freed too early, or twice. */
	[SUSPECT_MEMORY_FREE] = {SUSPECT_OF_MEMORY, ANY(0.70)},
	/* A loop that goes one too far, a wrong index. */
	[SUSPECT_MEMORY_INDEX] = {SUSPECT_OF_MEMORY, ANY(0.50)},
	/* scanf() with a wrong format, a function that fails. */
	[SUSPECT_MEMORY_GIVEN] = {SUSPECT_OF_MEMORY, ANY(0.75)},
	/* What was used as index or pointer followed back, through copies, to who made it; or what nobody initialised. */
	[SUSPECT_MEMORY_ORIGIN] = {SUSPECT_OF_MEMORY, ANY(0.65)},
	/* Some value is made there rightly, and a check of it is missing. */
	[SUSPECT_CRASH_ORIGIN] = {SUSPECT_OF_CRASH, ANY(0.65)},
	/* In a third of a few practice crashes a check is missing just here; no line is likelier by itself. */
	[SUSPECT_CRASH] = {SUSPECT_OF_CRASH, ANY(0.60)},
};

/* The column of the table for what the explanation's evidence comes from. */
static enum suspect_reference reference_of(const struct explanation *e)
{
	return e->reference.kind == RECIPE_PROGRAM ? SUSPECT_BUILD
	       : e->reference.kind == RECIPE_INPUT ? SUSPECT_INPUT
	                                           : SUSPECT_SAME;
}

/* Is it a dependence only, of which nothing was tried? */
static bool is_potential(enum suspect_family family)
{
	return family == SUSPECT_OF_DUAL || family == SUSPECT_OF_CHOP || family == SUSPECT_OF_OPEN;
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
static uint32_t evidence_of(struct explanation_suspect *suspect, enum suspect_row kind)
{
	for (uint32_t i = 0; i < suspect->evidence.size; i++)
		if (suspect->evidence.at[i].kind == kind)
			return i;
	vec_push(&suspect->evidence)->kind = kind;
	vec_push(&suspect->words);
	return suspect->evidence.size - 1;
}

/* Is all that is known that the line may have to do with it? */
static bool is_faint(const struct explanation_suspect *suspect)
{
	for (uint32_t i = 0; i < suspect->evidence.size; i++)
		if (!is_potential(suspect_weights[suspect->evidence.at[i].kind].family))
			return false;
	return true;
}

void suspects_add(struct explanation *e, const struct explanation_place *place,
                  enum suspect_row row, double factor, char *words)
{
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
	number = evidence_of(suspect, row);
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
			if (suspect_weights[s->evidence.at[k].kind].family == family) {
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

/* The strongest evidence first, with its words. */
static void sort_evidence(struct explanation_suspect *s)
{
	for (uint32_t i = 1; i < s->evidence.size; i++) {
		struct explanation_evidence moved = s->evidence.at[i];
		char *words = s->words.at[i];
		uint32_t at = i;

		for (; at; at--) {
			const struct explanation_evidence *weaker = &s->evidence.at[at - 1];

			if (moved.weight < weaker->weight ||
			    (moved.weight == weaker->weight && moved.kind >= weaker->kind))
				break;
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
		enum suspect_family family = suspect_weights[suspect->evidence.at[i].kind].family;

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
		    (count || !faint) == is_potential(suspect_weights[evidence->kind].family))
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
		if (suspect_weights[s->evidence.at[i].kind].family == family &&
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
