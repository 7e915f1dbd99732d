/* The tapes of a session: see tapes.h. */
#include "run/tapes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

/* ------ how far a tape goes ------ */

/* A program that died in a handler was writing to the handlers' stream: the last record there, not
   closed, says where the main stream ended. */
static const char *find_side(const struct hence_head *head, const uint8_t *bytes, uint64_t size,
                             struct extent *extent)
{
	uint64_t start = head->side_offset, cur = extent->end;
	struct hence_side_record last;

	if (!start)
		return NULL;
	if (start > size || head->side_size > size - start)
		return "its handlers' stream is outside the file";
	extent->side_end = start + head->side_size;
	if (cur < start)
		return NULL;
	if (cur < extent->side_end + sizeof(last))
		return "its handlers' stream ends too early";
	memcpy(&last, bytes + extent->side_end, sizeof(last));
	if (last.position < HENCE_STREAM || last.position > start)
		return "a handler ran nowhere";
	extent->end = extent->tail = last.position;
	extent->side_end = cur;
	return NULL;
}

const char *extent_find(const uint8_t *bytes, uint64_t size, struct extent *out)
{
	struct extent extent = {0};
	struct hence_head head;
	const char *wrong;

	memcpy(&head, bytes, sizeof(head));
	extent.end = extent.tail = (uint64_t)head.cur - (uint64_t)head.base;
	if (extent.end < HENCE_STREAM || extent.end > size || head.limit > size)
		return "its write position is outside the file";
	if ((head.state == HENCE_RECORDING || head.state == HENCE_ENDED) && head.end &&
	    head.populated <= head.limit && head.populated > extent.end)
		extent.tail = head.populated;
	wrong = find_side(&head, bytes, size, &extent);
	if (wrong)
		return wrong;
	extent.written = extent.tail;
	while (extent.written > extent.end && !bytes[extent.written - 1])
		extent.written--;
	*out = extent;
	return NULL;
}

/* ------ the tapes of a session ------ */

#define MOST 1000000u /* tapes; more is a damaged control file */

struct record {
	uint32_t tag;
	uint32_t size;
};

static void add_elf(struct tape *tape, const char *path)
{
	for (uint32_t i = 0; i < tape->elfs.size; i++)
		if (!strcmp(tape->elfs.at[i], path))
			return;
	*vec_push(&tape->elfs) = mem_strdup(path);
}

/* The path at the end of a module record; NULL: the record is damaged. */
static const char *module_path(const uint8_t *bytes, size_t size)
{
	struct hence_module_record record;
	uint64_t at;

	if (size <= sizeof(record) || bytes[size - 1])
		return NULL;
	memcpy(&record, bytes, sizeof(record));
	at = sizeof(record) +
	     8 * ((uint64_t)record.functions + record.globals + record.labels + record.imports);
	return at < size ? (const char *)bytes + at : NULL;
}

/* A tape begins with what the program was given, and the modules that were loaded with it. */
static void read_elfs(struct tape *tape, const uint8_t *bytes)
{
	uint64_t at = HENCE_STREAM;
	struct record record;

	while (tape->end - at >= sizeof(record)) {
		const char *path = NULL;

		memcpy(&record, bytes + at, sizeof(record));
		at += sizeof(record);
		if ((record.tag != HENCE_MODULE && record.tag != HENCE_GIVEN) ||
		    record.size > tape->end - at)
			return;
		if (record.tag == HENCE_MODULE)
			path = module_path(bytes + at, record.size);
		if (path)
			add_elf(tape, path);
		at += record.size;
	}
}

static enum tape_condition check(struct tape *tape, const uint8_t *bytes, uint64_t size)
{
	static const char nothing[8];
	const struct hence_head *head = &tape->head;
	struct extent extent;

	if (!memcmp(head->magic, nothing, sizeof(nothing)))
		return TAPE_EMPTY;
	if (memcmp(head->magic, HENCE_TAPE_MAGIC, sizeof(head->magic)) ||
	    head->protocol != HENCE_PROTOCOL || extent_find(bytes, size, &extent))
		return TAPE_DAMAGED;
	tape->end = extent.written;
	tape->side_end = extent.side_end;
	return TAPE_GOOD;
}

static void read_tape(struct tape *tape, int fd)
{
	struct stat info;
	uint8_t *bytes;

	tape->condition = TAPE_EMPTY;
	if (fstat(fd, &info) || info.st_size < (off_t)HENCE_STREAM)
		return;
	bytes = mmap(NULL, info.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return;
	memcpy(&tape->head, bytes, sizeof(tape->head));
	tape->condition = check(tape, bytes, (uint64_t)info.st_size);
	if (tape->condition == TAPE_GOOD)
		read_elfs(tape, bytes);
	munmap(bytes, info.st_size);
}

struct hence_error *tapes_list(const struct session *session, bool first, struct tapes *out)
{
	struct hence_control control;
	struct hence_error *error = session_control(session, &control);
	struct tapes tapes = {VEC_INIT};
	uint32_t count;

	if (error)
		return error;
	count = control.tapes < MOST ? control.tapes : MOST;
	/* A process may be killed between taking a number and making the file. */
	for (uint32_t i = 0; i < count; i++) {
		char *path = str_format("%s/%08u.%s", session->path, i, first ? "first" : "tape");
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd >= 0) {
			struct tape *tape = vec_push(&tapes.list);

			tape->path = mem_strdup(path);
			tape->number = i;
			read_tape(tape, fd);
			close(fd);
		}
		free(path);
	}
	*out = tapes;
	return NULL;
}

void tapes_deinit(struct tapes *tapes)
{
	for (uint32_t i = 0; i < tapes->list.size; i++) {
		struct tape *tape = &tapes->list.at[i];

		for (uint32_t j = 0; j < tape->elfs.size; j++)
			free(tape->elfs.at[j]);
		vec_deinit(&tape->elfs);
		free(tape->path);
	}
	vec_deinit(&tapes->list);
}

const char *tape_program(const struct tape *tape)
{
	const char *path = tape->head.program;

	return *path && memchr(path, '\0', sizeof(tape->head.program)) ? path : NULL;
}

uint64_t tape_bytes(const struct tape *tape)
{
	uint64_t side = tape->side_end ? tape->side_end - tape->head.side_offset : 0;

	return tape->condition == TAPE_GOOD ? tape->end - HENCE_STREAM + side : 0;
}

struct hence_error *tape_map(const struct tape *tape, uint64_t size, const uint8_t **out)
{
	int fd = open(tape->path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;

	if (fd >= 0) {
		bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
		close(fd);
	}
	if (bytes == MAP_FAILED)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot read the tape %s",
		                        tape->path);
	*out = bytes;
	return NULL;
}
