/* `hence explain prog.c`: compiles the sources first. See explain.h. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/explain.h"
#include "cli/search.h"
#include "trial/trial_scratch.h"

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

/* In a process of its own: the compiler dies of the signals that end hence, and the scratch directory
   must be removed all the same. */
static pid_t start(const struct report_options *options, char *path)
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
	words = compiler_words(options, path, &count);
	count = command_cc(count, words);
	free(words);
	exit(count);
}

/* The compiler's end. A signal that came to hence alone is handed on. */
static int await(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		if (search_is_interrupted())
			kill(child, SIGTERM);
	return status;
}

static struct hence_error *run_compiler(const struct report_options *options, char *path, int *code)
{
	pid_t child;
	int status;

	search_catch_signals();
	child = start(options, path);
	if (child < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot start the compiler");
	status = await(child);
	if (search_is_interrupted()) {
		fprintf(stderr, "hence: interrupted while compiling: nothing is known yet\n");
		*code = CLI_NOT_PROVEN;
	} else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		*code = WIFEXITED(status) && WEXITSTATUS(status) != HENCE_ERROR_INTERNAL
		                ? HENCE_ERROR_INPUT
		                : HENCE_ERROR_INTERNAL;
	}
	return NULL;
}

/* The name, then the arguments. */
static void set_command(struct report_options *options, struct explain_compiled *compiled)
{
	uint32_t count = 0;

	while (options->failure.command[count])
		count++;
	compiled->command = mem_alloc((count + 2) * sizeof(*compiled->command));
	compiled->command[0] = compiled->name;
	memcpy(compiled->command + 1, options->failure.command, count * sizeof(*compiled->command));
	options->failure.command = compiled->command;
	options->failure.path = compiled->path;
	options->failure.sources = options->sources;
	options->failure.source_count = options->source_count;
}

struct hence_error *explain_compile(struct report_options *options, struct explain_compiled *out,
                                    int *code)
{
	struct hence_error *error;

	*out = (struct explain_compiled){.scratch = mem_alloc(sizeof(*out->scratch))};
	out->scratch->lock = -1;
	error = trial_scratch_create(out->scratch);
	if (error)
		return error;
	out->name = program_name(options->sources[0]);
	out->path = str_format("%s/%s", out->scratch->path, out->name);
	error = run_compiler(options, out->path, code);
	if (!error && !*code && access(out->path, X_OK))
		error = error_create(HENCE_ERROR_INPUT,
		                     "the compiler made no program of %s; give only sources and "
		                     "options for linking before --",
		                     options->sources[0]);
	if (!error && !*code)
		set_command(options, out);
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
