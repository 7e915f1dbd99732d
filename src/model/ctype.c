/* C types and their names: see ctype.h. */
#include "model/ctype.h"

#include <stdio.h>
#include <string.h>

/* ------ bytes as a C string literal ------ */

/* How many bytes the UTF-8 character at `bytes` has; 0: it is none, or ASCII. Surrogates and
   overlong forms are none. */
static size_t utf8_length(const uint8_t *bytes, size_t size)
{
	uint8_t c = bytes[0];
	size_t length = c >= 0xc2 && c < 0xe0   ? 2
	                : c >= 0xe0 && c < 0xf0 ? 3
	                : c >= 0xf0 && c < 0xf5 ? 4
	                                        : 0;

	if (!length || size < length)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	if ((c == 0xe0 && bytes[1] < 0xa0) || (c == 0xed && bytes[1] >= 0xa0) ||
	    (c == 0xf0 && bytes[1] < 0x90) || (c == 0xf4 && bytes[1] >= 0x90))
		return 0;
	/* Control characters of Latin-1 may upset a terminal. */
	return c == 0xc2 && bytes[1] < 0xa0 ? 0 : length;
}

/* One character as it stands in a literal. Gives the bytes that it takes. Octal numbers have three
   digits, so that a digit may follow. */
static size_t escape(const uint8_t *bytes, size_t size, char text[8])
{
	static const char letters[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";
	size_t length = utf8_length(bytes, size);

	for (const char *at = letters; *at; at += 2)
		if ((uint8_t)*at == *bytes) {
			snprintf(text, 8, "\\%c", at[1]);
			return 1;
		}
	if (length) {
		memcpy(text, bytes, length);
		text[length] = '\0';
		return length;
	}
	if (*bytes < ' ' || *bytes > '~')
		snprintf(text, 8, "\\%03o", *bytes);
	else
		snprintf(text, 8, "%c", *bytes);
	return 1;
}

bool ctype_print_text(const uint8_t *bytes, size_t size, size_t limit, struct str *out)
{
	size_t start = out->length, cut = start + 1, i = 0;
	char text[8];

	str_add_char(out, '"');
	while (i < size) {
		i += escape(bytes + i, size - i, text);
		str_add(out, text);
		/* `cut` is the last place where `"...` still fits. */
		if (limit && out->length - start + strlen("\"") > limit) {
			out->length = cut;
			out->text[cut] = '\0';
			str_add(out, "\"...");
			return false;
		}
		if (limit && out->length - start + strlen("\"...") <= limit)
			cut = out->length;
	}
	str_add_char(out, '"');
	return true;
}

/* ------ types ------ */

const struct ctype *ctype_strip(const struct ctype *type)
{
	while (type && type->kind >= CTYPE_TYPEDEF)
		type = type->target;
	return type;
}

bool ctype_is_scalar(const struct ctype *type)
{
	type = ctype_strip(type);
	if (!type)
		return false;
	switch (type->kind) {
	case CTYPE_BOOL:
	case CTYPE_CHAR:
	case CTYPE_INTEGER:
	case CTYPE_FLOAT:
	case CTYPE_COMPLEX:
	case CTYPE_POINTER:
	case CTYPE_ENUM: return true;
	default: return false;
	}
}

/*
 * A declaration has a part in front of the name and one behind it: `int (*` NAME `)[3]`. Both
 * recurse from the outermost type to the innermost; a pointer to an array or function needs
 * parentheses around it.
 */

static const char *qualifier(enum ctype_kind kind)
{
	switch (kind) {
	case CTYPE_CONST: return "const";
	case CTYPE_VOLATILE: return "volatile";
	case CTYPE_RESTRICT: return "restrict";
	case CTYPE_ATOMIC: return "_Atomic";
	default: return NULL;
	}
}

/* What is behind the qualifiers (but not behind a typedef, which has a name). */
static const struct ctype *skip_qualifiers(const struct ctype *type)
{
	while (type && qualifier(type->kind))
		type = type->target;
	return type;
}

static bool is_suffix(const struct ctype *type)
{
	type = skip_qualifiers(type);
	return type && (type->kind == CTYPE_ARRAY || type->kind == CTYPE_FUNCTION);
}

static void add_tag(const char *word, const struct ctype *type, struct str *out)
{
	str_printf(out, "%s %s", word, type->name ? type->name : "{...}");
}

static void add_front(const struct ctype *type, struct str *out);

static void add_front(const struct ctype *type, struct str *out)
{
	if (!type) {
		str_add(out, "?");
	} else if (qualifier(type->kind)) {
		/* A pointer's qualifiers stand behind its star, an array's or a base type's in
		   front of it. */
		const struct ctype *target = skip_qualifiers(type);
		bool behind = target && target->kind == CTYPE_POINTER;

		if (behind)
			add_front(target, out);
		for (; type != target; type = type->target) {
			if (behind && out->text[out->length - 1] != '*')
				str_add_char(out, ' ');
			str_add(out, qualifier(type->kind));
			if (!behind)
				str_add_char(out, ' ');
		}
		if (!behind)
			add_front(target, out);
	} else if (type->kind == CTYPE_ARRAY || type->kind == CTYPE_FUNCTION) {
		add_front(type->target, out);
	} else if (type->kind == CTYPE_POINTER) {
		add_front(type->target, out);
		if (out->text[out->length - 1] != '*')
			str_add_char(out, ' ');
		str_add(out, is_suffix(type->target) ? "(*" : "*");
	} else {
		switch (type->kind) {
		case CTYPE_VOID: str_add(out, "void"); break;
		case CTYPE_STRUCT: add_tag("struct", type, out); break;
		case CTYPE_UNION: add_tag("union", type, out); break;
		case CTYPE_ENUM: add_tag("enum", type, out); break;
		case CTYPE_COMPLEX:
			str_add(out, "_Complex ");
			ctype_name(type->target, out);
			break;
		case CTYPE_VECTOR:
			ctype_name(type->target, out);
			str_printf(out, " __vector(%llu)", (unsigned long long)type->count);
			break;
		default: str_add(out, type->name ? type->name : "?");
		}
	}
}

static void add_back(const struct ctype *type, struct str *out)
{
	type = skip_qualifiers(type);
	if (!type)
		return;
	if (type->kind == CTYPE_POINTER) {
		if (is_suffix(type->target))
			str_add_char(out, ')');
	} else if (type->kind == CTYPE_ARRAY) {
		if (type->count == CTYPE_NO_COUNT)
			str_add(out, "[]");
		else
			str_printf(out, "[%llu]", (unsigned long long)type->count);
	} else if (type->kind == CTYPE_FUNCTION) {
		str_add_char(out, '(');
		for (uint32_t i = 0; i < type->member_count; i++) {
			if (i)
				str_add(out, ", ");
			ctype_name(type->parameters[i], out);
		}
		if (type->variadic)
			str_add(out, ", ...");
		else if (type->prototyped && !type->member_count)
			str_add(out, "void");
		str_add_char(out, ')');
	} else {
		return;
	}
	add_back(type->target, out);
}

void ctype_declare(const struct ctype *type, const char *name, struct str *out)
{
	char last;

	add_front(type, out);
	last = out->text[out->length - 1];
	if (*name && last != '*')
		str_add_char(out, ' ');
	else if (!*name && last != '*' && is_suffix(type))
		str_add_char(out, ' ');
	str_add(out, name);
	add_back(type, out);
}

void ctype_name(const struct ctype *type, struct str *out)
{
	ctype_declare(type, "", out);
}
