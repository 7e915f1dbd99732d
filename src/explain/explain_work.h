/* Inside explain.h: what its files share. */
#ifndef HENCE_EXPLAIN_EXPLAIN_WORK_H
#define HENCE_EXPLAIN_EXPLAIN_WORK_H

#include "report/explanation.h"

bool explain_same_text(const char *a, const char *b);

/* Are they the same variable, whatever function names it? */
bool explain_same_variable(const struct explanation_value *a, const struct explanation_value *b);

/* Caller frees with explanation_place_deinit(). */
struct explanation_place explain_copy_place(const struct explanation_place *place);

#endif
