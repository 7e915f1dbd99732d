/* A string that grows: see str.h. */
#include "base/str.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

static void reserve(struct str *s, size_t more)
{
	size_t need = s->length + more + 1;

	if (need <= s->room)
		return;
	s->room = need < 64 ? 64 : need * 2;
	s->text = mem_resize(s->text, s->room);
}

void str_deinit(struct str *s)
{
	free(s->text);
	*s = (struct str)STR_INIT;
}

const char *str_text(const struct str *s)
{
	return s->text ? s->text : "";
}

char *str_steal(struct str *s)
{
	char *text = s->text ? s->text : mem_strdup("");

	*s = (struct str)STR_INIT;
	return text;
}

void str_add_bytes(struct str *s, const void *bytes, size_t size)
{
	reserve(s, size);
	if (size)
		memcpy(s->text + s->length, bytes, size);
	s->length += size;
	s->text[s->length] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_add_bytes(s, text, strlen(text));
}

void str_add_char(struct str *s, char c)
{
	str_add_bytes(s, &c, 1);
}

void str_vprintf(struct str *s, const char *format, va_list args)
{
	va_list again;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	assert(size >= 0);
	reserve(s, (size_t)size);
	vsnprintf(s->text + s->length, (size_t)size + 1, format, args);
	s->length += (size_t)size;
}

bool str_add_from(struct str *s, int fd)
{
	char buffer[65536];

	for (;;) {
		ssize_t got = read(fd, buffer, sizeof(buffer));

		if (!got)
			return true;
		if (got > 0)
			str_add_bytes(s, buffer, (size_t)got);
		else if (errno != EINTR)
			return false;
	}
}

void str_add_quoted(struct str *s, const char *text)
{
	str_add_char(s, '\'');
	for (; *text; text++)
		if (*text == '\'')
			str_add(s, "'\\''");
		else
			str_add_char(s, *text);
	str_add_char(s, '\'');
}

void str_printf(struct str *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	str_vprintf(s, format, args);
	va_end(args);
}

char *str_format(const char *format, ...)
{
	struct str s = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&s, format, args);
	va_end(args);
	return str_steal(&s);
}
