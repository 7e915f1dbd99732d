/* Response files: `@FILE` on a command line stands for the words in FILE. */
#ifndef HENCE_CC_RESPONSE_H
#define HENCE_CC_RESPONSE_H

#include "base/error.h"
#include "cc/words.h"

/*
 * Appends the words of a command line to `words`, each @FILE replaced by what the file holds, also
 * in nested files. Words in a file are split at white space; '...' and "..." keep it, and a
 * backslash takes the next character as it is. A file that cannot be read stays as it was written,
 * as gcc does it. Files that name each other in a circle are an error.
 */
struct hence_error *response_expand(int argc, char *const *argv, struct cc_words *words);

/* Writes words to a response file that response_expand() and clang read back unchanged. */
struct hence_error *response_write(const struct cc_words *words, const char *path);

#endif
