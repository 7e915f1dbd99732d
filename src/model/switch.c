/* Branches and switches: which value leads where. A switch is written as a small number where its cases
   lie close together. See plan.h. */
#include "model/records.h"

static int64_t case_value(LLVMValueRef switch_, unsigned i)
{
	return LLVMConstIntGetSExtValue(ir_case_value(switch_, i));
}

struct plan_switch plan_switch(LLVMTargetDataRef layout, LLVMValueRef switch_)
{
	struct plan_switch s = {0};
	uint32_t width = ir_store_size(layout, LLVMTypeOf(LLVMGetOperand(switch_, 0)));
	unsigned cases = ir_case_count(switch_);
	int64_t least = cases ? case_value(switch_, 0) : 0, most = least;
	uint64_t range;

	for (unsigned i = 1; i < cases; i++) {
		int64_t value = case_value(switch_, i);

		least = value < least ? value : least;
		most = value > most ? value : most;
	}
	range = (uint64_t)most - (uint64_t)least;
	if (range < 254 && width > 1)
		s = (struct plan_switch){.size = 1, .low = least, .most = 254};
	else if (range < 65534 && width > 2)
		s = (struct plan_switch){.size = 2, .low = least, .most = 65534};
	else
		s.size = width;
	return s;
}

static int by_number(const void *a, const void *b)
{
	const struct plan_case *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

void switch_list_cases(LLVMTargetDataRef layout, struct plan_function *function,
                       const struct plan_block *block)
{
	struct plan_record *record = &function->records.at[block->first + block->count - 1];
	struct plan_switch s = plan_switch(layout, record->instruction);
	uint64_t mask = s.size == 8 ? ~0ull : (1ull << 8 * s.size) - 1;

	record->target = function->cases.size;
	for (uint32_t i = 0; i + 1 < block->successors; i++) {
		struct plan_case *added = vec_push(&function->cases);
		uint64_t value = (uint64_t)case_value(record->instruction, i) - (uint64_t)s.low;

		added->number = (value & mask) + (s.most ? 1 : 0);
		added->block = function->successors.at[block->successor + i + 1];
	}
	if (block->successors > 1)
		qsort(function->cases.at + record->target, block->successors - 1,
		      sizeof(struct plan_case), by_number);
}

uint32_t plan_switch_target(const struct plan_function *function, const struct plan_block *block,
                            uint64_t number)
{
	const struct plan_record *record = &function->records.at[block->first + block->count - 1];
	struct plan_case key = {.number = number}, *found = NULL;

	if (block->successors > 1)
		found = bsearch(&key, function->cases.at + record->target, block->successors - 1,
		                sizeof(key), by_number);
	return found ? found->block : function->successors.at[block->successor];
}

/* --- by value --- */

static LLVMValueRef end_of(const struct plan_function *function, uint32_t block,
                           enum plan_kind *kind)
{
	const struct plan_block *b = &function->blocks.at[block];
	const struct plan_record *end = &function->records.at[b->first + b->count - 1];

	*kind = end->kind;
	return end->instruction;
}

static uint64_t mask_of(LLVMValueRef switch_)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(switch_, 0)));

	return width >= 64 ? ~0ull : (1ull << width) - 1;
}

/* The successor of a switch for a value without bits above its type. */
static uint32_t choose(LLVMValueRef switch_, uint64_t value)
{
	unsigned cases = ir_case_count(switch_);

	for (unsigned i = 0; i < cases; i++)
		if (LLVMConstIntGetZExtValue(ir_case_value(switch_, i)) == value)
			return i + 1;
	return 0;
}

/* Of so many values and one more, one is no case. */
static bool find_other(LLVMValueRef switch_, uint64_t *value)
{
	uint64_t most = ir_case_count(switch_), mask = mask_of(switch_);

	for (uint64_t v = 0; v <= most && v <= mask; v++)
		if (!choose(switch_, v)) {
			*value = v;
			return true;
		}
	return false;
}

bool plan_branch_value(const struct plan_function *function, uint32_t block, uint32_t successor,
                       uint64_t *value)
{
	enum plan_kind kind;
	LLVMValueRef end = end_of(function, block, &kind);

	if (successor >= function->blocks.at[block].successors)
		return false;
	if (kind == PLAN_BRANCH)
		*value = successor == 0;
	else if (kind == PLAN_SWITCH && successor)
		*value = LLVMConstIntGetZExtValue(ir_case_value(end, successor - 1));
	else
		return kind == PLAN_SWITCH && find_other(end, value);
	return true;
}

uint32_t plan_branch_successor(const struct plan_function *function, uint32_t block, uint64_t value)
{
	enum plan_kind kind;
	LLVMValueRef end = end_of(function, block, &kind);

	if (kind == PLAN_SWITCH)
		return choose(end, value & mask_of(end));
	return kind == PLAN_BRANCH && !(value & 0xff);
}

uint32_t plan_way(const struct plan_function *function, uint32_t block, uint32_t next)
{
	const struct plan_block *b = &function->blocks.at[block];
	const uint32_t *successors = function->successors.at + b->successor;
	enum plan_kind kind;

	end_of(function, block, &kind);
	for (uint32_t i = kind == PLAN_SWITCH; i < b->successors; i++)
		if (successors[i] == next)
			return i;
	return kind == PLAN_SWITCH && successors[0] == next ? 0 : UINT32_MAX;
}
