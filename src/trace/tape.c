/* A tape file for reading: see tape.h. */
#include "trace/tape.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/tapes.h"

/* The head comes from a program that may have done anything to it. */
static struct hence_error *check_head(struct tape_file *tape)
{
	struct hence_head *head = &tape->head;
	struct extent extent;
	const char *wrong;

	memcpy(head, tape->bytes, sizeof(*head));
	if (memcmp(head->magic, HENCE_TAPE_MAGIC, 8))
		return error_create(HENCE_ERROR_INPUT, "%s is not a tape", tape->path);
	if (head->protocol != HENCE_PROTOCOL)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s was recorded by another version of hence (protocol %u, this "
			"one has %u); record it again",
			tape->path, head->protocol, HENCE_PROTOCOL);
	wrong = extent_find(tape->bytes, tape->size, &extent);
	if (wrong)
		return error_create(HENCE_ERROR_INTERNAL, "%s is damaged: %s", tape->path, wrong);
	tape->end = extent.end;
	tape->tail = extent.tail;
	tape->side_end = extent.side_end;
	return NULL;
}

static struct hence_error *map_file(struct tape_file *tape, int fd)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st))
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", tape->path);
	if (st.st_size < (off_t)HENCE_STREAM)
		return error_create(HENCE_ERROR_INPUT, "%s is not a tape: it is too short",
		                    tape->path);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot map %s", tape->path);
	tape->bytes = bytes;
	tape->size = (uint64_t)st.st_size;
	return check_head(tape);
}

struct hence_error *tape_open(const char *path, struct tape_file **out)
{
	struct tape_file *tape;
	struct hence_error *error;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot open %s", path);
	tape = mem_alloc(sizeof(*tape));
	tape->path = mem_strdup(path);
	error = map_file(tape, fd);
	close(fd);
	if (error) {
		tape_close(tape);
		return error;
	}
	*out = tape;
	return NULL;
}

void tape_close(struct tape_file *tape)
{
	if (!tape)
		return;
	if (tape->bytes)
		munmap((void *)tape->bytes, tape->size);
	free(tape->path);
	free(tape);
}
