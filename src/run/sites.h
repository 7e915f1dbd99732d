/*
 * The sites that hence cc left in the code of an ELF file (runtime/sites.h): the section
 * .hence.points says where in its function each one lies. A site's address in a running program is
 * that of its function, as the tape has it (struct program_module), plus the offset found here;
 * struct point_sites of experiment/point.h does that.
 */
#ifndef HENCE_RUN_SITES_H
#define HENCE_RUN_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/sites.h"

struct sites;

/* Reads the section of an executable, library or object. A file without it, a corrupt section and
   another protocol are errors that say to rebuild it. Caller frees with sites_close(). */
MUST_USE struct hence_error *sites_open(const char *path, struct sites **out);
void sites_close(struct sites *sites);

/* All entries of the module whose IR has this hash, in the order of `site` and then `offset`; NULL:
   there is no such module. Valid until sites_close(). */
const struct hence_site_entry *sites_module(const struct sites *sites, const uint8_t hash[16],
                                            uint32_t *count);

/* Of those, the places of one site: `number` counts statements as plan_site() does. NULL: none, the
   code generator has dropped it. */
const struct hence_site_entry *sites_find(const struct hence_site_entry *entries, uint32_t count,
                                          enum hence_site_kind kind, uint32_t number,
                                          uint32_t *places);

#endif
