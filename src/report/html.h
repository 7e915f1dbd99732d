/*
 * Pieces of HTML that are put together in a string. All text of the program and of its source goes through one of
 * these functions, which escape it for the place between tags and for attributes in double quotes.
 */
#ifndef HENCE_REPORT_HTML_H
#define HENCE_REPORT_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * Appends a text as one line. Control characters, invisible characters, those that override the direction of writing,
 * and bytes that are no UTF-8 are written as C does: \n, \x1b, \u202e, \xff.
 */
void html_add(struct str *out, const char *text);

/* The same for a part of a line of source: tabs stay. */
void html_add_code(struct str *out, const char *text, size_t length);

/* The same for a text whose middle is left out if it has more than `most` columns. */
void html_add_short(struct str *out, const char *text, unsigned most);

/* Columns that html_add() of a text takes in a font whose characters are all as wide. */
unsigned html_columns(const char *text);

/* Appends ` name="text"`. */
void html_add_attribute(struct str *out, const char *name, const char *text);

/* Appends `<tag class="class">text</tag>`; no text, no element. `class` may be NULL. */
void html_add_element(struct str *out, const char *tag, const char *class, const char *text);

/*
 * What explanation_add_step() and others put around values, so that html_add_marked() makes elements of it. They are
 * control characters, which texts of the program cannot have there, since those are escaped.
 */
extern const struct explanation_marks html_marks;

/* Appends a sentence that has html_marks in it. */
void html_add_marked(struct str *out, const char *text);

/* Appends a command, its arguments as a shell would take them. */
void html_add_command(struct str *out, char *const *command, uint32_t count);

/* Appends a number and what it counts: '1 run', '2 runs'. */
void html_add_count(struct str *out, uint64_t count, const char *one);

#endif
