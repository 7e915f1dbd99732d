/* The functions of a program of several modules, and which of them a call names. */
#ifndef HENCE_RESEARCH_SCORE_FUNCTIONS_H
#define HENCE_RESEARCH_SCORE_FUNCTIONS_H

#include "base/map.h"
#include "model/plan.h"
#include "outside/table.h"

#define SCORE_NO_FUNCTION UINT32_MAX

MAP_DEFINE_U64(score_value_map, uint32_t);
MAP_DEFINE_STRING(score_name_map, uint32_t);

struct score_function {
	const struct plan *plan;
	const struct plan_function *of;
};

struct score_functions {
	VEC(struct score_function) all;
	struct score_value_map by_value;    /* LLVM function -> 1 + index */
	struct score_name_map by_name;      /* those that other modules can name */
	const struct outside_table *models; /* NULL: nothing is known about outside functions */
};

/* The plans must outlive the functions. Caller frees with score_functions_deinit(). */
void score_functions_init(struct score_functions *functions, const struct plan *const *plans,
                          uint32_t count, const struct outside_table *models);
void score_functions_deinit(struct score_functions *functions);

/* The index of a function of the program that a value of LLVM is, maybe by a declaration of another module; SCORE_NO_FUNCTION: it
   is no function, or outside. */
uint32_t score_functions_find(const struct score_functions *functions, LLVMValueRef value);

/* The global that the program has for a declared one; the same value when there is none, or it is no global. */
LLVMValueRef score_functions_global(const struct score_functions *functions, LLVMValueRef value);

/* What an outside call does with the memory that its argument number `index` points to, by its model. Without one it reads and
   writes. */
struct score_access {
	bool reads, writes;
};
struct score_access score_functions_access(const struct score_functions *functions,
                                           LLVMValueRef call, unsigned index);

/* How many arguments a call has. */
unsigned score_argument_count(LLVMValueRef call);

/* Is it a call that does something: neither debug information nor a mark of a lifetime? */
bool score_is_call(LLVMValueRef instruction);

#endif
