/* Formats that would print what is expected: see edit.h. */
#include "edit/edit.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MOST_PIECES 32u
#define MOST_MATCHES                                                                               \
	64u /* ways to read the output as one of the format, for each place that it may begin at */
#define MOST_VALUE 200u /* characters that a directive prints */
#define FAR_BACK   400u /* before the first wrong character, where what printed it may begin */
#define MOST_NEW   200u /* characters of a new piece */
#define CONTEXT    4u   /* characters that must follow */

/* A directive with the text before it; the last piece has only text. */
struct piece {
	const char *text;
	size_t length;
	const char *directive; /* NULL: the last */
	size_t directive_length;
	char conversion;
};

struct reading {
	const char *format;
	struct piece pieces[MOST_PIECES];
	uint32_t count;
	const struct str *printed, *expected;
	size_t wrong;                                 /* the first byte that differs */
	size_t text[MOST_PIECES], value[MOST_PIECES]; /* where they begin in what was printed */
	uint32_t matches;
	void (*tell)(void *context, const char *text);
	void *context;
};

static bool read_pieces(struct reading *r)
{
	const char *at = r->format;

	for (r->count = 0; r->count < MOST_PIECES; r->count++) {
		struct piece *p = &r->pieces[r->count];
		size_t flags;

		p->text = at;
		while (*at && (*at != '%' || at[1] == '%'))
			at += *at == '%' ? 2 : 1;
		p->length = (size_t)(at - p->text);
		/* Two %% print one: such a text is not compared. */
		if (memchr(p->text, '%', p->length))
			return false;
		if (!*at) {
			r->count++;
			return true;
		}
		flags = strspn(at + 1, "-+ #0123456789.hlLqjzt");
		p->conversion = at[1 + flags];
		if (!p->conversion || !strchr("diuxXocsfFeEgGp", p->conversion))
			return false;
		p->directive = at;
		p->directive_length = flags + 2;
		at += p->directive_length;
	}
	return false;
}

/* May the character be part of what a conversion prints? */
static bool may_print(char conversion, char c)
{
	if (conversion == 's')
		return c != '\n';
	if (strchr("xXp", conversion))
		return isxdigit((unsigned char)c) || c == 'x' || c == ' ';
	if (strchr("fFeEgG", conversion))
		return isdigit((unsigned char)c) || strchr("+-.einfa ", c);
	return conversion == 'c' || isdigit((unsigned char)c) || c == '-' || c == '+' || c == ' ';
}

/* The format with one part of it replaced. */
static void tell_with(struct reading *r, const char *from, size_t length, const char *new,
                      size_t new_length)
{
	char *made = str_format("%.*s%.*s%s", (int)(from - r->format), r->format, (int)new_length,
	                        new, from + length);

	if (strcmp(made, r->format))
		r->tell(r->context, made);
	free(made);
}

/* Where the expected output goes on, from `from` at the earliest, as the printed one does from `at` to `end`. What follows
   that belongs to other calls, which may be wrong as well: it need be the same only if there is nothing else to compare. */
static size_t find_rest(const struct reading *r, size_t from, size_t at, size_t end)
{
	size_t left = r->printed->length - end, more = left < CONTEXT ? left : CONTEXT;

	for (int context = 1; context >= (at == end); context--) {
		size_t size = end - at + (context ? more : 0);

		for (size_t e = from; e + size <= r->expected->length && e <= from + MOST_NEW; e++)
			if (!memcmp(r->expected->text + e, r->printed->text + at, size) &&
			    (size || e == r->expected->length))
				return e;
	}
	return SIZE_MAX;
}

/* Another directive that prints `now` where this one printed `was`. */
static void tell_conversions(struct reading *r, const struct piece *p, const char *was,
                             const char *now)
{
	size_t flags = strspn(p->directive + 1, "-+ #0123456789.");
	int size = (int)(p->directive_length - flags - 2);
	const char *type = p->directive + 1 + flags, *point = strchr(now, '.');
	size_t blanks = strspn(now, " "), width = strlen(now), length = strlen(was);
	bool whole = strchr("diuxXoc", p->conversion);
	char text[64], *end;

	if (width >= 32 || !width)
		return;
	if (whole) {
		static const char others[] = "duxXoc";
		long long value = p->conversion == 'c' ? (length == 1 ? was[0] : 0)
		                                       : strtoll(was, &end,
		                                                 strchr("xX", p->conversion) ? 16
		                                                 : p->conversion == 'o'      ? 8
		                                                                             : 10);

		/* With the same width and flags, or without. */
		for (int n = 0; n < 12; n++) {
			char c = others[n / 2], how[48];
			int kept = n % 2 || flags > 16 ? 0 : (int)flags;

			if (c == p->conversion || (c == 'd' && p->conversion == 'i'))
				continue;
			snprintf(how, sizeof(how), "%%%.*s%s%c", kept, p->directive + 1,
			         c == 'c' ? "" : "ll", c);
			if (c == 'c')
				snprintf(text, sizeof(text), how, (int)value);
			else
				snprintf(text, sizeof(text), how, value);
			if (strcmp(text, now))
				continue;
			snprintf(how, sizeof(how), "%%%.*s%.*s%c", kept, p->directive + 1,
			         c == 'c' ? 0 : size, type, c);
			tell_with(r, p->directive, p->directive_length, how, strlen(how));
		}
	}
	/* Blanks or zeros before or after the same text, a sign, as many decimals. */
	while (length && *was == ' ') {
		was++;
		length--;
	}
	if (blanks && !strcmp(now + blanks, was))
		snprintf(text, sizeof(text), "%%%zu%.*s%c", width, size, type, p->conversion);
	else if (width > length && !strncmp(now, was, length) &&
	         strspn(now + length, " ") == width - length)
		snprintf(text, sizeof(text), "%%-%zu%.*s%c", width, size, type, p->conversion);
	else if (whole && now[0] == '0' && width > length && !strcmp(now + width - length, was))
		snprintf(text, sizeof(text), "%%0%zu%.*s%c", width, size, type, p->conversion);
	else if (strchr("dfFeEgG", p->conversion) && now[0] == '+' && !strcmp(now + 1, was))
		snprintf(text, sizeof(text), "%%+%.*s", (int)p->directive_length - 1,
		         p->directive + 1);
	else if (p->conversion == 's' && width < length && !strncmp(now, was, width))
		snprintf(text, sizeof(text), "%%.%zus", width);
	else if (strchr("fFeEgG", p->conversion))
		snprintf(text, sizeof(text), "%%.%zu%.*sf", point ? strlen(point + 1) : (size_t)0,
		         size, type);
	else if (!strcmp(now, was))
		snprintf(text, sizeof(text), "%%%.*s%c", size, type, p->conversion);
	else
		return;
	tell_with(r, p->directive, p->directive_length, text, strlen(text));
}

/* The output from text[0] up to `end` is read as printed by the format: which one part explains the difference? */
static void explain(struct reading *r, size_t end)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct piece *p = &r->pieces[i];
		size_t begin = r->text[i], after = p->directive ? r->value[i] : end, rest;
		size_t next = i + 1 < r->count ? r->text[i + 1] : end;

		/* Rather something more than less. What is missing may be more of what stands there, so that the first
		   difference comes later. */
		for (int less = 0; less < 2 && begin <= r->wrong; less++) {
			rest = find_rest(r,
			                 less               ? begin
			                 : r->wrong < after ? r->wrong
			                                    : after,
			                 after, end);
			if (rest != SIZE_MAX &&
			    !memchr(r->expected->text + begin, '%', rest - begin))
				tell_with(r, p->text, p->length, r->expected->text + begin,
				          rest - begin);
		}
		for (int less = 0; less < 2 && p->directive && after <= r->wrong; less++) {
			rest = find_rest(r,
			                 less              ? after
			                 : r->wrong < next ? r->wrong
			                                   : next,
			                 next, end);
			if (rest != SIZE_MAX) {
				char *was = mem_strndup(r->printed->text + after, next - after);
				char *now = mem_strndup(r->expected->text + after, rest - after);

				tell_conversions(r, p, was, now);
				free(was);
				free(now);
			}
		}
	}
}

/* Reads the output from `at` on as printed by the pieces from `i` on, in all ways. */
static void match(struct reading *r, uint32_t i, size_t at)
{
	const struct piece *p = &r->pieces[i];
	size_t left = r->printed->length - at, least = p->conversion == 's' ? 0 : 1;

	if (r->matches == MOST_MATCHES || p->length > left ||
	    memcmp(r->printed->text + at, p->text, p->length))
		return;
	r->text[i] = at;
	at += p->length;
	r->value[i] = at;
	if (!p->directive) {
		r->matches++;
		if (at >= r->wrong)
			explain(r, at);
		return;
	}
	for (size_t size = 0; size <= MOST_VALUE && at + size <= r->printed->length; size++) {
		if (size && !may_print(p->conversion, r->printed->text[at + size - 1]))
			break;
		if (size >= least)
			match(r, i + 1, at + size);
		if (size && p->conversion == 'c')
			break;
	}
}

void formats_expected(const char *format, const struct str *printed, const struct str *expected,
                      void (*tell)(void *context, const char *text), void *context)
{
	struct reading r = {.format = format,
	                    .printed = printed,
	                    .expected = expected,
	                    .tell = tell,
	                    .context = context};

	if (!read_pieces(&r) || !printed->length || !expected->length)
		return;
	while (r.wrong < printed->length && r.wrong < expected->length &&
	       printed->text[r.wrong] == expected->text[r.wrong])
		r.wrong++;
	/* The call that printed the first wrong byte began before it, or with it: rather with a line than inside one. */
	for (int inside = 0; inside < 2; inside++)
		for (size_t back = 0; back <= r.wrong && back <= FAR_BACK; back++) {
			size_t at = r.wrong - back;

			if ((at && printed->text[at - 1] != '\n') != inside)
				continue;
			r.matches = 0;
			match(&r, 0, at);
		}
}
