/* Finding clang, and running it on behalf of the user. */
#ifndef HENCE_CC_CLANG_H
#define HENCE_CC_CLANG_H

#include <stdbool.h>

#include "base/error.h"
#include "cc/args.h"
#include "cc/words.h"

/*
 * A folder with this file in it holds `hence build`'s stand-ins for compilers. A search for the
 * real clang passes it over: otherwise hence cc would run itself for ever.
 */
#define CLANG_MARK ".hence-build"

/* The path of clang: $HENCE_CLANG, or clang-N in PATH with N = HENCE_LLVM. Caller frees. */
MUST_USE struct hence_error *clang_find(char **path);

/* What is the same for every run of clang within one call. */
struct clang_run {
	const char *clang;     /* path */
	const char *scratch;   /* directory for files of ours */
	struct cc_args *args;  /* options that clang does not know are dropped here */
	struct cc_words *told; /* and named here */
	void (*diagnostics)(const char *bytes, size_t size); /* gets what clang wrote to stderr */
	struct cc_words forgiven; /* -Wno-error=NAME for warnings that only clang has */
	struct cc_words hidden;   /* files of ours, whose names users must not see ... */
	struct cc_words shown;    /* ... and what to call them instead */
	unsigned files;           /* counted up for names of files in the scratch directory */
};

/* Builds the words of a clang call, without the program's name, from the args that are left. */
typedef void clang_words(const struct clang_run *run, const void *context, struct cc_words *words);

/*
 * Runs clang with what `build` makes. If clang rejects options that it does not know, they are
 * marked as dropped and it is run again; likewise if -Werror made errors of
 * warnings that gcc does not have. *code is its exit code; the error says that it could not be run
 * or died of a signal.
 */
MUST_USE struct hence_error *clang_run(struct clang_run *run, clang_words *build,
                                       const void *context, int *code);

#endif
