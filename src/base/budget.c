/* Budgets of time: see budget.h. */
#include "base/budget.h"

#include <stddef.h>
#include <time.h>

double budget_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool budget_is_over(const struct budget *budget)
{
	for (; budget; budget = budget->whole) {
		if (budget->ended && budget->ended(budget->context))
			return true;
		if (budget->until > 0 && budget_clock() >= budget->until)
			return true;
	}
	return false;
}

bool budget_stops(void *context)
{
	return budget_is_over(context);
}

double budget_until(const struct budget *budget)
{
	double until = 0;

	for (; budget; budget = budget->whole)
		if (budget->until > 0 && (until <= 0 || budget->until < until))
			until = budget->until;
	return until;
}

void budget_show(const struct budget *budget, uint64_t done, const char *phase)
{
	while (budget && !budget->show)
		budget = budget->whole;
	if (budget)
		budget->show(budget->context, done, phase, budget_until(budget));
}

void budget_hide(const struct budget *budget)
{
	budget_show(budget, 0, NULL);
}
