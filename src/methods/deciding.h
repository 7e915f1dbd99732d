/*
 * The part of a failing input that decides: where a forward slice begins. With a passing input it
 * is the difference; without one, all that was varied and is still there after reduction.
 *
 * What the passing input has and the failing one lacks cannot be followed in the failing run: the
 * byte that stands in its place is taken, or the end.
 */
#ifndef HENCE_METHODS_DECIDING_H
#define HENCE_METHODS_DECIDING_H

#include "base/vec.h"
#include "trial/input.h"
#include "slice/slice.h"

struct deciding {
	VEC(struct slice_input) inputs; /* names are those of the failing input's parts */
};

/* `passing` NULL: there is none. `failing` must outlive it. Caller frees with deciding_deinit(). */
void deciding_find(const struct input *failing, const struct input *passing, struct deciding *out);
void deciding_deinit(struct deciding *deciding);

/* For a person: 'byte 3 of standard input', 'argument 2', 'bytes 4 to 7 of the file a.txt'. */
void deciding_write_text(const struct deciding *deciding, struct str *out);

#endif
