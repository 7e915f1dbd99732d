/* What a worker keeps for its trials: see worker_room.h. */
#include "trial/worker_room.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "runtime/protocol.h"
#include "trial/trial.h"
#include "trial/trial_scratch.h"
#include "trial/trial_tree.h"

/* ------ varied files and their names ------ */

/* Without './' and double slashes. Caller frees. */
static char *plain_path(const char *path)
{
	struct str plain = STR_INIT;

	while (*path) {
		size_t length = strcspn(path, "/");

		if (length && !(length == 1 && *path == '.')) {
			if (plain.length)
				str_add_char(&plain, '/');
			str_add_bytes(&plain, path, length);
		}
		path += length;
		path += strspn(path, "/");
	}
	return str_steal(&plain);
}

/*
 * Where a file is to lie in a copy of the working directory; NULL: it lies elsewhere. Caller frees.
 *
 * The directories on the way are those that the links of the name lead to, so that none of them is a link in the copy: one
 * with an absolute target would lead from there to the user's own files, which would be written. The file itself need not be
 * there any more; if it is a link, the copy has a file instead.
 */
static char *find_below(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char *folder = slash ? mem_strndup(name, (size_t)(slash + 1 - name)) : mem_strdup(".");
	char *rest = NULL, *below = NULL;

	if (*base && strcmp(base, ".") && strcmp(base, "..") &&
	    (access(name, F_OK) || path_is_within(name, ".")))
		rest = path_within(folder, ".");
	if (rest)
		below = *rest ? str_format("%s/%s", rest, base) : mem_strdup(base);
	free(rest);
	free(folder);
	return below;
}

/* The first end of the argument that is the path of a file, if it is this file: what stands before
   it, such as '--in=', is not part of a path. NULL: it is not. */
static const char *find_end(const char *argument, const struct stat *file)
{
	size_t length = strlen(argument);
	struct stat info;

	for (const char *at = argument + (length < PATH_MAX ? 0 : length - PATH_MAX); *at; at++)
		if (!stat(at, &info) && !S_ISDIR(info.st_mode))
			return info.st_dev == file->st_dev && info.st_ino == file->st_ino ? at
			                                                                  : NULL;
	return NULL;
}

/* Does a name of the file lead to it also in a copy of the working directory? */
static bool leads_there(const struct worker_file *file, const char *name)
{
	char *plain = plain_path(name);
	bool same = file->below && *name != '/' && !strcmp(plain, file->below);

	free(plain);
	return same;
}

static bool is_known(const struct worker_file *file, const char *name)
{
	for (uint32_t i = 0; i < file->names.size; i++)
		if (!strcmp(file->names.at[i], name))
			return true;
	return false;
}

void worker_file_init(struct worker_file *file, const char *name, const struct input *input)
{
	struct stat info;
	bool there = !stat(name, &info);

	*file = (struct worker_file){.name = name, .below = find_below(name)};
	for (uint32_t i = 0; there && i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		const char *end = part->kind == INPUT_ARGUMENT
		                          ? find_end(str_text(&part->bytes), &info)
		                          : NULL;

		if (!end)
			continue;
		file->named = true;
		if (!leads_there(file, end) && !is_known(file, end))
			*vec_push(&file->names) = mem_strdup(end);
	}
}

void worker_file_deinit(struct worker_file *file)
{
	for (uint32_t i = 0; i < file->names.size; i++)
		free(file->names.at[i]);
	vec_deinit(&file->names);
	free(file->below);
}

size_t worker_file_match(const struct worker_file *file, const char *argument)
{
	size_t length = strlen(argument), longest = 0;

	for (uint32_t i = 0; i < file->names.size; i++) {
		size_t size = strlen(file->names.at[i]);

		if (size > longest && length >= size &&
		    !strcmp(argument + length - size, file->names.at[i]))
			longest = size;
	}
	return longest;
}

static struct hence_error *make_folders(struct room *room)
{
	static const char *const names[] = {"", "/tmp", "/files"};

	for (int i = 0; i < 3; i++) {
		char *path = str_format("%s%s", room->options->part, names[i]);
		bool failed = mkdir(path, 0700) && errno != EEXIST;

		free(path);
		if (failed)
			return error_from_errno(HENCE_ERROR_INPUT,
			                        "cannot make the scratch directory %s",
			                        room->options->part);
	}
	return NULL;
}

static struct hence_error *copy_folder(struct room *room)
{
	struct hence_error *error =
		trial_tree_create(room->options->origin, room->dir, &room->tree);

	if (error)
		return error;
	room->copied = true;
	for (uint32_t i = 0; i < room->files.size; i++)
		if (room->files.at[i].file.below)
			trial_tree_leave_free(&room->tree, room->files.at[i].file.below);
	return NULL;
}

struct hence_error *room_create(const struct room_options *options, struct room *out)
{
	struct room room = {
		.options = options, .source = -1, .in = -1, .out = -1, .message = -1, .none = -1};
	struct hence_error *error;
	const struct input *input;

	room.dir =
		options->origin ? str_format("%s/dir", options->part) : mem_strdup(options->folder);
	input = room.options->input;
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const char *name = input->parts.at[i].name;
		struct room_file *file;

		if (input->parts.at[i].kind != INPUT_FILE)
			continue;
		file = vec_push(&room.files);
		worker_file_init(&file->file, name, input);
		file->path = file->file.below ? str_format("%s/%s", room.dir, file->file.below)
		                              : str_format("%s/files/%u", room.options->part, i);
	}
	error = make_folders(&room);
	if (!error && options->origin)
		error = copy_folder(&room);
	if (!error) {
		char name[64];

		room.source = memfd_create("stdin", MFD_CLOEXEC);
		room.out = memfd_create("stdout", MFD_CLOEXEC);
		room.message = memfd_create("stderr", MFD_CLOEXEC);
		room.none = open("/dev/null", O_RDWR | O_CLOEXEC);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", room.source);
		room.in = open(name, O_RDONLY | O_CLOEXEC);
		if (room.in < 0 || room.out < 0 || room.message < 0 || room.none < 0)
			error = error_from_errno(HENCE_ERROR_INTERNAL,
			                         "cannot make files in memory");
	}
	if (error)
		room_destroy(&room);
	else
		*out = room;
	return error;
}

void room_destroy(struct room *room)
{
	int fds[] = {room->source, room->in, room->out, room->message, room->none};

	for (int i = 0; i < 5; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	for (uint32_t i = 0; i < room->files.size; i++) {
		worker_file_deinit(&room->files.at[i].file);
		free(room->files.at[i].path);
	}
	vec_deinit(&room->files);
	trial_tree_deinit(&room->tree);
	free(room->dir);
}

/* Replaces a text by another wherever it stands. */
static void replace(struct str *text, const char *old, const char *with)
{
	struct str result = STR_INIT;
	const char *at = str_text(text), *end = at + text->length, *found;

	if (!memmem(at, text->length, old, strlen(old)))
		return;
	while ((found = memmem(at, (size_t)(end - at), old, strlen(old)))) {
		str_add_bytes(&result, at, (size_t)(found - at));
		str_add(&result, with);
		at = found + strlen(old);
	}
	str_add_bytes(&result, at, (size_t)(end - at));
	str_deinit(text);
	*text = result;
}

void room_hide_scratch(const struct room *room, struct str *text)
{
	const char *part = room->options->part;

	if (!text->length || !memmem(text->text, text->length, part, strlen(part)))
		return;
	for (uint32_t i = 0; i < room->files.size; i++)
		if (!room->files.at[i].file.below)
			replace(text, room->files.at[i].path, room->files.at[i].file.name);
	if (room->copied)
		replace(text, room->dir, room->options->folder);
}

static struct hence_error *read_stream(const struct room *room, int fd, size_t most,
                                       struct str *out)
{
	struct str text = STR_INIT;
	struct stat info;
	size_t size;

	if (fstat(fd, &info))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read the output of a trial");
	size = (size_t)info.st_size < most ? (size_t)info.st_size : most;
	text.text = mem_alloc(size + 1);
	text.room = size + 1;
	text.length = size;
	if (pread(fd, text.text, size, 0) != (ssize_t)size) {
		str_deinit(&text);
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read the output of a trial");
	}
	room_hide_scratch(room, &text);
	*out = text;
	return NULL;
}

struct hence_error *room_output(struct room *room, struct str *out, struct str *message)
{
	struct hence_error *error = read_stream(room, room->out, ROOM_MOST_OUTPUT, out);

	return error ? error : read_stream(room, room->message, TRIAL_MOST_MESSAGE, message);
}

static bool is_furniture(const char *name)
{
	static const char *const names[] = {".", "..", "dir", "tmp", "files", "stdin", "args"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

struct hence_error *room_tidy(struct room *room)
{
	struct hence_error *error;
	char *path = str_format("%s/tmp", room->options->part);
	DIR *dir = opendir(room->options->part);
	struct dirent *entry;

	/* A program that goes up from its directory, or from TMPDIR, may have left something
	   there. */
	if (rmdir(path))
		trial_scratch_remove(path);
	while (dir && (entry = readdir(dir))) {
		if (is_furniture(entry->d_name))
			continue;
		free(path);
		path = str_format("%s/%s", room->options->part, entry->d_name);
		trial_scratch_remove(path);
	}
	if (dir)
		closedir(dir);
	free(path);
	room->rebuilt |= room->copied && access(room->dir, F_OK);
	error = make_folders(room);
	if (!error && room->copied)
		error = trial_tree_restore(&room->tree);
	room->changed |= room->copied && room->tree.replaced;
	return error;
}

/* ------ the room ------ */

/* ------ furnishing a room for a trial: files, standard input, command line and environment ------ */

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

struct hence_error *room_furnish(struct room *room, const struct input *input,
                                 struct room_command *out)
{
	struct room_command command = {0};
	struct hence_error *error = put_parts(room, input);
	const struct room_options *options;
	const char *part;

	if (!error && (ftruncate(room->out, 0) || lseek(room->out, 0, SEEK_SET) < 0 ||
	               ftruncate(room->message, 0) || lseek(room->message, 0, SEEK_SET) < 0))
		error = error_from_errno(HENCE_ERROR_INTERNAL, "cannot empty a file in memory");
	if (error)
		return error;
	options = room->options;
	command.path = options->line ? "/bin/sh" : options->program;
	if (options->line) {
		*vec_push(&command.argv) = mem_strdup("sh");
		*vec_push(&command.argv) = mem_strdup("-c");
		*vec_push(&command.argv) = mem_strdup(options->line);
		*vec_push(&command.argv) = mem_strdup("sh");
	}
	*vec_push(&command.argv) = mem_strdup(options->line ? options->program : options->name);
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT)
			*vec_push(&command.argv) =
				translate(room, str_text(&input->parts.at[i].bytes));
	vec_push(&command.argv);
	part = room->options->part;
	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, HENCE_SESSION_ENV "=", strlen(HENCE_SESSION_ENV "=")))
			*vec_push(&command.environment) = mem_strdup(*entry);
	if (room->options->session)
		set_variable(&command, HENCE_SESSION_ENV, mem_strdup(room->options->session));
	set_variable(&command, "TMPDIR", str_format("%s/tmp", part));
	if (room->copied)
		set_variable(&command, "PWD", mem_strdup(room->dir));
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *given = &input->parts.at[i];

		if (given->kind == INPUT_VARIABLE && given->unset)
			unset_variable(&command, given->name);
		else if (given->kind == INPUT_VARIABLE)
			set_variable(&command, given->name, mem_strdup(str_text(&given->bytes)));
	}
	if (room->options->line) {
		set_variable(&command, "HENCE_PROGRAM", mem_strdup(room->options->program));
		set_variable(&command, "HENCE_STDIN", str_format("%s/stdin", part));
		set_variable(&command, "HENCE_ARGS", str_format("%s/args", part));
	}
	vec_push(&command.environment);
	if (room->options->line) {
		char *stdin_path = str_format("%s/stdin", room->options->part);
		char *args_path = str_format("%s/args", room->options->part);
		struct str args = STR_INIT;

		/* The files that a test may look at. */
		error = trial_write(stdin_path, "", 0, 0600);
		for (uint32_t i = 0; i < input->parts.size && !error; i++)
			if (input->parts.at[i].kind == INPUT_STDIN)
				error = trial_write(stdin_path, str_text(&input->parts.at[i].bytes),
				                    input->parts.at[i].bytes.length, 0600);
		for (uint32_t i = 5; i + 1 < command.argv.size; i++)
			str_add_bytes(&args, command.argv.at[i], strlen(command.argv.at[i]) + 1);
		if (!error)
			error = trial_write(args_path, str_text(&args), args.length, 0600);
		str_deinit(&args);
		free(stdin_path);
		free(args_path);
	}
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
