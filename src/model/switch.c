/* How a switch is written: as a small number where its cases lie close together. See plan.h. */
#include "model/plan.h"

#include <assert.h>

static int64_t case_value(LLVMValueRef switch_, unsigned i)
{
	return LLVMConstIntGetSExtValue(ir_case_value(switch_, i));
}

void plan_switch(LLVMTargetDataRef layout, LLVMValueRef switch_, int64_t *low, uint32_t *size)
{
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
	*size = range < 255 ? 1 : range < 65535 ? 2 : width;
	*low = least;
	if (*size >= width) {
		*size = width;
		*low = 0;
	}
}

uint32_t plan_switch_successor(LLVMTargetDataRef layout, LLVMValueRef switch_, uint64_t number)
{
	uint64_t mask;
	int64_t low;
	uint32_t size;

	plan_switch(layout, switch_, &low, &size);
	mask = size == 8 ? ~0ull : (1ull << 8 * size) - 1;
	for (unsigned i = 0; i < ir_case_count(switch_); i++)
		if ((((uint64_t)case_value(switch_, i) - (uint64_t)low) & mask) == number)
			return i + 1;
	return 0;
}
