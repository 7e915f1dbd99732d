/* The command line of `hence explain` and of the commands of single methods: see explain.h. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/explain.h"

const char explain_options_help[] =
	"  --no-reduce         explain the input as it is; only what it is compared with is\n"
	"                      searched for\n"
	"  --save FILE         write the report as JSON as well, for hence show, verify and gdb\n";

const char explain_tests_help[] = "  --tests FILE        tests of the program, as of hence rank: "
				  "the lines that they execute\n"
				  "                      are evidence for the suspects\n";

#define MOST_NAMES 8

static const char *const names_of_methods[][MOST_NAMES] = {
	[EXPLAIN_ALL] = {"--no-reduce", "--no-edits", "--save", "--full", "--method", "--tests"},
	[EXPLAIN_TRANSITIONS] = {"--no-reduce", "--save", "--full", "--all-points"},
	[EXPLAIN_CHAIN] = {"--no-reduce", "--save", "--full", "--algorithm", "--against"},
	[EXPLAIN_COMPARE] = {"--no-reduce", "--save", "--full", "--dual-slice", "--no-rails",
                             "--exact", "--count"},
	[EXPLAIN_FIX] = {"--save", "--full", "--tests", "--patch", "--all"},
};

static uint32_t count_names(const char *const *names)
{
	uint32_t count = 0;

	while (count < MOST_NAMES && names[count])
		count++;
	return count;
}

/* Options of single methods. False: it is none. */
static bool take_own(struct explain_command *c, struct words *words, const char *name,
                     struct hence_error **error)
{
	static const char *const algorithms[] = {"dependence", "hierarchical"};
	int chosen = 0;

	if ((c->method == EXPLAIN_ALL || c->method == EXPLAIN_FIX) && !strcmp(name, "--tests"))
		*error = words_value(words, name, &c->tests);
	else if (c->method == EXPLAIN_ALL && !strcmp(name, "--no-edits"))
		c->no_edits = true;
	else if (c->method == EXPLAIN_FIX && !strcmp(name, "--patch"))
		*error = words_value(words, name, &c->patch);
	else if (c->method == EXPLAIN_FIX && !strcmp(name, "--all"))
		c->all_fixes = true;
	else if (c->method == EXPLAIN_TRANSITIONS && !strcmp(name, "--all-points"))
		c->all_points = true;
	else if (c->method == EXPLAIN_COMPARE && !strcmp(name, "--dual-slice"))
		c->dual_slice = true;
	else if (c->method == EXPLAIN_COMPARE && !strcmp(name, "--no-rails"))
		c->no_rails = true;
	else if (c->method == EXPLAIN_COMPARE && !strcmp(name, "--exact"))
		c->exact = true;
	else if (c->method == EXPLAIN_COMPARE && !strcmp(name, "--count"))
		c->count = true;
	else if (c->method == EXPLAIN_CHAIN && !strcmp(name, "--algorithm"))
		*error = words_choice(words, name, algorithms, 2, &chosen);
	else if (c->method == EXPLAIN_CHAIN && !strcmp(name, "--against"))
		*error = words_value(words, name, &c->against);
	else
		return false;
	c->hierarchical |= chosen == 1;
	return true;
}

/* Its options stay those of `hence explain`. */
static struct hence_error *take_method(struct explain_command *c, struct words *words)
{
	static const char *const known[] = {"all", "compare", "chain", "transitions", "tree"};
	static const enum explain_method methods[] = {EXPLAIN_ALL, EXPLAIN_COMPARE, EXPLAIN_CHAIN,
	                                              EXPLAIN_TRANSITIONS, EXPLAIN_TREE};
	int chosen = 0;
	struct hence_error *error = words_choice(words, "--method", known, 5, &chosen);

	if (!error)
		c->chosen = methods[chosen];
	return error;
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct explain_command *c = context;
	struct hence_error *error = NULL;

	if (report_options_take(&c->report, words, name, &error))
		return error;
	if (take_own(c, words, name, &error))
		return error;
	if (c->method == EXPLAIN_ALL && !strcmp(name, "--method"))
		return take_method(c, words);
	if (c->method == EXPLAIN_FIX || strcmp(name, "--no-reduce"))
		return report_options_unknown(words, name, names_of_methods[c->method],
		                              count_names(names_of_methods[c->method]));
	c->as_given = true;
	return NULL;
}

/* A dual slice is no explanation. */
static struct hence_error *check_slice(const struct explain_command *c)
{
	if (!c->dual_slice)
		return NULL;
	if (c->report.save)
		return error_create(
			HENCE_ERROR_INPUT,
			"--save is about explanations, and --dual-slice makes none; use "
			"--json -o FILE");
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

struct hence_error *explain_command_parse(int argc, char **argv, const char *name,
                                          struct explain_command *out)
{
	struct explain_command c = {
		.report = {.formats = REPORT_ALL,
	                   .saves = true,
	                   .run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                   .failure.fixed = true},
		.method = !strcmp(name, "transitions") ? EXPLAIN_TRANSITIONS
	                  : !strcmp(name, "chain")     ? EXPLAIN_CHAIN
	                  : !strcmp(name, "compare")   ? EXPLAIN_COMPARE
	                  : !strcmp(name, "fix")       ? EXPLAIN_FIX
	                                               : EXPLAIN_ALL};
	struct words words = {argv + 1, NULL, name};
	struct hence_error *error;

	if (c.method == EXPLAIN_FIX)
		c.report.formats &= ~(1u << REPORT_DOT);
	error = words_read(&words, take, &c);
	error = report_options_check(&c.report, &words, error);
	if (!error) {
		error = check_slice(&c);
		if (!error)
			error = check_patch(&c);
		if (error)
			report_options_deinit(&c.report);
	}
	if (error)
		return error;
	report_options_take_command(&c.report, &words);
	c.memory =
		c.report.format == REPORT_JSON || c.report.format == REPORT_HTML || c.report.save;
	c.sources = c.memory || c.report.format == REPORT_SARIF;
	if (c.method == EXPLAIN_ALL)
		c.method = c.chosen;
	*out = c;
	return NULL;
}

void explain_command_deinit(struct explain_command *command)
{
	report_options_deinit(&command->report);
	chain_statements_deinit(&command->ideal);
}

int explain_command_run(int argc, char **argv, const char *name, const char *help)
{
	struct explain_command command;
	struct hence_error *error = explain_command_parse(argc, argv, name, &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.report.help)
		printf("%s%s%s%s%s", help, explain_options_help, report_output_help,
		       report_record_help, failure_options_help);
	else if (command.report.sources)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s is a source file; 'hence explain' compiles sources, this "
		                     "command wants a program",
		                     command.report.sources[0]);
	else if (command.against)
		error = chain_statements_read(command.against, &command.ideal);
	if (!error && !command.report.help)
		error = explain_perform(&command, &code);
	explain_command_deinit(&command);
	return error ? cli_fail(error) : code;
}
