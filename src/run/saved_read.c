/* Reads a recorded run from a file: see saved.h for the format. */
#include "run/saved.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/str.h"
#include "run/outcome_bytes.h"

#define SMALL (16u << 20) /* no section but a tape's is larger */

/* A section and where its frame lies. */
struct part {
	struct saved_section section;
	const uint8_t *bytes;
};

struct saved {
	char *path;
	const uint8_t *bytes;
	size_t size;
	struct saved_run run;
	VEC(struct part) tapes; /* each TAPE, followed by its SIDE if it has one */
};

void saved_run_deinit(struct saved_run *run)
{
	for (uint32_t i = 0; i < run->argv.size; i++)
		free(run->argv.at[i]);
	for (uint32_t i = 0; i < run->outcomes.size; i++)
		outcome_deinit(&run->outcomes.at[i].outcome);
	for (uint32_t i = 0; i < run->elfs.size; i++)
		free(run->elfs.at[i].path);
	vec_deinit(&run->argv);
	vec_deinit(&run->outcomes);
	vec_deinit(&run->elfs);
}

static struct hence_error *corrupt(const struct saved *saved, const char *what)
{
	return error_create(HENCE_ERROR_INPUT, "%s is damaged (%s); record the run again",
	                    saved->path, what);
}

/* Decompresses a small section. Caller frees *out. */
static struct hence_error *get_bytes(const struct saved *saved, const struct part *part, char **out)
{
	size_t plain = part->section.plain;
	char *bytes;
	size_t got;

	if (plain > SMALL)
		return corrupt(saved, "a section has an impossible size");
	bytes = mem_alloc(plain + 1);
	got = ZSTD_decompress(bytes, plain, part->bytes, part->section.stored);
	if (ZSTD_isError(got) || got != plain) {
		free(bytes);
		return corrupt(saved, "a section cannot be decompressed");
	}
	*out = bytes;
	return NULL;
}

static struct hence_error *add_arguments(struct saved *saved, const char *bytes, size_t size)
{
	if (size && bytes[size - 1])
		return corrupt(saved, "the command is cut off");
	for (size_t at = 0; at < size; at += strlen(bytes + at) + 1)
		*vec_push(&saved->run.argv) = mem_strdup(bytes + at);
	return NULL;
}

static struct hence_error *add_outcome(struct saved *saved, uint32_t tape, const char *bytes,
                                       size_t size)
{
	struct outcome outcome;
	struct saved_outcome *entry;

	if (!outcome_bytes_read(bytes, size, &outcome))
		return corrupt(saved, "an outcome makes no sense");
	entry = vec_push(&saved->run.outcomes);
	entry->tape = tape;
	entry->outcome = outcome;
	return NULL;
}

static struct hence_error *add_elf(struct saved *saved, const char *bytes, size_t size)
{
	struct saved_elf *elf;

	if (size <= sizeof(elf->hash))
		return corrupt(saved, "the name of a program is cut off");
	elf = vec_push(&saved->run.elfs);
	memcpy(elf->hash, bytes, sizeof(elf->hash));
	elf->path = mem_strdup(bytes + sizeof(elf->hash));
	return NULL;
}

static struct hence_error *add_small(struct saved *saved, const struct part *part)
{
	size_t size = part->section.plain;
	char *bytes;
	struct hence_error *error = get_bytes(saved, part, &bytes);

	if (error)
		return error;
	switch (part->section.kind) {
	case SAVED_ARGUMENTS: error = add_arguments(saved, bytes, size); break;
	case SAVED_OUTCOME: error = add_outcome(saved, part->section.number, bytes, size); break;
	case SAVED_ELF: error = add_elf(saved, bytes, size); break;
	default: error = corrupt(saved, "a section is of an unknown kind"); break;
	}
	free(bytes);
	return error;
}

static struct hence_error *add_tape(struct saved *saved, const struct part *part)
{
	uint32_t count = saved->tapes.size;

	if (part->section.kind == SAVED_SIDE &&
	    (!count || saved->tapes.at[count - 1].section.number != part->section.number))
		return corrupt(saved, "a tape is missing");
	if (part->section.kind == SAVED_TAPE && part->section.plain < HENCE_STREAM)
		return corrupt(saved, "a tape is too short");
	*vec_push(&saved->tapes) = *part;
	return NULL;
}

static struct hence_error *read_sections(struct saved *saved)
{
	size_t at = sizeof(struct saved_header);

	for (;;) {
		struct hence_error *error;
		struct part part;

		if (saved->size - at < sizeof(part.section))
			return corrupt(saved, "it is cut off");
		memcpy(&part.section, saved->bytes + at, sizeof(part.section));
		at += sizeof(part.section);
		part.bytes = saved->bytes + at;
		if (part.section.stored > saved->size - at)
			return corrupt(saved, "it is cut off");
		if (part.section.kind == SAVED_END)
			return NULL;
		at += part.section.stored;
		if (part.section.kind == SAVED_TAPE || part.section.kind == SAVED_SIDE)
			error = add_tape(saved, &part);
		else
			error = add_small(saved, &part);
		if (error)
			return error;
	}
}

static struct hence_error *read_header(struct saved *saved)
{
	struct saved_header header;

	if (saved->size < sizeof(header) || memcmp(saved->bytes, SAVED_MAGIC, sizeof(header.magic)))
		return error_create(HENCE_ERROR_INPUT, "%s was not saved by 'hence run --save'",
		                    saved->path);
	memcpy(&header, saved->bytes, sizeof(header));
	if (header.version != SAVED_VERSION || header.protocol != HENCE_PROTOCOL)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s was saved by another version of hence; record the run again",
			saved->path);
	return read_sections(saved);
}

static struct hence_error *map_file(struct saved *saved)
{
	int fd = open(saved->path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	void *bytes = NULL;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", saved->path);
	if (!fstat(fd, &info) && S_ISREG(info.st_mode) && info.st_size)
		bytes = mmap(NULL, info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes && bytes != MAP_FAILED) {
		saved->bytes = bytes;
		saved->size = info.st_size;
	}
	return NULL;
}

struct hence_error *saved_open(const char *path, struct saved **out)
{
	struct saved *saved = mem_alloc(sizeof(*saved));
	struct hence_error *error;

	saved->path = mem_strdup(path);
	error = map_file(saved);
	if (!error)
		error = read_header(saved);
	if (error)
		saved_close(saved);
	else
		*out = saved;
	return error;
}

void saved_close(struct saved *saved)
{
	if (!saved)
		return;
	if (saved->bytes)
		munmap((void *)saved->bytes, saved->size);
	saved_run_deinit(&saved->run);
	vec_deinit(&saved->tapes);
	free(saved->path);
	free(saved);
}

const struct saved_run *saved_get(const struct saved *saved)
{
	return &saved->run;
}

/* The index-th TAPE; a SIDE is skipped. */
static const struct part *find_tape(const struct saved *saved, uint32_t index)
{
	for (uint32_t i = 0; i < saved->tapes.size; i++)
		if (saved->tapes.at[i].section.kind == SAVED_TAPE && !index--)
			return &saved->tapes.at[i];
	assert(!"a tape of that index");
	return NULL;
}

uint32_t saved_tapes(const struct saved *saved)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < saved->tapes.size; i++)
		count += saved->tapes.at[i].section.kind == SAVED_TAPE;
	return count;
}

uint32_t saved_tape_number(const struct saved *saved, uint32_t index)
{
	return find_tape(saved, index)->section.number;
}

/* Decompresses to a place in a file. */
static struct hence_error *extract(const struct saved *saved, const struct part *part, int fd,
                                   uint64_t at)
{
	ZSTD_inBuffer in = {part->bytes, part->section.stored, 0};
	size_t room = ZSTD_DStreamOutSize(), left = 1;
	ZSTD_DCtx *context = ZSTD_createDCtx();
	uint64_t end = at + part->section.plain;
	struct hence_error *error = NULL;
	char *chunk = mem_alloc(room);

	while (left && !error) {
		ZSTD_outBuffer out = {chunk, room, 0};
		size_t before = in.pos;

		left = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(left) || out.pos > end - at ||
		    (left && !out.pos && in.pos == before))
			error = corrupt(saved, "a tape cannot be decompressed");
		else if (pwrite(fd, chunk, out.pos, (off_t)at) != (ssize_t)out.pos)
			error = error_from_errno(HENCE_ERROR_INPUT, "cannot write a tape");
		at += out.pos;
	}
	if (!error && at != end)
		error = corrupt(saved, "a tape has the wrong size");
	ZSTD_freeDCtx(context);
	free(chunk);
	return error;
}

static struct hence_error *extract_both(const struct saved *saved, const struct part *part, int fd)
{
	const struct part *last = &saved->tapes.at[saved->tapes.size - 1];
	struct hence_error *error = extract(saved, part, fd, 0);
	struct hence_head head;

	if (error || part == last || part[1].section.kind != SAVED_SIDE)
		return error;
	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    head.side_offset < part->section.plain || head.side_offset > (uint64_t)1 << 48)
		return corrupt(saved, "the head of a tape makes no sense");
	return extract(saved, part + 1, fd, head.side_offset);
}

struct hence_error *saved_extract(const struct saved *saved, uint32_t index, const char *to)
{
	const struct part *part = find_tape(saved, index);
	int fd = open(to, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct hence_error *error;

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", to);
	error = extract_both(saved, part, fd);
	if (close(fd) && !error)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot write %s", to);
	return error;
}
