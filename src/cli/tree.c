/* `hence tree`: all potential causes of a failure, from the failing run alone. */
#include "cli/tree.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/explain.h"

static const char help[] =
	"hence tree [OPTIONS] -- PROGRAM ARGS...\n"
	"hence tree [OPTIONS] FILE.c ... [-- ARGS...]\n"
	"\n"
	"Computes the cause tree of a failing run, which needs no run that passes. A cause is a\n"
	"condition that was false and would have avoided the failure, with the statements that "
	"made\n"
	"it so. Below it are the causes of that: branches that decided about these statements, or\n"
	"that could have changed what they read. Each is tried by experiment: is there a branch "
	"or\n"
	"a value that makes the run pass? The program must have been built with hence cc; sources\n"
	"are compiled first. It runs confined, so no file of yours is changed.\n"
	"\n"
	"  --check 'FILE:LINE: EXPR'\n"
	"                      a condition in C that should hold at that line; the tree begins\n"
	"                      where it is false for the first time\n"
	"  --levels N          levels below the failure that are computed (3)\n"
	"  --nodes N           most causes (400)\n"
	"  --show N            levels that the text shows; deeper causes are counted\n"
	"  --full              tell all causes, and all of those that were tried in vain\n"
	"  --correct FUNC,...  functions that hold no causes (repeatable)\n"
	"  --correct-file FILE the same, one name a line, # begins a comment (hence.correct, if\n"
	"                      there is one)\n"
	"  --no-experiments    do not try the causes\n"
	"  -i, --interactive   walk through the tree and say what is suspicious\n"
	"  --answers FILE      the same, with answers from a file\n"
	"  --session FILE      keep the answers there, and go on with them next time\n"
	"  --smt DIR           write the contradiction behind each cause to DIR, for SMT solvers\n"
	"  --format dot        a graph for graphviz; other formats are below\n"
	"  --save FILE         write the tree as JSON as well, for hence show\n";

static const char *const own_names[] = {"--check",
                                        "--levels",
                                        "--nodes",
                                        "--show",
                                        "--full",
                                        "--save",
                                        "--correct",
                                        "--correct-file",
                                        "--no-experiments",
                                        "--interactive",
                                        "--answers",
                                        "--session",
                                        "--smt",
                                        "-i"};

#define OWN_NAMES (sizeof(own_names) / sizeof(*own_names))

/* --- options --- */

static struct hence_error *take_list(struct words *words, struct tree_command *c)
{
	const char *list = NULL;
	struct hence_error *error = words_value(words, "--correct", &list);

	if (!error)
		*vec_push(&c->lists) = list;
	return error;
}

static struct hence_error *take_check(struct words *words, struct tree_command *c)
{
	if (c->check)
		return error_create(HENCE_ERROR_INPUT,
		                    "--check is given twice; join the conditions with &&");
	return words_value(words, "--check", &c->check);
}

/* Options with a value of their own. False: it is none. */
static bool take_value(struct tree_command *c, struct words *words, const char *name,
                       struct hence_error **error)
{
	if (!strcmp(name, "--check"))
		*error = take_check(words, c);
	else if (!strcmp(name, "--levels"))
		*error = words_number(words, name, &c->levels);
	else if (!strcmp(name, "--nodes"))
		*error = words_number(words, name, &c->nodes);
	else if (!strcmp(name, "--show"))
		*error = words_number(words, name, &c->show);
	else if (!strcmp(name, "--correct"))
		*error = take_list(words, c);
	else if (!strcmp(name, "--correct-file"))
		*error = words_value(words, name, &c->correct);
	else if (!strcmp(name, "--answers"))
		*error = words_value(words, name, &c->answers);
	else if (!strcmp(name, "--session"))
		*error = words_value(words, name, &c->session);
	else if (!strcmp(name, "--smt"))
		*error = words_value(words, name, &c->smt);
	else
		return false;
	return true;
}

static struct hence_error *take(void *context, struct words *words, const char *name)
{
	struct tree_command *c = context;
	struct hence_error *error = NULL;

	if (report_options_take(&c->report, words, name, &error) ||
	    take_value(c, words, name, &error))
		return error;
	if (!strcmp(name, "--no-experiments"))
		c->no_experiments = true;
	else if (!strcmp(name, "-i") || !strcmp(name, "--interactive"))
		c->interactive = true;
	else
		return report_options_unknown(words, name, own_names, OWN_NAMES);
	return NULL;
}

/* --- do they go together? --- */

static struct hence_error *check_number(const char *name, uint64_t number, uint64_t most)
{
	if (number <= most)
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "%s %llu: give at most %llu", name,
	                    (unsigned long long)number, (unsigned long long)most);
}

static struct hence_error *make_folder(const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot make the directory %s",
		                        path);
	if (!stat(path, &info) && S_ISDIR(info.st_mode))
		return NULL;
	return error_create(HENCE_ERROR_INPUT, "--smt: %s is no directory", path);
}

/* A long search for nothing would be a pity. */
static struct hence_error *check_files(const struct tree_command *c)
{
	struct hence_error *error = run_check_output(c->report.out, "-o", false);

	if (!error)
		error = run_check_output(c->report.save, "--save", false);
	if (!error)
		error = run_check_output(c->session, "--session", true);
	if (!error && c->smt)
		error = make_folder(c->smt);
	if (!error && c->answers && access(c->answers, R_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "--answers: cannot read %s",
		                         c->answers);
	return error;
}

static struct hence_error *check(struct tree_command *c)
{
	struct hence_error *error = check_number("--levels", c->levels, 1000);

	if (!error)
		error = check_number("--nodes", c->nodes, 1000000);
	if (!error)
		error = check_number("--show", c->show, 1000);
	if (!error && c->report.failure.pass_program)
		error = error_create(HENCE_ERROR_INPUT,
		                     "hence tree compares with no other program; give what is "
		                     "right with --expect FILE instead of --pass-prog");
	if (!error && c->session && !c->interactive && !c->answers)
		error = error_create(HENCE_ERROR_INPUT, "--session is about answers; add -i");
	if (!error)
		error = check_files(c);
	c->interactive |= c->answers != NULL;
	return error;
}

struct hence_error *tree_command_parse(int argc, char **argv, struct tree_command *out)
{
	struct tree_command c = {.report = {.formats = REPORT_LISTS | 1u << REPORT_DOT,
	                                    .saves = true,
	                                    .run = {.tape_limit = RUN_TAPE_LIMIT, .time = RUN_TIME},
	                                    .failure.fixed = true}};
	struct words words = {argv + 1, NULL, "tree"};
	struct hence_error *error = words_read(&words, take, &c);

	if (!error && !c.report.help)
		error = check(&c);
	error = report_options_check(&c.report, &words, error);
	if (error) {
		vec_deinit(&c.lists);
		return error;
	}
	report_options_take_command(&c.report, &words);
	*out = c;
	return NULL;
}

void tree_command_deinit(struct tree_command *command)
{
	report_options_deinit(&command->report);
	vec_deinit(&command->lists);
}

int command_tree(int argc, char **argv)
{
	struct tree_command command;
	struct explain_compiled compiled = {0};
	struct hence_error *error = tree_command_parse(argc, argv, &command);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (command.report.help) {
		printf("%s%s%s", help, report_options_help, failure_options_help);
	} else {
		if (command.report.sources)
			error = explain_compile(&command.report, false, &compiled, &code);
		if (!error && !code)
			error = tree_perform(&command, &code);
	}
	explain_compiled_deinit(&compiled);
	tree_command_deinit(&command);
	return error ? cli_fail(error) : code;
}
