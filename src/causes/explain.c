/* One explanation from what the methods have found: see explain.h. */
#include "causes/explain.h"

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
	step->at = explain_place(sources, symptom->file, symptom->line, symptom->column,
	                         symptom->function);
	if (!out->failure.at.file)
		out->failure.at = explain_place(sources, symptom->file, symptom->line,
		                                symptom->column, symptom->function);
}

/* --- the verdict --- */

void explain_verdict(bool stopped, struct explanation *out)
{
	bool proven = false;

	for (uint32_t i = 0; i < out->steps.size; i++)
		proven |= out->steps.at[i].proven;
	out->verdict = stopped ? "incomplete" : proven ? "explained" : "unproven";
}
