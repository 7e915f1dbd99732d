/*
 * Is a change that `hence fix` found the right repair? It is applied to the source, the program is built as before, and must
 * print and exit as the corrected program does: on the failing command, the passing ones, and those that hence was not told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/str.h"
#include "cc/scratch.h"
#include "research/eval.h"
#include "report/json.h"
#include "trial/trial_tree.h"

#define MOST_REPAIRS 5u           /* first fixes of a report that are looked at */
#define TIME         10.0         /* seconds of a run, unless the case has a timeout */
#define MOST_BYTES   (256u << 20) /* that a run may write to one file */

struct command {
	const struct eval_texts *arguments;
	const char *input; /* NULL: nothing */
};

struct repair {
	struct eval_setup *setup;
	const struct eval_case *c;
	const struct eval_work *work;
	VEC(struct command) commands;
	VEC(struct eval_ended) right; /* how the corrected program ends on each of them */
};

static void add_commands(struct repair *r, const struct eval_commands *from)
{
	for (uint32_t i = 0; i < from->list.size; i++) {
		const struct eval_command *command = &from->list.at[i];

		*vec_push(&r->commands) = (struct command){
			command->has_arguments ? &command->arguments : &r->c->arguments,
			command->input ? command->input : r->c->input};
	}
}

/* What a program prints on a command. Caller frees. */
static char *output_path(const struct repair *r, const char *name, uint32_t command)
{
	return str_format("%s/%s.%u", r->work->folder, name, command);
}

/* One command, in a folder of its own that is all it may write to. */
static struct hence_error *run(const struct repair *r, uint32_t number, const char *name,
                               const char *folder, const char *program, struct eval_ended *out)
{
	const struct command *command = &r->commands.at[number];
	const struct confine_limits limits = {.file_size = MOST_BYTES};
	const char *own = r->c->faulty.program;
	char *called = str_format("%s%s", strchr(own, '/') ? "" : "./", own);
	char *input = !command->input          ? NULL
	              : *command->input == '/' ? mem_strdup(command->input)
	                                       : str_format("%s/%s", folder, command->input);
	char *printed = output_path(r, name, number), *err = str_format("%s/err", r->work->folder);
	VEC(char *) argv = VEC_INIT;
	struct confine confine;
	struct hence_error *error = confine_create(folder, NULL, &limits, &confine);

	*vec_push(&argv) = called;
	for (uint32_t i = 0; i < command->arguments->list.size; i++)
		*vec_push(&argv) = (char *)command->arguments->list.at[i];
	vec_push(&argv);
	if (!error) {
		const struct eval_child child = {.argv = argv.at,
		                                 .folder = folder,
		                                 .out = printed,
		                                 .err = err,
		                                 .limit = r->c->timeout > 0 ? r->c->timeout : TIME,
		                                 .program = program,
		                                 .in = input,
		                                 .confine = &confine};

		error = eval_child_run(&child, out);
		confine_deinit(&confine);
	}
	vec_deinit(&argv);
	free(called);
	free(input);
	free(printed);
	free(err);
	return error;
}

static bool has_same_bytes(const char *one, const char *two)
{
	FILE *a = fopen(one, "r"), *b = fopen(two, "r");
	int x = EOF, y = EOF;

	while (a && b && (x = getc(a)) == (y = getc(b)) && x != EOF)
		;
	if (a)
		fclose(a);
	if (b)
		fclose(b);
	return a && b && x == y;
}

/* The corrected program on all commands, where the faulty one would run: in another copy of its folder, as built. */
static struct hence_error *run_corrected(struct repair *r)
{
	struct eval_program program = r->c->faulty;
	char *folder = NULL, *path = NULL;
	struct hence_error *error;

	program.program = r->work->corrected;
	program.in_place = false;
	error = eval_work_build(r->setup, &program, r->work, "right", NULL, &folder, &path);
	for (uint32_t i = 0; i < r->commands.size && !error; i++) {
		struct eval_ended *ended = vec_push(&r->right);

		error = run(r, i, "right", folder, path, ended);
		if (!error && ended->end == EVAL_TIMED_OUT)
			error = error_create(HENCE_ERROR_INPUT,
			                     "the corrected program takes more than %.0f seconds",
			                     ended->seconds);
	}
	scratch_remove(folder);
	free(path);
	return error;
}

/* The program with the patch. */
static struct hence_error *run_patched(const struct repair *r, const char *patch, bool *right)
{
	char *folder = NULL, *path = NULL;
	struct hence_error *error =
		eval_work_build(r->setup, &r->c->faulty, r->work, "patched", patch, &folder, &path);

	*right = true;
	for (uint32_t i = 0; i < r->commands.size && *right && !error; i++) {
		char *ours = output_path(r, "patched", i), *theirs = output_path(r, "right", i);
		struct eval_ended ended;

		error = run(r, i, "patched", folder, path, &ended);
		*right = !error && ended.end == r->right.at[i].end &&
		         ended.code == r->right.at[i].code && has_same_bytes(ours, theirs);
		free(ours);
		free(theirs);
	}
	scratch_remove(folder);
	free(path);
	return error;
}

/* In a word. *message says why it was not built, if nothing is there yet. */
static const char *judge(const struct repair *r, const json_t *fix, char **message)
{
	char *path = str_format("%s/change.diff", r->work->folder);
	struct str patch GUARD(str_deinit) = STR_INIT;
	const char *word = "no-patch";
	bool right = false;

	if (json_read_bytes(json_object_get(fix, "patch"), &patch)) {
		struct hence_error *error = trial_write(path, str_text(&patch), patch.length, 0600);

		if (!error)
			error = run_patched(r, path, &right);
		word = error ? "not-built" : right ? "right" : "wrong";
		if (error && !*message)
			*message = mem_strdup(error->message);
		error_destroy(error);
	}
	free(path);
	return word;
}

void eval_repair(struct eval_setup *setup, const struct eval_case *c, const struct eval_work *work,
                 const json_t *report, json_t *row)
{
	const json_t *fixes = json_object_get(report, "fixes");
	struct repair r = {.setup = setup, .c = c, .work = work};
	json_t *repairs = json_array();
	struct hence_error *error;
	char *message = NULL;
	bool right = false;

	/* An absolute path would be the same program in each copy. */
	if (!work->corrected || !c->faulty.build || *c->faulty.program == '/') {
		json_decref(repairs);
		return;
	}
	*vec_push(&r.commands) = (struct command){&c->arguments, c->input};
	add_commands(&r, &c->passing);
	add_commands(&r, &c->held_out);
	error = json_array_size(fixes) ? run_corrected(&r) : NULL;
	if (error)
		message = mem_strdup(error->message);
	for (size_t i = 0; i < json_array_size(fixes) && i < MOST_REPAIRS && !error && !right;
	     i++) {
		const char *word = judge(&r, json_array_get(fixes, i), &message);

		right = !strcmp(word, "right");
		json_array_append_new(repairs, json_string(word));
	}
	if (!eval_child_interrupted()) {
		if (!error)
			json_object_set(row, "repairs", repairs);
		if (message)
			json_object_set_new(row, "repair_message", eval_json_text(message));
	}
	json_decref(repairs);
	error_destroy(error);
	free(message);
	vec_deinit(&r.commands);
	vec_deinit(&r.right);
}
