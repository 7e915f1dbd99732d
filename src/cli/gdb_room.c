/* Where the program of `hence gdb` runs: see gdb.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/gdb.h"
#include "trial/trial_copy.h"
#include "trial/trial_tree.h"
#include "trial/worker_files.h"

struct hence_error *gdb_room_write(const struct gdb_room *room, const char *name,
                                   const struct str *bytes, char **path)
{
	*path = str_format("%s/%s", room->scratch.path, name);
	return trial_write(*path, str_text(bytes), bytes->length, 0600);
}

/* --- files --- */

/* A file of the input. */
struct own_file {
	struct worker_file file;
	char *path; /* of its copy */
};

struct own_files {
	char *folder; /* that the program runs in; NULL: the working directory */
	VEC(struct own_file) all;
};

static void own_files_deinit(struct own_files *files)
{
	for (uint32_t i = 0; i < files->all.size; i++) {
		worker_file_deinit(&files->all.at[i].file);
		free(files->all.at[i].path);
	}
	vec_deinit(&files->all);
	free(files->folder);
}

static bool has_files(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_FILE)
			return true;
	return false;
}

static struct hence_error *copy_folder(const struct gdb_room *room, struct own_files *files)
{
	uint64_t bytes;
	uint32_t count;

	if (!trial_tree_measure(".", &bytes, &count))
		return error_create(HENCE_ERROR_INPUT,
		                    "the working directory is too large to be copied, and files in "
		                    "it are part of the input; run gdb yourself on a copy");
	files->folder = str_format("%s/folder", room->scratch.path);
	return trial_tree_copy(".", files->folder);
}

static struct hence_error *write_files(const struct input *input, const struct gdb_room *room,
                                       struct own_files *files)
{
	struct hence_error *error = copy_folder(room, files);

	for (uint32_t i = 0; i < input->parts.size && !error; i++) {
		const struct input_part *part = &input->parts.at[i];
		struct own_file *own;

		if (part->kind != INPUT_FILE)
			continue;
		own = vec_push(&files->all);
		worker_file_init(&own->file, part->name, input);
		own->path = own->file.below ? str_format("%s/%s", files->folder, own->file.below)
		                            : str_format("%s/file%u", room->scratch.path, i);
		error = trial_write(own->path, str_text(&part->bytes), part->bytes.length, 0600);
	}
	return error;
}

/* --- how the program is started: see gdb_start.c --- */

static void add_text(struct str *out, const char *text)
{
	str_add_bytes(out, text, strlen(text) + 1);
}

/* An argument that names a file of the input names its copy. */
static void add_argument(const struct input_part *part, const struct own_files *files,
                         struct str *out)
{
	const char *text = str_text(&part->bytes);

	str_add_char(out, GDB_START_ARGUMENT);
	for (uint32_t i = 0; i < files->all.size; i++) {
		size_t end = worker_file_match(&files->all.at[i].file, text);

		if (!end)
			continue;
		str_add_bytes(out, text, part->bytes.length - end);
		add_text(out, files->all.at[i].path);
		return;
	}
	add_text(out, text);
}

/* `value` is NULL: it is not set. */
static void add_variable(const char *name, const char *value, struct str *out)
{
	str_add_char(out, value ? GDB_START_SET : GDB_START_UNSET);
	str_add(out, name);
	if (value)
		str_printf(out, "=%s", value);
	str_add_char(out, '\0');
}

static void add_start(const struct input *input, const struct gdb_room *room, bool confined,
                      const struct own_files *files, const char *from, struct str *out)
{
	char *temporary = str_format("%s/tmp", room->scratch.path);

	add_text(out, confined ? room->scratch.path : "");
	add_text(out, files->folder ? files->folder : "");
	add_text(out, from);
	/* gdb tells the program how large its own terminal is. */
	add_variable("LINES", getenv("LINES"), out);
	add_variable("COLUMNS", getenv("COLUMNS"), out);
	if (confined)
		add_variable("TMPDIR", temporary, out);
	if (files->folder)
		add_variable("PWD", files->folder, out);
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind == INPUT_VARIABLE)
			add_variable(part->name, part->unset ? NULL : str_text(&part->bytes), out);
		else if (part->kind == INPUT_ARGUMENT)
			add_argument(part, files, out);
	}
	free(temporary);
}

static struct hence_error *write_input(const struct input *input, const struct gdb_room *room,
                                       char **from)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_STDIN)
			return gdb_room_write(room, "stdin", &input->parts.at[i].bytes, from);
	*from = mem_strdup("/dev/null");
	return NULL;
}

struct hence_error *gdb_room_init(const struct input *input, bool confined,
                                  const struct gdb_moment *moment, struct gdb_room *out)
{
	struct own_files files = {0};
	struct str start = STR_INIT;
	char *from = NULL, *temporary;
	struct hence_error *error;

	*out = (struct gdb_room){.scratch.lock = -1, .hence = mem_strdup(cli_executable())};
	error = trial_scratch_create(&out->scratch);
	if (error)
		return error;
	temporary = str_format("%s/tmp", out->scratch.path);
	if (mkdir(temporary, 0700))
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot make %s", temporary);
	free(temporary);
	if (!error && (has_files(input) || (confined && moment->copied)))
		error = write_files(input, out, &files);
	if (!error)
		error = write_input(input, out, &from);
	if (!error) {
		add_start(input, out, confined, &files, from, &start);
		if (moment->edited) {
			str_add_char(&start, GDB_START_EDIT);
			add_text(&start, moment->edited->path);
		}
		error = gdb_room_write(out, "start", &start, &out->start);
	}
	str_deinit(&start);
	free(from);
	own_files_deinit(&files);
	return error;
}

void gdb_room_deinit(struct gdb_room *room)
{
	if (room->scratch.path)
		trial_scratch_destroy(&room->scratch);
	free(room->hence);
	free(room->start);
	free(room->script);
}
