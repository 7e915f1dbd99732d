/*
 * Two versions of a program: which functions and statements are the same in both. Functions are matched
 * by name, and by file where a name occurs twice; their statements by a diff of the lines of both: those
 * of one kind at the same place of a line that is in both, however far it is indented; the last
 * branches of two lines of which one replaces the other; and of changed lines calls of the same function and
 * assignments of the same variable, in their order. What has no counterpart is not aligned.
 */
#ifndef HENCE_ALIGN_VERSIONS_H
#define HENCE_ALIGN_VERSIONS_H

#include "base/error.h"
#include "experiment/point.h"
#include "trace/modules.h"
#include "trace/program.h"
#include "trace/recording.h"

#define VERSIONS_NONE UINT32_MAX

struct versions;

/* `a` and `b` are paths of the two programs; their modules are loaded from `modules_a` and
   `modules_b`, which must be those of the recordings and outlive the result. An error names a source
   file that cannot be read, or of which only one version is there. Caller frees with
   versions_destroy(). */
MUST_USE struct hence_error *versions_create(struct modules *modules_a, const char *a,
                                             struct modules *modules_b, const char *b,
                                             struct versions **out);
void versions_destroy(struct versions *versions);

/* A function that is in both. Statements are counted through its blocks, in the order of the plan. */
struct version_pair {
	const struct plan_function *functions[2];
	uint32_t counts[2];   /* statements */
	uint32_t *matches[2]; /* of each statement that of the other version; VERSIONS_NONE: none */
	bool same;            /* blocks and statements are the same ones */
};

/* The pair with this function of version 0 or 1; NULL: it is in that one only. */
const struct version_pair *versions_find(const struct versions *versions, unsigned version,
                                         const struct plan_function *function);

/* --- places --- */

/* The statement of the other version that a site of version 0 or 1 is; `from` and `to` are the programs
   as they were loaded. False: it is in that version only. */
bool versions_site(const struct versions *versions, unsigned version, const struct program *from,
                   const struct site *site, const struct program *to, struct site *out);

/* The line of version 1 that a line of a function of version 0 is, with its file as the compiler was
   given it, which is valid as long as the modules. False: it has no statement that is in both. */
bool versions_line(const struct versions *versions, const char *function, unsigned line,
                   const char **file, unsigned *out);

/* --- what was changed --- */

/* A line of version 0 that version 1 does not have. `place` is the first of its instructions that was executed; `other` what
   version 1 has instead, NULL: nothing, or more than one line. */
typedef void (*versions_told)(void *context, const struct plan_function *f, LLVMValueRef place,
                              const char *other);

/* All that the run, of version 0, executed, in the order of functions and lines. */
MUST_USE struct hence_error *versions_changes(const struct versions *versions,
                                              const struct recording *run, versions_told told,
                                              void *context);

#endif
