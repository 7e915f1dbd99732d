/*
 * Records: each match of the user's regular expression begins one. What stands in front of the
 * first match is a record as well. `^` and `$` match at lines. Zero bytes are bytes like others.
 */
#include <regex.h>

#include "units/cut.h"

static struct hence_error *compile(const char *regex, regex_t *out)
{
	char text[200];
	int code = regcomp(out, regex, REG_EXTENDED | REG_NEWLINE);

	if (!code)
		return NULL;
	regerror(code, out, text, sizeof(text));
	return error_create(HENCE_ERROR_INPUT,
	                    "--by records=%s: %s; give a POSIX extended regular expression", regex,
	                    text);
}

struct hence_error *units_check_regex(const char *regex)
{
	regex_t compiled;
	struct hence_error *error = compile(regex, &compiled);

	if (!error)
		regfree(&compiled);
	return error;
}

/* Where the next match at `at` or later begins; false: nowhere. `next` is where to look after it.
   */
static bool find(regex_t *regex, const uint8_t *bytes, uint64_t size, uint64_t at, uint64_t *begin,
                 uint64_t *next)
{
	/* regexec() would want a zero at the end and stop at the first one. */
	regoff_t found = re_search(regex, (const char *)bytes, (regoff_t)size, (regoff_t)at,
	                           (regoff_t)(size - at), NULL);
	regoff_t length;

	if (found < 0)
		return false;
	length = re_match(regex, (const char *)bytes, (regoff_t)size, found, NULL);
	*begin = (uint64_t)found;
	*next = (uint64_t)found + (length > 0 ? (uint64_t)length : 1);
	return true;
}

struct hence_error *units_cut_records(const uint8_t *bytes, uint64_t size, const char *regex,
                                      struct units *out)
{
	regex_t compiled;
	struct hence_error *error = compile(regex, &compiled);
	uint64_t from = 0, begin, at = 0;
	bool matched = false;

	if (error)
		return error;
	while (at < size && find(&compiled, bytes, size, at, &begin, &at)) {
		matched = true;
		units_put_unit(out, from, begin);
		from = begin;
	}
	units_put_unit(out, from, size);
	regfree(&compiled);
	if (matched || !size)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "--by records=%s matches nowhere in the input; each match must begin a "
	                    "record (or use --by lines)",
	                    regex);
}
