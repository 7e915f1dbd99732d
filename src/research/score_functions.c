/* The functions of a program: see score_functions.h. */
#include "research/score_functions.h"

#include <string.h>

static bool is_internal(LLVMValueRef value)
{
	LLVMLinkage linkage = LLVMGetLinkage(value);

	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static const char *name_of(LLVMValueRef value)
{
	size_t length;

	return LLVMGetValueName2(value, &length);
}

void score_functions_init(struct score_functions *functions, const struct plan *const *plans,
                          uint32_t count, const struct outside_table *models)
{
	*functions = (struct score_functions){.models = models};
	for (uint32_t p = 0; p < count; p++)
		for (uint32_t i = 0; i < plans[p]->functions.size; i++) {
			const struct plan_function *of = &plans[p]->functions.at[i];

			*vec_push(&functions->all) = (struct score_function){plans[p], of};
			*score_value_map_put(&functions->by_value, (uintptr_t)of->function) =
				functions->all.size;
			if (!is_internal(of->function))
				*score_name_map_put(&functions->by_name, name_of(of->function)) =
					functions->all.size;
		}
}

void score_functions_deinit(struct score_functions *functions)
{
	vec_deinit(&functions->all);
	score_value_map_deinit(&functions->by_value);
	score_name_map_deinit(&functions->by_name);
}

uint32_t score_functions_find(const struct score_functions *functions, LLVMValueRef value)
{
	uint32_t *index;

	if (!value || !LLVMIsAFunction(value))
		return SCORE_NO_FUNCTION;
	index = score_value_map_find(&functions->by_value, (uintptr_t)value);
	if (!index && !is_internal(value))
		index = score_name_map_find(&functions->by_name, name_of(value));
	return index ? *index - 1 : SCORE_NO_FUNCTION;
}

LLVMValueRef score_functions_global(const struct score_functions *functions, LLVMValueRef value)
{
	const struct plan *seen = NULL;

	if (!LLVMIsAGlobalVariable(value) || !LLVMIsDeclaration(value))
		return value;
	for (uint32_t i = 0; i < functions->all.size; i++) {
		const struct plan *plan = functions->all.at[i].plan;
		LLVMValueRef other;

		if (plan == seen)
			continue;
		seen = plan;
		other = LLVMGetNamedGlobal(plan->module, name_of(value));
		if (other && !LLVMIsDeclaration(other) && !is_internal(other))
			return other;
	}
	return value;
}

/* --- what outside calls do --- */

unsigned score_argument_count(LLVMValueRef call)
{
	return LLVMGetNumArgOperands(call);
}

bool score_is_call(LLVMValueRef instruction)
{
	const char *intrinsic;

	if (!LLVMIsACallInst(instruction))
		return false;
	intrinsic = ir_intrinsic(instruction);
	return !intrinsic || !strncmp(intrinsic, "mem", 3) || !strncmp(intrinsic, "va_", 3);
}

static bool clause_writes(const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_WRITES:
	case OUTSIDE_PERMUTES:
	case OUTSIDE_CONSUMES:
	case OUTSIDE_COPIES:
	case OUTSIDE_FILLS: return true;
	default: return false;
	}
}

static bool clause_reads(const struct outside_clause *clause)
{
	switch (clause->kind) {
	case OUTSIDE_READS:
	case OUTSIDE_SOURCE:
	case OUTSIDE_PERMUTES:
	case OUTSIDE_FORMATS:
	case OUTSIDE_SCANS:
	case OUTSIDE_PRODUCES:
	case OUTSIDE_OPENS:
	case OUTSIDE_TEXT: return true;
	default: return false;
	}
}

struct score_access score_functions_access(const struct score_functions *functions,
                                           LLVMValueRef call, unsigned index)
{
	const char *intrinsic = ir_intrinsic(call);
	LLVMValueRef callee = ir_callee(call);
	const struct outside_function *function = NULL;
	const struct outside_clause *clauses;
	struct score_access access = {false, false};

	if (intrinsic) {
		if (!strncmp(intrinsic, "memset", 6))
			return (struct score_access){false, index == 0};
		if (!strncmp(intrinsic, "mem", 3) || !strncmp(intrinsic, "va_copy", 7))
			return (struct score_access){index == 1, index == 0};
		return (struct score_access){!strncmp(intrinsic, "va_end", 6),
		                             !strncmp(intrinsic, "va_start", 8)};
	}
	if (callee && functions->models)
		function = outside_table_find(functions->models, name_of(callee));
	if (!function)
		return (struct score_access){true, true};
	clauses = outside_table_clauses(functions->models, function);
	if (index >= function->params) {
		/* What follows the parameters: texts and numbers for a format, places for what is scanned. */
		for (uint32_t i = 0; i < function->clause_count; i++)
			if (clauses[i].kind == OUTSIDE_SCANS)
				return (struct score_access){false, true};
		return (struct score_access){true, false};
	}
	for (uint32_t i = 0; i < function->clause_count; i++) {
		if (clauses[i].argument != index + 1)
			continue;
		access.writes |= clause_writes(&clauses[i]);
		access.reads |= clause_reads(&clauses[i]);
	}
	/* No clause about an argument means that the memory behind it does not matter, as for FILE *. */
	return access;
}
