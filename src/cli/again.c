/* A saved report whose runs are made again: see again.h. */
#include "cli/again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"

/* --- is all as it was? --- */

static struct hence_error *check_build(const struct recipe_program *program, const char *path,
                                       bool anyway)
{
	char *build = NULL;
	struct hence_error *error = recipe_build_of(path, &build);

	if (!error && strcmp(build, program->build) && !anyway)
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s was rebuilt since the report was made; rebuild it as it "
			"was, or run 'hence explain' again (--anyway tries it as it is)",
			program->name);
	free(build);
	return error;
}

static struct hence_error *check_program(const struct recipe_program *program, bool anyway)
{
	struct executable executable = {0};
	struct hence_error *error = executable_find(program->path, &executable);

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

/* A report of sources: they are compiled as they were then. */
static struct hence_error *compile(struct again *again, bool anyway, int *code)
{
	const struct recipe *recipe = again->recipe;
	char *none = NULL;
	struct report_options options = {.sources = recipe->sources.at,
	                                 .source_count = recipe->sources.size,
	                                 .failure.command = &none};
	struct hence_error *error = explain_compile(&options, &again->compiled, code);

	if (error || *code)
		return error;
	again->program = mem_strdup(again->compiled.path);
	return check_build(&recipe->program, again->program, anyway);
}

static struct hence_error *find_program(struct again *again, bool anyway, int *code)
{
	const struct recipe *recipe = again->recipe;
	struct hence_error *error = NULL;

	if (recipe->sources.size)
		return compile(again, anyway, code);
	error = check_program(&recipe->program, anyway);
	if (!error)
		again->program = mem_strdup(recipe->program.path);
	if (!error && recipe->other.path)
		error = check_program(&recipe->other, anyway);
	return error;
}

/* --- what to do with it --- */

static void set_options(struct again *again)
{
	const struct recipe *recipe = again->recipe;
	struct failure_options *options = &again->options;

	again->command[0] = recipe->program.name;
	again->recorded[0] = again->program;
	options->command = again->command;
	options->path = again->program;
	options->pass_program = recipe->other.path;
	/* The text itself is in the recipe; that there is one is asked here. */
	if (recipe->has_expected && recipe->line)
		options->expect_text = str_text(&recipe->expected);
	else if (recipe->has_expected)
		options->expect = "the report";
	options->test = recipe->test;
	options->invert = recipe->invert;
	options->any = recipe->any;
	options->unconfined = recipe->unconfined;
	options->timeout = recipe->timeout;
	options->fixed = true;
	again->run.tape_limit = recipe->tape_limit;
	again->run.time = RUN_TIME;
	for (uint32_t i = 0; i < recipe->models.size; i++)
		*vec_push(&again->run.models) = recipe->models.at[i];
}

/* Who wrote the report may have wanted that runs, or its test, can do what they like. */
static struct hence_error *check_trust(const struct recipe *recipe, const struct again_trust *trust)
{
	if (!recipe->unconfined || trust->unconfined)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "the report was made with --unconfined; give that here, too, if you "
	                    "trust it: its runs may write and connect as you may");
}

struct hence_error *again_open(const char *path, const struct again_trust *trust, struct again *out,
                               int *code)
{
	struct hence_error *error;

	*out = (struct again){0};
	error = explanation_read(path, &out->report);
	out->recipe = out->report.recipe;
	if (!error && !out->recipe)
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s does not say how it was made, so it cannot be run again; "
		                     "make it again with 'hence explain --save FILE'",
		                     path);
	if (!error)
		error = check_trust(out->recipe, trust);
	if (!error)
		error = enter(out->recipe);
	if (!error)
		recipe_set_locale(out->recipe);
	if (!error)
		error = find_program(out, trust->anyway, code);
	if (!error && !*code)
		set_options(out);
	return error;
}

void again_begin(struct again *again, bool alone, struct pair *out)
{
	*out = (struct pair){.options = &again->options,
	                     .recipe = again->recipe,
	                     .alone = alone,
	                     .run_options = again->run,
	                     .run = {.input = -1, .output = -1}};
	out->run_options.command = again->recorded;
	out->run.options = &out->run_options;
}

void again_deinit(struct again *again)
{
	explain_compiled_deinit(&again->compiled);
	free(again->program);
	vec_deinit(&again->run.models);
	explanation_deinit(&again->report);
}

int again_run(struct hence_error *error, const char *help, const struct again_command *command)
{
	struct again again = {0};
	int code = CLI_DONE;

	if (!error && help) {
		fputs(help, stdout);
		return CLI_DONE;
	}
	if (!error)
		error = again_open(*command->path, command->trust, &again, &code);
	if (!error && !code)
		error = command->perform(command->context, &again, &code);
	again_deinit(&again);
	return error ? cli_fail(error) : code;
}
