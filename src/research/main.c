/* hence-eval: how good explanations are, on programs whose faults are known. `hence eval` executes it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/version.h"
#include "cc/scratch.h"
#include "cli/commands.h"
#include "research/eval.h"
#include "cli/progress.h"
#include "cli/options.h"

struct evaluation {
	struct eval_setup setup;
	const char *manifest, *output, *only;
	uint64_t jobs;
};

/* --- options --- */

static struct hence_error *choose_method(struct evaluation *command, const char *name,
                                         size_t length)
{
	for (unsigned m = 0; m < EVAL_CHOSEN; m++)
		if (strlen(eval_method_names[m]) == length &&
		    !strncmp(eval_method_names[m], name, length)) {
			command->setup.methods[m] = true;
			return NULL;
		}
	return error_create(HENCE_ERROR_INPUT,
	                    "--methods: there is no method '%.*s'; see 'hence eval --help'",
	                    (int)length, name);
}

/* --- the workers --- */

struct pool {
	struct eval_setup *setup;
	VEC(const struct eval_case *) cases;
	json_t **results; /* NULL: not yet */
	atomic_uint next, finished;
};

static void *work(void *context)
{
	struct pool *pool = context;
	uint32_t i;

	while (!eval_child_interrupted() && (i = pool->next++) < pool->cases.size) {
		pool->results[i] = eval_case_run(pool->setup, pool->cases.at[i], i);
		pool->finished++;
	}
	return NULL;
}

static struct hence_error *run_pool(struct pool *pool, uint32_t jobs)
{
	struct progress progress;
	double begun = budget_clock();
	VEC(pthread_t) threads = VEC_INIT;
	struct hence_error *error = NULL;

	progress_begin(&progress);
	while (threads.size < jobs && threads.size < pool->cases.size && !error)
		if (pthread_create(vec_push(&threads), NULL, work, pool)) {
			threads.size--;
			error = error_create(HENCE_ERROR_INTERNAL, "cannot start a thread");
		}
	while (threads.size && pool->finished < pool->cases.size && !eval_child_interrupted()) {
		eval_child_wait(100);
		if (progress_due(&progress)) {
			double took = budget_clock() - begun;
			unsigned finished = pool->finished;

			if (finished)
				progress_show(&progress,
				              "%u of %u cases, %u runs, %.0f s; about %.0f s left",
				              finished, pool->cases.size,
				              (unsigned)pool->setup->done, took,
				              took / finished * (pool->cases.size - finished));
			else
				progress_show(&progress, "0 of %u cases, %u runs, %.0f s",
				              pool->cases.size, (unsigned)pool->setup->done, took);
		}
	}
	for (uint32_t i = 0; i < threads.size; i++)
		pthread_join(threads.at[i], NULL);
	progress_end(&progress);
	vec_deinit(&threads);
	return error;
}

/* --- the results --- */

static json_t *describe(const struct evaluation *command, const struct pool *pool, double seconds)
{
	json_t *results = json_object(), *methods = json_array(), *cases = json_array();
	char date[32];
	time_t now = time(NULL);

	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	json_object_set_new(results, "eval_results", json_integer(EVAL_VERSION));
	json_object_set_new(results, "hence", json_string(HENCE_VERSION));
	json_object_set_new(results, "date", json_string(date));
	json_object_set_new(results, "jobs", json_integer((json_int_t)command->jobs));
	json_object_set_new(results, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(results, "time", json_real(command->setup.time));
	json_object_set_new(results, "seconds", json_real(seconds));
	json_object_set_new(results, "complete", json_boolean(!eval_child_interrupted()));
	for (unsigned m = 0; m < EVAL_CHOSEN; m++)
		if (command->setup.methods[m])
			json_array_append_new(methods, json_string(eval_method_names[m]));
	for (uint32_t i = 0; i < pool->cases.size; i++) {
		if (!pool->results[i])
			continue;
		json_object_set_new(pool->results[i], "passing",
		                    json_boolean(pool->cases.at[i]->passing.list.size > 0));
		json_array_append_new(cases, pool->results[i]);
	}
	json_object_set_new(results, "methods", methods);
	json_object_set_new(results, "cases", cases);
	return results;
}

static struct hence_error *write_results(const json_t *results, const char *path)
{
	if (!json_dump_file(results, path,
	                    JSON_INDENT(1) | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII))
		return NULL;
	return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", path);
}

static struct hence_error *evaluate(struct evaluation *command,
                                    const struct eval_manifest *manifest, json_t **results)
{
	struct pool pool = {.setup = &command->setup};
	double begun = budget_clock();
	struct hence_error *error;

	for (uint32_t i = 0; i < manifest->cases.size; i++)
		if (!command->only || strstr(manifest->cases.at[i].name, command->only))
			*vec_push(&pool.cases) = &manifest->cases.at[i];
	if (!pool.cases.size)
		return error_create(HENCE_ERROR_INPUT, "--only %s: no case has that in its name",
		                    command->only);
	pool.results = mem_alloc(pool.cases.size * sizeof(json_t *));
	error = run_pool(&pool, (uint32_t)command->jobs);
	*results = describe(command, &pool, budget_clock() - begun);
	if (!error && eval_child_interrupted())
		fprintf(stderr, "hence: interrupted after %u of %u cases\n",
		        (unsigned)pool.finished, pool.cases.size);
	free(pool.results);
	vec_deinit(&pool.cases);
	return error;
}

/* A problem with what is to be written shows before the work is done. */
static struct hence_error *check_output(struct evaluation *command, char **reports)
{
	int file;

	if (command->output) {
		file = open(command->output, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
		if (file < 0)
			return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s",
			                        command->output);
		close(file);
	}
	if (!command->setup.reports)
		return NULL;
	if (mkdir(command->setup.reports, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot make %s",
		                        command->setup.reports);
	*reports = realpath(command->setup.reports, NULL);
	if (!*reports)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot use %s", command->setup.reports);
	command->setup.reports = *reports;
	return NULL;
}

/* Everything about a manifest but printing: who reads what is printed may go away, and nothing must be left then. */
static struct hence_error *measure(struct evaluation *command, json_t **results)
{
	struct eval_manifest manifest;
	struct hence_error *error = eval_manifest_read(command->manifest, &manifest);
	char *scratch = NULL, *reports = NULL;

	if (error)
		return error;
	error = check_output(command, &reports);
	if (!error)
		error = scratch_create("hence-eval", &scratch);
	if (!error)
		error = eval_child_catch_signals();
	command->setup.scratch = scratch;
	if (!error)
		error = evaluate(command, &manifest, results);
	scratch_remove(scratch);
	free(reports);
	eval_manifest_deinit(&manifest);
	return error;
}

static struct hence_error *print_tables(const char *path)
{
	json_error_t wrong;
	json_t *results = json_load_file(path, 0, &wrong);
	struct hence_error *error = NULL;

	if (!results)
		error = error_create(HENCE_ERROR_INPUT, "cannot read %s: %s", path, wrong.text);
	else if (json_integer_value(json_object_get(results, "eval_results")) != EVAL_VERSION)
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s has no results of this version of hence eval; run it again with -o",
			path);
	else
		eval_print_tables(results, stdout);
	json_decref(results);
	return error;
}

static struct hence_error *evaluate_options(struct options *o, int *code)
{
	struct evaluation e = {
		.setup = {.time = o->report.failure.time > 0 ? o->report.failure.time : 60,
	                  .build_time = o->build_time > 0 ? o->build_time : 600,
	                  .reports = o->reports},
		.manifest = o->operands.size ? o->operands.at[0] : NULL,
		.output = o->report.out,
		.only = o->only,
		.jobs = o->report.failure.jobs,
	};
	struct hence_error *error = NULL;

	if (o->operands.size > 1)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence eval takes one manifest, not '%s' as well",
		                    o->operands.at[1]);
	if (!e.manifest && !o->tables && !o->program)
		return error_create(HENCE_ERROR_INPUT,
		                    "no manifest given; use 'hence eval [OPTIONS] MANIFEST.json'");
	for (const char *list = o->methods; !error && list;) {
		size_t length = strcspn(list, ",");

		error = choose_method(&e, list, length);
		list = list[length] ? list + length + 1 : NULL;
	}
	for (unsigned m = 0; !o->methods && m < EVAL_CHOSEN; m++)
		e.setup.methods[m] = true;
	if (!e.jobs)
		e.jobs = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	if (!error && o->program)
		error = eval_print_graph(o->program, stdout);
	else if (!error && o->tables)
		error = print_tables(o->tables);
	else if (!error) {
		json_t *results = NULL;

		error = measure(&e, &results);
		if (!error && e.output)
			error = write_results(results, e.output);
		if (!error)
			eval_print_tables(results, stdout);
		json_decref(results);
	}
	*code = eval_child_interrupted() ? CLI_NOT_PROVEN : CLI_DONE;
	return error;
}

int main(int argc, char **argv)
{
	struct command command = command_eval;

	command.raw = NULL;
	command.run = evaluate_options;
	return cli_finish(cli_run(&command, argc, argv));
}
