/*
 * Images of edited code (runtime/edit_image.h): objects as the code generator makes them, linked for
 * a fixed address against a program as it was loaded. All that the code refers to is known: what is
 * in its module has the address that the recording tells, what is of the runtime is filled in when
 * the image is loaded. So no linker is needed, and no symbol of the program.
 */
#ifndef HENCE_EDIT_IMAGE_H
#define HENCE_EDIT_IMAGE_H

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "runtime/edit_image.h"
#include "runtime/sites.h"
#include "trace/program.h"

/* Names in an object for what lies in the program: hence.f3 is function 3 of the module, hence.g3 global 3,
   hence.i3 import 3. The selector is IMAGE_SELECTOR. */
#define IMAGE_SELECTOR "hence.selector"
#define IMAGE_SCOUTS   "hence.scouts"
#define IMAGE_CHOOSE   "hence.choose"
#define IMAGE_SAFE     "hence.safe"
#define IMAGE_MODULE   "hence.module"
#define IMAGE_IMPORTS  "hence.imports"

struct image {
	struct str file; /* what will be written, without the head */
	VEC(struct hence_image_part) parts;
	uint64_t next; /* address for the next part */
	/* Of the last part: where the code of its first function is, and its sites. */
	uint64_t code;
	VEC(struct hence_site_entry) sites;
	bool debug; /* keep debug information */
	struct str
		symbols; /* if so: the object of the last part, whose sections have their addresses; gdb reads it */
};

/* A function that has new code. */
struct image_entry {
	uint32_t function; /* in the module's plan */
	const char *name;  /* of its symbol in the object */
	uint64_t address;  /* filled in: where its code is */
};

/* Links an object as a part of the image. The error says what cannot be linked. */
MUST_USE struct hence_error *image_add(struct image *image, const struct program_module *module,
                                       const void *object, size_t size, struct image_entry *entries,
                                       uint32_t entry_count, const struct hence_image_poke *pokes,
                                       uint32_t poke_count);

MUST_USE struct hence_error *image_write(const struct image *image, const char *path);
void image_deinit(struct image *image);

#endif
