/* `hence run`: runs a program, records it, and says how it went. */
#include "cli/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/run_save.h"
#include "outside/table.h"

#define DIFFERS 3 /* exit code when two runs gave different tapes */

static const char help[] =
	"hence run [OPTIONS] -- PROGRAM ARGS...\n"
	"\n"
	"Runs a program that was built with hence cc (or a script that runs such programs),\n"
	"records it, and prints a short account to standard error when it has ended. The exit\n"
	"code is the program's own (128 + N when signal N killed it), 2 for bad input, 4 for an\n"
	"internal error.\n"
	"\n"
	"  --save FILE        keep the recording in FILE\n"
	"  --account FILE     write the account to FILE, as lines 'key: value'\n"
	"  --io FILE          write to FILE which call read and which wrote which bytes\n"
	"  --timeout SECONDS  kill the program after that time\n"
	"  --time SECONDS     read the tape no longer than that (default 30)\n"
	"  --stdin FILE       standard input of the program\n"
	"  --models FILE      models of further outside functions (may be repeated)\n"
	"  --check-repeat     run twice and compare the recordings (exit code 3: they differ)\n"
	"  --tape-limit SIZE  most that one process may record, like 500M (8G)\n"
	"  --no-walk          do not count what was executed\n"
	"  -v                 also times, and the slowdown against a run without recording\n";

/* --- before the run --- */

static struct hence_error *open_input(struct run *run)
{
	const char *path = run->options->input;
	struct stat info;

	run->input = -1;
	if (path) {
		run->input = open(path, O_RDONLY | O_CLOEXEC);
		if (run->input < 0)
			return error_from_errno(HENCE_ERROR_INPUT, "--stdin: cannot read %s", path);
		if (!fstat(run->input, &info) && S_ISDIR(info.st_mode))
			return error_create(HENCE_ERROR_INPUT, "--stdin: %s is a directory", path);
	}
	run->input_at = lseek(run->input < 0 ? 0 : run->input, 0, SEEK_CUR);
	if (run->options->check_repeat && !run_can_repeat(run))
		return error_create(
			HENCE_ERROR_INPUT,
			"--check-repeat must read standard input twice, so it must be a "
			"file or /dev/null; use --stdin FILE");
	return NULL;
}

/* Finds out now what would fail when the program has already run. A file that is replaced needs a
   folder that can be written to, one that is overwritten does not. */
static struct hence_error *check_output(const char *path, const char *option, bool replaced)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	char *folder;
	struct stat info;
	int reason = 0;

	if (!path)
		return NULL;
	folder = slash ? mem_strndup(path, slash == path ? 1 : slash - path) : mem_strdup(".");
	if (!stat(path, &info) && S_ISDIR(info.st_mode))
		reason = EISDIR;
	else if ((replaced || access(path, W_OK)) && access(folder, W_OK | X_OK))
		reason = errno;
	free(folder);
	if (!reason)
		return NULL;
	errno = reason;
	return error_from_errno(HENCE_ERROR_INPUT, "%s: cannot write %s", option, path);
}

static struct hence_error *open_session(struct run *run)
{
	const struct run_options *options = run->options;
	struct session_options settings = {.tape_limit = options->tape_limit};
	struct hence_error *error;

	error = outside_table_load(cli_models_folder(), options->models.at, options->models.size,
	                           &run->table, &settings.table_size);
	if (error)
		return error;
	settings.table = run->table;
	return session_create(&settings, &run->session);
}

static struct hence_error *prepare(struct run *run)
{
	struct hence_error *error = executable_find(run->options->command[0], &run->program);

	if (!error)
		error = open_input(run);
	if (!error)
		error = check_output(run->options->account, "--account", false);
	if (!error)
		error = check_output(run->options->io, "--io", false);
	if (!error)
		error = check_output(run->options->save, "--save", true);
	return error ? error : open_session(run);
}

/* --- the run --- */

static struct hence_error *launch(struct run *run)
{
	struct launch_options options = {
		.path = run->program.path,
		.argv = run->options->command,
		.session = run->session.path,
		.streams = {run->input, -1, -1},
		.timeout = run->options->timeout,
	};
	struct hence_error *error = launch_run(&options, &run->launch);

	return error ? error : tapes_list(&run->session, false, &run->tapes);
}

static struct hence_error *no_tape(const struct run *run)
{
	struct hence_control control;
	struct hence_error *error = session_control(&run->session, &control);

	if (error)
		return error;
	if (control.refused)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s was built by another version of hence; rebuild it with this "
			"hence cc",
			run->program.name);
	if (control.failed)
		return error_create(HENCE_ERROR_INPUT,
		                    "no tape could be made in %s; free space there, or set "
		                    "HENCE_TAPE_DIR to another directory",
		                    run->session.folder);
	if (run->program.script)
		return error_create(HENCE_ERROR_INPUT,
		                    "nothing that %s ran was built with hence cc; rebuild with "
		                    "CC=hence-cc, or use 'hence build -- make'",
		                    run->program.name);
	return error_create(HENCE_ERROR_INPUT, "%s ended before its recording began",
	                    run->program.name);
}

/* A process runs several programs one after the other; its end is that of the last. */
static void find_outcome(struct run *run, uint32_t index, struct outcome *out)
{
	pid_t pid = run->tapes.list.at[index].head.pid;
	struct process *process = processes_find(&run->launch.processes, pid);

	for (uint32_t i = index + 1; i < run->tapes.list.size; i++) {
		if (run->tapes.list.at[i].head.pid != pid)
			continue;
		out->kind = OUTCOME_REPLACED;
		return;
	}
	if (process && pid)
		outcome_copy(out, &process->outcome);
}

static void list_recorded(struct run *run)
{
	for (uint32_t i = 0; i < run->tapes.list.size; i++) {
		struct run_tape *recorded = vec_push(&run->recorded);

		recorded->tape = &run->tapes.list.at[i];
		recorded->program = tape_program(recorded->tape);
		find_outcome(run, i, &recorded->outcome);
	}
}

static bool has_state(const struct run *run, enum hence_tape_state state)
{
	for (uint32_t i = 0; i < run->tapes.list.size; i++)
		if (run->tapes.list.at[i].condition == TAPE_GOOD &&
		    run->tapes.list.at[i].head.state == state)
			return true;
	return false;
}

static bool has_condition(const struct run *run, enum tape_condition condition)
{
	for (uint32_t i = 0; i < run->tapes.list.size; i++)
		if (run->tapes.list.at[i].condition == condition)
			return true;
	return false;
}

static void note_full(struct run *run)
{
	struct str size = STR_INIT;

	run_add_size(&size, run->session.tape_limit);
	run_note(run,
	         "the tape is full (%s; raise --tape-limit or free space in %s): what happened "
	         "after that is not recorded",
	         str_text(&size), run->session.folder);
	str_deinit(&size);
}

static void note_states(struct run *run)
{
	if (has_state(run, HENCE_FULL))
		note_full(run);
	if (has_state(run, HENCE_THREADS))
		run_note(run, "threads are not supported yet: a second thread ran instrumented "
		              "code; recorded up to there");
	if (has_state(run, HENCE_CONTEXTS))
		run_note(run, "makecontext and swapcontext are not supported yet; recorded up to "
		              "there");
	if (has_state(run, HENCE_NESTED))
		run_note(run, "a signal handler that interrupted another one is not supported yet; "
		              "recorded up to there");
	if (has_condition(run, TAPE_DAMAGED))
		run_note(run, "the program overwrote the head of its tape; that tape is lost");
	if (has_condition(run, TAPE_EMPTY))
		run_note(run, "a process found no space in %s for its tape", run->session.folder);
}

static void note_launch(struct run *run)
{
	if (run->launch.left)
		run_note(run, "%u process%s still ran when %s had ended, and %s killed",
		         run->launch.left, run->launch.left == 1 ? "" : "es", run->program.name,
		         run->launch.left == 1 ? "was" : "were");
	if (run->options->verbose && !run->launch.traced)
		run_note(run, "tracing is not permitted here, so crashes are without a position");
	if (run->options->verbose && !run->launch.fixed_addresses)
		run_note(run, "the system does not let hence switch off address randomisation: "
		              "two runs may differ");
}

/* --- after the run --- */

static struct hence_error *print_account(const struct run *run)
{
	struct str text = STR_INIT;
	const char *path = run->options->account;
	struct hence_error *error = NULL;
	FILE *file;

	if (!path) {
		run_account_text(run, &text);
		fputs(str_text(&text), stderr);
		str_deinit(&text);
		return NULL;
	}
	run_account_keys(run, &text);
	file = fopen(path, "we");
	if (!file || fputs(str_text(&text), file) < 0 || fflush(file))
		error = error_from_errno(HENCE_ERROR_INPUT, "--account: cannot write %s", path);
	if (file)
		fclose(file);
	str_deinit(&text);
	return error;
}

/* Everything between the end of the program and the account. */
static struct hence_error *examine(struct run *run, int *code)
{
	struct hence_error *error = NULL, *unread = NULL;
	bool same = true;

	list_recorded(run);
	note_launch(run);
	note_states(run);
	if (run->options->save)
		error = run_save(run);
	if (!error && !run->options->no_walk)
		unread = run_walk(run);
	if (!error && run->options->verbose)
		error = run_measure(run);
	if (!error && run->options->check_repeat)
		error = run_check_repeat(run, &same);
	*code = same ? outcome_exit_code(run_outcome(run)) : DIFFERS;
	if (!error)
		return unread;
	error_destroy(unread);
	return error;
}

static struct hence_error *perform(struct run *run, int *code)
{
	struct hence_error *error = prepare(run), *later;

	if (!error)
		error = launch(run);
	if (!error && !run->tapes.list.size)
		error = no_tape(run);
	if (error)
		return error;
	error = examine(run, code);
	/* What is known is told in any case. */
	later = print_account(run);
	if (!error)
		return later;
	error_destroy(later);
	return error;
}

static void run_deinit(struct run *run)
{
	for (uint32_t i = 0; i < run->recorded.size; i++)
		outcome_deinit(&run->recorded.at[i].outcome);
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		free(run->unmodelled.at[i].name);
	for (uint32_t i = 0; i < run->notes.size; i++)
		free(run->notes.at[i]);
	vec_deinit(&run->recorded);
	vec_deinit(&run->unmodelled);
	vec_deinit(&run->notes);
	tapes_deinit(&run->tapes);
	launch_result_deinit(&run->launch);
	session_destroy(&run->session);
	executable_deinit(&run->program);
	free(run->table);
	if (run->input >= 0)
		close(run->input);
}

int command_run(int argc, char **argv)
{
	struct run_options options;
	struct run run = {.options = &options, .input = -1};
	struct hence_error *error = run_options_parse(argc, argv, &options);
	int code = 0;

	if (error)
		return cli_fail(error);
	if (options.help)
		fputs(help, stdout);
	else
		error = perform(&run, &code);
	run_deinit(&run);
	run_options_deinit(&options);
	return error ? cli_fail(error) : code;
}
