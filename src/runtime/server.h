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

/* harmless.c: a function that neither reads nor opens anything, whose answer does not depend on
   when or by which process it is called, and that leaves nothing a forked child would not have.
   */
bool hence_rt_harmless(const char *name);

#endif
