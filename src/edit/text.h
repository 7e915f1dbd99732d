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

/* A character as C writes it: 'a', '\n', or its number. */
const char *edit_character(struct arena *arena, int64_t code);

/* The line and column of a value in the initialiser of the variable `name`, which is declared in *line: item positions[0]
   of the outer braces, of that item positions[1], and so on; depth 0: all that follows the `=`. False: the initialiser
   is not a plain list of values, so they stay as they are. */
bool edit_find_entry(char *const *lines, uint32_t count, const char *name,
                     const uint32_t *positions, uint32_t depth, unsigned *line, unsigned *column);

/* The name that stands in a line of the source for a constant: operand `operand` of what is at a column. `what` that is:
   'o' an operator, '=' an assignment, 'r' a return, '(' a call. *plus is what is added to the name there. NULL: no name
   stands there, but a literal or something else. Caller frees. */
char *edit_constant_name(const char *text, unsigned column, char what, uint32_t operand,
                         int64_t *plus);

/* A name for a literal: #define NAME 10, enum { NAME = 10 }. */
struct edit_definition {
	char *name;
	unsigned line, column; /* of the literal */
	double value;
	bool real, character;
	bool several;  /* the file defines it more than once */
	uint32_t uses; /* in the text of the file */
};

struct edit_definitions {
	struct edit_definition *at;
	uint32_t size, room;
};

/* All of a file. Caller frees with edit_definitions_deinit(). */
void edit_read_definitions(char *const *lines, uint32_t count, struct edit_definitions *out);
void edit_definitions_deinit(struct edit_definitions *all);

#endif
