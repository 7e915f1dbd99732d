/*
 * A gcc or clang command line, taken apart: what is an input, what an option, which option takes
 * the word after it, and what the call as a whole is to do.
 *
 * This module knows how the words belong together and what each is for. What hence does about an
 * option (drop it, say so) is policy.h's.
 */
#ifndef HENCE_CC_ARGS_H
#define HENCE_CC_ARGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"
#include "cc/words.h"

enum cc_item_kind {
	CC_FLAG,   /* goes to every step */
	CC_LINK,   /* goes to the link step only: -l, -L, -Wl, ... */
	CC_DEPS,   /* -MD and the like */
	CC_MODE,   /* -c, -S, -E, ...: what to do */
	CC_OUTPUT, /* -o */
	CC_INPUT,
};

enum cc_language {
	CC_LANG_C,
	CC_LANG_CXX,
	CC_LANG_IR,
	CC_LANG_HEADER,
	CC_LANG_OTHER,  /* assembler and what else clang compiles */
	CC_LANG_LINKED, /* objects, libraries and what has no known suffix */
};

struct cc_item {
	enum cc_item_kind kind;
	char *text;                /* the option, or an input's name */
	char *value;               /* the word after it, for options that take one; or NULL */
	enum cc_language language; /* of an input */
	char *forced;              /* of an input: the -x before it; NULL: by suffix */
	bool dropped;              /* not to be passed on */
};

enum cc_mode {
	CC_LINKING,    /* compile what must be, and link */
	CC_COMPILING,  /* -c */
	CC_ASSEMBLING, /* -S */
	CC_THROUGH,    /* -E, -M, -fsyntax-only, ...: clang's job, with cleaned options */
	CC_ASKING,     /* --version, -###, no inputs, ...: clang's job, with the very words */
};

struct cc_args {
	VEC(struct cc_item) items;
	enum cc_mode mode;
	const char *output; /* of the last -o, or NULL; valid as long as the items */
};

/* Takes the words after the program's name apart. Caller frees with args_deinit(). */
MUST_USE struct hence_error *args_parse(const struct cc_words *words, struct cc_args *args);
void args_deinit(struct cc_args *args);

/* Whether an option that is not dropped has exactly this text. */
bool args_has(const struct cc_args *args, const char *text);

/* Appends an item's words to a command line. Nothing for a dropped one. */
void args_emit(const struct cc_item *item, struct cc_words *words);

/* Whether text begins with prefix. */
bool args_begins(const char *text, const char *prefix);

/* The last part of a path. Valid as long as `path`. */
const char *args_base(const char *path);

#endif
