/* Inside the runtime: what the program was given, at the start of a tape. */
#ifndef HENCE_RUNTIME_GIVEN_H
#define HENCE_RUNTIME_GIVEN_H

/* Writes HENCE_GIVEN. The arguments are as a constructor gets them; either may be NULL. */
void hence_rt_give(char **argv, char **environment);

#endif
