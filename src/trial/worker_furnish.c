/* Furnishing a room for a trial: files, standard input, command line and environment. See
 * worker_room.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/trial_copy.h"
#include "trial/worker_room.h"
#include "runtime/protocol.h"

/* NULL: the failing input has no such file. */
static const struct room_file *find_file(const struct room *room, const char *name)
{
	for (uint32_t i = 0; i < room->files.size; i++)
		if (!strcmp(room->files.at[i].file.name, name))
			return &room->files.at[i];
	return NULL;
}

static struct hence_error *put_stdin(struct room *room, const struct str *bytes)
{
	if (ftruncate(room->source, 0) ||
	    pwrite(room->source, str_text(bytes), bytes->length, 0) != (ssize_t)bytes->length ||
	    lseek(room->in, 0, SEEK_SET) < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot write standard input");
	return NULL;
}

struct hence_error *room_put_files(struct room *room, const struct input *input)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < input->parts.size && !error; i++) {
		const struct input_part *part = &input->parts.at[i];
		const struct room_file *file;

		if (part->kind != INPUT_FILE)
			continue;
		file = find_file(room, part->name);
		assert(file);
		error = trial_write(file->path, str_text(&part->bytes), part->bytes.length, 0600);
	}
	return error;
}

static struct hence_error *put_parts(struct room *room, const struct input *input)
{
	static const struct str nothing = STR_INIT;
	const struct str *bytes = &nothing;
	struct hence_error *error = room_put_files(room, input);

	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			bytes = &input->parts.at[i].bytes;
	return error ? error : put_stdin(room, bytes);
}

/* An argument as the trial gets it: the path of a file is replaced by that of its copy, unless it
   leads there by itself. */
static char *translate(const struct room *room, const char *argument)
{
	for (uint32_t i = 0; i < room->files.size; i++) {
		const struct room_file *file = &room->files.at[i];
		size_t end = worker_file_match(&file->file, argument);

		if (end)
			return str_format("%.*s%s", (int)(strlen(argument) - end), argument,
			                  file->path);
	}
	return mem_strdup(argument);
}

void room_translate(const struct room *room, const struct input *input, struct input *out)
{
	input_copy(out, input);
	for (uint32_t i = 0; i < out->parts.size; i++) {
		struct input_part *part = &out->parts.at[i];
		char *text;

		if (part->kind != INPUT_ARGUMENT)
			continue;
		text = translate(room, str_text(&part->bytes));
		str_deinit(&part->bytes);
		str_add(&part->bytes, text);
		free(text);
	}
}

static void add_arguments(const struct room *room, const struct input *input,
                          struct room_command *out)
{
	const struct room_options *options = room->options;

	out->path = options->line ? "/bin/sh" : options->program;
	if (options->line) {
		*vec_push(&out->argv) = mem_strdup("sh");
		*vec_push(&out->argv) = mem_strdup("-c");
		*vec_push(&out->argv) = mem_strdup(options->line);
		*vec_push(&out->argv) = mem_strdup("sh");
	}
	*vec_push(&out->argv) = mem_strdup(options->line ? options->program : options->name);
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT)
			*vec_push(&out->argv) =
				translate(room, str_text(&input->parts.at[i].bytes));
	vec_push(&out->argv);
}

/* Where a variable is; the size if there is none. */
static uint32_t find_variable(const struct room_command *out, const char *name)
{
	size_t length = strlen(name);
	uint32_t i = 0;

	while (i < out->environment.size && (strncmp(out->environment.at[i], name, length) ||
	                                     out->environment.at[i][length] != '='))
		i++;
	return i;
}

static void unset_variable(struct room_command *out, const char *name)
{
	uint32_t i = find_variable(out, name);

	if (i == out->environment.size)
		return;
	free(out->environment.at[i]);
	out->environment.size--;
	memmove(&out->environment.at[i], &out->environment.at[i + 1],
	        (out->environment.size - i) * sizeof(*out->environment.at));
}

/* Sets a variable, in place of one that may be there. Takes `value`. */
static void set_variable(struct room_command *out, const char *name, char *value)
{
	char *entry = str_format("%s=%s", name, value);
	uint32_t i = find_variable(out, name);

	free(value);
	if (i == out->environment.size)
		vec_push(&out->environment);
	free(out->environment.at[i]);
	out->environment.at[i] = entry;
}

static void add_environment(const struct room *room, const struct input *input,
                            struct room_command *out)
{
	const char *part = room->options->part;

	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, HENCE_SESSION_ENV "=", strlen(HENCE_SESSION_ENV "=")))
			*vec_push(&out->environment) = mem_strdup(*entry);
	if (room->options->session)
		set_variable(out, HENCE_SESSION_ENV, mem_strdup(room->options->session));
	set_variable(out, "TMPDIR", str_format("%s/tmp", part));
	if (room->copied)
		set_variable(out, "PWD", mem_strdup(room->dir));
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *given = &input->parts.at[i];

		if (given->kind == INPUT_VARIABLE && given->unset)
			unset_variable(out, given->name);
		else if (given->kind == INPUT_VARIABLE)
			set_variable(out, given->name, mem_strdup(str_text(&given->bytes)));
	}
	if (room->options->line) {
		set_variable(out, "HENCE_PROGRAM", mem_strdup(room->options->program));
		set_variable(out, "HENCE_STDIN", str_format("%s/stdin", part));
		set_variable(out, "HENCE_ARGS", str_format("%s/args", part));
	}
	vec_push(&out->environment);
}

/* The files that a test may look at. */
static struct hence_error *put_for_test(struct room *room, const struct input *input,
                                        const struct room_command *command)
{
	char *stdin_path = str_format("%s/stdin", room->options->part);
	char *args_path = str_format("%s/args", room->options->part);
	struct str args = STR_INIT;
	struct hence_error *error = trial_write(stdin_path, "", 0, 0600);

	for (uint32_t i = 0; i < input->parts.size && !error; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			error = trial_write(stdin_path, str_text(&input->parts.at[i].bytes),
			                    input->parts.at[i].bytes.length, 0600);
	for (uint32_t i = 5; i + 1 < command->argv.size; i++)
		str_add_bytes(&args, command->argv.at[i], strlen(command->argv.at[i]) + 1);
	if (!error)
		error = trial_write(args_path, str_text(&args), args.length, 0600);
	str_deinit(&args);
	free(stdin_path);
	free(args_path);
	return error;
}

struct hence_error *room_furnish(struct room *room, const struct input *input,
                                 struct room_command *out)
{
	struct room_command command = {0};
	struct hence_error *error = put_parts(room, input);

	if (!error && (ftruncate(room->out, 0) || lseek(room->out, 0, SEEK_SET) < 0))
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot empty a file in memory");
	if (error)
		return error;
	add_arguments(room, input, &command);
	add_environment(room, input, &command);
	if (room->options->line)
		error = put_for_test(room, input, &command);
	if (error)
		room_command_deinit(&command);
	else
		*out = command;
	return error;
}

void room_command_deinit(struct room_command *command)
{
	for (uint32_t i = 0; i < command->argv.size; i++)
		free(command->argv.at[i]);
	for (uint32_t i = 0; i < command->environment.size; i++)
		free(command->environment.at[i]);
	vec_deinit(&command->argv);
	vec_deinit(&command->environment);
}
