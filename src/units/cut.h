/* Inside src/units: one function for each way to cut, and what they share. */
#ifndef HENCE_UNITS_CUT_H
#define HENCE_UNITS_CUT_H

#include <stdbool.h>

#include "units/units.h"

/* Appends a piece; nothing when it is empty. */
void units_put(struct units *units, uint64_t from, uint64_t to, uint32_t unit);

/* The same, a unit of its own. */
void units_put_unit(struct units *units, uint64_t from, uint64_t to);

void units_cut_lines(const uint8_t *bytes, uint64_t size, struct units *out);
void units_cut_blocks(uint64_t size, uint32_t block, struct units *out);
void units_cut_bytes(const uint8_t *bytes, uint64_t size, struct units *out);
void units_cut_tokens(const uint8_t *bytes, uint64_t size, struct units *out);
void units_cut_groups(const uint8_t *bytes, uint64_t size, uint32_t depth, struct units *out);
void units_cut_pairs(const uint8_t *bytes, uint64_t size, struct units *out);
struct hence_error *units_cut_records(const uint8_t *bytes, uint64_t size, const char *regex,
                                      struct units *out);

/* An error that says what is wrong with a regular expression. */
struct hence_error *units_check_regex(const char *regex);

/* How many bytes the valid UTF-8 sequence at `at` has; 1 for ASCII, 0 when there is none. */
uint32_t units_utf8_size(const uint8_t *bytes, uint64_t size, uint64_t at);

/* Strings in quotes. A quote without a counterpart is searched for to the end of its line; those
   behind it on the line have none either, which is remembered here, by kind of quote. */
struct units_quotes {
	uint64_t from[2], to[2];
};

/* The end of the string that begins with the quote at `at`, on the same line; `at` when it has
   none. */
uint64_t units_quoted_end(struct units_quotes *quotes, const uint8_t *bytes, uint64_t size,
                          uint64_t at);

#endif
