/* Inside the cause tree: what tree*.c share. */
#ifndef HENCE_METHODS_TREE_WORK_H
#define HENCE_METHODS_TREE_WORK_H

#include <roaring/roaring.h>

#include "methods/tree.h"
#include "slice/relevant.h"

/* Conditions about the same instruction are one node if they are of the same kind. */
enum tree_kind {
	TREE_OF_FAILURE,
	TREE_OF_BRANCH,  /* it should have gone another way */
	TREE_OF_ADDRESS, /* the access should have been elsewhere */
	TREE_OF_MISSED,  /* it should have been to an address that was read later */
};

static inline uint64_t tree_key(uint32_t code, enum tree_kind kind)
{
	return (uint64_t)code << 2 | kind;
}

/* A critical condition. */
struct tree_condition {
	enum tree_reason reason;
	uint32_t instance;
	uint32_t via;     /* instance of the cause that it is critical for */
	uint64_t address; /* TREE_MISSED: where it should have written */
};

struct tree_conditions {
	VEC(struct tree_condition) all;
};

MAP_DEFINE_U64(tree_index, uint32_t);

/* Beside each node of the tree. */
struct tree_more {
	VEC(struct tree_condition) pending; /* conditions whose causes were not looked for yet */
	roaring_bitmap_t *conditions;       /* all of the node */
	roaring_bitmap_t *full;             /* all instances of the cause */
	roaring_bitmap_t *fresh;            /* of these, whose critical conditions are not known */
	struct tree_index counts; /* of these, by instruction; not those of correct functions */
	uint32_t folded;          /* conditions whose causes were looked for */
	uint64_t address;         /* of the condition that stands for it: TREE_MISSED */
};

/* A store to a place that was computed. */
struct tree_store {
	uint32_t instance;
	uint64_t address;
};

/* All executions of one such instruction, the first first. */
struct tree_stores {
	uint32_t code;
	uint32_t step;      /* bytes between places where it could have been */
	uint64_t low, high; /* addresses that it wrote to lie between, with both */
	VEC(struct tree_store) all;
};

struct tree_life {
	uint32_t birth, death; /* death 0: it lives */
};

/* Objects at one place, one after the other. */
struct tree_objects {
	uint64_t address, size;
	bool constant;  /* nothing can write there */
	uint64_t reach; /* the furthest end of these and all before them */
	VEC(struct tree_life) lives;
};

struct tree_work {
	const struct recording *run;
	const struct tree_options *options;
	struct execution *e;
	bool shared; /* the history of the run owns it */
	struct terms *terms;
	struct symbolic *symbolic;
	struct solver *solver;
	struct refute_cache *cache;
	struct code *code;
	const struct execution_segment *segments;
	uint32_t segment_count;
	const struct execution_frame *frames;
	uint32_t frame_count;
	uint32_t first, end; /* instances that are kept */
	struct sides_table sides;
	VEC(struct tree_more) more;
	struct tree_index index;        /* tree_key(): 1 + node */
	uint8_t *correct;               /* of frames: 1 no, 2 yes; 0 not asked yet */
	VEC(struct tree_stores) stores; /* of which some may have missed their place */
	VEC(struct tree_objects) objects;
	bool indexed;
	double seconds;
};

/* What tree_describe() said of a node is not right any more. */
void tree_forget_words(struct tree_node *node);

/* --- what is kept of the run --- */

/* Decodes the run; keeps all of it or the end. Fills in what belongs to the execution. */
struct hence_error *tree_decode(struct tree_work *work, bool *window);

static inline bool tree_keeps(const struct tree_work *work, uint32_t instance)
{
	return instance >= work->first && instance < work->end;
}

/* The instance behind the last of a segment. */
static inline uint32_t tree_segment_end(const struct tree_work *work, uint32_t segment)
{
	return segment + 1 < work->segment_count ? work->segments[segment + 1].first : work->end;
}

/* Does it put a parameter into its place, before the first statement of its function? */
bool tree_takes_parameter(const struct tree_work *work, uint32_t instance);

/* The instance that ends the statement which an instance belongs to; the last one, if the program died in it. Parameters are
   put into their places by the call. 0: none, as for those of main(). */
uint32_t tree_statement_of(const struct tree_work *work, uint32_t instance);

/* The call, in a function that is not designated correct, by which an instance was executed in one that is; the
   instance itself if it is in none. 0: it was called by nobody that we see. */
uint32_t tree_outside_correct(struct tree_work *work, uint32_t instance);

/* --- pointers that could have been others --- */

/* The operand by which an access finds its place, and a call through a pointer its function. */
uint32_t tree_pointer_operand(const struct code_insn *insn);

/* Could the pointer have been another: is there more to it than the address of a variable that was handed on? */
bool tree_is_computed(const struct tree_work *work, uint32_t instance, uint32_t operand);

/* --- why a condition was false --- */

enum tree_kind tree_kind(enum tree_reason reason);

/* The pointer that an access or call goes by, as far as it was computed, and its value; 0: there is none. */
term tree_pointer(struct tree_work *work, uint32_t instance, uint64_t *value);

/* The condition's negation as a claim; 0: it has no term. */
term tree_claim(struct tree_work *work, const struct tree_condition *condition);

/* Looks for causes of the conditions that are pending. */
void tree_find_cause(struct tree *tree, uint32_t node);

/* The root's, from the violation. */
void tree_find_root(struct tree *tree);

/* --- critical conditions --- */

/* Critical conditions of instances: direct ones first, each with the same instance, reason and address once. */
void tree_find_critical(struct tree_work *work, const roaring_bitmap_t *instances,
                        struct tree_conditions *out);

/* The branch that an instance hangs on; 0: none. */
uint32_t tree_branch_of(const struct tree_work *work, uint32_t instance);

/* --- critical conditions of one kind --- */

void tree_find_indirect(struct tree_work *work, const roaring_bitmap_t *instances,
                        struct tree_conditions *out);
/* Branches since the last output before an instance that could have put something out. */
void tree_find_silent(struct tree_work *work, uint32_t instance, struct tree_conditions *out);

void tree_find_missed(struct tree_work *work, const roaring_bitmap_t *instances,
                      struct tree_conditions *out);
/* Does a constant, as a text in quotes, lie at an address? */
bool tree_is_constant(struct tree_work *work, uint64_t address, uint32_t instance);
void tree_missed_deinit(struct tree_work *work);

#endif
