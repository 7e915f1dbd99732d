/* The progress line: see progress.h. */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/report_options.h"

#define INTERVAL 0.1 /* seconds between two lines */

double progress_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){.shown = isatty(2) && !report_terminal_is_dumb(),
	                              .began = progress_clock()};
}

bool progress_due(struct progress *progress)
{
	double now;

	if (!progress->shown)
		return false;
	now = progress_clock();
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

void progress_add_pace(const struct progress *progress, uint64_t done, double until,
                       struct str *out)
{
	double now = progress_clock(), taken = now - progress->began;

	if (taken >= INTERVAL && done)
		str_printf(out, ", %.0f/s", (double)done / taken);
	if (until > 0)
		str_printf(out, ", %.0f s left", until > now ? until - now : 0);
	else if (taken >= 1)
		str_printf(out, ", %.0f s", taken);
}

void progress_count(struct progress *progress, const char *phase, uint64_t experiments,
                    double until)
{
	struct str line = STR_INIT;

	if (!progress_due(progress))
		return;
	str_add(&line, phase);
	if (experiments)
		str_printf(&line, ": %llu experiment%s", (unsigned long long)experiments,
		           experiments == 1 ? "" : "s");
	progress_add_pace(progress, experiments, until, &line);
	progress_show(progress, "%s", str_text(&line));
	str_deinit(&line);
}

void progress_end(struct progress *progress)
{
	if (!progress->dirty)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->dirty = false;
}
