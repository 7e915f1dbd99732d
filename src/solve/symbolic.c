/* A run as terms: symbols and their definitions. See symbolic.h. */
#include <assert.h>

#include "solve/symbolic_work.h"

struct symbolic *symbolic_create(const struct execution *execution, struct terms *terms)
{
	struct symbolic *s = mem_alloc(sizeof(*s));

	s->execution = execution;
	s->terms = terms;
	execution_kept(execution, &s->first, &s->end);
	s->values = mem_alloc((s->end - s->first + 1) * sizeof(*s->values));
	return s;
}

void symbolic_destroy(struct symbolic *s)
{
	if (!s)
		return;
	vec_deinit(&s->entries);
	symbolic_bytes_deinit(&s->bytes);
	symbolic_calls_clear(s);
	symbolic_copies_clear(s);
	free(s->values);
	free(s);
}

struct terms *symbolic_terms(const struct symbolic *s)
{
	return s->terms;
}

const struct execution *symbolic_execution(const struct symbolic *s)
{
	return s->execution;
}

const struct symbol *symbolic_symbol(const struct symbolic *s, uint32_t index)
{
	return &s->entries.at[index].symbol;
}

uint32_t symbolic_count(const struct symbolic *s)
{
	return s->entries.size;
}

uint64_t symbolic_actual(void *symbolic, uint64_t number)
{
	const struct symbolic *s = symbolic;

	return number < s->entries.size ? s->entries.at[number].actual : 0;
}

/* --- widths --- */

static LLVMTargetDataRef layout_of(LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

	return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
}

uint32_t symbolic_type_bits(LLVMValueRef instruction, LLVMTypeRef type)
{
	uint32_t bits;

	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind: return 0;
	case LLVMPointerTypeKind:
	case LLVMDoubleTypeKind: return 64;
	case LLVMFloatTypeKind: return 32;
	case LLVMIntegerTypeKind: bits = LLVMGetIntTypeWidth(type); break;
	default: bits = 8 * ir_store_size(layout_of(instruction), type);
	}
	return bits <= 64 ? bits : 0;
}

/* 0: none, or wide. */
static uint32_t value_bits(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);
	LLVMValueRef i;

	switch ((enum code_op)insn->op) {
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES:
	case CODE_LOCAL:
	case CODE_ALLOCA: return 64;
	case CODE_STORE: return 8 * insn->bytes;
	case CODE_LOAD: return insn->bits;
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP: return 0;
	default: break;
	}
	if (insn->op >= CODE_ADD && insn->op <= CODE_MOVE)
		return insn->bits;
	i = execution_instruction(s->execution, instance);
	if (insn->op != CODE_RETURN)
		return insn->words > 1 ? 0 : symbolic_type_bits(i, LLVMTypeOf(i));
	return insn->a == CODE_NO_OPERAND ? 0
	                                  : symbolic_type_bits(i, LLVMTypeOf(LLVMGetOperand(i, 0)));
}

bool symbolic_is_wide(const struct symbolic *s, uint32_t instance)
{
	const struct code_insn *insn = execution_insn(s->execution, instance);

	return insn->words > 1 || insn->op == CODE_STORE_WIDE ||
	       (insn->op == CODE_RETURN && insn->a != CODE_NO_OPERAND && insn->bytes > 8);
}

/* --- symbols --- */

static uint32_t add(struct symbolic *s, uint32_t instance, uint32_t bits, uint64_t at,
                    uint64_t actual)
{
	*vec_push(&s->entries) = (struct symbolic_entry){.symbol = {instance, bits, at},
	                                                 .actual = actual & symbolic_mask(bits)};
	return s->entries.size - 1;
}

static term variable(struct symbolic *s, uint32_t index)
{
	struct symbolic_entry *entry = &s->entries.at[index];

	if (!entry->variable)
		entry->variable = term_variable(s->terms, entry->symbol.bits, index);
	return entry->variable;
}

static term value_symbol(struct symbolic *s, uint32_t instance, uint32_t bits)
{
	uint32_t *index = &s->values[instance - s->first];

	if (!*index)
		*index = 1 + add(s, instance, bits, 0, execution_value(s->execution, instance));
	return variable(s, *index - 1);
}

term symbolic_value(struct symbolic *s, uint32_t instance)
{
	uint32_t bits;

	if (!symbolic_keeps(s, instance))
		return 0;
	if (!s->values[instance - s->first]) {
		bits = value_bits(s, instance);
		return bits ? value_symbol(s, instance, bits) : 0;
	}
	return symbolic_is_wide(s, instance) ? 0 : variable(s, s->values[instance - s->first] - 1);
}

term symbolic_token(struct symbolic *s, uint32_t instance)
{
	uint32_t index = s->values[instance - s->first];

	if (index)
		return variable(s, index - 1);
	return symbolic_is_wide(s, instance) ? value_symbol(s, instance, 64)
	                                     : symbolic_value(s, instance);
}

term symbolic_byte(struct symbolic *s, uint32_t instance, uint64_t at, uint8_t actual)
{
	uint32_t *head = symbolic_bytes_put(&s->bytes, at ^ (uint64_t)instance << 33), index;

	for (uint32_t i = *head; i; i = s->entries.at[i - 1].next) {
		const struct symbolic_entry *entry = &s->entries.at[i - 1];

		/* What an outside call writes unseen may change, and is not known to. */
		if (entry->symbol.instance == instance && entry->symbol.at == at &&
		    entry->actual == actual)
			return variable(s, i - 1);
	}
	index = add(s, instance, 8, at, actual);
	s->entries.at[index].next = *head;
	*head = index + 1;
	return variable(s, index);
}

/* --- definitions --- */

uint64_t symbolic_made(const struct symbolic *s)
{
	return (uint64_t)s->entries.size + s->defined;
}

const struct symbolic_definition *symbolic_define(struct symbolic *s, uint32_t index)
{
	struct symbolic_entry entry = s->entries.at[index];

	if (!entry.definition.term) {
		entry.definition = entry.symbol.at ? symbolic_define_byte(s, entry.symbol.instance,
		                                                          entry.symbol.at,
		                                                          (uint8_t)entry.actual)
		                                   : symbolic_define_value(s, &entry.symbol);
		assert(symbolic_bits(s, entry.definition.term) == entry.symbol.bits);
		s->entries.at[index].definition = entry.definition;
		s->defined++;
	}
	return &s->entries.at[index].definition;
}
