/* The part of a plan that is about blocks and what they write. */
#ifndef HENCE_MODEL_RECORDS_H
#define HENCE_MODEL_RECORDS_H

#include "model/plan.h"

/* Finds the blocks of a function and their records. The plan's functions and imports must all be
   listed already, and the function's locals known. */
void records_find(struct plan *plan, struct plan_function *function);

/* Lists the cases of the switch that ends a block whose successors are known (switch.c). */
void switch_list_cases(LLVMTargetDataRef layout, struct plan_function *function,
                       const struct plan_block *block);

/* Why we cannot instrument this function; NULL: we can. */
const char *records_refusal(LLVMValueRef function);

#endif
