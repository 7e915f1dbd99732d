/* Inside the text of cause trees: what its two files share. */
#ifndef HENCE_REPORT_CAUSE_TREE_LAYOUT_H
#define HENCE_REPORT_CAUSE_TREE_LAYOUT_H

#include "report/cause_tree.h"
#include "report/cells.h"
#include "report/explanation_layout.h"
#include "report/explanation_words.h"

#define CAUSE_NARROW 40u /* columns that are left for a node at least */
#define CAUSE_GREEN  "\x1b[32m"

struct cause_printer {
	const struct cause_tree *tree;
	const struct explanation_style *style;
	unsigned width;
	uint32_t deepest;
	bool full;   /* nothing is left out of a node */
	bool *leads; /* by number: it is proven, or a node below it is */
	FILE *file;
};

static inline const char *cause_colour(const struct cause_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

/* Prints a paragraph whose later lines are indented more, and empties the text. */
void cause_print_line(const struct cause_printer *printer, struct str *text, unsigned indent);

/* `source`: with its line of source. */
void cause_print_node(const struct cause_printer *printer, const struct cause_node *node,
                      unsigned indent, bool source);

/* In a line or two: where it is, what was not so, and why that matters. */
void cause_print_short(const struct cause_printer *printer, const struct cause_node *node,
                       unsigned indent);

#endif
