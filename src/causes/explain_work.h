/* Inside explain.h: what its files share. */
#ifndef HENCE_CAUSES_EXPLAIN_WORK_H
#define HENCE_CAUSES_EXPLAIN_WORK_H

#include "report/explanation.h"

bool explain_same_text(const char *a, const char *b);

/* Are they the same variable, whatever function names it? */
bool explain_same_variable(const struct explanation_value *a, const struct explanation_value *b);

/* Puts a suspect behind all that are as good; of two on a line the better one stays. Takes `why`. */
void explain_add_suspect(struct explanation *e, const struct explanation_place *place, double value,
                         char *why);

#endif
