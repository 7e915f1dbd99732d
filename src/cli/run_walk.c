/* What the tapes of a run say: counts of executed things, and source positions. */
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "outside/table.h"
#include "trace/walk.h"

/* Names of called outside functions that the table does not know, each once. */
static void add_unmodelled(struct run *run, const struct walk *walk)
{
	struct walk_outside *called;
	uint32_t count = walk_outside(walk, &called);

	for (uint32_t i = 0; i < count; i++) {
		bool known = outside_table_find(run->table, called[i].name);

		for (uint32_t j = 0; !known && j < run->unmodelled.size; j++)
			known = !strcmp(run->unmodelled.at[j], called[i].name);
		if (!known)
			*vec_push(&run->unmodelled) = mem_strdup(called[i].name);
	}
	free(called);
}

static void add_counts(struct run_numbers *to, const struct walk_counts *counts)
{
	to->functions += counts->distinct_functions;
	to->calls += counts->functions;
	to->blocks += counts->blocks;
	to->statements += counts->statements;
	to->instructions += counts->instructions;
}

static struct hence_error *walk_one(struct run *run, struct run_tape *recorded)
{
	struct walk *walk = NULL;
	struct hence_error *error = walk_create(run->session.path, recorded->tape->number, &walk);

	if (!error)
		error = walk_to_end(walk);
	if (!error) {
		add_counts(&recorded->numbers, walk_counts(walk));
		add_counts(&run->total, walk_counts(walk));
		add_unmodelled(run, walk);
		recorded->walked = true;
	}
	walk_destroy(walk);
	return error;
}

struct hence_error *run_walk(struct run *run)
{
	for (uint32_t i = 0; i < run->recorded.size; i++) {
		struct run_tape *recorded = &run->recorded.at[i];
		struct hence_error *error = NULL;

		if (recorded->tape->condition == TAPE_GOOD)
			error = walk_one(run, recorded);
		if (error)
			return error;
	}
	run->walked = true;
	return NULL;
}

struct hence_error *run_position_at(const struct run *run, const struct tape *tape, uint64_t offset,
                                    char **out)
{
	struct walk *walk = NULL;
	struct hence_error *error = walk_create(run->session.path, tape->number, &walk);
	struct walk_place place;

	if (!error)
		error = walk_to(walk, offset);
	if (!error && walk_where(walk, 0, &place)) {
		struct str text = STR_INIT;

		if (place.file)
			str_printf(&text, "%s:%u:%u in ", place.file, place.line, place.column);
		str_printf(&text, "%s()", place.function);
		if (place.outside)
			str_printf(&text, ", calling %s()", place.outside);
		*out = str_steal(&text);
	}
	walk_destroy(walk);
	return error;
}
