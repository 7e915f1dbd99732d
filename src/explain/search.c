/* A search through inputs under way: see search.h. */
#include "explain/search.h"

#include <stdlib.h>

static bool give_up(void *context)
{
	const struct search *search = context;

	return budget_is_over(&search->budget);
}

static bool stop(void *context)
{
	struct search *search = context;

	return budget_is_over(&search->budget) || (search->stop && search->stop(search->context));
}

static void show(void *context, const struct reduce_progress *now)
{
	const struct search *search = context;

	if (search->show)
		search->show(search, now);
}

/* --- the whole --- */

void search_begin(struct search *search, const struct failure_options *options,
                  struct reduce_options *reduce)
{
	interrupt_catch();
	/* What comes later shares the time. */
	if (options->time > 0 && !search->budget.until)
		search->budget.until = budget_clock() + options->time;
	search->isolates = reduce->passing_count;
	reduce->progress = show;
	reduce->stop = stop;
	reduce->give_up = give_up;
	reduce->context = search;
}

/* What the user can do about a program that does not fail. */
static const char *advise_good(const struct failure_options *options)
{
	if (options->test_text)
		return "all is what is expected";
	if (options->test)
		return "if that is what the test says for a failure, add --invert";
	if (options->has_status)
		return "that is what is expected";
	if (options->expect || options->expect_text)
		return "its output is what is expected";
	return "say with --expect, --test or --timeout what is wrong with it";
}

static char *refusal_text(const struct failure_options *options, const struct reduce_result *result)
{
	const char *program = options->command[0];
	switch (result->end) {
	case REDUCE_NO_FAILURE:
		if (options->pass_program)
			return str_format(
				"%s does not fail: it %s and prints the same as %s; give a build "
				"that does something else with --pass-prog",
				program, result->ended, options->pass_program);
		return str_format("%s does not fail: %s; %s", program, result->ended,
		                  advise_good(options));
	case REDUCE_NOT_KNOWN:
		/* The first run did not come to its end. */
		if (interrupt_seen())
			return str_format(
				"interrupted in the first run of %s: nothing is known yet",
				program);
		return str_format(
			"the time was up in the first run of %s, so it is not known whether "
			"it fails; give more with --time, or say with --timeout when it hangs",
			program);
	case REDUCE_CANNOT_SAY:
		return str_format("the test '%s' cannot judge the failing input: %s; it must exit "
		                  "with 0 or 1 "
		                  "for it (125 stands for 'cannot say')",
		                  options->test, result->ended);
	default:
		return str_format(
			"%s fails only sometimes: one run %s, another %s; use --any-failure, or a "
			"test (--test) that is sure",
			program, result->flaky.first ? result->flaky.first : result->ended,
			result->flaky.other ? result->flaky.other : "did not fail");
	}
}

void search_refuse(const struct failure_options *options, const struct reduce_result *result,
                   struct refused *out)
{
	out->why = result->end == REDUCE_NO_FAILURE ? REFUSED_NO_FAILURE : REFUSED_NOT_KNOWN;
	*vec_push(&out->texts) = refusal_text(options, result);
}

void refused_deinit(struct refused *refused)
{
	for (uint32_t i = 0; i < refused->texts.size; i++)
		free(refused->texts.at[i]);
	vec_deinit(&refused->texts);
}
