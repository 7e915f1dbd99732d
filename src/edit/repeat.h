/*
 * Edits that a report names, made again: the failing run with each of them in force, judged as the search judged it.
 *
 * A report is data from elsewhere: what it calls an edit is only compared with the names of those that the program
 * has.
 */
#ifndef HENCE_EDIT_REPEAT_H
#define HENCE_EDIT_REPEAT_H

#include "edit/search.h"

struct edit_repeat {
	/* The edit: edit_name(), and where it is. Two edits may have the same name, even at one line. */
	const char *name, *file;
	unsigned line;
	/* Filled in. */
	uint32_t edits; /* of the program that it may be; 0: there is none */
	bool tried;
	enum verdict outcome; /* of one that passes, if one does */
};

/* Tries them all; `options` as for a search, without tests. Those that are left when options->stop ends it are not
   tried. The error says why none can be. */
struct hence_error *edit_repeat(const struct edit_search_options *options,
                                struct edit_repeat *items, uint32_t count);

#endif
