/* The source of functions of two versions of a program: which lines are in both. */
#ifndef HENCE_ALIGN_VERSION_SOURCE_H
#define HENCE_ALIGN_VERSION_SOURCE_H

#include "base/error.h"
#include "base/map.h"
#include "model/plan.h"

struct version_text {
	char *bytes;
	size_t size;
	VEC(size_t) starts; /* of lines */
};

MAP_DEFINE_STRING(text_map, struct version_text);

/* Files that were read; {0} is empty. */
struct version_sources {
	struct text_map texts; /* by path */
};

void version_sources_deinit(struct version_sources *sources);

/* The lines of a function of version a, and of b by what they are in a. */
struct version_lines {
	struct {
		char *file;
		uint32_t from, count;
		uint32_t *line; /* of each: its number in version a; 0: it is in this one only */
		uint32_t *replaced; /* and of one that takes the place of another; 0: it does not */
		uint32_t *indent;   /* columns */
	} of[2];
};

/* Reads the sources of two functions and compares their lines. Caller frees with
   version_lines_deinit(), also after an error. */
struct hence_error *version_lines_find(struct version_sources *sources,
                                       const struct plan_function *a, const struct plan_function *b,
                                       struct version_lines *out);
void version_lines_deinit(struct version_lines *lines);

/* Where the instruction is: a line of version a, and a column from the beginning of the text on it.
   False: on a line that is not in both, or in another file than the function. */
bool version_line(const struct version_lines *lines, unsigned version, LLVMValueRef instruction,
                  uint32_t *line, int32_t *column);

/* The same of a line that was replaced by one line of the other version. */
bool version_replaced(const struct version_lines *lines, unsigned version, LLVMValueRef instruction,
                      uint32_t *line);

/* Are both in files with the same name, in whatever folder? */
bool version_same_file(const struct plan_function *a, const struct plan_function *b);

#endif
