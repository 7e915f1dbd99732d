/* How many columns a text takes on a terminal. */
#ifndef HENCE_REPORT_COLUMNS_H
#define HENCE_REPORT_COLUMNS_H

#include <stddef.h>

/*
 * Columns of the first `length` bytes of a text in UTF-8. Most characters have one; those of Chinese, Japanese and
 * Korean and pictures have two; marks that are put on the character before have none, nor have escape sequences
 * of colours. A byte that is no UTF-8 has one.
 */
unsigned columns_of(const char *text, size_t length);

/* How many bytes of a text fit into so many columns; marks that belong to the last character are among them. */
size_t columns_fit(const char *text, unsigned columns);

#endif
