/* A line of C with its comments, strings and keywords told apart, so that the page can show them in their colours. */
#ifndef HENCE_REPORT_HTML_CODE_H
#define HENCE_REPORT_HTML_CODE_H

#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"

struct html_code {
	const char *text; /* valid as long as what it was made from */
	char *kinds; /* of each byte: 'c' comment, 'q' string or character, 'k' keyword, 0 other */
};

/* *open: a comment goes on from the line before; then, whether it does to the next. Caller frees with
   html_code_deinit(). */
void html_code_init(struct html_code *code, const char *text, bool *open);
void html_code_deinit(struct html_code *code);

/* Appends a part of the line as HTML. */
void html_code_add(const struct html_code *code, size_t from, size_t to, struct str *out);

#endif
