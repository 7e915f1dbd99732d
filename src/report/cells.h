/* What stands in the columns of a listing for a person. */
#ifndef HENCE_REPORT_CELLS_H
#define HENCE_REPORT_CELLS_H

#include "report/listing.h"
#include "report/source.h"

#define CELL_SOURCE 56u  /* columns of source, before values follow at once */
#define CELL_VALUES 160u /* most columns of values */
#define CELL_GAP    2u   /* between them */

#define CELL_BOLD   "\x1b[1m"
#define CELL_DIM    "\x1b[2m"
#define CELL_RED    "\x1b[1;31m"
#define CELL_YELLOW "\x1b[33m"
#define CELL_CYAN   "\x1b[36m"
#define CELL_PLAIN  "\x1b[0m"

/* Columns that a text takes: see columns.h. */
unsigned cell_columns(const char *text);

/* Cuts a text to that many columns, not in the middle of a character. */
void cell_cut(struct str *text, unsigned width);

/* Appends a line of source without control characters, tabs expanded. */
void cell_add_source(const char *text, struct str *out);

/* Appends the values of a line's statements, cut to what the terminal has left behind `used`. */
void cell_add_values(const struct listing_line *line, const struct listing_style *style,
                     unsigned used, struct str *out);

/* Why the line is there: > the criterion, ? potential, = independent, or a space. */
char cell_mark(const struct listing_line *line);

/* Appends a note when the source of a file is not shown. */
void cell_note_source(const struct source *source, const struct listing_file *file,
                      struct str *notes);

#endif
