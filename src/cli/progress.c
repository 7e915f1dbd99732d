/* The progress line: see progress.h. */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/guard.h"
#include "cli/report_options.h"
#include "explain/input_search.h"

#define INTERVAL 0.1 /* seconds between two lines */

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){.shown = isatty(2) && !report_terminal_is_dumb(),
	                              .began = budget_clock()};
}

bool progress_due(struct progress *progress)
{
	double now;

	if (!progress->shown)
		return false;
	now = budget_clock();
	if (now - progress->last < INTERVAL)
		return false;
	progress->last = now;
	return true;
}

static int width(void)
{
	struct winsize size;

	return !ioctl(2, TIOCGWINSZ, &size) && size.ws_col > 1 ? size.ws_col - 1 : 79;
}

void progress_show(struct progress *progress, const char *format, ...)
{
	struct str line = STR_INIT;
	va_list args;

	if (!progress->shown)
		return;
	va_start(args, format);
	str_vprintf(&line, format, args);
	va_end(args);
	fprintf(stderr, "\r\033[K%.*s", width(), str_text(&line));
	fflush(stderr);
	str_deinit(&line);
	progress->dirty = true;
}

/* Appends the rate and the time: ', 850/s, 4 s left'; without a limit the seconds that it has taken. */
static void add_pace(const struct progress *progress, uint64_t done, double until, struct str *out)
{
	double now = budget_clock(), taken = now - progress->began;

	if (taken >= INTERVAL && done)
		str_printf(out, ", %.0f/s", (double)done / taken);
	if (until > 0)
		str_printf(out, ", %.0f s left", until > now ? until - now : 0);
	else if (taken >= 1)
		str_printf(out, ", %.0f s", taken);
}

void progress_end(struct progress *progress)
{
	if (!progress->dirty)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->dirty = false;
}

/* --- the line of this process --- */

static struct progress line_of_process;
static const char *shown_phase; /* NULL: nothing is under way */

/* Shows, when it is time, what is under way and how far it is: 'proving: 132 experiments, 850/s, 4 s left'. What has just begun is
   shown at once. */
static void show_phase(void *context, uint64_t done, const char *phase, double until)
{
	struct progress *progress = context;
	struct str line GUARD(str_deinit) = STR_INIT;
	bool begins = !done && shown_phase != phase;

	if (!phase)
		progress_end(progress);
	if (phase && !shown_phase)
		progress_begin(progress);
	shown_phase = phase;
	if (!phase || (!progress_due(progress) && !begins))
		return;
	str_add(&line, phase);
	if (done)
		str_printf(&line, ": %llu experiment%s", (unsigned long long)done,
		           done == 1 ? "" : "s");
	if (!begins)
		add_pace(progress, done, until, &line);
	progress_show(progress, "%s", str_text(&line));
}

static void show_reduction(const struct search *search, const struct reduce_progress *now)
{
	struct progress *progress = &line_of_process;
	struct str line GUARD(str_deinit) = STR_INIT;

	if (!shown_phase)
		progress_begin(progress);
	shown_phase = "reducing";
	if (!progress_due(progress))
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
	add_pace(progress, now->tests, budget_until(&search->budget), &line);
	progress_show(progress, "%s", str_text(&line));
}

static bool is_interrupted(void *context)
{
	return interrupt_seen();
}

void progress_watch(struct search *search)
{
	search->budget.ended = is_interrupted;
	search->budget.show = show_phase;
	search->budget.context = &line_of_process;
	search->show = show_reduction;
}
