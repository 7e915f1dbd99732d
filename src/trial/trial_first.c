/*
 * The first run of a pool, and what follows from it.
 *
 * Where trials run: files that vary must lie in a copy of the working directory. Without such files
 * it is cheaper to run in the directory itself, where the program can read but not write. Whether
 * it can work like that is found out: it runs in a copy too, and if that goes otherwise, all trials
 * do.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/blobs.h"
#include "trial/trial_pool.h"
#include "trial/trial_tree.h"

#define FIRST_TIMEOUT 60.0 /* seconds */
#define PULSE         0.2  /* seconds between two questions whether somebody waits */
#define LEAST_TIMEOUT 1.0
#define LEAST_MEMORY  (2ull << 30)
#define LEAST_WORK    (1ull << 20) /* see server_work() */
#define SANITIZED     (1ull << 40) /* bytes of address space that only shadow memory takes */

/* Do files lie in the working directory? The error names one that no trial could be given. */
static struct hence_error *look_at_files(const struct trials *trials, bool *inside)
{
	const struct input *input = trials->options->input;

	*inside = false;
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const char *name = input->parts.at[i].name;
		struct worker_file file;
		bool below, named;

		if (input->parts.at[i].kind != INPUT_FILE)
			continue;
		worker_file_init(&file, name, input);
		below = file.below;
		named = file.named;
		worker_file_deinit(&file);
		*inside |= below;
		if (!below && !named)
			return error_create(
				HENCE_ERROR_INPUT,
				"the file %s does not lie in the working directory and no "
				"argument names it, so hence cannot give the program "
				"another; go to its directory, or name it in an argument",
				name);
	}
	return NULL;
}

/* Copies the working directory to where all workers copy it from. `*fits` is false when it is too
   large. */
static struct hence_error *make_origin(struct trials *trials, bool *fits)
{
	uint64_t copies = trials->count * (trials->other ? 2 : 1) + 1, bytes = 0;
	uint32_t files = 0;
	struct hence_error *error;
	char *path;

	*fits = trial_tree_measure(trials->folder, &bytes, &files) &&
	        bytes * copies < trial_scratch_space(&trials->scratch) / 2;
	if (!*fits)
		return NULL;
	path = str_format("%s/origin", trials->scratch.path);
	error = trial_tree_copy(trials->folder, path);
	if (error)
		free(path);
	else
		trials->origin = path;
	return error;
}

static struct hence_error *too_large(const struct trials *trials)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "the working directory %s is too large to be copied (256 MB, 20,000 "
	                    "files), and trials with changed files need a copy; run hence in a "
	                    "directory with only what the program needs",
	                    trials->folder);
}

static struct hence_error *run_once(struct trials *trials, struct trial_result *out)
{
	struct hence_error *error = trials_open_slot(trials);
	bool ended = false;
	uint64_t id;

	if (!error)
		error = trials_start(trials, trials->options->input, 0);
	while (!error && !ended && !trials_stops(trials))
		error = trials_poll(trials, PULSE, &ended);
	if (!error && !ended)
		error = error_create(HENCE_ERROR_INPUT, "stopped");
	if (!error)
		error = trials_wait(trials, &id, out);
	return error;
}

static bool same_outcome(const struct outcome *a, const struct outcome *b)
{
	struct str one = STR_INIT, two = STR_INIT;
	bool same;

	/* The line where the stack ends depends on what lies on it, such as the environment. */
	if (a->recursion && b->recursion)
		return a->signal == b->signal && !strcmp(a->recursion, b->recursion);
	outcome_write_key(a, &one);
	outcome_write_key(b, &two);
	same = !strcmp(str_text(&one), str_text(&two));
	str_deinit(&one);
	str_deinit(&two);
	return same;
}

static bool same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && !memcmp(str_text(a), str_text(b), a->length);
}

static bool same_result(const struct trial_result *a, const struct trial_result *b)
{
	return same_outcome(&a->outcome, &b->outcome) && a->test == b->test &&
	       same_text(&a->output, &b->output) && same_outcome(&a->other, &b->other) &&
	       same_text(&a->right, &b->right);
}

static void drop_origin(struct trials *trials)
{
	trial_scratch_remove(trials->origin);
	free(trials->origin);
	trials->origin = NULL;
}

/* Does an argument name what lies beside the working directory, so that a copy elsewhere does not have it? */
static bool reaches_outside(const struct trials *trials)
{
	const struct input *input = trials->options->input;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		const char *text = str_text(&part->bytes);

		if (part->kind == INPUT_ARGUMENT && !strncmp(text, "../", 3) && !access(text, F_OK))
			return true;
	}
	return false;
}

/* The first run was in place: does a copy make a difference? Then `first` is the run there. */
static struct hence_error *compare_with_copy(struct trials *trials, struct trial_result *first)
{
	struct trial_result second = {.test = -1};
	struct hence_error *error;
	bool fits;

	if (reaches_outside(trials))
		return NULL;
	error = make_origin(trials, &fits);
	if (!error && !fits && !trials->note)
		trials->note = str_format("the working directory is too large to be copied, so the "
		                          "program runs in it without permission to write");
	if (error || !fits)
		return error;
	trials_close_slots(trials);
	error = run_once(trials, &second);
	if (!error && same_result(first, &second)) {
		drop_origin(trials);
		trial_result_deinit(&second);
	} else if (!error) {
		trial_result_deinit(first);
		*first = second;
	}
	return error;
}

/* Only programs that hence cc has built count their work and can be servers. */
static bool is_instrumented(const char *path)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(path, &blobs);
	bool instrumented = false;

	if (!error) {
		instrumented = blobs_instrumented(blobs);
		blobs_close(blobs);
	}
	error_destroy(error);
	return instrumented;
}

/* The same run, forked: if it goes the same way, all trials are forked. */
static void compare_with_server(struct trials *trials, const struct trial_result *first)
{
	struct trial_result forked = {.test = -1};
	struct hence_error *error;

	if (trials->options->plain || trials->line || trials->untraced || !trials->counted)
		return;
	trials->served = true;
	trials_close_slots(trials);
	error = run_once(trials, &forked);
	/* A server is never needed: what is wrong with it does not matter. */
	if (error) {
		error_destroy(error);
		trials->served = false;
		return;
	}
	trials->served = forked.forked && same_result(first, &forked);
	trial_result_deinit(&forked);
}

static struct hence_error *choose_limits(struct trials *trials, const struct trial_result *first)
{
	double factor = trials->options->statements > 0 ? trials->options->statements : 10;
	double timeout = trials->options->timeout;

	if (timeout <= 0 && first->outcome.kind == OUTCOME_TIMED_OUT && !first->cut)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s still runs after %.0f seconds; if that is the failure, say "
		                    "after how many seconds it counts as one: --timeout SECONDS",
		                    trials->line ? "the test" : trials->options->name,
		                    trials->timeout);
	trials->timeout = timeout > 0 ? timeout : fmax(LEAST_TIMEOUT, 10 * first->seconds);
	/* Of a first run that hangs nobody knows what is much. */
	if (trials->counted && !trials->work && first->outcome.kind != OUTCOME_TIMED_OUT)
		trials->work = (uint64_t)(factor * (double)first->work) + LEAST_WORK;
	if (first->peak && first->peak < SANITIZED)
		trials->memory = first->peak * 4 > LEAST_MEMORY ? first->peak * 4 : LEAST_MEMORY;
	return NULL;
}

/* LeakSanitizer, which comes with AddressSanitizer, fails in a program that is traced. Such
   programs report their crashes themselves. */
static bool checks_leaks(const char *path)
{
	static const char *const marks[] = {"libasan.so", "liblsan.so", "LeakSanitizer"};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info = {0};
	void *bytes = MAP_FAILED;
	bool found = false;

	if (fd >= 0 && !fstat(fd, &info) && info.st_size)
		bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	for (size_t i = 0; i < 3 && bytes != MAP_FAILED; i++)
		found |= memmem(bytes, (size_t)info.st_size, marks[i], strlen(marks[i])) != NULL;
	if (bytes != MAP_FAILED)
		munmap(bytes, (size_t)info.st_size);
	if (fd >= 0)
		close(fd);
	return found;
}

struct hence_error *trials_run_first(struct trials *trials, struct trial_result *first)
{
	bool inside = false, fits = true;
	struct hence_error *error = look_at_files(trials, &inside);

	trials->untraced =
		checks_leaks(trials->program) || (trials->other && checks_leaks(trials->other));
	trials->timeout = trials->options->timeout > 0 ? trials->options->timeout : FIRST_TIMEOUT;
	trials->counted = is_instrumented(trials->program);
	trials->work = trials->counted ? trials->options->work : 0;
	/* Without confinement the program must not run where the user's files are. */
	inside |= trials->options->unconfined;
	if (!error && inside)
		error = make_origin(trials, &fits);
	if (!error && !fits)
		error = too_large(trials);
	if (!error)
		error = run_once(trials, first);
	if (!error && !inside)
		error = compare_with_copy(trials, first);
	if (!error)
		error = choose_limits(trials, first);
	if (!error)
		compare_with_server(trials, first);
	return error;
}
