/* Units without structure: lines, blocks, bytes. */
#include <assert.h>
#include <string.h>

#include "units/cut.h"

void units_cut_lines(const uint8_t *bytes, uint64_t size, struct units *out)
{
	for (uint64_t from = 0, to; from < size; from = to) {
		const uint8_t *end = memchr(bytes + from, '\n', size - from);

		to = end ? (uint64_t)(end - bytes) + 1 : size;
		units_put_unit(out, from, to);
	}
}

void units_cut_blocks(uint64_t size, uint32_t block, struct units *out)
{
	assert(block);
	for (uint64_t from = 0; from < size; from += block)
		units_put_unit(out, from, from + block < size ? from + block : size);
}

void units_cut_bytes(const uint8_t *bytes, uint64_t size, struct units *out)
{
	for (uint64_t from = 0, to; from < size; from = to) {
		uint32_t length = units_utf8_size(bytes, size, from);

		to = from + (length ? length : 1);
		units_put_unit(out, from, to);
	}
}

static uint32_t claimed_size(uint8_t first)
{
	return first < 0x80   ? 1
	       : first < 0xc2 ? 0
	       : first < 0xe0 ? 2
	       : first < 0xf0 ? 3
	       : first < 0xf5 ? 4
	                      : 0;
}

uint32_t units_utf8_size(const uint8_t *bytes, uint64_t size, uint64_t at)
{
	uint32_t length = claimed_size(bytes[at]);
	uint32_t code;

	if (length < 2)
		return length;
	if (size - at < length)
		return 0;
	code = bytes[at] & (0xff >> (length + 1));
	for (uint32_t i = 1; i < length; i++) {
		if ((bytes[at + i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (bytes[at + i] & 0x3f);
	}
	/* Too long for its code, half of a UTF-16 pair, past the last code. */
	if (length == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000)))
		return 0;
	if (length == 4 && (code < 0x10000 || code > 0x10ffff))
		return 0;
	return length;
}
