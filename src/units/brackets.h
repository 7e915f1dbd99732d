/*
 * Balanced parts of a text: (..) [..] {..} and <name ..>..</name>. Whatever has no counterpart is
 * plain text, and so are brackets in strings in quotes. Parts lie within each other or side by
 * side.
 */
#ifndef HENCE_UNITS_BRACKETS_H
#define HENCE_UNITS_BRACKETS_H

#include <stdint.h>

#include "base/vec.h"

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
