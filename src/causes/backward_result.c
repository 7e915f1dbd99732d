/*
 * The steps of a chain as the caller gets them: see backward_work.h. Places, statements and conditions, and
 * which of the steps are told.
 */
#include "causes/backward_work.h"

#include <stdlib.h>

/* What it branches on is its variable; the proofs change it. Takes the texts. */
static void set_condition(struct backward_step *step, struct cause_variable variable)
{
	struct cause_point *point = &step->point;

	variable.function = point->cause_function ? mem_strdup(point->cause_function) : NULL;
	*vec_push(&point->variables) = variable;
	for (uint32_t i = 0; i < point->proofs.size; i++) {
		struct proof *proof = &point->proofs.at[i];

		proof->changed = mem_strdup(variable.name);
		proof->from = mem_strdup(proof->in_failing ? variable.failing : variable.reference);
		proof->to = mem_strdup(proof->in_failing ? variable.reference : variable.failing);
	}
}

/* The way that a switch went in the reference. */
static struct hence_error *describe_switch(struct walker *w, struct backward_step *step,
                                           struct described_point *failing)
{
	struct cause_point there = {.failing_time = step->fork->b};
	struct described_point reference = {.point = &there, .maker = step->fork->b};
	struct hence_error *error = cause_describe(w->h.runs[false], &reference, 1);
	/* A patched run went a way that its value does not tell. */
	bool told = reference.way && strcmp(reference.way, failing->way) != 0;

	set_condition(step, (struct cause_variable){
				    .name = failing->switched,
				    .failing = failing->way,
				    .reference = mem_strdup(told ? reference.way : "another way"),
			    });
	failing->switched = failing->way = NULL;
	described_point_deinit(&reference);
	cause_point_deinit(&there);
	return error;
}

/* A computed goto has no name. */
static struct hence_error *describe_branch(struct walker *w, struct backward_step *step,
                                           struct described_point *d)
{
	bool plain = d->condition;

	if (d->switched && d->way && step->fork)
		return describe_switch(w, step, d);
	set_condition(step, (struct cause_variable){
				    .name = plain ? d->condition : mem_strdup("the jump"),
				    .failing = mem_strdup(!plain       ? "here"
	                                                  : d->outcome ? "true"
	                                                               : "false"),
				    .reference = mem_strdup(!plain       ? "elsewhere"
	                                                    : d->outcome ? "false"
	                                                                 : "true"),
			    });
	d->condition = NULL;
	return NULL;
}

/* Was the first step made by a statement that the reference's version does not have? Then it is the root. */
static bool ends_in_code(const struct walker *w)
{
	const struct backward_step *first = w->steps.size ? &w->steps.at[w->steps.size - 1] : NULL;

	return w->h.alignment->versions && first && first->maker &&
	       !alignment_of_a(w->h.alignment, first->maker);
}

/* Where the chain ends, though there are differences before. */
static void note_end(struct walker *w, const struct cause_point *at)
{
	struct str text = STR_INIT;

	if (!w->nothing || ends_in_code(w))
		return;
	str_printf(&text, "what differs before %s:%u does not bring about ",
	           at->file ? at->file : "?", at->line);
	if (w->steps.size)
		str_add(&text, w->steps.at[w->steps.size - 1].point.variables.at[0].name);
	else
		str_add(&text, "the failure");
	str_printf(&text, " (%s); what was read there as input is in no variable before", w->why);
	*vec_push(&w->out->notes) = str_steal(&text);
}

static struct hence_error *describe(struct walker *w)
{
	struct described_point *described = mem_alloc((w->steps.size + 1) * sizeof(*described));
	struct cause_point nothing = {.failing_time = w->nothing};
	struct hence_error *error;
	uint32_t count = 0;

	for (; count < w->steps.size; count++) {
		described[count].point = &w->steps.at[count].point;
		described[count].maker = w->steps.at[count].maker;
		described[count].until = w->steps.at[count].until;
	}
	if (w->nothing)
		described[count++].point = &nothing;
	error = cause_describe(w->h.runs[true], described, count);
	for (uint32_t i = 0; i < w->steps.size; i++) {
		if (w->steps.at[i].point.branch && !error)
			error = describe_branch(w, &w->steps.at[i], &described[i]);
		described_point_deinit(&described[i]);
	}
	if (!error)
		note_end(w, &nothing);
	cause_point_deinit(&nothing);
	free(described);
	return error;
}

/* Does it only hand on what a variable of the step before has? */
static bool hands_on(const struct cause_point *before, const struct cause_point *point)
{
	for (uint32_t i = 0; i < before->variables.size; i++)
		if (!strcmp(before->variables.at[i].failing, point->variables.at[0].failing) &&
		    !strcmp(before->variables.at[i].reference, point->variables.at[0].reference))
			return true;
	return false;
}

static bool has_element(const struct backward_step *in, const struct backward_element *element)
{
	for (uint32_t i = 0; i < in->elements.size; i++)
		if (!memcmp(&in->elements.at[i], element, sizeof(*element)))
			return true;
	return false;
}

/* Nothing is defined at it, and all its variables are those of the other. */
static bool repeats(const struct backward_step *step, const struct backward_step *other)
{
	if (step->defined || step->point.branch)
		return false;
	for (uint32_t i = 0; i < step->elements.size; i++)
		if (!has_element(other, &step->elements.at[i]))
			return false;
	return true;
}

/* Steps at which only other variables are needed beside those that were there before. */
static bool is_repeated(const struct walker *w, uint32_t number)
{
	const struct backward_step *step = &w->steps.at[number];

	return (number && repeats(step, step - 1)) ||
	       (number + 1 < w->steps.size && repeats(step, step + 1));
}

/* Results on their way out of functions are told if they are new; that of main() the symptom tells. */
static bool is_told(const struct walker *w, uint32_t number)
{
	const struct backward_step *step = &w->steps.at[number];
	const char *function = step->point.variables.at[0].function;

	if (is_repeated(w, number))
		return false;
	if (step->point.branch || !step->hidden)
		return true;
	if (!strcmp(function, "main"))
		return false;
	return number + 1 == w->steps.size ||
	       !hands_on(&w->steps.at[number + 1].point, &step->point);
}

struct hence_error *steps_finish(struct walker *w)
{
	struct hence_error *error = describe(w);

	if (error)
		return error;
	/* What brings about a step that is proven is proven. */
	for (uint32_t i = 1; i < w->steps.size; i++)
		w->steps.at[i].point.proven |=
			w->steps.at[i].shown && w->steps.at[i - 1].point.proven;
	for (uint32_t i = w->steps.size; i-- > 0;) {
		if (!is_told(w, i))
			continue;
		*vec_push(&w->out->points) = w->steps.at[i].point;
		w->steps.at[i].point = (struct cause_point){0};
	}
	return NULL;
}
