/*
 * The IR that hence cc left in an ELF file: the blobs of its section .hence.ir, found by their hash
 * and decompressed on demand.
 */
#ifndef HENCE_RUN_BLOBS_H
#define HENCE_RUN_BLOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/protocol.h"

struct blobs;

/* One blob. Valid until blobs_close(). */
struct blob {
	struct hence_ir_header header;
	const uint8_t *bytes; /* compressed: header.size of them */
};

/* Opens an executable, library or object and checks its IR section. A file without the section has
   no blobs: that is no error. A corrupt section is one, and so is another protocol:
   'PATH was built by another version of hence ...'. Caller frees with blobs_close(). */
MUST_USE struct hence_error *blobs_open(const char *path, struct blobs **out);
void blobs_close(struct blobs *blobs);

/* True if the file holds code made by hence cc (it has a section hence_modules). */
bool blobs_instrumented(const struct blobs *blobs);

uint32_t blobs_count(const struct blobs *blobs);
const struct blob *blobs_at(const struct blobs *blobs, uint32_t index);

/* The blob with this hash; NULL: none. Cost: one look at each blob. */
const struct blob *blobs_find(const struct blobs *blobs, const uint8_t hash[16]);

/* Decompresses a blob. Caller frees *out with free(). */
MUST_USE struct hence_error *blobs_bitcode(const struct blobs *blobs, const struct blob *blob,
                                           uint8_t **out, size_t *size);

/* One hash over all blobs: names this build of the file. All 0 without blobs. */
void blobs_build_hash(const struct blobs *blobs, uint8_t out[16]);

#endif
