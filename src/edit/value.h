/*
 * Edits by value: expressions that have, wherever the passing runs pass a place, exactly the value that it has there,
 * and another one in the failing run. Nothing is run to find them: they are looked up in the values that scouts
 * logged (HENCE_CHOICE_WATCH).
 *
 * A value becomes x, (x op y) or ((x op y) op z). A condition c becomes c && l < r, c || l < r or l < r, where l is x or
 * (x op y), and r a variable, a constant, or a value that l has in the failing run.
 */
#ifndef HENCE_EDIT_VALUE_H
#define HENCE_EDIT_VALUE_H

#include "edit/edit.h"

struct value_log {
	const struct edit_slots *slots; /* with what is `watched` */
	/* Passes of the place; the failing run is that under study. */
	VEC(const struct hence_watch *) passing;
	VEC(const struct hence_watch *) failing;
};

struct value_rows {
	struct hence_choice *at;
	uint32_t size, room;
};

/* Adds the edits of the place, the simplest first. Of those that do the same in the failing run there are only a few. Where the
   passing runs say too little, all expressions would fit, so there are none. */
void value_fit(const struct value_log *log, struct value_rows *out);

#endif
