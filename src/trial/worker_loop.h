/* What a worker does (worker.h): takes jobs from a socket and tells how they went, until told to
 * end. */
#ifndef HENCE_TRIAL_WORKER_LOOP_H
#define HENCE_TRIAL_WORKER_LOOP_H

#include "trial/worker.h"

/* The whole life of a worker, to be called in a new process. */
void worker_loop(const struct worker_options *options, int socket) __attribute__((noreturn));

#endif
