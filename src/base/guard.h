/*
 * Scope guards: a variable that is destroyed when its scope ends, whichever way.
 *
 *     struct str text GUARD(str_deinit) = STR_INIT;     what takes a pointer to the variable
 *     char *copy GUARD_FREE = mem_strdup(name);        what free() takes
 *
 * A type that is destroyed by its value gets a guard of its own beside its declaration:
 *
 *     GUARD_DEFINE(states, struct states *, states_destroy)
 *     struct states *taken GUARD(states_guard) = NULL;
 *
 * GUARD_STEAL hands the value over to a caller that outlives the scope.
 */
#ifndef HENCE_BASE_GUARD_H
#define HENCE_BASE_GUARD_H

#include <stdlib.h>

#define GUARD(destroy) __attribute__((cleanup(destroy)))

#define GUARD_DEFINE(name, type, destroy)                                                          \
	static inline void name##_guard(type *variable)                                            \
	{                                                                                          \
		destroy(*variable);                                                                \
	}

#define GUARD_FREE GUARD(guard_free)

#define GUARD_STEAL(variable)                                                                      \
	({                                                                                         \
		__typeof__(variable) stolen = (variable);                                          \
		(variable) = NULL;                                                                 \
		stolen;                                                                            \
	})

static inline void guard_free(void *variable)
{
	free(*(void **)variable);
}

#endif
