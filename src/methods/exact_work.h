/* Inside the exact model: for exact.c, and for the unit test that computes its answers another way. */
#ifndef HENCE_METHODS_EXACT_WORK_H
#define HENCE_METHODS_EXACT_WORK_H

#include "base/map.h"
#include "methods/exact.h"

/* An instance of the slice; or two, one of each run, that are aligned. */
struct exact_event {
	uint32_t instances[2]; /* 0: that run does not have it */
	uint64_t statements[2];
	uint32_t fork;   /* 1 + index in the alignment: it is the branch or call; 0: none */
	uint32_t region; /* 1 + index: it lies in the part that one run has alone */
	uint32_t behind; /* 1 + index: its statement is where the ways meet again */
};

/* What is known of a value. Larger is worse. */
enum exact_taint {
	EXACT_KNOWN,
	EXACT_UNKNOWN,
	EXACT_CONFOUNDED,
};

/* --- addresses of both runs in one space --- */

/*
 * Addresses are those of the first run. Places of the second that correspond to some in the first have
 * those; others have EXACT_ALONE added.
 */
#define EXACT_ALONE (1ull << 62)

uint64_t exact_place(const struct exact *x, unsigned side, uint32_t instance, uint64_t address);

/* The value that an instance made, or an operand of it was, with pointers in this space. */
uint64_t exact_made(const struct exact *x, unsigned side, uint32_t instance);
uint64_t exact_operand(const struct exact *x, unsigned side, uint32_t instance, uint32_t operand,
                       uint32_t *made);

/* Memory by such addresses. Each byte has the event that wrote it, counted from EXACT_FIRST. */
enum exact_writer {
	EXACT_NOBODY,
	EXACT_BEFORE, /* it is as it was at the point */
	EXACT_FIRST,
};

struct exact_byte {
	uint8_t byte;
	uint8_t taint;
	uint32_t writer;
};

struct exact_word {
	struct exact_byte at[8];
};

MAP_DEFINE_U64(exact_words, struct exact_word);

struct exact_byte exact_get(const struct exact_words *memory, uint64_t place);
void exact_put(struct exact_words *memory, uint64_t place, struct exact_byte byte);

/* --- bytes of memory at given times --- */

/* Bytes of a run before a statement, or behind it. */
struct exact_request {
	uint64_t statement;
	bool behind;
	uint64_t address, size;
	uint32_t instance; /* that they are read or written by, for places */
	uint32_t at;       /* where they go in the result */
};

struct exact_requests {
	VEC(struct exact_request) at;
	uint32_t size; /* of the result */
};

/* Where the bytes will be. */
uint32_t exact_ask(struct exact_requests *requests, const struct exact_request *request);

/* Reads all of them in one decoding, with pointers in the space above. Sorts them. `unknown` has a byte for
   each that is 0 where it has a value, EXACT_LOST where there is no object any more. The caller frees
   both with free(), also after an error. */
#define EXACT_LOST 0xffu
struct hence_error *exact_take(const struct exact *x, unsigned side,
                               struct exact_requests *requests, uint8_t **bytes, uint8_t **unknown);

/* --- exact.c --- */

#define EXACT_NONE UINT32_MAX

MAP_DEFINE_U64(exact_offsets, uint32_t);

struct exact_side {
	const struct recording *run;
	const struct execution *execution;
	const struct dual_edge *edges; /* of the slice, by `to` */
	uint32_t edge_count;
	uint64_t *written; /* of each: where the bytes were put that it goes through */
	uint32_t *before;  /* of each: these bytes as they were read, and as they were put; */
	uint32_t *after;   /* indices in `bytes`; EXACT_NONE: they are not kept */
	struct exact_offsets wide; /* what wide loads read, by instance; in `bytes` as well */
	uint8_t *bytes;
	uint32_t *from; /* edges with `after`, by their `from` */
	uint32_t from_count;
	uint32_t *instances; /* of the slice, in order, and the event of each */
	uint32_t *events;
	uint32_t count;
};

/* Memory of both runs at a point that was asked about. */
struct exact_moment {
	const struct hybrid_point *point;
	uint64_t times[2];
	uint32_t instances[2];        /* first ones of the slice behind it */
	struct exact_words memory[2]; /* of its differences, and what the slice reads behind it */
};

struct exact {
	const struct alignment *alignment;
	const struct dual *dual;
	const struct dual_seed *seeds;
	uint32_t seed_count;
	struct exact_side sides[2];
	VEC(struct exact_event) events;
	VEC(struct exact_moment *) moments;
};

/* The event of an instance of the slice; EXACT_NONE: it is not in it. */
uint32_t exact_event_of(const struct exact *x, unsigned side, uint32_t instance);

/* The edges that lead to an instance. */
const struct dual_edge *exact_edges_to(const struct exact *x, unsigned side, uint32_t instance,
                                       uint32_t *count);

/* Edges of bytes that a copy or an opaque instance put somewhere: indices, `count` of them. */
const uint32_t *exact_edges_from(const struct exact *x, unsigned side, uint32_t instance,
                                 uint32_t *count);

/* Does it do what only a trace tells: an outside call, assembly? */
bool exact_is_opaque(const struct execution *e, uint32_t instance);

/* The instance behind the last one that an outside call has called back; 0: it is none. */
uint32_t exact_until(const struct execution *e, uint32_t instance);

/* Was it executed before that point? A call that has not returned there was not. */
bool exact_is_before(const struct exact *x, unsigned side, uint32_t instance, uint64_t time);

/* --- events --- */

/* The instances of one run; then the events of both. */
void exact_list(struct exact *x, unsigned side);
void exact_join(struct exact *x);

/* --- values of more than 64 bits --- */

/* Asks for what wide loads read whose values this instance of the slice may need. */
void exact_ask_wide(struct exact *x, unsigned side, uint32_t instance,
                    struct exact_requests *requests);

/* Words of what a return or store gives. */
uint32_t exact_operand_words(const struct execution *e, uint32_t instance);

/* All words that an instance made, which traces keep only the first of. False: they are not known. */
bool exact_wide(const struct exact *x, unsigned side, uint32_t instance, uint64_t *out);

/* All words of a wide operand. */
bool exact_wide_operand(const struct exact *x, unsigned side, uint32_t instance, uint32_t operand,
                        uint32_t words, uint64_t *out);

/* --- the memory that matters at a point --- */

/* The same for the same point. Decodes both runs. Valid as long as `x`. */
struct hence_error *exact_moment(struct exact *x, const struct hybrid_point *point,
                                 const struct exact_moment **out);

/* The bits of a difference that go from the first run to the second, or `back`; NULL: all. */
const uint8_t *exact_mask(const struct hybrid_point *point, uint32_t index, bool back);

/* Where byte `k` of it lies. */
uint64_t exact_place_of(const struct exact *x, const struct exact_moment *moment,
                        const struct difference *d, uint64_t k);

/* --- a judgement --- */

struct exact_value {
	uint64_t word;
	uint32_t more; /* 1 + index of all words of a wide value; 0: it is not wide */
	uint8_t words;
	uint8_t taint;
	bool done; /* it was executed */
};

struct exact_run {
	struct exact *x;
	unsigned base; /* the run that is changed */
	uint64_t times[2];
	const struct exact_moment *moment;
	struct exact_words memory; /* what was replaced, and what events wrote */
	struct exact_value *values;
	uint32_t next;      /* event */
	VEC(uint32_t) open; /* outside calls that call back: they are executed when they return */
	int8_t *ways;       /* of each fork: the run that it goes with; -1: not decided */
	VEC(uint64_t) wide;
	struct arena arena;
	uint8_t lost; /* enum exact_taint: it cannot go on */
};

/* --- what an event gets --- */

/* Operands by what they are for: the letters of struct code_insn; the callee of a call; those in lists. */
enum exact_role {
	EXACT_A,
	EXACT_B,
	EXACT_C,
	EXACT_CALLEE,
	EXACT_LIST, /* and following */
};

/* The run whose instance is looked at first: the changed one, if it has it. */
unsigned exact_first(const struct exact_run *r, const struct exact_event *event);
const struct code_insn *exact_insn(const struct exact_run *r, const struct exact_event *event);

/* The operand of an instruction for that; CODE_NO_OPERAND: none. */
uint32_t exact_operand_of(const struct code_insn *insn, uint32_t role);

/* An operand. `words`: how many it has. */
struct exact_value exact_input(struct exact_run *r, const struct exact_event *event, uint32_t role,
                               uint32_t words);

/* Words of a value: kept, and read again. */
void exact_keep(struct exact_run *r, struct exact_value *value, const uint64_t *bits,
                uint32_t words);
uint64_t exact_word(const struct exact_run *r, const struct exact_value *value, uint32_t index);

/* What a phi takes. */
struct exact_value exact_chosen(struct exact_run *r, const struct exact_event *event);

/* Has all that the event gets from the slice the values that it had in that run? `taint` becomes that of
   what it got, if that is worse. */
bool exact_same(struct exact_run *r, const struct exact_event *event, unsigned side,
                uint8_t *taint);

/* --- bytes that events read --- */

/* Where a byte is from. */
enum exact_origin {
	EXACT_TRACE_0, /* not from the slice: it is as in that run */
	EXACT_TRACE_1,
	EXACT_SLICE,
	EXACT_NOWHERE, /* from where it was in neither run */
};

/* Byte `k` from `place` on, which the event reads by way of the operand. *out is written for EXACT_SLICE. */
enum exact_origin exact_read(struct exact_run *r, const struct exact_event *event, uint32_t role,
                             uint64_t place, uint64_t k, struct exact_byte *out);

/* The byte that an edge goes through, if it is from where it was in that run; else false. */
bool exact_read_edge(struct exact_run *r, unsigned side, const struct dual_edge *edge, uint64_t k,
                     struct exact_byte *out);

/* --- what an event computes --- */

/* Executes an event. */
void exact_execute(struct exact_run *r, uint32_t event);

#endif
