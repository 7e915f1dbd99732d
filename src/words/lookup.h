/* Inside the lookup of a text of C: what lookup.c and lookup_variables.c share. */
#ifndef HENCE_WORDS_LOOKUP_H
#define HENCE_WORDS_LOOKUP_H

#include "words/describe.h"

struct lookup {
	struct names *names;
	uint32_t depth;
	const char *at; /* what is still to be read */
	int nested;
	char *problem; /* NULL: none yet */
	uint64_t address;
	struct ctype_part part;
};

/* Takes a problem over; the first one counts. */
void lookup_fail(struct lookup *lookup, char *problem);

/* Reads a word, which may be empty. Caller frees with free(). */
char *lookup_word(struct lookup *lookup);

/* Reads the name of a variable and finds it. */
void lookup_variable(struct lookup *lookup);

/* There is no such member in the structure that was found. */
void lookup_no_member(struct lookup *lookup, const char *name);

#endif
