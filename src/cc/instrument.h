/*
 * From a module of IR as clang -O0 -g wrote it to an object with hooks, its un-hooked IR inside.
 */
#ifndef HENCE_CC_INSTRUMENT_H
#define HENCE_CC_INSTRUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum cc_emit_kind {
	CC_EMIT_OBJECT,
	CC_EMIT_ASSEMBLY,
};

struct cc_emit {
	enum cc_emit_kind kind;
	const char *bitcode;            /* file to read, as written by clang -O0 -g -emit-llvm */
	const char *output;             /* file to write */
	void (*note)(const char *text); /* told of functions that are not recorded; may be NULL */
};

/* Instruments one module and writes the object or assembly file. */
MUST_USE struct hence_error *cc_instrument(const struct cc_emit *emit);

/* Puts the hooks into those functions of a planned module (NULL: all), and its tables. `counts`: see
   weave_function(). */
struct plan;
void cc_weave(const struct plan *plan, const uint8_t hash[16], const bool *functions, bool counts);

#endif
