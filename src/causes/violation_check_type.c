/* Types of C expressions: see violation_check.h. */
#include <string.h>

#include "causes/violation_check.h"

static const struct ctype basics[] = {
	[BASIC_VOID] = {.kind = CTYPE_VOID, .name = "void"},
	[BASIC_BOOL] = {.kind = CTYPE_BOOL, .size = 1, .name = "_Bool"},
	[BASIC_CHAR] = {.kind = CTYPE_CHAR, .size = 1, .is_signed = true, .name = "char"},
	[BASIC_SIGNED_CHAR] = {.kind = CTYPE_INTEGER,
                               .size = 1,
                               .is_signed = true,
                               .name = "signed char"},
	[BASIC_UNSIGNED_CHAR] = {.kind = CTYPE_INTEGER, .size = 1, .name = "unsigned char"},
	[BASIC_SHORT] = {.kind = CTYPE_INTEGER, .size = 2, .is_signed = true, .name = "short"},
	[BASIC_UNSIGNED_SHORT] = {.kind = CTYPE_INTEGER, .size = 2, .name = "unsigned short"},
	[BASIC_INT] = {.kind = CTYPE_INTEGER, .size = 4, .is_signed = true, .name = "int"},
	[BASIC_UNSIGNED] = {.kind = CTYPE_INTEGER, .size = 4, .name = "unsigned int"},
	[BASIC_LONG] = {.kind = CTYPE_INTEGER, .size = 8, .is_signed = true, .name = "long"},
	[BASIC_UNSIGNED_LONG] = {.kind = CTYPE_INTEGER, .size = 8, .name = "unsigned long"},
	[BASIC_FLOAT] = {.kind = CTYPE_FLOAT, .size = 4, .name = "float"},
	[BASIC_DOUBLE] = {.kind = CTYPE_FLOAT, .size = 8, .name = "double"},
};

const struct ctype *check_basic(enum check_basic which)
{
	return &basics[which];
}

const struct ctype *check_usual_name(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum check_basic type;
	} all[] = {
		{"size_t", BASIC_UNSIGNED_LONG},    {"ssize_t", BASIC_LONG},
		{"ptrdiff_t", BASIC_LONG},          {"intptr_t", BASIC_LONG},
		{"uintptr_t", BASIC_UNSIGNED_LONG}, {"int8_t", BASIC_SIGNED_CHAR},
		{"uint8_t", BASIC_UNSIGNED_CHAR},   {"int16_t", BASIC_SHORT},
		{"uint16_t", BASIC_UNSIGNED_SHORT}, {"int32_t", BASIC_INT},
		{"uint32_t", BASIC_UNSIGNED},       {"int64_t", BASIC_LONG},
		{"uint64_t", BASIC_UNSIGNED_LONG},  {"intmax_t", BASIC_LONG},
		{"uintmax_t", BASIC_UNSIGNED_LONG},
	};

	for (uint32_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strlen(all[i].name) == length && !memcmp(all[i].name, name, length))
			return check_basic(all[i].type);
	return NULL;
}

const struct ctype *check_pointer_to(struct arena *arena, const struct ctype *target)
{
	struct ctype *type = arena_new(arena, struct ctype);

	*type = (struct ctype){.kind = CTYPE_POINTER, .size = 8, .target = target};
	return type;
}

bool check_is_integer(const struct ctype *type)
{
	switch (type->kind) {
	case CTYPE_BOOL:
	case CTYPE_CHAR:
	case CTYPE_INTEGER:
	case CTYPE_ENUM: return type->size >= 1 && type->size <= 8;
	default: return false;
	}
}

bool check_is_real(const struct ctype *type)
{
	return type->kind == CTYPE_FLOAT && (type->size == 4 || type->size == 8);
}

bool check_is_pointer(const struct ctype *type)
{
	return type->kind == CTYPE_POINTER;
}

const struct ctype *check_promoted(const struct ctype *type, uint32_t bit_size)
{
	if (!check_is_integer(type))
		return type;
	if (type->size < 4 || (bit_size && bit_size < 32))
		return check_basic(BASIC_INT);
	if (type->size == 4 || bit_size == 32)
		return check_basic(type->is_signed ? BASIC_INT : BASIC_UNSIGNED);
	return check_basic(type->is_signed ? BASIC_LONG : BASIC_UNSIGNED_LONG);
}

const struct ctype *check_common(const struct ctype *a, const struct ctype *b)
{
	if (check_is_real(a) || check_is_real(b)) {
		bool twice =
			(check_is_real(a) && a->size == 8) || (check_is_real(b) && b->size == 8);

		return check_basic(twice ? BASIC_DOUBLE : BASIC_FLOAT);
	}
	if (a->size != b->size)
		return a->size > b->size ? a : b;
	return a->is_signed ? b : a;
}
