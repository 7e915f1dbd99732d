/*
 * Initial values that a run read before anything else was written there: of all entries of the program's tables,
 * only these can have to do with how it ended.
 */
#ifndef HENCE_EDIT_READS_H
#define HENCE_EDIT_READS_H

#include "trace/recording.h"

struct edit_reads;

/* Decodes the run. *out is NULL if `stop` (which may be NULL) said so before its end. Caller frees with
   edit_reads_destroy(). */
struct hence_error *edit_reads_find(const struct recording *run, bool (*stop)(void *context),
                                    void *context, struct edit_reads **out);
void edit_reads_destroy(struct edit_reads *reads);

/* A line that read some of these bytes: `number` 0, 1, ... False: there are no more, or none at all. The file is valid as
   long as `reads`; NULL: not known. */
bool edit_reads_at(const struct edit_reads *reads, uint64_t address, uint64_t size, uint32_t number,
                   const char **file, unsigned *line);

#endif
