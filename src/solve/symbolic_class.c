/* Classes of characters: isdigit() and the like are macros that look into a table of the library. See
   symbolic_work.h. */
#include <ctype.h>
#include <string.h>

#include "solve/symbolic_work.h"

/* Who made an operand; NULL: nobody whom we know. */
static const struct code_insn *maker_of(const struct symbolic *s, uint32_t *instance,
                                        uint32_t operand)
{
	uint64_t value;
	uint32_t made;

	if (!execution_operand(s->execution, *instance, operand, &value, &made) ||
	    made < EXECUTION_FIRST || !symbolic_keeps(s, made))
		return NULL;
	*instance = made;
	return execution_insn(s->execution, made);
}

/* Does the load read an element of *__ctype_b_loc()? Then *index is the instance that computes its place. */
static bool is_table(const struct symbolic *s, uint32_t load, uint32_t *index)
{
	const struct code_insn *insn = execution_insn(s->execution, load);
	uint32_t at = load;
	uint32_t source;

	if (insn->op != CODE_LOAD || insn->bytes != 2)
		return false;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_INDEX || insn->scale != 2 || insn->imm)
		return false;
	*index = at;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_LOAD)
		return false;
	insn = maker_of(s, &at, insn->a);
	if (!insn || insn->op != CODE_CALL)
		return false;
	source = execution_source(s->execution, at);
	return source & EXECUTION_GROUP &&
	       !strcmp(execution_call(s->execution, execution_group(s->execution, source)->call)
	                       ->name,
	               "__ctype_b_loc");
}

/* Runs of characters of the same class. Those above 127 hang on the locale; those of ASCII, and -1, do not. */
static term classes(struct symbolic *s, term index)
{
	const unsigned short *table = *__ctype_b_loc();
	uint32_t bits = symbolic_bits(s, index);
	term out = term_any(s->terms, 16);

	for (int first = -1, last; first < 128; first = last + 1) {
		term distance = symbolic_make(
			s, TERM_SUB, bits, index,
			term_constant(s->terms, bits, (uint64_t)first & symbolic_mask(bits)));

		for (last = first; last < 127 && table[last + 1] == table[first];)
			last++;
		out = term_make(
			s->terms, TERM_CHOICE, 16,
			symbolic_make(s, TERM_ULE, 1, distance,
		                      term_constant(s->terms, bits, (uint64_t)(last - first))),
			term_constant(s->terms, 16, table[first]), out);
	}
	return out;
}

term symbolic_class(struct symbolic *s, uint32_t load)
{
	const struct code_insn *insn;
	uint64_t actual;
	uint32_t at;

	if (!is_table(s, load, &at))
		return 0;
	insn = execution_insn(s->execution, at);
	/* Counted from -1. */
	actual = (symbolic_input_value(s, at, insn->b) + 1) & symbolic_mask(insn->from);
	if (actual > 128 ||
	    (*__ctype_b_loc())[(int)actual - 1] != (uint16_t)execution_value(s->execution, load))
		return 0;
	return classes(s, symbolic_input(s, at, insn->b, insn->from));
}
