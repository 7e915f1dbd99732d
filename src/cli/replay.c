/* A saved report whose runs are made again: see replay.h. */
#include "base/guard.h"
#include "cli/progress.h"
#include "cli/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/compiler_words.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "trial/confine.h"

/* --- is all as it was? --- */

static struct hence_error *check_build(const struct recipe_program *program, const char *path,
                                       bool anyway)
{
	char *build GUARD_FREE = NULL;
	struct hence_error *error = recipe_build_of(path, &build);

	if (!error && strcmp(build, program->build) && !anyway)
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s was rebuilt since the report was made; rebuild it as it was, or run "
			"'hence explain' again (--anyway tries it as it is)",
			program->name);
	return error;
}

static struct hence_error *check_program(const struct recipe_program *program, bool anyway)
{
	struct executable executable = {0};
	struct hence_error *error = executable_find(program->path, &executable);

	/* No report is about a shell or a script: hence would run what it is told, and not the program. */
	if (!error && executable.script)
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s, of which the report is said to be, was not built with hence cc",
			program->path);
	executable_deinit(&executable);
	return error ? error : check_build(program, program->path, anyway);
}

static struct hence_error *enter(const struct recipe *recipe)
{
	if (!chdir(recipe->folder)) {
		/* As a shell has it that is there: programs may look. */
		if (getenv("PWD"))
			setenv("PWD", recipe->folder, 1);
		return NULL;
	}
	return error_from_errno(HENCE_ERROR_INPUT,
	                        "the report was made in the directory %s, which cannot be entered",
	                        recipe->folder);
}

/* Is the report's word for where its sources lie worth something: is the user there, or was the report put there? `path`: of
   the report. To be asked in the working directory of the user. */
static struct hence_error *check_folder(const struct recipe *recipe, const char *path)
{
	char *here = path_within(recipe->folder, ".");
	const char *slash = strrchr(path, '/');
	char *beside = slash ? mem_strndup(path, (size_t)(slash + 1 - path)) : mem_strdup(".");
	bool known =
		(here && !*here) || (strcmp(path, "-") && path_is_within(recipe->folder, beside));

	free(here);
	free(beside);
	if (known || !recipe->sources.size)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "the report has sources in the directory %s, which is neither that of "
	                    "the report nor yours, so they are not compiled; go there first",
	                    recipe->folder);
}

/* A report of sources: they are compiled as they were then. The compiler is confined, unless the kernel cannot do that and the
   user wants all without it. */
static struct hence_error *compile(struct replay *replay, bool anyway, int *code)
{
	const struct recipe *recipe = replay->recipe;
	const char *why;
	bool confined = !recipe->unconfined || confine_possible(&why);
	char *none = NULL;
	struct report_options options = {.sources = recipe->sources.at,
	                                 .source_count = recipe->sources.size,
	                                 .failure.command = &none};
	struct hence_error *error = compiler_words_check(options.sources, options.source_count);

	if (!error)
		error = explain_compile(&options, confined, &replay->compiled, code);
	if (error || *code)
		return error;
	replay->program = mem_strdup(replay->compiled.path);
	return check_build(&recipe->program, replay->program, anyway);
}

static struct hence_error *find_program(struct replay *replay, bool anyway, int *code)
{
	const struct recipe *recipe = replay->recipe;
	struct hence_error *error = NULL;

	if (recipe->sources.size)
		return compile(replay, anyway, code);
	error = check_program(&recipe->program, anyway);
	if (!error)
		replay->program = mem_strdup(recipe->program.path);
	if (!error && recipe->other.path)
		error = check_program(&recipe->other, anyway);
	return error;
}

/* --- what to do with it --- */

static void set_options(struct replay *replay)
{
	const struct recipe *recipe = replay->recipe;
	struct failure_options *options = &replay->options;

	replay->command[0] = recipe->program.name;
	replay->recorded[0] = replay->program;
	options->command = replay->command;
	options->path = replay->program;
	options->pass_program = recipe->other.path;
	/* The text itself is in the recipe; here it matters that there is one. */
	if (recipe->has_expected && recipe->line)
		options->expect_text = str_text(&recipe->expected);
	else if (recipe->has_expected)
		options->expect = "the report";
	options->has_status = recipe->has_status;
	options->status = (int)recipe->status;
	options->test = recipe->test;
	options->invert = recipe->invert;
	options->any = recipe->any;
	options->unconfined = recipe->unconfined;
	options->timeout = recipe->timeout;
	options->fixed = true;
	replay->run.tape_limit = recipe->tape_limit;
	replay->run.time = RUN_TIME;
	for (uint32_t i = 0; i < recipe->models.size; i++)
		*vec_push(&replay->run.models) = recipe->models.at[i];
}

/* A test judges whole runs, in which only branches can be made to go another way. */
static struct hence_error *check_judge(const char *path, const struct explanation *report)
{
	const struct cause_tree *tree = report->recipe->test ? report->tree : NULL;

	for (uint32_t i = 0; tree && i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size; k++)
			if (tree->nodes.at[i].proofs.at[k].kind != CAUSE_BRANCH)
				return error_create(
					HENCE_ERROR_INPUT,
					"%s is damaged: recipe.test is there, but no test can "
					"judge a value that was changed (cause %u of the tree); "
					"make the report again with 'hence explain --save FILE'",
					path, tree->nodes.at[i].number);
	return NULL;
}

/* Files that are read because the report names them: a pipe would be waited for, a device might never end. */
static struct hence_error *check_files(const struct recipe *recipe)
{
	struct stat info;

	for (uint32_t i = 0; i < recipe->models.size; i++)
		if (!stat(recipe->models.at[i], &info) && !S_ISREG(info.st_mode))
			return error_create(HENCE_ERROR_INPUT,
			                    "recipe.models of the report: %s is no file",
			                    recipe->models.at[i]);
	for (uint32_t i = 0; i < recipe->locale.size; i++) {
		const char *zone = recipe->locale.at[i];

		if (strncmp(zone, "TZ=", 3))
			continue;
		zone += zone[3] == ':' ? 4 : 3;
		if ((*zone == '/' || strstr(zone, "..")) &&
		    (stat(zone, &info) || !S_ISREG(info.st_mode)))
			return error_create(
				HENCE_ERROR_INPUT,
				"recipe.locale of the report: the time zone %s is no file", zone);
	}
	return NULL;
}

static struct hence_error *open_report(const struct options *options, const char *path,
                                       struct replay *out, int *code)
{
	struct hence_error *error = explanation_read(path, &out->report);

	out->recipe = out->report.recipe;
	if (!error && !out->recipe)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s does not say how it was made, so it cannot be run again; "
		                     "make it again with 'hence explain --save FILE'",
		                     path);
	/* Who wrote the report may have wanted that runs, or its test, can do what they like. */
	if (!error && out->recipe->unconfined && !options->report.failure.unconfined)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the report was made with --unconfined; give that here, too, "
		                     "if you trust it: its runs may write and connect as you may");
	if (!error)
		error = check_judge(path, &out->report);
	if (!error)
		error = check_folder(out->recipe, path);
	if (!error)
		error = enter(out->recipe);
	if (!error)
		error = check_files(out->recipe);
	if (!error)
		recipe_set_locale(out->recipe);
	if (!error)
		error = find_program(out, options->anyway, code);
	if (!error && !*code)
		set_options(out);
	return error;
}

void replay_begin(struct replay *replay, bool alone, bool given, struct references *out)
{
	const struct explain_question question = {.failure = &replay->options, .run = &replay->run};

	references_begin(out, &question);
	progress_watch(&out->search);
	out->recipe = replay->recipe;
	out->alone = alone;
	out->of_given = given;
	out->memory_errors = replay->report.failure.kind == EXPLANATION_MEMORY;
	out->run_options.command = replay->recorded;
}

struct hence_error *replay_run(const struct options *options, const char *path,
                               struct hence_error *(*perform)(const struct options *options,
                                                              struct replay *replay, int *code),
                               int *code)
{
	struct replay replay = {0};
	struct hence_error *error = open_report(options, path, &replay, code);

	if (!error && !*code)
		error = perform(options, &replay, code);
	explain_compiled_deinit(&replay.compiled);
	free(replay.program);
	vec_deinit(&replay.run.models);
	explanation_deinit(&replay.report);
	if (error) {
		/* It may quote the report, which must not write to a terminal what it likes. */
		struct str safe = STR_INIT;

		explanation_add_safe(&safe, error->message);
		free(error->message);
		error->message = str_steal(&safe);
	}
	return error;
}
