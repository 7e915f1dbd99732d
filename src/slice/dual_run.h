/*
 * One of the two runs of a dual slice, decoded and kept: when each instance was executed, and what was
 * written to memory otherwise than by plain stores, whose values are kept anyway.
 */
#ifndef HENCE_SLICE_DUAL_RUN_H
#define HENCE_SLICE_DUAL_RUN_H

#include "base/vec.h"
#include "trace/execution.h"
#include "trace/recording.h"

/* Bytes that a copy or an outside call wrote; or, with SOURCE_GIVEN, that the program was given. */
struct dual_write {
	uint64_t address, size;
	uint64_t
		at; /* in `bytes`; behind them, if `partly`, as many that say which bits are undefined */
	uint32_t instance;
	bool partly;
};

struct dual_run {
	const struct recording *recording;
	struct execution *e;
	const struct execution_segment *segments;
	const struct execution_frame *frames;
	uint32_t segment_count;
	uint32_t first, end; /* instances */
	VEC(uint32_t) ends;  /* of each statement the instance that ends it */
	uint32_t *before;    /* of each segment: statements that ended before it */
	uint32_t *next;      /* of each segment: 1 + index of the next one of its frame; 0: none */
	VEC(struct dual_write) writes; /* by instance, then in their order */
	uint8_t *bytes;
	uint64_t byte_count, byte_room;
	uint64_t most; /* of them */
	bool begun, full;
	bool over;    /* decoded to its end */
	bool stopped; /* before it came to where it was to go */
};

/* Where an instance is in the code. */
struct dual_place {
	const struct code_function *function;
	uint32_t segment; /* index */
	uint32_t pc;      /* instruction, in the function */
};

/* Decodes until statement `last` has ended; `memory`: bytes that it may take. Caller frees with
   dual_run_deinit(), also after an error. */
struct hence_error *dual_run_decode(struct dual_run *run, const struct recording *recording,
                                    uint64_t last, uint64_t memory, bool (*stop)(void *context),
                                    void *context);
void dual_run_deinit(struct dual_run *run);

struct dual_place dual_run_place(const struct dual_run *run, uint32_t instance);
uint32_t dual_run_segment_end(const struct dual_run *run, uint32_t segment);

static inline const struct code_insn *dual_run_insn(const struct dual_place *place)
{
	return &place->function->insns[place->pc];
}

/* The instance that ends the statement which this one computes something for; 0: the run died of it,
   or is not known so far. */
uint32_t dual_run_statement_end(const struct dual_run *run, uint32_t instance);

/* The number of that statement, and of the one that ends with this instance. */
uint64_t dual_run_time(const struct dual_run *run, uint32_t instance);
uint64_t dual_run_time_of(const struct dual_run *run, uint32_t end);

/* Is it before the point of that statement: did the compiler put it in front? */
bool dual_run_is_in_front(const struct dual_run *run, uint32_t instance);

/* The instance that ends the statement; of the one that the run died of the last, or the call that it died
   in; 0: none. */
uint32_t dual_run_of_time(const struct dual_run *run, uint64_t time);

/* Is it counted: does a statement end with it? A call that returns once more, as setjmp(), is not. */
bool dual_run_is_end(const struct dual_run *run, uint32_t instance);

/* The write of an instance that has all of these bytes; NULL: none. */
const struct dual_write *dual_run_write(const struct dual_run *run, uint32_t instance,
                                        uint64_t address, uint64_t size);

#endif
