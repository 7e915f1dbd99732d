/* Writes HTML: see html.h. */
#include "report/html.h"

#include <string.h>

#include "base/guard.h"
#include "report/explanation_words.h"
#include "report/json.h"

/* --- characters --- */

/* Is it a character that shows nothing by itself but changes how others are shown, or is obeyed? */
static bool is_hidden(uint32_t c)
{
	static const uint32_t ranges[][2] = {
		{0x80, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},   {0x115f, 0x1160},
		{0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e},
		{0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

static void add_character(struct str *out, const unsigned char *at, size_t length)
{
	uint32_t c = json_utf8_number(at, length);

	if (c < ' ' || c == 127)
		/* The symbols at U+2400 would be shorter, but few fonts have them. */
		explanation_add_control(out, (unsigned char)c);
	else if (c == '<')
		str_add(out, "&lt;");
	else if (c == '>')
		str_add(out, "&gt;");
	else if (c == '&')
		str_add(out, "&amp;");
	else if (c == '"')
		str_add(out, "&quot;");
	else if (c == '\'')
		str_add(out, "&#39;");
	else if (is_hidden(c))
		str_printf(out, c > 0xffff ? "\\U%08x" : "\\u%04x", c);
	else
		str_add_bytes(out, at, length);
}

/* Bytes of the character there; 0: it is none. */
static size_t character_length(const unsigned char *at, const unsigned char *end)
{
	size_t length = json_utf8_length(at);

	return length <= (size_t)(end - at) ? length : 0;
}

static void add_text(struct str *out, const char *text, size_t size, bool tabs)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + size;

	while (at < end) {
		size_t length = character_length(at, end);

		if (!length)
			explanation_add_control(out, *at);
		else if (tabs && *at == '\t')
			str_add_char(out, '\t');
		else
			add_character(out, at, length);
		at += length ? length : 1;
	}
}

void html_add(struct str *out, const char *text)
{
	add_text(out, text, strlen(text), false);
}

void html_add_code(struct str *out, const char *text, size_t length)
{
	add_text(out, text, length, true);
}

/* --- columns --- */

/* Are they two columns wide in most fonts: East Asian and pictures? */
static bool is_wide(uint32_t c)
{
	return (c >= 0x1100 && c <= 0x115e) || (c >= 0x2e80 && c <= 0xa4cf) ||
	       (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
	       (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
	       (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

/* Columns of the character there, and its bytes. */
static unsigned columns_at(const unsigned char *at, const unsigned char *end, size_t *length)
{
	uint32_t c;

	*length = character_length(at, end);
	if (!*length) {
		*length = 1;
		return strlen("\\xff");
	}
	c = json_utf8_number(at, *length);
	if (c < ' ' || c == 127)
		return c == '\n' || c == '\t' ? strlen("\\n") : strlen("\\x1b");
	if (is_hidden(c))
		return c > 0xffff ? strlen("\\U000e0001") : strlen("\\u202e");
	return is_wide(c) ? 2 : 1;
}

unsigned html_columns(const char *text)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
	unsigned columns = 0;
	size_t length;

	for (; at < end; at += length)
		columns += columns_at(at, end, &length);
	return columns;
}

/* The bytes that have at least `columns` columns. */
static size_t bytes_of(const char *text, unsigned columns)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + strlen(text);
	unsigned used = 0;
	size_t length;

	for (; at < end && used < columns; at += length)
		used += columns_at(at, end, &length);
	return (size_t)(at - (const unsigned char *)text);
}

void html_add_short(struct str *out, const char *text, unsigned most)
{
	unsigned columns = html_columns(text);
	size_t head, tail;

	if (columns <= most) {
		html_add(out, text);
		return;
	}
	head = bytes_of(text, most - most / 3 - 1);
	tail = bytes_of(text, columns - most / 3);
	add_text(out, text, head, false);
	str_add(out, "\xe2\x80\xa6");
	html_add(out, text + (tail < head ? head : tail));
}

/* --- elements --- */

void html_add_attribute(struct str *out, const char *name, const char *text)
{
	str_printf(out, " %s=\"", name);
	html_add(out, text);
	str_add_char(out, '"');
}

void html_add_element(struct str *out, const char *tag, const char *class, const char *text)
{
	if (!text)
		return;
	str_printf(out, "<%s", tag);
	if (class)
		html_add_attribute(out, "class", class);
	str_add_char(out, '>');
	html_add(out, text);
	str_printf(out, "</%s>", tag);
}

void html_add_count(struct str *out, uint64_t count, const char *one)
{
	str_printf(out, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

/* --- commands --- */

void html_add_command(struct str *out, char *const *command, uint32_t count)
{
	str_add(out, "<code>");
	for (uint32_t i = 0; i < count; i++) {
		static const char plain[] =
			"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			"-_./=:,+@%";
		struct str quoted GUARD(str_deinit) = STR_INIT;

		str_add(out, i ? " " : "");
		/* An argument as a shell would take it. */
		if (*command[i] && strspn(command[i], plain) == strlen(command[i]))
			str_add(&quoted, command[i]);
		else
			str_add_quoted(&quoted, command[i]);
		html_add(out, str_text(&quoted));
	}
	str_add(out, "</code>");
}

/* --- sentences --- */

#define NAME      1
#define FAILING   2
#define REFERENCE 3
#define END       4

const struct explanation_marks html_marks = {"\1", "\2", "\3", "\4"};

static const char *const opened[] = {[NAME] = "<var>",
                                     [FAILING] = "<b class=\"failing\">",
                                     [REFERENCE] = "<b class=\"reference\">"};
static const char *const closed[] = {[NAME] = "</var>", [FAILING] = "</b>", [REFERENCE] = "</b>"};

void html_add_marked(struct str *out, const char *text)
{
	char open = 0;

	while (*text) {
		const char *end = text + strcspn(text, "\1\2\3\4");

		/* No line ends inside an arrow, as it otherwise may after the hyphen. */
		for (const char *arrow; (arrow = memmem(text, (size_t)(end - text), "->", 2));
		     text = arrow + 2) {
			html_add_code(out, text, (size_t)(arrow - text));
			str_add(out, "<span class=\"whole\">-&gt;</span>");
		}
		html_add_code(out, text, (size_t)(end - text));
		text = end;
		if (!*text)
			break;
		if (open)
			str_add(out, closed[(int)open]);
		open = *text == END ? 0 : *text;
		if (open)
			str_add(out, opened[(int)open]);
		text++;
	}
	if (open)
		str_add(out, closed[(int)open]);
}
