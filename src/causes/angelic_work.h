/* Inside angelic.h: what is to be changed, and what it is called. */
#ifndef HENCE_CAUSES_ANGELIC_WORK_H
#define HENCE_CAUSES_ANGELIC_WORK_H

#include "base/map.h"
#include "causes/angelic.h"
#include "causes/attempts.h"
#include "causes/store.h"

MAP_DEFINE_U64(angelic_map, uint32_t);

/* Another way of a branch, or another value of a store. */
struct angelic_way {
	uint64_t value;   /* the successor, or what is stored */
	char *to;         /* as C; NULL: not described yet */
	uint32_t attempt; /* 1 + number; 0: not tried */
};

struct angelic_place {
	char *file, *function;
	unsigned line, column;
};

/* An instance that can be changed: a branch or switch, or a store of up to 8 bytes. */
struct angelic_target {
	uint32_t instance;
	bool branch;
	bool described;
	uint64_t time; /* of its statement; 0: it was not found */
	uint64_t at;   /* a store: the first point behind it; 0: there is none */
	struct store store;
	char *changed, *from;
	struct angelic_place place, point; /* of the statement, and of where it is changed */
	VEC(struct angelic_way) ways;
};

/* A change that is to be tried for a node: of a branch all ways, of a store one value. */
struct angelic_use {
	uint32_t node, target;
	uint64_t value;
};

struct angelic_attempt {
	uint32_t target, way;
	struct point at;     /* where it is changed */
	uint64_t occurrence; /* of the statement */
	bool ended;
	struct attempt_end end;
};

struct angelic {
	const struct recording *run;
	const struct angelic_options *options;
	struct tree *tree;
	uint64_t before;            /* experiments of earlier checks */
	bool values;                /* can be changed: the user's test allows branches only */
	struct angelic_map numbers; /* 1 + index of the target, by its instance */
	VEC(struct angelic_target) targets;
	VEC(struct angelic_use) uses; /* of the nodes that are tried now, in order */
	VEC(struct angelic_attempt) all;
	struct solver *solver; /* with a small budget: there are many questions */
	double answer_by;      /* CLOCK_MONOTONIC: when it has to answer */
	struct refute_cache *cache;
	struct attempts attempts;
	bool has_check; /* the program failed a check of its own, at: */
	struct site check;
	struct stop stops[2]; /* of the attempt that begins */
	struct change change;
	uint8_t bytes[8], mask[8];
};

/* Appends what can be tried for a node. */
void angelic_plan(struct angelic *angelic, uint32_t node);

/* Does the solver take too long? */
bool angelic_is_late(void *angelic);

/* Describes targets and ways that are not yet, and finds the ways of branches. Decodes the run once. */
struct hence_error *angelic_describe(struct angelic *angelic);

/* Attempts, as struct attempts wants them. */
bool angelic_next(void *angelic, uint64_t id, struct experiment *out);
void angelic_ended(void *angelic, uint64_t id, const struct attempt_end *end);

/* Finds the points where the attempts from number `first` on change something. */
struct hence_error *angelic_set_points(struct angelic *angelic, uint32_t first);

/* Finds the check that failed, if one did. */
struct hence_error *angelic_find_check(struct angelic *angelic);

/* Makes a proof of an attempt that has ended. */
void angelic_add_proof(struct angelic *angelic, const struct angelic_use *use, uint32_t way);

/* Puts the proofs of a node in order, and drops what says the same as others. */
void angelic_tidy(struct tree_node *node);

/* Has the time or somebody ended it? */
bool angelic_is_over(void *angelic);

#endif
