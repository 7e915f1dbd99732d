/*
 * hence cc: a compiler driver that takes gcc's and clang's command lines.
 *
 * Each C input is compiled by clang to IR without optimisation, given its hooks by cc_instrument()
 * and written as an object; all else (preprocessing, assembling, linking) is clang's, with the
 * runtime library added to the link. One call runs one clang for each C input and one to link.
 */
#ifndef HENCE_CC_DRIVER_H
#define HENCE_CC_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct cc_tools {
	const char *clang;   /* path of clang; clang_find() */
	const char *runtime; /* path of libhence_rt.a; needed for links only */
	bool colours;        /* stderr is a terminal that shows colours */
	/* Gets each note to the user, one line without newline. */
	void (*note)(const char *text);
	/* Gets clang's messages, to be shown as they are. */
	void (*diagnostics)(const char *bytes, size_t size);
};

/*
 * Does what a compiler would do with these arguments (argv[0] is not looked at). *exit_code is the
 * compiler's; it is written only if there is no error. Temporary files are gone when it returns. If
 * SIGINT, SIGTERM or SIGHUP came meanwhile, it does not return but dies of it.
 * For a call that only asks clang something it becomes clang, and does not return.
 */
MUST_USE struct hence_error *cc_main(const struct cc_tools *tools, int argc, char **argv,
                                     int *exit_code);

#endif
