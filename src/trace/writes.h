/*
 * What a run wrote otherwise than by stores of up to 8 bytes: copies, fills, calls of outside code, and what the program was given;
 * with the bytes as they were written. Noted while the run is decoded.
 */
#ifndef HENCE_TRACE_WRITES_H
#define HENCE_TRACE_WRITES_H

#include "trace/execution.h"

struct write {
	uint64_t address, size;
	uint64_t
		at; /* in `bytes`; behind them, if `partly`, as many that say which bits are undefined */
	uint32_t instance; /* SOURCE_GIVEN: what the program was given */
	bool partly;
};

struct writes {
	VEC(struct write) all; /* by instance after writes_sort(), then in their order */
	uint8_t *bytes;
	uint64_t byte_count, byte_room;
	uint64_t most; /* bytes that there may be */
	bool full;     /* there are more: the rest is missing */
};

void writes_deinit(struct writes *writes);

/* For execution_options.wrote. */
void writes_note(struct writes *writes, struct execution *e, uint32_t instance, uint64_t address,
                 uint64_t size);

/* Arguments and environment, which may be overwritten later: at the first statement. */
void writes_note_given(struct writes *writes, struct execution *e);

void writes_sort(struct writes *writes);

#endif
