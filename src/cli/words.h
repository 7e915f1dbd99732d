/* Reading options from a command line: the same for all commands that run a program. */
#ifndef HENCE_CLI_WORDS_H
#define HENCE_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* The arguments that are still to be read. */
struct words {
	char **at;
	const char *value;   /* of --option=VALUE; NULL: none */
	const char *command; /* for messages: 'run' */
};

/* Reads options up to the first word that is none, or '--', which is passed over. `take` is called
   for each option, with its name ('=VALUE' is cut off); it asks for the value if there is to be
   one. The words behind the options are left in words->at. */
struct hence_error *words_read(struct words *words,
                               struct hence_error *(*take)(void *context, struct words *words,
                                                           const char *name),
                               void *context);

/* The value of an option: behind '=' or the next word. Valid as long as the command line. */
struct hence_error *words_value(struct words *words, const char *name, const char **out);

/* A value that is a number of seconds above 0. */
struct hence_error *words_seconds(struct words *words, const char *name, double *out);

/* A value that is a size of at least 1M, like 500M. */
struct hence_error *words_size(struct words *words, const char *name, uint64_t *out);

/* A value that is a whole number of at least 1. */
struct hence_error *words_number(struct words *words, const char *name, uint64_t *out);

/* A value that is one of `count` words: which. */
struct hence_error *words_choice(struct words *words, const char *name, const char *const *known,
                                 int count, int *out);

/* When to use colours. */
enum words_when { WORDS_AUTO, WORDS_ALWAYS, WORDS_NEVER };

/* --color[=WHEN]; without a value it is always. */
struct hence_error *words_color(struct words *words, enum words_when *out);

/* Does the terminal say that it knows no escape sequences? */
bool words_is_dumb(void);

/* Colours: only on a terminal, unless the user says otherwise. `file`: of -o; NULL: stdout. */
bool words_use_color(enum words_when when, const char *file);

/* The command has no such option; names the one that was meant, if it is near. */
struct hence_error *words_unknown(const struct words *words, const char *name,
                                  const char *const *names, size_t count);

/* No program stands behind the options. */
struct hence_error *words_no_program(const struct words *words);

#endif
