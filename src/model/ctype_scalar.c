/* Values of scalar types as text: see ctype_scalar.h. */
#include "model/ctype_scalar.h"

#include <string.h>

/* Numbers from here on, either sign, are easier to read as hexadecimals when their type is not
   known. */
#define LARGE 65536

static uint64_t load(const uint8_t *bytes, size_t size)
{
	uint64_t bits = 0;

	memcpy(&bits, bytes, size);
	return bits;
}

static int64_t sign_extend(uint64_t bits, size_t size)
{
	unsigned unused = 64 - 8 * size;

	return unused >= 64 ? 0 : (int64_t)(bits << unused) >> unused;
}

void ctype_print_raw(uint64_t bits, size_t size, struct str *out)
{
	int64_t value = sign_extend(bits, size);

	if (value > -LARGE && value < LARGE)
		str_printf(out, "%lld", (long long)value);
	else
		str_printf(out, "0x%llx", (unsigned long long)bits);
}

static void print_wide(const uint8_t *bytes, bool is_signed, struct str *out)
{
	unsigned __int128 value;
	char text[48];
	size_t at = sizeof(text);
	bool negative;

	memcpy(&value, bytes, sizeof(value));
	negative = is_signed && value >> 127;
	if (negative)
		value = -value;
	do
		text[--at] = '0' + (char)(value % 10);
	while (value /= 10);
	if (negative)
		text[--at] = '-';
	str_add_bytes(out, text + at, sizeof(text) - at);
}

static bool print_integer(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	uint64_t bits;

	if (type->size == 16) {
		print_wide(bytes, type->is_signed, out);
		return true;
	}
	if (type->size > 8)
		return false;
	bits = load(bytes, type->size);
	if (type->is_signed)
		str_printf(out, "%lld", (long long)sign_extend(bits, type->size));
	else
		str_printf(out, "%llu", (unsigned long long)bits);
	return true;
}

bool ctype_print_char(uint8_t c, struct str *out)
{
	static const char escapes[] = "\0000\aa\bb\tt\nn\vv\ff\rr''\\\\";

	for (size_t i = 0; i + 1 < sizeof(escapes); i += 2)
		if ((uint8_t)escapes[i] == c) {
			str_printf(out, "'\\%c'", escapes[i + 1]);
			return true;
		}
	if (c < ' ' || c > '~')
		return false;
	str_printf(out, "'%c'", c);
	return true;
}

/* A plain char is a character; a signed or unsigned one may as well be a small number, so it is shown as both. */
static void print_char(const struct ctype *type, uint8_t c, struct str *out)
{
	bool plain = type->name && !strcmp(type->name, "char");
	struct str character = STR_INIT;
	bool shown = ctype_print_char(c, &character);

	if (!plain || !shown)
		str_printf(out, "%d%s", type->is_signed ? (int8_t)c : c, shown ? " " : "");
	str_add(out, str_text(&character));
	str_deinit(&character);
}

static void print_bool(uint8_t byte, struct str *out)
{
	/* Any other number is a damaged bool, which is worth seeing. */
	if (byte > 1)
		str_printf(out, "%u", byte);
	else
		str_add(out, byte ? "true" : "false");
}

/* Enums. */

/* Are the enumerators bits to be combined: each a power of two (or 0), and at least two of them? */
static bool is_flags(const struct ctype *type)
{
	uint32_t flags = 0;

	for (uint32_t i = 0; i < type->member_count; i++) {
		uint64_t value = (uint64_t)type->enumerators[i].value;

		if (value & (value - 1))
			return false;
		flags += value != 0;
	}
	return flags > 1;
}

/* "A | B". False, and nothing is appended: some bit has no name. */
static bool print_flags(const struct ctype *type, uint64_t bits, struct str *out)
{
	uint64_t known = 0;
	const char *between = "";

	for (uint32_t i = 0; i < type->member_count; i++)
		known |= (uint64_t)type->enumerators[i].value;
	if (!bits || bits & ~known || !is_flags(type))
		return false;
	for (uint32_t i = 0; i < type->member_count && bits; i++) {
		uint64_t value = (uint64_t)type->enumerators[i].value;

		if (!value || !(bits & value))
			continue;
		str_printf(out, "%s%s", between, type->enumerators[i].name);
		between = " | ";
		bits &= ~value;
	}
	return true;
}

static bool print_enum(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	uint64_t bits;

	if (type->size > 8)
		return print_integer(type, bytes, out);
	bits = load(bytes, type->size);
	if (type->is_signed)
		bits = (uint64_t)sign_extend(bits, type->size);
	for (uint32_t i = 0; i < type->member_count; i++)
		if ((uint64_t)type->enumerators[i].value == bits) {
			str_add(out, type->enumerators[i].name);
			return true;
		}
	return print_flags(type, bits, out) || print_integer(type, bytes, out);
}

/* As C writes it with the imaginary unit: 1.5 + 2i. */
static bool print_complex(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	size_t half = type->size / 2;

	if (!ctype_print_scalar(type->target, bytes, half, out))
		return false;
	str_add(out, " + ");
	ctype_print_scalar(type->target, bytes + half, half, out);
	str_add_char(out, 'i');
	return true;
}

static void print_pointer(const uint8_t *bytes, struct str *out)
{
	uint64_t address = load(bytes, 8);

	if (address)
		str_printf(out, "0x%llx", (unsigned long long)address);
	else
		str_add(out, "NULL");
}

/* A long double may come without its padding. */
static bool has_size(const struct ctype *type, size_t size)
{
	return size && (size == type->size || (type->kind == CTYPE_FLOAT && type->size == 16 &&
	                                       !type->ieee_quad && size == 10));
}

bool ctype_print_scalar(const struct ctype *type, const uint8_t *bytes, size_t size,
                        struct str *out)
{
	if (!type || !has_size(type, size))
		return false;
	switch (type->kind) {
	case CTYPE_BOOL: print_bool(*bytes, out); return true;
	case CTYPE_CHAR: print_char(type, *bytes, out); return true;
	case CTYPE_INTEGER: return print_integer(type, bytes, out);
	case CTYPE_FLOAT: ctype_print_float(type, bytes, out); return true;
	case CTYPE_COMPLEX: return print_complex(type, bytes, out);
	case CTYPE_ENUM: return print_enum(type, bytes, out);
	case CTYPE_POINTER: print_pointer(bytes, out); return true;
	default: return false;
	}
}
