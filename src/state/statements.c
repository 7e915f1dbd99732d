/* Which statement an instance belongs to: a bit for each instance, counted in blocks. */
#include "state/graph.h"

#define RANK 8u /* words in a block */

void statements_deinit(struct statements *s)
{
	free(s->begins);
	free(s->ranks);
	free(s->stored);
	memset(s, 0, sizeof(*s));
}

/* As mem_resize(), and the new part is zero. */
static void *grow(void *old, uint64_t size, uint64_t more)
{
	char *p = mem_resize(old, more);

	memset(p + size, 0, more - size);
	return p;
}

void statements_begin(struct statements *s, uint32_t instance)
{
	uint64_t word = instance / 64, more;

	if (word >= s->words) {
		more = (word + word / 2 + 1024) / RANK * RANK;
		s->begins = grow(s->begins, s->words * 8, more * 8);
		s->ranks = grow(s->ranks, s->words / RANK * 4, more / RANK * 4);
		s->words = more;
	}
	s->begins[word] |= 1ull << instance % 64;
	s->count++;
}

void statements_stored(struct statements *s, uint64_t statement, enum state_stored what)
{
	uint64_t at = statement / 4, more;

	if (at >= s->stored_room) {
		more = at + at / 2 + 4096;
		s->stored = grow(s->stored, s->stored_room, more);
		s->stored_room = more;
	}
	s->stored[at] |= (uint8_t)(what << statement % 4 * 2);
}

enum state_stored statements_kind(LLVMValueRef store)
{
	switch (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(store, 0)))) {
	case LLVMIntegerTypeKind: return STORED_INTEGER;
	case LLVMPointerTypeKind: return STORED_POINTER;
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind: return STORED_REAL;
	default: return STORED_OTHER;
	}
}

enum state_stored statements_what(const struct statements *s, uint64_t statement)
{
	if (s->run) {
		uint32_t end = statement ? history_end(s->run, statement) : 0;
		const struct code_insn *insn = end ? execution_insn(s->whole, end) : NULL;

		return insn && (insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE)
		               ? statements_kind(execution_instruction(s->whole, end))
		               : STORED_OTHER;
	}
	if (!statement || statement / 4 >= s->stored_room)
		return STORED_OTHER;
	return s->stored[statement / 4] >> statement % 4 * 2 & 3;
}

/* Counts once more from the last block on that may have been changed. */
void statements_rank(struct statements *s)
{
	uint64_t block = s->done / RANK;
	uint32_t count = block ? s->ranks[block] : 0;

	for (; (block + 1) * RANK <= s->words; block++) {
		s->ranks[block] = count;
		for (uint64_t w = block * RANK; w < (block + 1) * RANK; w++) {
			count += (uint32_t)__builtin_popcountll(s->begins[w]);
			if (s->begins[w])
				s->done = block * RANK;
		}
	}
}

uint64_t statements_of(const struct statements *s, uint32_t instance)
{
	uint64_t word = instance / 64, count;

	if (s->run)
		return history_statement(s->run, instance);
	if (instance < EXECUTION_FIRST || instance >= EXECUTION_GROUP)
		return 0;
	if (word >= s->words)
		return s->count;
	count = s->ranks[word / RANK];
	for (uint64_t w = word / RANK * RANK; w < word; w++)
		count += (uint64_t)__builtin_popcountll(s->begins[w]);
	return count + (uint64_t)__builtin_popcountll(s->begins[word] &
	                                              (UINT64_MAX >> (63 - instance % 64)));
}
