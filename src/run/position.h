/*
 * From an address in an ELF file to the place in the source, with libdw. Only debug information in
 * the file itself is used: no search in the system's folders and none on the network.
 */
#ifndef HENCE_RUN_POSITION_H
#define HENCE_RUN_POSITION_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "run/outcome.h"

/* Finds the place of `address`, which is as in the file (as `nm` shows it). Without debug
   information only the function is known, in a stripped file only the ELF file. Caller frees with
   place_deinit(). */
MUST_USE struct hence_error *position_find(const char *elf, uint64_t address, struct place *out);

/* The same for an address in a module of an open session of libdwfl, as loaded. Caller frees with
   place_deinit(). */
void position_in_module(Dwfl_Module *module, uint64_t address, struct place *out);

/* Starts a session of libdwfl that looks at no file but the ELF files themselves; `of_process`: it
   will be told a process. NULL: libdwfl failed. Caller frees with dwfl_end(). */
Dwfl *position_begin(bool of_process);

#endif
