/* The tables that hence cc leaves in an object for the runtime (runtime/protocol.h). */
#ifndef HENCE_CC_TABLES_H
#define HENCE_CC_TABLES_H

#include "model/plan.h"

struct tables;

/* Adds the module's descriptor, its addresses and its imports. `hash` names its IR. Caller frees
   with tables_destroy(). */
struct tables *tables_create(const struct plan *plan, const uint8_t hash[16]);
void tables_destroy(struct tables *tables);

/* The struct hence_rt_function of a function of the plan. */
LLVMValueRef tables_function(struct tables *tables, uint32_t function);

/* The struct hence_rt_import of an import of the plan. */
LLVMValueRef tables_import(struct tables *tables, uint32_t import);

/* A struct hence_rt_import of its own for one indirect call. */
LLVMValueRef tables_cache(struct tables *tables);

/* The struct hence_rt_site of a call, which is `record` in its function's plan. */
LLVMValueRef tables_site(struct tables *tables, LLVMValueRef call, LLVMValueRef import,
                         uint32_t record);

#endif
