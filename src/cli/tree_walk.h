/*
 * A walk through a cause tree: where it stands, how the user marked the causes, and what an answer does. It reads and
 * prints nothing.
 *
 * A cause that is called 'not it' takes with it what leads only to it: causes that cannot be reached from the failure
 * on another way, be it a child or a reference ('see also').
 */
#ifndef HENCE_CLI_TREE_WALK_H
#define HENCE_CLI_TREE_WALK_H

#include "report/cause_tree.h"

enum tree_mark {
	TREE_MARK_NONE,
	TREE_MARK_NOT,
	TREE_MARK_SUSPICIOUS,
	TREE_MARK_IT,
};

/* An answer that can be taken back. */
struct tree_walk_step {
	uint32_t at;           /* where it stood */
	enum tree_mark before; /* how that cause was marked before */
};

struct tree_walk {
	uint32_t at; /* number of the cause that is shown */
	VEC(unsigned char)
	marks; /* enum tree_mark of number N at N - 1; there may be fewer than nodes */
	VEC(struct tree_walk_step) steps;
	VEC(uint32_t) expanded; /* numbers, in this order, beyond what the tree had */
};

/* What is to be done now. */
enum tree_walk_action {
	TREE_WALK_SHOW,   /* show the cause `at` */
	TREE_WALK_SAY,    /* only say something */
	TREE_WALK_EXPAND, /* find out what is below `at`, then call tree_walk_enter() */
	TREE_WALK_LIST,
	TREE_WALK_REPORT, /* `at` is it: write the report and end */
	TREE_WALK_SAVE,   /* to the file `argument` */
	TREE_WALK_QUIT,
	TREE_WALK_HELP,
};

struct tree_walk_reply {
	enum tree_walk_action action;
	const char *say;      /* a line for the user first; NULL: none */
	const char *argument; /* part of the answer */
};

/* At the failure. Caller frees with tree_walk_deinit(). */
void tree_walk_init(struct tree_walk *walk);
void tree_walk_deinit(struct tree_walk *walk);

/* Takes an answer: a line without its end. */
struct tree_walk_reply tree_walk_take(struct tree_walk *walk, const struct cause_tree *tree,
                                      const char *line);

/* After TREE_WALK_EXPAND: goes to the first cause below. */
struct tree_walk_reply tree_walk_enter(struct tree_walk *walk, const struct cause_tree *tree);

enum tree_mark tree_walk_mark(const struct tree_walk *walk, uint32_t number);

/* Which causes can still be it: alive[N - 1] of number N. Caller frees. */
bool *tree_walk_alive(const struct tree_walk *walk, const struct cause_tree *tree);

/* --- a walk that is kept in a file, as JSON, and taken up again --- */

/* A walk that was saved. */
struct tree_session {
	struct tree_walk walk;
	struct cause_tree
		tree; /* of it are known: program, command, failure, the places of the marked causes */
	uint32_t levels;
};

/* Replaces the file as a whole. */
MUST_USE struct hence_error *tree_session_write(const char *path, const struct tree_walk *walk,
                                                const struct cause_tree *tree, uint32_t levels);

/* *exists: there is such a file, and *out is filled. Caller frees with tree_session_deinit(). */
MUST_USE struct hence_error *tree_session_read(const char *path, struct tree_session *out,
                                               bool *exists);
void tree_session_deinit(struct tree_session *session);

/* Is it a walk through this tree? `whole`: its causes were expanded as then; else only what the failure is and how
   deep the tree was computed are looked at. */
MUST_USE struct hence_error *tree_session_check(const char *path,
                                                const struct tree_session *session,
                                                const struct cause_tree *tree, uint32_t levels,
                                                bool whole);

#endif
