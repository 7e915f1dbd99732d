/* One explanation from what the methods have found: see steps.h. */
#include "explain/steps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "explain/illustrations.h"
#include "explain/suspects.h"
#include "explain/alone.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/source.h"

/* ------ what methods have found, as steps of an explanation ------ */

static void add_text(struct explain_sources *sources, struct explanation_place *place)
{
	const struct source *source =
		sources && place->file ? explain_source_of(sources, place->file) : NULL;
	const char *text = source ? source_line(source, place->line) : NULL;

	place->source = mem_strdup_or_null(text);
}

void explain_add_causes(struct causes *causes, const char *method, struct explain_sources *sources,
                        struct explanation *out)
{
	for (uint32_t i = 0; i < causes->steps.size; i++) {
		struct explanation_step *step = &causes->steps.at[i];

		step->method = method;
		for (uint32_t k = 0; k < step->proofs.size; k++)
			step->proofs.at[k].at = explain_copy_place(&step->at);
		add_text(sources, &step->at);
		add_text(sources, &step->cause);
		add_text(sources, &step->until);
		*vec_push(&out->steps) = *step;
	}
	for (uint32_t i = 0; i < causes->notes.size; i++)
		*vec_push(&out->notes) = causes->notes.at[i];
	out->stats.experiments += causes->experiments;
	out->stats.confounded += causes->confounded;
	causes->steps.size = causes->notes.size = 0;
}

void explain_add_points(struct transitions *t, struct explain_sources *sources,
                        struct explanation *out)
{
	for (uint32_t i = 0; i < t->all.size; i++) {
		struct explanation_step *from = &t->all.at[i];
		struct explanation_point *point = vec_push(&out->points);

		add_text(sources, &from->at);
		*point = (struct explanation_point){.at = from->at,
		                                    .failing_time = from->time,
		                                    .reference_time = from->reference_time,
		                                    .transition = from->transition};
		memcpy(&point->values, &from->values, sizeof(point->values));
		from->at = (struct explanation_place){0};
		memset(&from->values, 0, sizeof(from->values));
		explanation_step_deinit(from);
	}
	t->all.size = 0;
}

/* ------ where two versions of a program were executed differently ------ */

#define MOST 3u   /* places that are named */
#define NEXT 0.90 /* times this for each after the first */

/* A place where one version goes on alone though no branch led there. */
struct change_place {
	uint64_t time; /* in the failing run: the first such statement, or the one behind it */
	bool missing;  /* only the other version has something there */
};

/* Does a branch that went different ways end the span? */
static bool ends_in_fork(const struct alignment *alignment, const struct align_span *span)
{
	for (uint32_t i = 0; i < alignment->forks.size; i++)
		if (alignment->forks.at[i].a == span->a + span->count - 1)
			return true;
	return false;
}

/* The first such places, in order, and after the last point that both have: the statement that this version died of,
   say. */
static uint32_t find_places(const struct alignment *alignment, struct change_place *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < alignment->spans.size && count < MOST; i++) {
		const struct align_span *span = &alignment->spans.at[i], *next = span + 1;
		uint64_t a_end = span->a + span->count, b_end = span->b + span->count;
		bool last = i + 1 == alignment->spans.size;

		if (ends_in_fork(alignment, span))
			continue;
		if (last && a_end <= alignment->a_statements + 1)
			out[count++] =
				(struct change_place){a_end, b_end <= alignment->b_statements};
		else if (!last && next->a > a_end)
			out[count++] = (struct change_place){a_end, false};
		else if (!last && next->b != b_end)
			out[count++] = (struct change_place){next->a, true};
	}
	return count;
}

struct hence_error *explain_changed(const struct recording *failing,
                                    const struct alignment *alignment,
                                    struct explain_sources *sources, struct explanation *out)
{
	struct change_place places[MOST];
	struct explanation_step steps[MOST] = {0};
	struct described_step described[MOST] = {0};
	uint32_t count = find_places(alignment, places);
	struct hence_error *error;
	double factor = 1;

	for (uint32_t i = 0; i < count; i++) {
		steps[i].time = places[i].time;
		described[i].step = &steps[i];
	}
	error = cause_describe(failing, described, count);
	for (uint32_t i = 0; i < count; i++) {
		const char *words =
			places[i].missing
				? "the other version does something before this (not proven)"
				: "the other version does not do this (not proven)";

		add_text(sources, &steps[i].at);
		if (!error)
			suspects_add(out, &steps[i].at, SUSPECT_CHANGED, factor, mem_strdup(words));
		factor *= NEXT;
		explanation_step_deinit(&steps[i]);
	}
	suspects_settle(out);
	return error;
}

/* A changed line, and what it is in the other build. */
struct changed_lines {
	struct explain_sources *sources;
	VEC(struct explanation_place) places;
	VEC(char *) words;
};

static void add_changed_line(void *context, const struct plan_function *f, LLVMValueRef place,
                             const char *other)
{
	struct changed_lines *lines = context;
	size_t size = other ? strlen(other) : 0;
	unsigned length;

	size -= size && other[size - 1] == ';';

	*vec_push(&lines->places) =
		explain_place(lines->sources, LLVMGetDebugLocFilename(place, &length),
	                      LLVMGetDebugLocLine(place), LLVMGetDebugLocColumn(place), f->name);
	*vec_push(&lines->words) = size ? str_format("the other build has: %.*s", (int)size, other)
	                                : mem_strdup("the other build does not have this line");
}

struct hence_error *explain_changed_lines(const struct versions *versions,
                                          const struct recording *failing,
                                          struct explain_sources *sources, struct explanation *out)
{
	struct changed_lines lines = {.sources = sources};
	struct hence_error *error = versions_changes(versions, failing, add_changed_line, &lines);

	/* Of many changes each is little evidence. */
	for (uint32_t i = 0; i < lines.places.size; i++) {
		double factor = lines.places.size <= MOST ? 1 : (double)MOST / lines.places.size;

		suspects_add(out, &lines.places.at[i], SUSPECT_CHANGED, factor, lines.words.at[i]);
		explanation_place_deinit(&lines.places.at[i]);
	}
	vec_deinit(&lines.places);
	vec_deinit(&lines.words);
	suspects_settle(out);
	return error;
}

/* ------ source around the places of an explanation ------ */

/* Explain_add_sources() of illustrations.h. */

#define WHOLE              400u         /* lines of a file that is shown as a whole */
#define AROUND             8u           /* lines before and behind a place */
#define NEAR               4u           /* lines between two excerpts that make them one */
#define MOST_EXCERPT_LINES (400u << 10) /* bytes in all */

struct line {
	const char *file;
	unsigned number;
};

struct excerpts {
	struct explain_sources *sources;
	struct explanation *e;
	VEC(struct line) lines; /* of all places */
	size_t room;            /* bytes */
	bool full;
};

/* --- places --- */

static void note(struct excerpts *x, const struct explanation_place *place)
{
	if (place->file && place->line)
		*vec_push(&x->lines) = (struct line){place->file, place->line};
}

static void note_all(struct excerpts *x)
{
	const struct explanation *e = x->e;

	note(x, &e->failure.at);
	note(x, &e->memory_error.at);
	note(x, &e->memory_error.declared);
	note(x, &e->memory_error.allocated);
	note(x, &e->memory_error.freed);
	note(x, &e->memory_error.index);
	note(x, &e->memory_error.given);
	note(x, &e->origin.at);
	for (uint32_t i = 0; i < e->steps.size; i++) {
		const struct explanation_step *step = &e->steps.at[i];

		note(x, &step->at);
		note(x, &step->cause);
		note(x, &step->until);
		for (uint32_t k = 0; k < step->proofs.size; k++)
			note(x, &step->proofs.at[k].at);
	}
	for (uint32_t i = 0; i < e->suspects.size; i++)
		note(x, &e->suspects.at[i].at);
	for (uint32_t i = 0; i < e->fixes.size; i++)
		note(x, &e->fixes.at[i].at);
	for (uint32_t i = 0; i < e->points.size; i++)
		note(x, &e->points.at[i].at);
	for (uint32_t i = 0; e->tree && i < e->tree->nodes.size; i++) {
		const struct cause_node *node = &e->tree->nodes.at[i];

		note(x, &node->at);
		note(x, &node->via);
		for (uint32_t k = 0; k < node->statements.size; k++)
			note(x, &node->statements.at[k].at);
		for (uint32_t k = 0; k < node->proofs.size; k++) {
			note(x, &node->proofs.at[k].at);
			note(x, &node->proofs.at[k].point);
		}
	}
}

static int by_line(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

/* --- lines --- */

/* Lines in [first, end), as far as there is room. */
static void add(struct excerpts *x, const char *file, const struct source *source, unsigned first,
                unsigned end)
{
	struct explanation_source *out = NULL;

	for (unsigned i = first; i < end && !x->full; i++) {
		const char *line = source_line(source, i);
		size_t length = strlen(line) + 1;

		if (length > x->room) {
			x->full = true;
			return;
		}
		x->room -= length;
		if (!out) {
			out = vec_push(&x->e->sources);
			out->file = mem_strdup(file);
			out->first = first;
		}
		*vec_push(&out->lines) = mem_strdup(line);
	}
}

/* Places that are in order and all in this file. */
static void add_around(struct excerpts *x, const struct line *lines, uint32_t count,
                       const struct source *source)
{
	unsigned last = source->lines.size, first = 0, end = 0;

	for (uint32_t i = 0; i < count; i++) {
		unsigned from = lines[i].number > AROUND ? lines[i].number - AROUND : 1;
		unsigned to =
			lines[i].number + AROUND < last ? lines[i].number + AROUND + 1 : last + 1;

		if (lines[i].number > last)
			break;
		if (end && from > end + NEAR) {
			add(x, lines[0].file, source, first, end);
			end = 0;
		}
		first = end ? first : from;
		end = to;
	}
	add(x, lines[0].file, source, first, end);
}

/* The whole file if it is not long and there is room, else what is around these places in it. */
static void add_file(struct excerpts *x, const struct line *lines, uint32_t count)
{
	const struct source *source = explain_source_of(x->sources, lines[0].file);
	size_t size = 0;

	if (!source)
		return;
	for (uint32_t i = 0; i < source->lines.size; i++)
		size += strlen(source->lines.at[i]) + 1;
	if (source->lines.size <= WHOLE && size <= x->room)
		add(x, lines[0].file, source, 1, source->lines.size + 1);
	else
		add_around(x, lines, count, source);
}

/* --- all --- */

static void forget(struct explanation *e)
{
	for (uint32_t i = 0; i < e->sources.size; i++) {
		struct explanation_source *source = &e->sources.at[i];

		for (uint32_t k = 0; k < source->lines.size; k++)
			free(source->lines.at[k]);
		vec_deinit(&source->lines);
		free(source->file);
	}
	e->sources.size = 0;
}

/* Once, however often they are replaced. */
static void note_limit(struct explanation *e)
{
	char *text = str_format("of the sources only %u KB are kept", MOST_EXCERPT_LINES >> 10);

	for (uint32_t i = 0; i < e->notes.size; i++)
		if (!strcmp(e->notes.at[i], text)) {
			free(text);
			return;
		}
	*vec_push(&e->notes) = text;
}

void explain_add_sources(struct explain_sources *sources, struct explanation *out)
{
	struct excerpts x = {.sources = sources, .e = out, .room = MOST_EXCERPT_LINES};
	uint32_t end;

	if (!sources)
		return;
	forget(out);
	note_all(&x);
	if (x.lines.size)
		qsort(x.lines.at, x.lines.size, sizeof(*x.lines.at), by_line);
	for (uint32_t i = 0; i < x.lines.size; i = end) {
		for (end = i;
		     end < x.lines.size && !strcmp(x.lines.at[end].file, x.lines.at[i].file);)
			end++;
		add_file(&x, &x.lines.at[i], end - i);
	}
	if (x.full)
		note_limit(out);
	vec_deinit(&x.lines);
}

/* ------ one chain of what two methods found ------ */

/* --- the same step --- */

bool explain_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

struct explanation_place explain_copy_place(const struct explanation_place *place)
{
	return (struct explanation_place){
		.file = place->file ? mem_strdup(place->file) : NULL,
		.line = place->line,
		.column = place->column,
		.function = place->function ? mem_strdup(place->function) : NULL,
		.source = place->source ? mem_strdup(place->source) : NULL,
	};
}

/* A local of a caller is named 'main.argc', and just 'argc' in main() itself. */
static const char *bare_name(const struct explanation_value *v)
{
	size_t length = v->function ? strlen(v->function) : 0;

	if (length && v->name && !strncmp(v->name, v->function, length) && v->name[length] == '.')
		return v->name + length + 1;
	return v->name;
}

bool explain_same_variable(const struct explanation_value *a, const struct explanation_value *b)
{
	return explain_same_text(bare_name(a), bare_name(b)) &&
	       explain_same_text(a->function, b->function);
}

static bool has_value(const struct explanation_step *step, const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++) {
		const struct explanation_value *other = &step->values.at[i];

		if (explain_same_variable(other, value) &&
		    explain_same_text(other->failing, value->failing) &&
		    explain_same_text(other->reference, value->reference))
			return true;
	}
	return false;
}

static bool same_step(const struct explanation_step *a, const struct explanation_step *b)
{
	if (!a->values.size || a->values.size != b->values.size || a->kind != b->kind)
		return false;
	for (uint32_t i = 0; i < a->values.size; i++)
		if (!has_value(b, &a->values.at[i]))
			return false;
	return true;
}

static uint64_t distance(const struct explanation_step *a, const struct explanation_step *b)
{
	return a->time > b->time ? a->time - b->time : b->time - a->time;
}

/* The step of `to` behind `behind` that is this one, the nearest in time; UINT32_MAX: none. */
static uint32_t find(const struct explanation *to, uint32_t behind,
                     const struct explanation_step *step)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = behind; i < to->steps.size; i++) {
		const struct explanation_step *other = &to->steps.at[i];

		if (same_step(other, step) &&
		    (best == UINT32_MAX ||
		     distance(other, step) < distance(&to->steps.at[best], step)))
			best = i;
	}
	return best;
}

/* --- one step of two --- */

static void join(struct explanation_step *to, struct explanation_step *from)
{
	for (uint32_t i = 0; i < from->proofs.size; i++)
		*vec_push(&to->proofs) = from->proofs.at[i];
	from->proofs.size = 0;
	to->proven |= from->proven;
	to->also = from->method;
	if (!from->transition || (to->transition && to->cause.file))
		return;
	to->transition = true;
	to->cause = from->cause;
	to->statement = from->statement;
	to->until = from->until;
	to->until_statement = from->until_statement;
	from->cause = from->until = (struct explanation_place){0};
	from->statement = from->until_statement = NULL;
}

/* Experiments of each method are counted from 1: others were made before them. */
static void renumber(struct explanation *e, uint64_t before)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		for (uint32_t k = 0; k < e->steps.at[i].proofs.size; k++)
			e->steps.at[i].proofs.at[k].experiment += before;
}

/* Puts the first `count` steps of `from` in front. */
static void put_in_front(struct explanation *from, uint32_t count, struct explanation *to)
{
	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++)
		vec_push(&to->steps);
	memmove(to->steps.at + count, to->steps.at,
	        (to->steps.size - count) * sizeof(*to->steps.at));
	memcpy(to->steps.at, from->steps.at, count * sizeof(*to->steps.at));
	from->steps.size -= count;
	memmove(from->steps.at, from->steps.at + count, from->steps.size * sizeof(*from->steps.at));
}

/* --- the whole --- */

/* Of `from` before the first step of `to`. */
static uint32_t count_earlier(const struct explanation *from, const struct explanation *to)
{
	uint32_t count = 0;

	while (count < from->steps.size &&
	       (!to->steps.size || from->steps.at[count].time < to->steps.at[0].time))
		count++;
	return count;
}

/* Is one of the first `count` steps proven? */
static bool is_proven(const struct explanation *e, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (e->steps.at[i].proven)
			return true;
	return false;
}

/* Joins what both have, and gives the number of the step of `from` that is the first of `to`;
   UINT32_MAX: none is. */
static uint32_t join_same(struct explanation *from, struct explanation *to)
{
	uint32_t behind = 0, first = UINT32_MAX;

	for (uint32_t i = 0; i < from->steps.size; i++) {
		uint32_t at = find(to, behind, &from->steps.at[i]);

		if (at == UINT32_MAX)
			continue;
		join(&to->steps.at[at], &from->steps.at[i]);
		behind = at + 1;
		if (!at)
			first = i;
	}
	return first;
}

void explain_merge(struct explanation *from, struct explanation *to)
{
	uint32_t first, earlier;

	renumber(from, to->stats.experiments);
	first = join_same(from, to);
	earlier = first != UINT32_MAX ? first : count_earlier(from, to);
	if (to->steps.size && !is_proven(from, earlier))
		earlier = 0;
	/* Nothing shows that the chain follows from what another method found before it. */
	if (to->steps.size && earlier && first == UINT32_MAX)
		to->steps.at[0].apart = true;
	put_in_front(from, earlier, to);
	for (uint32_t i = 0; i < from->notes.size; i++)
		*vec_push(&to->notes) = from->notes.at[i];
	for (uint32_t i = 0; i < from->points.size; i++)
		*vec_push(&to->points) = from->points.at[i];
	from->notes.size = from->points.size = 0;
	to->stats.experiments += from->stats.experiments;
	to->stats.confounded += from->stats.confounded;
	explanation_deinit(from);
}

/* ------ the causes of a tree as part of an explanation ------ */

#define MOST_UNSEEN 3u /* that are told */

static bool same_line(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->file && b->file && a->line == b->line && !strcmp(a->file, b->file);
}

static bool is_branch(const struct cause_proof *proof)
{
	return proof->kind == CAUSE_BRANCH;
}

/* --- steps --- */

/* Is what was changed what the child decides about? A parameter is put into its place by no statement: it is changed
   where its function begins. */
static bool follows(const struct cause_proof *proof, const struct cause_node *child)
{
	bool is_parameter =
		same_line(&proof->at, &proof->point) && proof->at.column == proof->point.column;

	return is_branch(proof) || !child->via.file ||
	       (same_line(&proof->at, &child->via) && !is_parameter);
}

/* Of an if or a loop, that its condition went wrong; then what follows from the step before (of `child`; NULL:
   none); then which value would have been right. */
static unsigned worth(const struct cause_proof *proof, const struct cause_node *child)
{
	if (is_branch(proof)) {
		bool is_condition = explain_same_text(proof->to, "true") ||
		                    explain_same_text(proof->to, "false");

		return is_condition ? 4 : 1;
	}
	return child && follows(proof, child) ? 3 : 2;
}

/* The experiment that tells most; NULL: none counts. */
static const struct cause_proof *best_proof(const struct cause_node *node,
                                            const struct cause_node *child)
{
	const struct cause_proof *best = NULL;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts && (!best || worth(proof, child) > worth(best, child)))
			best = proof;
	}
	return best;
}

static struct explanation_proof convert_tree_proof(const struct cause_proof *proof)
{
	return (struct explanation_proof){
		.experiment = proof->experiment,
		.changed = mem_strdup_or_null(proof->changed),
		.from = mem_strdup_or_null(proof->from),
		.to = mem_strdup_or_null(proof->to),
		.in = EXPLANATION_FAILING,
		.outcome = proof->outcome,
		.whole = true,
		.at = explain_copy_place(&proof->point),
		.instance = proof->point_instance,
		.time = proof->point_time,
	};
}

static void add_tree_step(const struct cause_node *node, const struct cause_proof *proof,
                          struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);

	step->kind = is_branch(proof) ? EXPLANATION_BRANCH : EXPLANATION_VALUE;
	step->method = "tree";
	step->at = explain_copy_place(&proof->point);
	step->instance = proof->point_instance;
	step->time = proof->point_time;
	step->transition = true;
	step->cause = explain_copy_place(&proof->at);
	if (!is_branch(proof))
		step->statement = str_format("%s = %s", proof->changed, proof->from);
	*vec_push(&step->values) =
		(struct explanation_value){.name = mem_strdup_or_null(proof->changed),
	                                   .failing = mem_strdup_or_null(proof->from),
	                                   .reference = mem_strdup_or_null(proof->to),
	                                   .function = mem_strdup_or_null(node->at.function)};
	*vec_push(&step->proofs) = convert_tree_proof(proof);
	step->proven = true;
}

/* Of the proven nodes the one that lies furthest from the failure; NULL: none is. */
static const struct cause_node *find_origin(const struct cause_tree *tree)
{
	const struct cause_node *found = NULL;

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		if (tree->nodes.at[i].proven && best_proof(&tree->nodes.at[i], NULL) &&
		    (!found || tree->nodes.at[i].level > found->level))
			found = &tree->nodes.at[i];
	return found;
}

static bool has_step(const struct explanation *e, const struct cause_proof *proof)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].proofs.size &&
		    e->steps.at[i].proofs.at[0].experiment == proof->experiment)
			return true;
	return false;
}

/* What the failure shows. */
static void add_failure(const struct cause_tree *tree, struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);
	enum explanation_kind kind = out->failure.kind ? out->failure.kind : tree->failure;

	step->kind = kind == EXPLANATION_WRONG_OUTPUT ? EXPLANATION_OUTPUT : kind;
	step->what = mem_strdup(tree->what ? tree->what : "the program fails");
	step->observed = true;
	step->at = explain_copy_place(&tree->nodes.at[0].at);
	if (!out->failure.at.file)
		out->failure.at = explain_copy_place(&tree->nodes.at[0].at);
}

static const struct cause_proof *find_proof(const struct cause_node *node, uint64_t experiment)
{
	for (uint32_t i = 0; i < node->proofs.size && experiment; i++)
		if (node->proofs.at[i].experiment == experiment)
			return &node->proofs.at[i];
	return NULL;
}

/* Was the value made of the other one? */
static bool comes_from(const struct cause_node *node, const struct cause_proof *proof,
                       const struct cause_proof *other)
{
	while (proof && proof != other)
		proof = find_proof(node, proof->after);
	return proof;
}

/* The value that is nearest to the failure, of those that were made of this one. */
static const struct cause_proof *find_last(const struct cause_node *node,
                                           const struct cause_proof *first)
{
	const struct cause_proof *last = first;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts && proof->time > last->time && comes_from(node, proof, first))
			last = proof;
	}
	return last;
}

/* Values of a node of which each was made of the one before, up to `last`; from `first` on, or if that is NULL from
   the earliest. */
static void add_values(const struct cause_node *node, const struct cause_proof *first,
                       const struct cause_proof *last, struct explanation *out)
{
	const struct cause_proof *before = find_proof(node, last->after);

	if (last != first && before)
		add_values(node, first, before, out);
	if (!has_step(out, last))
		add_tree_step(node, last, out);
}

/* What is told of a node; `child` is what led to it, and its step the last so far. */
static void add_node(const struct cause_node *node, const struct cause_node *child,
                     struct explanation *out)
{
	const struct cause_proof *proof = best_proof(node, child);
	bool follows_it = proof && child && follows(proof, child);
	uint32_t count = out->steps.size;

	if (!proof)
		return;
	if (is_branch(proof) && !has_step(out, proof))
		add_tree_step(node, proof, out);
	else if (!is_branch(proof))
		add_values(node, follows_it ? proof : NULL, find_last(node, proof), out);
	if (out->steps.size > count)
		out->steps.at[count].apart = child && !follows_it;
}

/* The way from the origin to the failure. What others told before was not proven. */
static void add_steps(const struct cause_tree *tree, struct explanation *out)
{
	const struct cause_node *node = find_origin(tree), *child = NULL;

	/* Where the failure shows is known even if nothing else is. */
	if (!node && !out->steps.size)
		add_failure(tree, out);
	if (!node)
		return;
	for (uint32_t i = 0; i < out->steps.size; i++)
		explanation_step_deinit(&out->steps.at[i]);
	out->steps.size = 0;
	suspects_forget(out, SUSPECT_OF_CHAIN);
	for (; node; node = cause_tree_node(tree, node->parent)) {
		add_node(node, child, out);
		child = node;
	}
	renumber(out, out->stats.experiments);
	add_failure(tree, out);
}

/* --- what a comparison cannot see --- */

static bool is_in_steps(const struct explanation *e, const struct explanation_place *place)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (same_line(&e->steps.at[i].at, place) || same_line(&e->steps.at[i].cause, place))
			return true;
	return false;
}

static void note_unseen(const struct cause_tree *tree, struct explanation *out)
{
	struct str text = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < tree->nodes.size && count < MOST_UNSEEN; i++) {
		const struct cause_node *node = &tree->nodes.at[i];
		struct explanation_place at = node->at;

		if ((node->reason != CAUSE_INDIRECT && node->reason != CAUSE_MISSED) || !at.file ||
		    is_in_steps(out, &at))
			continue;
		at.column = 0;
		str_add(&text,
		        count++ ? ", " : "skipped statements may matter, too: they depend on ");
		explanation_add_place(&text, &at);
		/* Where a write should have gone is an address, which tells a person nothing. */
		if (node->wanted && node->reason != CAUSE_MISSED)
			str_printf(&text, " (%s)", node->wanted);
	}
	if (count)
		*vec_push(&out->notes) = str_steal(&text);
	str_deinit(&text);
}

/* --- the whole --- */

void explain_add_tree(struct cause_tree *tree, bool steps, struct explanation *out)
{
	assert(!out->tree);
	out->tree = tree;
	if (!tree->nodes.size)
		return;
	if (steps)
		add_steps(tree, out);
	else
		note_unseen(tree, out);
	suspects_add_tree(out, tree);
	suspects_settle(out);
	out->stats.experiments += tree->stats.experiments;
}

/* ------ differences that runs which pass have among each other as well ------ */

/* The two runs that pass at the points of the steps. */
struct usual {
	struct explanation *e;
	const struct alignment *alignment; /* the reference is the first */
	VEC(uint32_t) steps; /* numbers of those that both runs have, in order of time */
	VEC(uint64_t) times[2];
	VEC(struct state *) states; /* of the reference, in that order */
	bool second;
};

/* --- the variables --- */

static bool differs(const struct explanation_value *value, const struct difference *all,
                    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct explanation_value other = {.name = all[i].name,
		                                        .function = all[i].function};

		if (explain_same_variable(value, &other))
			return true;
	}
	return false;
}

static void judge(struct usual *u, uint32_t index, struct state *other)
{
	struct explanation_step *step = &u->e->steps.at[u->steps.at[index]];
	struct state_diff *diff = states_compare(u->states.at[index], other, u->alignment);
	uint32_t count;
	const struct difference *all = state_diff_all(diff, &count);
	bool usual = step->values.size > 0;

	for (uint32_t i = 0; i < step->values.size; i++)
		usual &= differs(&step->values.at[i], all, count);
	step->usual |= usual;
	state_diff_destroy(diff);
}

/* --- the states --- */

static bool take(void *context, uint32_t index, struct state *state)
{
	struct usual *u = context;

	if (!u->second) {
		*vec_push(&u->states) = state;
		return true;
	}
	judge(u, index, state);
	state_destroy(state);
	return true;
}

static int by_reference_time(const void *a, const void *b, void *context)
{
	const struct explanation *e = context;
	uint64_t x = e->steps.at[*(const uint32_t *)a].reference_time;
	uint64_t y = e->steps.at[*(const uint32_t *)b].reference_time;

	return x < y ? -1 : x > y;
}

static void list_steps(struct usual *u)
{
	for (uint32_t i = 0; i < u->e->steps.size; i++) {
		uint64_t time = u->e->steps.at[i].reference_time;

		if (time && u->e->steps.at[i].values.size && alignment_of_a(u->alignment, time))
			*vec_push(&u->steps) = i;
	}
	if (u->steps.size)
		qsort_r(u->steps.at, u->steps.size, sizeof(*u->steps.at), by_reference_time, u->e);
	for (uint32_t i = 0; i < u->steps.size; i++) {
		uint64_t time = u->e->steps.at[u->steps.at[i]].reference_time;

		*vec_push(&u->times[0]) = time;
		*vec_push(&u->times[1]) = alignment_of_a(u->alignment, time);
	}
}

static struct hence_error *compare(struct usual *u, const struct recording *reference,
                                   const struct recording *other)
{
	struct state_options options = {.memory = mem_available() / 8 / (u->steps.size + 1)};
	struct hence_error *error =
		states_take(reference, u->times[0].at, u->steps.size, &options, take, u);

	u->second = true;
	if (!error)
		error = states_take(other, u->times[1].at, u->states.size, &options, take, u);
	return error;
}

struct hence_error *explain_usual(const struct recording *reference, const struct recording *other,
                                  const struct align_options *options, struct explanation *out)
{
	struct usual u = {.e = out};
	struct alignment alignment;
	struct hence_error *error = align_runs(reference, other, options, &alignment);

	if (error)
		return error;
	u.alignment = &alignment;
	list_steps(&u);
	if (u.steps.size)
		error = compare(&u, reference, other);
	for (uint32_t i = 0; i < u.states.size; i++)
		state_destroy(u.states.at[i]);
	vec_deinit(&u.states);
	vec_deinit(&u.steps);
	vec_deinit(&u.times[0]);
	vec_deinit(&u.times[1]);
	alignment_deinit(&alignment);
	return error;
}

/* ------ the whole ------ */

/* --- the failure --- */

void explain_failure(const struct oracle *oracle, struct explain_sources *sources,
                     struct explanation *out)
{
	const struct outcome *outcome = &oracle->failure.outcome;
	const struct outcome_assert *assertion = &outcome->assertion;
	struct str message = STR_INIT;

	out->failure.kind = explanation_kind_of(failure_kind_name(oracle->failure.kind));
	oracle_write_text(oracle, &message);
	out->failure.message = str_steal(&message);
	if (assertion->text)
		out->failure.at = explain_place(sources, assertion->file, (unsigned)assertion->line,
		                                0, assertion->function);
	else
		out->failure.at =
			explain_place(sources, outcome->place.file, (unsigned)outcome->place.line,
		                      (unsigned)outcome->place.column, outcome->place.function);
}

/* --- what it shows --- */

/* The kind of the step: that of the failure, or what a hybrid run is judged by. */
static enum explanation_kind symptom_kind(const struct symptom *symptom,
                                          const struct oracle *oracle)
{
	switch (symptom->kind) {
	case SYMPTOM_OUTPUT: return EXPLANATION_OUTPUT;
	case SYMPTOM_BRANCH: return EXPLANATION_BRANCH;
	case SYMPTOM_END: break;
	}
	return explanation_kind_of(failure_kind_name(oracle->failure.kind));
}

static char *copy_text(const struct str *text)
{
	return text->length ? mem_strdup(str_text(text)) : NULL;
}

void explain_add_symptom(const struct symptom *symptom, const struct oracle *oracle,
                         struct explain_sources *sources, struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);
	struct explanation_value value = {.failing = copy_text(&symptom->failing),
	                                  .reference = copy_text(&symptom->reference)};

	step->kind = symptom_kind(symptom, oracle);
	step->what = symptom->what.length ? mem_strdup(str_text(&symptom->what))
	                                  : str_format("the program fails");
	if (value.failing || value.reference)
		*vec_push(&step->values) = value;
	step->observed = true;
	step->time = symptom->failing_time;
	step->reference_time = symptom->reference_time;
	step->at = explain_place(sources, symptom->file, symptom->line, symptom->column,
	                         symptom->function);
	if (!out->failure.at.file)
		out->failure.at = explain_place(sources, symptom->file, symptom->line,
		                                symptom->column, symptom->function);
}

/* --- the branch that decides about it --- */

struct hence_error *explain_add_decision(const struct recording *failing,
                                         const struct symptom *symptom,
                                         struct explain_sources *sources, struct explanation *out)
{
	struct explanation_step step = {.kind = EXPLANATION_BRANCH,
	                                .time = symptom->failing_time,
	                                .reference_time = symptom->reference_time,
	                                .transition = true,
	                                .observed = true};
	struct described_step described = {.step = &step, .maker = symptom->failing_time};
	const struct explanation_step *last;
	struct hence_error *error;

	if (symptom->kind != SYMPTOM_BRANCH || !out->steps.size)
		return NULL;
	last = &out->steps.at[out->steps.size - 1];
	error = cause_describe(failing, &described, 1);
	/* The chain may end with that branch. */
	if (!error && described.condition &&
	    !(last->kind == EXPLANATION_BRANCH && same_line(&last->at, &step.at))) {
		cause_set_decision(&described, NULL);
		free(step.statement);
		step.statement = NULL;
		add_text(sources, &step.at);
		add_text(sources, &step.cause);
		*vec_push(&out->steps) = step;
	} else {
		explanation_step_deinit(&step);
	}
	described_step_deinit(&described);
	return error;
}

/* --- the verdict --- */

void explain_verdict(bool stopped, struct explanation *out)
{
	bool proven = false;

	for (uint32_t i = 0; i < out->steps.size; i++)
		proven |= out->steps.at[i].proven;
	out->verdict = stopped  ? EXPLANATION_INCOMPLETE
	               : proven ? EXPLANATION_EXPLAINED
	                        : EXPLANATION_UNPROVEN;
}
