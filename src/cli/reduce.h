/* `hence reduce`: its options and how its result is shown. */
#ifndef HENCE_CLI_REDUCE_H
#define HENCE_CLI_REDUCE_H

#include "cli/failure_options.h"
#include "reduce/reduce.h"

struct reduce_command {
	struct failure_options failure;
	const char *output; /* -o */
	bool json;
	bool color;
	bool help;
};

/* Reads the command line. Caller frees with failure_options_deinit(&out->failure). */
struct hence_error *reduce_command_parse(int argc, char **argv, struct reduce_command *out);

/* --- -o: the failing input on disk --- */

/* Where it goes. A single varied part is a file; several are files in a directory. */
struct reduce_output {
	const char *path; /* NULL: nowhere */
	bool folder;
	bool arguments; /* vary */
	double last;    /* when it was written */
};

/* Finds out before the search what would fail after it: a missing folder, a file of the user's. */
struct hence_error *reduce_output_open(const struct reduce_command *command,
                                       const struct input *original, struct reduce_output *out);

/* Replaces what is there in one step, so that it is complete at any moment; `always`: also if it was
   done a moment ago. */
struct hence_error *reduce_output_write(struct reduce_output *output, const struct input *failing,
                                        bool always);

/* --- what is printed --- */

struct reduce_report {
	const struct reduce_command *command;
	const struct reduce_result *result;
	const struct reduce_output *output;
};

void reduce_report_text(const struct reduce_report *report, struct str *out);
void reduce_report_json(const struct reduce_report *report, struct str *out);

/* Members of a JSON object (report/json.h) that other commands have, too: "command"; and "complete",
   "unit", "original", "reduced", "failing", "passing". */
void reduce_add_command(char **command, struct str *out);
void reduce_add_inputs(const struct reduce_result *result, struct str *out);

/* A unified diff of two inputs, part by part; at most `most` lines of it. False: they are equal. */
bool reduce_diff(const struct input *from, const char *from_name, const struct input *to,
                 const char *to_name, uint32_t most, bool color, struct str *out);

/* Where two similar texts differ, such as 'byte 16: "A" is added'; nothing if that is no short answer. */
void reduce_diff_short(const struct input *from, const struct input *to, struct str *out);

/* --- bytes --- */

/* Is it UTF-8, without zero bytes? */
bool reduce_is_utf8(const struct str *bytes);

/* Is it text that can be shown as it is? */
bool reduce_is_text(const struct str *bytes);

/* Adds bytes of a struct str; what cannot be seen is written as \ooo. */
void reduce_add_visible(struct str *out, const char *bytes, size_t size);

#endif
