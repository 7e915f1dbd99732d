/* Inside src/state: two objects side by side. pass.c compares the smallest parts, leaves.c finds them. */
#ifndef HENCE_STATE_PASS_H
#define HENCE_STATE_PASS_H

#include "state/compare.h"

#define PASS_STEPS 64u /* members and indices in one path */

/* A member, or an index if there is no name. */
struct step {
	const char *member;
	uint64_t index;
};

struct pass {
	struct state_diff *d;
	const struct state_object *a, *b;
	uint32_t pair;
	bool element;
	int64_t index;
	uint64_t text; /* as in struct state_leaf */
	struct step steps[PASS_STEPS];
	uint32_t depth;
};

/* The same part of two objects. */
struct spot {
	const struct ctype *ta, *tb;
	uint64_t a, b;
};

/* Goes into a member, or an element when that is NULL; p->depth-- leaves it. False: too deep. */
bool pass_push(struct pass *p, const char *member, uint64_t index);

/* Are the bytes the same, and none of them a pointer? */
bool pass_is_same(const struct pass *p, uint64_t a, uint64_t b, uint64_t size);

/* Is there a pointer in what is no pointer by its type? */
bool pass_holds_pointer(struct pass *p, struct spot at);

/* Each compares a part and notes when it differs. */
void pass_pointer(struct pass *p, struct spot at);
void pass_scalar(struct pass *p, struct spot at, uint64_t size);
void pass_bit_field(struct pass *p, const struct ctype_member *m, const struct ctype_member *n,
                    struct spot at);
void pass_blob(struct pass *p, struct spot at, uint64_t size);

/* Char arrays, or blocks of chars, if both hold text. */
bool pass_text(struct pass *p, struct spot at, uint64_t size_a, uint64_t size_b);

#endif
