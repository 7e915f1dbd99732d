/* A search through inputs under way: see search.h. */
#include "cli/search.h"

#include <stdio.h>

#include "cli/commands.h"

#define DOES_NOT_FAIL 1 /* exit codes: see design.md */
#define NOT_PROVEN    3

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

void search_end(struct search *search, const struct reduce_result *result)
{
	budget_hide(&search->budget);
	if (result->note)
		fprintf(stderr, "hence: %s\n", result->note);
}

/* What the user can do about a program that does not fail. */
static const char *advise_good(const struct failure_options *options)
{
	if (options->test)
		return "if that is what the test says for a failure, add --invert";
	if (options->expect || options->expect_text)
		return "what it puts out is what is expected";
	return "say with --expect, --test or --timeout what is wrong with it";
}

static int refuse_good(const struct failure_options *options, const struct reduce_result *result)
{
	if (options->pass_program)
		fprintf(stderr,
		        "hence: %s does not fail: it %s and puts out the same as %s; give a build "
		        "that does something else with --pass-prog\n",
		        options->command[0], result->ended, options->pass_program);
	else
		fprintf(stderr, "hence: %s does not fail: %s; %s\n", options->command[0],
		        result->ended, advise_good(options));
	return DOES_NOT_FAIL;
}

static int refuse_unsure(const struct failure_options *options, const struct reduce_result *result)
{
	const char *first = result->flaky.first, *other = result->flaky.other;

	fprintf(stderr,
	        "hence: %s fails only sometimes: one run %s, another %s; use --any-failure, or a "
	        "test (--test) that is sure\n",
	        options->command[0], first ? first : result->ended, other ? other : "did not fail");
	return NOT_PROVEN;
}

/* The first run did not come to its end. */
static int refuse_unknown(const struct failure_options *options)
{
	if (interrupt_seen())
		fprintf(stderr, "hence: interrupted in the first run of %s: nothing is known yet\n",
		        options->command[0]);
	else
		fprintf(stderr,
		        "hence: the time was up in the first run of %s, so it is not known whether "
		        "it fails; give more with --time, or say with --timeout when it hangs\n",
		        options->command[0]);
	return NOT_PROVEN;
}

int search_refuse(const struct failure_options *options, const struct reduce_result *result)
{
	if (result->end == REDUCE_NO_FAILURE)
		return refuse_good(options, result);
	if (result->end == REDUCE_NOT_KNOWN)
		return refuse_unknown(options);
	if (result->end != REDUCE_CANNOT_SAY)
		return refuse_unsure(options, result);
	fprintf(stderr,
	        "hence: the test '%s' cannot judge the failing input: %s; it must exit with 0 or 1 "
	        "for it (125 stands for 'cannot say')\n",
	        options->test, result->ended);
	return NOT_PROVEN;
}
