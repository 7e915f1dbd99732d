/* `hence explain prog.c`: compiles the sources first. See explain.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/explain.h"
#include "explain/input_search.h"
#include "trial/confine.h"
#include "trial/trial_scratch.h"

/* Of a compiler that is confined. Sanitizers reserve more memory than there is. */
#ifdef __SANITIZE_ADDRESS__
#define COMPILER_MEMORY 0
#else
#define COMPILER_MEMORY (8ull << 30)
#endif
#define COMPILER_FILE    (1ull << 30)
#define COMPILER_SECONDS 60u

/* `prog` of `dir/prog.c`. Caller frees. */
static char *program_name(const char *source)
{
	const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;

	return mem_strndup(base, strlen(base) - 2);
}

/* The words of hence cc. Caller frees the list. */
static char **compiler_words(const struct report_options *options, char *path, int *count)
{
	char **words = mem_alloc((options->source_count + 5) * sizeof(*words));
	int used = 0;

	words[used++] = "cc";
	words[used++] = "-g";
	words[used++] = "-o";
	words[used++] = path;
	for (uint32_t i = 0; i < options->source_count; i++)
		words[used++] = options->sources[i];
	*count = used;
	return words;
}

/* For good: no file outside of the scratch directory is written. Its group is its own, so that all of it can be ended. */
static void enter_confinement(const struct confine *confine, const char *scratch)
{
	int reason = 0;

	if (setpgid(0, 0) || setenv("TMPDIR", scratch, 1))
		reason = errno;
	if (!reason)
		reason = confine_self(confine);
	if (!reason)
		return;
	fprintf(stderr, "hence: cannot confine the compiler: %s\n", strerror(reason));
	_exit(HENCE_ERROR_INPUT);
}

/* In a process of its own: the compiler dies of the signals that end hence, and the scratch directory
   must be removed all the same. `confine` is NULL: it is not confined. */
static pid_t start(const struct report_options *options, const struct confine *confine,
                   const char *scratch, char *path)
{
	pid_t child;
	char **words;
	int count;

	fflush(stdout);
	fflush(stderr);
	child = fork();
	if (child)
		return child;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (confine)
		enter_confinement(confine, scratch);
	words = compiler_words(options, path, &count);
	count = command_cc(count, words);
	free(words);
	exit(count);
}

/* The compiler's end. A signal that came to hence alone is handed on. A confined one has its time, whether it computes or
   waits: it may have been told to read a pipe that nobody writes to. */
static int await(pid_t child, bool confined, bool *late)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	double until = budget_clock() + COMPILER_SECONDS;
	pid_t whom = confined ? -child : child;
	int status = 0;

	for (;;) {
		pid_t got = waitpid(child, &status, confined ? WNOHANG : 0);

		if (got == child)
			break;
		if (interrupt_seen())
			kill(whom, SIGTERM);
		if (!confined)
			continue;
		nanosleep(&pause, NULL);
		if (budget_clock() < until)
			continue;
		*late = true;
		kill(whom, SIGKILL);
		until += COMPILER_SECONDS;
	}
	/* Nothing that it has started goes on. */
	if (confined)
		kill(whom, SIGKILL);
	return status;
}

static struct hence_error *run_compiler(const struct report_options *options,
                                        const struct confine *confine, const char *scratch,
                                        char *path, int *code)
{
	bool late = false;
	pid_t child;
	int status;

	interrupt_catch();
	child = start(options, confine, scratch, path);
	if (child < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start the compiler");
	status = await(child, confine, &late);
	if (interrupt_seen()) {
		fprintf(stderr, "hence: interrupted while compiling: nothing is known yet\n");
		*code = CLI_NOT_PROVEN;
	} else if (late) {
		return error_create(HENCE_ERROR_INPUT,
		                    "the compiler did not end within %u seconds on %s",
		                    COMPILER_SECONDS, options->sources[0]);
	} else if (!WIFEXITED(status) && confine) {
		return error_create(HENCE_ERROR_INPUT, "the compiler was ended by signal %d on %s",
		                    WTERMSIG(status), options->sources[0]);
	} else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		*code = WIFEXITED(status) && WEXITSTATUS(status) != HENCE_ERROR_INTERNAL
		                ? HENCE_ERROR_INPUT
		                : HENCE_ERROR_INTERNAL;
	}
	return NULL;
}

/* A confined linker cannot: calls that change permissions do nothing there. A link is not followed. */
static void make_executable(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat info;

	if (fd < 0)
		return;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode))
		fchmod(fd, 0700);
	close(fd);
}

struct hence_error *explain_compile(struct report_options *options, bool confined,
                                    struct explain_compiled *out, int *code)
{
	const struct confine_limits limits = {COMPILER_MEMORY, COMPILER_FILE, COMPILER_SECONDS};
	struct confine confine = {.ruleset = -1};
	struct hence_error *error;

	*out = (struct explain_compiled){.scratch = mem_alloc(sizeof(*out->scratch))};
	out->scratch->lock = -1;
	error = trial_scratch_create(out->scratch);
	if (error)
		return error;
	out->name = program_name(options->sources[0]);
	out->path = str_format("%s/%s", out->scratch->path, out->name);
	if (confined)
		error = confine_create(out->scratch->path, NULL, &limits, &confine);
	if (!error)
		error = run_compiler(options, confined ? &confine : NULL, out->scratch->path,
		                     out->path, code);
	confine_deinit(&confine);
	if (!error && !*code && confined)
		make_executable(out->path);
	if (!error && !*code && access(out->path, X_OK))
		error = error_create(HENCE_ERROR_INPUT,
		                     "the compiler made no program of %s; give only sources and "
		                     "options for linking before --",
		                     options->sources[0]);
	if (!error && !*code) {
		/* The name, then the arguments. */
		uint32_t count = 0;

		while (options->failure.command[count])
			count++;
		out->command = mem_alloc((count + 2) * sizeof(*out->command));
		out->command[0] = out->name;
		memcpy(out->command + 1, options->failure.command, count * sizeof(*out->command));
		options->failure.command = out->command;
		options->failure.path = out->path;
		options->failure.sources = options->sources;
		options->failure.source_count = options->source_count;
	}
	return error;
}

void explain_compiled_deinit(struct explain_compiled *compiled)
{
	if (compiled->scratch && compiled->scratch->path)
		trial_scratch_destroy(compiled->scratch);
	free(compiled->scratch);
	free(compiled->path);
	free(compiled->name);
	free(compiled->command);
}
