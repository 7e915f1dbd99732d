/* -o of `hence reduce`: the smallest failing input so far, always complete on disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/reduce.h"
#include "cli/run.h"

#define INTERVAL 0.3 /* seconds between two versions of the file */

/* --- where --- */

static bool arguments_vary(const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		if (input->parts.at[i].kind == INPUT_ARGUMENT && input->parts.at[i].varied)
			return true;
	return false;
}

/* Arguments together are one. */
static uint32_t count_varied(const struct input *input)
{
	uint32_t count = arguments_vary(input);

	for (uint32_t i = 0; i < input->parts.size; i++)
		count += input->parts.at[i].kind != INPUT_ARGUMENT && input->parts.at[i].varied;
	return count;
}

static struct hence_error *refuse_same(const char *path, const char *name)
{
	struct stat a, b;

	if (!name || stat(path, &a) || stat(name, &b) || a.st_dev != b.st_dev ||
	    a.st_ino != b.st_ino)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "-o %s is the failing input itself, which must stay; name another file",
	                    path);
}

/* No file of the user's may be replaced by a smaller one. */
static struct hence_error *check_same(const struct reduce_command *command, const char *path)
{
	const struct failure_options *failure = &command->failure;
	struct hence_error *error = refuse_same(path, failure->input);

	for (uint32_t i = 0; !error && i < failure->files.size; i++)
		error = refuse_same(path, failure->files.at[i]);
	for (uint32_t i = 0; !error && i < failure->pass_inputs.size; i++)
		error = refuse_same(path, failure->pass_inputs.at[i]);
	return error;
}

static struct hence_error *open_folder(const char *path)
{
	struct stat info;

	if (mkdir(path, 0777) && errno != EEXIST)
		return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot make the directory %s",
		                        path);
	if (!stat(path, &info) && !S_ISDIR(info.st_mode))
		return error_create(HENCE_ERROR_INPUT,
		                    "-o %s is a file, but several parts of the input vary; name a "
		                    "directory for them",
		                    path);
	if (access(path, W_OK | X_OK))
		return error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write to %s", path);
	return NULL;
}

/* The name of a part in the directory. Caller frees. */
static char *file_name(const struct input_part *part)
{
	const char *slash;

	switch (part->kind) {
	case INPUT_ARGUMENT: return mem_strdup("args");
	case INPUT_STDIN: return mem_strdup("stdin");
	case INPUT_VARIABLE: return str_format("env-%s", part->name);
	case INPUT_FILE: break;
	}
	slash = strrchr(part->name, '/');
	return mem_strdup(slash ? slash + 1 : part->name);
}

static struct hence_error *check_names(const struct reduce_command *command,
                                       const struct input *input, const char *folder)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];
		char *name = file_name(part);
		char *path = str_format("%s/%s", folder, name);

		if (part->varied)
			error = check_same(command, path);
		for (uint32_t j = 0; !error && part->kind == INPUT_FILE && j < i; j++) {
			char *before = file_name(&input->parts.at[j]);

			if (input->parts.at[j].varied && !strcmp(before, name))
				error = error_create(HENCE_ERROR_INPUT,
				                     "-o %s: two parts of the input would both be "
				                     "%s there; reduce one at a time",
				                     folder, name);
			free(before);
		}
		free(path);
		free(name);
	}
	return error;
}

struct hence_error *reduce_output_open(const struct reduce_command *command,
                                       const struct input *original, struct reduce_output *out)
{
	const char *path = command->output;
	struct hence_error *error;
	struct stat info;
	bool folder;

	*out = (struct reduce_output){0};
	if (!path)
		return NULL;
	folder = count_varied(original) > 1 || (!stat(path, &info) && S_ISDIR(info.st_mode));
	if (folder)
		error = open_folder(path);
	else
		error = run_check_output(path, "-o", true);
	if (!error)
		error = folder ? check_names(command, original, path) : check_same(command, path);
	if (error)
		return error;
	out->path = path;
	out->folder = folder;
	out->arguments = arguments_vary(original);
	return NULL;
}

/* --- writing --- */

static int write_bytes(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t done = write(fd, bytes, size);

		if (done < 0 && errno != EINTR)
			return -1;
		if (done > 0) {
			bytes += done;
			size -= (size_t)done;
		}
	}
	return 0;
}

/* A new file beside it takes its place when it is complete. */
static struct hence_error *replace(const char *path, const struct str *bytes)
{
	char *temporary = str_format("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	mode_t mask = umask(0);
	struct hence_error *error = NULL;

	umask(mask);
	if (fd < 0 || fchmod(fd, 0666 & ~mask) || write_bytes(fd, str_text(bytes), bytes->length) ||
	    fsync(fd) || rename(temporary, path))
		error = error_from_errno(HENCE_ERROR_INPUT, "-o: cannot write %s", path);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && error)
		unlink(temporary);
	free(temporary);
	return error;
}

/* All varied arguments, with a 0 behind each. */
static void gather_arguments(const struct input *input, struct str *out)
{
	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->kind != INPUT_ARGUMENT)
			continue;
		str_add_bytes(out, str_text(&part->bytes), part->bytes.length);
		str_add_char(out, '\0');
	}
}

static struct hence_error *write_part(const struct reduce_output *output,
                                      const struct input_part *part, const struct str *bytes)
{
	char *name = file_name(part);
	char *path =
		output->folder ? str_format("%s/%s", output->path, name) : mem_strdup(output->path);
	struct hence_error *error = NULL;

	/* A variable that is not there has no file in a directory. */
	if (part->unset && output->folder)
		unlink(path);
	else
		error = replace(path, bytes);
	free(name);
	free(path);
	return error;
}

static struct hence_error *write_all(const struct reduce_output *output,
                                     const struct input *failing)
{
	static const struct input_part arguments = {.kind = INPUT_ARGUMENT};
	struct hence_error *error = NULL;
	struct str words = STR_INIT;

	if (output->arguments) {
		gather_arguments(failing, &words);
		error = write_part(output, &arguments, &words);
		str_deinit(&words);
	}
	for (uint32_t i = 0; !error && i < failing->parts.size; i++)
		if (failing->parts.at[i].varied && failing->parts.at[i].kind != INPUT_ARGUMENT)
			error = write_part(output, &failing->parts.at[i],
			                   &failing->parts.at[i].bytes);
	return error;
}

struct hence_error *reduce_output_write(struct reduce_output *output, const struct input *failing,
                                        bool always)
{
	struct hence_error *error;
	double now;

	if (!output->path)
		return NULL;
	now = progress_clock();
	if (!always && now - output->last < INTERVAL)
		return NULL;
	error = write_all(output, failing);
	output->last = now;
	return error;
}
