/*
 * The words for the compiler that a report has: which of them may be used.
 *
 * A report may come from anybody, and a compiler that obeys every option writes any file and loads any code. So a word is
 * the name of a C file below the working directory, or an option of one list (compiler_words.c); all others are refused.
 */
#ifndef HENCE_CLI_COMPILER_WORDS_H
#define HENCE_CLI_COMPILER_WORDS_H

#include <stdint.h>

#include "base/error.h"

/* The error names the first word that may not be used, and says why. The first word must be a C file. */
MUST_USE struct hence_error *compiler_words_check(char *const *words, uint32_t count);

#endif
