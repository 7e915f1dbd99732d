/* What a worker keeps for its trials: see worker_room.h. Furnishing is in worker_furnish.c. */
#include "trial/worker_room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/trial_scratch.h"

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

static void list_files(struct room *room)
{
	const struct input *input = room->options->input;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const char *name = input->parts.at[i].name;
		struct room_file *file;

		if (input->parts.at[i].kind != INPUT_FILE)
			continue;
		file = vec_push(&room->files);
		worker_file_init(&file->file, name, input);
		file->path = file->file.below ? str_format("%s/%s", room->dir, file->file.below)
		                              : str_format("%s/files/%u", room->options->part, i);
	}
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

static struct hence_error *open_streams(struct room *room)
{
	char name[64];

	room->source = memfd_create("stdin", MFD_CLOEXEC);
	room->out = memfd_create("stdout", MFD_CLOEXEC);
	room->none = open("/dev/null", O_RDWR | O_CLOEXEC);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", room->source);
	room->in = open(name, O_RDONLY | O_CLOEXEC);
	if (room->in < 0 || room->out < 0 || room->none < 0)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot make files in memory");
	return NULL;
}

struct hence_error *room_create(const struct room_options *options, struct room *out)
{
	struct room room = {.options = options, .source = -1, .in = -1, .out = -1, .none = -1};
	struct hence_error *error;

	room.dir =
		options->origin ? str_format("%s/dir", options->part) : mem_strdup(options->folder);
	list_files(&room);
	error = make_folders(&room);
	if (!error && options->origin)
		error = copy_folder(&room);
	if (!error)
		error = open_streams(&room);
	if (error)
		room_destroy(&room);
	else
		*out = room;
	return error;
}

void room_destroy(struct room *room)
{
	int fds[] = {room->source, room->in, room->out, room->none};

	for (int i = 0; i < 4; i++)
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

struct hence_error *room_output(struct room *room, struct str *out)
{
	struct str text = STR_INIT;
	struct stat info;
	size_t size;

	if (fstat(room->out, &info))
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read the output of a trial");
	size = info.st_size < ROOM_MOST_OUTPUT ? (size_t)info.st_size : ROOM_MOST_OUTPUT;
	text.text = mem_alloc(size + 1);
	text.room = size + 1;
	text.length = size;
	if (pread(room->out, text.text, size, 0) != (ssize_t)size) {
		str_deinit(&text);
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read the output of a trial");
	}
	room_hide_scratch(room, &text);
	*out = text;
	return NULL;
}

static bool is_known(const char *name)
{
	static const char *const names[] = {".", "..", "dir", "tmp", "files", "stdin", "args"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* A program that goes up from its directory, or from TMPDIR, may have left something there. */
static void clean_part(struct room *room)
{
	char *path = str_format("%s/tmp", room->options->part);
	DIR *dir = opendir(room->options->part);
	struct dirent *entry;

	if (rmdir(path))
		trial_scratch_remove(path);
	while (dir && (entry = readdir(dir))) {
		if (is_known(entry->d_name))
			continue;
		free(path);
		path = str_format("%s/%s", room->options->part, entry->d_name);
		trial_scratch_remove(path);
	}
	if (dir)
		closedir(dir);
	free(path);
}

struct hence_error *room_tidy(struct room *room)
{
	struct hence_error *error;

	clean_part(room);
	room->rebuilt |= room->copied && access(room->dir, F_OK);
	error = make_folders(room);
	if (!error && room->copied)
		error = trial_tree_restore(&room->tree);
	room->changed |= room->copied && room->tree.replaced;
	return error;
}
