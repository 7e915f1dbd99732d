/* A tape file, mapped and checked, for reading. The format is in runtime/protocol.h. */
#ifndef HENCE_TRACE_TAPE_H
#define HENCE_TRACE_TAPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/protocol.h"

struct tape_file {
	char *path;
	const uint8_t *bytes; /* the whole file */
	uint64_t size;
	struct hence_head head;
	uint64_t end;      /* position behind the last byte that is surely written */
	uint64_t tail;     /* and behind the last that may be, by the block under way */
	uint64_t side_end; /* and of the handlers' stream; 0: there is none */
};

/* Maps a tape. Errors name the path: not there, not a tape, another version's, damaged. Caller
   frees with tape_close(). */
MUST_USE struct hence_error *tape_open(const char *path, struct tape_file **out);
void tape_close(struct tape_file *tape);

#endif
