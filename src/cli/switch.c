/* `hence switch`: branches that make a failing program pass when they go the other way. */
#include "cli/switch.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/record.h"

#define ENOUGH 5u /* predicates, without --all */

static const char help[] =
	"hence switch [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Finds branches of the failing run that make it pass when they go the other way once: the\n"
	"conditions of if and of loops, and switch statements. Branches that the failure came "
	"from\n"
	"are tried first, the last one first. What is right is said by --expect or --test; "
	"without\n"
	"them a run passes when it ends well. The input is taken as it is. The program must have\n"
	"been built with hence cc; it runs confined, so no file of yours is changed.\n"
	"\n"
	"  --first             try branches in the order in which they are executed\n"
	"  --all               try all of them; otherwise five that are found are enough\n";

static const char *const own_names[] = {"--first", "--all"};

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct switch_command *c = context;
	struct hence_error *error = NULL;

	if (report_options_take(&c->report, words, name, &error))
		return error;
	if (!strcmp(name, "--first"))
		c->first = true;
	else if (!strcmp(name, "--all"))
		c->all = true;
	else
		return report_options_unknown(words, name, own_names, 2);
	return NULL;
}

static struct hence_error *check(const struct switch_command *c)
{
	if (c->report.failure.pass_program)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence switch compares with no other program; give what is "
		                    "right with --expect FILE instead of --pass-prog");
	return run_check_output(c->report.out, "-o", false);
}

static struct hence_error *parse(int argc, char **argv, struct switch_command *out)
{
	struct switch_command c = {
		.report = {.formats = REPORT_LISTS,
	                   .run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                   .failure.fixed = true}};
	struct words words = {argv + 1, NULL, "switch"};
	struct hence_error *error = words_read(&words, take, &c);

	if (!error && !c.report.help)
		error = check(&c);
	error = report_options_check(&c.report, &words, error);
	if (error)
		return error;
	c.report.failure.command = words.at;
	*out = c;
	return NULL;
}

/* --- the search --- */

static void show(void *context, uint64_t experiments, const char *phase)
{
	struct pair *p = context;

	progress_count(&p->search.progress, phase, experiments, p->search.until);
}

static struct hence_error *find(const struct switch_command *c, struct pair *p,
                                struct predicates *out)
{
	const struct predicates_options options = {
		.order = c->first ? PREDICATES_FIRST : PREDICATES_NEAREST,
		.most = c->all ? 0 : ENOUGH,
		.trials = &p->failure.reduce.trials,
		.stop = pair_is_over,
		.progress = show,
		.context = p,
	};
	struct hence_error *error;

	progress_begin(&p->search.progress);
	error = predicates_find(p->failing.pool, &p->failing.recording, &p->failing.result,
	                        &p->reduced.oracle, &options, out);
	progress_end(&p->search.progress);
	return error;
}

static struct hence_error *print(const struct switch_report *report)
{
	const char *path = report->command->report.out;
	FILE *file;
	struct hence_error *error = record_open(path, &file);

	if (error)
		return error;
	switch_print(report, file);
	return record_close(path, file);
}

static struct hence_error *search(const struct switch_command *c, struct pair *p, int *code)
{
	struct predicates found = {0};
	struct switch_report report = {.command = c, .pair = p, .found = &found};
	struct hence_error *error;

	if (!p->has_failing) {
		fprintf(stderr, "hence: the time was up before the failing run was recorded; give "
		                "more with --time\n");
		*code = CLI_NOT_PROVEN;
		return NULL;
	}
	error = find(c, p, &found);
	/* Whoever was at work when the time was over may call it an error. */
	if (error && pair_is_over(p)) {
		error_destroy(error);
		error = NULL;
		found.stopped = true;
	}
	report.seconds = progress_clock() - p->began;
	if (!error)
		error = print(&report);
	*code = switch_count(&found) ? CLI_DONE : CLI_NOT_PROVEN;
	predicates_deinit(&found);
	return error;
}

static struct hence_error *perform(const struct switch_command *c, int *code)
{
	char *words[] = {NULL, NULL};
	struct pair pair = {.options = &c->report.failure,
	                    .as_given = true,
	                    .alone = true,
	                    .run_options = c->report.run,
	                    .run = {.input = -1, .output = -1}};
	struct hence_error *error;

	words[0] = (char *)pair_program(&pair);
	pair.run_options.command = words;
	pair.run.options = &pair.run_options;
	error = pair_find(&pair, code);
	if (!error && !*code)
		error = search(c, &pair, code);
	pair_deinit(&pair);
	return error;
}

int command_switch(int argc, char **argv)
{
	struct switch_command command;
	struct hence_error *error = parse(argc, argv, &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.report.help)
		printf("%s%s%s", help, report_options_help, failure_options_help);
	else
		error = perform(&command, &code);
	report_options_deinit(&command.report);
	return error ? cli_fail(error) : code;
}
