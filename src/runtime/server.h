/* Inside the runtime: a program that waits in front of its input and forks: see server.c. */
#ifndef HENCE_RUNTIME_SERVER_H
#define HENCE_RUNTIME_SERVER_H

#include "runtime/runtime.h"

/* The program is on its way to where it shall wait: outside calls are looked at. */
extern bool hence_rt_server_on_way;

/* Looks for HENCE_SERVER in the environment, and takes it out. */
void hence_rt_server_find(char **environment);

/* A module was registered that is not recorded: its calls are looked at, on the way; else they
   are let through. */
void hence_rt_server_add(struct hence_rt_module *module);

/* An instrumented function was entered from outside, on the way. */
void hence_rt_server_entered(void);

/* Before a call of an outside function, on the way: waits when it may read input. In a child,
   returns when the trial may go on. */
void hence_rt_server_call(struct hence_rt_import *import);

/* The same for a call through a pointer. */
void hence_rt_server_call_pointer(const void *target);

/* The hooks have written that much into their buffer: ends the process when it is too much. */
void hence_rt_server_count(uint64_t bytes);

/* --- experiments: HENCE_WAIT_START --- */

bool hence_rt_server_experiments(void);

/* Waits for orders; returns in a child that is on its way. Before any code of the program. */
void hence_rt_server_begin(void);

/* Is this the process whose answers are those of the recorded run, not one that it has made? */
bool hence_rt_server_repeats(void);

/* The number of the recorded run's tape. */
uint32_t hence_rt_server_tape(void);

/* Patches the run if the orders say so. */
void hence_rt_server_patch(void);

/* harmless.c: a function that neither reads nor opens anything, whose answer does not depend on
   when or by which process it is called, and that leaves nothing a forked child would not have.
   */
bool hence_rt_harmless(const char *name);

#endif
