/* Runs a method on a case: see eval.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/installed.h"
#include "base/str.h"
#include "cli/commands.h"
#include "research/eval.h"

const char *const eval_method_names[EVAL_METHODS] = {
	"explain", "transitions", "chain",  "patched", "compare", "tree", "chop",
	"slice",   "relevant",    "switch", "fix",     "ideal",   "dual",
};

/* How hence is called for a method. */
struct form {
	const char *command;
	const char *word; /* an option that it always gets; NULL: none */
	bool passing;     /* it gets the passing commands */
	bool as_given;    /* it must be about the input as it is: --no-reduce */
	bool corrected; /* the reference is the corrected program, which says what is right, too */
	bool alone;     /* it runs the program once: neither -j nor --file */
};

static const struct form forms[EVAL_METHODS] = {
	[EVAL_EXPLAIN] = {"explain", .passing = true},
	[EVAL_TRANSITIONS] = {"transitions", .passing = true, .as_given = true},
	[EVAL_CHAIN] = {"chain", .passing = true, .as_given = true},
	[EVAL_PATCHED] = {"chain", .as_given = true},
	[EVAL_COMPARE] = {"compare", .passing = true, .as_given = true},
	[EVAL_TREE] = {"tree"},
	[EVAL_CHOP] = {"chop", .passing = true},
	[EVAL_SLICE] = {"slice", .alone = true},
	[EVAL_RELEVANT] = {"slice", "--relevant", .alone = true},
	[EVAL_SWITCH] = {"switch"},
	[EVAL_FIX] = {"fix", .passing = true},
	[EVAL_IDEAL] = {"chain", .as_given = true, .corrected = true},
	[EVAL_DUAL] = {"compare", "--dual-slice", .as_given = true, .corrected = true},
};

/* --- the command line --- */

struct line {
	struct arena arena;
	VEC(char *) words;
};

static void add(struct line *line, const char *word)
{
	*vec_push(&line->words) = arena_strdup(&line->arena, word);
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add(line, name);
	add(line, value);
}

static void add_seconds(struct line *line, const char *name, double seconds)
{
	if (seconds > 0)
		add_option(line, name, arena_printf(&line->arena, "%g", seconds));
}

/* Arguments as one word that hence takes apart as a shell does. */
static char *quote_all(const struct eval_texts *texts)
{
	struct str out = STR_INIT;

	for (uint32_t i = 0; i < texts->list.size; i++) {
		str_add(&out, i ? " " : "");
		str_add_quoted(&out, texts->list.at[i]);
	}
	return str_steal(&out);
}

static void make_line(const struct eval_setup *setup, const struct eval_case *c,
                      const struct eval_work *work, enum eval_method method, struct line *line)
{
	const struct form *form = &forms[method];

	add(line, installed_executable());
	add(line, form->command);
	add(line, "--json");
	if (form->word)
		add(line, form->word);
	if (form->as_given)
		add(line, "--no-reduce");
	add_seconds(line, "--time", setup->time);
	add_seconds(line, "--timeout", c->timeout);
	add_option(line, "--stdin", c->input);
	if (form->corrected) {
		add_option(line, "--pass-prog", work->corrected);
	} else {
		add_option(line, "--expect", c->expected);
		add_option(line, "--expect-text", c->expected_text);
	}
	if (!form->alone) {
		add_option(line, "-j", "1");
		for (uint32_t i = 0; i < c->files.list.size; i++)
			add_option(line, "--file", c->files.list.at[i]);
	}
	for (uint32_t i = 0; form->passing && i < c->passing.list.size; i++) {
		const struct eval_command *passing = &c->passing.list.at[i];

		if (passing->has_arguments) {
			char *words = quote_all(&passing->arguments);

			add_option(line, "--pass", words);
			free(words);
		}
		add_option(line, "--pass-stdin", passing->input);
	}
	if (work->has_ideal && (method == EVAL_CHAIN || method == EVAL_PATCHED)) {
		char *ideal = eval_report_path(work, EVAL_IDEAL);

		add_option(line, "--against", ideal);
		free(ideal);
	}
	for (uint32_t i = 0; i < c->options.size; i++) {
		const struct eval_extra *extra = &c->options.at[i];

		if (strcmp(extra->method, eval_method_names[method]) &&
		    strcmp(extra->method, "all"))
			continue;
		for (uint32_t k = 0; k < extra->words.list.size; k++)
			add(line, extra->words.list.at[k]);
	}
	add(line, "--");
	add(line, strchr(c->faulty.program, '/')
	                  ? c->faulty.program
	                  : arena_printf(&line->arena, "./%s", c->faulty.program));
	for (uint32_t i = 0; i < c->arguments.list.size; i++)
		add(line, c->arguments.list.at[i]);
	*vec_push(&line->words) = NULL;
}

/* --- the row --- */

char *eval_report_path(const struct eval_work *work, enum eval_method method)
{
	return str_format("%s/%s.json", work->reports, eval_method_names[method]);
}

/* What the end of hence means. Codes are those of cli_exit and of errors. */
static const char *state_of(const struct eval_ended *ended)
{
	switch (ended->end) {
	case EVAL_TIMED_OUT: return "timed-out";
	case EVAL_INTERRUPTED: return "interrupted";
	case EVAL_KILLED: return "crashed";
	default: break;
	}
	switch (ended->code) {
	case CLI_DONE: return "done";
	case CLI_DOES_NOT_FAIL: return "does-not-fail";
	case CLI_NOT_PROVEN: return "not-proven";
	case HENCE_ERROR_INPUT: return "refused";
	case HENCE_ERROR_INTERNAL: return "error";
	default: return "crashed";
	}
}

static json_t *make_row(const struct eval_ended *ended, const char *err)
{
	const char *state = state_of(ended);
	json_t *row = json_object();
	char *line = eval_message(err);

	json_object_set_new(row, "state", json_string(state));
	json_object_set_new(row, "code", json_integer(ended->code));
	json_object_set_new(row, "seconds", json_real(ended->seconds));
	json_object_set_new(row, "cpu", json_real(ended->cpu));
	if (!*line && !strcmp(state, "crashed")) {
		free(line);
		line = str_format(ended->end == EVAL_KILLED ? "killed by signal %d"
		                                            : "ended with exit code %d",
		                  ended->code);
	}
	if (*line && strcmp(state, "done"))
		json_object_set_new(row, "message", eval_json_text(line));
	free(line);
	return row;
}

/* A method that has no answer at all may print nothing, and say why. */
static bool is_empty(const char *path)
{
	struct stat file;

	return !stat(path, &file) && !file.st_size;
}

static void read_report(const char *path, const struct eval_ended *ended, json_t *row,
                        json_t **report)
{
	json_error_t wrong;

	if (ended->code == CLI_NOT_PROVEN && is_empty(path))
		return;
	*report = json_load_file(path, 0, &wrong);
	if (*report && json_is_object(*report))
		return;
	json_decref(*report);
	*report = NULL;
	json_object_set_new(row, "state", json_string("bad-output"));
	json_object_set_new(row, "message", eval_json_text(wrong.text));
}

json_t *eval_method_run(struct eval_setup *setup, const struct eval_case *c,
                        const struct eval_work *work, enum eval_method method, json_t **report)
{
	char *out = eval_report_path(work, method), *err = str_format("%s/err", work->folder);
	struct line line = {0};
	struct eval_child child = {.folder = work->faulty, .out = out, .err = err};
	struct eval_ended ended = {0};
	struct hence_error *error;
	json_t *row;

	make_line(setup, c, work, method, &line);
	child.argv = line.words.at;
	child.limit = 2 * setup->time + 2;
	error = eval_child_run(&child, &ended);
	row = make_row(&ended, err);
	*report = NULL;
	if (error) {
		json_object_set_new(row, "state", json_string("error"));
		json_object_set_new(row, "message", eval_json_text(error->message));
		error_destroy(error);
	} else if (ended.end == EVAL_EXITED &&
	           (ended.code == CLI_DONE || ended.code == CLI_NOT_PROVEN)) {
		read_report(out, &ended, row, report);
	}
	json_object_set_new(row, "answered", json_boolean(*report != NULL));
	setup->done++;
	vec_deinit(&line.words);
	arena_deinit(&line.arena);
	free(out);
	free(err);
	return row;
}
