/* How a switch is written: as a small number where its cases lie close together. See plan.h. */
#include "model/plan.h"

#include <assert.h>

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

uint32_t plan_switch_successor(LLVMTargetDataRef layout, LLVMValueRef switch_, uint64_t number)
{
	struct plan_switch s = plan_switch(layout, switch_);
	uint64_t mask = s.size == 8 ? ~0ull : (1ull << 8 * s.size) - 1;

	if (s.most)
		number--;
	for (unsigned i = 0; i < ir_case_count(switch_); i++)
		if ((((uint64_t)case_value(switch_, i) - (uint64_t)s.low) & mask) == number)
			return i + 1;
	return 0;
}
