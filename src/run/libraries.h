/*
 * The shared libraries of the user's own that an ELF file needs: those that the dynamic linker will
 * find beside the file, by its RPATH or RUNPATH, or in LD_LIBRARY_PATH. The system's are not looked
 * at: hence cc did not build them.
 */
#ifndef HENCE_RUN_LIBRARIES_H
#define HENCE_RUN_LIBRARIES_H

#include <stdbool.h>

#include "base/error.h"

/* True if one of them, or one that they need in turn, was built with hence cc. */
struct hence_error *libraries_instrumented(const char *elf, bool *out);

#endif
