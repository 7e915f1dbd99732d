/*
 * What an experiment replaces at one statement of the failing run: the way that a branch goes
 * (predicate switching), or the value that a store writes (value replacement). How both are called
 * in C, and the experiment that does it.
 */
#ifndef HENCE_METHODS_REPLACEMENT_H
#define HENCE_METHODS_REPLACEMENT_H

#include "experiment/point.h"
#include "experiment/experiment.h"

/* --- branches --- */

struct replacement_way {
	uint32_t successor;
	struct branch_words words;
};

/* The ways that the branch or switch which the function on top has just executed did not go.
   Returns how many there are. Caller frees each with replacement_way_deinit(). */
uint32_t replacement_ways(const struct point_sites *sites, struct names *names,
                          struct execution *execution, struct replacement_way out[BRANCH_WAYS]);
void replacement_way_deinit(struct replacement_way *way);

/* --- stores --- */

/* Which bytes a store wrote. */
struct store {
	uint64_t address;
	uint32_t size; /* up to 8 */
	uint64_t mask; /* of a bit-field its bits, else all */
};

/* A store and the variable that it wrote. */
struct replacement_store {
	struct store store;
	struct name name;
	char *changed; /* what the variable is called; a result is that of its function */
	char *from;    /* its value after the store, as C */
};

/* Of the store that the function on top has just executed. False: no variable is known that it
   wrote. Caller frees with replacement_store_deinit(). */
bool replacement_store_find(struct names *names, struct execution *execution,
                            struct replacement_store *out);

/* Of the store of a parameter, instruction `pc` of the function on top, whose first statement is
   about to begin. */
bool replacement_store_find_parameter(struct names *names, struct execution *execution, uint32_t pc,
                                      struct replacement_store *out);
void replacement_store_deinit(struct replacement_store *store);

/* What the variable would be if `value` were stored, as C. Caller frees. */
char *replacement_store_print(struct names *names, const struct replacement_store *store,
                              uint64_t value);

/* --- experiments --- */

/* What an experiment points to. */
struct replacement {
	struct stop stops[2];
	struct change change;
	uint8_t bytes[8], mask[8];
};

/* At that point the branch goes to successor `value`, or the variable of the store gets `value`
   (`store` is NULL: it is a branch). The last stop is the first execution of `check`, if that is
   not NULL. The result is valid as long as *out. */
struct experiment replacement_experiment(const struct point *at, const struct store *store,
                                         uint64_t value, const struct site *check,
                                         struct replacement *out);

#endif
