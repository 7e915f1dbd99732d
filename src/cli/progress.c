/* The progress line: see progress.h. */
#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/words.h"

#define INTERVAL 0.1 /* seconds between two lines */

double progress_clock(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){.shown = isatty(2) && !words_is_dumb()};
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

void progress_end(struct progress *progress)
{
	if (!progress->dirty)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->dirty = false;
}
