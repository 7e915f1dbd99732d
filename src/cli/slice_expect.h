/* The program's standard output against what is right. */
#ifndef HENCE_CLI_SLICE_EXPECT_H
#define HENCE_CLI_SLICE_EXPECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct slice_expect {
	struct str expected, actual;
	int fd;         /* takes the output; 0 or less: none */
	bool line;      /* the text has no end of line; that of the output does not count */
	bool same;      /* after slice_expect_compare() */
	bool missing;   /* the output ends too early */
	uint64_t wrong; /* the first byte that differs */
};

/* Takes a file or, if that is NULL, a text. Caller frees with slice_expect_deinit(), also after an
   error. */
struct hence_error *slice_expect_init(struct slice_expect *expect, const char *path,
                                      const char *text);
void slice_expect_deinit(struct slice_expect *expect);

/* Compares when the program has ended, and shows its output on stderr. */
struct hence_error *slice_expect_compare(struct slice_expect *expect);

#endif
