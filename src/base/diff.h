/* The difference of two sequences of texts, such as the lines of two files. */
#ifndef HENCE_BASE_DIFF_H
#define HENCE_BASE_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* One element. The bytes belong to the caller. */
struct diff_text {
	const char *bytes;
	size_t size;
	uint64_t hash; /* diff_add() fills it in */
};

struct diff_texts {
	VEC(struct diff_text) list;
};

/* Elements of `a` that are replaced by elements of `b`; between hunks both are equal. */
struct diff_hunk {
	uint32_t from_a, count_a;
	uint32_t from_b, count_b;
};

struct diff {
	VEC(struct diff_hunk) hunks;
};

/* Appends an element. */
void diff_add(struct diff_texts *texts, const char *bytes, size_t size);

/* Appends the lines of a text, each with its newline. */
void diff_add_lines(struct diff_texts *texts, const char *bytes, size_t size);
void diff_texts_deinit(struct diff_texts *texts);

/* The shortest difference (Myers, An O(ND) difference algorithm, 1986), or, of sequences that have
   little in common, everything between their common ends. Caller frees with diff_deinit(). */
void diff_compute(const struct diff_texts *a, const struct diff_texts *b, struct diff *out);
void diff_deinit(struct diff *diff);

#endif
