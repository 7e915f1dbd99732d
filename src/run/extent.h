/* How far a tape goes, by its head: which the program that wrote it may have spoilt. */
#ifndef HENCE_RUN_EXTENT_H
#define HENCE_RUN_EXTENT_H

#include <stdint.h>

#include "runtime/protocol.h"

/* Positions in the file. */
struct extent {
	uint64_t end;      /* behind the last byte that is surely written */
	uint64_t tail;     /* and behind the last that may be, by the block under way */
	uint64_t written;  /* behind the last byte of those that is not 0; at least `end` */
	uint64_t side_end; /* behind the last byte of the handlers' stream; 0: there is none */
};

/* Looks at a tape of `size` bytes, at least HENCE_STREAM, whose magic and protocol are right. NULL:
   good, else what is wrong with it. */
const char *extent_find(const uint8_t *bytes, uint64_t size, struct extent *out);

#endif
