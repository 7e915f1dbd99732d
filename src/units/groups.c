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

#include "units/brackets.h"
#include "units/cut.h"

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

static bool is_tag(const struct bracket *b)
{
	return b->kind == BRACKET_TAG || b->kind == BRACKET_EMPTY_TAG;
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
			if (is_tag(b)) {
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
