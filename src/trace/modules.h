/*
 * The IR of recorded programs: modules read from ELF files, each once, with their plans. Shared by
 * the walks of all tapes of a session.
 */
#ifndef HENCE_TRACE_MODULES_H
#define HENCE_TRACE_MODULES_H

#include "base/error.h"
#include "model/plan.h"
#include "model/variables.h"

struct modules;

/* Caller frees with modules_destroy(). */
struct modules *modules_create(void);
void modules_destroy(struct modules *modules);

/* The same modules as `base`, but for the one with this hash, whose code was edited: it has this plan instead. Both
   must outlive them. Caller frees with modules_destroy(). */
struct modules *modules_create_edited(struct modules *base, const uint8_t hash[16],
                                      const struct plan *plan);

/* The plan of the module in the file `path` whose IR has this hash. Errors name the file: not
   there, changed since it was recorded, damaged. *out is valid until modules_destroy(). */
MUST_USE struct hence_error *modules_find(struct modules *modules, const char *path,
                                          const uint8_t hash[16], const struct plan **out);

/* What debug information says about the module of a plan that was found here. Read when it is first asked for, and valid until
   modules_destroy(). */
struct types *modules_types(struct modules *modules, const struct plan *plan);
const struct variables *modules_variables(struct modules *modules, const struct plan *plan);

#endif
