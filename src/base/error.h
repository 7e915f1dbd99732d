/*
 * Errors are objects that are returned. NULL means success.
 *
 * A function that can fail for a reason outside the program (bad input, a full disk) returns one;
 * a bug asserts. Only src/cli prints errors and exits.
 */
#ifndef HENCE_BASE_ERROR_H
#define HENCE_BASE_ERROR_H

enum hence_error_kind {
	HENCE_ERROR_NOTHING = 1,  /* nothing is wrong with what is to be explained; exit code 1 */
	HENCE_ERROR_INPUT = 2,    /* the user's words or files; exit code 2 */
	HENCE_ERROR_INTERNAL = 4, /* we failed; exit code 4 */
};

struct hence_error {
	enum hence_error_kind kind;
	char *message; /* one line, without 'hence:' and without a newline */
};

/* Of a function that returns an error: the caller must look at it. */
#define MUST_USE __attribute__((warn_unused_result))

/* Makes an error with a printf-style message. Never NULL. Caller frees with error_destroy(). */
struct hence_error *error_create(enum hence_error_kind kind, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull, warn_unused_result));

/* The same, with ': ' and the text of errno at the end. */
struct hence_error *error_from_errno(enum hence_error_kind kind, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull, warn_unused_result));

/* Frees the error; NULL is fine. */
void error_destroy(struct hence_error *error);

#endif
