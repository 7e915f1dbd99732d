/*
 * The functions of a program as rewrite.c's map has them, and which blocks are control dependent on
 * which by the definition of Ferrante, Ottenstein and Warren (1987), computed in the slow way. The
 * rules for `unreachable` and for loops without an end are those of src/model/control.h.
 *
 * Nodes: the blocks, then for each block the gate in front of it (which only the first block of a
 * loop without an end has), then the exit.
 */
#ifndef ORACLE_GRAPH_H
#define ORACLE_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum end {
	END_GOTO,
	END_BRANCH,
	END_RETURN,
	END_STOP,
};

struct block {
	uint32_t instructions;
	enum end end;
	uint32_t *next;
	uint32_t next_count;
};

struct function {
	char *name;
	struct block *blocks;
	uint32_t block_count;
	bool *gated;   /* of each block; NULL: not analysed yet */
	bool *depends; /* of the nodes but the exit, on each */
};

struct map {
	struct function *functions;
	uint32_t function_count;
	char **globals;
	uint32_t global_count;
};

/* Ends the program when the file is not as it must be. */
void map_read(struct map *map, const char *path);

/* Must come before the questions. */
void graph_analyse(struct function *f);
bool graph_gated(const struct function *f, uint32_t block);
bool graph_depends(const struct function *f, uint32_t on, uint32_t node);

#endif
