/*
 * Tokens as most languages have them: words, numbers, strings in quotes, other characters one by
 * one. White space belongs to the token before it.
 */
#include <ctype.h>

#include "units/cut.h"

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

void units_cut_tokens(const uint8_t *bytes, uint64_t size, struct units *out)
{
	struct units_quotes quotes = {0};

	for (uint64_t from = 0, to; from < size; from = to) {
		to = is_space(bytes[from]) ? from : token_end(&quotes, bytes, size, from);
		while (to < size && is_space(bytes[to]))
			to++;
		units_put_unit(out, from, to);
	}
}
