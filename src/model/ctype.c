/* C types and their names: see ctype.h. */
#include "model/ctype.h"

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

static void add_base(const struct ctype *type, struct str *out)
{
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

static void add_front(const struct ctype *type, struct str *out);

/* A pointer's qualifiers stand behind its star, an array's or a base type's in front of it. */
static void add_qualified(const struct ctype *type, struct str *out)
{
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
}

static void add_front(const struct ctype *type, struct str *out)
{
	if (!type) {
		str_add(out, "?");
	} else if (qualifier(type->kind)) {
		add_qualified(type, out);
	} else if (type->kind == CTYPE_ARRAY || type->kind == CTYPE_FUNCTION) {
		add_front(type->target, out);
	} else if (type->kind == CTYPE_POINTER) {
		add_front(type->target, out);
		if (out->text[out->length - 1] != '*')
			str_add_char(out, ' ');
		str_add(out, is_suffix(type->target) ? "(*" : "*");
	} else {
		add_base(type, out);
	}
}

static void add_parameters(const struct ctype *type, struct str *out)
{
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
		add_parameters(type, out);
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
