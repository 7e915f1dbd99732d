#include <string.h>
#include "rle.h"

static size_t run_at(const char *bytes, size_t size)
{
	size_t length = 1;
	while (length < size && bytes[length] == bytes[0])
		length++;
	return length;
}

size_t rle_pack(const char *bytes, size_t size, struct run *out)
{
	size_t count = 0;
	for (size_t at = 0; at < size;) {
		size_t length = run_at(bytes + at, size - at);
		out[count].length = length;
		out[count].byte = bytes[at];
		count++;
		at += length;
	}
	return count;
}

size_t rle_unpack(const struct run *runs, size_t count, char *out, size_t room)
{
	size_t size = 0;
	for (size_t i = 0; i < count && size + runs[i].length <= room; i++) {
		memset(out + size, runs[i].byte, runs[i].length);
		size += runs[i].length;
	}
	return size;
}
