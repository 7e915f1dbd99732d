/* A recorded run of a program: see recorded.h. */
#include "base/installed.h"
#include "explain/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "outside/table.h"

/* --- recording a program --- */

void run_options_deinit(struct run_options *options)
{
	vec_deinit(&options->models);
}

void run_add_number(struct str *out, uint64_t number)
{
	if (number >= 1000) {
		run_add_number(out, number / 1000);
		str_printf(out, ",%03u", (unsigned)(number % 1000));
	} else {
		str_printf(out, "%u", (unsigned)number);
	}
}

void run_add_size(struct str *out, uint64_t bytes)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB"};
	double size = (double)bytes / 1024;
	int unit = 0;

	if (bytes < 1024) {
		str_printf(out, "%u bytes", (unsigned)bytes);
		return;
	}
	for (; size >= 1024 && unit < 3; unit++)
		size /= 1024;
	str_printf(out, size == (double)(long)size ? "%.0f %s" : "%.1f %s", size, units[unit]);
}

bool run_can_repeat(const struct run *run)
{
	struct stat info;

	if (fstat(run->input < 0 ? 0 : run->input, &info))
		return false;
	return S_ISREG(info.st_mode) || (S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3));
}

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

struct hence_error *run_check_output(const char *path, const char *option, bool replaced)
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

	error = outside_table_load(installed_models_folder(), options->models.at,
	                           options->models.size, &run->table, &settings.table_size);
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
		error = run_check_output(run->options->account, "--account", false);
	if (!error)
		error = run_check_output(run->options->io, "--io", false);
	return error ? error : open_session(run);
}

/* --- the run --- */

static struct hence_error *launch(struct run *run)
{
	struct launch_options options = {
		.path = run->program.path,
		.argv = run->options->command,
		.session = run->session.path,
		.streams = {run->input, run->output, -1},
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

struct hence_error *run_record(struct run *run)
{
	struct hence_error *error = prepare(run);

	if (!error)
		error = launch(run);
	if (!error && !run->tapes.list.size)
		error = no_tape(run);
	if (error)
		return error;
	list_recorded(run);
	note_launch(run);
	note_states(run);
	return NULL;
}

/* --- a run that can do no harm --- */

/* Records the passing input into the same session, after the tapes of the failing one. */
static struct hence_error *record_passing(struct run *run, struct trials *trials,
                                          struct run_confined *confined)
{
	struct trial_result result = {.test = -1};
	struct hence_control control;
	struct hence_error *error = session_control(&run->session, &control);

	if (!error)
		error = trials_record(trials, confined->passing, run->session.path, &result);
	if (!error)
		confined->passing_tape = control.tapes;
	confined->passed = result.output;
	result.output = (struct str)STR_INIT;
	trial_result_deinit(&result);
	return error;
}

static struct hence_error *record_trial(struct run *run, struct run_confined *confined,
                                        struct trial_result *result)
{
	struct trials *trials;
	struct hence_error *error = trials_create(confined->trials, &trials, &confined->first);

	if (error)
		return error;
	error = trials_record(trials, confined->trials->input, run->session.path, result);
	confined->differs = confined->first.output.length != result->output.length ||
	                    memcmp(str_text(&confined->first.output), str_text(&result->output),
	                           result->output.length);
	if (!error && confined->passing)
		error = record_passing(run, trials, confined);
	trials_destroy(trials);
	return error;
}

struct hence_error *run_begin(struct run *run)
{
	struct hence_error *error = executable_find(run->options->command[0], &run->program);

	return error ? error : open_session(run);
}

static void forget_recorded(struct run *run)
{
	for (uint32_t i = 0; i < run->recorded.size; i++)
		outcome_deinit(&run->recorded.at[i].outcome);
	run->recorded.size = 0;
	tapes_deinit(&run->tapes);
}

struct hence_error *run_finish(struct run *run, const struct run_end *ends, uint32_t count)
{
	struct hence_error *error;

	forget_recorded(run);
	error = tapes_list(&run->session, false, &run->tapes);
	for (uint32_t i = 0; i < count && !error; i++) {
		if (ends[i].tape >= run->tapes.list.size)
			error = no_tape(run);
		else
			outcome_copy(&processes_add(&run->launch.processes,
			                            run->tapes.list.at[ends[i].tape].head.pid)
			                      ->outcome,
			             ends[i].outcome);
	}
	if (error)
		return error;
	list_recorded(run);
	note_states(run);
	return NULL;
}

struct hence_error *run_record_confined(struct run *run, struct run_confined *confined)
{
	struct trial_result result = {.test = -1};
	/* The first tape is that of the program itself. */
	const struct run_end end = {0, &result.outcome};
	struct hence_error *error = run_begin(run);

	if (!error)
		error = record_trial(run, confined, &result);
	if (!error)
		error = run_finish(run, &end, 1);
	if (confined->passing_tape >= run->tapes.list.size)
		confined->passing_tape = 0;
	trial_result_deinit(&result);
	return error;
}

void run_deinit(struct run *run)
{
	forget_recorded(run);
	for (uint32_t i = 0; i < run->unmodelled.size; i++)
		free(run->unmodelled.at[i].name);
	vec_deinit(&run->recorded);
	vec_deinit(&run->unmodelled);
	vec_free(&run->notes);
	launch_result_deinit(&run->launch);
	session_destroy(&run->session);
	executable_deinit(&run->program);
	free(run->table);
	if (run->input >= 0)
		close(run->input);
}

bool record_death(const struct outcome *outcome, struct walk_place *out)
{
	const struct place *place = &outcome->place;
	int signal = outcome->signal;

	if (outcome->kind != OUTCOME_SIGNALLED)
		return false;
	if (!place->function || !place->line) {
		/* Without debug information: the decoder finds it, if it can. */
		*out = (struct walk_place){0};
		return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE;
	}
	*out = (struct walk_place){.function = place->function,
	                           .line = (unsigned)place->line,
	                           .column = (unsigned)place->column};
	return true;
}

struct recording record_slice_run(const struct run *run, const struct run_tape *recorded,
                                  struct modules *modules, struct walk_place *death)
{
	return (struct recording){.modules = modules,
	                          .folder = run->session.path,
	                          .tape = recorded->tape->number,
	                          .table = run->table,
	                          .death = record_death(&recorded->outcome, death) ? death : NULL};
}

unsigned record_slice_doubts(const struct slice *slice, const char *name, const char *result,
                             char *notes[RECORD_DOUBTS])
{
	unsigned count = 0;

	if (slice->unseen)
		notes[count++] = str_format(
			"%s reaches memory that code without a model wrote: %s may lack something",
			name, result);
	if (slice->guesses)
		notes[count++] = str_format("%u call%s of functions without a model %s in %s: what "
		                            "%s read and wrote is a "
		                            "guess (--models FILE says)",
		                            slice->guesses, slice->guesses == 1 ? "" : "s",
		                            slice->guesses == 1 ? "is" : "are", name,
		                            slice->guesses == 1 ? "it" : "they");
	return count;
}
