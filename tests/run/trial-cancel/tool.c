/*
 * tool PROGRAM COUNT: trials of a program that crashes, with arguments 1 to COUNT. Each is begun
 * and cancelled, at another moment each time, and then run to its end: it must crash where the
 * first did.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trial/trial.h"

static void check(struct hence_error *error)
{
	if (!error)
		return;
	printf("error: %s\n", error->message);
	exit(error->kind);
}

static void set_argument(struct input *input, int number)
{
	str_deinit(&input->parts.at[0].bytes);
	str_printf(&input->parts.at[0].bytes, "%d", number);
}

/* Runs the input; false: it does not end like that. */
static bool ends_like(struct trials *trials, const struct input *input, const char *wanted)
{
	struct str text = STR_INIT;
	struct trial_result result;
	uint64_t id;
	bool same;

	check(trials_start(trials, input, 2));
	check(trials_wait(trials, &id, &result));
	outcome_write_key(&result.outcome, &text);
	same = id == 2 && !strcmp(str_text(&text), wanted);
	if (!same)
		printf("%s ended otherwise: %s\n", str_text(&input->parts.at[0].bytes),
		       str_text(&text));
	str_deinit(&text);
	trial_result_deinit(&result);
	return same;
}

int main(int argc, char **argv)
{
	struct trials_options options = {.program = argv[1], .name = argv[1], .workers = 1};
	int count = argc > 2 ? atoi(argv[2]) : 0, bad = 0;
	struct str wanted = STR_INIT;
	struct input input = {0};
	struct trial_result first;
	struct trials *trials;

	input_add_bytes(&input, INPUT_ARGUMENT, NULL, "1", 1);
	input.parts.at[0].varied = true;
	options.input = &input;
	check(trials_create(&options, &trials, &first));
	outcome_write_key(&first.outcome, &wanted);
	printf("first: %s\n", str_text(&wanted));
	for (int i = 1; i <= count; i++) {
		set_argument(&input, i);
		check(trials_start(trials, &input, 1));
		/* Between the moments before it starts and after it has ended. */
		usleep((unsigned)(1e6 * first.seconds * (i % 50) / 25));
		trials_cancel(trials, 1);
		bad += !ends_like(trials, &input, str_text(&wanted));
	}
	printf("%d of %d ended otherwise\n", bad, count);
	trials_destroy(trials);
	trial_result_deinit(&first);
	input_deinit(&input);
	str_deinit(&wanted);
	return bad != 0;
}
