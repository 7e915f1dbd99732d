/*
 * An outcome as bytes, for saved runs:
 *
 *	u32 kind, status, signal; text detail; place, place (innermost);
 *	assertion: text, file, u32 line, function
 *
 * A place is: text function, file; u32 line, column; text elf. A text is a byte, 0: NULL or 1, and
 * then if not NULL its bytes with a 0 behind them.
 */
#ifndef HENCE_RUN_OUTCOME_BYTES_H
#define HENCE_RUN_OUTCOME_BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "run/outcome.h"

void outcome_bytes_write(const struct outcome *outcome, struct str *out);

/* False: the bytes are no outcome. Caller frees with outcome_deinit(). */
bool outcome_bytes_read(const void *bytes, size_t size, struct outcome *out);

#endif
