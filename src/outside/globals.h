/* Names of the libc variables that models may mention: enum outside_global. */
#ifndef HENCE_OUTSIDE_GLOBALS_H
#define HENCE_OUTSIDE_GLOBALS_H

#include <stddef.h>

/* The enum outside_global of that name; -1: none. */
int outside_global_find(const char *name, size_t length);

#endif
