/*
 * Runs a program on several inputs, forked from a server and executed anew, and compares how each run
 * ended, where, and what it printed.
 *
 *	compare stdin|arguments|both STDIN-FILE FILES PROGRAM ARGUMENTS...
 *
 * FILES is a folder whose files are put into the working directory before each run ('-': none), which is
 * emptied first. Prints one line: 'equal N' or 'cannot: WHY'; on a difference both sides, and exits with 1.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/launch.h"
#include "trial/server.h"

#define RUNS    7
#define SECONDS 20.0 /* for one run; 1 when it was cut as a fork */
#define WORK    (256u << 20) /* the busiest, which waits for a clock, does a fifth of it */

struct run {
	struct input input;
	struct str ended[2]; /* how: from the server, by exec */
	struct str output[2];
	bool cut;
};

static const char *program, *files;
static struct run runs[RUNS];

static void die(const char *what)
{
	printf("compare: %s\n", what);
	exit(2);
}

/* --- the working directory --- */

static void reset_directory(void)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	char command[4096];

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove(entry->d_name);
	closedir(dir);
	snprintf(command, sizeof(command), "cp -a '%s/.' .", files);
	if (strcmp(files, "-") && system(command))
		die("cannot copy files");
}

/* --- inputs --- */

static void add(struct input *input, enum input_kind kind, const char *bytes, size_t size,
                bool varied)
{
	struct input_part *part = vec_push(&input->parts);

	part->kind = kind;
	str_add_bytes(&part->bytes, bytes, size);
	part->varied = varied;
}

/* Which arguments the nth run has: as given, none, the first, backwards, one more, as given. */
static void add_arguments(struct input *input, int run, bool varied, char **arguments, int count)
{
	for (int i = 0; i < count; i++) {
		char *word = arguments[varied && run == 3 ? count - 1 - i : i];

		if (!varied || !(run == 1 || (run == 2 && i > 0)))
			add(input, INPUT_ARGUMENT, word, strlen(word), varied);
	}
	if (varied && run == 4)
		add(input, INPUT_ARGUMENT, "one more", 8, varied);
}

/* And which part of standard input: as given, none, half, twice, without the first line, ... */
static void add_stdin(struct input *input, int run, bool varied, const struct str *bytes)
{
	const char *text = str_text(bytes), *line = strchr(text, '\n');
	size_t size = bytes->length, skip = line ? (size_t)(line + 1 - text) : 0;
	struct str twice = STR_INIT;

	switch (varied ? run : 0) {
	case 1: add(input, INPUT_STDIN, "", 0, varied); break;
	case 2: add(input, INPUT_STDIN, text, size / 2, varied); break;
	case 3:
		str_add_bytes(&twice, text, size);
		str_add_bytes(&twice, text, size);
		add(input, INPUT_STDIN, str_text(&twice), 2 * size, varied);
		str_deinit(&twice);
		break;
	case 4: add(input, INPUT_STDIN, text + skip, size - skip, varied); break;
	default: add(input, INPUT_STDIN, text, size, varied);
	}
}

/* --- the two ways --- */

static void describe(const struct outcome *outcome, struct str *out)
{
	outcome_write_key(outcome, out);
	str_printf(out, " (%d)", outcome_exit_code(outcome));
}

static void run_forked(void)
{
	struct server_options options = {
		.path = program, .name = "./prog", .input = &runs[0].input};
	struct server_limits limits = {.seconds = SECONDS, .work = WORK, .cancel = -1};
	struct hence_error *error;
	struct server *server;
	const char *why;

	reset_directory();
	error = server_start(&options, &server, &why);
	if (error)
		die(error->message);
	if (!server) {
		printf("cannot: %s\n", why);
		exit(0);
	}
	for (int i = 0; i < RUNS; i++) {
		struct trial_result result;

		reset_directory();
		error = server_try(server, &runs[i].input, &limits, &result);
		if (error)
			die(error->message);
		describe(&result.outcome, &runs[i].ended[0]);
		runs[i].cut = result.cut;
		runs[i].output[0] = result.output;
		outcome_deinit(&result.outcome);
		str_deinit(&result.message);
	}
	server_stop(server);
}

static void read_all(int fd, struct str *out)
{
	char bytes[4096];
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, bytes, sizeof(bytes), at)) > 0; at += n)
		str_add_bytes(out, bytes, (size_t)n);
}

static void run_executed(struct run *run)
{
	int in = memfd_create("stdin", MFD_CLOEXEC), out = memfd_create("stdout", MFD_CLOEXEC);
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	VEC(char *) argv = VEC_INIT;
	struct launch_options options = {
		.path = program, .streams = {in, out, nothing}, .timeout = run->cut ? 1 : SECONDS};
	struct launch_result result;

	reset_directory();
	*vec_push(&argv) = "./prog";
	for (uint32_t i = 0; i < run->input.parts.size; i++) {
		struct input_part *part = &run->input.parts.at[i];

		if (part->kind == INPUT_ARGUMENT)
			*vec_push(&argv) = (char *)str_text(&part->bytes);
		else if (write(in, str_text(&part->bytes), part->bytes.length) < 0)
			die("cannot write");
	}
	lseek(in, 0, SEEK_SET);
	vec_push(&argv);
	options.argv = argv.at;
	if (launch_run(&options, &result))
		die("cannot launch");
	describe(&result.processes.list.at[0].outcome, &run->ended[1]);
	read_all(out, &run->output[1]);
	launch_result_deinit(&result);
	vec_deinit(&argv);
	close(in);
	close(out);
	close(nothing);
}

/* --- all --- */

static bool equal(const struct str *a, const struct str *b)
{
	return a->length == b->length && !memcmp(str_text(a), str_text(b), a->length);
}

static bool check(const struct run *run, int number)
{
	static const char *const side[] = {"forked", "executed"};

	/* An endless loop prints as much as it can. */
	if (equal(&run->ended[0], &run->ended[1]) &&
	    (run->cut || equal(&run->output[0], &run->output[1])))
		return true;
	for (int i = 0; i < 2; i++)
		printf("run %d %s: %s\n%.2000s\n", number, side[i], str_text(&run->ended[i]),
		       str_text(&run->output[i]));
	return false;
}

int main(int argc, char **argv)
{
	struct str bytes = STR_INIT;
	bool good = true;
	int fd;

	if (argc < 5)
		die("usage");
	fd = open(argv[2], O_RDONLY);
	read_all(fd, &bytes);
	files = argv[3];
	program = argv[4];
	for (int i = 0; i < RUNS; i++) {
		add_arguments(&runs[i].input, i, strcmp(argv[1], "stdin"), argv + 5, argc - 5);
		add_stdin(&runs[i].input, i, strcmp(argv[1], "arguments"), &bytes);
	}
	run_forked();
	for (int i = 0; i < RUNS; i++) {
		run_executed(&runs[i]);
		good = check(&runs[i], i) && good;
	}
	str_deinit(&bytes);
	close(fd);
	if (good)
		printf("equal %d\n", RUNS);
	return !good;
}
