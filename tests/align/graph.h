/* Functions as the map describes them, and where the ways out of each block meet, by definition. */
#ifndef TESTS_ALIGN_GRAPH_H
#define TESTS_ALIGN_GRAPH_H

#define GRAPH_EXIT (-1)

struct block {
	char *items; /* map.h */
	char end;
	int *next;
	int count;
	int until; /* immediate post-dominator; GRAPH_EXIT: the end of the function */
};

struct function {
	struct block *blocks;
	int count;
	int done; /* graph_find() */
};

/* Reads all of it, or ends the program. */
struct function *graph_read(const char *path, int *count);

/* Finds `until` of its blocks, once. */
void graph_find(struct function *function);

#endif
