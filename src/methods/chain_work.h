/* Inside chain_quality.h: what its files share. */
#ifndef HENCE_METHODS_CHAIN_WORK_H
#define HENCE_METHODS_CHAIN_WORK_H

#include "methods/chain_quality.h"

/* Adds a statement, unless it is the last one. */
void chain_statements_add(struct chain_statements *statements, const char *file, unsigned line,
                          const char *function);

#endif
