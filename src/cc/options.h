/* What is known of single options: which take a word, and what they are for. */
#ifndef HENCE_CC_OPTIONS_H
#define HENCE_CC_OPTIONS_H

#include <stdbool.h>

#include "cc/args.h"

struct cc_option {
	const char *name;
	enum cc_item_kind kind;
	bool takes_word; /* the next word, when the option stands alone */
};

/* What is known of an option as written; options not listed are plain flags. Valid for ever. */
struct cc_option options_find(const char *text);

/* What the option makes of the whole call. Gives `mode` back if it says nothing about that. */
enum cc_mode options_mode(const char *text, enum cc_mode mode);

/*
 * The short form of a GNU long option (--output=x: -o, x). False if there is none. *value is the
 * part behind '=', or NULL. Valid as long as `text`.
 */
bool options_shorten(const char *text, const char **name, const char **value);

/* The language of an input: by the name given to -x, or by the suffix of a file's name. */
enum cc_language options_language(const char *name);
enum cc_language options_suffix(const char *path);

#endif
