/* One chain of what two methods found: see explain.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/explain.h"
#include "causes/explain_work.h"

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

static bool same_value(const struct explanation_value *a, const struct explanation_value *b)
{
	return explain_same_variable(a, b) && explain_same_text(a->failing, b->failing) &&
	       explain_same_text(a->reference, b->reference);
}

static bool has_value(const struct explanation_step *step, const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (same_value(&step->values.at[i], value))
			return true;
	return false;
}

static bool same_step(const struct explanation_step *a, const struct explanation_step *b)
{
	if (!a->values.size || a->values.size != b->values.size ||
	    !explain_same_text(a->kind, b->kind))
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

/* Experiments of both methods were counted from 1. */
static void renumber(struct explanation *e, uint64_t add)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		for (uint32_t j = 0; j < e->steps.at[i].proofs.size; j++)
			e->steps.at[i].proofs.at[j].experiment += add;
}

static void take_notes(struct explanation *from, struct explanation *to)
{
	for (uint32_t i = 0; i < from->notes.size; i++)
		*vec_push(&to->notes) = from->notes.at[i];
	from->notes.size = 0;
	for (uint32_t i = 0; i < from->points.size; i++)
		*vec_push(&to->points) = from->points.at[i];
	from->points.size = 0;
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
	take_notes(from, to);
	to->stats.experiments += from->stats.experiments;
	to->stats.confounded += from->stats.confounded;
	explanation_deinit(from);
}
