/* Numbers that were printed, and those that should have been: see violation_output.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "causes/violation_output.h"

#define LONGEST 400u /* characters of a number */

/* --- which conversion it was --- */

static uint64_t read_memory(void *context, uint64_t address, uint64_t size, uint8_t *out)
{
	return memory_read(context, address, size, out);
}

static const struct outside_clause *find_format(const struct outside_table *table,
                                                const struct outside_function *model)
{
	const struct outside_clause *rows = model ? outside_table_clauses(table, model) : NULL;

	for (uint32_t i = 0; rows && i < model->active; i++)
		if (rows[i].kind == OUTSIDE_FORMATS)
			return &rows[i];
	return NULL;
}

/* The list of a vprintf() is used up by now, so what lies there is not what was printed. */
static bool search_format(struct actions_call *call, struct memory *memory,
                          const struct outputs_piece *piece, struct format_part *out)
{
	const struct actions_memory access = {.context = memory, .read = read_memory};
	const struct outside_clause *clause = find_format(call->table, call->model);
	struct view view = {.call = call, .memory = &access};
	uint32_t number = 0;
	struct format format;

	if (!clause || !piece->conversion)
		return false;
	if (format_open(&format, &view, clause))
		while (number < piece->conversion && format_next(&format, out) && !format.lost)
			number += out->letter && out->letter != '%';
	out->vague |= piece->slot && (out->width_from.size || out->precision_from.size);
	format_close(&format);
	return number == piece->conversion;
}

bool violation_conversion(struct violation_output *o, const struct violation_piece *p,
                          struct format_part *out)
{
	struct execution *e = o->watch.e;
	const struct code_call *code = p->a->function->insns[p->a->pc - 1].more;
	uint64_t *arguments = mem_alloc((code->count + 1) * sizeof(*arguments));
	char *signature = mem_alloc(code->count + 2);
	struct actions_call call = {.table = o->watch.run->table,
	                            .arguments = arguments,
	                            .count = code->count,
	                            .signature = signature};
	bool found = false;

	signature[0] = code->letter;
	for (uint32_t i = 0; i < code->count; i++) {
		const struct code_slot *slot = execution_slot(e, p->a, code->arguments[i].operand);

		arguments[i] = slot ? slot->bits : 0;
		signature[i + 1] = code->arguments[i].byval ? 'S' : code->arguments[i].letter;
	}
	if (code->name && call.table) {
		call.model = outside_table_find(call.table, code->name);
		found = search_format(&call, execution_memory(e), p->piece, out);
	}
	free(arguments);
	free(signature);
	return found;
}

/* --- the argument --- */

term violation_argument(struct violation_output *o, const struct violation_piece *p, uint32_t size)
{
	struct violation_work *w = o->work;
	term t;

	if (p->piece->slot)
		return violation_memory(w, o->watch.e, p->piece->slot, size);
	t = symbolic_operand(w->symbolic, p->call, p->piece->argument - 1u);
	if (!t || term_at(w->terms, t)->bits < 8 * size)
		return 0;
	return term_extract(w->terms, t, 0, 8 * size);
}

void violation_add_argument(struct violation_output *o, const struct violation_piece *p,
                            struct str *out)
{
	struct describe_scope scope = {.names = o->watch.names, .a = p->a};
	LLVMValueRef call = p->a->function->instructions[p->a->pc - 1];

	if (p->piece->slot)
		str_add(out, "the value that is printed");
	else
		describe_expression(&scope, LLVMGetOperand(call, p->piece->argument - 1u), out);
}

/* --- what should have been printed --- */

/* A value and the text that it is printed as. */
struct reading {
	union format_value value;
	char text[LONGEST + 1];
	size_t length;
};

static bool renders(const struct format_part *part, const struct reading *r)
{
	char text[LONGEST + 1];
	int length = format_render(part, &r->value, text, sizeof(text));

	return length >= 0 && (size_t)length == r->length && !memcmp(text, r->text, r->length);
}

static int base_of(char letter)
{
	switch (letter) {
	case 'x':
	case 'X': return 16;
	case 'o': return 8;
	case 'b':
	case 'B': return 2;
	default: return 10;
	}
}

/* Reads all of the text as a number. */
static bool read_number(const struct format_part *part, struct reading *r)
{
	const char *end = r->text + r->length;
	char *behind;

	while (end > r->text && end[-1] == ' ')
		end--;
	errno = 0;
	r->value = (union format_value){0};
	if (format_is_real(part)) {
		r->value.real = strtod(r->text, &behind);
		return behind == end && behind > r->text;
	}
	if (part->letter == 'c') {
		r->value.bits = (uint8_t)(part->width < 0 ? r->text[0] : r->text[r->length - 1]);
		return true;
	}
	if (strchr("di", part->letter))
		r->value.bits = (uint64_t)strtoll(r->text, &behind, 10);
	else
		r->value.bits = strtoull(r->text, &behind, base_of(part->letter));
	return behind == end && behind > r->text && !errno;
}

/* How far a number can go. */
static size_t longest(const char *text, size_t size)
{
	size_t length = 0;

	while (length < size && length < LONGEST && text[length] == ' ')
		length++;
	while (length < size && length < LONGEST &&
	       (isalnum((unsigned char)text[length]) || strchr("+-.", text[length])) &&
	       text[length])
		length++;
	while (length < size && length < LONGEST && text[length] == ' ')
		length++;
	return length;
}

/* The longest beginning of the expected text that the conversion prints for some value, best one behind which
   the text goes on as what the call printed does. */
static bool find_reading(const struct violation_piece *p, const struct format_part *part,
                         const char *text, size_t size, struct reading *out)
{
	struct reading r;
	bool found = false;

	for (r.length = part->letter == 'c' ? (size > 0) : longest(text, size); r.length;
	     r.length--) {
		bool goes_on = !p->has_next || (r.length < size && text[r.length] == p->next);

		memcpy(r.text, text, r.length);
		r.text[r.length] = 0;
		if ((found && !goes_on) || !read_number(part, &r) || !renders(part, &r))
			continue;
		*out = r;
		found = true;
		if (goes_on)
			break;
	}
	return found;
}

/* --- claims --- */

/* Doubles in their order, as numbers; and back. */
static int64_t order_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_order(int64_t order)
{
	int64_t bits = order < 0 ? INT64_MIN - order : order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* The last double in one direction that is printed as the reading says. */
static double furthest(const struct format_part *part, const struct reading *r, double limit)
{
	int64_t good = order_of(r->value.real), bad = order_of(limit);
	struct reading at = *r;

	at.value.real = limit;
	if (renders(part, &at))
		return limit;
	while (distance(good, bad) > 1) {
		int64_t middle = good / 2 + bad / 2 + (good % 2 + bad % 2) / 2;

		at.value.real = of_order(middle);
		if (renders(part, &at))
			good = middle;
		else
			bad = middle;
	}
	return of_order(good);
}

static term double_term(struct terms *terms, double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return term_constant(terms, 64, bits);
}

static term claim_real(struct terms *terms, term argument, const struct format_part *part,
                       const struct reading *r)
{
	double low, high;

	if (r->value.real != r->value.real)
		return term_make(terms, TERM_FNAN, 1, argument, 0, 0);
	low = furthest(part, r, -__builtin_inf());
	high = furthest(part, r, __builtin_inf());
	return violation_and(terms,
	                     term_make(terms, TERM_FLE, 1, double_term(terms, low), argument, 0),
	                     term_make(terms, TERM_FLE, 1, argument, double_term(terms, high), 0));
}

/* Without what pads it. */
static void add_number(const char *text, size_t length, char letter, struct str *out)
{
	if (letter == 'c') {
		str_printf(out, "'%.*s'", (int)length, text);
		return;
	}
	for (; length && *text == ' '; text++)
		length--;
	while (length && text[length - 1] == ' ')
		length--;
	str_add_bytes(out, text, length);
}

/* `d == 5`, `4 == 5` */
static void want(struct violation_output *o, const struct violation_piece *p, char letter,
                 const struct reading *r)
{
	struct violation *out = o->work->out;
	const uint8_t *printed = outputs_piece_bytes(p->stream, p->piece);

	violation_add_argument(o, p, &out->wanted);
	str_add(&out->wanted, " == ");
	add_number(r->text, r->length, letter, &out->wanted);
	add_number((const char *)printed, p->piece->size, letter, &out->numbers);
	str_add(&out->numbers, " == ");
	add_number(r->text, r->length, letter, &out->numbers);
}

bool violation_of_number(struct violation_output *o, const struct violation_piece *p,
                         const struct format_part *part)
{
	const struct violation_question *q = o->work->question;
	uint64_t from = p->piece->offset;
	uint32_t size = part->value.size;
	struct terms *terms = o->work->terms;
	struct reading r;
	term argument;

	if (from > q->expected_size || part->vague || size > 8 || !part->letter ||
	    !strchr("diuxXobBcfFeEgG", part->letter) || !outputs_piece_bytes(p->stream, p->piece))
		return false;
	if (!find_reading(p, part, q->expected + from, q->expected_size - from, &r))
		return false;
	argument = violation_argument(o, p, size);
	if (!argument)
		return false;
	want(o, p, part->letter, &r);
	violation_set_claim(o->work, p->call,
	                    format_is_real(part)
	                            ? claim_real(terms, argument, part, &r)
	                            : term_equals(terms, argument,
	                                          size < 8 ? r.value.bits & ((1ull << 8 * size) - 1)
	                                                   : r.value.bits));
	return true;
}
