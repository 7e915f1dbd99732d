/* How the text of an explanation is laid out: paragraphs, lines of source, tables. */
#ifndef HENCE_REPORT_EXPLANATION_LAYOUT_H
#define HENCE_REPORT_EXPLANATION_LAYOUT_H

#include "report/explanation.h"

/* Prints a paragraph: lines of at most `width` columns (a longer word has a line of its own), each
   behind `indent` spaces. Escape sequences of colours take no columns. */
void explanation_wrap(const char *text, unsigned indent, unsigned width, FILE *file);

/* The same, with the first line behind `first` spaces. */
void explanation_wrap_hanging(const char *text, unsigned first, unsigned indent, unsigned width,
                              FILE *file);

/* Appends the line of source without its own indentation and, if it has more than `room` columns, only its part
   around the marked column; a tab is one space. `*mark` is how many columns stand before the mark; UINT_MAX: none. */
void explanation_add_source(const struct explanation_place *place, unsigned room, struct str *line,
                            unsigned *mark);

/* Prints the line of source behind `indent` spaces, without its own indentation, and below it a mark
   at the column; `colour` and `plain` are put around the mark. */
void explanation_print_source(const struct explanation_place *place, unsigned indent,
                              unsigned width, const char *colour, const char *plain, FILE *file);

/* Prints the points as a table, with a dividing line where other variables become the cause. */
void explanation_print_points(const struct explanation *explanation, unsigned width, FILE *file);

#endif
