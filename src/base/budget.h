/*
 * How long a piece of work may go on, and who is shown how far it is.
 *
 * A budget may be a part of another one: it is over when that is, and what it shows is shown there.
 */
#ifndef HENCE_BASE_BUDGET_H
#define HENCE_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
	const struct budget *whole;   /* that this is a part of; NULL: of none */
	double until;                 /* budget_clock(); 0: no limit of its own */
	bool (*ended)(void *context); /* asked as well: a signal has come; NULL: nobody is */
	/* Shows what is under way, how often it was done, and when all of this budget ends (0: no limit). `phase` NULL: that
	   work is over. NULL: the whole's is called. */
	void (*show)(void *context, uint64_t done, const char *phase, double until);
	void *context;
};

/* Seconds on a clock that only goes forward. */
double budget_clock(void);

/* NULL is a budget that is never over. */
bool budget_is_over(const struct budget *budget);

/* The same as a callback of parts that know no budgets: `context` is the budget, or NULL. */
bool budget_stops(void *context);

/* When it ends at the latest; 0: there is no limit. */
double budget_until(const struct budget *budget);

/* Shows how far the work is; budget_hide() takes that away when the work is done. */
void budget_show(const struct budget *budget, uint64_t done, const char *phase);
void budget_hide(const struct budget *budget);

#endif
