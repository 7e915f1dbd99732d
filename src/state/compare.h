/*
 * Inside src/state: the comparison of two states.
 *
 *	compare.c   which objects correspond, and what differs in them
 *	express.c   names of differences, and their values as text
 *	changes.c   transplants
 */
#ifndef HENCE_STATE_COMPARE_H
#define HENCE_STATE_COMPARE_H

#include "state/graph.h"

/* Objects that correspond, and how they were reached first. Also objects of the first run alone, when
   others are named by way of them: `b` is PAIR_ALONE then. */
#define PAIR_ALONE UINT32_MAX

struct state_pair {
	uint32_t a, b;
	uint32_t from;    /* 1 + index of the pair that the pointer lies in; 0: it is a variable */
	const char *path; /* of the pointer in that, as C writes it behind the name */
	int64_t index;    /* of the element there, in a block */
	uint64_t at;      /* byte of it */
	int64_t offset;   /* where the pointer points to in it */
	const struct ctype *pointee; /* what the pointer says; NULL: not known */
	uint32_t depth;              /* pointers from the variable on */
	const char *
		waiting; /* the pointer is in no variable: how it is written; NULL: that is not so */
	uint32_t repeats; /* so many pairs before it have the same path */
	char *expression; /* of the pointer, or the name of the variable; NULL: not asked yet */
};

enum leaf_shape {
	LEAF_SCALAR,
	LEAF_POINTER,
	LEAF_TEXT, /* a char array, or a block that holds text */
	LEAF_BYTES, /* anything else as a whole: a union whose members differ, the rest of a buffer */
};

/* The smallest part that is compared. */
struct state_leaf {
	uint32_t pair;
	uint8_t shape;
	uint8_t bit;   /* of a bit-field: first bit in the byte */
	uint32_t bits; /* 0: it is none */
	uint64_t at_a, at_b;
	uint64_t size_a, size_b; /* bytes; they differ only for text */
	const struct ctype *type_a, *type_b;
	uint64_t text;    /* 1 + where the text begins that it is or lies behind, in `a`; 0: none */
	int64_t index;    /* of the element, if `element` */
	bool element;     /* of the block: the path goes on from there */
	const char *path; /* behind it */
};

struct state_diff {
	const struct state *a, *b;
	const struct alignment *alignment;
	struct arena arena;
	const char *hidden;
	uint32_t frames;             /* that correspond, from the bottom on */
	uint32_t *match_a, *match_b; /* 1 + the object that corresponds; 0: none */
	uint32_t *of_a;              /* 1 + the pair of an object of `a` that was reached */
	VEC(struct state_pair) pairs;
	VEC(struct state_leaf) late; /* pointers that wait until others have led further */
	VEC(struct state_leaf) leaves;
	VEC(struct difference) all; /* of the leaves */

	/* state_diff_changes() */
	struct arena work;
	VEC(struct change) news, changes;
	uint32_t *created; /* number of the new object for each of the source's; 0: none */
	uint32_t *
		grown; /* number of the new object that takes the place of one of the changed run */
	VEC(uint32_t) open; /* objects that are to be filled */
};

/* --- compare.c --- */

/* Where an object of `from` lies in the other run, though it was not reached there: what is constant is
   there all the same. 0: not known. */
uint64_t pairs_elsewhere(const struct state *from, const struct state_object *o,
                         const struct state *to);

/* Is it what the C library keeps for itself in memory of the program? */
bool leaves_is_opaque(const struct ctype *type);

/* The type of what was stored at a place of a block without a type. Never NULL. */
const struct ctype *leaves_stored_type(const struct state *s, const struct state_object *o,
                                       uint64_t at);

/* All that differs, without names. */
struct state_diff *compare_begin(const struct state *a, const struct state *b,
                                 const struct alignment *alignment);

static inline const struct state_object *leaf_object(const struct state_diff *d,
                                                     const struct state_leaf *leaf, bool second)
{
	const struct state_pair *pair = &d->pairs.at[leaf->pair];

	return second ? &d->b->objects.at[pair->b] : &d->a->objects.at[pair->a];
}

/* Is its value known on that side? */
bool leaf_is_known(const struct state_diff *d, const struct state_leaf *leaf, bool second);

/* The edge of a pointer; NULL: none. */
const struct state_edge *leaf_edge(const struct state_diff *d, const struct state_leaf *leaf,
                                   bool second);
uint64_t leaf_word(const struct state_diff *d, const struct state_leaf *leaf, bool second);

/* --- express.c --- */

/* The expression of a pair's pointer, or the name of its variable. Valid as long as the diff. */
const char *express_pair(struct state_diff *d, uint32_t pair);

/* The name of a leaf. */
char *express_leaf(struct state_diff *d, const struct state_leaf *leaf);

/* The name of a variable, as it is written where the run stands; NULL: it is none. Caller frees with
   free(). */
char *express_variable(const struct state *s, const struct state_object *o);

/* The value of a leaf as text. */
char *value_of_leaf(struct state_diff *d, const struct state_leaf *leaf, bool second);

#endif
