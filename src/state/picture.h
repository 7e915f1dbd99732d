/*
 * A state as a programmer would draw it on paper: boxes with cells, and arrows between them. Not all of it: the objects that
 * hold some variables, the way to them, the locals of the function on top, and what these point to, breadth first.
 *
 *	frames    scalars that are local to a function share a box that is called as it: `sort()`
 *	others    each array, structure, global and heap block has its own
 *
 * A cell is a scalar; a char array is one as a whole. Of a union the member is shown that was stored last. Literals and the
 * texts of argv are shown as values, not as boxes. What does not fit is counted; pointers and what decides or differs are
 * the last to be left out.
 */
#ifndef HENCE_STATE_PICTURE_H
#define HENCE_STATE_PICTURE_H

#include "base/vec.h"
#include "state/state.h"

#define PICTURE_BOXES 12u
#define PICTURE_CELLS 16u /* of a box */

struct picture_cell {
	char *name;      /* in its box: `next`, `pos.x`, `[2]`; NULL: it is all that is in it */
	char *value;     /* NULL: the arrow says it all */
	char *reference; /* what the other state has there; NULL: the same, or nothing is known */
	uint32_t target; /* 1 + index of the box that it points to; 0: none */
	bool decides;    /* it is, or belongs to, one of the variables */
};

struct picture_box {
	char *name;  /* `sort()`, `list`, `*list->next`, and with several elements `p[]` */
	char *type;  /* NULL: not known, or a frame */
	char *where; /* `locals` of a frame's box; `main()`, `global`, `static in f()`, `constant`, `heap`, `freed`, `arguments` */
	VEC(struct picture_cell) cells;
	uint64_t more; /* cells that are left out */
};

struct picture {
	VEC(struct picture_box) boxes;
	uint64_t
		more; /* boxes that cells point to, and arrays and structures of the function on top, that are left out */
};

/* As a difference of two states, or describe.h, names it. */
struct picture_variable {
	const char *name;
	const char *function; /* NULL: it is not local, or not known */
};

/* Draws a state, next to another one if `other` is not NULL. Variables that cannot be found are left out. Caller frees
   with picture_deinit(). */
void picture_init(struct picture *picture, const struct state *state, const struct state *other,
                  const struct alignment *alignment, const struct picture_variable *variables,
                  uint32_t count);
void picture_deinit(struct picture *picture);

#endif
