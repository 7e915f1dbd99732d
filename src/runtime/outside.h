/*
 * Inside the runtime: what the files that record outside calls share. A call's frame lives from
 * before the call to after it; calls nest through callbacks, and longjmp() may leave any number of
 * them behind.
 */
#ifndef HENCE_RUNTIME_OUTSIDE_H
#define HENCE_RUNTIME_OUTSIDE_H

#include "runtime/outside_table.h"
#include "runtime/runtime.h"
#include "runtime/streams.h"

struct hence_rt_seen;

struct hence_rt_frame {
	struct hence_rt_frame *below; /* of the call around this one; NULL: none */
	uint8_t *end;                 /* memory behind it is free */
	uint32_t depth;               /* of its call; 0 while its effects are being written */
	int32_t errno_before, errno_after;
	const struct hence_rt_call *call;
	const struct outside_function *function; /* NULL: no model */
	int64_t ret;
	int64_t consumed;
	int64_t old[OUTSIDE_OLDS];
	struct hence_rt_view view;  /* of the stream that it may read from */
	int32_t closing;            /* descriptor that it may close */
	uint64_t list[3];           /* its va_list */
	struct hence_rt_seen *seen; /* observe.c: copies of memory */
};

/* --- outside.c: frames --- */

/* A frame for the call, on top of those still in use; NULL: no memory. */
struct hence_rt_frame *hence_rt_frame_push(const struct hence_rt_call *call);
void hence_rt_frame_pop(struct hence_rt_frame *frame);

/* Room behind the newest frame, which grows by it; NULL: there is not so much. */
void *hence_rt_frame_room(struct hence_rt_frame *frame, size_t size);

/* --- outside_values.c: arguments, results and expressions --- */

/* The table of models; NULL: none, or not looked for yet. */
extern const struct outside_table *hence_rt_table;

/* Looks for the table in the control file. */
void hence_rt_table_find(void);

/* A function of the table; NULL: model is 0. */
static inline const struct outside_function *hence_rt_model(uint32_t model)
{
	const char *base = (const char *)hence_rt_table;

	return model ? (const struct outside_function *)(base + hence_rt_table->functions) +
	                       (model - 1)
	             : NULL;
}

static inline const struct outside_clause *hence_rt_clauses(const struct outside_function *function)
{
	const char *base = (const char *)hence_rt_table;

	return (const struct outside_clause *)(base + hence_rt_table->clauses) + function->clause;
}

/* An integer or pointer argument, sign extended; 0 if the call has no such argument. */
int64_t hence_rt_argument(const struct hence_rt_call *call, uint32_t index);

/* The same for the result; 0 if it is neither integer nor pointer. */
int64_t hence_rt_result_value(const struct hence_rt_call *call);

/* The address of a variable of libc (enum outside_global); 0: the program has none. */
int64_t hence_rt_global(int32_t which);

/* The value of an expression of the table. */
int64_t hence_rt_value(struct hence_rt_frame *frame, uint32_t code);

/* A piece of memory. */
struct hence_rt_region {
	uint64_t address, size;
};

/* Where a clause's region lies. Address 0: nowhere. Not for OUTSIDE_VECTORS, OUTSIDE_FLAGS and
   OUTSIDE_RESULT. */
struct hence_rt_region hence_rt_region(struct hence_rt_frame *frame,
                                       const struct outside_clause *clause);

/* --- outside_names.c --- */

/* Name of a common function of libc at an address that dladdr() could not name; NULL: none. */
const char *hence_rt_name_of(const void *address);

/* --- outside.c: what goes to the tape --- */

void hence_rt_effect(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                     uint64_t address, uint64_t offset, uint64_t size);

/* With the bytes at `address`. */
void hence_rt_effect_bytes(enum hence_effect_kind kind, uint32_t argument, int32_t stream,
                           uint64_t address, uint64_t size);

/* --- outside_format.c --- */

void hence_rt_formatted(struct hence_rt_frame *frame, const struct outside_clause *clause);
void hence_rt_scanned(struct hence_rt_frame *frame, const struct outside_clause *clause);

/* --- observe.c: calls without a model --- */

/* Copies memory that may not be there. False: it is not. A system call: not for hot paths. */
bool hence_rt_read(void *to, uint64_t from, uint64_t size);

/* Can this byte be read? The same. */
bool hence_rt_readable(uint64_t address);

/* Before the call: what changes in this memory will be recorded, whether there is a model or not.
   Of large memory only the first part; none if it cannot be read. */
void hence_rt_observe_bytes(struct hence_rt_frame *frame, uint64_t address, uint64_t size);

void hence_rt_observe_before(struct hence_rt_frame *frame);
void hence_rt_observe_after(struct hence_rt_frame *frame);

/* --- varies.c: answers that differ from run to run --- */

/* After the call: notes its answer, or puts the first run's in place of it. */
void hence_rt_vary(struct hence_rt_frame *frame);

#endif
