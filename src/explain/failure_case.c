/* Reads what options about a failure name: see failure_case.h. */
#include "explain/failure_case.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "run/executable.h"

#define PATIENCE 2000 /* milliseconds that a pipe may be silent before we say that we wait for it */

/* --- files --- */

struct hence_error *failure_case_read_file(const char *option, const char *path, struct str *out)
{
	struct hence_error *error = NULL;
	struct stat info;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "%s: cannot read %s", option, path);
	if (!fstat(fd, &info) && S_ISDIR(info.st_mode))
		error = error_create(HENCE_ERROR_INPUT, "%s: %s is a directory; give a file",
		                     option, path);
	else if (!str_add_from(out, fd))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	close(fd);
	return error;
}

/* Adds a part with the bytes of a file. */
static struct hence_error *add_file(const char *option, const char *path, enum input_kind kind,
                                    const char *name, bool varied, struct input *input)
{
	struct str bytes GUARD(str_deinit) = STR_INIT;
	struct hence_error *error = failure_case_read_file(option, path, &bytes);

	if (!error) {
		input_add_bytes(input, kind, name, str_text(&bytes), bytes.length);
		input->parts.at[input->parts.size - 1].varied = varied;
	}
	return error;
}

/* --- our own standard input --- */

/* Is it something that was meant for the program? Not a terminal, not /dev/null. */
static bool is_redirected(void)
{
	struct stat info;

	return !fstat(0, &info) &&
	       (S_ISREG(info.st_mode) || S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

/* --- the failing input --- */

static void add_arguments(const struct failure_options *options, struct input *input)
{
	bool varied =
		options->arguments || options->pass.size || !failure_options_name_input(options);

	for (char **word = options->command + 1; *word; word++) {
		input_add_bytes(input, INPUT_ARGUMENT, NULL, *word, strlen(*word));
		input->parts.at[input->parts.size - 1].varied = varied;
	}
}

static struct hence_error *add_input(const struct failure_options *options, struct input *input)
{
	bool varied = options->pass_inputs.size || !failure_options_name_input(options);

	if (options->input)
		return add_file("--stdin", options->input, INPUT_STDIN, NULL, true, input);
	if (is_redirected()) {
		struct pollfd wait = {.fd = 0, .events = POLLIN};
		struct str bytes = STR_INIT;
		struct hence_error *error = NULL;

		if (poll(&wait, 1, PATIENCE) == 0 && options->notice)
			options->notice(
				"reading standard input to its end; use </dev/null or --stdin FILE "
				"if the program needs none or another");
		if (!str_add_from(&bytes, 0)) {
			error = error_from_errno(HENCE_ERROR_INPUT, "cannot read standard input");
		} else {
			input_add_bytes(input, INPUT_STDIN, NULL, str_text(&bytes), bytes.length);
			input->parts.at[input->parts.size - 1].varied = varied;
		}
		str_deinit(&bytes);
		return error;
	}
	if (options->pass_inputs.size) {
		input_add_bytes(input, INPUT_STDIN, NULL, "", 0);
		input->parts.at[input->parts.size - 1].varied = true;
	}
	return NULL;
}

static struct hence_error *add_variable(const char *name, struct input *input)
{
	const char *value = strchr(name, '=') ? NULL : getenv(name);

	if (strchr(name, '='))
		return error_create(HENCE_ERROR_INPUT,
		                    "--env %s: give the name only; its value is that of the "
		                    "environment",
		                    name);
	if (!value)
		return error_create(HENCE_ERROR_INPUT,
		                    "--env %s: there is no such variable in the environment; set "
		                    "it before hence: %s=... hence ...",
		                    name, name);
	input_add_bytes(input, INPUT_VARIABLE, name, value, strlen(value));
	input->parts.at[input->parts.size - 1].varied = true;
	return NULL;
}

static struct hence_error *check_twice(const char *before, const char *path)
{
	struct stat a, b;

	if (!strcmp(before, path))
		return error_create(HENCE_ERROR_INPUT, "--file %s is given twice; leave one out",
		                    path);
	if (stat(before, &a) || stat(path, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "--file %s and --file %s are the same file; leave one out", before,
	                    path);
}

/* The PATH of 'PATH=FILE'. Caller frees. */
static char *path_of_pair(const char *pair)
{
	return mem_strndup(pair, strcspn(pair, "="));
}

static bool find_file(const struct input *input, const char *path)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_FILE && !strcmp(input->parts.at[i].name, path))
			return true;
	return false;
}

static struct hence_error *read_failing(const struct failure_options *options, struct input *input)
{
	struct hence_error *error;

	add_arguments(options, input);
	error = add_input(options, input);
	for (uint32_t i = 0; !error && i < options->files.size; i++) {
		const char *path = options->files.at[i];

		for (uint32_t j = 0; j < i && !error; j++)
			error = check_twice(options->files.at[j], path);
		if (error)
			return error;
		error = add_file("--file", path, INPUT_FILE, path, true, input);
	}
	for (uint32_t i = 0; !error && i < options->pass_files.size; i++) {
		char *path = path_of_pair(options->pass_files.at[i]);

		/* The file may be reduced, as if --file had named it. */
		if (!find_file(input, path))
			error = add_file("--pass-file", path, INPUT_FILE, path, true, input);
		free(path);
	}
	for (uint32_t i = 0; !error && i < options->variables.size; i++)
		error = add_variable(options->variables.at[i], input);
	return error;
}

static struct hence_error *check_varied(const struct failure_options *options,
                                        struct failure_case *failure)
{
	bool any = options->pass.size || options->pass_inputs.size || options->pass_files.size;

	for (uint32_t i = 0; i < failure->input.parts.size; i++)
		any |= failure->input.parts.at[i].varied &&
		       (failure->input.parts.at[i].bytes.length ||
		        failure->input.parts.at[i].kind == INPUT_ARGUMENT);
	failure->varies = any;
	if (failure->varies || options->fixed)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    !failure_options_name_input(options)
	                            ? "nothing to vary: %s has no arguments and no input; use "
	                              "--stdin FILE, --file PATH or --env NAME"
	                            : "nothing to vary: what was named for %s is empty",
	                    options->command[0]);
}

/* --- passing inputs --- */

/* What stands for the file in the passing input of that number: the first of --pass-file with its path goes with the first
   input, and so on; NULL: the file is as it is. */
static const char *file_of(const struct failure_options *options, const char *path, uint32_t number)
{
	size_t length = strlen(path);

	for (uint32_t i = 0; i < options->pass_files.size; i++) {
		const char *pair = options->pass_files.at[i];

		if (!strncmp(pair, path, length) && pair[length] == '=' && !number--)
			return pair + length + 1;
	}
	return NULL;
}

static uint32_t count_passing(const struct failure_options *options)
{
	uint32_t count = options->pass.size > options->pass_inputs.size ? options->pass.size
	                                                                : options->pass_inputs.size;

	for (uint32_t i = 0; i < options->pass_files.size; i++) {
		char *path = path_of_pair(options->pass_files.at[i]);
		uint32_t number = 0;

		while (file_of(options, path, number))
			number++;
		count = number > count ? number : count;
		free(path);
	}
	return count;
}

static struct hence_error *read_passing(const struct failure_options *options, uint32_t number,
                                        const struct input *failing, struct input *out)
{
	const char *words = number < options->pass.size ? options->pass.at[number] : NULL;
	const char *file =
		number < options->pass_inputs.size ? options->pass_inputs.at[number] : NULL;
	struct hence_error *error = words ? failure_words_split("--pass", words, out) : NULL;

	for (uint32_t i = 0; i < out->parts.size; i++)
		out->parts.at[i].varied = true;
	for (uint32_t i = 0; !error && i < failing->parts.size; i++) {
		const struct input_part *part = &failing->parts.at[i];

		const char *other =
			part->kind == INPUT_FILE ? file_of(options, part->name, number) : NULL;

		if (other)
			error = add_file("--pass-file", other, INPUT_FILE, part->name, true, out);
		else if (part->kind == INPUT_STDIN && file)
			error = add_file("--pass-stdin", file, INPUT_STDIN, NULL, true, out);
		else if (part->kind != INPUT_ARGUMENT || !words) {
			input_add_bytes(out, part->kind, part->name, str_text(&part->bytes),
			                part->bytes.length);
			out->parts.at[out->parts.size - 1].varied = part->varied;
		}
	}
	return error;
}

static struct hence_error *read_all_passing(const struct failure_options *options,
                                            struct failure_case *failure)
{
	uint32_t count = count_passing(options);
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < count; i++) {
		struct input *passing = vec_push(&failure->passing);

		error = read_passing(options, i, &failure->input, passing);
		if (!error && input_equal(passing, &failure->input))
			error = error_create(
				HENCE_ERROR_INPUT,
				"the passing input %u is the same as the failing one; "
				"give another with --pass, --pass-stdin or --pass-file",
				i + 1);
	}
	return error;
}

/* --- the whole --- */

void failure_case_fill(const struct failure_options *options, struct failure_case *failure)
{
	struct reduce_options *reduce = &failure->reduce;

	reduce->trials.program = failure->program;
	reduce->trials.name = options->command[0];
	reduce->trials.input = &failure->input;
	reduce->trials.workers = (uint32_t)options->jobs;
	reduce->trials.timeout = options->timeout;
	reduce->trials.test = options->test;
	reduce->trials.unconfined = options->unconfined;
	reduce->trials.notice = options->notice;
	reduce->trials.other = failure->other;
	reduce->oracle.line = options->expect_text != NULL;
	reduce->oracle.expected =
		options->expect || options->expect_text ? &failure->expected : NULL;
	reduce->oracle.other = options->pass_program;
	reduce->oracle.test = options->test;
	reduce->oracle.invert = options->invert;
	reduce->oracle.any = options->any;
	reduce->oracle.has_status = options->has_status;
	reduce->oracle.status = options->status;
	reduce->oracle.input = &failure->input;
	reduce->oracle.test_text = options->test_text;
	reduce->passing = failure->passing.at;
	reduce->passing_count = failure->passing.size;
	reduce->repeat = (uint32_t)options->repeat;
}

struct hence_error *failure_case_read(const struct failure_options *options,
                                      struct failure_case *out)
{
	struct hence_error *error;

	*out = (struct failure_case){0};
	error = executable_locate(options->path ? options->path : options->command[0],
	                          &out->program);
	if (!error && options->pass_program)
		error = executable_locate(options->pass_program, &out->other);
	if (!error && options->expect)
		error = failure_case_read_file("--expect", options->expect, &out->expected);
	else
		str_add(&out->expected, options->expect_text ? options->expect_text : "");
	if (!error)
		error = read_failing(options, &out->input);
	if (!error)
		error = check_varied(options, out);
	if (!error)
		error = read_all_passing(options, out);
	if (!error)
		error = units_by_parse(options->by ? options->by : "auto", &out->reduce.by);
	if (!error)
		failure_case_fill(options, out);
	return error;
}

void failure_case_deinit(struct failure_case *failure)
{
	free(failure->program);
	free(failure->other);
	input_deinit(&failure->input);
	for (uint32_t i = 0; i < failure->passing.size; i++)
		input_deinit(&failure->passing.at[i]);
	vec_deinit(&failure->passing);
	str_deinit(&failure->expected);
}

/* --- the options --- */

bool failure_options_name_input(const struct failure_options *options)
{
	return options->input || options->files.size || options->variables.size ||
	       options->arguments || options->pass_files.size;
}

void failure_options_deinit(struct failure_options *options)
{
	vec_deinit(&options->files);
	vec_deinit(&options->variables);
	vec_deinit(&options->pass);
	vec_deinit(&options->pass_inputs);
	vec_deinit(&options->pass_files);
	vec_deinit(&options->expect_files);
}

/* ------ words as a shell has them ------ */

static struct hence_error *refuse(const char *option, const char *text, const char *what)
{
	return error_create(HENCE_ERROR_INPUT, "%s \"%s\": %s", option, text, what);
}

/* Up to the closing quote. Inside "..." a backslash stands before what would be special there. */
static struct hence_error *take_quoted(const char *option, const char *text, const char **at,
                                       struct str *word)
{
	char quote = *(*at)++;

	for (; **at && **at != quote; (*at)++) {
		if (quote == '"' && **at == '\\' && (*at)[1] && strchr("\"\\$`", (*at)[1]))
			(*at)++;
		str_add_char(word, **at);
	}
	if (!**at)
		return refuse(option, text,
		              quote == '"' ? "a \" is not closed; add another, or write \\\""
		                           : "a ' is not closed; add another, or write \\'");
	(*at)++;
	return NULL;
}

static struct hence_error *take_word(const char *option, const char *text, const char **at,
                                     struct str *word)
{
	struct hence_error *error = NULL;

	while (!error && **at && !strchr(" \t\n", **at)) {
		if (**at == '\'' || **at == '"') {
			error = take_quoted(option, text, at, word);
			continue;
		}
		if (**at == '\\' && !*++*at)
			return refuse(option, text, "it ends with a backslash; write \\\\ for one");
		str_add_char(word, *(*at)++);
	}
	return error;
}

struct hence_error *failure_words_split(const char *option, const char *text, struct input *out)
{
	const char *at = text;

	for (;;) {
		struct str word = STR_INIT;
		struct hence_error *error;

		at += strspn(at, " \t\n");
		if (!*at)
			return NULL;
		error = take_word(option, text, &at, &word);
		if (!error)
			input_add_bytes(out, INPUT_ARGUMENT, NULL, str_text(&word), word.length);
		str_deinit(&word);
		if (error)
			return error;
	}
}

/* --- the opposite --- */

static bool is_plain(const char *bytes, size_t size)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_-+=./,:@%^";

	for (size_t i = 0; i < size; i++)
		if (!bytes[i] || !strchr(fine, bytes[i]))
			return false;
	return size;
}

static bool is_printable(const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)bytes[i] < ' ' || (unsigned char)bytes[i] >= 127)
			return false;
	return true;
}

void failure_words_quote(const char *bytes, size_t size, struct str *out)
{
	char *word GUARD_FREE = NULL;

	if (is_plain(bytes, size)) {
		str_add_bytes(out, bytes, size);
		return;
	}
	if (!is_printable(bytes, size)) {
		/* $'...': what cannot be seen is written as an escape. */
		str_add(out, "$'");
		for (size_t i = 0; i < size; i++) {
			unsigned char c = (unsigned char)bytes[i];

			if (c == '\n')
				str_add(out, "\\n");
			else if (c == '\t')
				str_add(out, "\\t");
			else if (c == '\'' || c == '\\')
				str_printf(out, "\\%c", c);
			else if (c < ' ' || c >= 127)
				str_printf(out, "\\%03o", c);
			else
				str_add_char(out, (char)c);
		}
		str_add_char(out, '\'');
		return;
	}
	word = mem_strndup(bytes, size);
	str_add_quoted(out, word);
}
