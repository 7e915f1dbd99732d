/* Tokens of a C expression: see violation_check.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "causes/violation_check.h"

/* --- numbers --- */

/* The type of an integer by its value, its base and its suffix. */
static const struct ctype *integer_type(uint64_t value, bool decimal, const char *suffix,
                                        size_t length)
{
	bool is_unsigned = false, is_long = false;

	for (size_t i = 0; i < length; i++) {
		is_unsigned |= suffix[i] == 'u' || suffix[i] == 'U';
		is_long |= suffix[i] == 'l' || suffix[i] == 'L';
	}
	if (!is_long && !is_unsigned && value <= INT32_MAX)
		return check_basic(BASIC_INT);
	if (!is_long && (is_unsigned || !decimal) && value <= UINT32_MAX)
		return check_basic(BASIC_UNSIGNED);
	if (!is_unsigned && value <= INT64_MAX)
		return check_basic(BASIC_LONG);
	return check_basic(BASIC_UNSIGNED_LONG);
}

static bool is_suffix(const char *text, size_t length)
{
	static const char *const all[] = {"u", "l", "ul", "lu", "ll", "ull", "llu"};

	if (!length)
		return true;
	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i]) == length && !strncasecmp(text, all[i], length))
			return true;
	return false;
}

static char *take_real(const char *text, size_t length, struct check_token *out)
{
	char last = text[length - 1], *end;
	double value = strtod(text, &end);
	float single = strtof(text, NULL);
	uint32_t bits;

	if (end == text + length) {
		out->type = check_basic(BASIC_DOUBLE);
		memcpy(&out->bits, &value, sizeof(value));
		return NULL;
	}
	if (end + 1 != text + length || (last != 'f' && last != 'F'))
		return str_format("'%.*s' is no number%s", (int)length, text,
		                  end + 1 == text + length && strchr("lL", last)
		                          ? " that is supported (long double)"
		                          : "");
	out->type = check_basic(BASIC_FLOAT);
	memcpy(&bits, &single, sizeof(bits));
	out->bits = bits;
	return NULL;
}

static char *take_integer(const char *text, size_t length, struct check_token *out)
{
	bool binary = length > 2 && text[0] == '0' && tolower(text[1]) == 'b';
	char *end;

	errno = 0;
	out->bits = binary ? strtoull(text + 2, &end, 2) : strtoull(text, &end, 0);
	if (errno)
		return str_format("'%.*s' is too large", (int)length, text);
	if (end > text + length || !is_suffix(end, (size_t)(text + length - end)))
		return str_format("'%.*s' is no number", (int)length, text);
	out->type = integer_type(out->bits, text[0] != '0', end, (size_t)(text + length - end));
	return NULL;
}

static char *take_number(const char *text, struct check_token *out)
{
	bool hexadecimal = text[0] == '0' && tolower(text[1]) == 'x', real = false;
	size_t length = 0;

	for (;; length++) {
		char c = text[length], before = length ? (char)tolower(text[length - 1]) : 0;
		bool exponent = before == (hexadecimal ? 'p' : 'e');

		if ((c == '+' || c == '-') && exponent)
			continue;
		if (!isalnum((unsigned char)c) && c != '.' && c != '_')
			break;
		real |= c == '.' || tolower(c) == 'p' || (!hexadecimal && tolower(c) == 'e');
	}
	out->length = length;
	return real ? take_real(text, length, out) : take_integer(text, length, out);
}

/* --- characters --- */

static bool take_escape(const char **at, uint64_t *value)
{
	static const char letters[] = "abfnrtv\\'\"?e", values[] = "\a\b\f\n\r\t\v\\'\"?\33";
	const char *found = **at ? strchr(letters, **at) : NULL;
	char *end;

	if (found) {
		*value = (uint8_t)values[found - letters];
		++*at;
		return true;
	}
	if (**at == 'x' && isxdigit((unsigned char)(*at)[1])) {
		*value = strtoul(*at + 1, &end, 16);
		*at = end;
		return *value <= 0xff;
	}
	if (**at < '0' || **at > '7')
		return false;
	*value = 0;
	for (int i = 0; i < 3 && **at >= '0' && **at <= '7'; i++)
		*value = 8 * *value + (uint64_t)(*(*at)++ - '0');
	return *value <= 0xff;
}

static char *take_character(const char *text, struct check_token *out)
{
	const char *at = text + 1;
	uint64_t value = 0;
	bool good;

	if (*at == '\\') {
		at++;
		good = take_escape(&at, &value);
	} else {
		good = *at && *at != '\'' && *at != '\n';
		value = (uint8_t)*at;
		at += good;
	}
	if (!good || *at != '\'')
		return str_format("a character between ' and ' is wrong");
	out->length = (size_t)(at + 1 - text);
	out->type = check_basic(BASIC_INT);
	out->bits = (uint32_t)(int8_t)value;
	return NULL;
}

/* --- all --- */

static size_t operator_length(const char *text)
{
	static const char *const all[] = {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strncmp(text, all[i], 2))
			return 2;
	return strchr("()[].*&+-!~/%<>^|?:", *text) ? 1 : 0;
}

static char *refuse(const char *text)
{
	if (*text == '"')
		return str_format(
			"strings cannot be compared; compare characters, as in s[0] == 'a'");
	if (*text == '=')
		return str_format("= changes something; to compare write ==");
	return str_format("'%c' has no place in a condition", *text);
}

char *check_token(const char *text, struct check_token *out)
{
	while (isspace((unsigned char)*text))
		text++;
	*out = (struct check_token){.text = text};
	if (!*text)
		return NULL;
	if (isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]))) {
		out->kind = TOKEN_NUMBER;
		return take_number(text, out);
	}
	if (*text == '\'') {
		out->kind = TOKEN_NUMBER;
		return take_character(text, out);
	}
	if (isalpha((unsigned char)*text) || *text == '_') {
		out->kind = TOKEN_NAME;
		while (isalnum((unsigned char)text[out->length]) || text[out->length] == '_')
			out->length++;
		return NULL;
	}
	out->kind = TOKEN_OPERATOR;
	out->length = operator_length(text);
	return out->length ? NULL : refuse(text);
}
