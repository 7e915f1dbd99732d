/* What an explanation holds: see explanation.h. */
#include "report/explanation.h"

#include <stdlib.h>

#include "report/cause_tree.h"
#include "report/recipe.h"

void explanation_place_deinit(struct explanation_place *place)
{
	free(place->file);
	free(place->function);
	free(place->source);
	*place = (struct explanation_place){0};
}

void explanation_memory_error_deinit(struct explanation_memory_error *error)
{
	explanation_place_deinit(&error->at);
	explanation_place_deinit(&error->declared);
	explanation_place_deinit(&error->allocated);
	explanation_place_deinit(&error->freed);
	explanation_place_deinit(&error->index);
	explanation_place_deinit(&error->given);
	free(error->object);
	free(error->words);
	*error = (struct explanation_memory_error){0};
}

void explanation_values_deinit(struct explanation_value *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(values[i].name);
		free(values[i].failing);
		free(values[i].reference);
		free(values[i].function);
	}
	free(values);
}

static void proof_deinit(struct explanation_proof *proof)
{
	free(proof->changed);
	free(proof->from);
	free(proof->to);
	explanation_place_deinit(&proof->at);
	for (uint32_t i = 0; i < proof->aims.size; i++) {
		for (uint32_t k = 0; k < proof->aims.at[i].names.size; k++)
			free(proof->aims.at[i].names.at[k]);
		vec_deinit(&proof->aims.at[i].names);
	}
	vec_deinit(&proof->aims);
}

static void memory_deinit(struct explanation_memory *memory)
{
	for (uint32_t i = 0; i < memory->boxes.size; i++) {
		struct explanation_box *box = &memory->boxes.at[i];

		for (uint32_t j = 0; j < box->cells.size; j++) {
			free(box->cells.at[j].name);
			free(box->cells.at[j].value);
			free(box->cells.at[j].reference);
		}
		vec_deinit(&box->cells);
		free(box->name);
		free(box->type);
		free(box->where);
	}
	vec_deinit(&memory->boxes);
}

void explanation_step_deinit(struct explanation_step *step)
{
	explanation_place_deinit(&step->at);
	explanation_place_deinit(&step->cause);
	explanation_place_deinit(&step->until);
	free(step->until_statement);
	explanation_values_deinit(step->values.at, step->values.size);
	free(step->what);
	free(step->when);
	free(step->statement);
	for (uint32_t i = 0; i < step->proofs.size; i++)
		proof_deinit(&step->proofs.at[i]);
	vec_deinit(&step->proofs);
	memory_deinit(&step->memory);
}

static void point_deinit(struct explanation_point *point)
{
	explanation_place_deinit(&point->at);
	explanation_values_deinit(point->values.at, point->values.size);
}

#define free_texts(list)                                                                           \
	do {                                                                                       \
		for (uint32_t i_ = 0; i_ < (list)->size; i_++)                                     \
			free((list)->at[i_]);                                                      \
		vec_deinit(list);                                                                  \
	} while (0)

void explanation_suspect_deinit(struct explanation_suspect *suspect)
{
	explanation_place_deinit(&suspect->at);
	free(suspect->why);
	for (uint32_t i = 0; i < suspect->words.size; i++)
		free(suspect->words.at[i]);
	vec_deinit(&suspect->words);
	vec_deinit(&suspect->evidence);
}

uint32_t explanation_shown_suspects(const struct explanation *e, bool full)
{
	return full || e->suspects.size < EXPLANATION_SHOWN_SUSPECTS ? e->suspects.size
	                                                             : EXPLANATION_SHOWN_SUSPECTS;
}

const char *const explanation_fix_classes[] = {"operator",  "constant", "variable",  "operand",
                                               "condition", "call",     "statement", "data",
                                               "width",     NULL};

void explanation_fix_deinit(struct explanation_fix *fix)
{
	explanation_place_deinit(&fix->at);
	free(fix->edit);
	free(fix->before);
	free(fix->after);
	free(fix->patch);
	free(fix->no_patch);
	*fix = (struct explanation_fix){0};
}

static void sources_deinit(struct explanation *e)
{
	for (uint32_t i = 0; i < e->sources.size; i++) {
		free(e->sources.at[i].file);
		free_texts(&e->sources.at[i].lines);
	}
	vec_deinit(&e->sources);
}

void explanation_deinit(struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		explanation_step_deinit(&e->steps.at[i]);
	for (uint32_t i = 0; i < e->suspects.size; i++)
		explanation_suspect_deinit(&e->suspects.at[i]);
	for (uint32_t i = 0; i < e->fixes.size; i++)
		explanation_fix_deinit(&e->fixes.at[i]);
	for (uint32_t i = 0; i < e->points.size; i++)
		point_deinit(&e->points.at[i]);
	for (uint32_t i = 0; i < e->parts.size; i++)
		str_deinit(&e->parts.at[i].json);
	explanation_memory_error_deinit(&e->memory_error);
	vec_deinit(&e->steps);
	vec_deinit(&e->suspects);
	vec_deinit(&e->fixes);
	vec_deinit(&e->points);
	vec_deinit(&e->parts);
	sources_deinit(e);
	if (e->tree)
		cause_tree_deinit(e->tree);
	free(e->tree);
	recipe_destroy(e->recipe);
	free_texts(&e->kept);
	free_texts(&e->command);
	free_texts(&e->invocation);
	free_texts(&e->reference.command);
	free_texts(&e->notes);
	explanation_place_deinit(&e->failure.at);
	free(e->program);
	free(e->failure.message);
	free(e->reference.text);
	free(e->reference.edit);
	free(e->reference.stdin_file);
	free(e->hint);
	*e = (struct explanation){0};
}
