/* The text of a source file, for printers that show lines of it. */
#ifndef HENCE_REPORT_SOURCE_H
#define HENCE_REPORT_SOURCE_H

#include <stdbool.h>

#include "base/str.h"
#include "base/vec.h"

enum source_state {
	SOURCE_FILE_GOOD,
	SOURCE_FILE_MISSING, /* it cannot be read */
	SOURCE_FILE_NEWER,   /* than the program: its lines may not be those that were compiled */
};

struct source {
	enum source_state state;
	char *text;        /* lines are terminated in it */
	VEC(char *) lines; /* into the text; the first is line 1 */
};

/* Reads a file; `name` may be relative to `directory`. Caller frees with source_deinit(). */
void source_init(struct source *source, const char *directory, const char *name, const char *elf);
void source_deinit(struct source *source);

/* The text of a line; NULL: it is not to be shown. Valid until source_deinit(). */
const char *source_line(const struct source *source, unsigned line);

/* Is the file newer than the program? False when one of them is not there. */
bool source_is_newer(const char *directory, const char *name, const char *elf);

/* Appends a line of source without control characters, tabs expanded. */
void source_add_expanded(const char *text, struct str *out);

#endif
