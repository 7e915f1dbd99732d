/*
 * Textbook ddmin of a file by lines, for comparison: one run of the program at a time, by fork and exec, the lines on its
 * standard input; a run fails if it does not exit with 0. Prints tests, lines left and seconds.
 *
 *	reduce_ddmin FILE PROGRAM ARGS...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tests/dd/reference.h"

struct file {
	char *text;
	size_t *begins; /* one more than lines */
	uint32_t lines;
	char **command;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void load(struct file *file, const char *path)
{
	size_t size = 0, room = 0;
	int fd = open(path, O_RDONLY);
	ssize_t got;

	do {
		if (room < size + 65536)
			file->text = realloc(file->text, room = 2 * room + 65536);
		got = read(fd, file->text + size, 65536);
		if (got < 0)
			die(path);
		size += (size_t)got;
	} while (got > 0);
	close(fd);
	file->begins = malloc((size + 2) * sizeof(*file->begins));
	for (size_t at = 0; at < size; file->lines++) {
		const char *end = memchr(file->text + at, '\n', size - at);

		file->begins[file->lines] = at;
		at = end ? (size_t)(end - file->text) + 1 : size;
	}
	file->begins[file->lines] = size;
}

static int run(char **command, int input)
{
	int status, nowhere;
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		nowhere = open("/dev/null", O_WRONLY);
		dup2(input, 0);
		dup2(nowhere, 1);
		dup2(nowhere, 2);
		execv(command[0], command);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

static bool fails(void *context, const uint32_t *units, uint32_t size)
{
	const struct file *file = context;
	int input = memfd_create("input", MFD_CLOEXEC);
	bool failed;

	for (uint32_t i = 0; i < size; i++) {
		size_t from = file->begins[units[i]], length = file->begins[units[i] + 1] - from;

		if (write(input, file->text + from, length) != (ssize_t)length)
			die("write");
	}
	lseek(input, 0, SEEK_SET);
	failed = run(file->command, input) != 0;
	close(input);
	return failed;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	struct file file = {.command = argv + 2};
	struct reference_result result;
	double began = now();

	if (argc < 3) {
		fputs("usage: reduce_ddmin FILE PROGRAM ARGS...\n", stderr);
		return 2;
	}
	load(&file, argv[1]);
	result = reference_ddmin(file.lines, fails, &file);
	printf("%llu %u %.2f\n", (unsigned long long)result.tests, result.size, now() - began);
	free(result.units);
	free(file.begins);
	free(file.text);
	return 0;
}
