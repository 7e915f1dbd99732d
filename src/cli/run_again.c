/* Running the command again: to compare two recordings, and to measure what recording costs. */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli/run.h"
#include "run/discard.h"
#include "run/repeat.h"

static int input_of(const struct run *run)
{
	return run->input < 0 ? 0 : run->input;
}

bool run_can_repeat(const struct run *run)
{
	struct stat info;

	if (fstat(input_of(run), &info))
		return false;
	return S_ISREG(info.st_mode) || (S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3));
}

struct hence_error *run_again(struct run *run, const char *session, struct launch_result *out)
{
	struct launch_options options = {
		.path = run->program.path,
		.argv = run->options->command,
		.session = session,
		.streams = {run->input, -1, -1},
		.timeout = run->options->timeout,
	};
	struct hence_error *error = NULL;

	if (run->input_at > 0 || lseek(input_of(run), 0, SEEK_CUR) > 0)
		lseek(input_of(run), run->input_at, SEEK_SET);
	for (int i = 1; !error && i < 3; i++)
		error = discard_open(i, run->session.path, &options.streams[i]);
	if (!error)
		error = launch_run(&options, out);
	for (int i = 1; i < 3; i++)
		if (options.streams[i] >= 0)
			close(options.streams[i]);
	return error;
}

/* --- --check-repeat --- */

static void note_same(struct run *run, const struct repeat_difference *difference)
{
	struct str bytes = STR_INIT;

	run_add_number(&bytes, difference->bytes);
	run_note(run, "two runs gave the same tape (%s bytes)", str_text(&bytes));
	str_deinit(&bytes);
}

/* The statement that wrote the byte. Up to it the second run's tape, which has the place of the
   first by now, is the same. */
static void add_position(const struct run *run, const struct tape *tape, uint64_t offset,
                         struct str *out)
{
	char *position = NULL;
	struct hence_error *error = run_position_at(run, tape, offset, &position);

	if (!error && position)
		str_printf(out, ", at %s", position);
	error_destroy(error);
	free(position);
}

static void note_difference(struct run *run, const struct tapes *first,
                            const struct repeat_difference *difference)
{
	struct str text = STR_INIT;

	if (difference->field) {
		str_printf(&text, "in the %s: %lu and %lu", difference->field,
		           difference->values[0], difference->values[1]);
	} else {
		str_add(&text, "at byte ");
		run_add_number(&text, difference->offset - HENCE_STREAM);
		add_position(run, &first->list.at[difference->tape], difference->offset, &text);
	}
	if (first->list.size > 1)
		str_printf(&text, " (tape %u)", first->list.at[difference->tape].number);
	run_note(run, "two runs differ %s", str_text(&text));
	str_deinit(&text);
}

static struct hence_error *compare(struct run *run, bool *same)
{
	struct tapes first = {VEC_INIT}, second = {VEC_INIT};
	struct repeat_difference difference;
	struct hence_error *error = tapes_list(&run->session, true, &first);

	if (!error)
		error = tapes_list(&run->session, false, &second);
	if (!error)
		error = repeat_compare(&first, &second, &difference);
	if (!error) {
		*same = difference.same;
		if (difference.same)
			note_same(run, &difference);
		else
			note_difference(run, &first, &difference);
	}
	tapes_deinit(&first);
	tapes_deinit(&second);
	return error;
}

struct hence_error *run_check_repeat(struct run *run, bool *same)
{
	struct launch_result again;
	struct hence_error *error = session_repeat(&run->session);

	if (!error)
		error = run_again(run, run->session.path, &again);
	if (error)
		return error;
	launch_result_deinit(&again);
	return compare(run, same);
}

/* --- -v --- */

static void note_times(struct run *run)
{
	struct str rate = STR_INIT;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < run->tapes.list.size; i++)
		bytes += tape_bytes(&run->tapes.list.at[i]);
	run_add_size(&rate, (uint64_t)((double)bytes / (run->launch.wall + 1e-9)));
	run_note(run, "recorded in %.3f s (CPU %.3f s), %s/s of tape", run->launch.wall,
	         run->launch.cpu, str_text(&rate));
	str_deinit(&rate);
}

struct hence_error *run_measure(struct run *run)
{
	struct launch_result plain;
	struct hence_error *error;

	note_times(run);
	if (!run_can_repeat(run)) {
		run_note(run, "the slowdown is not measured, since standard input is not a file; "
		              "use --stdin FILE");
		return NULL;
	}
	error = run_again(run, NULL, &plain);
	if (error)
		return error;
	run_note(run, "not recording: %.3f s (CPU %.3f s); recording takes %.2f times the CPU time",
	         plain.wall, plain.cpu, run->launch.cpu / (plain.cpu + 1e-9));
	launch_result_deinit(&plain);
	return NULL;
}
