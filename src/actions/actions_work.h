/* Inside actions*.c: a list of actions that is being made. */
#ifndef HENCE_ACTIONS_ACTIONS_WORK_H
#define HENCE_ACTIONS_ACTIONS_WORK_H

#include "actions/actions_view.h"

/* Until the list is put together, a READ that feeds an effect has 1 + its index among the effects. */
struct work {
	struct view before, after; /* the call */
	struct actions *out;
};

/* --- actions.c --- */

/* Adds an ACTION_READ; none if it is empty, an ACTION_UNKNOWN if it is too large. */
void work_read(struct work *work, uint32_t argument, uint64_t from, uint64_t size, uint32_t feeds);

/* Says that the clause reads something that is not known. */
void work_unknown_read(struct work *work, uint8_t clause, uint32_t argument, uint64_t from,
                       uint64_t size);

/* --- actions_tape.c --- */

/* Adds what is on the tape. */
void work_effects(struct work *work, struct effects effects);

/* --- actions_model.c --- */

/* Adds what an active clause knows of the effects that it asked for. */
void work_refine(struct work *work, const struct outside_clause *clause);

/* Adds what a clause says that asks the runtime for nothing. */
void work_passive(struct work *work, const struct outside_clause *clause);

/* Adds what a `reads` clause says. */
void work_reads(struct work *work, const struct outside_clause *clause);

/* --- actions_format.c --- */

/* Adds what a `formats` clause uses and reads. */
void work_formats(struct work *work, const struct outside_clause *clause);

#endif
