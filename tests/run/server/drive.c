/*
 * Drives fork servers for test.sh: `drive SCENARIO PROGRAM...`. Each scenario is a function that checks what it
 * sees; the first thing that is not as it should be is printed, and the exit code is 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial/server.h"

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
static void fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(1);
}

#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail("line %d: not so: %s", __LINE__, #condition);                         \
	} while (0)

/* --- inputs --- */

static void add(struct input *input, enum input_kind kind, const char *name, const char *text,
                bool varied)
{
	struct input_part *part = vec_push(&input->parts);

	part->kind = kind;
	part->name = (char *)name;
	str_add(&part->bytes, text);
	part->varied = varied;
}

static void clear(struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size; i++)
		str_deinit(&input->parts.at[i].bytes);
	vec_deinit(&input->parts);
}

/* Standard input only. */
static struct input text_input(const char *text)
{
	struct input input = {0};

	add(&input, INPUT_STDIN, NULL, text, true);
	return input;
}

/* --- servers --- */

static struct server *start_on(const char *program, const struct input *input)
{
	struct server_options options = {.path = program, .name = "prog", .input = input};
	struct server *server;
	const char *why;
	struct hence_error *error = server_start(&options, &server, &why);

	if (error)
		fail("%s: error: %s", program, error->message);
	if (!server)
		fail("%s: cannot be a server: %s", program, why);
	return server;
}

static struct server *start(const char *program, const char *text)
{
	struct input input = text_input(text);
	struct server *server = start_on(program, &input);

	clear(&input);
	return server;
}

static const struct server_limits usual = {.seconds = 20, .cancel = -1};

static struct trial_result try_on(struct server *server, const struct input *input,
                                  const struct server_limits *limits)
{
	struct trial_result result;
	struct hence_error *error = server_try(server, input, limits, &result);

	if (error)
		fail("error: %s", error->message);
	return result;
}

static struct trial_result try(struct server *server, const char *text,
                               const struct server_limits *limits)
{
	struct input input = text_input(text);
	struct trial_result result = try_on(server, &input, limits);

	clear(&input);
	return result;
}

static void drop(struct trial_result *result)
{
	outcome_deinit(&result->outcome);
	str_deinit(&result->output);
}

static void check_output(struct trial_result result, const char *expected)
{
	if (strcmp(str_text(&result.output), expected))
		fail("output '%.500s', not '%.500s'", str_text(&result.output), expected);
	drop(&result);
}

/* Fills pids with our children, whatever they are. */
static uint32_t list_children(pid_t pids[16])
{
	FILE *file;
	char path[64];
	uint32_t count = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	file = fopen(path, "re");
	CHECK(file);
	while (count < 16 && fscanf(file, "%d", &pids[count]) == 1)
		count++;
	fclose(file);
	return count;
}

/* --- scenarios --- */

/* The program writes 's' to descriptor 9 when it starts and 't' when it has read its input. */
static void startup(char **programs)
{
	struct server *server = start(programs[0], "0\n");
	char bytes[64] = "", text[32], expected[64];

	for (int i = 0; i < 20; i++) {
		snprintf(text, sizeof(text), "%d\n", i);
		snprintf(expected, sizeof(expected), "early\nbuffered\nread %d\n", i);
		check_output(try(server, text, &usual), expected);
	}
	server_stop(server);
	CHECK(pread(9, bytes, sizeof(bytes), 0) == 21);
	CHECK(!strcmp(bytes, "stttttttttttttttttttt"));
}

static struct input words(int count, ...)
{
	struct input input = {0};
	va_list args;

	va_start(args, count);
	for (int i = 0; i < count; i++)
		add(&input, INPUT_ARGUMENT, NULL, va_arg(args, const char *), true);
	va_end(args);
	return input;
}

static void check_words(struct server *server, struct input input, const char *expected)
{
	check_output(try_on(server, &input, &usual), expected);
	clear(&input);
}

/* The program prints its arguments and then spoils them. */
static void arguments(char **programs)
{
	struct input first = words(2, "a", "bb");
	struct server *server = start_on(programs[0], &first);
	char *large = malloc(100001);
	char *expected = malloc(100100);

	memset(large, 'x', 100000);
	large[100000] = '\0';
	sprintf(expected, "3 <%s><tail>\n", large);
	check_words(server, words(2, "a", "bb"), "3 <a><bb>\n");
	check_words(server, words(0), "1 \n");
	check_words(server, words(5, "1", "", "3", "", "5"), "6 <1><><3><><5>\n");
	check_words(server, words(2, large, "tail"), expected);
	check_words(server, words(1, "bb"), "2 <bb>\n");
	check_words(server, words(2, "a", "bb"), "3 <a><bb>\n");
	clear(&first);
	free(large);
	free(expected);
	server_stop(server);
}

/* The program prints V as getenv(), environ and main's third parameter have it, and what begins
   with HENCE_. */
static void variables(char **programs)
{
	static const char *const values[] = {"1", "", "a longer one", "1"};
	struct input input = {0}, without = {0}, preload = {0};
	struct server_options options = {.path = programs[0], .name = "prog", .input = &preload};
	struct server *server;
	const char *why;
	char expected[128];

	setenv("V", "the user's", 1);
	add(&input, INPUT_VARIABLE, "V", "0", true);
	server = start_on(programs[0], &input);
	for (int i = 0; i < 4; i++) {
		str_deinit(&input.parts.at[0].bytes);
		str_add(&input.parts.at[0].bytes, values[i]);
		snprintf(expected, sizeof(expected), "<%s><%s><%s>\n", values[i], values[i],
		         values[i]);
		check_output(try_on(server, &input, &usual), expected);
	}
	check_output(try_on(server, &without, &usual), "<-><-><->\n");
	server_stop(server);
	add(&preload, INPUT_VARIABLE, "LD_BIND_NOW", "1", true);
	CHECK(!server_start(&options, &server, &why));
	CHECK(!server && strstr(why, "variable"));
	clear(&input);
	clear(&preload);
}

/* The program prints a file, which is written anew before each trial. */
static void files(char **programs)
{
	struct input input = {0};
	struct server *server;
	char text[32];

	add(&input, INPUT_FILE, "data", "", true);
	server = start_on(programs[0], &input);
	for (int i = 0; i < 3; i++) {
		FILE *file = fopen("data", "we");

		snprintf(text, sizeof(text), "%d\n", i);
		CHECK(file && fputs(text, file) >= 0 && !fclose(file));
		check_output(try_on(server, &input, &usual), text);
	}
	server_stop(server);
	clear(&input);
}

/* The program loops N times; 0: for ever. */
static void work(char **programs)
{
	struct server *server = start(programs[0], "10\n");
	struct server_limits limits = usual;
	struct trial_result result = try(server, "1000000\n", &usual);
	uint64_t million = server_work(server);

	CHECK(result.outcome.kind == OUTCOME_EXITED && !result.cut);
	CHECK(million > 1000000 && million < 100000000);
	drop(&result);
	for (int i = 0; i < 3; i++) {
		limits.work = million - (i == 1);
		result = try(server, "1000000\n", &limits);
		CHECK(result.cut == (i == 1));
		CHECK(result.outcome.kind == (i == 1 ? OUTCOME_TIMED_OUT : OUTCOME_EXITED));
		CHECK(server_work(server) == million);
		drop(&result);
	}
	limits.work = 10 * million;
	result = try(server, "0\n", &limits);
	CHECK(result.cut && result.outcome.kind == OUTCOME_TIMED_OUT);
	drop(&result);
	result = try(server, "-1\n", &limits); /* in a child that it waits for */
	CHECK(result.cut && result.outcome.kind == OUTCOME_TIMED_OUT);
	drop(&result);
	check_output(try(server, "10\n", &limits), "10\n");
	server_stop(server);
}

/* The program leaves processes behind, whose ids it prints. */
static void tree(char **programs)
{
	struct server *server = start(programs[0], "x");

	for (int i = 0; i < 3; i++) {
		struct trial_result result = try(server, "x", &usual);
		int ids[3];

		CHECK(result.outcome.kind == OUTCOME_EXITED && result.outcome.status == 5);
		CHECK(sscanf(str_text(&result.output), "%d %d %d", &ids[0], &ids[1], &ids[2]) == 3);
		for (int k = 0; k < 3; k++)
			CHECK(kill(ids[k], 0) && errno == ESRCH);
		drop(&result);
	}
	server_stop(server);
}

/* The program does with its process group or its standard streams what it is told. */
static void mischief(char **programs)
{
	struct server *server = start(programs[0], "nothing\n");
	struct trial_result result;

	for (int i = 0; i < 2; i++) {
		result = try(server, "group\n", &usual);
		CHECK(result.outcome.kind == OUTCOME_SIGNALLED && result.outcome.signal == SIGTERM);
		drop(&result);
		check_output(try(server, "nothing\n", &usual), "prefix\nnothing\n");
		drop((result = try(server, "flags\n", &usual), &result));
		check_output(try(server, "flags\n", &usual), "prefix\nflags 0 0\n");
		drop((result = try(server, "spoil\n", &usual), &result));
		check_output(try(server, "nothing\n", &usual), "prefix\nnothing\n");
	}
	server_stop(server);
}

/* The program sleeps for as long as its input says. */
static void limits(char **programs)
{
	struct server *server = start(programs[0], "0\n");
	struct server_limits some = usual;
	struct trial_result result;
	int fds[2];

	CHECK(!pipe2(fds, O_CLOEXEC));
	some.seconds = 0.2;
	result = try(server, "100\n", &some);
	CHECK(result.outcome.kind == OUTCOME_TIMED_OUT && !result.cut);
	drop(&result);
	some = usual;
	some.cancel = fds[0];
	check_output(try(server, "0\n", &some), "slept\n");
	CHECK(write(fds[1], "x", 1) == 1);
	result = try(server, "100\n", &some);
	CHECK(result.outcome.kind == OUTCOME_UNKNOWN);
	drop(&result);
	some = usual;
	some.output = 3;
	check_output(try(server, "0\n", &some), "sle");
	check_output(try(server, "0\n", &usual), "slept\n");
	server_stop(server);
}

static pid_t server_process(pid_t other)
{
	pid_t pids[16];
	uint32_t count = list_children(pids);

	for (uint32_t i = 0; i < count; i++)
		if (pids[i] != other)
			return pids[i];
	fail("there is no server");
}

/* A killed server is an error, of that one only; its successor works. */
static void killed(char **programs)
{
	struct server *a = start(programs[0], "0\n"), *b;
	pid_t first = server_process(0), left[16];
	struct input input = text_input("0\n");
	struct hence_error *error;
	struct trial_result result;

	b = start(programs[0], "0\n");
	kill(first, SIGKILL);
	check_output(try(b, "0\n", &usual), "slept\n");
	error = server_try(a, &input, &usual, &result);
	CHECK(error && strstr(error->message, "has ended"));
	error_destroy(error);
	server_stop(a);
	a = start(programs[0], "0\n");
	check_output(try(b, "0\n", &usual), "slept\n");
	check_output(try(a, "0\n", &usual), "slept\n");
	server_stop(a);
	server_stop(b);
	CHECK(list_children(left) == 0);
	CHECK(waitpid(-1, NULL, __WALL) < 0 && errno == ECHILD);
	clear(&input);
}

/* Each program cannot be a server, for the reason that follows it. */
static void refused(char **programs)
{
	for (; *programs; programs += 3) {
		struct input input = text_input("x");
		struct server_options options = {
			.path = programs[1], .name = "prog", .input = &input, .seconds = 2};
		struct server *server;
		struct hence_error *error;
		const char *why;

		if (!strcmp(programs[0], "arguments"))
			add(&input, INPUT_ARGUMENT, NULL, "a", true);
		error = server_start(&options, &server, &why);
		if (error)
			fail("%s: %s", programs[1], error->message);
		if (server || !strstr(why, programs[2]))
			fail("%s is not refused because '%s': %s", programs[1], programs[2],
			     server ? "it is a server" : why);
		clear(&input);
	}
}

static int no_right(const struct confine *confine)
{
	(void)confine;
	return EPERM;
}

static void errors(char **programs)
{
	struct input input = text_input("0\n");
	struct server_options options = {.path = "./missing", .name = "missing", .input = &input};
	struct hence_error *error;
	struct server *server;
	const char *why;

	error = server_start(&options, &server, &why);
	CHECK(error && !strcmp(error->message, "cannot run missing: No such file or directory"));
	error_destroy(error);
	options.path = programs[0];
	options.confine = no_right;
	error = server_start(&options, &server, &why);
	CHECK(error && strstr(error->message, "Operation not permitted"));
	error_destroy(error);
	options.confine = NULL;
	options.directory = "/nowhere";
	error = server_start(&options, &server, &why);
	CHECK(error && strstr(error->message, "No such file or directory"));
	error_destroy(error);
	clear(&input);
}

static const struct {
	const char *name;
	void (*run)(char **programs);
} scenarios[] = {
	{"startup", startup},   {"arguments", arguments}, {"variables", variables},
	{"files", files},       {"work", work},           {"tree", tree},
	{"mischief", mischief}, {"limits", limits},       {"killed", killed},
	{"refused", refused},   {"errors", errors},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(scenarios) / sizeof(*scenarios); i++)
		if (!strcmp(argv[1], scenarios[i].name)) {
			scenarios[i].run(argv + 2);
			return 0;
		}
	fail("no such scenario");
}
