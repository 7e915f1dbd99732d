/*
 * The cause tree as reports show it: texts only. Printers know no method; a tree is made from methods/tree.h by
 * explain/alone.h. All texts are as the program has them; printers escape them.
 */
#ifndef HENCE_REPORT_CAUSE_TREE_H
#define HENCE_REPORT_CAUSE_TREE_H

#include "report/explanation.h"

/* Why a node is there, how its condition was refuted, and what an experiment changes; the names are those of the
   JSON, then NULL. */
enum cause_reason { CAUSE_FAILURE, CAUSE_DIRECT, CAUSE_INDIRECT, CAUSE_ADDRESS, CAUSE_MISSED };
enum cause_how { CAUSE_FOLDED, CAUSE_SOLVED, CAUSE_UNKNOWN, CAUSE_NOT_REFUTED };
enum cause_change { CAUSE_BRANCH, CAUSE_VALUE };
extern const char *const cause_reason_names[];
extern const char *const cause_how_names[];
extern const char *const cause_change_names[];

struct cause_statement {
	struct explanation_place at;
	char *text;
	uint64_t count;
	uint64_t time;
	bool condition;
};

struct cause_proof {
	uint64_t experiment;
	struct explanation_place at;
	uint64_t instance;              /* the statement was there for the nth time */
	uint64_t time;                  /* of the statement */
	struct explanation_place point; /* the change was made before this, for the nth time: */
	uint64_t point_instance, point_time;
	char *changed, *from, *to;
	uint64_t
		bits; /* what was written, or the number of the way that the branch went, so that it can be tried again */
	enum cause_change kind;
	enum verdict outcome;
	bool early;     /* it passes, but without printing what it printed before it failed */
	bool avoids;    /* it passes, but what failed was not checked */
	bool counts;    /* it passes, and is none of these */
	uint64_t after; /* experiment that changed what this value was made of; 0: none */
};

struct cause_node {
	uint32_t number; /* as people name it: 1 is the root; stays when the tree is sorted */
	uint32_t parent; /* number; 0: it is the root */
	uint32_t level;
	enum cause_reason reason;
	struct explanation_place at;
	struct explanation_place
		via; /* statement of the parent's that it matters for; no file: not known */
	uint64_t instance, instances; /* the nth execution, of so many that are one node */
	uint64_t size;                /* instances in its cause */
	char *wanted, *numbers;
	enum cause_how how;
	bool minimal, limited;
	VEC(struct cause_statement) statements;
	VEC(struct cause_proof) proofs;
	bool tried, proven;
	bool expanded;
	VEC(uint32_t) children, again; /* numbers */
};

struct cause_tree {
	char *program;
	VEC(char *) command;
	enum explanation_kind failure;
	const char *failure_word;     /* if the kind has no name here; NULL */
	char *what;                   /* 'p is NULL' */
	VEC(struct cause_node) nodes; /* node number N is at N - 1 */
	bool complete;
	VEC(char *) notes;
	struct {
		uint64_t instances, inside, collapsed, lines, nodes, proven;
		uint64_t solver_calls, folded, unknown, experiments;
		double seconds, solver_seconds;
	} stats;
};

void cause_tree_deinit(struct cause_tree *tree);
void cause_node_deinit(struct cause_node *node);

/* Valid until the tree changes. NULL: there is no such number. */
const struct cause_node *cause_tree_node(const struct cause_tree *tree, uint32_t number);

/* The numbers from the root to a node. */
struct cause_path {
	VEC(uint32_t) numbers;
};

/* Caller frees with vec_deinit(&out->numbers). */
void cause_tree_path(const struct cause_tree *tree, uint32_t number, struct cause_path *out);

/* How many nodes lie below it. */
uint32_t cause_tree_below(const struct cause_tree *tree, uint32_t number);

/* The deepest level such that the levels down to it have at most `most` nodes. */
uint32_t cause_tree_deepest(const struct cause_tree *tree, uint32_t most);

/* Appends why the node is there: 'decides whether line 14 is executed'. */
void cause_node_add_why(const struct cause_tree *tree, const struct cause_node *node,
                        struct str *out);

/* Appends what it matters for, which is known: 'line 14', with the name of another file than its own. */
void cause_node_add_via(const struct cause_node *node, struct str *out);

/* Appends what was not so: 'a == b is false: 6 == 5'. */
void cause_node_add_condition(const struct cause_node *node, struct str *out);

/* Appends what was changed: 'with class = 2', 'with i < n false', 'with switch (class) going to case 3'. */
void cause_proof_add_change(const struct cause_proof *proof, struct str *out);

/* Indented, a node a paragraph; `deepest`: levels below are folded to a line that says how many nodes, but for
   those that lead to a proven cause. Where something is proven, causes that were tried without success are printed in short,
   unless `full`, and of many children only some are. */
void cause_tree_print_text(const struct cause_tree *tree, const struct explanation_style *style,
                           uint32_t deepest, bool full, FILE *file);

/* The nodes on the way from the failure to one of them, that one last. */
void cause_tree_print_path(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file);

/* One node without its line of source, for callers that walk through the tree and show more of it. */
void cause_node_print_text(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file);

/* Makes it what a saved report can hold: see explanation_settle(). */
void cause_tree_settle(struct cause_tree *tree);

/* The tree as a report of its own. `chosen`: the node that the user says is the cause; 0: none. */
void cause_tree_print_json(const struct cause_tree *tree, uint32_t chosen, FILE *file);

/* A line for each node, as compilers write messages. */
void cause_tree_print_gcc(const struct cause_tree *tree, FILE *file);

/* For graphviz: proven nodes are green, edges say by their style why a node is there. */
void cause_tree_print_dot(const struct cause_tree *tree, FILE *file);

#endif
