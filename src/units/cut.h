/* Inside src/units: what units.c and groups.c share. */
#ifndef HENCE_UNITS_CUT_H
#define HENCE_UNITS_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "units/units.h"

/* Appends a piece; nothing when it is empty. */
void units_put(struct units *units, uint64_t from, uint64_t to, uint32_t unit);

/* The same, a unit of its own. */
void units_put_unit(struct units *units, uint64_t from, uint64_t to);

void units_cut_groups(const uint8_t *bytes, uint64_t size, uint32_t depth, struct units *out);
void units_cut_pairs(const uint8_t *bytes, uint64_t size, struct units *out);

/* Strings in quotes. A quote without a counterpart is searched for to the end of its line; those
   behind it on the line have none either, which is remembered here, by kind of quote. */
struct units_quotes {
	uint64_t from[2], to[2];
};

/* The end of the string that begins with the quote at `at`, on the same line; `at` when it has
   none. */
uint64_t units_quoted_end(struct units_quotes *quotes, const uint8_t *bytes, uint64_t size,
                          uint64_t at);

/*
 * Balanced parts of a text: (..) [..] {..} and <name ..>..</name>. Whatever has no counterpart is
 * plain text, and so are brackets in strings in quotes. Parts lie within each other or side by
 * side.
 */

enum bracket_kind {
	BRACKET_ROUND,
	BRACKET_SQUARE,
	BRACKET_CURLY,
	BRACKET_TAG,
	BRACKET_EMPTY_TAG, /* <name/>: it has no inside */
};

struct bracket {
	uint64_t open, inside; /* where the opening one begins and ends */
	uint64_t close, end;   /* the same of the closing one */
	uint32_t depth;        /* brackets around it */
	enum bracket_kind kind;
};

struct brackets {
	VEC(struct bracket) at; /* in the order of `open` */
	uint32_t depth;         /* 1 more than the largest; 0: there are none */
};

/* Caller frees with brackets_deinit(). Takes linear time. */
void brackets_find(const uint8_t *bytes, uint64_t size, struct brackets *out);
void brackets_deinit(struct brackets *brackets);

#endif
