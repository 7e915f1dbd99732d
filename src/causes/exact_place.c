/* One space of addresses for both runs, and memory in it: see exact_work.h. */
#include "causes/exact_work.h"

uint64_t exact_place(const struct exact *x, unsigned side, uint32_t instance, uint64_t address)
{
	uint64_t other;

	if (side == 0 || !address)
		return address;
	other = dual_place(x->dual, side, instance, address);
	return other ? other : address | EXACT_ALONE;
}

/* --- values --- */

static bool is_address(const struct code_function *f, uint32_t code)
{
	return f->insns[code].flags & CODE_POINTER ||
	       LLVMGetInstructionOpcode(f->instructions[code]) == LLVMPtrToInt;
}

static const struct code_function *function_of(const struct execution *e, uint32_t instance)
{
	return code_of(execution_code_table((struct execution *)e), execution_code(e, instance));
}

uint64_t exact_made(const struct exact *x, unsigned side, uint32_t instance)
{
	const struct execution *e = x->sides[side].execution;
	const struct code_function *f = function_of(e, instance);
	uint64_t value = execution_value(e, instance);

	if (is_address(f, execution_code(e, instance) - f->first))
		return exact_place(x, side, instance, value);
	return value;
}

static bool is_address_operand(const struct code_function *f, uint32_t operand)
{
	uint32_t maker;

	if (operand & 1)
		return f->constants[operand >> 1].object != 0;
	maker = f->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return f->parameters[maker & ~CODE_PARAMETER].letter == 'p';
	return is_address(f, maker);
}

uint64_t exact_operand(const struct exact *x, unsigned side, uint32_t instance, uint32_t operand,
                       uint32_t *made)
{
	const struct execution *e = x->sides[side].execution;
	uint64_t value;

	if (!execution_operand(e, instance, operand, &value, made))
		return 0;
	if (is_address_operand(function_of(e, instance), operand))
		return exact_place(x, side, instance, value);
	return value;
}

/* --- memory --- */

struct exact_byte exact_get(const struct exact_words *memory, uint64_t place)
{
	const struct exact_word *word = exact_words_find(memory, place & ~7ull);

	return word ? word->at[place & 7] : (struct exact_byte){0};
}

void exact_put(struct exact_words *memory, uint64_t place, struct exact_byte byte)
{
	exact_words_put(memory, place & ~7ull)->at[place & 7] = byte;
}
