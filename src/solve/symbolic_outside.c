/* What functions of the library gave and wrote: see symbolic_work.h. */
#include <string.h>

#include "solve/symbolic_outside.h"

/* --- what it read --- */

static void note_read(void *context, const struct execution_origin *origin)
{
	struct symbolic_call *c = context;

	if (origin->size && origin->bytes && origin->size <= UINT32_MAX)
		*vec_push(&c->reads) = (struct symbolic_read){
			origin->from, (uint32_t)origin->size, origin->source,
			origin->written ? origin->written : origin->from, origin->bytes};
}

static const struct execution_call *call_of(const struct symbolic *s, uint32_t instance)
{
	uint32_t source = execution_source(s->execution, instance);

	return execution_call(s->execution, execution_group(s->execution, source)->call);
}

static bool find_byte(struct symbolic_call *c, uint64_t address, const struct symbolic_read **out)
{
	for (uint32_t n = 0; n < c->reads.size; n++) {
		uint32_t i = (c->last + n) % c->reads.size;
		const struct symbolic_read *r = &c->reads.at[i];

		if (address >= r->from && address - r->from < r->size) {
			c->last = i;
			*out = r;
			return true;
		}
	}
	return false;
}

/* --- arguments --- */

term symbolic_argument(struct symbolic_call *c, uint32_t number, uint32_t bits)
{
	return symbolic_input(c->s, c->instance, c->code->arguments[number].operand, bits);
}

uint64_t symbolic_argument_value(const struct symbolic_call *c, uint32_t number)
{
	return symbolic_input_value(c->s, c->instance, c->code->arguments[number].operand);
}

void symbolic_fix(struct symbolic_call *c, term condition)
{
	c->fixed = c->fixed ? term_make(c->terms, TERM_AND, 1, c->fixed, condition, 0) : condition;
}

void symbolic_fix_argument(struct symbolic_call *c, uint32_t number)
{
	term t = symbolic_argument(c, number, 0);

	if (!term_is_constant(c->terms, t, NULL))
		symbolic_fix(c, term_equals(c->terms, t,
		                            symbolic_argument_value(c, number) &
		                                    symbolic_mask(symbolic_bits(c->s, t))));
}

bool symbolic_text(struct symbolic_call *c, uint32_t argument, uint64_t most, bool string,
                   struct symbolic_text *out)
{
	uint64_t address = symbolic_argument_value(c, argument);
	const struct symbolic_read *read;
	bool initial = false;

	out->size = 0;
	while (out->size < most && find_byte(c, address + out->size, &read)) {
		uint64_t offset = address + out->size - read->from;

		if (out->size == SYMBOLIC_TEXT)
			return false;
		initial |= read->source < EXECUTION_FIRST;
		out->values[out->size] = read->bytes[offset];
		out->at[out->size++] =
			symbolic_part(c->s,
		                      (struct symbolic_written){read->source, c->instance,
		                                                read->written + offset},
		                      1, read->bytes[offset]);
		if (string && !read->bytes[offset])
			break;
	}
	/* Another pointer finds other bytes, where nobody wrote these. */
	if (initial)
		symbolic_fix_argument(c, argument);
	return out->size > 0 || !most;
}

/* --- what it gave --- */

/* Is it, or what it wrote, from input? */
static bool takes_input(const struct execution_call *call)
{
	struct effects effects = call->after;
	struct effect effect;

	while (effects_next(&effects, &effect))
		if (effect.head.kind == HENCE_INPUT && effect.head.stream != -1)
			return true;
	return false;
}

/* Is the result the address of a new object? */
static bool allocates(const struct execution_call *call, uint64_t address)
{
	struct effects effects = call->after;
	struct effect effect;

	while (effects_next(&effects, &effect))
		if (effect.head.kind == HENCE_ALLOCATED && effect.head.address == address)
			return true;
	return false;
}

/* Those that return their first argument. */
static bool returns_first(const char *name)
{
	static const char *const names[] = {"memcpy", "memmove", "memset", "strcat",
	                                    "strcpy", "strncat", "strncpy"};

	if (!strncmp(name, "__", 2))
		name += 2;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) &&
		    (!name[strlen(names[i])] || !strcmp(name + strlen(names[i]), "_chk")))
			return true;
	return false;
}

/* A formula must give what the function gave. */
static term checked(struct symbolic_call *c, term t)
{
	t = symbolic_fit(c->terms, t, c->bits);
	if (term_evaluate(c->terms, t, symbolic_actual, c->s) != c->actual)
		return 0;
	if (c->fixed)
		t = term_make(c->terms, TERM_CHOICE, c->bits, c->fixed, t,
		              term_any(c->terms, c->bits));
	return t;
}

static term formula(struct symbolic_call *c)
{
	term t;

	if (returns_first(c->name) && c->code->count)
		return checked(c, symbolic_argument(c, 0, 64));
	t = symbolic_number_formula(c);
	if (!t) {
		execution_origins(c->s->execution, c->instance, 0, 0, note_read, c);
		t = symbolic_text_formula(c);
		t = t ? t : symbolic_reader_formula(c);
	}
	return t ? checked(c, t) : 0;
}

struct symbolic_definition symbolic_define_outside(struct symbolic *s, uint32_t instance,
                                                   uint32_t bits, uint64_t actual)
{
	const struct execution_call *call = call_of(s, instance);
	struct symbolic_guard guard = symbolic_guard(s);
	struct symbolic_call c = {.s = s,
	                          .terms = s->terms,
	                          .instance = instance,
	                          .name = call->name,
	                          .code = execution_insn(s->execution, instance)->more,
	                          .bits = bits,
	                          .actual = actual & symbolic_mask(bits)};
	term t = 0;

	if (takes_input(call) || allocates(call, actual))
		return symbolic_constant(s, bits, actual);
	if (call->name && !symbolic_is_wide(s, instance))
		t = formula(&c);
	vec_deinit(&c.reads);
	if (t)
		return (struct symbolic_definition){SYMBOLIC_RETURNED, t};
	symbolic_guard_outside(&guard, instance, call->until);
	return symbolic_given(&guard, bits, actual);
}

/* --- what it wrote --- */

static bool fills(const char *name)
{
	return name && (!strcmp(name, "memset") || !strcmp(name, "__memset_chk"));
}

struct symbolic_definition symbolic_define_outside_byte(struct symbolic *s, uint32_t instance,
                                                        uint64_t at, uint8_t actual)
{
	const struct execution_call *call = call_of(s, instance);
	const struct code_call *code = execution_insn(s->execution, instance)->more;
	struct symbolic_guard guard = symbolic_guard(s);
	term t = symbolic_copied(s, instance, at, actual);

	if (!t && fills(call->name) && code->count > 1 &&
	    (uint8_t)symbolic_input_value(s, instance, code->arguments[1].operand) == actual)
		t = symbolic_input(s, instance, code->arguments[1].operand, 8);
	if (t)
		return (struct symbolic_definition){SYMBOLIC_WRITTEN, t};
	if (takes_input(call))
		return symbolic_constant(s, 8, actual);
	symbolic_guard_outside(&guard, instance, call->until);
	return symbolic_given(&guard, 8, actual);
}
