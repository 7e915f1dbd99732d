/*
 * An edit as a change of the source. Clang's debug locations point at tokens: an operation at its
 * operator, a load at the identifier, a call at the callee, an assignment at `=`. So an edit of an
 * instruction is an edit of a token or of the expression around it. It is made only when the text that
 * stands there is the one that was compiled: what comes from a macro is not, and has no patch.
 */
#ifndef HENCE_EDIT_TEXT_H
#define HENCE_EDIT_TEXT_H

#include "edit/search.h"

struct edit_text {
	char *before,
		*after;  /* the line without its indentation; or an expression, without `patch` */
	unsigned column; /* of the changed text in the source, from 1; 0: not known */
	unsigned mark, mark_length; /* the changed part of `after`, in bytes */
	char *patch;                /* unified diff; NULL: none */
	char *no_patch;             /* why, then */
};

/* `lines` are those of the source file, from line 1 on; NULL: it is not there, or was changed since it was
   compiled. Caller frees with edit_text_deinit(). */
void edit_text(const struct edit_found *edit, char *const *lines, uint32_t count,
               struct edit_text *out);
void edit_text_deinit(struct edit_text *text);

#endif
