/* Inside sides.h: what the instructions of a block may write, and whom they call. */
#ifndef HENCE_SLICE_SIDES_SCAN_H
#define HENCE_SLICE_SIDES_SCAN_H

#include "slice/sides.h"

/* Whose code is being looked at. */
struct sides_scope {
	struct sides_table *table;
	const struct program_module *module;
	const struct plan_function *function;
	struct sides_set set;      /* grows; its bitmap must be there */
	struct sides_list callees; /* grows */
	bool locals;               /* they are asked for */
};

/* Adds what the block writes itself, and the functions that it calls. */
void sides_scan_block(struct sides_scope *scope, uint32_t block);

#endif
