/* The chain of a saved report: see chain_quality.h. */
#include "methods/chain_work.h"

#include <jansson.h>
#include <string.h>

static struct hence_error *no_report(const char *path, const char *why)
{
	return error_create(
		HENCE_ERROR_INPUT,
		"%s is no report of hence: %s; save one with 'hence chain --json -o FILE'", path,
		why);
}

/* The statement that made a step: what the chain is compared by. */
static void add_step(const json_t *step, struct chain_statements *out)
{
	const json_t *cause = json_object_get(step, "cause");
	const char *file = json_string_value(json_object_get(cause, "file"));

	if (json_is_true(json_object_get(step, "transition")) && file)
		chain_statements_add(out, file,
		                     (unsigned)json_integer_value(json_object_get(cause, "line")),
		                     json_string_value(json_object_get(cause, "function")));
}

static struct hence_error *read_steps(const char *path, const json_t *report,
                                      struct chain_statements *out)
{
	const json_t *steps = json_object_get(report, "steps");

	if (!json_is_integer(json_object_get(report, "hence")))
		return no_report(path, "it has no version ('hence')");
	if (json_integer_value(json_object_get(report, "hence")) != EXPLANATION_VERSION)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is a report of another version of hence; make it again",
		                    path);
	if (!json_is_array(steps))
		return no_report(path, "it has no steps");
	for (size_t i = 0; i < json_array_size(steps); i++)
		add_step(json_array_get(steps, i), out);
	if (out->all.size)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"%s has no step that a statement made: there is nothing to compare with", path);
}

struct hence_error *chain_statements_read(const char *path, struct chain_statements *out)
{
	struct chain_statements found = {0};
	FILE *file = fopen(path, "r");
	struct hence_error *error;
	json_error_t reason;
	json_t *report;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	report = json_loadf(file, JSON_REJECT_DUPLICATES, &reason);
	fclose(file);
	if (!report)
		return no_report(path, reason.text);
	error = read_steps(path, report, &found);
	json_decref(report);
	if (error)
		chain_statements_deinit(&found);
	else
		*out = found;
	return error;
}
