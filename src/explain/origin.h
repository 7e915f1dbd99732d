/*
 * Where a bad value was made: the NULL or wild pointer that a run died of, the index that leads out of its array, the divisor that is
 * 0, the value that was never initialised. It is followed back through copies, parameters, returns and memory in what the run's history keeps, to
 * who made it: a constant, a computation, a call of outside code, the initial value of a variable, or nobody.
 */
#ifndef HENCE_EXPLAIN_ORIGIN_H
#define HENCE_EXPLAIN_ORIGIN_H

#include "explain/illustrations.h"
#include "run/outcome.h"

/* What the run died of; with `outcome` NULL, the first memory error. out->kind is NULL if there is no bad value, or its origin is not known: the run is
   too long to be kept, or the value came from code that was not recorded. `until` (CLOCK_MONOTONIC, in seconds; 0: none) limits the time.
   Caller frees with explanation_origin_deinit(). */
__attribute__((warn_unused_result)) struct hence_error *origin_find(const struct recording *run,
                                                                    const struct outcome *outcome,
                                                                    double until,
                                                                    struct explanation_origin *out);

/* Makes explanation.origin a suspect, and a step where the chain has none at that line. */
void origin_report(struct explanation *e);

#endif
