/* Text on a terminal: how many columns it takes, how it is cut and wrapped, and colours. */
#ifndef HENCE_REPORT_COLUMNS_H
#define HENCE_REPORT_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

#include "base/str.h"

#define TEXT_BOLD   "\x1b[1m"
#define TEXT_DIM    "\x1b[2m"
#define TEXT_RED    "\x1b[1;31m"
#define TEXT_GREEN  "\x1b[32m"
#define TEXT_YELLOW "\x1b[33m"
#define TEXT_CYAN   "\x1b[36m"
#define TEXT_PLAIN  "\x1b[0m"

/*
 * Columns of the first `length` bytes of a text in UTF-8. Most characters have one; those of Chinese, Japanese and
 * Korean and pictures have two; marks that are put on the character before have none, nor have escape sequences
 * of colours. A byte that is no UTF-8 has one.
 */
unsigned columns_of(const char *text, size_t length);

/* The same of a whole text. */
unsigned columns_all(const char *text);

/* How many bytes of a text fit into so many columns; marks that belong to the last character are among them. */
size_t columns_fit(const char *text, unsigned columns);

/* Cuts a text to that many columns, not in the middle of a character. */
void columns_cut(struct str *text, unsigned width);

/* Prints a paragraph: lines of at most `width` columns (a longer word has a line of its own), each
   after `indent` spaces. Escape sequences of colours take no columns. */
void columns_wrap(const char *text, unsigned indent, unsigned width, FILE *file);

/* The same, with the first line after `first` spaces. */
void columns_wrap_hanging(const char *text, unsigned first, unsigned indent, unsigned width,
                          FILE *file);

#endif
