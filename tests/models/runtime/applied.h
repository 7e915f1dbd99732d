/*
 * Does hence, from a model and what the runtime wrote, come to the memory that libc left? The
 * actions of a call (src/actions/actions.h) are applied to memory as it was before, and compared.
 */
#ifndef HENCE_TESTS_APPLIED_H
#define HENCE_TESTS_APPLIED_H

#include "harness.h"

/* Before the call, with the memory that it may change. */
void applied_begin(const struct hence_rt_call *call, const void *memory, size_t size);

/* After call_end(). `result` as it was given to that one. */
void applied_end(const char *name, const void *result, uint32_t size);

#endif
