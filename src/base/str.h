/* A string that grows. `text` is always terminated and never NULL to readers of str_text(). */
#ifndef HENCE_BASE_STR_H
#define HENCE_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
	char *text;
	size_t length;
	size_t room;
};

#define STR_INIT                                                                                   \
	{                                                                                          \
		0                                                                                  \
	}

/* Frees the text; the string is empty and usable again. */
void str_deinit(struct str *s);

/* The text; "" when empty. Valid until the next change of the string. */
const char *str_text(const struct str *s);

/* Hands over the text and empties the string. Never NULL. Caller frees with free(). */
char *str_steal(struct str *s);

void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const void *bytes, size_t size);
void str_add_char(struct str *s, char c);

/* Appends what can be read there, to the end. False: errno says why not. */
bool str_add_from(struct str *s, int fd);

/* Appends a text in single quotes, as one word for a shell. */
void str_add_quoted(struct str *s, const char *text);

void str_printf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *s, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Printf into fresh memory. Caller frees with free(). */
char *str_format(const char *format, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

#endif
