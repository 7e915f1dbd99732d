/* A recorded process, for all that read it more than once. */
#ifndef HENCE_TRACE_RECORDING_H
#define HENCE_TRACE_RECORDING_H

#include "outside/table.h"
#include "trace/walk.h"

struct recording {
	struct modules *modules;
	const char *folder; /* of the session */
	uint32_t tape;
	const struct outside_table *table;
	const struct walk_place *death; /* NULL: it did not die */
	uint64_t memory; /* bytes for one window, about 16 for each instance; 0: chosen from what
	                    is free, at most 512 MB */
};

#endif
