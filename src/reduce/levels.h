/*
 * Levels: the units in which an input is searched, coarse to fine (units.h). At each level what is left
 * of the whole input is cut anew, all its varied parts together.
 */
#ifndef HENCE_REDUCE_LEVELS_H
#define HENCE_REDUCE_LEVELS_H

#include "reduce/reduce.h"
#include "units/units.h"

/* How a level treats arguments. */
enum level_arguments {
	LEVEL_KEEPS, /* they stay; of two inputs, each is one unit */
	LEVEL_WHOLE, /* each is one unit */
	LEVEL_CUTS,  /* each is one unit, and what is in it is cut */
};

struct level {
	bool parts; /* whole parts are the units; else: */
	struct units_way way;
	bool binary, text; /* parts of these kinds are cut; others stay */
	enum level_arguments arguments;
	char *name; /* 'lines' */
};

struct levels {
	VEC(struct level) list;
};

/* The levels for an input, at least one. `isolates`: for the difference of two inputs. Caller frees
   with levels_deinit(). */
void levels_choose(const struct units_by *by, const struct input *input, bool isolates,
                   struct levels *out);
void levels_deinit(struct levels *levels);

/* For the failing input, before the search: an error if a regular expression matches in no part. */
MUST_USE struct hence_error *levels_check(const struct units_by *by, const struct input *input);

/* Cuts a text. Caller frees with units_deinit(). What matches no regular expression is one unit. */
MUST_USE struct hence_error *level_cut(const struct level *level, const struct input_part *part,
                                       struct units *out);

#endif
