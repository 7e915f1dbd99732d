/* One explanation from what the methods have found: see explain.h. */
#include "causes/explain.h"
#include "causes/explain_work.h"

/* --- the failure --- */

void explain_failure(const struct oracle *oracle, struct explain_sources *sources,
                     struct explanation *out)
{
	const struct outcome *outcome = &oracle->failure.outcome;
	const struct outcome_assert *assertion = &outcome->assertion;
	struct str message = STR_INIT;

	out->failure.kind = failure_kind_name(oracle->failure.kind);
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
static const char *symptom_kind_name(const struct symptom *symptom, const struct oracle *oracle)
{
	switch (symptom->kind) {
	case SYMPTOM_OUTPUT: return "output";
	case SYMPTOM_BRANCH: return "branch";
	case SYMPTOM_END: break;
	}
	return failure_kind_name(oracle->failure.kind);
}

static char *copy(const struct str *text)
{
	return text->length ? mem_strdup(str_text(text)) : NULL;
}

void explain_add_symptom(const struct symptom *symptom, const struct oracle *oracle,
                         struct explain_sources *sources, struct explanation *out)
{
	struct explanation_step *step = vec_push(&out->steps);
	struct explanation_value value = {.failing = copy(&symptom->failing),
	                                  .reference = copy(&symptom->reference)};

	step->kind = symptom_kind_name(symptom, oracle);
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

/* Does the chain end with that branch? */
static bool ends_with(const struct explanation *e, const struct cause_point *branch)
{
	const struct explanation_step *last =
		e->steps.size ? &e->steps.at[e->steps.size - 1] : NULL;

	return last && explain_same_text(last->kind, "branch") && last->at.line == branch->line &&
	       explain_same_text(last->at.file, branch->file);
}

static void add_decision(const struct described_point *found, struct explain_sources *sources,
                         struct explanation *out)
{
	const struct cause_point *p = found->point;
	struct explanation_step *step = vec_push(&out->steps);

	step->kind = "branch";
	step->time = p->failing_time;
	step->reference_time = p->reference_time;
	step->at = explain_place(sources, p->file, p->line, p->column, p->function);
	step->instance = p->instance;
	step->cause = explain_place(sources, p->cause_file, p->cause_line, p->cause_column,
	                            p->cause_function);
	step->transition = true;
	step->observed = true;
	*vec_push(&step->values) = (struct explanation_value){
		.name = mem_strdup(found->condition),
		.failing = mem_strdup(found->outcome ? "true" : "false"),
		.reference = mem_strdup(found->outcome ? "false" : "true"),
		.function = p->function ? mem_strdup(p->function) : NULL,
	};
}

struct hence_error *explain_add_decision(const struct recording *failing,
                                         const struct symptom *symptom,
                                         struct explain_sources *sources, struct explanation *out)
{
	struct cause_point point = {.failing_time = symptom->failing_time,
	                            .reference_time = symptom->reference_time};
	struct described_point found = {.point = &point, .maker = symptom->failing_time};
	struct hence_error *error;

	if (symptom->kind != SYMPTOM_BRANCH || !out->steps.size)
		return NULL;
	error = cause_describe(failing, &found, 1);
	if (!error && found.condition && !ends_with(out, &point))
		add_decision(&found, sources, out);
	described_point_deinit(&found);
	cause_point_deinit(&point);
	return error;
}

/* --- the verdict --- */

void explain_verdict(bool stopped, struct explanation *out)
{
	bool proven = false;

	for (uint32_t i = 0; i < out->steps.size; i++)
		proven |= out->steps.at[i].proven;
	out->verdict = stopped ? "incomplete" : proven ? "explained" : "unproven";
}
