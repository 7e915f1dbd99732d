/* Options that all commands have that search for the reasons of a failure: what fails, how it is
   recorded, and how the answer is printed. */
#ifndef HENCE_CLI_REPORT_OPTIONS_H
#define HENCE_CLI_REPORT_OPTIONS_H

#include "explain/failure_case.h"
#include "cli/record.h"
#include "report/explanation.h"

/* In the order of explanation_formats. */
enum report_format {
	REPORT_TEXT,
	REPORT_JSON,
	REPORT_SARIF,
	REPORT_HTML,
	REPORT_DOT,
	REPORT_GCC,
	REPORT_FORMATS, /* how many */
};

/* When to use colours. */
enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What a command can print, of a set of these. */
#define REPORT_LISTS (1u << REPORT_TEXT | 1u << REPORT_JSON | 1u << REPORT_GCC)
#define REPORT_ALL   ((1u << REPORT_FORMATS) - 1)

struct report_options {
	struct failure_options failure;
	struct run_options run; /* models and limits of the tape only */
	unsigned formats; /* set before: those that the command can print, 1 << REPORT_TEXT and so
	                     on */
	enum report_format format;
	bool has_format;  /* given with --format or --json; else the ending of `out` says it */
	const char *out;  /* file */
	const char *save; /* file that gets the report as JSON in addition; NULL: none */
	bool full;        /* --full */
	enum color_when color;
	/* Not options: `prog.c -lm -- ARGS` has words for the compiler, up to '--'; NULL: a program
	   is given. */
	char **sources;
	uint32_t source_count;
};

/* After the last option: without --format, `-o FILE.html` says the format. */
void report_options_choose_format(struct report_options *options);

/* Does the terminal say that it knows no escape sequences? */
bool report_terminal_is_dumb(void);

/* Are colours used in `file`, or on stdout if that is NULL? Only on a terminal, unless the user says otherwise. */
bool report_use_color(enum color_when when, const char *file);

/* How a report is to look where it goes: colours, columns, characters and length. */
struct explanation_style report_options_style(const struct report_options *options);
void report_options_deinit(struct report_options *options);

#endif
