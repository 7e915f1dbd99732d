/* `hence chop`: the code between the part of the input that decides and the failure. */
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "explain/input_chop.h"
#include "explain/input_search.h"
#include "report/json.h"

/* --- printing --- */

static void print_text(const struct options *options, const struct reduce_result *reduced,
                       const struct input_chop *chop, FILE *file)
{
	const struct listing_style style = {
		.colour = report_use_color(options->report.color, options->report.out)};
	struct str failure GUARD(str_deinit) = STR_INIT, deciding GUARD(str_deinit) = STR_INIT,
			   notes GUARD(str_deinit) = STR_INIT;

	oracle_write_text(&reduced->oracle, &failure);
	fprintf(file, "%s%s %s%s\n", style.colour ? "\x1b[1m" : "",
	        options->report.failure.command[0], str_text(&failure),
	        style.colour ? "\x1b[0m" : "");
	if (chop->criterion.why.length)
		fprintf(file, "%s\n", str_text(&chop->criterion.why));
	if (!options->as_given)
		fprintf(file, "input: %llu of %llu bytes are enough (%llu tests)\n",
		        (unsigned long long)reduced->reduced, (unsigned long long)reduced->original,
		        (unsigned long long)reduced->tests);
	deciding_write_text(&chop->deciding, &deciding);
	if (!chop->deciding.inputs.size)
		fputs("it fails without any input\n", file);
	else
		fprintf(file, "%s: %s\n", chop->isolated ? "what decides" : "what matters",
		        str_text(&deciding));
	fprintf(file,
	        "lines: %llu in the chop, %llu of them (marked =) reached by no input; %llu in the "
	        "backward slice, %llu in the forward slice, %llu executed, %llu in the program\n",
	        (unsigned long long)chop->listing.chosen, (unsigned long long)chop->independent,
	        (unsigned long long)chop->backward, (unsigned long long)chop->forward,
	        (unsigned long long)chop->listing.executed,
	        (unsigned long long)chop->listing.program);
	for (uint32_t i = 0; i < chop->notes.size; i++)
		fprintf(file, "%s\n", chop->notes.at[i]);
	fputs("\nfrom the failure back to the input:\n", file);
	listing_print_sequence(&chop->listing, &style, file, &notes);
	if (notes.length)
		fprintf(file, "\n%s", str_text(&notes));
}

static void print_json(const struct options *options, const struct reduce_result *reduced,
                       const struct input_chop *chop, FILE *file)
{
	const struct criterion *c = &chop->criterion;
	struct str out GUARD(str_deinit) = STR_INIT, text GUARD(str_deinit) = STR_INIT,
		       deciding GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	reduce_add_command(options->report.failure.command, &out);

	str_printf(&text, "%s ", options->report.failure.command[0]);
	oracle_write_text(&reduced->oracle, &text);
	json_add_key(&out, "failure");
	str_add_char(&out, '{');
	json_add_member(&out, "kind", failure_kind_name(reduced->oracle.failure.kind));
	if (c->file) {
		json_add_member(&out, "file", c->file);
		json_add_number(&out, "line", c->line);
	}
	if (c->function)
		json_add_member(&out, "function", c->function);
	json_add_member(&out, "message", str_text(&text));
	if (c->why.length)
		json_add_member(&out, "why", str_text(&c->why));
	str_add_char(&out, '}');

	json_add_key(&out, "sizes");
	str_add_char(&out, '{');
	json_add_number(&out, "program", chop->listing.program);
	json_add_number(&out, "executed", chop->listing.executed);
	json_add_number(&out, "backward", chop->backward);
	json_add_number(&out, "forward", chop->forward);
	json_add_number(&out, "chop", chop->listing.chosen);
	json_add_number(&out, "independent", chop->independent);
	str_add_char(&out, '}');

	json_add_key(&out, "reduced_input");
	str_add_char(&out, '{');
	reduce_add_inputs(reduced, &out);
	str_add_char(&out, '}');
	deciding_write_text(&chop->deciding, &deciding);
	json_add_member(&out, "deciding", str_text(&deciding));
	json_add_key(&out, "chop");
	listing_add_json(&chop->listing, &out);
	json_add_texts(&out, "notes", chop->notes.at, chop->notes.size);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
}

static struct hence_error *print(const struct options *options, const struct reduce_result *reduced,
                                 const struct input_chop *chop)
{
	FILE *file;
	struct hence_error *error = record_open(options->report.out, &file);

	if (error)
		return error;
	switch (options->report.format) {
	case REPORT_JSON: print_json(options, reduced, chop, file); break;
	case REPORT_GCC: listing_print_gcc(&chop->listing, file); break;
	default: print_text(options, reduced, chop, file); break;
	}
	return record_close(options->report.out, file);
}

/* --- the command --- */

/* Without a search: it ends before it begins. */
static bool at_once(void *context)
{
	return true;
}

static struct hence_error *chop_failure(struct options *options, struct failure_case *failure,
                                        struct reduce_result *reduced, struct input_chop *chop,
                                        int *code)
{
	const struct failure_options *given = &options->report.failure;
	struct search search = {.stop = options->as_given ? at_once : NULL};
	const struct input_chop_options chosen = {.trials = &failure->reduce.trials,
	                                          .reduced = reduced,
	                                          .run = &options->report.run,
	                                          .budget = &search.budget,
	                                          .as_given = options->as_given,
	                                          .isolate = options->isolate,
	                                          .relevant = options->relevant};
	struct executable program = {0};
	/* What is wrong with these is found before the search, which may take long. */
	struct hence_error *error = run_check_output(options->report.out, "-o", false);
	bool found = false;

	if (!error)
		error = executable_find(options->report.run.command[0], &program);
	executable_deinit(&program);
	if (!error)
		error = failure_case_read(given, failure);
	if (error)
		return error;
	progress_watch(&search);
	search_begin(&search, given, &failure->reduce);
	error = reduce_run(&failure->reduce, reduced, &found);
	cli_end_search(&search, reduced);
	if (error)
		return error;
	if (reduced->end != REDUCE_DONE && reduced->end != REDUCE_STOPPED) {
		*code = cli_refuse_search(given, reduced);
		return NULL;
	}
	error = input_chop_find(&chosen, chop);
	if (error)
		return error;
	if (chop->unstable) {
		fprintf(stderr,
		        "hence: %s does not always print the same for the reduced input, perhaps "
		        "since "
		        "it uses memory that is not initialised ('hence trace' reports it); use "
		        "--no-reduce, or a --test that refuses such input\n",
		        given->command[0]);
		*code = CLI_NOT_PROVEN;
		return NULL;
	}
	if ((reduced->end != REDUCE_DONE && !options->as_given) || chop->stopped)
		*code = CLI_NOT_PROVEN;
	return print(options, reduced, chop);
}

static struct hence_error *chop(struct options *options, int *code)
{
	struct failure_case failure GUARD(failure_case_deinit) = {0};
	struct reduce_result reduced GUARD(reduce_result_deinit) = {0};
	struct input_chop found GUARD(input_chop_deinit) = {0};

	return chop_failure(options, &failure, &reduced, &found, code);
}

const struct command command_chop = {
	.name = "chop",
	.bit = COMMAND_CHOP,
	.formats = REPORT_LISTS,
	.usage = "hence chop [OPTIONS] -- PROGRAM ARGS...",
	.summary = "show the code between the input that decides and the failure",
	.about = "Finds the part of the input that decides between pass and failure, and shows the "
		 "statements that lie between it and the failure, from the failure back to the "
		 "input, with the values that they had; and those that the failure came from and "
		 "that depend on no input. The program must have been built with hence cc; it runs "
		 "confined, so no file of yours is changed.",
	.run = chop,
};
