/*
 * Orders for an experiment, as hence puts them into the memory that it shares with the program
 * (protocol.h, SERVER): what to do at which places in the code. One struct hence_orders, then arrays
 * and bytes, each at its offset from the struct's beginning, aligned to 8. Answers are written to
 * the same memory, so that they are there however the program ends.
 *
 * A place is a site in the code (sites.h), with all its addresses. The first stop is at its place's
 * count-th passing from now on, or with `here` it is where the process waits. All other counts begin
 * with the first stop. The branch that a patched run has (struct patch of experiment.h) is counted from
 * the start of the program, whichever orders the process had before.
 */
#ifndef HENCE_RUNTIME_ORDERS_H
#define HENCE_RUNTIME_ORDERS_H

#include <stdint.h>

struct hence_orders {
	uint64_t size; /* of all, with the answers */
	uint32_t here;
	uint32_t place_count, stop_count, change_count, reading_count, known_count;
	uint32_t ends;     /* 1: the program ends when all is known that was asked for */
	uint32_t on_rails; /* 1: from the first stop on, beginning with this entry: */
	uint32_t rail;
	uint64_t places, stops, changes, readings, known; /* offsets */
	uint64_t patch_count; /* the passing of its place when the branch is patched; 0: never */
	uint64_t patch_value; /* that rax gets */
	uint64_t patch_time;  /* for the tape */
	uint32_t patch_place;
	/* answers */
	uint32_t patched;    /* it was, in this process or before */
	uint32_t diverged;   /* the first stop was reached, but memory is not as known */
	uint32_t unwritable; /* a change was to memory that is not there; ended */
	uint32_t off_rails;  /* ended */
	uint32_t missing;    /* 1 + a place that has no HENCE_SITE_NOP where it should, so far */
};

struct hence_order_place {
	uint64_t addresses; /* offset of that many u64 */
	uint32_t count;
	uint32_t branch; /* 1: it is a branch site */
};

enum hence_order_force {
	HENCE_FORCE_NOTHING,
	HENCE_FORCE_VALUE, /* rax gets `value` */
	HENCE_FORCE_OTHER, /* rax is made 0 if it is not, else 1 */
};

struct hence_order_stop {
	uint64_t count;
	uint32_t place;
	uint32_t force;        /* enum hence_order_force; at the next passing of */
	uint32_t tell;         /* 1: rax there is told, after that; */
	uint32_t forced_place; /* a branch or the result of a call; */
	uint32_t same_stack;   /* 1: when the stack is as deep as at the stop */
	uint64_t value;
	uint32_t change, changes; /* the first one, and how many */
	uint32_t reading, readings;
	/* answers */
	uint64_t bytes; /* offset of what its readings found */
	uint64_t reached, stack, printed;
	uint64_t told, outcome;
};

enum hence_order_change_kind {
	HENCE_CHANGE_BYTES,
	HENCE_CHANGE_NEW,
	HENCE_CHANGE_POINTER,
};

/* As struct change of experiment.h. */
struct hence_order_change {
	uint32_t kind; /* enum hence_order_change_kind */
	uint32_t object, target, unused;
	uint64_t address, size, bytes, mask; /* offsets; mask 0: none */
	int64_t addend;
};

/* Also what is known: memory has these bytes when the first stop is reached. */
struct hence_order_reading {
	uint64_t address, size, bytes;
	uint64_t through; /* 1: behind the pointer at the address, that much further: */
	int64_t offset;
};

/*
 * Rails, as all experiments of a pool have them: at HENCE_RAILS of the shared memory. Arrays follow at
 * their offsets from the beginning of this.
 */
struct hence_rails {
	uint64_t size;   /* of all */
	uint64_t serial; /* others have another */
	uint32_t branch_count, rail_count;
	uint64_t branches, cases, rails;
};

/* A branch site; in the order of addresses. Ways are successors, as plan_way() of model/plan.h has them. */
struct hence_rails_branch {
	uint64_t address;
	uint64_t mask;         /* the bits of rax that it goes by; others are anything */
	uint32_t number;       /* the same for all places of the site */
	uint32_t way;          /* of values that are no case */
	uint32_t first, count; /* of its cases */
};

struct hence_rails_case {
	uint64_t value; /* in rax */
	uint64_t way;
};

/* As struct rail of experiment.h. */
struct hence_order_rail {
	uint32_t kind, branch, way, other, skip;
};

enum hence_order_rail_kind {
	HENCE_RAIL_FORCE,
	HENCE_RAIL_EVALUATE,
	HENCE_RAIL_SKIP,
	HENCE_RAIL_CHOOSE,
};

#endif
