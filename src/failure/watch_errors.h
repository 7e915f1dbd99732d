/* Inside criterion.h: errors with memory that are noticed while a run is decoded. */
#ifndef HENCE_FAILURE_WATCH_ERRORS_H
#define HENCE_FAILURE_WATCH_ERRORS_H

#include "failure/watch.h"

/* An error with memory, with what is only known while it happens. */
struct watch_error {
	uint32_t instance;
	uint32_t pointer; /* who made the pointer; 0: nobody, or the instance says all */
	uint32_t freed;   /* the call that freed the block; 0: it is not about that */
};

/* Begins empty: all 0. Caller frees with watch_errors_deinit(). */
struct watch_errors {
	struct describe_errors *errors;
	VEC(struct watch_error) seen; /* one for each of execution_errors() */
};

void watch_errors_deinit(struct watch_errors *errors);

/* Looks at what is new. To be called after each statement, and at the end. */
void watch_errors_see(struct watch_errors *errors, struct watch *watch);

/* The first error; the first that destroyed something. -1: there is none. */
int64_t watch_errors_first(struct watch *watch, bool destroying);

/* The error becomes a criterion. */
void watch_errors_add(const struct watch_errors *errors, struct watch *watch, uint32_t index);

/* A failure that came later: what destroyed memory before it belongs to why it failed, and becomes
   a criterion, too. If nothing did and `any`, the first error is noted; the reading of a block that
   was freed becomes a criterion then, since the value came from who has the block now. */
void watch_errors_add_earlier(const struct watch_errors *errors, struct watch *watch, bool any);

/* Which operand of the instruction says where: CODE_NO_OPERAND: several matter. */
uint32_t watch_pointer_operand(const struct code_insn *insn);

#endif
