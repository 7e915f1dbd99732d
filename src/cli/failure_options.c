/* Options about a failure and its input: see failure_options.h. */
#include "cli/failure_options.h"

#include <string.h>

const char failure_options_help[] =
	"  --stdin FILE        standard input of the program; it may be reduced\n"
	"  --file PATH         a file that the program reads and that may be reduced (repeatable)\n"
	"  --env NAME          a variable of the environment that may be reduced (repeatable)\n"
	"  --args              the arguments may be reduced; without any of these four, arguments\n"
	"                      and redirected standard input are\n"
	"  --by UNIT           auto, lines, tokens, bytes, or records=REGEX\n"
	"  --pass 'ARGS'       arguments with which it does not fail (repeatable)\n"
	"  --pass-stdin FILE   standard input with which it does not fail (repeatable)\n"
	"  --pass-prog PROG    a build of the program whose output is right\n"
	"  --expect FILE       what it should print\n"
	"  --expect-text TEXT  the same, as a word\n"
	"  --test COMMAND      judges a run: exit code 0 good, 125 cannot say, others bad\n"
	"  --invert            the test says 0 for bad\n"
	"  --any-failure       any failure counts, not only the same one\n"
	"  --timeout SECONDS   a run that takes longer hangs\n"
	"  --repeat N          a verdict counts only if N runs agree\n"
	"  -j N                runs at a time (one for each core)\n"
	"  --time SECONDS      the search ends after that time with the best so far\n"
	"  --unconfined        runs may write and connect as the program may; for kernels without\n"
	"                      Landlock\n";

static const char *const option_names[FAILURE_OPTION_NAMES] = {
	"--stdin", "--file",       "--env",         "--args",    "--by",
	"--pass",  "--pass-stdin", "--pass-prog",   "--expect",  "--expect-text",
	"--test",  "--invert",     "--any-failure", "--timeout", "--repeat",
	"--jobs",  "--time",       "--help",        "-j",        "--unconfined",
};

size_t failure_options_names(const char **names, size_t count)
{
	memcpy(names + count, option_names, sizeof(option_names));
	return count + FAILURE_OPTION_NAMES;
}

#define take_into(list)                                                                            \
	({                                                                                         \
		const char *value_ = NULL;                                                         \
		struct hence_error *error_ = words_value(words, name, &value_);                    \
		if (!error_)                                                                       \
			*vec_push(list) = value_;                                                  \
		error_;                                                                            \
	})

/* Options about the input. */
static bool take_input(struct failure_options *options, struct words *words, const char *name,
                       struct hence_error **error)
{
	if (!strcmp(name, "--stdin"))
		*error = words_value(words, name, &options->input);
	else if (!strcmp(name, "--file"))
		*error = take_into(&options->files);
	else if (!strcmp(name, "--env"))
		*error = take_into(&options->variables);
	else if (!strcmp(name, "--args"))
		options->arguments = true;
	else if (!strcmp(name, "--by"))
		*error = words_value(words, name, &options->by);
	else if (!strcmp(name, "--pass"))
		*error = take_into(&options->pass);
	else if (!strcmp(name, "--pass-stdin"))
		*error = take_into(&options->pass_inputs);
	else
		return false;
	return true;
}

/* Options about what fails. */
static bool take_failure(struct failure_options *options, struct words *words, const char *name,
                         struct hence_error **error)
{
	if (!strcmp(name, "--pass-prog"))
		*error = words_value(words, name, &options->pass_program);
	else if (!strcmp(name, "--expect"))
		*error = words_value(words, name, &options->expect);
	else if (!strcmp(name, "--expect-text"))
		*error = words_value(words, name, &options->expect_text);
	else if (!strcmp(name, "--test"))
		*error = words_value(words, name, &options->test);
	else if (!strcmp(name, "--invert"))
		options->invert = true;
	else if (!strcmp(name, "--any-failure"))
		options->any = true;
	else if (!strcmp(name, "--unconfined"))
		options->unconfined = true;
	else
		return false;
	return true;
}

/* -j 4 and -j4. */
static bool is_jobs(const char *name)
{
	return !strncmp(name, "-j", 2) && strspn(name + 2, "0123456789") == strlen(name + 2);
}

static struct hence_error *take_jobs(struct failure_options *options, struct words *words,
                                     const char *name)
{
	if (name[1] == 'j' && name[2])
		words->value = name + 2;
	return words_number(words, "-j", &options->jobs);
}

bool failure_options_take(struct failure_options *options, struct words *words, const char *name,
                          struct hence_error **error)
{
	if (take_input(options, words, name, error) || take_failure(options, words, name, error))
		return true;
	if (!strcmp(name, "--timeout"))
		*error = words_seconds(words, name, &options->timeout);
	else if (!strcmp(name, "--repeat"))
		*error = words_number(words, name, &options->repeat);
	else if (!strcmp(name, "--jobs") || is_jobs(name))
		*error = take_jobs(options, words, name);
	else if (!strcmp(name, "--time"))
		*error = words_seconds(words, name, &options->time);
	else
		return false;
	return true;
}

static struct hence_error *refuse(const char *a, const char *b)
{
	return error_create(HENCE_ERROR_INPUT, "%s and %s do not go together; leave one out", a, b);
}

static struct hence_error *check_oracle(const struct failure_options *options)
{
	const char *chosen[] = {
		options->expect ? "--expect" : NULL,
		options->expect_text ? "--expect-text" : NULL,
		options->test ? "--test" : NULL,
		options->pass_program ? "--pass-prog" : NULL,
	};
	const char *before = NULL;

	for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen); i++) {
		if (before && chosen[i])
			return refuse(before, chosen[i]);
		if (chosen[i])
			before = chosen[i];
	}
	if (options->invert && !options->test)
		return error_create(HENCE_ERROR_INPUT,
		                    "--invert is about a test; give one with --test COMMAND");
	return NULL;
}

struct hence_error *failure_options_check(const struct failure_options *options)
{
	if (options->jobs > 1024)
		return error_create(HENCE_ERROR_INPUT, "-j %llu: give at most 1024",
		                    (unsigned long long)options->jobs);
	if (options->repeat > 1000000)
		return error_create(HENCE_ERROR_INPUT, "--repeat %llu: give at most 1000000",
		                    (unsigned long long)options->repeat);
	if (options->pass.size && options->pass_inputs.size &&
	    options->pass.size != options->pass_inputs.size)
		return error_create(
			HENCE_ERROR_INPUT,
			"there are %u --pass and %u --pass-stdin; the first goes with "
			"the first and so on, so give as many of both, or only one kind",
			options->pass.size, options->pass_inputs.size);
	return check_oracle(options);
}

bool failure_options_name_input(const struct failure_options *options)
{
	return options->input || options->files.size || options->variables.size ||
	       options->arguments;
}

void failure_options_deinit(struct failure_options *options)
{
	vec_deinit(&options->files);
	vec_deinit(&options->variables);
	vec_deinit(&options->pass);
	vec_deinit(&options->pass_inputs);
}
