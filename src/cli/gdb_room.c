/* Where the program of `hence gdb` runs: see gdb.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* --- the script that starts the program --- */

/* An argument that names a file of the input names its copy. */
static void add_argument(const struct input_part *part, const struct own_files *files,
                         struct str *out)
{
	const char *text = str_text(&part->bytes);

	str_add_char(out, ' ');
	for (uint32_t i = 0; i < files->all.size; i++) {
		size_t end = worker_file_match(&files->all.at[i].file, text);

		if (!end)
			continue;
		failure_words_quote_all(text, part->bytes.length - end, out);
		failure_words_quote_all(files->all.at[i].path, strlen(files->all.at[i].path), out);
		return;
	}
	failure_words_quote_all(text, part->bytes.length, out);
}

/* gdb tells the program how large its own terminal is. */
static void add_restored(const char *name, struct str *out)
{
	const char *value = getenv(name);

	if (!value) {
		str_printf(out, "unset %s\n", name);
		return;
	}
	str_printf(out, "export %s=", name);
	failure_words_quote_all(value, strlen(value), out);
	str_add_char(out, '\n');
}

static void add_variable(const struct input_part *part, struct str *out)
{
	if (part->unset) {
		str_printf(out, "unset %s\n", part->name);
		return;
	}
	str_printf(out, "export %s=", part->name);
	failure_words_quote_all(str_text(&part->bytes), part->bytes.length, out);
	str_add_char(out, '\n');
}

static void add_start(const struct input *input, const struct own_files *files, const char *from,
                      struct str *out)
{
	add_restored("LINES", out);
	add_restored("COLUMNS", out);
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_VARIABLE)
			add_variable(&input->parts.at[i], out);
	if (files->folder) {
		str_add(out, "cd ");
		failure_words_quote_all(files->folder, strlen(files->folder), out);
		str_add(out, " || exit 1\n");
	}
	str_add(out, "exec \"$@\"");
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT)
			add_argument(&input->parts.at[i], files, out);
	str_add(out, " <");
	failure_words_quote_all(from, strlen(from), out);
	str_add_char(out, '\n');
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

/* Can a shell set all variables? */
static struct hence_error *check_variables(const struct input *input)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const char *name = input->parts.at[i].name;

		if (input->parts.at[i].kind == INPUT_VARIABLE &&
		    (!strchr(letters, *name) ||
		     strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
		                  "0123456789") != strlen(name)))
			return error_create(HENCE_ERROR_INPUT,
			                    "a variable of the report has a name that no shell can "
			                    "set");
	}
	return NULL;
}

struct hence_error *gdb_room_init(const struct input *input, struct gdb_room *out)
{
	struct own_files files = {0};
	struct str start = STR_INIT;
	char *from = NULL;
	struct hence_error *error;

	*out = (struct gdb_room){.scratch.lock = -1};
	error = check_variables(input);
	if (!error)
		error = trial_scratch_create(&out->scratch);
	if (!error && has_files(input))
		error = write_files(input, out, &files);
	if (!error)
		error = write_input(input, out, &from);
	if (!error) {
		add_start(input, &files, from, &start);
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
	free(room->start);
	free(room->script);
}
