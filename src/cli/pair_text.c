/* What a report says about a pair of runs: see pair.h. */
#include <stdlib.h>
#include <string.h>

#include "cli/pair.h"
#include "cli/reduce.h"
#include "explain/explain.h"

#define MOST_SHOWN 60 /* bytes of standard input in a text */

/* --- commands --- */

static void add_part(const struct input_part *part, struct str *out)
{
	bool whole = part->bytes.length <= MOST_SHOWN;

	if (part->kind == INPUT_ARGUMENT) {
		str_add_char(out, ' ');
		failure_words_quote(str_text(&part->bytes), part->bytes.length, out);
	} else if (part->kind == INPUT_STDIN && part->varied) {
		str_add(out, " <<< ");
		failure_words_quote(str_text(&part->bytes), whole ? part->bytes.length : MOST_SHOWN,
		                    out);
		str_add(out, whole ? "" : "...");
	} else if (part->varied && !part->unset) {
		str_printf(out, " [%s%s: ", part->kind == INPUT_FILE ? "" : "$", part->name);
		failure_words_quote(str_text(&part->bytes), whole ? part->bytes.length : MOST_SHOWN,
		                    out);
		str_add(out, whole ? "]" : "...]");
	}
}

char *pair_command_text(const struct pair *p, const struct input *input)
{
	struct str text = STR_INIT;

	failure_words_quote(p->options->command[0], strlen(p->options->command[0]), &text);
	for (uint32_t i = 0; i < input->parts.size; i++)
		add_part(&input->parts.at[i], &text);
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
static const char *origin(const struct pair *p, const struct pair_candidate *candidate)
{
	if (candidate->given < 0)
		return "an input near the failing one that was found to pass";
	return p->options->pass.size ? "given with --pass" : "given with --pass-stdin";
}

static void describe_input(const struct pair *p, const struct pair_candidate *candidate,
                           struct explanation *out)
{
	char *command = pair_command_text(p, candidate->input);

	out->reference.kind = "input";
	out->reference.text = str_format("%s (%s)", command, origin(p, candidate));
	free(command);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
	if (candidate->given >= 0 && p->options->pass_inputs.size)
		out->reference.stdin_file =
			mem_strdup(p->options->pass_inputs.at[candidate->given]);
}

static void describe_program(const struct pair *p, const struct pair_candidate *candidate,
                             struct explanation *out)
{
	out->reference.kind = "program";
	out->reference.text =
		str_format("%s (another build, with the same input)", p->options->pass_program);
	add_command(p->options->pass_program, candidate->input, &out->reference.command);
}

static void describe_patched(const struct pair *p, const struct pair_candidate *candidate,
                             struct explanation *out)
{
	const struct predicate *predicate = candidate->predicate;
	struct str text = STR_INIT;

	str_printf(&text, "the failing run with the branch at %s:%u going the other way",
	           predicate->file ? predicate->file : "?", predicate->line);
	if (predicate->instances > 1)
		str_printf(&text, " (time %llu of %llu)", (unsigned long long)predicate->instance,
		           (unsigned long long)predicate->instances);
	out->reference.kind = "patched";
	out->reference.text = str_steal(&text);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
}

static void describe_edit(const struct pair *p, const struct pair_candidate *candidate,
                          struct explanation *out)
{
	out->reference.kind = "edit";
	out->reference.edit = mem_strdup(candidate->edit);
	out->reference.text = str_format("the program with this change, on the same input: %s",
	                                 candidate->edit_text);
	add_command(p->options->command[0], candidate->input, &out->reference.command);
}

static void describe_reference(const struct pair *p, struct explanation *out)
{
	const struct pair_candidate *candidate =
		p->candidates.size ? &p->candidates.at[p->tried ? p->tried - 1 : 0] : NULL;

	out->reference.kind = "none";
	if (!candidate)
		return;
	switch (candidate->kind) {
	case PAIR_INPUT: describe_input(p, candidate, out); break;
	case PAIR_PROGRAM: describe_program(p, candidate, out); break;
	case PAIR_PATCHED: describe_patched(p, candidate, out); break;
	case PAIR_EDIT: describe_edit(p, candidate, out); break;
	}
}

/* The failing input was made smaller: the report is about that one. */
static void describe_reduced(const struct pair *p, struct explanation *out)
{
	struct explanation_part *part;
	char *command;

	if (input_equal(&p->reduced.given, &p->reduced.failing))
		return;
	command = pair_command_text(p, &p->reduced.failing);
	*vec_push(&out->notes) =
		str_format("the failing input was reduced first, and explained is: %s", command);
	free(command);
	part = vec_push(&out->parts);
	part->key = "reduced_input";
	str_add_char(&part->json, '{');
	reduce_add_inputs(&p->reduced, &part->json);
	str_add_char(&part->json, '}');
}

void pair_describe(const struct pair *p, struct explanation *out)
{
	out->program = mem_strdup(p->options->command[0]);
	add_command(p->options->command[0], &p->reduced.given, &out->command);
	describe_reference(p, out);
	describe_reduced(p, out);
	out->recipe = pair_recipe(p);
	for (uint32_t i = 0; i < p->notes.size; i++)
		*vec_push(&out->notes) = mem_strdup(p->notes.at[i]);
	out->stats.runs = p->reduced.tests;
	if (p->is_aligned) {
		out->stats.statements_failing = p->alignment.a_statements;
		out->stats.statements_reference = p->alignment.b_statements;
	}
	out->stats.seconds = budget_clock() - p->began;
}
