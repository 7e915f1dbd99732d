/* Makes the code generator, which optimises, do what it does at -O0: a buggy program must go wrong in the same
   way. */
#ifndef HENCE_CC_PIN_H
#define HENCE_CC_PIN_H

#include "model/plan.h"

/* Before anything is put into the function. */
void pin_function(const struct plan *plan, const struct plan_function *function);

#endif
