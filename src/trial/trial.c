/* A pool of trials, as hence sees it, and its first run: see trial.h. */
#include "trial/trial.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/blobs.h"
#include "trial/trial_bytes.h"
#include "trial/trial_pool.h"
#include "trial/trial_tree.h"

/* ------ the user's test ------ */

/* Its command as a line for `sh -c`. */

#define BLANKS " \t\n"

/* The length of the first word, if the shell takes it as it is written; else 0. */
static size_t plain_word(const char *text)
{
	size_t length = strcspn(text, BLANKS);

	return strcspn(text, "|&;<>()$`\\\"'*?[]#~=%!{}^") < length ? 0 : length;
}

static struct hence_error *check(const char *word)
{
	struct stat info;

	if (stat(word, &info))
		return error_create(HENCE_ERROR_INPUT, "cannot run the test %s: %s", word,
		                    errno == ENOENT ? "no such file" : strerror(errno));
	if (S_ISDIR(info.st_mode))
		return error_create(HENCE_ERROR_INPUT, "cannot run the test %s: it is a directory",
		                    word);
	if (access(word, X_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run the test %s: no permission to execute it (chmod "
		                    "+x?)",
		                    word);
	return NULL;
}

/* A name without a slash that is a file here but not in PATH is what people mean by './name'. */
static struct hence_error *check_name(const char *word, const char *test)
{
	struct stat info;
	char *line;
	bool known;

	if (stat(word, &info) || !S_ISREG(info.st_mode))
		return NULL;
	line = str_format("command -v '%s' >/dev/null 2>&1", word);
	known = !system(line);
	free(line);
	if (known)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "cannot run the test %s: it is not in PATH; for the file of this "
	                    "directory say ./%s",
	                    word, test);
}

/* Makes the line. A relative path in the first word is made absolute, since the trial may run
   elsewhere; the error says that it does not exist or cannot be executed. Caller frees *out. */
static struct hence_error *trial_test_line(const char *test, char **out)
{
	size_t blanks = strspn(test, BLANKS), length = plain_word(test + blanks);
	const char *rest = test + blanks + length;
	char *word = mem_strndup(test + blanks, length), *path = NULL;
	struct hence_error *error = NULL;
	struct str line = STR_INIT;

	if (!*(test + blanks))
		error = error_create(HENCE_ERROR_INPUT, "the test is empty; say --test COMMAND");
	else if (length)
		error = strchr(word, '/') ? check(word) : check_name(word, test + blanks);
	if (!error && strchr(word, '/'))
		path = realpath(word, NULL);
	if (path) {
		str_add_quoted(&line, path);
	} else {
		str_add(&line, word);
	}
	str_add(&line, rest);
	if (length && !rest[strspn(rest, BLANKS)])
		str_add(&line, " \"$@\"");
	if (error)
		str_deinit(&line);
	else
		*out = str_steal(&line);
	free(path);
	free(word);
	return error;
}

/* ------ the first run, and what follows from it ------ */

/*
 * Where trials run: files that vary must lie in a copy of the working directory. Without such files
 * it is cheaper to run in the directory itself, where the program can read but not write. Whether
 * it can work like that is found out: it runs in a copy too, and if that goes otherwise, all trials
 * do.
 */

#define FIRST_TIMEOUT 60.0 /* seconds */
#define ENDLESS       5.0  /* seconds of processor time without reading or writing */
#define HANG_PART     16u /* of the work of a first run that seemed endless is what others may do */
#define PULSE         0.2 /* seconds between two questions whether somebody waits */
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

/* In a slot that is open. Edited code may do more than what limits were chosen for, so it has none, unless it is known to
   hang. */
static struct hence_error *run_in_slot(struct trials *trials, struct trial_result *out)
{
	const struct trials_options *options = trials->options;
	struct trial_edit unlimited = {0};
	struct hence_error *error;
	bool ended = false;
	uint64_t id;

	if (options->image)
		unlimited = (struct trial_edit){.work = options->work   ? options->work
		                                        : trials->hangs ? trials->work
		                                                        : UINT64_MAX,
		                                .seconds = options->timeout > 0 ? options->timeout
		                                                                : FIRST_TIMEOUT};
	error = trials_start_edited(trials, options->input, unlimited, 0);
	while (!error && !ended && !trials_stops(trials))
		error = trials_poll(trials, PULSE, &ended);
	if (!error && !ended)
		error = error_create(HENCE_ERROR_INPUT, "stopped");
	if (!error)
		error = trials_wait(trials, &id, out);
	return error;
}

static struct hence_error *run_once(struct trials *trials, struct trial_result *out)
{
	struct hence_error *error = trials_open_slot(trials);

	return error ? error : run_in_slot(trials, out);
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

	if (reaches_outside(trials) || first->endless)
		return NULL;
	error = make_origin(trials, &fits);
	if (!error && !fits && !trials->note)
		trials->note = str_format("the working directory is too large to be copied, so the "
		                          "program runs in it without permission to write");
	if (error || !fits)
		return error;
	trials_close_slots(trials);
	error = run_once(trials, &second);
	/* A test may hide that the program could not write where it wanted to. */
	if (!error && !trials->line && same_result(first, &second) &&
	    same_text(&first->message, &second.message)) {
		trial_scratch_remove(trials->origin);
		free(trials->origin);
		trials->origin = NULL;
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
	trials->patience = 0;
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

	if (timeout <= 0 && first->outcome.kind == OUTCOME_TIMED_OUT && first->limit)
		return error_create(
			HENCE_ERROR_INPUT,
			first->limit == TRIAL_FILE_SIZE
				? "%s was stopped when it had written 1 GB to one file or to its "
				  "output, the most that hence lets a run write; give it an "
				  "input with which it writes less"
				: "%s was stopped when it had more than 256 processes, the most "
				  "that hence lets a run have; give it an input with which it "
				  "starts fewer",
			trials->line ? "the test" : trials->options->name);
	if (timeout <= 0 && first->outcome.kind == OUTCOME_TIMED_OUT && !first->cut &&
	    !first->endless)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s still runs after %.0f seconds; if that is the failure, say "
		                    "after how many seconds it counts as one: --timeout SECONDS",
		                    trials->line ? "the test" : trials->options->name,
		                    trials->timeout);
	trials->timeout = timeout > 0 ? timeout : fmax(LEAST_TIMEOUT, 10 * first->seconds);
	trials->hangs = first->outcome.kind == OUTCOME_TIMED_OUT;
	/* A run that hangs is cut when it has done the work that a first run could do in that time, or the part of it: so the
	   same run ends at the same statement, and the clock is only for those that wait. */
	if (trials->counted && !trials->work && first->outcome.kind == OUTCOME_TIMED_OUT) {
		uint64_t work = first->endless ? first->work / HANG_PART : first->work;

		if (work > LEAST_WORK) {
			trials->work = 1ull << (63 - __builtin_clzll(work));
			trials->timeout = 10 * first->seconds;
		}
	}
	/* A run that ends says more about what is much than the limit that it had. */
	if (trials->counted && first->outcome.kind != OUTCOME_TIMED_OUT) {
		uint64_t work = (uint64_t)(factor * (double)first->work) + LEAST_WORK;

		if (!trials->work || work < trials->work)
			trials->work = work;
	}
	if (first->peak && first->peak < SANITIZED)
		trials->memory = first->peak * 4 > LEAST_MEMORY ? first->peak * 4 : LEAST_MEMORY;
	return NULL;
}

#define SHORT 2.0 /* seconds of a run that is looked at closely */

/* The same run once more: does confinement refuse it something? */
static void watch_first(struct trials *trials, struct trial_result *first)
{
	struct trial_result watched = {.test = -1};
	struct hence_error *error;

	if (!trials->options->watched || trials->options->unconfined || trials->line ||
	    trials->untraced || first->outcome.kind == OUTCOME_TIMED_OUT || first->seconds > SHORT)
		return;
	trials->watched = true;
	trials_close_slots(trials);
	error = run_once(trials, &watched);
	trials->watched = false;
	trials_close_slots(trials);
	if (!error && same_outcome(&watched.outcome, &first->outcome)) {
		first->refused = watched.refused;
		watched.refused = (struct str)STR_INIT;
	}
	error_destroy(error);
	trial_result_deinit(&watched);
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

/* Runs the failing input for the first time: chooses where trials run and their limits, and leaves
   one slot open, with other limits. Caller frees *first. */
static struct hence_error *trials_run_first(struct trials *trials, struct trial_result *first)
{
	bool inside = false, fits = true;
	struct hence_error *error = look_at_files(trials, &inside);

	trials->untraced =
		checks_leaks(trials->program) || (trials->other && checks_leaks(trials->other));
	trials->timeout = trials->options->timeout > 0 ? trials->options->timeout : FIRST_TIMEOUT;
	trials->patience = trials->options->timeout > 0 ? 0 : ENDLESS;
	trials->counted = is_instrumented(trials->program);
	trials->work = trials->counted ? trials->options->work : 0;
	/* Without confinement the program must not run where the user's files are. */
	inside |= trials->options->unconfined;
	if (!error && inside)
		error = make_origin(trials, &fits);
	if (!error && !fits)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the working directory %s is too large to be copied (256 MB, "
		                     "20,000 files), and trials with changed files need a copy; "
		                     "run hence in a directory with only what the program needs",
		                     trials->folder);
	if (!error)
		error = run_once(trials, first);
	if (!error && first->endless && trials->options->notice)
		trials->options->notice("the program has computed for 5 seconds without reading or "
		                        "writing: it is taken to hang; if it only takes long, say "
		                        "with --timeout SECONDS when it does");
	if (!error && !inside)
		error = compare_with_copy(trials, first);
	if (!error)
		error = choose_limits(trials, first);
	if (!error)
		watch_first(trials, first);
	if (!error)
		compare_with_server(trials, first);
	return error;
}

/* ------ what other pools found out ------ */

void trials_known_deinit(struct trials_known *known)
{
	free(known->program);
	input_deinit(&known->input);
	*known = (struct trials_known){0};
}

/* A test and another build are programs of their own, and orders change the run. */
static bool can_know(const struct trials *trials)
{
	return trials->options->known && !trials->line && !trials->other && !trials->orders;
}

/* What is not worth a run to find out. */
static bool is_known(const struct trials *trials)
{
	const struct trials_options *options = trials->options;
	const struct trials_known *known = options->known;

	/* With an edit in force from the start, the first run says how much that does. */
	return can_know(trials) && !(options->image && options->plain) && known->program &&
	       !strcmp(known->program, trials->program) &&
	       known->unconfined == options->unconfined && (known->compared || options->plain) &&
	       input_equal(&known->input, options->input);
}

static void learn(struct trials *trials, const struct trial_result *first)
{
	struct trials_known *known = trials->options->known;

	/* A note is to be said again, and an edited program may do more. What stopped a run that neither time nor work did is an
	   error. */
	if (!can_know(trials) || trials->options->image || trials->note || first->limit ||
	    (known->compared && trials->options->plain))
		return;
	trials_known_deinit(known);
	*known = (struct trials_known){.program = mem_strdup(trials->program),
	                               .unconfined = trials->options->unconfined,
	                               .copied = trials->origin,
	                               .compared = !trials->options->plain,
	                               .served = trials->served,
	                               .hangs = first->outcome.kind == OUTCOME_TIMED_OUT,
	                               .endless = first->endless,
	                               .cut = first->cut,
	                               .work = first->work,
	                               .peak = first->peak,
	                               .seconds = first->seconds};
	input_copy(&known->input, trials->options->input);
}

/* As trials_run_first(), without running anything. */
static struct hence_error *take_known(struct trials *trials)
{
	const struct trials_known *known = trials->options->known;
	const struct trial_result first = {.outcome.kind = known->hangs ? OUTCOME_TIMED_OUT
	                                                                : OUTCOME_UNKNOWN,
	                                   .endless = known->endless,
	                                   .cut = known->cut,
	                                   .work = known->work,
	                                   .peak = known->peak,
	                                   .seconds = known->seconds};
	bool inside = false, fits = true;
	struct hence_error *error = look_at_files(trials, &inside);

	trials->untraced = checks_leaks(trials->program);
	trials->counted = is_instrumented(trials->program);
	trials->work = trials->counted ? trials->options->work : 0;
	if (!error && (known->copied || inside))
		error = make_origin(trials, &fits);
	if (!error && !fits)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the working directory %s has become too large to be copied",
		                     trials->folder);
	trials->served = known->served && !trials->options->plain;
	return error ? error : choose_limits(trials, &first);
}

/* ------ the pool ------ */

uint64_t trials_work(const struct trials *trials)
{
	return trials->work;
}

void trial_result_deinit(struct trial_result *result)
{
	outcome_deinit(&result->outcome);
	outcome_deinit(&result->other);
	str_deinit(&result->output);
	str_deinit(&result->message);
	str_deinit(&result->right);
	str_deinit(&result->right_message);
	str_deinit(&result->refused);
	*result = (struct trial_result){.test = -1};
}

bool trials_stops(void *context)
{
	struct trials *trials = context;
	const struct trials_options *options = trials->options;

	/* Once made, a pool is ended by trials_destroy(). */
	if (!trials->made && options->stop && options->stop(options->context))
		trials->stopped = true;
	return trials->stopped;
}

static struct hence_error *start_worker(struct trials *trials, bool other, struct worker *out)
{
	const struct trials_options *options = trials->options;
	/* Paths of all parts are equally long: programs that know theirs have the same
	   addresses. */
	char *part = str_format("%s/%04u", trials->scratch.path, trials->next++);
	struct worker_options worker = {
		.room = {.program = other ? trials->other : trials->program,
	                 .name = options->name,
	                 .line = trials->line,
	                 .folder = trials->folder,
	                 .origin = trials->origin,
	                 .part = part,
	                 .session = trials->session,
	                 .input = options->input},
		.scratch = &trials->scratch,
		.kind = trials->kind,
		.tape = trials->tape,
		.budget = trials->budget,
		.rails = trials->rails,
		.orders = trials->orders,
		.image = other ? NULL : options->image,
		.unconfined = trials->options->unconfined,
		.watched = trials->watched && !other,
		.patience = other ? 0 : trials->patience,
		.timeout = trials->timeout,
		.memory = trials->memory,
		.work = other ? 0 : trials->work,
		.counted = trials->counted && !other,
		.plain = !trials->served,
		.untraced = trials->untraced,
		.stop = trials_stops,
		.context = trials,
	};
	struct hence_error *error = worker_start(&worker, out);

	free(part);
	return error;
}

struct hence_error *trials_open_slot(struct trials *trials)
{
	struct slot slot = {.state = SLOT_IDLE};
	struct hence_error *error = start_worker(trials, false, &slot.workers[0]);

	if (!error && trials->other)
		error = start_worker(trials, true, &slot.workers[1]);
	if (error)
		worker_stop(&slot.workers[0]);
	else
		*vec_push(&trials->slots) = slot;
	return error;
}

void trials_close_slots(struct trials *trials)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		for (int k = 0; k < 2; k++)
			worker_stop(&trials->slots.at[i].workers[k]);
		trial_result_deinit(&trials->slots.at[i].result);
		str_deinit(&trials->slots.at[i].extra);
	}
	trials->slots.size = 0;
}

uint32_t trials_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores))
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

/* An absolute path, since trials may run elsewhere. */
static struct hence_error *resolve(const char *path, char **out)
{
	*out = realpath(path, NULL);
	if (!*out)
		return error_create(HENCE_ERROR_INPUT, "cannot run %s: %s", path,
		                    errno == ENOENT ? "no such file" : strerror(errno));
	if (access(*out, X_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run %s: no permission to execute it (chmod +x?)", path);
	return NULL;
}

static struct hence_error *prepare(struct trials *trials)
{
	const struct trials_options *options = trials->options;
	struct hence_error *error = resolve(options->program, &trials->program);

	if (!error && options->other)
		error = resolve(options->other, &trials->other);
	if (!error && options->test)
		error = trial_test_line(options->test, &trials->line);
	trials->folder = getcwd(NULL, 0);
	if (!error && !trials->folder)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot find the working directory");
	if (!error)
		error = trial_scratch_create(&trials->scratch);
	return error;
}

/* What went wrong, or nothing when nobody wants the pool any more: then it is NULL. */
static struct hence_error *give_up(struct trials **trials, struct trial_result *first,
                                   struct hence_error *error)
{
	bool stopped = (*trials)->stopped;

	trial_result_deinit(first);
	trials_destroy(*trials);
	*trials = NULL;
	if (!stopped)
		return error;
	error_destroy(error);
	return NULL;
}

struct hence_error *trials_make(const struct trials_options *options, struct trials **out,
                                struct trial_result *first)
{
	struct trials *trials = mem_alloc(sizeof(*trials));
	struct trial_result result = {.test = -1};
	struct hence_error *error;

	trials->options = options;
	if (options->unconfined)
		trials->note = str_format("the program's runs are not confined: what they do to "
		                          "files and processes is done");
	trials->scratch.lock = -1;
	trials->count = options->workers ? options->workers : trials_cores();
	error = prepare(trials);
	if (!error && is_known(trials)) {
		error = take_known(trials);
	} else if (!error) {
		error = trials_run_first(trials, &result);
		if (!error)
			learn(trials, &result);
	}
	/* The first run had no limits, but those of a fork server; the workers are to have them. */
	if (error || !trials->served)
		trials_close_slots(trials);
	if (error)
		error = give_up(&trials, &result, error);
	if (error)
		return error;
	*out = trials;
	*first = result;
	return NULL;
}

struct hence_error *trials_create(const struct trials_options *options, struct trials **out,
                                  struct trial_result *first)
{
	struct trial_result result = {.test = -1};
	struct trials *trials = NULL;
	struct hence_error *error = trials_make(options, &trials, &result);

	if (!error && trials && !trials->slots.size)
		error = trials_open_slot(trials);
	/* All was known. */
	if (!error && trials && result.outcome.kind == OUTCOME_UNKNOWN)
		error = run_in_slot(trials, &result);
	if (error && trials)
		error = give_up(&trials, &result, error);
	if (error)
		return error;
	if (trials)
		trials->made = true;
	*out = trials;
	*first = result;
	return NULL;
}

void trials_destroy(struct trials *trials)
{
	if (!trials)
		return;
	trials_close_slots(trials);
	vec_deinit(&trials->slots);
	trial_scratch_destroy(&trials->scratch);
	free(trials->program);
	free(trials->other);
	free(trials->line);
	free(trials->folder);
	free(trials->origin);
	free(trials->note);
	free(trials);
}

bool trials_ready(const struct trials *trials)
{
	/* A cancelled trial ends within moments. */
	for (uint32_t i = 0; i < trials->slots.size; i++)
		if (trials->slots.at[i].state != SLOT_BUSY)
			return true;
	return trials->slots.size < trials->count;
}

/* Takes a worker's part of the result. */
static struct hence_error *take_result(struct trials *trials, struct slot *slot, int which,
                                       const struct str *message)
{
	struct str extra = STR_INIT;
	struct trial_result part;

	if (!trial_bytes_get_result(message, &part, &extra))
		return error_create(HENCE_ERROR_INTERNAL, "a worker gave a damaged result");
	trials->forked += part.forked;
	if (which == 0) {
		str_deinit(&slot->extra);
		slot->extra = extra;
		outcome_deinit(&part.other);
		str_deinit(&part.right);
		str_deinit(&part.right_message);
		part.other = slot->result.other;
		part.right = slot->result.right;
		part.right_message = slot->result.right_message;
		slot->result = part;
		return NULL;
	}
	slot->result.other = part.outcome;
	slot->result.right = part.output;
	slot->result.right_message = part.message;
	part.outcome = (struct outcome){0};
	part.output = part.message = (struct str)STR_INIT;
	trial_result_deinit(&part);
	str_deinit(&extra);
	return NULL;
}

/* Reads the answer of one worker of a slot. */
static struct hence_error *answer(struct trials *trials, struct slot *slot, int which)
{
	struct hence_error *error = NULL;
	struct str message = STR_INIT;
	enum message_kind kind;

	if (!message_receive(slot->workers[which].socket, &kind, &message))
		error = worker_death(&slot->workers[which]);
	else if (kind == MESSAGE_ERROR)
		error = worker_error(&message);
	else if (kind == MESSAGE_RESULT)
		error = take_result(trials, slot, which, &message);
	slot->answered[which] = true;
	str_deinit(&message);
	return error;
}

static void clear(struct slot *slot)
{
	trial_result_deinit(&slot->result);
	str_deinit(&slot->extra);
	slot->state = SLOT_IDLE;
}

/* A slot that is idle, if need be after waiting for the end of a cancelled trial, or a new one: many pools never have two
   trials at a time. */
static struct hence_error *free_slot(struct trials *trials, struct slot **out)
{
	struct slot *found = NULL;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state == SLOT_IDLE || (slot->state == SLOT_CANCELLED && !found))
			found = slot;
		if (slot->state == SLOT_IDLE)
			break;
	}
	if (!found) {
		assert(trials->slots.size < trials->count);
		error = trials_open_slot(trials);
		if (error)
			return error;
		found = &trials->slots.at[trials->slots.size - 1];
	}
	for (int k = 0; k < 2 && found->state == SLOT_CANCELLED && !error; k++)
		if (found->workers[k].pid && !found->answered[k])
			error = answer(trials, found, k);
	if (error)
		return error;
	clear(found);
	*out = found;
	return NULL;
}

struct hence_error *trials_record(struct trials *trials, const struct input *input,
                                  const char *session, struct trial_result *out)
{
	struct hence_error *error;
	uint64_t id;

	trials_close_slots(trials);
	free(trials->line);
	free(trials->other);
	trials->line = trials->other = NULL;
	trials->session = session;
	trials->served = false;
	trials->memory = 0;
	error = trials_open_slot(trials);
	if (!error)
		error = trials_start(trials, input, 0);
	if (!error)
		error = trials_wait(trials, &id, out);
	trials_close_slots(trials);
	return error;
}

struct hence_error *trials_start_edited(struct trials *trials, const struct input *input,
                                        struct trial_edit edit, uint64_t id)
{
	struct str bytes = STR_INIT;
	struct hence_error *error;

	trial_bytes_put_input(&bytes, input, &edit);
	error = trials_give(trials, &bytes, id);
	str_deinit(&bytes);
	return error;
}

struct hence_error *trials_start(struct trials *trials, const struct input *input, uint64_t id)
{
	return trials_start_edited(trials, input, (struct trial_edit){0}, id);
}

struct hence_error *trials_wait_scouts(struct trials *trials, uint64_t *id,
                                       struct trial_result *out, struct str *scouts)
{
	return trials_take(trials, id, out, scouts);
}

struct hence_error *trials_give(struct trials *trials, const struct str *job, uint64_t id)
{
	struct slot *slot;
	struct hence_error *error = free_slot(trials, &slot);

	if (error)
		return error;
	for (int k = 0; k < 2; k++) {
		slot->answered[k] = false;
		/* A worker that is gone is noticed when its answer is read. */
		if (slot->workers[k].pid)
			message_send(slot->workers[k].socket, MESSAGE_JOB, job->text, job->length);
	}
	slot->state = SLOT_BUSY;
	slot->id = id;
	trials->all++;
	return NULL;
}

/* Waits until workers have something to say, a signal comes or the time is over (-1: never);
   `ready` of [2 * slot + which]. */
static struct hence_error *poll_workers(struct trials *trials, int milliseconds,
                                        struct pollfd *ready)
{
	uint32_t busy = 0;

	for (uint32_t i = 0; i < 2 * trials->slots.size; i++) {
		const struct slot *slot = &trials->slots.at[i / 2];
		bool open = slot->state != SLOT_IDLE && slot->workers[i % 2].pid &&
		            !slot->answered[i % 2];

		ready[i] = (struct pollfd){.fd = open ? slot->workers[i % 2].socket : -1,
		                           .events = POLLIN};
		busy += slot->state == SLOT_BUSY;
	}
	assert(busy);
	if (poll(ready, 2 * trials->slots.size, milliseconds) < 0 && errno != EINTR)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot wait for workers");
	return NULL;
}

/* A slot whose trial has ended; NULL: none yet. */
static struct slot *complete_slot(struct trials *trials)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state == SLOT_IDLE ||
		    (!slot->answered[0] || (!slot->answered[1] && trials->other)))
			continue;
		if (slot->state == SLOT_BUSY)
			return slot;
		clear(slot);
	}
	return NULL;
}

/* Takes what workers have to say. */
static struct hence_error *advance(struct trials *trials, int milliseconds)
{
	struct pollfd *ready = mem_alloc(2 * trials->slots.size * sizeof(*ready));
	struct hence_error *error = poll_workers(trials, milliseconds, ready);

	for (uint32_t i = 0; i < 2 * trials->slots.size && !error; i++)
		if (ready[i].revents)
			error = answer(trials, &trials->slots.at[i / 2], i % 2);
	free(ready);
	return error;
}

struct hence_error *trials_poll(struct trials *trials, double seconds, bool *ended)
{
	struct hence_error *error = NULL;

	if (!complete_slot(trials))
		error = advance(trials, (int)(seconds * 1000));
	if (!error)
		*ended = complete_slot(trials);
	return error;
}

struct hence_error *trials_wait(struct trials *trials, uint64_t *id, struct trial_result *out)
{
	struct str extra = STR_INIT;
	struct hence_error *error = trials_take(trials, id, out, &extra);

	str_deinit(&extra);
	return error;
}

struct hence_error *trials_take(struct trials *trials, uint64_t *id, struct trial_result *out,
                                struct str *extra)
{
	struct hence_error *error = NULL;
	struct slot *slot;

	while (!(slot = complete_slot(trials)) && !error)
		error = advance(trials, -1);
	if (error)
		return error;
	*id = slot->id;
	*out = slot->result;
	*extra = slot->extra;
	slot->result = (struct trial_result){.test = -1};
	slot->extra = (struct str)STR_INIT;
	slot->state = SLOT_IDLE;
	return NULL;
}

void trials_cancel(struct trials *trials, uint64_t id)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state != SLOT_BUSY || slot->id != id)
			continue;
		slot->state = SLOT_CANCELLED;
		for (int k = 0; k < 2; k++)
			if (slot->workers[k].pid && !slot->answered[k])
				message_send(slot->workers[k].socket, MESSAGE_CANCEL, NULL, 0);
	}
}

const char *trials_note(const struct trials *trials)
{
	return trials->note;
}

void trials_count(const struct trials *trials, uint64_t *all, uint64_t *forked)
{
	*all = trials->all;
	*forked = trials->forked;
}
