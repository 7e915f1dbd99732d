/*
 * Input that a forward slice begins with: which bytes of memory were given to the program, and which
 * calls read what from which stream.
 *
 * Streams are followed as the program opens, copies and closes them: what counts is which stream a
 * descriptor was when the program began, or the name of the file. A call that reads and gets nothing,
 * or less than it asked for, has met the end: that belongs to the last byte.
 */
#ifndef HENCE_SLICE_INPUTS_H
#define HENCE_SLICE_INPUTS_H

#include "base/map.h"
#include "base/vec.h"
#include "slice/slice.h"

/* What a descriptor names. */
struct inputs_stream {
	char *name;      /* of the file that the program opened; NULL: none is known */
	int32_t initial; /* else 1 + the descriptor when the program began; 0: it was not open */
};

MAP_DEFINE_U64(inputs_streams, struct inputs_stream);
MAP_DEFINE_U64(inputs_files, int32_t);

struct inputs {
	const struct slice_input *at;
	uint32_t count;
	const struct outside_table *table;
	bool any, argc, begun;             /* any: all that is given, but for arrays of pointers */
	VEC(struct execution_range) given; /* addresses that count */
	VEC(struct execution_range)
	arrays; /* and those that do not count as any input: argv's, environ's */
	struct inputs_streams streams; /* descriptors that were opened or closed */
	struct inputs_files files;     /* FILE * to descriptor */
	struct inputs_files ends;      /* by stream: the end of what was read */
};

/* What a call read that counts. Valid until inputs_of_call() is called again. */
struct inputs_read {
	bool value;                         /* the result */
	bool all;                           /* and all that it wrote */
	VEC(struct execution_range) ranges; /* of what it wrote */
};

void inputs_init(struct inputs *inputs, const struct slice_input *at, uint32_t count,
                 const struct outside_table *table);
void inputs_deinit(struct inputs *inputs);

/* Finds what the program was given; as early as possible in the run. */
void inputs_begin(struct inputs *inputs, struct execution *e);

/* Do bytes that the program was given count? */
bool inputs_is_given(const struct inputs *inputs, uint64_t at, uint64_t size);

/* Follows an outside call that has returned, all of them in their order, and tells what it read. */
void inputs_of_call(struct inputs *inputs, const struct execution *e,
                    const struct execution_call *call, struct inputs_read *read);

#endif
