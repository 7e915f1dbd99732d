/* Writes a recorded run to one file: see saved.h for the format. */
#include "run/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/outcome_bytes.h"

#define LEVEL 3

struct writer {
	const char *path;
	char *temporary;
	FILE *file;
	ZSTD_CCtx *context;
};

static struct hence_error *cannot_write(const struct writer *writer)
{
	return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", writer->path);
}

/* Compresses the bytes to the file; gives the size of the frame. */
static struct hence_error *put_frame(struct writer *writer, const void *bytes, size_t size,
                                     uint64_t *stored)
{
	ZSTD_inBuffer in = {bytes, size, 0};
	size_t room = ZSTD_CStreamOutSize();
	char *chunk = mem_alloc(room);
	size_t left;

	*stored = 0;
	ZSTD_CCtx_reset(writer->context, ZSTD_reset_session_only);
	ZSTD_CCtx_setPledgedSrcSize(writer->context, size);
	do {
		ZSTD_outBuffer out = {chunk, room, 0};

		left = ZSTD_compressStream2(writer->context, &out, &in, ZSTD_e_end);
		if (ZSTD_isError(left)) {
			free(chunk);
			return error_create(HENCE_ERROR_INTERNAL, "zstd: %s",
			                    ZSTD_getErrorName(left));
		}
		fwrite(chunk, 1, out.pos, writer->file);
		*stored += out.pos;
	} while (left);
	free(chunk);
	return ferror(writer->file) ? cannot_write(writer) : NULL;
}

/* The size of the frame is known only behind it: the section's head is written twice. */
static struct hence_error *put_section(struct writer *writer, enum saved_kind kind, uint32_t number,
                                       const void *bytes, size_t size)
{
	struct saved_section section = {.kind = kind, .number = number, .plain = size};
	off_t at = ftello(writer->file);
	struct hence_error *error;

	fwrite(&section, sizeof(section), 1, writer->file);
	error = put_frame(writer, bytes, size, &section.stored);
	if (error)
		return error;
	if (fseeko(writer->file, at, SEEK_SET) ||
	    fwrite(&section, sizeof(section), 1, writer->file) != 1 ||
	    fseeko(writer->file, 0, SEEK_END))
		return cannot_write(writer);
	return NULL;
}

static struct hence_error *put_run(struct writer *writer, const struct saved_run *run)
{
	struct hence_error *error;
	struct str bytes = STR_INIT;

	for (uint32_t i = 0; i < run->argv.size; i++)
		str_add_bytes(&bytes, run->argv.at[i], strlen(run->argv.at[i]) + 1);
	error = put_section(writer, SAVED_ARGUMENTS, 0, str_text(&bytes), bytes.length);
	for (uint32_t i = 0; !error && i < run->outcomes.size; i++) {
		str_deinit(&bytes);
		outcome_bytes_write(&run->outcomes.at[i].outcome, &bytes);
		error = put_section(writer, SAVED_OUTCOME, run->outcomes.at[i].tape,
		                    str_text(&bytes), bytes.length);
	}
	for (uint32_t i = 0; !error && i < run->elfs.size; i++) {
		str_deinit(&bytes);
		str_add_bytes(&bytes, run->elfs.at[i].hash, sizeof(run->elfs.at[i].hash));
		str_add(&bytes, run->elfs.at[i].path);
		error = put_section(writer, SAVED_ELF, i, str_text(&bytes), bytes.length);
	}
	str_deinit(&bytes);
	return error;
}

static struct hence_error *put_tape(struct writer *writer, const struct tape *tape)
{
	uint64_t size = tape->side_end > tape->end ? tape->side_end : tape->end;
	uint64_t side = tape->head.side_offset;
	const uint8_t *bytes;
	struct hence_error *error = tape_map(tape, size, &bytes);

	if (error)
		return error;
	error = put_section(writer, SAVED_TAPE, tape->number, bytes, tape->end);
	if (!error && tape->side_end > side)
		error = put_section(writer, SAVED_SIDE, tape->number, bytes + side,
		                    tape->side_end - side);
	munmap((void *)bytes, size);
	return error;
}

static struct hence_error *put_all(struct writer *writer, const struct saved_run *run,
                                   const struct tapes *tapes)
{
	struct saved_header header = {.version = SAVED_VERSION, .protocol = HENCE_PROTOCOL};
	struct hence_error *error;

	memcpy(header.magic, SAVED_MAGIC, sizeof(header.magic));
	fwrite(&header, sizeof(header), 1, writer->file);
	error = put_run(writer, run);
	for (uint32_t i = 0; !error && i < tapes->list.size; i++)
		if (tapes->list.at[i].condition == TAPE_GOOD)
			error = put_tape(writer, &tapes->list.at[i]);
	return error ? error : put_section(writer, SAVED_END, 0, "", 0);
}

/* A file beside the wanted one, with the rights that a new file gets. */
static struct hence_error *open_writer(struct writer *writer)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	writer->temporary = str_format("%s.XXXXXX", writer->path);
	fd = mkostemp(writer->temporary, O_CLOEXEC);
	if (fd < 0)
		return cannot_write(writer);
	fchmod(fd, 0666 & ~mask);
	writer->file = fdopen(fd, "w");
	writer->context = ZSTD_createCCtx();
	if (!writer->file || !writer->context)
		return error_create(HENCE_ERROR_INTERNAL, "out of memory");
	ZSTD_CCtx_setParameter(writer->context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(writer->context, ZSTD_c_checksumFlag, 1);
	return NULL;
}

static struct hence_error *close_writer(struct writer *writer, struct hence_error *error)
{
	if (writer->file && fclose(writer->file) && !error)
		error = cannot_write(writer);
	if (!error && rename(writer->temporary, writer->path))
		error = cannot_write(writer);
	if (error)
		unlink(writer->temporary);
	ZSTD_freeCCtx(writer->context);
	free(writer->temporary);
	return error;
}

struct hence_error *saved_write(const char *path, const struct saved_run *run,
                                const struct tapes *tapes)
{
	struct writer writer = {.path = path};
	struct hence_error *error = open_writer(&writer);

	if (!error)
		error = put_all(&writer, run, tapes);
	return close_writer(&writer, error);
}
