/* Options that all commands have that search for the reasons of a failure: what fails, how it is
   recorded, and how the answer is put out. */
#ifndef HENCE_CLI_REPORT_OPTIONS_H
#define HENCE_CLI_REPORT_OPTIONS_H

#include "cli/failure_options.h"
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

/* What a command can print, of a set of these. */
#define REPORT_LISTS (1u << REPORT_TEXT | 1u << REPORT_JSON | 1u << REPORT_GCC)
#define REPORT_ALL   ((1u << REPORT_FORMATS) - 1)

struct report_options {
	struct failure_options failure;
	struct run_options run; /* models and limits of the tape only */
	unsigned formats; /* set before: those that the command can print, 1 << REPORT_TEXT and so
	                     on */
	bool saves; /* set before: its report is one that `hence show` can show, so it has --save
	               and --full */
	enum report_format format;
	bool has_format;  /* given with --format or --json; else the ending of `out` says it */
	const char *out;  /* file */
	const char *save; /* file that gets the report as JSON in addition; NULL: none */
	bool full;        /* --full */
	enum words_when color;
	bool help;
	/* Not options: `prog.c -lm -- ARGS` has words for the compiler, up to '--'; NULL: a program
	   is given. */
	char **sources;
	uint32_t source_count;
};

/* Takes one of these options. False: it is none of these. */
bool report_options_take(struct report_options *options, struct words *words, const char *name,
                         struct hence_error **error);

/* The same for those about the output alone: --format, --json, -o, --full, --color, --help. */
bool report_options_take_output(struct report_options *options, struct words *words,
                                const char *name, struct hence_error **error);

/* After the last option: without --format, `-o FILE.html` says the format. */
void report_options_choose_format(struct report_options *options);

/* The command has no such option. `own` are the names of those of its own. */
struct hence_error *report_options_unknown(const struct words *words, const char *name,
                                           const char *const *own, size_t count);

/* After the last option, which gave this error or NULL: is a program given, do they go together?
   Frees all after an error, and gives the first. */
struct hence_error *report_options_check(struct report_options *options, const struct words *words,
                                         struct hence_error *error);

/* After all options: takes what stands behind them, a command or sources. */
void report_options_take_command(struct report_options *options, const struct words *words);

/* Columns of the terminal that a text goes to, within reason; 0: it goes elsewhere. */
unsigned report_options_width(const struct report_options *options);

/* How a report is to look where it goes: colours, columns, characters and length. */
struct explanation_style report_options_style(const struct report_options *options);
void report_options_deinit(struct report_options *options);

/* The lines of --help about the output and the recording; of commands that explain, the same in two
   parts. */
extern const char report_options_help[];
extern const char report_output_help[];
extern const char report_record_help[];

#endif
