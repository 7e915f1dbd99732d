/* Pieces of a line of LLVM's IR, as text. Words have at most WORD - 1 characters. */
#ifndef ORACLE_TEXT_H
#define ORACLE_TEXT_H

#include <stdbool.h>

#define WORD 4096

/* Ends the program with a message. */
void die(const char *why, const char *line) __attribute__((noreturn));

bool begins(const char *text, const char *with);

/* Copies up to the first of `stops` outside of all brackets and quotes; returns what is behind it,
   or the end of the text. */
const char *take(const char *text, const char *stops, char *out);

/* Copies the operand at the end of `ptr noundef align 8 %5`, and the type at its beginning. */
void split_argument(const char *text, char *type, char *value);

/* Bytes that a value of the type takes in memory, as text: a number, or an expression that LLVM
   evaluates. Valid until the next call. */
const char *size_text(const char *type);

#endif
