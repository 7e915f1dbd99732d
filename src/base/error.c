/* Error objects: see error.h. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

static struct hence_error *create(enum hence_error_kind kind, struct str *text)
{
	struct hence_error *error = mem_alloc(sizeof(*error));

	error->kind = kind;
	error->message = str_steal(text);
	return error;
}

struct hence_error *error_create(enum hence_error_kind kind, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	return create(kind, &text);
}

struct hence_error *error_from_errno(enum hence_error_kind kind, const char *format, ...)
{
	struct str text = STR_INIT;
	int saved = errno;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	str_printf(&text, ": %s", strerror(saved));
	return create(kind, &text);
}

void error_destroy(struct hence_error *error)
{
	if (!error)
		return;
	free(error->message);
	free(error);
}
