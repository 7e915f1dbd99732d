/* What the files of `hence trace` share: its options, and what is known of a statement. */
#ifndef HENCE_CLI_TRACE_H
#define HENCE_CLI_TRACE_H

#include "cli/run.h"
#include "describe/describe.h"

struct trace_options {
	struct run_options run;
	const char *function;
	char *file; /* of --line */
	uint64_t line;
	const char *variable;
	uint64_t from, to; /* statements; 0: from the first, to the last */
	uint64_t process;  /* 0: the first */
	const char *output;
	bool check;
	bool json;
};

struct hence_error *trace_options_parse(int argc, char **argv, struct trace_options *out);
void trace_options_deinit(struct trace_options *options);

/* --- trace_print.c --- */

struct trace_printer {
	FILE *file;
	bool json;
	int place_width, function_width;
};

/* Makes columns as wide as the statements of a function need them, within limits. */
void trace_measure(struct trace_printer *printer, LLVMValueRef function, const char *name);

void trace_print(struct trace_printer *printer, const struct described *statement);

/* --- trace_filter.c: which statements are shown --- */

struct trace_filter;

/* The options must outlive it. Caller frees with trace_filter_destroy(). */
struct trace_filter *trace_filter_create(const struct trace_options *options);
void trace_filter_destroy(struct trace_filter *filter);

/* May the statement be shown, as far as its number and place tell? */
bool trace_filter_place(struct trace_filter *filter, uint64_t number,
                        const struct walk_place *place);

/* And as far as the places tell that it read and wrote? */
bool trace_filter_values(struct trace_filter *filter, struct names *names,
                         const struct described *statement);

/* Why nothing was shown. NULL: something was. */
struct hence_error *trace_filter_explain(const struct trace_filter *filter, struct names *names,
                                         struct execution *execution);

/* --- trace_errors.c: memory errors --- */

/* Prints all: to stderr, or as JSON to `json` if that is not NULL. `halted`: the end was not
   reached. */
void trace_errors_print(struct names *names, struct describe_errors *described, FILE *json,
                        bool halted);

/* --- trace_decode.c --- */

/* Decodes a tape and prints its statements. */
struct hence_error *trace_decode(struct run *run, const struct trace_options *options,
                                 const struct run_tape *recorded, struct modules *modules,
                                 FILE *out);

/* --- trace_check.c --- */

/* Decodes all tapes and prints what does not fit. *clean: there is nothing. */
struct hence_error *trace_check(struct run *run, const struct trace_options *options, FILE *out,
                                bool *clean);

#endif
