/*
 * Units: what a search may leave out of an input. Bytes are cut into pieces, one behind the
 * other, that cover them all; each piece belongs to a unit, or is fixed and always stays. Mostly
 * a unit is one piece; a pair of brackets is two.
 *
 * There are several ways to cut, coarse and fine. A search goes through a list of them
 * (units_levels()): it cuts, finds the units that matter, joins these to new bytes, and cuts
 * those in the next way.
 */
#ifndef HENCE_UNITS_UNITS_H
#define HENCE_UNITS_UNITS_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "dd/set.h"

enum units_kind {
	UNITS_RECORDS, /* from one match of a regular expression to the next */
	UNITS_GROUPS,  /* items at a depth of nesting; balanced parts in them go with them */
	UNITS_PAIRS,   /* a bracket and its counterpart go together; all else is fixed */
	UNITS_LINES,   /* each with its newline */
	UNITS_TOKENS, /* words, numbers, strings, other characters, each with the space behind it */
	UNITS_BLOCKS, /* of equal size */
	UNITS_BYTES,  /* but a valid UTF-8 sequence is one unit */
};

struct units_way {
	enum units_kind kind;
	uint32_t depth;    /* UNITS_GROUPS: 0 is outside of all brackets */
	uint32_t block;    /* UNITS_BLOCKS: bytes in one */
	const char *regex; /* UNITS_RECORDS: POSIX extended; lives as long as the way */
};

#define UNITS_FIXED UINT32_MAX

struct units_piece {
	uint64_t from, size; /* in bytes; size is not 0 */
	uint32_t unit;       /* or UNITS_FIXED */
};

struct units {
	VEC(struct units_piece) pieces; /* in the order of the bytes */
	uint32_t count;                 /* units; numbered as their first pieces come */
};

/* Cuts the bytes. No units at all are possible (no bytes, nothing at that depth). Fails when a
   regular expression is wrong or matches nowhere. Caller frees with units_deinit(). */
MUST_USE struct hence_error *units_cut(const struct units_way *way, const void *bytes,
                                       uint64_t size, struct units *out);
void units_deinit(struct units *units);

/* Appends the bytes without the units that are not in the set, whose count is the units'. */
void units_join(const struct units *units, const void *bytes, const struct dd_set *set,
                struct str *out);

/* --- how the user wants it: lines, tokens, bytes, records=REGEX, auto --- */

struct units_by {
	bool automatic;       /* from coarse to fine, as the bytes suggest */
	struct units_way way; /* else */
};

/* Reads the words of the user. Fails for an unknown word and a wrong regular expression.
   The result refers to `text`. */
MUST_USE struct hence_error *units_by_parse(const char *text, struct units_by *out);

struct units_levels {
	VEC(struct units_way) ways; /* coarse to fine */
};

/* The ways to cut these bytes, one after the other. Automatic: for text groups from the outside
   in and pairs of brackets (if there are any), lines, tokens, bytes; for binary data blocks, then
   bytes. Caller frees with units_levels_deinit(). */
void units_levels(const struct units_by *by, const void *bytes, uint64_t size,
                  struct units_levels *out);
void units_levels_deinit(struct units_levels *levels);

/* Are there many bytes that text does not have? */
bool units_is_binary(const void *bytes, uint64_t size);

/* For messages: 'lines', 'groups at depth 2', 'blocks of 256 bytes'. Caller frees with free(). */
char *units_way_text(const struct units_way *way);

#endif
