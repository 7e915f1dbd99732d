/* A search through inputs under way: see search.h. */
#include "cli/search.h"

#include <signal.h>
#include <stdio.h>

#include "cli/commands.h"

#define DOES_NOT_FAIL 1 /* exit codes: see design.md */
#define NOT_PROVEN    3

/* --- ending early --- */

#define SIGNALS 3

static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[SIGNALS]; /* what a second signal does */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	if (!interrupted) {
		interrupted = number;
		return;
	}
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			sigaction(number, &before[i], NULL);
	raise(number);
}

void search_catch_signals(void)
{
	const struct sigaction action = {.sa_handler = interrupt};

	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction old;

		/* What nohup and the like made us ignore stays ignored. */
		if (sigaction(signals[i], NULL, &old) || old.sa_handler == SIG_IGN ||
		    old.sa_handler == interrupt)
			continue;
		before[i] = old;
		sigaction(signals[i], &action, NULL);
	}
}

bool search_is_interrupted(void)
{
	return interrupted;
}

bool search_is_over(const struct search *search)
{
	return interrupted || (search->until > 0 && progress_clock() >= search->until);
}

static bool give_up(void *context)
{
	return search_is_over(context);
}

static bool stop(void *context)
{
	struct search *search = context;

	return search_is_over(search) || (search->stop && search->stop(search->context));
}

/* --- the terminal --- */

static void show(void *context, const struct reduce_progress *now)
{
	struct search *search = context;
	struct str line = STR_INIT;

	if (!progress_due(&search->progress))
		return;
	if (now->unit)
		str_printf(&line, "making the input smaller, by %s: %llu of %llu %s left, ",
		           now->unit, (unsigned long long)now->size,
		           (unsigned long long)now->original,
		           search->isolates ? "differences" : "bytes");
	else
		str_add(&line, "running the program: ");
	str_printf(&line, "%llu test%s", (unsigned long long)now->tests,
	           now->tests == 1 ? "" : "s");
	progress_add_pace(&search->progress, now->tests, search->until, &line);
	progress_show(&search->progress, "%s", str_text(&line));
	str_deinit(&line);
}

/* --- the whole --- */

void search_begin(struct search *search, const struct failure_options *options,
                  struct reduce_options *reduce)
{
	progress_begin(&search->progress);
	search_catch_signals();
	/* What comes later shares the time. */
	if (options->time > 0 && !search->until)
		search->until = progress_clock() + options->time;
	search->isolates = reduce->passing_count;
	reduce->progress = show;
	reduce->stop = stop;
	reduce->give_up = give_up;
	reduce->context = search;
}

void search_end(struct search *search, const struct reduce_result *result)
{
	progress_end(&search->progress);
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
	if (interrupted)
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
