/*
 * Arguments that a format string asks for: behind the named ones of a call, or in a va_list as the
 * x86-64 ABI lays it out.
 */
#ifndef HENCE_RUNTIME_VA_LISTS_H
#define HENCE_RUNTIME_VA_LISTS_H

#include "runtime/outside.h"

struct hence_rt_arguments {
	const struct hence_rt_call *call; /* NULL: from the list */
	uint32_t next;                    /* index of the next argument */
	struct {
		uint32_t gp, fp; /* offsets in the saved registers */
		uint8_t *overflow;
		uint8_t *saved;
	} list;
};

/* The arguments of a formats or scans clause, from the first on. */
void hence_rt_arguments_init(struct hence_rt_arguments *arguments, struct hence_rt_frame *frame,
                             const struct outside_clause *clause);

/* The next integer or pointer. `which` is its index in the call + 1; 0: it came from a va_list. */
uint64_t hence_rt_arguments_next(struct hence_rt_arguments *arguments, uint32_t *which);

/* Passes over a double, or a long double. */
void hence_rt_arguments_skip(struct hence_rt_arguments *arguments, bool is_long);

/* Goes to argument number `n`, from 1, where all of them are integers or pointers. */
void hence_rt_arguments_seek(struct hence_rt_arguments *arguments, uint32_t n,
                             struct hence_rt_frame *frame, const struct outside_clause *clause);

/* After the call: a va_list that was moved on is written to the tape. */
void hence_rt_arguments_used(struct hence_rt_frame *frame, const struct outside_clause *clause);

/* Bytes of the integer that a conversion's length modifier names; `twice` as in hh and ll. */
static inline uint32_t hence_rt_integer_size(char modifier, bool twice)
{
	switch (modifier) {
	case 'h': return twice ? 1 : 2;
	case 'l':
	case 'j':
	case 'z':
	case 't':
	case 'q':
	case 'L': return 8;
	default: return 4;
	}
}

#endif
