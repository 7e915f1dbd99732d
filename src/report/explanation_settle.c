/* What of an explanation a saved report can hold: see explanation_settle(). */
#include <stdlib.h>
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_fixes.h"
#include "report/json.h"

/* --- texts --- */

static void settle_text(char **text)
{
	char *clean;

	if (!*text || json_is_utf8(*text))
		return;
	clean = json_clean(*text);
	free(*text);
	*text = clean;
}

static void settle_texts(char **texts, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		settle_text(&texts[i]);
}

/* Names of files stay as they are: see explanation_add_file_json(). */
static void settle_place(struct explanation_place *place)
{
	settle_text(&place->function);
	settle_text(&place->source);
}

static void settle_values(struct explanation_value *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		settle_text(&values[i].name);
		settle_text(&values[i].failing);
		settle_text(&values[i].reference);
		settle_text(&values[i].function);
	}
}

/* --- steps --- */

static void settle_box(struct explanation_box *box)
{
	settle_text(&box->name);
	settle_text(&box->type);
	settle_text(&box->where);
	for (uint32_t i = 0; i < box->cells.size; i++) {
		settle_text(&box->cells.at[i].name);
		settle_text(&box->cells.at[i].value);
		settle_text(&box->cells.at[i].reference);
	}
}

static void settle_step(struct explanation_step *step)
{
	settle_place(&step->at);
	settle_place(&step->cause);
	settle_place(&step->until);
	settle_values(step->values.at, step->values.size);
	settle_text(&step->what);
	settle_text(&step->when);
	settle_text(&step->statement);
	settle_text(&step->until_statement);
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		settle_text(&step->proofs.at[i].changed);
		settle_text(&step->proofs.at[i].from);
		settle_text(&step->proofs.at[i].to);
		settle_place(&step->proofs.at[i].at);
	}
	for (uint32_t i = 0; i < step->memory.boxes.size; i++)
		settle_box(&step->memory.boxes.at[i]);
}

/* --- the tree --- */

static void settle_node(struct cause_node *node)
{
	settle_place(&node->at);
	settle_place(&node->via);
	settle_text(&node->wanted);
	settle_text(&node->numbers);
	for (uint32_t i = 0; i < node->statements.size; i++) {
		settle_place(&node->statements.at[i].at);
		settle_text(&node->statements.at[i].text);
	}
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		settle_place(&node->proofs.at[i].at);
		settle_place(&node->proofs.at[i].point);
		settle_text(&node->proofs.at[i].changed);
		settle_text(&node->proofs.at[i].from);
		settle_text(&node->proofs.at[i].to);
	}
}

void cause_tree_settle(struct cause_tree *tree)
{
	settle_text(&tree->program);
	settle_texts(tree->command.at, tree->command.size);
	settle_text(&tree->what);
	settle_texts(tree->notes.at, tree->notes.size);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		settle_node(&tree->nodes.at[i]);
	tree->stats.seconds = json_round(tree->stats.seconds, EXPLANATION_SECONDS_DIGITS);
	tree->stats.solver_seconds =
		json_round(tree->stats.solver_seconds, EXPLANATION_SECONDS_DIGITS);
}

/* --- the whole --- */

static void settle_memory_error(struct explanation_memory_error *error)
{
	settle_place(&error->at);
	settle_place(&error->declared);
	settle_place(&error->allocated);
	settle_place(&error->freed);
	settle_place(&error->index);
	settle_place(&error->given);
	settle_text(&error->object);
	settle_text(&error->words);
}

static void settle_suspect(struct explanation_suspect *suspect)
{
	settle_place(&suspect->at);
	settle_text(&suspect->why);
	suspect->score = json_round(suspect->score, EXPLANATION_SCORE_DIGITS);
	for (uint32_t i = 0; i < suspect->evidence.size; i++)
		suspect->evidence.at[i].weight =
			json_round(suspect->evidence.at[i].weight, EXPLANATION_WEIGHT_DIGITS);
}

/* Bytes that the first `length` bytes of a text take when it is settled. */
static unsigned settled_length(const char *text, size_t length)
{
	char *part = mem_strndup(text, length), *clean = json_clean(part);

	length = strlen(clean);
	free(part);
	free(clean);
	return (unsigned)length;
}

/* The patch stays as it is, since it must fit the source byte for byte: see add_fix() of explanation_json.c. */
static void settle_fix(struct explanation_fix *fix)
{
	settle_place(&fix->at);
	settle_text(&fix->edit);
	settle_text(&fix->before);
	explanation_fix_clamp(fix);
	if (fix->after && !json_is_utf8(fix->after)) {
		unsigned end = settled_length(fix->after, fix->mark + (size_t)fix->mark_length);

		fix->mark = settled_length(fix->after, fix->mark);
		fix->mark_length = end > fix->mark ? end - fix->mark : 0;
		settle_text(&fix->after);
	}
	settle_text(&fix->no_patch);
	fix->score = json_round(fix->score, EXPLANATION_FIX_DIGITS);
}

void explanation_settle(struct explanation *e)
{
	settle_text(&e->program);
	settle_texts(e->command.at, e->command.size);
	settle_texts(e->invocation.at, e->invocation.size);
	settle_place(&e->failure.at);
	settle_text(&e->failure.message);
	settle_memory_error(&e->memory_error);
	settle_text(&e->reference.text);
	settle_text(&e->reference.edit);
	settle_texts(e->reference.command.at, e->reference.command.size);
	settle_text(&e->reference.stdin_file);
	for (uint32_t i = 0; i < e->steps.size; i++)
		settle_step(&e->steps.at[i]);
	for (uint32_t i = 0; i < e->suspects.size; i++)
		settle_suspect(&e->suspects.at[i]);
	for (uint32_t i = 0; i < e->fixes.size; i++)
		settle_fix(&e->fixes.at[i]);
	for (uint32_t i = 0; i < e->points.size; i++) {
		settle_place(&e->points.at[i].at);
		settle_values(e->points.at[i].values.at, e->points.at[i].values.size);
	}
	for (uint32_t i = 0; i < e->sources.size; i++)
		settle_texts(e->sources.at[i].lines.at, e->sources.at[i].lines.size);
	settle_texts(e->notes.at, e->notes.size);
	settle_text(&e->hint);
	e->stats.seconds = json_round(e->stats.seconds, EXPLANATION_SECONDS_DIGITS);
	if (e->tree)
		cause_tree_settle(e->tree);
}
