/* A walk through a cause tree that is kept in a file, as JSON, and taken up again. */
#ifndef HENCE_CLI_TREE_SESSION_H
#define HENCE_CLI_TREE_SESSION_H

#include "cli/tree_walk.h"

/* A walk of another day. */
struct tree_session {
	struct tree_walk walk;
	struct cause_tree
		tree; /* what is known of the tree: program, command, failure, the places of causes that
	                           something was said about */
	uint32_t levels;
};

/* Replaces the file as a whole. */
struct hence_error *tree_session_write(const char *path, const struct tree_walk *walk,
                                       const struct cause_tree *tree, uint32_t levels);

/* *exists: there is such a file, and *out is filled. Caller frees with tree_session_deinit(). */
struct hence_error *tree_session_read(const char *path, struct tree_session *out, bool *exists);
void tree_session_deinit(struct tree_session *session);

/* Is it a walk through this tree? `whole`: its causes were expanded as then; else only what the failure is and how
   deep the tree was computed are looked at. */
struct hence_error *tree_session_check(const char *path, const struct tree_session *session,
                                       const struct cause_tree *tree, uint32_t levels, bool whole);

#endif
