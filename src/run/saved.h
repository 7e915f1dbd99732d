/*
 * A recorded run in one file: what `hence run --save FILE` writes.
 *
 * Everything is little endian. A file is a struct saved_header and then its sections, each a struct
 * saved_section and `stored` bytes, which are one zstd frame with a checksum:
 *
 *	kind      number      content
 *	COMMAND   0           the arguments, each terminated by a 0
 *	OUTCOME   of a tape   see outcome_bytes.h; number SAVED_COMMAND: of the command itself
 *	ELF       0, 1, ...   16 bytes of build hash (blobs_build_hash()), then the path
 *	TAPE      of the tape its file up to the end of the stream
 *	SIDE      of the tape the handlers' stream, which belongs at head.side_offset
 *	END       0           nothing: a file without it is cut off
 *
 * The program itself is not in the file: its path and build hash say which it was.
 */
#ifndef HENCE_RUN_SAVED_H
#define HENCE_RUN_SAVED_H

#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "run/outcome.h"
#include "run/tapes.h"

#define SAVED_MAGIC   "HENCERUN"
#define SAVED_VERSION 1u
#define SAVED_COMMAND 0xffffffffu

struct saved_header {
	char magic[8];
	uint32_t version;
	uint32_t protocol; /* of the tapes */
};

enum saved_kind {
	SAVED_END,
	SAVED_ARGUMENTS,
	SAVED_OUTCOME,
	SAVED_ELF,
	SAVED_TAPE,
	SAVED_SIDE,
};

struct saved_section {
	uint32_t kind;
	uint32_t number;
	uint64_t stored;
	uint64_t plain;
};

struct saved_outcome {
	uint32_t tape; /* number, or SAVED_COMMAND */
	struct outcome outcome;
};

struct saved_elf {
	char *path;
	uint8_t hash[16];
};

/* What is in the file but for the tapes' bytes. */
struct saved_run {
	VEC(char *) argv;
	VEC(struct saved_outcome) outcomes;
	VEC(struct saved_elf) elfs;
};

void saved_run_deinit(struct saved_run *run);

/* Writes the run with these tapes; tapes that are not good are left out. The file appears whole or
   not at all. */
struct hence_error *saved_write(const char *path, const struct saved_run *run,
                                const struct tapes *tapes);

struct saved;

/* Opens a file and reads all but the tapes. Caller frees with saved_close(). */
struct hence_error *saved_open(const char *path, struct saved **out);
void saved_close(struct saved *saved);

/* Valid until saved_close(). */
const struct saved_run *saved_get(const struct saved *saved);

uint32_t saved_tapes(const struct saved *saved);

/* The number of the tape at this index, which is below saved_tapes(). */
uint32_t saved_tape_number(const struct saved *saved, uint32_t index);

/* Writes the tape at this index to a file, as it was when the program had ended. */
struct hence_error *saved_extract(const struct saved *saved, uint32_t index, const char *to);

#endif
