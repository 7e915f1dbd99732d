/*
 * Inside the runtime: experiments (orders.h). What the program is told to do at points on its way is
 * done here, in the process that makes the experiment.
 */
#ifndef HENCE_RUNTIME_STOPS_H
#define HENCE_RUNTIME_STOPS_H

#include "runtime/orders.h"
#include "runtime/stubs.h"

/* Starts to do what the orders say, in place of earlier ones; with `here` the registers are those of
   the first stop, else NULL. `snapshot`: at the first stop the process waits (server.c) instead. */
void hence_rt_stops_begin(struct hence_orders *orders, struct hence_rt_registers *registers,
                          bool snapshot);

/* A branch that somebody else stops at is passed. Before: what it goes by is changed, if it is to be: it
   is the one that is patched, or that a stop forces. After: what it goes by is told, if a stop wants to
   know. True: there may be more of either. */
void hence_rt_stops_before_branch(struct hence_rt_registers *registers);
bool hence_rt_stops_after_branch(struct hence_rt_registers *registers);

/* Code was loaded: sites may be there now that were not. */
void hence_rt_stops_loaded(void);

/* Ends the process: what was to be known is in the orders. */
void hence_rt_stops_end(void) __attribute__((noreturn));

static inline void *hence_rt_order_at(const struct hence_orders *orders, uint64_t offset)
{
	return (char *)orders + offset;
}

/* --- memory of the program that may not be there --- */

/* Reads; bytes that are not there are zero. False: some were not. */
bool hence_rt_stop_fetch(uint64_t address, void *to, uint64_t size);

/* --- rails.c --- */

/* Takes all branch sites. `number`: of their stubs. */
void hence_rt_rails_begin(struct hence_orders *orders, uint32_t number);
void hence_rt_rails_hit(struct hence_orders *orders, struct hence_rt_registers *registers);

/* A site was hit, and vector registers are not saved: true if that was all, false if somebody must look. */
bool hence_rt_rails_pass(struct hence_rt_registers *registers);

/* Counts anew, after code of the program has run that must not count. `more`: branches are to be stopped
   at even when the list has ended. */
void hence_rt_rails_ready(bool more);

/* --- server.c --- */

/* Waits for orders, as number `snapshot` of the page. Returns in a child that has some. */
void hence_rt_server_snapshot(void);

/* Does what the order of the page says; registers as for hence_rt_stops_begin(). */
void hence_rt_server_obey(struct hence_rt_registers *registers);

#endif
