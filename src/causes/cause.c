/* Causes, as methods find them: see cause.h. */
#include "causes/cause.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/str.h"

static void free_aims(struct proof *proof)
{
	for (uint32_t i = 0; i < proof->aims.size; i++) {
		for (uint32_t k = 0; k < proof->aims.at[i].names.size; k++)
			free(proof->aims.at[i].names.at[k]);
		vec_deinit(&proof->aims.at[i].names);
	}
	vec_deinit(&proof->aims);
}

void cause_point_deinit(struct cause_point *point)
{
	for (uint32_t i = 0; i < point->variables.size; i++) {
		free(point->variables.at[i].name);
		free(point->variables.at[i].failing);
		free(point->variables.at[i].reference);
		free(point->variables.at[i].function);
	}
	for (uint32_t i = 0; i < point->proofs.size; i++) {
		free(point->proofs.at[i].changed);
		free(point->proofs.at[i].from);
		free(point->proofs.at[i].to);
		free_aims(&point->proofs.at[i]);
	}
	vec_deinit(&point->variables);
	vec_deinit(&point->proofs);
	free(point->file);
	free(point->function);
	free(point->callee);
	free(point->cause_file);
	free(point->cause_function);
	free(point->statement);
	free(point->until_file);
	free(point->until_statement);
}

static char *join(const struct cause_point *point, size_t field)
{
	struct str text = STR_INIT;

	for (uint32_t i = 0; i < point->variables.size; i++) {
		const char *part = *(char *const *)((const char *)&point->variables.at[i] + field);

		str_printf(&text, "%s%s", i ? ", " : "", part ? part : "?");
	}
	return str_steal(&text);
}

struct proof *cause_add_proof(struct cause_point *point, bool in_failing, enum verdict outcome)
{
	size_t failing = offsetof(struct cause_variable, failing);
	size_t reference = offsetof(struct cause_variable, reference);
	struct proof *proof = vec_push(&point->proofs);

	*proof = (struct proof){
		.changed = join(point, offsetof(struct cause_variable, name)),
		.from = join(point, in_failing ? failing : reference),
		.to = join(point, in_failing ? reference : failing),
		.in_failing = in_failing,
		.outcome = outcome,
	};
	return proof;
}

void described_point_deinit(struct described_point *described)
{
	free(described->condition);
	free(described->switched);
	free(described->way);
}

void causes_deinit(struct causes *causes)
{
	for (uint32_t i = 0; i < causes->points.size; i++)
		cause_point_deinit(&causes->points.at[i]);
	for (uint32_t i = 0; i < causes->notes.size; i++)
		free(causes->notes.at[i]);
	vec_deinit(&causes->points);
	vec_deinit(&causes->notes);
	*causes = (struct causes){0};
}

bool causes_proven(const struct causes *causes)
{
	for (uint32_t i = 0; i < causes->points.size; i++)
		if (causes->points.at[i].proven)
			return true;
	return false;
}
