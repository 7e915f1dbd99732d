/* Where an explanation comes from: see provenance.h. */
#include "explain/provenance.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/input_search.h"
#include "explain/steps.h"
#include "report/recipe.h"
#include "trace/walk.h"

#define MOST_SHOWN 60 /* bytes of standard input in a text */

/* --- commands --- */

char *references_command_text(const struct references *p, const struct input *input)
{
	struct str text = STR_INIT;

	failure_words_quote(p->options->command[0], strlen(p->options->command[0]), &text);
	for (uint32_t i = 0; i < input->parts.size; i++) {
		bool whole = input->parts.at[i].bytes.length <= MOST_SHOWN;

		if (input->parts.at[i].kind == INPUT_ARGUMENT) {
			str_add_char(&text, ' ');
			failure_words_quote(str_text(&input->parts.at[i].bytes),
			                    input->parts.at[i].bytes.length, &text);
		} else if (input->parts.at[i].kind == INPUT_STDIN && input->parts.at[i].varied) {
			str_add(&text, " <<< ");
			failure_words_quote(str_text(&input->parts.at[i].bytes),
			                    whole ? input->parts.at[i].bytes.length : MOST_SHOWN,
			                    &text);
			str_add(&text, whole ? "" : "...");
		} else if (input->parts.at[i].varied && !input->parts.at[i].unset) {
			str_printf(&text,
			           " [%s%s: ", input->parts.at[i].kind == INPUT_FILE ? "" : "$",
			           input->parts.at[i].name);
			failure_words_quote(str_text(&input->parts.at[i].bytes),
			                    whole ? input->parts.at[i].bytes.length : MOST_SHOWN,
			                    &text);
			str_add(&text, whole ? "]" : "...]");
		}
	}
	return str_steal(&text);
}

#define add_command(program, input, list)                                                          \
	do {                                                                                       \
		*vec_push(list) = mem_strdup(program);                                             \
		for (uint32_t i_ = 0; i_ < (input)->parts.size; i_++)                              \
			if ((input)->parts.at[i_].kind == INPUT_ARGUMENT)                          \
				*vec_push(list) =                                                  \
					mem_strdup(str_text(&(input)->parts.at[i_].bytes));        \
	} while (0)

/* --- the reference --- */

/* How the passing input came about: 'given with --pass'. */
static const char *origin(const struct references *p, const struct reference *candidate)
{
	if (candidate->given < 0)
		return "an input near the failing one that was found to pass";
	return p->options->pass.size          ? "given with --pass"
	       : p->options->pass_inputs.size ? "given with --pass-stdin"
	                                      : "given with --pass-file";
}

static void describe_input(const struct references *p, const struct reference *candidate,
                           struct explanation *out)
{
	char *command = references_command_text(p, candidate->input);

	out->reference.kind = RECIPE_INPUT;
	out->reference.text = str_format("%s (%s)", command, origin(p, candidate));
	free(command);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
	if (candidate->given >= 0 && (uint32_t)candidate->given < p->options->pass_inputs.size)
		out->reference.stdin_file =
			mem_strdup(p->options->pass_inputs.at[candidate->given]);
}

static void describe_program(const struct references *p, const struct reference *candidate,
                             struct explanation *out)
{
	out->reference.kind = RECIPE_PROGRAM;
	out->reference.text =
		str_format("%s (another build, with the same input)", p->options->pass_program);
	add_command(p->options->pass_program, candidate->input, &out->reference.command);
}

static void describe_patched(const struct references *p, const struct reference *candidate,
                             struct explanation *out)
{
	const struct predicate *predicate = candidate->predicate;
	struct str text = STR_INIT;

	str_printf(&text, "the failing run with the branch at %s:%u going the other way",
	           predicate->file ? predicate->file : "?", predicate->line);
	if (predicate->instances > 1)
		str_printf(&text, " (time %llu of %llu)", (unsigned long long)predicate->instance,
		           (unsigned long long)predicate->instances);
	out->reference.kind = RECIPE_PATCHED;
	out->reference.text = str_steal(&text);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
}

static void describe_edit(const struct references *p, const struct reference *candidate,
                          struct explanation *out)
{
	out->reference.kind = RECIPE_EDIT;
	out->reference.edit = mem_strdup(candidate->edit);
	out->reference.text = str_format("the program with this change, on the same input: %s",
	                                 candidate->edit_text);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
}

static void describe_reference(const struct references *p, struct explanation *out)
{
	const struct reference *candidate =
		p->candidates.size ? &p->candidates.at[p->tried ? p->tried - 1 : 0] : NULL;

	out->reference.kind = RECIPE_NONE;
	if (!candidate)
		return;
	switch (candidate->kind) {
	case REFERENCE_INPUT: describe_input(p, candidate, out); break;
	case REFERENCE_PROGRAM: describe_program(p, candidate, out); break;
	case REFERENCE_PATCHED: describe_patched(p, candidate, out); break;
	case REFERENCE_EDIT: describe_edit(p, candidate, out); break;
	}
}

/* The failing input was made smaller: the report is about that one. */
static void describe_reduced(const struct references *p, struct explanation *out)
{
	struct explanation_part *part;
	char *command;

	if (input_equal(&p->reduced.given, &p->reduced.failing))
		return;
	command = references_command_text(p, &p->reduced.failing);
	*vec_push(&out->notes) =
		str_format("the failing input was reduced first, and explained is: %s", command);
	free(command);
	part = vec_push(&out->parts);
	part->key = "reduced_input";
	str_add_char(&part->json, '{');
	reduce_add_inputs(&p->reduced, &part->json);
	str_add_char(&part->json, '}');
}

void report_set_work(double began, struct explanation *out)
{
	const struct walk_work *work = walk_work();

	out->stats.seconds = budget_clock() - began;
	out->stats.decodes = work->decodes;
	out->stats.resumed = work->resumed;
	out->stats.walks = work->walks;
}

void references_describe(const struct references *p, struct explanation *out)
{
	out->program = mem_strdup(p->options->command[0]);
	add_command(p->options->command[0], &p->reduced.given, &out->command);
	describe_reference(p, out);
	describe_reduced(p, out);
	out->recipe = references_recipe(p);
	for (uint32_t i = 0; i < p->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(p->notes.at[i]);
	out->stats.runs = p->reduced.tests;
	if (p->is_aligned) {
		out->stats.statements_failing = p->alignment.a_statements;
		out->stats.statements_reference = p->alignment.b_statements;
	}
	report_set_work(p->began, out);
}

/* ------ how to run it again ------ */

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

static void set_reference(const struct references *p, struct recipe *out)
{
	const struct reference *candidate = references_current(p);

	if (!candidate)
		return;
	switch (candidate->kind) {
	case REFERENCE_INPUT:
		out->kind = RECIPE_INPUT;
		input_copy(&out->reference, candidate->input);
		break;
	case REFERENCE_PROGRAM: out->kind = RECIPE_PROGRAM; break;
	case REFERENCE_PATCHED:
		out->kind = RECIPE_PATCHED;
		set_patch(candidate->predicate, &out->patch);
		break;
	case REFERENCE_EDIT:
		out->kind = RECIPE_EDIT;
		out->edit = mem_strdup(candidate->edit);
		break;
	}
}

static void set_oracle(const struct references *p, struct recipe *out)
{
	const struct failure_options *options = p->options;
	const struct oracle_options *oracle = &p->failure.reduce.oracle;

	out->has_expected = oracle->expected;
	if (oracle->expected)
		str_add_bytes(&out->expected, str_text(oracle->expected), oracle->expected->length);
	out->line = oracle->line;
	out->has_status = oracle->has_status;
	out->status = oracle->has_status ? (unsigned)oracle->status : 0;
	out->test = options->test ? mem_strdup(options->test) : NULL;
	out->invert = options->invert;
	out->any = options->any;
	out->unconfined = options->unconfined;
	out->timeout = options->timeout;
}

static bool set_models(const struct references *p, struct recipe *out)
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

struct recipe *references_recipe(const struct references *p)
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

struct hence_error *references_fill(struct references *p)
{
	const struct recipe *recipe = p->recipe;
	struct failure_case *out = &p->failure;
	struct hence_error *error = executable_locate(references_program(p), &out->program);

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

/* The command line of this process. What cannot be read is not told. */
void report_add_invocation(struct explanation *e)
{
	FILE *file = fopen("/proc/self/cmdline", "re");
	char *word = NULL;
	size_t size = 0;

	while (file && getdelim(&word, &size, 0, file) >= 0)
		*vec_push(&e->invocation) = mem_strdup(word);
	free(word);
	if (file)
		fclose(file);
}
