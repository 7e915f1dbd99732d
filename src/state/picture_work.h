/*
 * Inside picture.h.
 *
 *	picture_find.c    where the variables are
 *	picture_parts.c   what is in an object: which parts of it become cells
 *	picture_boxes.c   which objects become boxes
 *	picture.c         names and values of both
 */
#ifndef HENCE_STATE_PICTURE_WORK_H
#define HENCE_STATE_PICTURE_WORK_H

#include "state/compare.h"
#include "state/picture.h"

/* Bytes of an object. */
struct picture_place {
	uint32_t object;
	uint64_t at, size;
	const struct ctype *type; /* NULL: not known */
	uint8_t bit;              /* of a bit-field, as in struct state_leaf */
	uint32_t bits;
};

/* What a cell will show. */
struct picture_part {
	uint32_t object;
	uint64_t at, size;
	const struct ctype *type;
	uint8_t bit; /* of a bit-field, as in struct state_leaf */
	uint32_t bits;
	bool text;      /* a char array as a whole */
	bool leaf_only; /* it has no place here but for the difference: behind an end */
	bool decides;
	uint32_t leaf;                 /* 1 + index of the difference in it; 0: none */
	const char *name;              /* NULL: none */
	const struct state_edge *edge; /* of a pointer; NULL: it is none */
};

struct picture_draft {
	uint32_t frame;  /* 1 + index; 0: it is an object */
	uint32_t object; /* if it is one */
	VEC(struct picture_part) parts;
	uint64_t more;
};

struct drawing {
	const struct state *s;
	struct state_diff *self; /* with itself: it names all that can be reached */
	struct state_diff *diff; /* with the other one; NULL: none */
	struct arena arena;
	uint32_t *leaves;                 /* of diff, sorted by object and place */
	VEC(struct picture_place) places; /* of the variables */
	VEC(struct picture_draft) boxes;
	uint32_t *box_of;   /* 1 + the box of an object */
	uint32_t *frame_of; /* 1 + the box of a frame */
	bool *left;         /* objects without one that should have it */
	uint64_t more;
};

/* The pair of an object in w->self, which it gets if it has none. */
uint32_t drawing_pair(struct drawing *w, uint32_t object);

/* Is it a text that is shown where a pointer leads to it? */
bool drawing_is_inline(const struct state_object *o);

/* Is it shown in the box of its frame? */
bool drawing_is_in_frame(const struct state_object *o);

/* The size of the elements of a block; 0: it is not known, or it is no block. */
uint64_t drawing_element(const struct state_object *o);

/* By how many elements cells are counted from: 2 if the block is named by a pointer to its element [2]. */
int64_t drawing_first(struct drawing *w, uint32_t object);

/* Is the block a single element, so that cells need no index? */
bool drawing_is_single(struct drawing *w, uint32_t object);

/* --- picture_find.c --- */

/* Finds the places of a variable; none if it is not there. */
void drawing_find(struct drawing *w, const struct picture_variable *variable);

/* --- picture_parts.c --- */

/* The first difference in these bytes, as in struct picture_part. */
uint32_t drawing_leaf(const struct drawing *w, uint32_t object, uint64_t at, uint64_t size);
void drawing_add_parts(struct drawing *w, struct picture_draft *draft);

/* Does no byte of these have a value? */
bool drawing_is_empty(const struct state_object *o, uint64_t at, uint64_t size);

/* Appends bytes of a char array as C. */
void drawing_add_text(const struct state_object *o, uint64_t at, uint64_t size,
                      const struct ctype *type, struct str *out);

/* --- picture_boxes.c --- */

/* Chooses boxes and their parts, once the places are known. */
void drawing_choose(struct drawing *w);

#endif
