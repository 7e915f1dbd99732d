/* Compares two recordings of the same command, byte by byte. */
#ifndef HENCE_RUN_REPEAT_H
#define HENCE_RUN_REPEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/tapes.h"

struct repeat_difference {
	bool same;
	uint64_t bytes;     /* compared and found equal */
	uint32_t tape;      /* index of the tape that differs */
	const char *field;  /* of its head; NULL: the stream differs */
	uint64_t values[2]; /* of the field */
	uint64_t offset;    /* position in the file of the first byte that differs */
};

/* Compares the tapes in their order. A difference in a stream is more telling than one in the head,
   so streams come first. */
MUST_USE struct hence_error *repeat_compare(const struct tapes *first, const struct tapes *second,
                                            struct repeat_difference *out);

#endif
