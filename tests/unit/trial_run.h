/* For the tests of trials: a user's directory to stand in, shell scripts as programs. */
#ifndef HENCE_TESTS_UNIT_TRIAL_RUN_H
#define HENCE_TESTS_UNIT_TRIAL_RUN_H

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/str.h"
#include "trial/trial.h"
#include "trial/trial_scratch.h"

static char base[] = "/tmp/hence-trial-XXXXXX";
static char *tapes,
	*home; /* scratch directories are made in the first, the user is in the second */

static inline void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline void script(const char *path, const char *text)
{
	char *whole = str_format("#!/bin/sh\n%s\n", text);

	put(path, whole);
	free(whole);
	assert_int_equal(chmod(path, 0755), 0);
}

/* The text of a file. Caller frees. */
static inline char *get(const char *path)
{
	char buffer[4096];
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? 0 : read(fd, buffer, sizeof(buffer) - 1);

	if (fd >= 0)
		close(fd);
	buffer[got < 0 ? 0 : got] = '\0';
	return strdup(buffer);
}

static inline void has(const char *path, const char *text)
{
	char *got = get(path);

	assert_string_equal(got, text);
	free(got);
}

static inline uint32_t entries(const char *path)
{
	DIR *dir = opendir(path);
	uint32_t count = 0;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

/* Is there a process with this command line? Its words are joined by blanks. */
static inline bool running(const char *line)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool found = false;

	while (dir && (entry = readdir(dir)) && !found) {
		char path[300], text[256];
		int fd;
		ssize_t got;

		snprintf(path, sizeof(path), "/proc/%.20s/cmdline", entry->d_name);
		fd = open(path, O_RDONLY);
		got = fd < 0 ? 0 : read(fd, text, sizeof(text));
		if (fd >= 0)
			close(fd);
		for (ssize_t i = 0; i + 1 < got; i++)
			text[i] = text[i] ? text[i] : ' ';
		found = got == (ssize_t)strlen(line) + 1 && !memcmp(text, line, strlen(line));
	}
	if (dir)
		closedir(dir);
	return found;
}

static inline int enter_home(void **state)
{
	if (!mkdtemp(base))
		return -1;
	tapes = str_format("%s/tapes", base);
	home = str_format("%s/home", base);
	return mkdir(tapes, 0700) || mkdir(home, 0700) || chdir(home) ||
	       setenv("HENCE_TAPE_DIR", tapes, 1);
}

static inline int leave_home(void **state)
{
	int failed = chdir("/") || entries(tapes) != 2 || trial_scratch_remove(base);

	free(tapes);
	free(home);
	return failed;
}

/* A pool for a shell command; its first run. `extra` are further arguments: $0 and so on. */
struct pool {
	struct input input;
	struct trials_options options;
	struct trials *trials;
	struct trial_result first;
};

static inline void say(struct input *input, const char *argument)
{
	input_add_bytes(input, INPUT_ARGUMENT, NULL, argument, strlen(argument));
}

static inline void shell(struct pool *pool, const char *command)
{
	*pool = (struct pool){.options = {.program = "/bin/sh", .name = "sh", .workers = 1}};
	say(&pool->input, "-c");
	say(&pool->input, command);
	pool->options.input = &pool->input;
}

static inline void start(struct pool *pool)
{
	struct hence_error *error = trials_create(&pool->options, &pool->trials, &pool->first);

	if (error)
		fail_msg("%s", error->message);
}

static inline void refused(struct pool *pool, const char *why)
{
	struct hence_error *error = trials_create(&pool->options, &pool->trials, &pool->first);

	assert_non_null(error);
	if (!strstr(error->message, why))
		fail_msg("'%s' does not say '%s'", error->message, why);
	assert_null(strchr(error->message, '\n'));
	error_destroy(error);
	input_deinit(&pool->input);
	assert_int_equal(entries(tapes), 2);
}

/* Runs the same input once more. Caller frees. */
static inline void again(struct pool *pool, struct trial_result *out)
{
	struct hence_error *error = trials_start(pool->trials, &pool->input, 7);
	uint64_t id = 0;

	assert_null(error);
	error = trials_wait(pool->trials, &id, out);
	if (error)
		fail_msg("%s", error->message);
	assert_int_equal(id, 7);
}

static inline void stop(struct pool *pool)
{
	trials_destroy(pool->trials);
	trial_result_deinit(&pool->first);
	input_deinit(&pool->input);
	assert_int_equal(entries(tapes), 2); /* nothing left behind */
}

#endif
