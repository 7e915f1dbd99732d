/* One case of an evaluation, from its build to its scores: see eval.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/installed.h"
#include "base/str.h"
#include "cli/commands.h"
#include "research/eval.h"

#define LARGEST_GRAPH (64 << 20) /* bytes of its JSON */

/* A case under way. */
struct run {
	struct eval_setup *setup;
	const struct eval_case *c;
	struct eval_work work;
	json_t *rows;
	json_t *graph;                 /* NULL: not known */
	json_t *reports[EVAL_METHODS]; /* NULL: not asked, or of no use */
	uint32_t lines;
};

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, eval_json_text(text));
}

/* --- the graph --- */

/* One that would take all memory to no use. */
static bool is_too_large(const char *path)
{
	struct stat file;

	return !stat(path, &file) && file.st_size > LARGEST_GRAPH;
}

static json_t *load_graph(struct run *run, char **why)
{
	char *out = str_format("%s/pdg.json", run->work.reports);
	char *err = str_format("%s/err", run->work.folder);
	char *argv[] = {(char *)installed_executable(), "eval", "--pdg",
	                (char *)run->c->faulty.program, NULL};
	struct eval_child child = {.argv = argv,
	                           .folder = run->work.faulty,
	                           .out = out,
	                           .err = err,
	                           .limit = 2 * run->setup->time + 2};
	struct eval_ended ended;
	struct hence_error *error = eval_child_run(&child, &ended);
	json_t *graph = NULL;

	*why = NULL;
	if (error)
		*why = mem_strdup(error->message);
	else if (ended.end == EVAL_EXITED && !ended.code && is_too_large(out))
		*why = mem_strdup("it is too large: too many lines depend on each other");
	else if (ended.end == EVAL_EXITED && !ended.code)
		graph = json_load_file(out, 0, NULL);
	else if (ended.end == EVAL_TIMED_OUT)
		*why = mem_strdup("it takes too long");
	else
		*why = eval_message(err);
	error_destroy(error);
	free(out);
	free(err);
	return graph;
}

static void find_graph(struct run *run, json_t *result)
{
	char *why;

	run->graph = load_graph(run, &why);
	run->setup->done++;
	if (run->graph) {
		run->lines = (uint32_t)json_array_size(json_object_get(run->graph, "nodes"));
		json_object_set_new(result, "lines", json_integer(run->lines));
	} else {
		set_text(result, "graph_message", why ? why : "it is no JSON");
	}
	free(why);
}

/* --- methods --- */

static void run_method(struct run *run, enum eval_method method)
{
	json_t **report = &run->reports[method];
	json_t *row = eval_method_run(run->setup, run->c, &run->work, method, report);

	if (*report)
		eval_measure(run->c, method, *report, run->lines, row);
	if (method == EVAL_FIX)
		eval_repair(run->setup, run->c, &run->work, *report, row);
	json_object_set_new(run->rows, eval_method_names[method], row);
}

/* Has a chain a step that a statement made? Else there is nothing that another could be compared with. */
static bool has_statement(const json_t *report)
{
	const json_t *steps = json_object_get(report, "steps"), *step;
	size_t i;

	json_array_foreach(steps, i, step) if (json_object_get(step, "cause")) return true;
	return false;
}

/* What is compared with must be there before. */
static void run_corrected(struct run *run)
{
	const bool *chosen = run->setup->methods;

	if (!run->work.corrected)
		return;
	if (chosen[EVAL_CHAIN] || chosen[EVAL_PATCHED]) {
		run_method(run, EVAL_IDEAL);
		run->work.has_ideal = has_statement(run->reports[EVAL_IDEAL]);
	}
	if (chosen[EVAL_TRANSITIONS])
		run_method(run, EVAL_DUAL);
}

static void run_methods(struct run *run)
{
	run_corrected(run);
	for (enum eval_method m = 0; m < EVAL_CHOSEN && !eval_child_interrupted(); m++) {
		/* Without a passing command the chain has a patched run as its reference anyway. */
		if (m == EVAL_PATCHED && run->setup->methods[EVAL_CHAIN] &&
		    !run->c->passing.list.size)
			continue;
		if (run->setup->methods[m])
			run_method(run, m);
	}
}

static void release(struct run *run)
{
	for (unsigned i = 0; i < EVAL_METHODS; i++)
		json_decref(run->reports[i]);
	json_decref(run->graph);
	eval_work_deinit(&run->work);
}

json_t *eval_case_run(struct eval_setup *setup, const struct eval_case *c, uint32_t number)
{
	json_t *result = json_object();
	struct run run = {.setup = setup, .c = c, .rows = json_object()};
	struct hence_error *error;

	set_text(result, "name", c->name);
	set_text(result, "state", "done");
	error = eval_work_init(setup, c, number, result, &run.work);
	if (error) {
		set_text(result, "state", eval_child_interrupted() ? "interrupted" : "not-built");
		set_text(result, "message", error->message);
		error_destroy(error);
	} else {
		find_graph(&run, result);
		run_methods(&run);
		if (eval_child_interrupted())
			set_text(result, "state", "interrupted");
		if (run.graph && run.reports[EVAL_TRANSITIONS])
			json_object_set_new(result, "score",
			                    eval_score(c, run.graph, run.reports[EVAL_TRANSITIONS],
			                               run.reports[EVAL_DUAL]));
	}
	json_object_set_new(result, "methods", run.rows);
	release(&run);
	return result;
}
