/*
 * Trials per second: forked from a server of a program built with hence cc, and by starting the plain
 * program anew with posix_spawn(), the quickest way there is. Wall clock, the best of some rounds, the
 * two interleaved; one trial at a time, on the same standard input.
 *
 *	server SECONDS HENCE-PROGRAM PLAIN-PROGRAM      prints: FORKED EXECUTED (both per second)
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trial/server.h"

#define ROUNDS 8

static const char text[] = "12 apples\n30 pears\n";
static struct input input;
static int in, out;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void die(const char *what)
{
	fprintf(stderr, "bench/server: %s\n", what);
	exit(1);
}

static struct server *start(const char *program)
{
	struct server_options options = {.path = program, .name = program, .input = &input};
	struct server *server;
	const char *why;
	struct hence_error *error = server_start(&options, &server, &why);

	if (error)
		die(error->message);
	if (!server)
		die(why);
	return server;
}

static double forked(const char *program, double seconds)
{
	struct server_limits limits = {.seconds = 10, .cancel = -1};
	struct server *server = start(program);
	double begin = now(), spent;
	uint32_t count = 0;

	do {
		struct trial_result result;
		struct hence_error *error = server_try(server, &input, &limits, &result);

		if (error)
			die(error->message);
		if (result.outcome.kind != OUTCOME_EXITED || !result.output.length)
			die("a trial went wrong");
		trial_result_deinit(&result);
		count++;
		spent = now() - begin;
	} while (spent < seconds);
	server_stop(server);
	return count / spent;
}

static void spawn(const char *program, posix_spawn_file_actions_t *actions)
{
	char *argv[] = {(char *)program, NULL};
	pid_t pid;
	int status;

	if (lseek(in, 0, SEEK_SET) || ftruncate(out, 0) || lseek(out, 0, SEEK_SET) ||
	    posix_spawn(&pid, program, actions, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		die("cannot run the plain program");
}

static double executed(const char *program, double seconds)
{
	posix_spawn_file_actions_t actions;
	double begin = now(), spent;
	uint32_t count = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	do {
		spawn(program, &actions);
		count++;
		spent = now() - begin;
	} while (spent < seconds);
	posix_spawn_file_actions_destroy(&actions);
	return count / spent;
}

int main(int argc, char **argv)
{
	double best[2] = {0}, seconds = argc == 4 ? atof(argv[1]) / ROUNDS / 2 : 0;

	if (seconds <= 0)
		die("usage: server SECONDS HENCE-PROGRAM PLAIN-PROGRAM");
	in = memfd_create("in", MFD_CLOEXEC);
	out = memfd_create("out", MFD_CLOEXEC);
	if (write(in, text, sizeof(text) - 1) < 0)
		die("cannot write");
	input_add_bytes(&input, INPUT_STDIN, NULL, text, sizeof(text) - 1);
	input.parts.at[0].varied = true;
	for (int i = 0; i < ROUNDS; i++) {
		double f = forked(argv[2], seconds), e = executed(argv[3], seconds);

		best[0] = f > best[0] ? f : best[0];
		best[1] = e > best[1] ? e : best[1];
	}
	printf("%.0f %.0f\n", best[0], best[1]);
	input_deinit(&input);
	return 0;
}
