/*
 * Items at a depth of nesting: what a person would call an element of a list, a statement, a
 * member, a child. At depth 0 the items are those of the whole text, at depth n those inside of
 * brackets that lie n-1 deep. An item takes the balanced parts in it along, so that what is left
 * stays balanced.
 *
 * Items end behind ',' and ';', at newlines, and behind {..} and tags. Where a place has none of
 * these (as in Lisp) they end at white space and behind any bracket.
 */
#include <assert.h>
#include <ctype.h>

#include "base/map.h"
#include "units/cut.h"

/* ------ balanced parts ------ */

/*
 * Finds balanced parts with a stack of those that are open. A closing bracket closes the
 * innermost open one of its kind; those inside that are still open have no counterpart and become
 * plain text. How many of a kind are open is counted, so that a stray closing bracket costs no
 * search.
 */

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

/* ------ items at a depth ------ */

/* A place: the whole text, or the inside of a bracket. */
struct place {
	const uint8_t *bytes;
	uint64_t from, to;
	const struct brackets *brackets;
	uint32_t first; /* bracket that may be in it */
	bool plain;     /* items end at white space */
};

static bool is_blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

/* The first bracket of the place that begins at `at` or later; NULL: none. What lies deeper is
   jumped over, since `at` then goes on behind the outer one. */
static const struct bracket *next_bracket(const struct place *p, uint32_t *i, uint64_t at)
{
	for (; *i < p->brackets->at.size && p->brackets->at.at[*i].open < p->to; ++*i) {
		const struct bracket *b = &p->brackets->at.at[*i];

		if (b->open >= at)
			return b;
	}
	return NULL;
}

static bool ends_item(const struct bracket *b)
{
	return b->kind != BRACKET_ROUND && b->kind != BRACKET_SQUARE;
}

/* Has the place nothing but white space to part its items? */
static bool is_plain(const struct place *p)
{
	uint32_t i = p->first;
	uint64_t at = p->from;

	while (at < p->to) {
		const struct bracket *b = next_bracket(p, &i, at);

		if (b && b->open == at) {
			if (ends_item(b))
				return false;
			at = b->end;
			continue;
		}
		if (p->bytes[at] == ',' || p->bytes[at] == ';' || p->bytes[at] == '\n')
			return false;
		at++;
	}
	return true;
}

/* Behind the blanks at `at`, and a newline behind these. */
static uint64_t skip_space(const struct place *p, uint64_t at)
{
	while (at < p->to && is_blank(p->bytes[at]))
		at++;
	if (at + 1 < p->to && p->bytes[at] == '\r' && p->bytes[at + 1] == '\n')
		return at + 2;
	return at < p->to && p->bytes[at] == '\n' ? at + 1 : at;
}

/* Where an item ends whose last thing is the bracket that ends at `at`; 0: it goes on. */
static uint64_t end_behind_bracket(const struct place *p, const struct bracket *b, uint64_t at)
{
	uint64_t next = at;

	if (!ends_item(b) && !p->plain)
		return 0;
	while (next < p->to && is_blank(p->bytes[next]))
		next++;
	if (next < p->to && (p->bytes[next] == ',' || p->bytes[next] == ';'))
		return 0;
	return skip_space(p, at);
}

/* Where an item ends whose last byte is the one at `at`; 0: it goes on. */
static uint64_t end_behind_byte(const struct place *p, uint64_t at)
{
	uint8_t c = p->bytes[at];

	if (c == ',' || c == ';')
		return skip_space(p, at + 1);
	if (c == '\n')
		return at + 1;
	if (p->plain && is_blank(c) && (at + 1 == p->to || !is_blank(p->bytes[at + 1])))
		return at + 1;
	return 0;
}

static void cut_place(const struct place *p, struct units *out)
{
	uint32_t i = p->first;
	uint64_t at = p->from, item = p->from, end;

	while (at < p->to) {
		const struct bracket *b = next_bracket(p, &i, at);

		if (b && b->open == at) {
			if (b->kind == BRACKET_TAG || b->kind == BRACKET_EMPTY_TAG) {
				units_put_unit(out, item, at);
				item = at;
			}
			at = b->end;
			end = end_behind_bracket(p, b, at);
		} else {
			end = end_behind_byte(p, at);
			at++;
		}
		if (!end)
			continue;
		units_put_unit(out, item, end);
		item = at = end;
	}
	units_put_unit(out, item, p->to);
}

void units_cut_groups(const uint8_t *bytes, uint64_t size, uint32_t depth, struct units *out)
{
	struct brackets brackets;
	struct place p = {.bytes = bytes, .to = size, .brackets = &brackets};
	uint64_t done = 0;

	brackets_find(bytes, size, &brackets);
	for (uint32_t i = 0; depth && i < brackets.at.size; i++) {
		const struct bracket *b = &brackets.at.at[i];

		if (b->depth != depth - 1 || b->kind == BRACKET_EMPTY_TAG)
			continue;
		p.from = b->inside;
		p.to = b->close;
		p.first = i + 1;
		p.plain = is_plain(&p);
		units_put(out, done, p.from, UNITS_FIXED);
		cut_place(&p, out);
		done = p.to;
	}
	if (!depth) {
		p.plain = is_plain(&p);
		cut_place(&p, out);
		done = size;
	}
	units_put(out, done, size, UNITS_FIXED);
	brackets_deinit(&brackets);
}

/* --- pairs --- */

void units_cut_pairs(const uint8_t *bytes, uint64_t size, struct units *out)
{
	struct brackets brackets;
	VEC(struct units_piece) open = VEC_INIT; /* closing ones that are still to come */
	uint64_t done = 0;
	uint32_t i = 0;

	brackets_find(bytes, size, &brackets);
	while (i < brackets.at.size || open.size) {
		const struct bracket *b = i < brackets.at.size ? &brackets.at.at[i] : NULL;
		struct units_piece *top = open.size ? &open.at[open.size - 1] : NULL;

		if (top && (!b || top->from <= b->open)) {
			units_put(out, done, top->from, UNITS_FIXED);
			done = top->from + top->size;
			units_put(out, top->from, done, top->unit);
			open.size--;
			continue;
		}
		i++;
		if (b->kind == BRACKET_EMPTY_TAG)
			continue;
		units_put(out, done, b->open, UNITS_FIXED);
		*vec_push(&open) = (struct units_piece){b->close, b->end - b->close, out->count};
		units_put_unit(out, b->open, b->inside);
		done = b->inside;
	}
	units_put(out, done, size, UNITS_FIXED);
	vec_deinit(&open);
	brackets_deinit(&brackets);
}
