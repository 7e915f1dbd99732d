/* Bytes that were written to memory otherwise than by a store of up to 8 bytes: see symbolic_work.h. */
#include "solve/symbolic_work.h"

/* --- copies --- */

static void note_copy(void *context, const struct execution_origin *origin)
{
	struct symbolic_copies *copies = context;

	if (origin->size && origin->to)
		*vec_push(&copies->at) = (struct symbolic_copy){origin->to, origin->size,
		                                                symbolic_written(origin, 0, 0).at,
		                                                origin->source, origin->value};
}

static int by_place(const void *a, const void *b)
{
	const struct symbolic_copy *x = a, *y = b;

	return x->to < y->to ? -1 : x->to > y->to;
}

/* What went where, in order: an array may have as many writers as elements. */
static const struct symbolic_copies *find_copies(struct symbolic *s, uint32_t instance)
{
	struct symbolic_copies *found = symbolic_copy_map_find(&s->copies, instance), made = {0};

	if (found)
		return found;
	execution_origins(s->execution, instance, 0, 0, note_copy, &made);
	if (made.at.size)
		qsort(made.at.at, made.at.size, sizeof(*made.at.at), by_place);
	found = symbolic_copy_map_put(&s->copies, instance);
	*found = made;
	return found;
}

term symbolic_copied(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual)
{
	const struct symbolic_copies *copies = find_copies(s, instance);
	uint32_t low = 0, high = copies->at.size;
	struct symbolic_copy c;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (copies->at.at[middle].to <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || at - copies->at.at[low - 1].to >= copies->at.at[low - 1].size)
		return 0;
	c = copies->at.at[low - 1];
	at -= c.to;
	return c.value ? symbolic_part_of_value(s, c.source, at, 1, actual)
	               : symbolic_part(s,
	                               (struct symbolic_written){c.source, instance, c.from + at},
	                               1, actual);
}

void symbolic_copies_clear(struct symbolic *s)
{
	map_each(&s->copies, i) vec_deinit(&s->copies.at[i].value.at);
	symbolic_copy_map_deinit(&s->copies);
}

/* --- of atomic instructions and assembly --- */

static enum term_op updating(LLVMAtomicRMWBinOp op)
{
	switch (op) {
	case LLVMAtomicRMWBinOpAdd: return TERM_ADD;
	case LLVMAtomicRMWBinOpSub: return TERM_SUB;
	case LLVMAtomicRMWBinOpAnd: return TERM_AND;
	case LLVMAtomicRMWBinOpOr: return TERM_OR;
	case LLVMAtomicRMWBinOpXor: return TERM_XOR;
	default: return TERM_OPS;
	}
}

/* What an atomic instruction wrote; 0: there is no term. */
static term updated(struct symbolic *s, uint32_t instance, const struct code_insn *insn)
{
	uint32_t bits = 8 * (uint32_t)insn->imm;
	enum term_op op = updating((LLVMAtomicRMWBinOp)insn->scale);
	term with;

	if (insn->c != CODE_NO_OPERAND)
		return symbolic_input(s, instance, insn->c, bits);
	with = symbolic_input(s, instance, insn->b, bits);
	if (insn->scale == LLVMAtomicRMWBinOpXchg)
		return with;
	if (op == TERM_OPS)
		return 0;
	return symbolic_make(s, op, bits, symbolic_fit(s->terms, symbolic_value(s, instance), bits),
	                     with);
}

static struct symbolic_definition atomic_byte(struct symbolic *s, uint32_t instance, uint64_t at,
                                              uint8_t actual)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	uint64_t offset = at - symbolic_input_value(s, instance, insn->a);
	term t = offset < (uint64_t)insn->imm ? updated(s, instance, insn) : 0;
	struct symbolic_guard guard = symbolic_guard(s);

	if (t)
		return (struct symbolic_definition){
			SYMBOLIC_WRITTEN, term_extract(s->terms, t, 8 * (uint32_t)offset, 8)};
	symbolic_guard_add(&guard, symbolic_token(s, instance),
	                   execution_value(s->execution, instance));
	symbolic_guard_operand(&guard, instance, insn->b);
	return symbolic_given(&guard, 8, actual);
}

static struct symbolic_definition assembly_byte(struct symbolic *s, uint32_t instance,
                                                uint8_t actual)
{
	const struct code_asm *more = execution_insn(s->execution, instance)->more;
	struct symbolic_guard guard = symbolic_guard(s);

	for (uint32_t k = 0; k < more->operand_count; k++)
		symbolic_guard_operand(&guard, instance, more->operands[k]);
	return symbolic_given(&guard, 8, actual);
}

/* --- all --- */

static struct symbolic_definition copied_byte(struct symbolic *s, uint32_t instance, uint64_t at,
                                              uint8_t actual)
{
	term t = symbolic_copied(s, instance, at, actual);

	return t ? (struct symbolic_definition){SYMBOLIC_WRITTEN, t}
	         : symbolic_constant(s, 8, actual);
}

struct symbolic_definition symbolic_define_byte(struct symbolic *s, uint32_t instance, uint64_t at,
                                                uint8_t actual)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct symbolic_guard guard = symbolic_guard(s);

	switch ((enum code_op)insn->op) {
	case CODE_COPY:
	case CODE_VA_COPY:
	case CODE_VA_START: return copied_byte(s, instance, at, actual);
	case CODE_FILL:
		return (struct symbolic_definition){SYMBOLIC_WRITTEN,
		                                    symbolic_input(s, instance, insn->b, 8)};
	case CODE_ATOMIC: return atomic_byte(s, instance, at, actual);
	case CODE_ASM: return assembly_byte(s, instance, actual);
	case CODE_CALL: return symbolic_define_outside_byte(s, instance, at, actual);
	default:
		symbolic_guard_operand(&guard, instance, insn->a);
		return symbolic_given(&guard, 8, actual);
	}
}
