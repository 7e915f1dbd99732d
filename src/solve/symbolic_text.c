/* Formulas of functions that read strings: positions and differences. See symbolic_outside.h. */
#include <string.h>

#include "solve/symbolic_outside.h"

static term choose(struct symbolic_call *c, term condition, term yes, term no)
{
	return term_make(c->terms, TERM_CHOICE, symbolic_bits(c->s, yes), condition, yes, no);
}

static term same(struct symbolic_call *c, term a, term b)
{
	return term_make(c->terms, TERM_EQ, 1, a, b, 0);
}

/* --- lengths --- */

/* Where the first 0 is; what is behind the last byte nobody knows, unless the function stops there. */
static term length(struct symbolic_call *c, const struct symbolic_text *text, bool stops)
{
	term out = stops ? term_constant(c->terms, 64, text->size) : term_any(c->terms, 64);

	for (uint32_t i = text->size; i-- > 0;)
		out = choose(c, term_equals(c->terms, text->at[i], 0),
		             term_constant(c->terms, 64, i), out);
	return out;
}

static term strlen_(struct symbolic_call *c)
{
	struct symbolic_text text;

	return symbolic_text(c, 0, UINT64_MAX, true, &text) ? length(c, &text, false) : 0;
}

static term strnlen_(struct symbolic_call *c)
{
	uint64_t most = symbolic_argument_value(c, 1);
	struct symbolic_text text;

	if (!symbolic_text(c, 0, most, true, &text))
		return 0;
	symbolic_fix_argument(c, 1);
	return length(c, &text, text.size == most);
}

/* --- comparisons --- */

static term lower(struct symbolic_call *c, term byte)
{
	term from_a = term_make(c->terms, TERM_SUB, 8, byte, term_constant(c->terms, 8, 'A'), 0);

	return choose(
		c, term_make(c->terms, TERM_ULT, 1, from_a, term_constant(c->terms, 8, 26), 0),
		term_make(c->terms, TERM_ADD, 8, byte, term_constant(c->terms, 8, 32), 0), byte);
}

/* The difference of the first bytes that differ; `stops`: equal ones behind the last are not looked for. */
static term difference(struct symbolic_call *c, struct symbolic_text *a, struct symbolic_text *b,
                       bool string, bool folds, bool stops)
{
	uint32_t size = a->size < b->size ? a->size : b->size;
	term out = stops ? term_constant(c->terms, 32, 0) : term_any(c->terms, 32);
	term zero = term_constant(c->terms, 32, 0);

	for (uint32_t i = size; i-- > 0;) {
		term x = folds ? lower(c, a->at[i]) : a->at[i];
		term y = folds ? lower(c, b->at[i]) : b->at[i];
		term differ = term_make(c->terms, TERM_SUB, 32, symbolic_fit(c->terms, x, 32),
		                        symbolic_fit(c->terms, y, 32), 0);

		if (string)
			out = choose(c, term_equals(c->terms, x, 0), zero, out);
		out = choose(c, same(c, x, y), out, differ);
	}
	return out;
}

/* Code that the compiler puts in place of a call gives 1 and -1 only. */
static term sign(struct symbolic_call *c, term difference)
{
	term zero = term_constant(c->terms, 32, 0);
	term less = choose(c, term_make(c->terms, TERM_SLT, 1, difference, zero, 0),
	                   term_constant(c->terms, 32, UINT32_MAX), term_constant(c->terms, 32, 1));

	return choose(c, term_equals(c->terms, difference, 0), zero, less);
}

static term compared(struct symbolic_call *c, uint64_t most, bool string, bool folds)
{
	struct symbolic_text a, b;
	term out;

	if (!symbolic_text(c, 0, most, string, &a) || !symbolic_text(c, 1, most, string, &b))
		return 0;
	out = difference(c, &a, &b, string, folds, a.size == most && b.size == most);
	return term_evaluate(c->terms, out, symbolic_actual, c->s) == c->actual ? out
	                                                                        : sign(c, out);
}

static term strcmp_(struct symbolic_call *c)
{
	return compared(c, UINT64_MAX, true, false);
}

static term strcasecmp_(struct symbolic_call *c)
{
	return compared(c, UINT64_MAX, true, true);
}

static term limited(struct symbolic_call *c, bool string, bool folds)
{
	symbolic_fix_argument(c, 2);
	return compared(c, symbolic_argument_value(c, 2), string, folds);
}

static term strncmp_(struct symbolic_call *c)
{
	return limited(c, true, false);
}

static term strncasecmp_(struct symbolic_call *c)
{
	return limited(c, true, true);
}

static term memcmp_(struct symbolic_call *c)
{
	return limited(c, false, false);
}

/* --- positions --- */

static term behind(struct symbolic_call *c, uint32_t offset)
{
	return term_make(c->terms, TERM_ADD, 64, symbolic_argument(c, 0, 64),
	                 term_constant(c->terms, 64, offset), 0);
}

static term first_of(struct symbolic_call *c, const struct symbolic_text *text, bool string,
                     term end)
{
	term wanted = symbolic_argument(c, 1, 8), none = term_constant(c->terms, 64, 0);

	for (uint32_t i = text->size; i-- > 0;) {
		if (string)
			end = choose(c, term_equals(c->terms, text->at[i], 0), none, end);
		end = choose(c, same(c, text->at[i], wanted), behind(c, i), end);
	}
	return end;
}

static term strchr_(struct symbolic_call *c)
{
	struct symbolic_text text;

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	return first_of(c, &text, true, term_any(c->terms, 64));
}

static term memchr_(struct symbolic_call *c)
{
	uint64_t most = symbolic_argument_value(c, 2);
	struct symbolic_text text;

	symbolic_fix_argument(c, 2);
	if (!symbolic_text(c, 0, most, false, &text))
		return 0;
	return first_of(c, &text, false,
	                text.size == most ? term_constant(c->terms, 64, 0)
	                                  : term_any(c->terms, 64));
}

/* The last one in front of the first 0, or that itself. */
static term strrchr_(struct symbolic_call *c)
{
	struct symbolic_text text;
	term wanted = symbolic_argument(c, 1, 8), out = term_any(c->terms, 64);
	term best[SYMBOLIC_TEXT + 1];

	if (!symbolic_text(c, 0, UINT64_MAX, true, &text))
		return 0;
	best[0] = term_constant(c->terms, 64, 0);
	for (uint32_t i = 0; i < text.size; i++)
		best[i + 1] = choose(c, same(c, text.at[i], wanted), behind(c, i), best[i]);
	for (uint32_t i = text.size; i-- > 0;)
		out = choose(c, term_equals(c->terms, text.at[i], 0), best[i + 1], out);
	return out;
}

/* --- all --- */

static const struct {
	const char *name;
	uint32_t arguments;
	term (*make)(struct symbolic_call *c);
} functions[] = {
	{"bcmp", 3, memcmp_},     {"index", 2, strchr_},
	{"memchr", 3, memchr_},   {"memcmp", 3, memcmp_},
	{"rindex", 2, strrchr_},  {"strcasecmp", 2, strcasecmp_},
	{"strchr", 2, strchr_},   {"strcmp", 2, strcmp_},
	{"strlen", 1, strlen_},   {"strncasecmp", 3, strncasecmp_},
	{"strncmp", 3, strncmp_}, {"strnlen", 2, strnlen_},
	{"strrchr", 2, strrchr_},
};

term symbolic_text_formula(struct symbolic_call *c)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, c->name) && c->code->count >= functions[i].arguments)
			return functions[i].make(c);
	return 0;
}
