/* Walking a scanned text along its format: see scan_text.h. */
#include "runtime/scan_text.h"

#include <stddef.h>

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static bool is_letter(char c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

/* --- the format --- */

static uint32_t read_number(const char **format)
{
	uint32_t number = 0;

	for (; is_digit(**format); ++*format)
		number = number * 10 + (uint32_t)(**format - '0');
	return number;
}

/* [^]...]: a ] right at the beginning belongs to the set. */
static void read_set(const char **format, struct hence_rt_conversion *c)
{
	const char *at = *format;

	c->set = at;
	if (*at == '^')
		at++;
	if (*at == ']')
		at++;
	while (*at && *at != ']')
		at++;
	c->set_end = at;
	*format = *at ? at + 1 : at;
}

struct hence_rt_conversion hence_rt_scan_conversion(const char **format)
{
	struct hence_rt_conversion c = {0};

	c.width = read_number(format);
	if (**format == '$') {
		c.position = c.width;
		++*format;
		c.width = read_number(format);
	}
	for (; **format == '*' || **format == '\'' || **format == 'm' || **format == 'I';
	     ++*format) {
		c.ignored |= **format == '*';
		c.allocates |= **format == 'm';
	}
	if (!c.width)
		c.width = read_number(format);
	for (; **format == 'm'; ++*format)
		c.allocates = true;
	for (; **format == 'h' || **format == 'l' || **format == 'j' || **format == 'z' ||
	       **format == 't' || **format == 'q' || **format == 'L';
	     ++*format) {
		c.twice = c.modifier == **format;
		c.modifier = **format;
	}
	c.letter = **format;
	if (c.letter)
		++*format;
	if (c.letter == '[')
		read_set(format, &c);
	return c;
}

/* --- the text --- */

static void skip_space(struct hence_rt_text *text)
{
	while (text->at < text->end && is_space(*text->at))
		text->at++;
}

void hence_rt_scan_literal(const char **format, struct hence_rt_text *text)
{
	for (; **format && **format != '%'; ++*format) {
		if (is_space(**format))
			skip_space(text);
		else if (text->at < text->end)
			text->at++;
	}
}

static bool in_set(const struct hence_rt_conversion *c, char wanted)
{
	const char *at = c->set;
	bool negated = *at == '^', found = false;

	for (at += negated; at < c->set_end; at++) {
		if (at[1] == '-' && at + 2 < c->set_end) {
			found |= (uint8_t)wanted >= (uint8_t)at[0] &&
			         (uint8_t)wanted <= (uint8_t)at[2];
			at += 2;
		} else {
			found |= *at == wanted;
		}
	}
	return found != negated;
}

/* An integer: sign, 0x, digits. `base` 0: as the prefix says. */
static const char *pass_integer(const char *at, const char *end, uint32_t base)
{
	bool hex;

	if (at < end && (*at == '+' || *at == '-'))
		at++;
	hex = (base == 0 || base == 16) && end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
	if (hex)
		at += 2;
	if (hex || base == 16)
		while (at < end && is_hex(*at))
			at++;
	else
		while (at < end && is_digit(*at))
			at++;
	return at;
}

/* 1.5e-3, 0x1p4, inf, nan(x): an exponent's sign is the only one that may follow a letter. */
static const char *pass_real(const char *at, const char *end)
{
	bool hex;

	if (at < end && (*at == '+' || *at == '-'))
		at++;
	if (at < end && is_letter(*at)) {
		while (at < end && (is_letter(*at) || *at == '(' || *at == ')'))
			at++;
		return at;
	}
	hex = end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x';
	if (hex)
		at += 2;
	while (at < end && (is_digit(*at) || *at == '.' || (hex && is_hex(*at))))
		at++;
	if (at < end && (*at | 32) == (hex ? 'p' : 'e'))
		at = pass_integer(at + 1, end, 10);
	return at;
}

static const char *pass_value(const struct hence_rt_conversion *c, const char *at, const char *end)
{
	switch (c->letter) {
	case 'd':
	case 'u': return pass_integer(at, end, 10);
	case 'i': return pass_integer(at, end, 0);
	case 'o': return pass_integer(at, end, 8);
	case 'x':
	case 'X':
	case 'p': return pass_integer(at, end, 16);
	case '%': return at < end ? at + 1 : end;
	case 'c':
	case 'C': return c->width ? end : (at < end ? at + 1 : end);
	case '[':
		while (at < end && in_set(c, *at))
			at++;
		return at;
	case 's':
	case 'S':
		while (at < end && !is_space(*at))
			at++;
		return at;
	default: return pass_real(at, end);
	}
}

void hence_rt_scan_pass(const struct hence_rt_conversion *conversion, struct hence_rt_text *text,
                        const char **start)
{
	const char *end = text->end;

	*start = text->at;
	if (!text->at || conversion->letter == 'n')
		return;
	if (conversion->letter != 'c' && conversion->letter != 'C' && conversion->letter != '[')
		skip_space(text);
	*start = text->at;
	if (conversion->width && conversion->width < (uint64_t)(end - text->at))
		end = text->at + conversion->width;
	text->at = pass_value(conversion, text->at, end);
}
