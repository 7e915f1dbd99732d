/*
 * A report of hence that was saved: the JSON in a file, and which command made it. What is inside
 * is read by explanation_read_saved() and cause_tree_read_saved().
 *
 * A file may be damaged, or written to do harm, so everything is checked. The error is one line: the file, what is
 * wrong in it, and what to do.
 */
#ifndef HENCE_REPORT_SAVED_H
#define HENCE_REPORT_SAVED_H

#include <jansson.h>
#include <stddef.h>

#include "base/error.h"
#include "report/cause_tree.h"
#include "report/explanation.h"

struct saved {
	char *name; /* of the file, for messages */
	char *text; /* all of it */
	size_t length;
	json_t *root; /* the same, an object */
};

/* Reads a file, '-' is standard input. It must be JSON of this version of hence. Caller frees with
   saved_deinit(). */
MUST_USE struct hence_error *saved_read(const char *path, struct saved *out);

/* The same for a text that is there already, which is copied. `name`: what messages call it. */
MUST_USE struct hence_error *saved_parse(const char *name, const char *text, size_t length,
                                         struct saved *out);
void saved_deinit(struct saved *saved);

/* The report is of `hence tree`. */
bool saved_is_tree(const struct saved *saved);

/* NULL: it is an explanation, or a tree. Else it says which command made it. */
MUST_USE struct hence_error *saved_check_kind(const struct saved *saved);

/* The explanation in it. Caller frees with explanation_deinit(). */
MUST_USE struct hence_error *explanation_read_saved(const struct saved *saved,
                                                    struct explanation *out);

/* The tree in a report of `hence tree`, and the cause that the user chose in it; 0: none. Caller
   frees with cause_tree_deinit(), and then *kept, which must be zeroed before, with
   explanation_deinit(). */
MUST_USE struct hence_error *cause_tree_read_saved(const struct saved *saved,
                                                   struct explanation *kept, struct cause_tree *out,
                                                   uint32_t *chosen);

/* --- for readers of what is inside --- */

/* The message about something that is wrong inside, which is freed; NULL: nothing is. */
MUST_USE struct hence_error *saved_damaged(const struct saved *saved, struct hence_error *wrong);

/* Calls `take` with each member of the report, in their order, and the bytes of its value as they
   are in the file. */
void saved_each(const struct saved *saved,
                void (*take)(void *context, const char *key, const char *value, size_t length),
                void *context);

#endif
