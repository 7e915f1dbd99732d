/* What an explanation holds: see explanation.h. */
#include "report/explanation.h"

#include <stdlib.h>

void explanation_place_deinit(struct explanation_place *place)
{
	free(place->file);
	free(place->function);
	free(place->source);
	*place = (struct explanation_place){0};
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

void explanation_deinit(struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		explanation_step_deinit(&e->steps.at[i]);
	for (uint32_t i = 0; i < e->suspects.size; i++) {
		explanation_place_deinit(&e->suspects.at[i].at);
		free(e->suspects.at[i].why);
	}
	for (uint32_t i = 0; i < e->points.size; i++)
		point_deinit(&e->points.at[i]);
	for (uint32_t i = 0; i < e->parts.size; i++)
		str_deinit(&e->parts.at[i].json);
	vec_deinit(&e->steps);
	vec_deinit(&e->suspects);
	vec_deinit(&e->points);
	vec_deinit(&e->parts);
	free_texts(&e->command);
	free_texts(&e->reference.command);
	free_texts(&e->notes);
	explanation_place_deinit(&e->failure.at);
	free(e->program);
	free(e->failure.message);
	free(e->reference.text);
	free(e->reference.stdin_file);
	free(e->hint);
	*e = (struct explanation){0};
}
