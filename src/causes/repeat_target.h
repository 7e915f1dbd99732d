/* Inside repeat.h: what is changed in the failing run alone. */
#ifndef HENCE_CAUSES_REPEAT_TARGET_H
#define HENCE_CAUSES_REPEAT_TARGET_H

#include "causes/repeat_work.h"
#include "causes/store.h"

/* A branch that is to go another way, or a store whose variable is to get another value behind it. */
struct repeat_target {
	struct repeat_item *item;
	bool branch;
	uint64_t time;      /* of the statement */
	uint64_t at;        /* of the point where it is changed: of a branch the same */
	struct point point; /* there */
	bool described;     /* what follows is known: */
	uint32_t successor; /* of a branch */
	struct store store;
	uint64_t value;
};

struct repeat_targets {
	VEC(struct repeat_target) all;
	uint64_t check; /* the statement of the check that failed, if it is a branch; else 0 */
};

/* Finds out what is changed, and whether that is what the report says; items for which it is not are refused. Decodes
   the run once. */
struct hence_error *repeat_describe_targets(const struct recording *run,
                                            struct repeat_targets *targets);

#endif
