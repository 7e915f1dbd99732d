/* The steps of a saved explanation: see explanation_read.h. */
#include "report/explanation_read.h"

static const char *const runs[] = {"failing", "reference", NULL};
static const char *const outcomes[] = {"pass", "fail", "unresolved", NULL};
static const char *const judges[] = {"next step", "run", NULL};

static uint64_t read_count(struct reader *r, const json_t *object, const char *key)
{
	return reader_number(r, object, key, UINT64_MAX);
}

/* --- variables --- */

void explanation_read_value(struct reader *r, const json_t *item, struct explanation_value *out)
{
	out->name = reader_text(r, item, "variable");
	out->failing = reader_text(r, item, "failing");
	out->reference = reader_text(r, item, "reference");
	out->function = reader_text(r, item, "local_to");
}

static void read_further(struct reader *r, const json_t *item, void *out)
{
	struct explanation_step *step = out;

	reader_need(r, item, "variable");
	explanation_read_value(r, item, vec_push(&step->values));
}

/* The first is among the members of the step itself. */
static void read_values(struct reader *r, const json_t *item, struct explanation_step *step)
{
	struct explanation_value *v = vec_push(&step->values);

	explanation_read_value(r, item, v);
	if (!v->name && !v->failing && !v->reference && !v->function &&
	    !json_object_get(item, "with"))
		step->values.size = 0;
	else if (!v->name && !step->what)
		reader_fail(r, "variable", "is missing");
	reader_each(r, item, "with", read_further, step);
}

/* --- proofs --- */

static void read_aim(struct reader *r, const json_t *item, void *out)
{
	struct explanation_proof *proof = out;
	struct explanation_aim *aim = vec_push(&proof->aims);

	reader_need(r, item, "time");
	aim->time = read_count(r, item, "time");
	reader_texts(r, item, "variables", &aim->names);
}

static void read_judge(struct reader *r, const json_t *item, struct explanation_proof *proof)
{
	const char *judge = reader_choice(r, item, "judged", judges);

	proof->local = judge == judges[0];
	proof->whole = judge == judges[1];
}

static void read_proof(struct reader *r, const json_t *item, void *out)
{
	static const char *const needed[] = {"experiment", "changed", "in", "outcome"};
	struct explanation_step *step = out;
	struct explanation_proof *proof = vec_push(&step->proofs);

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		reader_need(r, item, needed[i]);
	proof->experiment = read_count(r, item, "experiment");
	proof->changed = reader_text(r, item, "changed");
	proof->from = reader_text(r, item, "from");
	proof->to = reader_text(r, item, "to");
	proof->in = reader_choice(r, item, "in", runs);
	proof->outcome = reader_choice(r, item, "outcome", outcomes);
	read_judge(r, item, proof);
	proof->guarded = reader_flag(r, item, "guarded");
	reader_place(r, item, &proof->at);
	proof->instance = read_count(r, item, "instance");
	proof->time = read_count(r, item, "time");
	reader_each(r, item, "aims", read_aim, proof);
}

/* --- memory --- */

static void read_cell(struct reader *r, const json_t *item, void *out)
{
	struct explanation_box *box = out;
	struct explanation_cell *cell = vec_push(&box->cells);

	cell->name = reader_text(r, item, "name");
	cell->value = reader_text(r, item, "value");
	cell->reference = reader_text(r, item, "reference");
	cell->target = (uint32_t)reader_number(r, item, "points_to", UINT32_MAX);
	cell->decides = reader_flag(r, item, "decides");
}

static void read_box(struct reader *r, const json_t *item, void *out)
{
	struct explanation_memory *memory = out;
	struct explanation_box *box = vec_push(&memory->boxes);

	reader_need(r, item, "name");
	box->name = reader_text(r, item, "name");
	box->type = reader_text(r, item, "type");
	box->where = reader_text(r, item, "where");
	reader_each(r, item, "cells", read_cell, box);
	box->more = read_count(r, item, "more");
}

static void check_targets(struct reader *r, const struct explanation_memory *memory)
{
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t k = 0; k < memory->boxes.at[i].cells.size; k++) {
			uint32_t target = memory->boxes.at[i].cells.at[k].target;
			char *key;

			if (target <= memory->boxes.size)
				continue;
			key = str_format("boxes[%u].cells[%u].points_to", i, k);
			reader_fail(r, key, "is %u, but there are %u boxes", target,
			            memory->boxes.size);
			free(key);
		}
}

static void read_memory(struct reader *r, const json_t *item, struct explanation_memory *out)
{
	const json_t *memory = reader_object(r, item, "memory");
	size_t mark = reader_enter(r, "memory");

	reader_each(r, memory, "boxes", read_box, out);
	out->more = read_count(r, memory, "more");
	if (!r->error)
		check_targets(r, out);
	reader_leave(r, mark);
}

/* --- the step --- */

static void read_statement(struct reader *r, const json_t *item, const char *key,
                           struct explanation_place *place, char **statement)
{
	const json_t *object = reader_object(r, item, key);
	size_t mark = reader_enter(r, key);

	reader_place(r, object, place);
	*statement = reader_text(r, object, "statement");
	reader_leave(r, mark);
}

void explanation_read_step(struct reader *r, const json_t *item, void *out)
{
	struct explanation *e = out;
	struct explanation_step *step = vec_push(&e->steps);

	reader_place(r, item, &step->at);
	step->instance = read_count(r, item, "instance");
	step->reference_instance = read_count(r, item, "reference_instance");
	step->time = read_count(r, item, "time");
	step->reference_time = read_count(r, item, "reference_time");
	step->kind = reader_word(r, item, "kind");
	step->what = reader_text(r, item, "what");
	read_values(r, item, step);
	step->when = reader_text(r, item, "when");
	step->call = reader_flag(r, item, "call");
	step->method = reader_word(r, item, "method");
	step->also = reader_word(r, item, "also_found_by");
	step->transition = reader_flag(r, item, "transition");
	read_statement(r, item, "cause", &step->cause, &step->statement);
	read_statement(r, item, "until", &step->until, &step->until_statement);
	step->observed = reader_flag(r, item, "observed");
	step->proven = reader_flag(r, item, "proven");
	step->apart = reader_flag(r, item, "apart");
	step->usual = reader_flag(r, item, "usual");
	reader_each(r, item, "proof", read_proof, step);
	read_memory(r, item, &step->memory);
}
