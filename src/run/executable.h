/*
 * The program that a command names: where it is, what kind of file it is, and whether hence can
 * record it. All problems are found before anything is started.
 */
#ifndef HENCE_RUN_EXECUTABLE_H
#define HENCE_RUN_EXECUTABLE_H

#include <stdbool.h>

#include "base/error.h"

struct executable {
	char *name;  /* as the user wrote it */
	char *path;  /* to execute: found through PATH like execvp() does */
	bool script; /* not an ELF file, or a tool that only runs others (sh, make, env) */
};

/* The path of a program to execute, whatever it was built with: found through PATH like execvp()
   does. The error says why it cannot be executed. Caller frees *out. */
MUST_USE struct hence_error *executable_locate(const char *name, char **out);

/* Finds and checks the program. An ELF file must be built with hence cc, or need a shared library
   that is. Caller frees with executable_deinit(). */
MUST_USE struct hence_error *executable_find(const char *name, struct executable *out);
void executable_deinit(struct executable *executable);

#endif
