/* Settings from a file of '[section]' and 'name = value' lines. */
#ifndef INI_H
#define INI_H

#include <stdio.h>

struct entry {
	struct entry *next;
	char *name; /* section.name */
	char *value;
};

/* Returns the number of the first bad line, 0 if there is none. */
int ini_read(FILE *in);

/* NULL: not set. */
const char *ini_get(const char *name);

#endif
