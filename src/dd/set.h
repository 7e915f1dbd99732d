/*
 * Sets of units: what delta debugging asks about. A set is over units 0 .. count-1; two sets that
 * are used together have the same count. A range [from, to) is of units, in it or not.
 */
#ifndef HENCE_DD_SET_H
#define HENCE_DD_SET_H

#include <stdbool.h>
#include <stdint.h>

/* Bit i % 64 of word i / 64 is unit i; bits from `count` on are 0. */
struct dd_set {
	uint64_t *words;
	uint32_t count; /* units that there are */
	uint32_t size;  /* units that are in it */
};

/* Makes an empty or a full set. Caller frees with dd_set_deinit(). */
void dd_set_init(struct dd_set *set, uint32_t count, bool full);

/* Makes a copy. `to` holds nothing before. Caller frees with dd_set_deinit(). */
void dd_set_copy(struct dd_set *to, const struct dd_set *from);

/* Frees the set; fine for a zeroed one. */
void dd_set_deinit(struct dd_set *set);

bool dd_set_has(const struct dd_set *set, uint32_t unit);

/* Puts the unit in, or takes it out. */
void dd_set_put(struct dd_set *set, uint32_t unit, bool in);

bool dd_set_equal(const struct dd_set *a, const struct dd_set *b);

/* Is all that is in `a` in `b`? */
bool dd_set_within(const struct dd_set *a, const struct dd_set *b);

/* The same for equal sets. */
uint64_t dd_set_hash(const struct dd_set *set);

/* --- what the searches need --- */

/* Makes `to` equal to `from`, of the same count. */
void dd_set_assign(struct dd_set *to, const struct dd_set *from);

void dd_set_clear(struct dd_set *set);

/* How many units of the range are in the set. */
uint32_t dd_set_count(const struct dd_set *set, uint32_t from, uint32_t to);

/* The unit that has `rank` units of the set in front of it; `count` when rank is the size. */
uint32_t dd_set_nth(const struct dd_set *set, uint32_t rank);

/* Puts in, or takes out, what `other` has in the range. `other` may be the set itself. */
void dd_set_put_range(struct dd_set *set, const struct dd_set *other, uint32_t from, uint32_t to,
                      bool in);

/* Makes `to` what `a` has and `b` has not. */
void dd_set_subtract(struct dd_set *to, const struct dd_set *a, const struct dd_set *b);

#endif
