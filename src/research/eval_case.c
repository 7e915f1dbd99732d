/* One case of an evaluation, from its build to its scores: see eval.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/guard.h"
#include "base/str.h"
#include "cli/commands.h"
#include "report/json.h"
#include "research/eval.h"

#define LARGEST_GRAPH (64 << 20) /* bytes of its JSON */
#define COPY_TIME     600        /* seconds for copying a folder */

/* --- messages --- */

char *eval_message(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *found = NULL;
	size_t room = 0;

	/* What the program itself writes may be there, too. */
	while (file && getline(&line, &room, file) > 0) {
		bool own = !strncmp(line, "hence: ", 7);

		line[strcspn(line, "\n")] = 0;
		if (found && !own)
			continue;
		free(found);
		found = mem_strdup(own ? line + 7 : line);
		if (own)
			break;
	}
	free(line);
	if (file)
		fclose(file);
	return found ? found : mem_strdup("");
}

json_t *eval_json_text(const char *text)
{
	struct str out GUARD(str_deinit) = STR_INIT;
	json_t *json;

	while (*text) {
		size_t length = json_utf8_length((const unsigned char *)text);

		if (length && !json_is_obeyed((const unsigned char *)text, length))
			str_add_bytes(&out, text, length);
		else
			str_add_char(&out, '?');
		text += length ? length : 1;
	}
	json = json_string(str_text(&out));
	return json;
}

/* The last line of a file that is not empty: where a compiler or make says what was wrong is its end. Caller frees. */
static char *last_line(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL, *last = mem_strdup("");
	size_t room = 0;

	while (file && getline(&line, &room, file) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!*line)
			continue;
		free(last);
		last = mem_strdup(line);
	}
	free(line);
	if (file)
		fclose(file);
	return last;
}

/* --- programs --- */

static struct hence_error *make_folder(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make %s", path);
	return NULL;
}

/* What a build was doing when it was over. */
static struct hence_error *judge(const char *what, const struct eval_ended *ended,
                                 const char *message)
{
	switch (ended->end) {
	case EVAL_INTERRUPTED: return error_create(HENCE_ERROR_INPUT, "interrupted");
	case EVAL_TIMED_OUT:
		return error_create(HENCE_ERROR_INPUT, "%s takes more than %.0f seconds", what,
		                    ended->seconds);
	case EVAL_KILLED:
		return error_create(HENCE_ERROR_INPUT, "%s died of signal %d", what, ended->code);
	default:
		if (!ended->code)
			return NULL;
		return error_create(HENCE_ERROR_INPUT, "%s ended with exit code %d: %s", what,
		                    ended->code, message);
	}
}

/* Runs a shell's command in a folder; `what` it is, for messages. The folder of hence is in its PATH. */
static struct hence_error *shell(struct eval_setup *setup, const struct eval_work *work,
                                 const char *what, char *const *argv, const char *folder,
                                 double limit)
{
	char *log = str_format("%s/log", work->folder), *own = mem_strdup(installed_executable()),
	     *message;
	struct eval_child child = {.argv = argv,
	                           .folder = folder,
	                           .out = log,
	                           .err = log,
	                           .path = own,
	                           .limit = limit};
	struct eval_ended ended;
	struct hence_error *error;

	*strrchr(own, '/') = 0;
	error = eval_child_run(&child, &ended);
	message = last_line(log);
	if (!error)
		error = judge(what, &ended, message);
	setup->done++;
	free(message);
	free(own);
	free(log);
	return error;
}

/* The folder that a program is built and run in: its own, or a copy. */
static struct hence_error *find_folder(struct eval_setup *setup, const struct eval_program *program,
                                       const struct eval_work *work, const char *name, bool patched,
                                       char **out)
{
	bool is_copy = patched || (program->build && !program->in_place);
	char *from = str_format("%s/.", program->folder);
	char *copy[] = {"/bin/cp", "-Rp", "--", from, NULL, NULL};
	struct hence_error *error = NULL;

	*out = is_copy ? str_format("%s/%s", work->folder, name) : mem_strdup(program->folder);
	copy[4] = *out;
	if (access(program->folder, X_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot use the folder %s",
		                         program->folder);
	else if (is_copy)
		error = make_folder(*out);
	if (!error && is_copy)
		error = shell(setup, work, "copying the folder", copy, work->folder, COPY_TIME);
	free(from);
	return error;
}

struct hence_error *eval_work_build(struct eval_setup *setup, const struct eval_program *program,
                                    const struct eval_work *work, const char *name,
                                    const char *patch, char **folder, char **path)
{
	char *argv[] = {"/bin/sh", "-c", (char *)program->build, NULL};
	/* Exactly there, without a question, and nothing beside the file. */
	char *apply[] = {"/bin/sh", "-c",
	                 "exec patch -p0 -f -F 0 -r - --no-backup-if-mismatch -i \"$0\"",
	                 (char *)patch, NULL};
	struct hence_error *error = find_folder(setup, program, work, name, patch, folder);

	if (!error && patch)
		error = shell(setup, work, "patch", apply, *folder, COPY_TIME);
	if (!error && program->build)
		error = shell(setup, work, "the build", argv, *folder, setup->build_time);
	*path = *program->program == '/' ? mem_strdup(program->program)
	                                 : str_format("%s/%s", *folder, program->program);
	if (!error && access(*path, X_OK))
		error = error_from_errno(HENCE_ERROR_INPUT, "%s cannot be run", program->program);
	return error;
}

static void build_corrected(struct eval_setup *setup, const struct eval_case *c, json_t *result,
                            struct eval_work *work)
{
	struct hence_error *error;
	char *folder;

	if (!c->corrected.program)
		return;
	error = eval_work_build(setup, &c->corrected, work, "corrected", NULL, &folder,
	                        &work->corrected);
	free(folder);
	if (!error)
		return;
	json_object_set_new(result, "corrected_message", eval_json_text(error->message));
	error_destroy(error);
	free(work->corrected);
	work->corrected = NULL;
}

static void work_deinit(struct eval_work *work)
{
	free(work->folder);
	free(work->reports);
	free(work->faulty);
	free(work->corrected);
	*work = (struct eval_work){0};
}

/* Builds the programs of a case. The error says why the faulty one cannot be used; a corrected one that cannot be built is noted
   in the result. Caller frees with work_deinit(). */
static struct hence_error *work_init(struct eval_setup *setup, const struct eval_case *c,
                                     uint32_t number, json_t *result, struct eval_work *out)
{
	struct hence_error *error;
	char *program = NULL;

	*out = (struct eval_work){.folder = str_format("%s/%u", setup->scratch, number)};
	out->reports = setup->reports ? str_format("%s/%s", setup->reports, c->name)
	                              : mem_strdup(out->folder);
	error = make_folder(out->folder);
	if (!error)
		error = make_folder(out->reports);
	if (!error)
		error = eval_work_build(setup, &c->faulty, out, "faulty", NULL, &out->faulty,
		                        &program);
	free(program);
	if (error)
		work_deinit(out);
	else
		build_corrected(setup, c, result, out);
	return error;
}

/* --- the case --- */

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

json_t *eval_case_run(struct eval_setup *setup, const struct eval_case *c, uint32_t number)
{
	json_t *result = json_object();
	struct run run = {.setup = setup, .c = c, .rows = json_object()};
	struct hence_error *error;

	set_text(result, "name", c->name);
	set_text(result, "state", "done");
	error = work_init(setup, c, number, result, &run.work);
	if (error) {
		set_text(result, "state", eval_child_interrupted() ? "interrupted" : "not-built");
		set_text(result, "message", error->message);
		error_destroy(error);
	} else {
		char *why;
		const bool *chosen = setup->methods;

		run.graph = load_graph(&run, &why);
		setup->done++;
		if (run.graph) {
			run.lines = (uint32_t)json_array_size(json_object_get(run.graph, "nodes"));
			json_object_set_new(result, "lines", json_integer(run.lines));
		} else {
			set_text(result, "graph_message", why ? why : "it is no JSON");
		}
		free(why);
		/* What is compared with must be there before. */
		if (run.work.corrected) {
			if (chosen[EVAL_CHAIN] || chosen[EVAL_PATCHED]) {
				run_method(&run, EVAL_IDEAL);
				run.work.has_ideal = has_statement(run.reports[EVAL_IDEAL]);
			}
			if (chosen[EVAL_TRANSITIONS])
				run_method(&run, EVAL_DUAL);
		}
		for (enum eval_method m = 0; m < EVAL_CHOSEN && !eval_child_interrupted(); m++) {
			/* Without a passing command the chain has a patched run as its reference anyway. */
			if (m == EVAL_PATCHED && chosen[EVAL_CHAIN] && !c->passing.list.size)
				continue;
			if (chosen[m])
				run_method(&run, m);
		}
		if (eval_child_interrupted())
			set_text(result, "state", "interrupted");
		if (run.graph && run.reports[EVAL_TRANSITIONS])
			json_object_set_new(result, "score",
			                    eval_score(c, run.graph, run.reports[EVAL_TRANSITIONS],
			                               run.reports[EVAL_DUAL]));
	}
	json_object_set_new(result, "methods", run.rows);
	for (unsigned i = 0; i < EVAL_METHODS; i++)
		json_decref(run.reports[i]);
	json_decref(run.graph);
	work_deinit(&run.work);
	return result;
}
