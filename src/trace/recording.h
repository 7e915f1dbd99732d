/* A recorded process, for all that read it more than once. */
#ifndef HENCE_TRACE_RECORDING_H
#define HENCE_TRACE_RECORDING_H

#include "outside/table.h"
#include "trace/walk.h"

/* Functions of one module that have other code than its file (src/edit). */
struct recording_edit {
	uint8_t hash[16];        /* of the module */
	const struct plan *plan; /* of the module as the file has it */
	uint32_t function;       /* the one that is edited; UINT32_MAX: none, only data is */
	uint64_t address;        /* of its code */
	const void *sites;       /* its struct hence_site_entry, by the plan of the edited module */
	uint32_t site_count;
};

struct recording {
	struct modules *modules;
	const char *folder; /* of the session */
	uint32_t tape;
	const struct outside_table *table;
	const struct walk_place *death;    /* NULL: it did not die */
	const struct recording_edit *edit; /* NULL: the code is that of the files */
	struct history *history; /* history.h, path.h; NULL: each question reads the tape */
	uint64_t memory; /* bytes for one window, about 16 for each instance; 0: chosen from what
	                    is free, at most 512 MB */
};

#endif
