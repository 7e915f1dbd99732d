/* The statement that a program died of, in a block that the tape does not show. */
#ifndef HENCE_ALIGN_DEATH_H
#define HENCE_ALIGN_DEATH_H

#include "trace/walk.h"

/* The statement of the block, counted from 0, that was under way when the program died at that place:
   from record `from` on (UINT32_MAX: from the start of the block). As execution.h finds it, but
   without values. False: the place is not there. */
bool death_statement(const struct plan_function *function, uint32_t block, uint32_t from,
                     const struct walk_place *death, uint32_t *statement);

#endif
