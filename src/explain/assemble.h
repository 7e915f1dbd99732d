/* One explanation of what all methods find about the failing run and its reference. */
#ifndef HENCE_EXPLAIN_ASSEMBLE_H
#define HENCE_EXPLAIN_ASSEMBLE_H

#include "explain/question.h"
#include "explain/references.h"
#include "report/explanation.h"

/* Runs the methods and assembles the explanation. Caller frees with explanation_deinit(). */
void assemble_explanation(const struct explain_question *question, struct references *pair,
                          struct explanation *out);

#endif
