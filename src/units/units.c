/* Cutting and joining; the ways to cut but items and pairs (groups.c). */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <regex.h>
#include <string.h>

#include "units/cut.h"

void units_put(struct units *units, uint64_t from, uint64_t to, uint32_t unit)
{
	if (from == to)
		return;
	assert(from < to);
	*vec_push(&units->pieces) = (struct units_piece){from, to - from, unit};
}

void units_put_unit(struct units *units, uint64_t from, uint64_t to)
{
	if (from < to)
		units_put(units, from, to, units->count++);
}

void units_deinit(struct units *units)
{
	vec_deinit(&units->pieces);
	units->count = 0;
}

void units_join(const struct units *units, const void *bytes, const struct dd_set *set,
                struct str *out)
{
	assert(set->count == units->count);
	for (uint32_t i = 0; i < units->pieces.size; i++) {
		const struct units_piece *piece = &units->pieces.at[i];

		if (piece->unit == UNITS_FIXED || dd_set_has(set, piece->unit))
			str_add_bytes(out, (const char *)bytes + piece->from, piece->size);
	}
}

/* ------ lines, blocks, bytes ------ */

/* How many bytes the valid UTF-8 sequence at `at` has; 1 for ASCII, 0 when there is none. */
static uint32_t units_utf8_size(const uint8_t *bytes, uint64_t size, uint64_t at)
{
	uint8_t first = bytes[at];
	uint32_t length = first < 0x80   ? 1
	                  : first < 0xc2 ? 0
	                  : first < 0xe0 ? 2
	                  : first < 0xf0 ? 3
	                  : first < 0xf5 ? 4
	                                 : 0;
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

static void units_cut_lines(const uint8_t *bytes, uint64_t size, struct units *out)
{
	for (uint64_t from = 0, to; from < size; from = to) {
		const uint8_t *end = memchr(bytes + from, '\n', size - from);

		to = end ? (uint64_t)(end - bytes) + 1 : size;
		units_put_unit(out, from, to);
	}
}

static void units_cut_blocks(uint64_t size, uint32_t block, struct units *out)
{
	assert(block);
	for (uint64_t from = 0; from < size; from += block)
		units_put_unit(out, from, from + block < size ? from + block : size);
}

static void units_cut_bytes(const uint8_t *bytes, uint64_t size, struct units *out)
{
	for (uint64_t from = 0, to; from < size; from = to) {
		uint32_t length = units_utf8_size(bytes, size, from);

		to = from + (length ? length : 1);
		units_put_unit(out, from, to);
	}
}

/* ------ tokens ------ */

/*
 * Tokens as most languages have them: words, numbers, strings in quotes, other characters one by
 * one. White space belongs to the token before it.
 */

static bool is_word(uint8_t c)
{
	return isalnum(c) || c == '_' || c >= 0x80;
}

static bool is_space(uint8_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

uint64_t units_quoted_end(struct units_quotes *quotes, const uint8_t *bytes, uint64_t size,
                          uint64_t at)
{
	uint8_t quote = bytes[at];
	int kind = quote == '"';
	uint64_t i;

	if (at >= quotes->from[kind] && at < quotes->to[kind])
		return at;
	/* The apostrophe of a word is none. */
	if (quote == '\'' && at && is_word(bytes[at - 1]))
		return at;
	for (i = at + 1; i < size && bytes[i] != '\n'; i++) {
		if (bytes[i] == quote)
			return i + 1;
		if (bytes[i] == '\\' && i + 1 < size && bytes[i + 1] != '\n')
			i++;
	}
	quotes->from[kind] = at;
	quotes->to[kind] = i;
	return at;
}

/* As C's preprocessor has them: 1.5e-3, 0x1f, 10ul. */
static uint64_t number_end(const uint8_t *bytes, uint64_t size, uint64_t at)
{
	for (at++; at < size; at++) {
		bool sign = bytes[at] == '+' || bytes[at] == '-';

		if (sign && (bytes[at - 1] | 0x20) != 'e' && (bytes[at - 1] | 0x20) != 'p')
			return at;
		if (!sign && !is_word(bytes[at]) && bytes[at] != '.')
			return at;
	}
	return at;
}

static uint64_t token_end(struct units_quotes *quotes, const uint8_t *bytes, uint64_t size,
                          uint64_t at)
{
	uint8_t c = bytes[at];

	if (isdigit(c) || (c == '.' && at + 1 < size && isdigit(bytes[at + 1])))
		return number_end(bytes, size, at);
	if (c == '"' || c == '\'') {
		uint64_t end = units_quoted_end(quotes, bytes, size, at);

		return end > at ? end : at + 1;
	}
	if (!is_word(c))
		return at + 1;
	while (at < size && is_word(bytes[at]))
		at++;
	return at;
}

static void units_cut_tokens(const uint8_t *bytes, uint64_t size, struct units *out)
{
	struct units_quotes quotes = {0};

	for (uint64_t from = 0, to; from < size; from = to) {
		to = is_space(bytes[from]) ? from : token_end(&quotes, bytes, size, from);
		while (to < size && is_space(bytes[to]))
			to++;
		units_put_unit(out, from, to);
	}
}

/* ------ records ------ */

/*
 * Records: each match of the user's regular expression begins one. What stands in front of the
 * first match is a record as well. `^` and `$` match at lines. Zero bytes are bytes like others.
 */

static struct hence_error *compile(const char *regex, regex_t *out)
{
	char text[200];
	int code = regcomp(out, regex, REG_EXTENDED | REG_NEWLINE);

	if (!code)
		return NULL;
	regerror(code, out, text, sizeof(text));
	return error_create(HENCE_ERROR_INPUT,
	                    "--by records=%s: %s; give a POSIX extended regular expression", regex,
	                    text);
}

/* An error that says what is wrong with a regular expression. */
static struct hence_error *units_check_regex(const char *regex)
{
	regex_t compiled;
	struct hence_error *error = compile(regex, &compiled);

	if (!error)
		regfree(&compiled);
	return error;
}

/* Where the next match at `at` or later begins; false: nowhere. `next` is where to look after it.
   */
static bool find(regex_t *regex, const uint8_t *bytes, uint64_t size, uint64_t at, uint64_t *begin,
                 uint64_t *next)
{
	/* regexec() would want a zero at the end and stop at the first one. */
	regoff_t found = re_search(regex, (const char *)bytes, (regoff_t)size, (regoff_t)at,
	                           (regoff_t)(size - at), NULL);
	regoff_t length;

	if (found < 0)
		return false;
	length = re_match(regex, (const char *)bytes, (regoff_t)size, found, NULL);
	*begin = (uint64_t)found;
	*next = (uint64_t)found + (length > 0 ? (uint64_t)length : 1);
	return true;
}

static struct hence_error *units_cut_records(const uint8_t *bytes, uint64_t size, const char *regex,
                                             struct units *out)
{
	regex_t compiled;
	struct hence_error *error = compile(regex, &compiled);
	uint64_t from = 0, begin, at = 0;
	bool matched = false;

	if (error)
		return error;
	while (at < size && find(&compiled, bytes, size, at, &begin, &at)) {
		matched = true;
		units_put_unit(out, from, begin);
		from = begin;
	}
	units_put_unit(out, from, size);
	regfree(&compiled);
	if (matched || !size)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "--by records=%s matches nowhere in the input; each match must begin a "
	                    "record (or use --by lines)",
	                    regex);
}

/* ------ all ways ------ */

struct hence_error *units_cut(const struct units_way *way, const void *bytes, uint64_t size,
                              struct units *out)
{
	struct units units = {0};
	struct hence_error *error = NULL;

	/* Pieces have numbers of 32 bits. */
	if (size >= UINT32_MAX / 2)
		return error_create(HENCE_ERROR_INPUT,
		                    "an input of %" PRIu64 " bytes is too large to be cut into "
		                    "parts; begin with a smaller one",
		                    size);
	switch (way->kind) {
	case UNITS_RECORDS: error = units_cut_records(bytes, size, way->regex, &units); break;
	case UNITS_GROUPS: units_cut_groups(bytes, size, way->depth, &units); break;
	case UNITS_PAIRS: units_cut_pairs(bytes, size, &units); break;
	case UNITS_LINES: units_cut_lines(bytes, size, &units); break;
	case UNITS_TOKENS: units_cut_tokens(bytes, size, &units); break;
	case UNITS_BLOCKS: units_cut_blocks(size, way->block, &units); break;
	case UNITS_BYTES: units_cut_bytes(bytes, size, &units); break;
	}
	if (error)
		units_deinit(&units);
	else
		*out = units;
	return error;
}

/* ------ which ways to cut an input, from coarse to fine; and the user's words for them ------ */

#define MOST_DEPTHS 16   /* pairs and tokens do for what is nested deeper */
#define LARGE_BLOCK 4096 /* the largest */
#define FEWEST      4    /* blocks that are worth a level */

static void add(struct units_levels *levels, struct units_way way)
{
	*vec_push(&levels->ways) = way;
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
		for (uint32_t block = LARGE_BLOCK; block > 1; block /= 16)
			if (size >= (uint64_t)FEWEST * block)
				add(out, (struct units_way){.kind = UNITS_BLOCKS, .block = block});
	} else {
		struct brackets brackets;
		uint32_t depths;

		brackets_find(bytes, size, &brackets);
		depths = brackets.depth ? brackets.depth + 1 : 0;
		for (uint32_t depth = 0; depth < depths && depth < MOST_DEPTHS; depth++)
			add(out, (struct units_way){.kind = UNITS_GROUPS, .depth = depth});
		if (depths)
			add(out, (struct units_way){.kind = UNITS_PAIRS});
		brackets_deinit(&brackets);
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
