/* The steps of an explanation as text. */
#ifndef HENCE_REPORT_EXPLANATION_STEPS_H
#define HENCE_REPORT_EXPLANATION_STEPS_H

#include "report/cells.h"
#include "report/explanation_words.h"

#define TEXT_GREEN  "\x1b[32m"
#define TEXT_INDENT 4u /* of what belongs to a step */

struct text_printer {
	const struct explanation *e;
	const struct explanation_style *style;
	const struct explanation_marks *marks;
	unsigned width;
	unsigned longest; /* columns of a value; 0: any number */
	FILE *file;
};

static inline const char *text_colour(const struct text_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

/* '...', or one character for it. */
static inline const char *text_dots(const struct text_printer *p)
{
	return p->style->unicode ? "\xe2\x80\xa6" : "...";
}

/* Prints a step: what it is, where, why, and what proves it. */
void explanation_print_step(const struct text_printer *p, uint32_t number);

/* Prints all steps, or those that fit on a screen: the first, the last, and of those between the ones that tell most. */
void explanation_print_steps(const struct text_printer *p);

/* Is the step proven by both runs: the failing one passes, and the reference fails? */
bool explanation_is_proven_twice(const struct explanation_step *step);

#endif
