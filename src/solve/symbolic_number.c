/* Formulas of functions on numbers and characters, and of those that read numbers from strings. See
   symbolic_outside.h. */
#include <ctype.h>
#include <string.h>

#include "solve/symbolic_outside.h"

static term choose(struct symbolic_call *c, term condition, term yes, term no)
{
	return term_make(c->terms, TERM_CHOICE, symbolic_bits(c->s, yes), condition, yes, no);
}

static term between(struct symbolic_call *c, term t, uint64_t low, uint64_t high)
{
	uint32_t bits = symbolic_bits(c->s, t);
	term from = term_make(c->terms, TERM_SUB, bits, t, term_constant(c->terms, bits, low), 0);

	return term_make(c->terms, TERM_ULE, 1, from, term_constant(c->terms, bits, high - low), 0);
}

/* --- numbers --- */

static term abs_(struct symbolic_call *c)
{
	term x = symbolic_argument(c, 0, c->bits), zero = term_constant(c->terms, c->bits, 0);

	return choose(c, term_make(c->terms, TERM_SLT, 1, x, zero, 0),
	              term_make(c->terms, TERM_SUB, c->bits, zero, x, 0), x);
}

static term fabs_(struct symbolic_call *c)
{
	return term_make(c->terms, TERM_AND, c->bits, symbolic_argument(c, 0, c->bits),
	                 term_constant(c->terms, c->bits, symbolic_mask(c->bits - 1)), 0);
}

static term sqrt_(struct symbolic_call *c)
{
	return term_make(c->terms, TERM_FSQRT, c->bits, symbolic_argument(c, 0, c->bits), 0, 0);
}

/* The bytes in the opposite order: this machine has the lowest first, the network the highest. */
static term swapped(struct symbolic_call *c)
{
	term x = symbolic_argument(c, 0, c->bits), out = term_extract(c->terms, x, 0, 8);

	for (uint32_t at = 8; at < c->bits; at += 8)
		out = term_make(c->terms, TERM_CONCAT, at + 8, out,
		                term_extract(c->terms, x, at, 8), 0);
	return out;
}

/* --- characters, as in the locale C --- */

static term moved(struct symbolic_call *c, char from, uint64_t by)
{
	term x = symbolic_argument(c, 0, 32);

	return choose(c, between(c, x, (uint64_t)from, (uint64_t)from + 25),
	              term_make(c->terms, TERM_ADD, 32, x, term_constant(c->terms, 32, by), 0), x);
}

static term toupper_(struct symbolic_call *c)
{
	return moved(c, 'a', (uint32_t)('A' - 'a'));
}

static term tolower_(struct symbolic_call *c)
{
	return moved(c, 'A', 'a' - 'A');
}

/* Runs of characters that belong to a class. */
static term of_class(struct symbolic_call *c, const char *runs, uint64_t yes)
{
	term x = symbolic_argument(c, 0, 32), in = term_constant(c->terms, 1, 0);

	for (size_t i = 0; runs[i]; i += 2)
		in = term_make(
			c->terms, TERM_OR, 1, in,
			between(c, x, (uint64_t)runs[i] - (runs[i] == 1), (uint64_t)runs[i + 1]),
			0);
	return choose(c, in, term_constant(c->terms, 32, yes), term_constant(c->terms, 32, 0));
}

/* First and last of each run, 0 written as 1; and what the C library says for yes. */
static const struct {
	const char *name, *runs;
	uint64_t yes;
} classes[] = {
	{"isalnum", "09AZaz", 8},   {"isalpha", "AZaz", 1024},
	{"isblank", "\t\t  ", 1},   {"iscntrl", "\001\037\177\177", 2},
	{"isdigit", "09", 2048},    {"isgraph", "!~", 32768},
	{"islower", "az", 512},     {"isprint", " ~", 16384},
	{"ispunct", "!/:@[`{~", 4}, {"isspace", "\t\r  ", 8192},
	{"isupper", "AZ", 256},     {"isxdigit", "09AFaf", 4096},
};

/* --- numbers from strings --- */

#define MOST_DIGITS 18u /* that fit 63 bits */

/* What stands in front of the digits stays as it is. Gives where they begin. */
static uint32_t skip_front(struct symbolic_call *c, const struct symbolic_text *text, bool *minus)
{
	uint32_t i = 0;

	while (i < text->size && isspace(text->values[i]))
		i++;
	*minus = i < text->size && text->values[i] == '-';
	if (i < text->size && (*minus || text->values[i] == '+'))
		i++;
	for (uint32_t k = 0; k < i; k++)
		symbolic_fix(c, term_equals(c->terms, text->at[k], text->values[k]));
	return i;
}

/* They stay digits, and what stands behind them is none; without any, there could be a number in many ways. */
static uint32_t read_digits(struct symbolic_call *c, const struct symbolic_text *text,
                            uint32_t first, term *sum)
{
	term ten = term_constant(c->terms, 64, 10), digit;
	uint32_t i = first;

	*sum = term_constant(c->terms, 64, 0);
	for (; i < text->size && isdigit(text->values[i]); i++) {
		digit = term_make(c->terms, TERM_SUB, 8, text->at[i],
		                  term_constant(c->terms, 8, '0'), 0);
		symbolic_fix(c, between(c, text->at[i], '0', '9'));
		*sum = term_make(c->terms, TERM_ADD, 64,
		                 term_make(c->terms, TERM_MUL, 64, *sum, ten, 0),
		                 symbolic_fit(c->terms, digit, 64), 0);
	}
	if (i < text->size)
		symbolic_fix(c, i == first ? term_equals(c->terms, text->at[i], text->values[i])
		                           : term_not(c->terms, between(c, text->at[i], '0', '9')));
	return i;
}

/* `base` 0: a 0 in front would mean another one. */
static term number_in(struct symbolic_call *c, uint64_t base)
{
	struct symbolic_text text;
	uint32_t first, end;
	bool minus;
	term sum;

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	first = skip_front(c, &text, &minus);
	end = read_digits(c, &text, first, &sum);
	if (end == text.size || end - first > MOST_DIGITS)
		return 0;
	if (!base && text.values[first] == '0')
		return 0;
	if (!base)
		symbolic_fix(c, term_not(c->terms, term_equals(c->terms, text.at[first], '0')));
	if (minus)
		sum = term_make(c->terms, TERM_SUB, 64, term_constant(c->terms, 64, 0), sum, 0);
	return sum;
}

static term decimal(struct symbolic_call *c)
{
	return number_in(c, 10);
}

static term with_base(struct symbolic_call *c)
{
	uint64_t base = symbolic_argument_value(c, 2) & UINT32_MAX;

	if (base != 10 && base != 0)
		return 0;
	symbolic_fix_argument(c, 2);
	return number_in(c, base);
}

/* --- all --- */

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} functions[] = {
	{"abs", 1, abs_},         {"fabs", 1, fabs_}, {"fabsf", 1, fabs_}, {"htonl", 1, swapped},
	{"htons", 1, swapped},    {"labs", 1, abs_},  {"llabs", 1, abs_},  {"ntohl", 1, swapped},
	{"ntohs", 1, swapped},    {"sqrt", 1, sqrt_}, {"sqrtf", 1, sqrt_}, {"tolower", 1, tolower_},
	{"toupper", 1, toupper_},
};

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} readers[] = {
	{"__isoc23_strtol", 3, with_base},
	{"__isoc23_strtoll", 3, with_base},
	{"__isoc23_strtoul", 3, with_base},
	{"__isoc23_strtoull", 3, with_base},
	{"atoi", 1, decimal},
	{"atol", 1, decimal},
	{"atoll", 1, decimal},
	{"strtol", 3, with_base},
	{"strtoll", 3, with_base},
	{"strtoul", 3, with_base},
	{"strtoull", 3, with_base},
};

term symbolic_number_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (!strcmp(classes[i].name, c->name) && c->code->count)
			return of_class(c, classes[i].runs, classes[i].yes);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, c->name) && c->code->count)
			return functions[i].make(c);
	return 0;
}

term symbolic_reader_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++)
		if (!strcmp(readers[i].name, c->name) && c->code->count >= readers[i].arguments)
			return readers[i].make(c);
	return 0;
}
