/*
 * Two versions of a program: which functions, blocks and statements are the same in both, by a diff of
 * the sources. What has no counterpart is not aligned.
 */
#ifndef HENCE_ALIGN_VERSIONS_H
#define HENCE_ALIGN_VERSIONS_H

#include "base/error.h"
#include "trace/modules.h"

struct versions;

/* `a` and `b` are paths of the two programs; their modules are loaded from `modules_a` and
   `modules_b`. An error names a source file that cannot be read. Caller frees with
   versions_destroy(). */
struct hence_error *versions_create(struct modules *modules_a, const char *a,
                                    struct modules *modules_b, const char *b,
                                    struct versions **out);
void versions_destroy(struct versions *versions);

#endif
