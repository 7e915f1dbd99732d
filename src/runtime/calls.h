/* Inside the runtime: outside calls that are under way, and functions entered from outside. */
#ifndef HENCE_RUNTIME_CALLS_H
#define HENCE_RUNTIME_CALLS_H

#include "runtime/runtime.h"

/* How deep the program stands in both. */
struct hence_rt_depth {
	uint32_t calls, entries;
};

bool hence_rt_calls_init(void);
struct hence_rt_depth hence_rt_calls_depth(void);
void hence_rt_calls_set_depth(struct hence_rt_depth depth);

/* The calls under way go on in a child, on its own tape. */
void hence_rt_calls_forked(void);

/* Must the runtime look when a function of this name is called? Not 0: for struct
   hence_rt_import. */
uint16_t hence_rt_special(const char *name);

/* signals.c: a jump out of a handler: back to the main stream, where the program resumes. */
void hence_rt_signals_jumped(void);

/* signals.c: a child starts without handlers' records of its own. False: it was forked inside such a
   handler, whose beginning is on the parent's tape only. */
bool hence_rt_signals_forked(void);

/* tape.c: the tape could not be opened again after a fork: the child runs unrecorded. */
void hence_rt_forget_tape(void);

/* start.c: around what may be a fork; the child goes on with a tape of its own. */
void hence_rt_fork_begins(void);
void hence_rt_fork_ended(void);

/* start.c: takes memory for a tape from what the session may use. False: there is no more. */
bool hence_rt_take_budget(uint64_t bytes);

/* start.c: the session's control block; NULL: none. */
const struct hence_control *hence_rt_control(void);

#endif
