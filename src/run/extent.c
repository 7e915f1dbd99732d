/* How far a tape goes: see extent.h. */
#include "run/extent.h"

#include <string.h>

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
