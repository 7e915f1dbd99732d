/*
 * The cause tree (M5): potential causes of a failure, from the failing run alone.
 *
 * A node has a condition that was false in the run and would have avoided the failure, or what
 * leads to it, and its *cause*: the instances that made it false (refute.h). Its children are the
 * *critical conditions* of these instances:
 *
 *	direct      the branch that controls an instance: on another way it is not executed
 *	indirect    a branch between the last write of what an instance read and the read; its other side may write that
 *	address     the pointer or index with which an instance read or wrote: elsewhere it would have found another value
 *	missed      a write in between that went to another part of the same object: it might have written there
 *
 * Repeated executions of a branch or access, in one call or in several, are one node for each place
 * in the code (loop recognition): its conditions are all of them, the last one stands for them. A
 * condition is in the tree once; where it would come again, there is a reference.
 *
 * Functions that are designated correct, and all that they call, hold no causes: what they computed
 * is followed through them, and their conditions are mapped to the call outside of them.
 */
#ifndef HENCE_METHODS_TREE_H
#define HENCE_METHODS_TREE_H

#include "base/budget.h"
#include "failure/violation.h"
#include "solve/refute.h"
#include "words/names.h"

/* What should have held: the kind of a condition. Conditions about the same instruction are one
   node if they are of the same kind. */
enum tree_kind {
	TREE_OF_FAILURE,
	TREE_OF_BRANCH,  /* it should have gone another way */
	TREE_OF_ADDRESS, /* the access should have been elsewhere */
	TREE_OF_MISSED,  /* it should have been to an address that was read later */
};

enum tree_reason {
	TREE_FAILURE, /* the root */
	TREE_DIRECT,
	TREE_INDIRECT,
	TREE_ADDRESS,
	TREE_MISSED,
};

/* An experiment on a node: a branch or a value was changed in the failing run. */
struct tree_proof {
	uint64_t experiment;   /* number, from 1 */
	uint32_t instance;     /* that was changed: the branch, or the store */
	uint64_t time;         /* of its statement */
	uint64_t occurrence;   /* that statement was executed for the nth time */
	char *file, *function; /* of the statement */
	unsigned line, column;
	char *changed;   /* 'class', 'a*a != b*b + c*c' */
	char *from, *to; /* '4', '9'; 'true', 'false' */
	bool branch;     /* a branch was forced; else a value was written after the statement */
	struct {
		/* Before this statement, for the nth time: of a value, the next one. */
		char *file, *function;
		unsigned line, column;
		uint64_t occurrence;
		uint64_t time;
	} point;                /* where it was changed, to repeat the experiment */
	uint64_t address, size; /* of a value; of a bit-field with `mask` */
	uint64_t mask;
	uint64_t value; /* that was written, or the successor that the branch went to */
	enum verdict outcome;
	/* it passes, but does not print what the failing run printed before it failed */
	bool early;
	/* it passes, but the check that failed was switched, or is not executed any more */
	bool avoids;
	bool counts; /* it passes, and is none of these */
	/* tree_follow_proofs(): the experiment that changed what this value was made of; 0: none
	   that counts did. */
	uint64_t after;
};

void tree_proof_deinit(struct tree_proof *proof);

/* A statement that belongs to a cause: filled in by tree_describe(). */
struct tree_statement {
	uint32_t instance; /* that ends it */
	uint64_t time;
	uint64_t count; /* executions of it in the node */
	bool condition; /* it is the condition itself, or one of the core's */
	char *file, *function;
	unsigned line, column;
	char *text; /* 'class = RIGHT', with values: 'd = c + 3 = 4' */
};

struct tree_node {
	uint32_t parent; /* index; the root's is its own */
	uint32_t level;
	enum tree_reason reason;
	uint32_t via;       /* instance of the parent's cause that this is critical for; 0: none */
	uint32_t condition; /* instance that stands for the node: a branch, access or call */
	uint32_t code;      /* its instruction */
	VEC(uint32_t) conditions; /* all that are one with it, the last first; with `condition` */
	term claim;               /* what should have held, at `condition`; 0: none */
	VEC(uint32_t) cause;      /* instances, the last first: what the tree counts */
	uint64_t collapsed; /* instances that are not in `cause`, since others stand for them */
	VEC(uint32_t) core; /* branches that belong to the contradiction */
	VEC(term) conjuncts;
	enum refuted how;
	bool certain, limited;
	bool expanded; /* its children are known: those that it has, and none if there are none */
	VEC(uint32_t) children; /* indices of nodes; proven ones first after tree_sort() */
	VEC(uint32_t) again;    /* nodes elsewhere in the tree that would be its children as well */

	/* tree_describe() */
	char *file, *function;
	unsigned line, column;
	char *via_file; /* where `via` is; NULL: not known */
	unsigned via_line;
	uint64_t time;
	uint64_t occurrence; /* its statement was executed for the nth time */
	char *wanted;        /* 'a * a == b * b + c * c' as C: what would have avoided it */
	/* 'is false' of this: '6 * 6 == 5 * 5 + 4 * 4'; NULL: the same, or not known */
	char *numbers;
	VEC(struct tree_statement) statements; /* in time order */
	bool described;

	/* angelic.h */
	VEC(struct tree_proof) proofs;
	bool tried, proven;
};

struct tree_options {
	uint32_t levels; /* deepest level that is computed: 0 is the root alone */
	uint32_t nodes;  /* most nodes; 0: 400 */
	/* Functions designated correct. NULL: none. */
	bool (*is_correct)(void *context, const char *function);
	void *context;
	const struct budget
		*budget; /* asked between nodes, and while the solver works; may be NULL */
	bool no_solver;  /* to measure: claims are only folded */
};

struct tree_counts {
	uint64_t instances; /* executed up to the failure */
	uint64_t inside;    /* of these in causes of the tree, each once */
	uint64_t collapsed; /* others that these stand for */
	uint64_t lines;     /* of the source, of described nodes */
	struct solver_counts solver;
	double seconds;
};

struct tree {
	VEC(struct tree_node) nodes; /* the root is 0; level by level */
	struct violation violation;
	bool stopped; /* before it was complete: time */
	bool full;    /* too many nodes */
	bool window;  /* only the end of the run could be kept */
	VEC(char *) notes;
	struct tree_work *work;
};

/* Decodes the run, finds what was violated and computes the tree down to options->levels. `options`
   and `run` must live as long as the tree. Caller frees with tree_deinit(). */
MUST_USE struct hence_error *tree_build(const struct recording *run,
                                        const struct violation_question *question,
                                        const struct tree_options *options, struct tree *out);
void tree_deinit(struct tree *tree);

/* Computes the children of a node, if that was not done: on demand, deeper than the levels. */
void tree_expand(struct tree *tree, uint32_t node);

/* Fills in places and texts of nodes that have none yet. Decodes the run once. */
MUST_USE struct hence_error *tree_describe(struct tree *tree);

/* Children with proven causes, or with such below, come first. */
void tree_sort(struct tree *tree);

/* Finds which proven values of a node were made of which others of it (tree_proof.after), by what
   the run handed on. */
void tree_follow_proofs(struct tree *tree, uint32_t node);

struct tree_counts tree_counts(const struct tree *tree);

/* For angelic.h and tests. */
struct symbolic *tree_symbolic(const struct tree *tree);
struct solver *tree_solver(const struct tree *tree);

/* What should have held at a branch or access (instruction `code`) of the statement that the
   function on top has just executed, as C, and the same with values. `address` is where a write
   should have been that missed it. What is not known stays as it was; *numbers also if it is the
   same. Caller frees both. */
void tree_words_condition(struct names *names, uint32_t code, enum tree_kind kind, uint64_t address,
                          char **wanted, char **numbers);

#endif
