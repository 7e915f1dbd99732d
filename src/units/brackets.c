/*
 * Finds balanced parts with a stack of those that are open. A closing bracket closes the
 * innermost open one of its kind; those inside that are still open have no counterpart and become
 * plain text. How many of a kind are open is counted, so that a stray closing bracket costs no
 * search.
 */
#include <ctype.h>

#include "base/map.h"
#include "units/brackets.h"
#include "units/cut.h"

MAP_DEFINE_U64(count_map, uint32_t);

/* An opening bracket whose counterpart was not seen yet. */
struct opened {
	uint32_t bracket; /* in scan.found */
	uint64_t name;    /* its kind, for a tag a hash of its name */
};

struct scan {
	const uint8_t *bytes;
	uint64_t size;
	struct units_quotes quotes;
	VEC(struct bracket) found; /* with end 0: no counterpart */
	VEC(struct opened) stack;
	struct count_map open; /* by name */
};

static void push(struct scan *s, enum bracket_kind kind, uint64_t name, uint64_t from, uint64_t to)
{
	*vec_push(&s->stack) = (struct opened){s->found.size, name};
	*vec_push(&s->found) = (struct bracket){.open = from, .inside = to, .kind = kind};
	(*count_map_put(&s->open, name))++;
}

static void close(struct scan *s, uint64_t name, uint64_t from, uint64_t to)
{
	uint32_t *open = count_map_find(&s->open, name);
	struct opened top;

	if (!open || !*open)
		return;
	do {
		top = s->stack.at[--s->stack.size];
		(*count_map_find(&s->open, top.name))--;
	} while (top.name != name);
	s->found.at[top.bracket].close = from;
	s->found.at[top.bracket].end = to;
}

/* --- tags --- */

/* Behind the '>' of the tag at `at`; `at` when it has none before the next '<'. */
static uint64_t tag_end(struct scan *s, uint64_t at)
{
	for (uint64_t i = at + 1; i < s->size && s->bytes[i] != '<'; i++) {
		if (s->bytes[i] == '>')
			return i + 1;
		if (s->bytes[i] == '"' || s->bytes[i] == '\'') {
			uint64_t end = units_quoted_end(&s->quotes, s->bytes, s->size, i);

			i = end > i ? end - 1 : i;
		}
	}
	return at;
}

/* Names do not differ in the case of letters (HTML). Never one of enum bracket_kind. */
static uint64_t tag_name(const struct scan *s, uint64_t at, uint64_t to)
{
	uint64_t hash = 1469598103934665603u;

	for (; at < to && !isspace(s->bytes[at]) && s->bytes[at] != '/' && s->bytes[at] != '>';
	     at++)
		hash = (hash ^ (uint64_t)tolower(s->bytes[at])) * 1099511628211u;
	return hash | (uint64_t)1 << 63;
}

/* Looks at the '<' at `at`; gives where to go on. */
static uint64_t read_tag(struct scan *s, uint64_t at)
{
	bool closing = at + 1 < s->size && s->bytes[at + 1] == '/';
	uint64_t first = at + 1 + closing;
	uint64_t end, name;

	if (first >= s->size || !isalpha(s->bytes[first]) || (end = tag_end(s, at)) == at)
		return at + 1;
	name = tag_name(s, first, end);
	if (closing)
		close(s, name, at, end);
	else if (s->bytes[end - 2] == '/')
		*vec_push(&s->found) = (struct bracket){at, end, end, end, 0, BRACKET_EMPTY_TAG};
	else
		push(s, BRACKET_TAG, name, at, end);
	return end;
}

/* --- all --- */

/* Looks at the byte at `at`; gives where to go on. */
static uint64_t read_byte(struct scan *s, uint64_t at)
{
	uint64_t end;

	switch (s->bytes[at]) {
	case '(': push(s, BRACKET_ROUND, BRACKET_ROUND, at, at + 1); break;
	case '[': push(s, BRACKET_SQUARE, BRACKET_SQUARE, at, at + 1); break;
	case '{': push(s, BRACKET_CURLY, BRACKET_CURLY, at, at + 1); break;
	case ')': close(s, BRACKET_ROUND, at, at + 1); break;
	case ']': close(s, BRACKET_SQUARE, at, at + 1); break;
	case '}': close(s, BRACKET_CURLY, at, at + 1); break;
	case '<': return read_tag(s, at);
	case '"':
	case '\'':
		end = units_quoted_end(&s->quotes, s->bytes, s->size, at);
		return end > at ? end : at + 1;
	default: break;
	}
	return at + 1;
}

/* Keeps those that have a counterpart and finds how deep they lie. */
static void settle(struct scan *s, struct brackets *out)
{
	VEC(uint64_t) ends = VEC_INIT; /* of the brackets around */

	for (uint32_t i = 0; i < s->found.size; i++) {
		struct bracket bracket = s->found.at[i];

		if (!bracket.end)
			continue;
		while (ends.size && ends.at[ends.size - 1] <= bracket.open)
			ends.size--;
		bracket.depth = ends.size;
		*vec_push(&ends) = bracket.end;
		*vec_push(&out->at) = bracket;
		if (out->depth <= bracket.depth)
			out->depth = bracket.depth + 1;
	}
	vec_deinit(&ends);
}

void brackets_find(const uint8_t *bytes, uint64_t size, struct brackets *out)
{
	struct scan s = {.bytes = bytes, .size = size};

	*out = (struct brackets){0};
	for (uint64_t at = 0; at < size;)
		at = read_byte(&s, at);
	settle(&s, out);
	vec_deinit(&s.found);
	vec_deinit(&s.stack);
	count_map_deinit(&s.open);
}

void brackets_deinit(struct brackets *brackets)
{
	vec_deinit(&brackets->at);
	brackets->depth = 0;
}
