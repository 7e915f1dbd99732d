/* The part of a plan that is about a function's locals. */
#ifndef HENCE_MODEL_LOCALS_H
#define HENCE_MODEL_LOCALS_H

#include "model/plan.h"

/* Finds the locals of a function, lays out its frame and says which locals are private. */
void locals_find(LLVMTargetDataRef layout, struct plan_function *function);

/* Index of an alloca among the locals; -1: it is not one (its size is not constant). */
int locals_index(const struct plan_function *function, LLVMValueRef alloca_);

#endif
