/* The folder of stand-ins that `hence build` puts first in PATH. */
#ifndef HENCE_CC_WRAPPERS_H
#define HENCE_CC_WRAPPERS_H

#include "base/error.h"

/*
 * Makes a temporary folder with small scripts named cc, gcc, clang, gcc-12 and so on that run
 * `HENCE cc`. c89 and c99 choose their standard, as POSIX says. C++ compilers are left alone: hence
 * does not know C++, and mixed projects shall still build.
 * `hence` is the absolute path of the hence executable. Caller frees with scratch_remove().
 */
MUST_USE struct hence_error *wrappers_create(const char *hence, char **folder);

#endif
