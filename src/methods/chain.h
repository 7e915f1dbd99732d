/*
 * Failure-inducing chains (M3, Sumner and Zhang): the chain of backward.h in which the reference gets values of
 * the failing run, all differences are candidates, and runs go where they go.
 */
#ifndef HENCE_METHODS_CHAIN_H
#define HENCE_METHODS_CHAIN_H

#include "methods/backward.h"

/* Caller frees with causes_deinit(). */
struct hence_error *chain_find(const struct comparison *pair, enum backward_algorithm algorithm,
                               struct causes *out);

#endif
