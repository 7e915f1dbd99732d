/*
 * What an outside call did: the model of the function, its arguments and result, and the effects on
 * the tape become one list of actions. Nothing is changed here; the caller, who evaluates the
 * program, applies the list to its memory.
 *
 *	actions_begin(&call, &memory, &effects_of_HENCE_CALL, &actions);     apply actions.list
 *	... the call runs; before each callback: actions_callback(...)
 *	actions_end(&call, &memory, result, size, &effects_of_HENCE_RETURN, &actions);  apply it
 *
 * BEFORE AND AFTER. `memory` is what the caller knows when it asks: in actions_end() still without
 * this call's actions. Models speak of memory before the call (in old()) and after it (all else).
 * After it is that memory with what the tape says was written laid over it, but without the copies
 * and fills of this call, whose extents are thus measured on what they found: strcpy(p, p + 1)
 * copies as many bytes as the string had. Strings that are read ([..nul] of `reads`, formats and
 * their %s) are measured before the call.
 *
 * APPLYING. First come all ACTION_READ, _USED and _RETURNED, then what changes something. Sources
 * of ACTION_READ and ACTION_COPIED are as before the call: take the bytes of all ACTION_COPIED
 * before applying anything (realloc frees its source, and may get the same address again). What
 * changes something is in the order of the tape, with copies and fills behind the last allocation:
 * then what is on the tape is right where both say something.
 *
 * NOT KNOWN. Where a model asks for memory that is not known, or names more than ACTIONS_MOST bytes,
 * there is an ACTION_UNKNOWN in place of a guess. What stands on the tape is never doubted, only
 * what follows from models. A call without a model gives what is on the tape; what it could read is
 * for the caller to find from its arguments.
 */
#ifndef HENCE_ACTIONS_ACTIONS_H
#define HENCE_ACTIONS_ACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "outside/table.h"
#include "actions/effects.h"

#define ACTIONS_MOST      (1ull << 30) /* bytes that one copy, fill or read may have */
#define ACTIONS_NO_OBJECT UINT64_MAX

/* What the fields mean; those not named are 0. `argument` is 1 + the index of the argument that it
   is about; 0: the result, or none. */
enum action_kind {
	/* What was read. */
	ACTION_READ,     /* from, size; feeds: what depends on these bytes */
	ACTION_USED,     /* argument: a format printed its first `size` bytes. Of the variable
	                    arguments of a printf, only those that have this matter */
	ACTION_RETURNED, /* the result is just what the model says: it depends only on the arguments
	                    in the set `offset` (bit k: argument k) and on READs that feed
	                    ACTIONS_RESULT. into: it points into the object that `argument` points
	                    to (or is 0); it then depends on all READs as usual */
	ACTION_TEXT,     /* from, size, bytes: a string without its 0, as it was before the call */

	/* What was changed. */
	ACTION_WROTE, /* to, size, bytes; precise: depends on no more than the arguments, the READs
	                     that feed it and the INPUT with the same `to` right before it */
	ACTION_PERMUTED,  /* the same; but elements of `unit` bytes only changed places */
	ACTION_SEEN,      /* the same, by observation: somebody changed them */
	ACTION_COPIED,    /* to, from, size: as memmove() */
	ACTION_FILLED,    /* to, size, byte */
	ACTION_ALLOCATED, /* to, size, zeroed */
	ACTION_FREED,     /* to */
	ACTION_INPUT,  /* to (0: the result), stream, offset, size as in HENCE_INPUT; exact: byte i
	                     of the memory is byte i of the input. Bytes in memory (stream -1) are a
	                     READ instead */
	ACTION_OUTPUT, /* from (0: from the arguments), stream, offset, size as in HENCE_OUTPUT */
	ACTION_OPENED, /* stream, offset, size, bytes as in HENCE_OPENED */
	ACTION_CLOSED, /* stream */

	/* For actions_callback(). */
	ACTION_PASSED, /* argument number `unit` of the callback: from, size: points into that memory;
	                  size 0: it is the value `from`. `offset`: set of arguments it is made from */

	ACTION_UNKNOWN, /* clause: what the model says and we cannot follow (enum outside_clause_kind),
	                   or memory that the library changes from now on (OUTSIDE_LENDS).
	                   to (reads and formats: from): where, 0 if that is not known either; size:
	                   0 if not known */
};

/* What depends on an ACTION_READ. Else 1 + the index in the list of the one action that does; the
   result depends on it, too. */
#define ACTIONS_ALL    0u         /* the result, and all that was written and is not precise */
#define ACTIONS_RESULT UINT32_MAX /* only the result */

struct action {
	uint8_t kind;   /* enum action_kind */
	uint8_t clause; /* enum outside_clause_kind */
	uint8_t byte;
	bool precise, zeroed, exact, into;
	uint16_t argument;
	int32_t stream;
	uint32_t unit, feeds;
	uint64_t to, from, size, offset;
	const uint8_t *bytes; /* valid as long as the tape */
};

struct action_list {
	struct action *at;
	uint32_t size, room;
};

/* To be used again for the next call. Begin with ACTIONS_INIT. */
struct actions {
	struct action_list list;
	struct action_list reads, effects, moves; /* while the list is made */
};

#define ACTIONS_INIT                                                                               \
	{                                                                                          \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* Frees the lists; the actions are empty and usable again. */
void actions_deinit(struct actions *actions);

/* One outside call under way. The caller fills in the first part and keeps what it points to until
   the call has returned. */
struct actions_call {
	const struct outside_table *table;    /* checked; may be NULL if there is no model */
	const struct outside_function *model; /* NULL: none */
	const uint64_t *arguments;            /* the first 8 bytes of each as stored by its type */
	uint32_t count;                       /* fixed and variable ones */
	const char *signature; /* as in struct hence_rt_site: the result, arguments */
	/* From actions_begin(). */
	int64_t olds[OUTSIDE_OLDS];
	uint32_t olds_unknown; /* bit k: old value k is not known */
};

/* The memory and objects of the program as the caller knows them. */
struct actions_memory {
	void *context;
	/* Up to `size` bytes; gives how many of the first are known. */
	uint64_t (*read)(void *context, uint64_t address, uint64_t size, uint8_t *out);
	/* Size of the live heap object that begins there, or ACTIONS_NO_OBJECT. */
	uint64_t (*object_size)(void *context, uint64_t address);
	/* Address of a variable of libc (it comes with HENCE_GIVEN); 0: not known. */
	uint64_t (*global)(void *context, enum outside_global which);
};

/* Before the call: notes the old values that the model asks for, and lists the texts. If it does not
   return (OUTSIDE_NORETURN), also what it reads. `actions` is filled anew. */
void actions_begin(struct actions_call *call, const struct actions_memory *memory,
                   const struct effects *at_call, struct actions *actions);

/* The call is about to run the program's function at `target`: where that one's arguments come from
   (ACTION_PASSED). Nothing when no model says it. `actions` is filled anew. */
void actions_callback(const struct actions_call *call, const struct actions_memory *memory,
                      uint64_t target, struct actions *actions);

/* After the call. `result` has the `size` bytes that are on the tape; NULL and 0: none. `actions` is
   filled anew; valid until it is used for the next call. */
void actions_end(const struct actions_call *call, const struct actions_memory *memory,
                 const uint8_t *result, uint32_t size, const struct effects *at_return,
                 struct actions *actions);

#endif
