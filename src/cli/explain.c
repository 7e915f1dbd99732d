/* `hence explain`: why a program failed; and what the commands of single methods share. */
#include "cli/explain.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/options.h"

/* A dual slice is no explanation. */
static struct hence_error *check_slice(const struct explain_command *c)
{
	if (!c->dual_slice)
		return NULL;
	if (c->report.save)
		return error_create(HENCE_ERROR_INPUT,
		                    "--save is about explanations, and --dual-slice makes none; "
		                    "use --json -o FILE");
	if (c->report.format == REPORT_TEXT || c->report.format == REPORT_JSON)
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "a dual slice is printed as text or json, not as %s",
	                    explanation_formats[c->report.format].name);
}

/* It is a file of its own. */
static struct hence_error *check_patch(const struct explain_command *c)
{
	const struct report_options *r = &c->report;

	if (!c->patch ||
	    ((!r->out || strcmp(r->out, c->patch)) && (!r->save || strcmp(r->save, c->patch))))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "--patch and %s are the same file, %s; give two",
	                    r->out && !strcmp(r->out, c->patch) ? "-o" : "--save", c->patch);
}

struct hence_error *explain_command_fill(struct options *o, enum explain_method method,
                                         struct explain_command *out)
{
	static const enum explain_method methods[] = {EXPLAIN_ALL, EXPLAIN_COMPARE, EXPLAIN_CHAIN,
	                                              EXPLAIN_TRANSITIONS, EXPLAIN_TREE};
	struct explain_command c = {
		.method = method == EXPLAIN_ALL ? methods[o->method] : method,
		.report = o->report,
		.as_given = o->as_given,
		.no_edits = o->no_edits,
		.all_points = o->all_points,
		.hierarchical = o->algorithm == 1,
		.dual_slice = o->dual_slice,
		.no_rails = o->no_rails,
		.exact = o->exact,
		.count = o->count,
		.tests = o->tests,
		.patch = o->patch,
		.all_fixes = o->all,
		.against = o->against,
	};
	struct hence_error *error = check_slice(&c);

	if (!error)
		error = check_patch(&c);
	if (error)
		return error;
	c.report.failure.fixed = true;
	c.memory =
		c.report.format == REPORT_JSON || c.report.format == REPORT_HTML || c.report.save;
	c.sources = c.memory || c.report.format == REPORT_SARIF;
	*out = c;
	return NULL;
}

struct hence_error *explain_command_run(struct options *options, enum explain_method method,
                                        int *code)
{
	struct explain_command command;
	struct hence_error *error = explain_command_fill(options, method, &command);

	if (error)
		return error;
	if (command.report.sources)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s is a source file; 'hence explain' compiles sources, this "
		                     "command wants a program",
		                     command.report.sources[0]);
	else if (command.against)
		error = chain_statements_read(command.against, &command.ideal);
	if (!error)
		error = explain_perform(&command, code);
	chain_statements_deinit(&command.ideal);
	return error;
}

static struct hence_error *explain(struct options *options, int *code)
{
	struct explain_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = explain_command_fill(options, EXPLAIN_ALL, &command);

	if (!error && command.report.sources)
		error = explain_compile(&command.report, false, &compiled, code);
	if (!error && !*code)
		error = explain_perform(&command, code);
	explain_compiled_deinit(&compiled);
	return error;
}

const struct command command_explain = {
	.name = "explain",
	.bit = COMMAND_EXPLAIN,
	.formats = REPORT_ALL,
	.usage = "hence explain [OPTIONS] -- PROGRAM ARGS...\n"
		 "hence explain [OPTIONS] FILE.c ... [-- ARGS...]",
	.summary = "explain why a program failed: a chain of causes, each proven by experiment",
	.about =
		"Explains a failure as a chain of causes from the input to the failure. Each step "
		"names a variable, its value in the failing run and in a run that passes, and is "
		"proven by experiment: the program was run again with just that value changed. The "
		"program must have been built with hence cc; sources are compiled first, with the "
		"options that stand among them. It runs confined, so no file of yours is changed.",
	.run = explain,
};
