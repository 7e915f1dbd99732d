/*
 * A pool of trials on the command line, for the test beside it and for measurements:
 *
 *	tool [-n TRIALS] [-j WORKERS] [-p] [-t TIMEOUT] [-i STDIN] [-f FILE]... [-x ARG]
 *	     PROGRAM ARGS...
 *
 * Prints how the first run went, whether all others went the same way, how many were forked, and
 * on standard error how many there were in a second. -p: never use the fork server.
 * -x: all but the first run have ARG as their first argument.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trial/oracle.h"
#include "trial/trial.h"

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(struct hence_error *error)
{
	if (!error)
		return;
	printf("error: %s\n", error->message);
	exit(error->kind);
}

static void describe(const struct trial_result *result, struct str *out)
{
	outcome_write_key(&result->outcome, out);
	if (result->outcome.innermost.function)
		str_printf(out, " inside %s", result->outcome.innermost.function);
	str_printf(out, "%s, output %zu '%.40s'", result->cut ? ", cut" : "", result->output.length,
	           str_text(&result->output));
}

/* Runs the failing input many times; gives the number of those that went otherwise. */
/* Puts another first argument in place. */
static void exchange(struct input *input, const char *argument)
{
	if (!argument)
		return;
	str_deinit(&input->parts.at[0].bytes);
	str_add(&input->parts.at[0].bytes, argument);
}

static uint32_t run_all(struct trials *trials, const struct input *input, uint32_t count,
                        const char *wanted)
{
	uint32_t started = 0, different = 0;

	for (uint32_t done = 0; done < count; done++) {
		struct str text = STR_INIT;
		struct trial_result result;
		uint64_t id;

		while (started < count && trials_ready(trials))
			check(trials_start(trials, input, started++));
		check(trials_wait(trials, &id, &result));
		describe(&result, &text);
		if (strcmp(str_text(&text), wanted)) {
			if (!different++)
				printf("different: %s\n", str_text(&text));
		}
		str_deinit(&text);
		trial_result_deinit(&result);
	}
	return different;
}

static void read_options(int argc, char **argv, uint32_t *count, struct input *input,
                         struct trials_options *options, const char **other)
{
	struct input rest = {0};
	int c;

	while ((c = getopt(argc, argv, "+n:j:pt:i:f:x:")) > 0) {
		switch (c) {
		case 'n': *count = (uint32_t)atoi(optarg); break;
		case 'j': options->workers = (uint32_t)atoi(optarg); break;
		case 'p': options->plain = true; break;
		case 't': options->timeout = atof(optarg); break;
		case 'i': check(input_add_file(&rest, INPUT_STDIN, NULL, optarg)); break;
		case 'f': check(input_add_file(&rest, INPUT_FILE, optarg, optarg)); break;
		case 'x': *other = optarg; break;
		default: exit(2);
		}
	}
	for (int i = optind + 1; i < argc; i++)
		input_add_bytes(input, INPUT_ARGUMENT, NULL, argv[i], strlen(argv[i]));
	input_copy(input, &rest);
	input_deinit(&rest);
	for (uint32_t i = 0; i < input->parts.size; i++)
		input->parts.at[i].varied = true;
	options->program = options->name = argv[optind];
	options->input = input;
}

int main(int argc, char **argv)
{
	struct trials_options options = {.workers = 1};
	struct input input = {0};
	struct str text = STR_INIT;
	struct trial_result first;
	struct trials *trials;
	uint64_t all, forked;
	uint32_t count = 20;
	const char *other = NULL;
	double begin;

	read_options(argc, argv, &count, &input, &options, &other);
	check(trials_create(&options, &trials, &first));
	describe(&first, &text);
	printf("first: %s\n", str_text(&text));
	exchange(&input, other);
	begin = now();
	printf("%u different\n", run_all(trials, &input, count, str_text(&text)));
	fprintf(stderr, "%.0f trials/s\n", count / (now() - begin));
	trials_count(trials, &all, &forked);
	printf("%s\n", forked >= count ? "forked" : "executed");
	trials_destroy(trials);
	trial_result_deinit(&first);
	input_deinit(&input);
	str_deinit(&text);
	return 0;
}
