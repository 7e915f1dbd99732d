/* Signals that end a search: see interrupt.h. */
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

#define SIGNALS 3

static const int signals[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[SIGNALS]; /* what a second signal does */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	if (!interrupted) {
		interrupted = number;
		return;
	}
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			sigaction(number, &before[i], NULL);
	raise(number);
}

void interrupt_catch(void)
{
	const struct sigaction action = {.sa_handler = interrupt};

	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction old;

		/* What nohup and the like made us ignore stays ignored. */
		if (sigaction(signals[i], NULL, &old) || old.sa_handler == SIG_IGN ||
		    old.sa_handler == interrupt)
			continue;
		before[i] = old;
		sigaction(signals[i], &action, NULL);
	}
}

bool interrupt_seen(void)
{
	return interrupted;
}
