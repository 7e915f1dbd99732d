/* An experiment as bytes for a worker (trial/worker_points.h), and its answer. */
#ifndef HENCE_EXPERIMENT_ORDERS_H
#define HENCE_EXPERIMENT_ORDERS_H

#include "experiment/experiment.h"

/* The message of an experiment, on a run that is patched so (NULL: it is not); `snapshot`: the program
   may be forked at its first stop. The error says what cannot be done: a site that is nowhere in the
   code, a branch that cannot go there. */
struct hence_error *experiment_orders_make(const struct point_sites *sites,
                                           const struct experiment *experiment,
                                           const struct patch *patch, bool snapshot,
                                           struct str *out);

/* Rails as the program has them (struct hence_rails), appended to `out`. */
void experiment_orders_rails(const struct point_sites *sites, const struct rail *rails,
                             uint32_t count, struct str *out);

/* Orders for a patched run that is recorded: no stops. */
struct hence_error *experiment_orders_patch(const struct point_sites *sites,
                                            const struct patch *patch, struct str *out);

/* Did the recorded run come to its branch? `answer` is what came back of these orders. */
bool experiment_orders_patched(const struct str *answer);

/* How it went: `message` is what was made, `stops` are the sites of its stops, `answer` is what came back. Fills all but `run`. An error says
   that the code does not fit the recording. Caller frees the stops. */
struct hence_error *experiment_orders_read(const struct point_sites *sites,
                                           const struct str *message, const struct site *stops,
                                           const struct str *answer, struct experiment_result *out);

#endif
