/*
 * The tapes of a session, as far as their heads and first records tell. Decoding what the program
 * did is the work of src/trace.
 */
#ifndef HENCE_RUN_TAPES_H
#define HENCE_RUN_TAPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "run/session.h"
#include "runtime/protocol.h"

enum tape_condition {
	TAPE_GOOD,
	TAPE_EMPTY,   /* the program found no room to begin it */
	TAPE_DAMAGED, /* the program overwrote its head */
};

struct tape {
	char *path;
	uint32_t number;
	enum tape_condition condition;
	struct hence_head head;
	uint64_t end;      /* position in the file behind the last byte that was written */
	uint64_t side_end; /* and of the handlers' stream; 0: there is none */
	VEC(char *)
	elfs; /* files with instrumented code that were loaded at the start; none in the
			     tape of a fork's child */
};

struct tapes {
	VEC(struct tape) list;
};

/* Lists the tapes of the last run, or with `first` those of the run before session_repeat(). Caller
   frees with tapes_deinit(). */
MUST_USE struct hence_error *tapes_list(const struct session *session, bool first,
                                        struct tapes *out);
void tapes_deinit(struct tapes *tapes);

/* Path of the executable that the tape is of; NULL: unknown. Valid as long as the tape. */
const char *tape_program(const struct tape *tape);

/* Bytes of the stream and of the handlers' stream. */
uint64_t tape_bytes(const struct tape *tape);

/* Maps the first `size` bytes of the file. Caller frees with munmap(). */
MUST_USE struct hence_error *tape_map(const struct tape *tape, uint64_t size, const uint8_t **out);

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
