/*
 * The page that an explanation is printed as: its sections. They append to one string, and
 * link to each other by these names: 'step-2' (a step of the chain), 'line-0-17' (line 17 of the first file),
 * 'memory-2' (the memory at a step), 'cause-3' (a node of the cause tree), 'fix-1' (a change with which it passes).
 *
 * All of it can be read without its script, which only selects, folds, sorts and hides what is there.
 */
#ifndef HENCE_REPORT_HTML_PAGE_H
#define HENCE_REPORT_HTML_PAGE_H

#include "report/explanation.h"
#include "report/html.h"

/* A step that is to be marked in a line. */
struct html_mark {
	uint32_t step;   /* number, from 1 */
	unsigned column; /* 0: not known */
	bool also;       /* it is not the main place of the step, but where it became the cause */
};

struct html_line {
	unsigned number;
	const char *text; /* valid as long as the explanation; NULL: not known */
	uint32_t order;   /* of those with one number the first is shown */
	VEC(struct html_mark) marks;
	uint32_t suspect; /* rank from 1; 0: it is none */
	bool failure;     /* the failure shows there */
	uint32_t
		fix; /* rank from 1 of a small change of it with which the failing run passes; 0: none */
};

struct html_file {
	const char *name;
	VEC(struct html_line) lines; /* by number */
};

struct html_page {
	const struct explanation *e;
	const struct explanation_style *style;
	VEC(struct html_file) files; /* those with steps first, in the order of the chain */
	struct str out;
};

/* Finds the lines to be shown, and what is marked in them. Caller frees with html_lines_deinit(). */
void html_lines_init(struct html_page *page);
void html_lines_deinit(struct html_page *page);

/* The line of a place, and the index of its file. NULL: it is not shown. */
const struct html_line *html_line_at(const struct html_page *page,
                                     const struct explanation_place *place, uint32_t *file);

/* Appends `sort.c:17:3`, as a link to its line if that is shown; nothing if there is no place. */
void html_add_place(struct html_page *page, const struct explanation_place *place);

/* The same with ' in sort()', and from the second on ', 3rd time'. */
void html_add_place_in(struct html_page *page, const struct explanation_place *place,
                       uint64_t instance);

/* Appends a line of source with what begins at the column marked; its indentation is left out. */
void html_add_line_of(struct html_page *page, const struct explanation_place *place);

/* Bytes of what begins there, to be marked: a name, a number, an operator, a whole string. */
size_t html_token_length(const char *text);

/* --- a line of C with its comments, strings and keywords told apart, to be shown in their colours --- */

struct html_code {
	const char *text; /* valid as long as what it was made from */
	char *kinds; /* of each byte: 'c' comment, 'q' string or character, 'k' keyword, 0 other */
};

/* *open: a comment goes on from the line before; then, whether it does to the next. Caller frees with
   html_code_deinit(). */
void html_code_init(struct html_code *code, const char *text, bool *open);
void html_code_deinit(struct html_code *code);

/* --- the sections that have a file of their own --- */

void html_add_source(struct html_page *page);
void html_add_memory(struct html_page *page);

/* Is any line shown, does any step have memory? */
bool html_has_source(const struct html_page *page);
bool html_has_memory(const struct explanation *e);

#endif
