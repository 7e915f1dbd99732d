/* `hence compare`: comparative causality of the failing run and one that passes. */
#include "base/interrupt.h"
#include "methods/compare.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/explain.h"
#include "explain/references.h"
#include "cli/record.h"
#include "report/dual_listing.h"
#include "report/json.h"

/* --- --dual-slice --- */

static const char *const names[2] = {"failing", "reference"};

static struct hence_error *print(const struct explain_command *command,
                                 const struct dual_listing *listing)
{
	struct str json = STR_INIT;
	struct hence_error *error;
	FILE *file;

	error = record_open(command->report.out, &file);
	if (error)
		return error;
	if (command->report.format == REPORT_JSON) {
		str_add_char(&json, '{');
		json_add_key(&json, "dual_slice");
		dual_listing_add_json(listing, names, &json);
		fprintf(file, "%s}\n", str_text(&json));
		str_deinit(&json);
	} else {
		dual_listing_print(listing, names, file);
	}
	return record_close(command->report.out, file);
}

static struct hence_error *print_of(const struct explain_command *command, struct references *pair,
                                    const struct symptom *symptom)
{
	const struct recording *failing = &pair->failing.recording;
	const struct recording *reference = &pair->reference.recording;
	const struct dual_options options = {.stop = budget_stops,
	                                     .context = (void *)&pair->search.budget};
	const struct dual_seed seed = compare_seed(symptom);
	struct dual_listing listing;
	struct dual *dual;
	struct hence_error *error =
		dual_find(failing, reference, &pair->alignment, &seed, 1, &options, &dual);

	if (error)
		return error;
	error = dual_listing_collect(failing, reference, &pair->alignment, dual, &listing);
	if (!error) {
		error = print(command, &listing);
		dual_listing_deinit(&listing);
	}
	dual_destroy(dual);
	return error;
}

static struct hence_error *print_slice(const struct explain_command *command,
                                       struct references *pair)
{
	const struct symptom_run failing = {&pair->failing.recording, &pair->failing.result};
	const struct symptom_run reference = {&pair->reference.recording, &pair->reference.result};
	struct symptom symptom;
	struct hence_error *error;

	if (!pair->is_aligned)
		return error_create(HENCE_ERROR_INPUT,
		                    "there is no run that passes to compare %s with; give one with "
		                    "--pass 'ARGS' or --pass-stdin FILE",
		                    references_program(pair));
	error = symptom_find(&failing, &reference, &pair->alignment, &pair->reduced.oracle,
	                     &symptom);
	if (error)
		return error;
	error = print_of(command, pair, &symptom);
	symptom_deinit(&symptom);
	return error;
}

struct hence_error *compare_print_slice(const struct explain_command *command, int *code)
{
	struct references pair;
	struct hence_error *error;

	interrupt_catch();
	references_begin(&pair, &command->question);
	pair.as_given = command->question.as_given;
	error = references_find(&pair);
	*code = cli_refused(&pair.refused);
	if (!error && !*code)
		error = print_slice(command, &pair);
	references_deinit(&pair);
	return error;
}

/* --- the command --- */

static struct hence_error *compare(struct options *options, int *code)
{
	return explain_command_run(options, EXPLAIN_COMPARE, code);
}

const struct command command_compare = {
	.name = "compare",
	.bit = COMMAND_COMPARE,
	.formats = REPORT_ALL,
	.usage = "hence compare [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show which values bring about a failure, and what brought them about, step by "
		   "step",
	.about = "Compares the failing run with one that passes, from the failure backwards. At "
		 "each step those values are found that make both runs show, at the next step, "
		 "what the other one showed when they are exchanged. Experiments cannot leave the "
		 "ways that the two runs went. The program must have been built with hence cc; it "
		 "runs confined, so no file of yours is changed.",
	.run = compare,
};
