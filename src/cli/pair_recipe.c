/* How a report about a pair of runs was made: see pair.h. */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/pair.h"
#include "report/recipe.h"

/* The path of a file that is there, or NULL. Caller frees. */
static char *absolute(const char *path)
{
	return realpath(path, NULL);
}

static bool set_program(const char *name, const char *path, bool kept, struct recipe_program *out)
{
	struct hence_error *error = recipe_build_of(path, &out->build);

	out->name = mem_strdup(name);
	out->path = kept && !error ? absolute(path) : NULL;
	error_destroy(error);
	return !error && (out->path || !kept);
}

static void set_patch(const struct predicate *predicate, struct recipe_patch *out)
{
	*out = (struct recipe_patch){
		.file = predicate->file ? mem_strdup(predicate->file) : NULL,
		.line = predicate->line,
		.instance = predicate->instance,
		.instances = predicate->instances,
		.time = predicate->patch.time,
		.outcome = predicate->patch.outcome,
	};
}

static void set_reference(const struct pair *p, struct recipe *out)
{
	const struct pair_candidate *candidate = pair_reference(p);

	if (!candidate)
		return;
	switch (candidate->kind) {
	case PAIR_INPUT:
		out->kind = RECIPE_INPUT;
		input_copy(&out->reference, candidate->input);
		break;
	case PAIR_PROGRAM: out->kind = RECIPE_PROGRAM; break;
	case PAIR_PATCHED:
		out->kind = RECIPE_PATCHED;
		set_patch(candidate->predicate, &out->patch);
		break;
	case PAIR_EDIT:
		out->kind = RECIPE_EDIT;
		out->edit = mem_strdup(candidate->edit);
		break;
	}
}

static void set_oracle(const struct pair *p, struct recipe *out)
{
	const struct failure_options *options = p->options;
	const struct oracle_options *oracle = &p->failure.reduce.oracle;

	out->has_expected = oracle->expected;
	if (oracle->expected)
		str_add_bytes(&out->expected, str_text(oracle->expected), oracle->expected->length);
	out->line = oracle->line;
	out->test = options->test ? mem_strdup(options->test) : NULL;
	out->invert = options->invert;
	out->any = options->any;
	out->unconfined = options->unconfined;
	out->timeout = options->timeout;
}

static bool set_models(const struct pair *p, struct recipe *out)
{
	for (uint32_t i = 0; i < p->run_options.models.size; i++) {
		char *path = absolute(p->run_options.models.at[i]);

		if (!path)
			return false;
		*vec_push(&out->models) = path;
	}
	out->tape_limit = p->run_options.tape_limit;
	return true;
}

struct recipe *pair_recipe(const struct pair *p)
{
	const struct failure_options *options = p->options;
	struct recipe *out = recipe_create();
	bool good = set_program(options->command[0], p->failure.program, !options->sources,
	                        &out->program);

	if (options->pass_program)
		good = good &&
		       set_program(options->pass_program, p->failure.other, true, &out->other);
	for (uint32_t i = 0; i < options->source_count; i++)
		*vec_push(&out->sources) = mem_strdup(options->sources[i]);
	out->folder = get_current_dir_name();
	recipe_take_locale(out);
	input_copy(&out->given, &p->reduced.given);
	input_copy(&out->failing, &p->reduced.failing);
	set_reference(p, out);
	set_oracle(p, out);
	if (good && set_models(p, out) && out->folder)
		return out;
	recipe_destroy(out);
	return NULL;
}

/* --- and backwards --- */

struct hence_error *pair_fill(struct pair *p)
{
	const struct recipe *recipe = p->recipe;
	struct failure_case *out = &p->failure;
	struct hence_error *error = executable_locate(pair_program(p), &out->program);

	if (!error && p->options->pass_program)
		error = executable_locate(p->options->pass_program, &out->other);
	if (error)
		return error;
	input_copy(&out->input, &recipe->given);
	if (recipe->kind == RECIPE_INPUT && !p->alone)
		input_copy(vec_push(&out->passing), &recipe->reference);
	str_add_bytes(&out->expected, str_text(&recipe->expected), recipe->expected.length);
	error = units_by_parse("auto", &out->reduce.by);
	if (!error)
		failure_case_fill(p->options, out);
	return error;
}
