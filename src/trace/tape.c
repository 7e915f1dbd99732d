/* A tape file for reading: see tape.h. */
#include "trace/tape.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

/* A program that died in a handler was writing to the handlers' stream: the last record there, not
   closed, says where the main stream ended. */
static struct hence_error *check_side(struct tape_file *tape, uint64_t cur)
{
	uint64_t start = tape->head.side_offset, size = tape->head.side_size;
	struct hence_side_record last;

	if (!start)
		return NULL;
	if (start > tape->size || size > tape->size - start)
		return error_create(HENCE_ERROR_INTERNAL,
		                    "%s is damaged: its handlers' stream is outside the file",
		                    tape->path);
	tape->side_end = start + size;
	if (cur < start)
		return NULL;
	if (cur < tape->side_end + sizeof(last))
		return error_create(HENCE_ERROR_INTERNAL,
		                    "%s is damaged: its handlers' stream ends too early",
		                    tape->path);
	memcpy(&last, tape->bytes + tape->side_end, sizeof(last));
	if (last.position > start || last.position < HENCE_STREAM)
		return error_create(HENCE_ERROR_INTERNAL, "%s is damaged: a handler ran nowhere",
		                    tape->path);
	tape->end = tape->tail = last.position;
	tape->side_end = cur;
	return NULL;
}

/* The head comes from a program that may have done anything to it. */
static struct hence_error *check_head(struct tape_file *tape)
{
	struct hence_head *head = &tape->head;
	uint64_t cur;

	memcpy(head, tape->bytes, sizeof(*head));
	if (memcmp(head->magic, HENCE_TAPE_MAGIC, 8))
		return error_create(HENCE_ERROR_INPUT, "%s is not a tape", tape->path);
	if (head->protocol != HENCE_PROTOCOL)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s was recorded by another version of hence (protocol %u, this "
			"one has %u); record it again",
			tape->path, head->protocol, HENCE_PROTOCOL);
	cur = (uint64_t)head->cur - (uint64_t)head->base;
	if (cur < HENCE_STREAM || cur > tape->size || head->limit > tape->size)
		return error_create(HENCE_ERROR_INTERNAL,
		                    "%s is damaged: its write position is outside the file",
		                    tape->path);
	tape->end = tape->tail = cur;
	if ((head->state == HENCE_RECORDING || head->state == HENCE_ENDED) && head->end &&
	    head->populated <= head->limit && head->populated > cur)
		tape->tail = head->populated;
	return check_side(tape, cur);
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
