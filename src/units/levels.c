/* Which ways to cut an input, from coarse to fine; and the user's words for them. */
#include <inttypes.h>
#include <string.h>

#include "units/brackets.h"
#include "units/cut.h"

#define MOST_DEPTHS 16   /* pairs and tokens do for what is nested deeper */
#define LARGE_BLOCK 4096 /* the largest */
#define FEWEST      4    /* blocks that are worth a level */

static void add(struct units_levels *levels, struct units_way way)
{
	*vec_push(&levels->ways) = way;
}

static void add_blocks(struct units_levels *levels, uint64_t size)
{
	for (uint32_t block = LARGE_BLOCK; block > 1; block /= 16)
		if (size >= (uint64_t)FEWEST * block)
			add(levels, (struct units_way){.kind = UNITS_BLOCKS, .block = block});
}

static void add_brackets(struct units_levels *levels, const void *bytes, uint64_t size)
{
	struct brackets brackets;
	uint32_t depths;

	brackets_find(bytes, size, &brackets);
	depths = brackets.depth ? brackets.depth + 1 : 0;
	for (uint32_t depth = 0; depth < depths && depth < MOST_DEPTHS; depth++)
		add(levels, (struct units_way){.kind = UNITS_GROUPS, .depth = depth});
	if (depths)
		add(levels, (struct units_way){.kind = UNITS_PAIRS});
	brackets_deinit(&brackets);
}

void units_levels(const struct units_by *by, const void *bytes, uint64_t size,
                  struct units_levels *out)
{
	*out = (struct units_levels){0};
	if (!by->automatic) {
		add(out, by->way);
		return;
	}
	if (units_is_binary(bytes, size)) {
		add_blocks(out, size);
	} else {
		add_brackets(out, bytes, size);
		if (size && memchr(bytes, '\n', size))
			add(out, (struct units_way){.kind = UNITS_LINES});
		add(out, (struct units_way){.kind = UNITS_TOKENS});
	}
	add(out, (struct units_way){.kind = UNITS_BYTES});
}

void units_levels_deinit(struct units_levels *levels)
{
	vec_deinit(&levels->ways);
}

bool units_is_binary(const void *bytes, uint64_t size)
{
	const uint8_t *b = bytes;
	uint64_t odd = 0;

	for (uint64_t at = 0; at < size;) {
		uint32_t length = units_utf8_size(b, size, at);
		bool control = b[at] < ' ' && (!b[at] || !strchr("\t\n\v\f\r\b\033", b[at]));

		odd += !length || control || b[at] == 0x7f;
		at += length ? length : 1;
	}
	return odd * 16 > size;
}

/* --- words --- */

struct hence_error *units_by_parse(const char *text, struct units_by *out)
{
	static const char records[] = "records=";
	struct units_by by = {0};
	struct hence_error *error;

	if (!strcmp(text, "auto")) {
		by.automatic = true;
	} else if (!strcmp(text, "lines")) {
		by.way.kind = UNITS_LINES;
	} else if (!strcmp(text, "tokens")) {
		by.way.kind = UNITS_TOKENS;
	} else if (!strcmp(text, "bytes")) {
		by.way.kind = UNITS_BYTES;
	} else if (!strncmp(text, records, sizeof(records) - 1)) {
		by.way.kind = UNITS_RECORDS;
		by.way.regex = text + sizeof(records) - 1;
		error = units_check_regex(by.way.regex);
		if (error)
			return error;
	} else {
		return error_create(HENCE_ERROR_INPUT,
		                    "--by does not know '%s'; say lines, tokens, bytes, "
		                    "records=REGEX or auto",
		                    text);
	}
	*out = by;
	return NULL;
}

char *units_way_text(const struct units_way *way)
{
	switch (way->kind) {
	case UNITS_RECORDS: return str_format("records");
	case UNITS_GROUPS: return str_format("groups at depth %u", way->depth);
	case UNITS_PAIRS: return str_format("pairs of brackets");
	case UNITS_LINES: return str_format("lines");
	case UNITS_TOKENS: return str_format("tokens");
	case UNITS_BLOCKS: return str_format("blocks of %u bytes", way->block);
	case UNITS_BYTES: return str_format("bytes");
	}
	__builtin_unreachable();
}
