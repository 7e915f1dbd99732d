/* Floating-point numbers as text: see ctype_scalar.h. */
#include "model/ctype_scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number with its format: how many digits always suffice, and whether a text reads back as it. */
struct number {
	long double value;
	int digits;
	bool (*reads_back)(const char *text, long double value);
};

static bool reads_back_float(const char *text, long double value)
{
	return strtof(text, NULL) == (float)value;
}

static bool reads_back_double(const char *text, long double value)
{
	return strtod(text, NULL) == (double)value;
}

static bool reads_back_long(const char *text, long double value)
{
	return strtold(text, NULL) == value;
}

/* With as few digits as will do. Then once more with as many as the integer part has, since %g
   would write 100 as 1e+02. */
static void add_number(const struct number *number, struct str *out)
{
	char text[64], *exponent;
	int digits = 0, power;

	do
		snprintf(text, sizeof(text), "%.*Lg", ++digits, number->value);
	while (digits < number->digits && !number->reads_back(text, number->value));
	exponent = strchr(text, 'e');
	power = exponent ? atoi(exponent + 1) : 0;
	if (power > 0 && power < number->digits)
		snprintf(text, sizeof(text), "%.*Lg", power + 1, number->value);
	str_add(out, text);
}

static void add_any(const struct number *number, struct str *out)
{
	if (isnan(number->value))
		str_add(out, signbit(number->value) ? "-nan" : "nan");
	else if (isinf(number->value))
		str_add(out, signbit(number->value) ? "-inf" : "inf");
	else
		add_number(number, out);
}

static bool reads_back_half(const char *text, long double value)
{
	_Float16 half = (_Float16)strtold(text, NULL);

	return half == (_Float16)value;
}

static bool reads_back_brain(const char *text, long double value)
{
	float read = strtof(text, NULL), kept = (float)value;
	uint32_t a, b;

	memcpy(&a, &read, sizeof(a));
	memcpy(&b, &kept, sizeof(b));
	/* To nearest, as a compiler rounds. */
	return (a + 0x7fff + (a >> 16 & 1)) >> 16 == b >> 16;
}

static struct number small(const struct ctype *type, const uint8_t *bytes)
{
	uint16_t half;
	uint32_t wide;
	_Float16 half_value;
	float brain_value;

	memcpy(&half, bytes, sizeof(half));
	if (type->brain) {
		wide = (uint32_t)half << 16;
		memcpy(&brain_value, &wide, sizeof(wide));
		return (struct number){brain_value, 4, reads_back_brain};
	}
	memcpy(&half_value, &half, sizeof(half));
	return (struct number){(float)half_value, 5, reads_back_half};
}

/* printf has no format for them; 18 digits are right, which is what a long double holds. */
static struct number quad(const uint8_t *bytes)
{
	__float128 value;

	memcpy(&value, bytes, sizeof(value));
	return (struct number){(long double)value, 21, reads_back_long};
}

void ctype_print_float(const struct ctype *type, const uint8_t *bytes, struct str *out)
{
	struct number number = {0, 21, reads_back_long};
	float single;
	double wide;

	if (type->size == 4) {
		memcpy(&single, bytes, sizeof(single));
		number = (struct number){single, 9, reads_back_float};
	} else if (type->size == 8) {
		memcpy(&wide, bytes, sizeof(wide));
		number = (struct number){wide, 17, reads_back_double};
	} else if (type->size == 2) {
		number = small(type, bytes);
	} else if (type->ieee_quad) {
		number = quad(bytes);
	} else {
		memcpy(&number.value, bytes, 10);
	}
	add_any(&number, out);
}
