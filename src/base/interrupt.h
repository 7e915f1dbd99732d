/* Signals that end a search: the first ends it with what was found, a second one ends hence. */
#ifndef HENCE_BASE_INTERRUPT_H
#define HENCE_BASE_INTERRUPT_H

#include <stdbool.h>

/* Catches SIGINT, SIGTERM and SIGHUP, also when somebody else (session.h) has taken them meanwhile: the first is
   noted, a second one goes to the handler that was set before. What is ignored stays ignored. */
void interrupt_catch(void);

/* Has one come? */
bool interrupt_seen(void);

#endif
