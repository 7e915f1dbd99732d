/*
 * Inside a walk: what its files share. Only walk*.c include this.
 */
#ifndef HENCE_TRACE_WALKER_H
#define HENCE_TRACE_WALKER_H

#include <string.h>

#include "trace/walk.h"

MAP_DEFINE_U64(count_map, uint64_t);

/* Where the program stands: in a function, or in outside code that one called. */
struct context {
	const struct plan_function *function; /* NULL: outside */
	struct program_place place;
	uint64_t frame;
	uint64_t callee; /* outside: address of the function, 0: before or after the program */
	uint32_t record; /* the next one, or the call that is under way; in function->records */
	uint32_t block;  /* that holds it */
	bool entered;    /* from outside: it ends with HENCE_LEAVE */
	uint32_t instruction, statement; /* of this block, counted already */
};

struct walk {
	struct program *program;
	VEC(struct tape_file *) tapes; /* the oldest ancestor first, the walked one last */
	uint32_t current;              /* of those */
	const struct tape_file *tape;
	const uint8_t *at, *end;   /* of the stream being read */
	const uint8_t *tail;       /* what the last block may have written goes up to here */
	uint64_t side;             /* position of the next handler's record */
	uint64_t stop;             /* position to stop at */
	uint64_t ask;              /* position from which the limit is asked again */
	VEC(struct context) stack; /* the bottom is outside code */
	struct walk_counts counts;
	struct count_map outside; /* calls by address */
	struct count_map entered; /* functions by place */
	bool counting;
	bool stopped;           /* the stream ended inside a block */
	const uint8_t *goto_at; /* where the last gotos were, and how many that read nothing */
	uint32_t gotos;
	void (*hear)(void *context, const struct walk_call *call); /* NULL: nobody listens */
	void *hearer;
	const struct walk_follower *follower; /* NULL: nobody follows */
	bool halted;
};

/* --- reading the stream --- */

static inline uint64_t walker_position(const struct walk *w)
{
	return (uint64_t)(w->at - w->tape->bytes);
}

static inline bool walker_has(const struct walk *w, uint64_t size)
{
	return w->at <= w->end && (uint64_t)(w->end - w->at) >= size;
}

static inline uint64_t walker_get(struct walk *w, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, w->at, size < 8 ? size : 8);
	w->at += size;
	return value;
}

/* The next four bytes; 0 at the end. */
static inline uint32_t walker_peek_tag(const struct walk *w)
{
	uint32_t tag = 0;

	if (walker_has(w, 4))
		memcpy(&tag, w->at, 4);
	return tag;
}

static inline struct context *walker_top(struct walk *w)
{
	return &w->stack.at[w->stack.size - 1];
}

struct hence_error *walker_damaged(const struct walk *w, const char *what);

/* --- walk_stack.c --- */

const struct plan_block *walker_block_of(const struct plan_function *function, uint32_t record);
void walker_count_block(struct walk *w, struct context *c, const struct plan_block *block);
void walker_count_part(struct walk *w, struct context *c);
void walker_enter_block(struct walk *w, struct context *c, uint32_t block);
void walker_push_function(struct walk *w, struct program_place place, uint64_t frame, bool entered);
void walker_push_outside(struct walk *w, uint64_t callee);
void walker_leave(struct walk *w);
void walker_pop(struct walk *w);

/* --- walk_calls.c --- */

struct hence_error *walker_call(struct walk *w, struct context *c, const struct plan_record *r);
struct hence_error *walker_call_function(struct walk *w, struct program_place place,
                                         const uint8_t *arguments, uint32_t argument_size,
                                         uint64_t frame);
void walker_continue_after_call(struct walk *w);

/* --- walk_blocks.c --- */

/* One record of the function on top. */
struct hence_error *walker_step_record(struct walk *w, struct context *c);

/* The fast way through blocks that call nothing; stops before one that is not of this kind. */
void walker_run_blocks(struct walk *w, struct context *c);

/* --- walk_outside.c --- */

/* One tagged record. */
struct hence_error *walker_step_outside(struct walk *w);

/* Head of a tagged record whose body is wholly there; `tag` 0: any. */
struct hence_error *walker_begin_tagged(struct walk *w, uint32_t tag, uint32_t least,
                                        uint32_t *size);

/* The call on top begins, or it returns; what its record says of it are `size` bytes at `from`. */
struct hence_error *walker_tell(struct walk *w, bool returned, const uint8_t *from, uint32_t size);
const char *walker_outside_name(const struct walk *w, uint64_t address);
bool walker_is_call(const struct plan_record *r);

/* --- walk_handlers.c --- */

/* Runs the handler that ran here, if one did. */
struct hence_error *walker_step_handler(struct walk *w, const struct context *c, bool *ran);
bool walker_handlers_follow(const struct walk *w);

/* --- walk.c --- */

struct hence_error *walker_step(struct walk *w);

#endif
