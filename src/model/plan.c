/* Which functions, imports, labels and globals a module has, in the order both sides number them:
   see plan.h. */
#include "model/plan.h"

#include <assert.h>
#include <string.h>

#include "model/locals.h"
#include "model/records.h"

static const char *name_of(LLVMValueRef value)
{
	size_t length;

	return LLVMGetValueName2(value, &length);
}

static bool is_defined(LLVMValueRef function)
{
	return !LLVMIsDeclaration(function) &&
	       LLVMGetLinkage(function) != LLVMAvailableExternallyLinkage;
}

static bool is_local(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* Code for a shared library, where the loader may put another definition in the place of ours. */
static bool is_shared(LLVMModuleRef module)
{
	return LLVMGetModuleFlag(module, "PIC Level", 9) &&
	       !LLVMGetModuleFlag(module, "PIE Level", 9);
}

/* May the linker or the loader put another definition in the place of this one? */
static bool is_replaceable(LLVMModuleRef module, LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	if (is_local(function))
		return false;
	if (linkage != LLVMExternalLinkage)
		return true;
	return LLVMGetVisibility(function) == LLVMDefaultVisibility && is_shared(module);
}

static bool is_ifunc_resolver(LLVMModuleRef module, LLVMValueRef function)
{
	LLVMValueRef ifunc;

	for (ifunc = LLVMGetFirstGlobalIFunc(module); ifunc; ifunc = LLVMGetNextGlobalIFunc(ifunc))
		if (LLVMGetGlobalIFuncResolver(ifunc) == function)
			return true;
	return false;
}

/* Is the function used for anything but being called? */
static bool is_address_taken(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
			return true;
		for (unsigned a = 0; a < LLVMGetNumArgOperands(user); a++)
			if (LLVMGetOperand(user, a) == function)
				return true;
	}
	return false;
}

/* Functions of the C library that compiled code calls without a call in the IR. Would a program's
   own version be recorded, its records would stand in the middle of its caller's. */
static bool is_library_call(const char *name)
{
	static const char *const names[] = {
		"memcpy", "memmove", "memset", "ceil",      "ceilf",      "ceill",
		"floor",  "floorf",  "floorl", "fma",       "fmaf",       "fmal",
		"fmax",   "fmaxf",   "fmaxl",  "fmin",      "fminf",      "fminl",
		"fmod",   "fmodf",   "fmodl",  "nearbyint", "nearbyintf", "nearbyintl",
		"rint",   "rintf",   "rintl",  "round",     "roundf",     "roundl",
		"trunc",  "truncf",  "truncl", "sqrt",      "sqrtf",      "sqrtl",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static const char *refusal(LLVMModuleRef module, LLVMValueRef function)
{
	if (!is_local(function) && is_library_call(name_of(function)))
		return "a name of the C library that compiled code calls by itself";
	if (is_ifunc_resolver(module, function))
		return "to choose an ifunc before the program is linked";
	return records_refusal(function);
}

static void list_function(struct plan *plan, LLVMValueRef function)
{
	const char *reason = refusal(plan->module, function);
	struct plan_function *added;
	struct plan_refusal *refused;

	if (reason) {
		refused = vec_push(&plan->refusals);
		refused->function = function;
		refused->reason = reason;
		return;
	}
	added = vec_push(&plan->functions);
	added->function = function;
	added->name = name_of(function);
	added->enterable = !is_local(function) || is_address_taken(function);
}

static void add_import(struct plan *plan, LLVMValueRef function)
{
	struct plan_import *import = vec_push(&plan->imports);

	import->function = function;
	import->name = name_of(function);
}

static bool is_refused(const struct plan *plan, LLVMValueRef function)
{
	uint32_t count = plan->refusals.size;

	return count && plan->refusals.at[count - 1].function == function;
}

static bool has_import(const struct plan *plan, LLVMValueRef function)
{
	for (uint32_t i = 0; i < plan->imports.size; i++)
		if (plan->imports.at[i].function == function)
			return true;
	return false;
}

static void list_functions(struct plan *plan, const struct plan *before)
{
	LLVMValueRef f;

	for (uint32_t i = 0; before && i < before->imports.size; i++) {
		f = LLVMGetNamedFunction(plan->module, before->imports.at[i].name);
		assert(f);
		add_import(plan, f);
	}
	for (f = LLVMGetFirstFunction(plan->module); f; f = LLVMGetNextFunction(f)) {
		bool defined = is_defined(f), own;

		if (defined)
			list_function(plan, f);
		own = defined && !is_refused(plan, f);
		/* A function that nothing called before has no entry in the program's table of imports. */
		if (own && (before || !is_replaceable(plan->module, f)))
			continue;
		if (LLVMGetFirstUse(f) && !LLVMGetIntrinsicID(f) &&
		    !(before && has_import(plan, f)))
			add_import(plan, f);
	}
}

static void list_globals(struct plan *plan)
{
	LLVMValueRef g;

	for (g = LLVMGetFirstGlobal(plan->module); g; g = LLVMGetNextGlobal(g))
		if (strncmp(name_of(g), "llvm.", 5))
			*vec_push(&plan->globals) = g;
}

/* Labels are the blocks that some indirectbr of the function may go to. */
static void list_labels(struct plan *plan, uint32_t f)
{
	struct plan_function *function = &plan->functions.at[f];
	uint8_t *seen = mem_alloc(function->blocks.size);

	for (uint32_t b = 0; b < function->blocks.size; b++) {
		struct plan_block *block = &function->blocks.at[b];
		struct plan_record *end = &function->records.at[block->first + block->count - 1];

		for (uint32_t s = 0; end->kind == PLAN_JUMP && s < block->successors; s++)
			seen[function->successors.at[block->successor + s]] = 1;
	}
	for (uint32_t b = 0; b < function->blocks.size; b++)
		if (seen[b]) {
			struct plan_label *label = vec_push(&plan->labels);

			label->function = f;
			label->block = b;
			label->basic_block = function->blocks.at[b].block;
		}
	free(seen);
}

static void find_byvals(struct plan_function *function)
{
	for (unsigned p = 0; p < LLVMCountParams(function->function); p++)
		if (ir_parameter_type(function->function, p, "byval"))
			*vec_push(&function->byvals) = p;
}

uint32_t plan_site(const struct plan_function *function, uint32_t block, uint32_t statement,
                   enum hence_site_kind kind)
{
	if (kind == HENCE_SITE_BRANCH)
		return function->first_block + block;
	return function->first_statement + function->blocks.at[block].first_statement + statement;
}

static void number_sites(struct plan *plan)
{
	for (uint32_t f = 1; f < plan->functions.size; f++) {
		const struct plan_function *before = &plan->functions.at[f - 1];

		plan->functions.at[f].first_statement =
			before->first_statement + before->statements.size;
		plan->functions.at[f].first_block = before->first_block + before->blocks.size;
	}
}

struct plan *plan_create(LLVMModuleRef module, const struct plan *before)
{
	struct plan *plan = mem_alloc(sizeof(*plan));

	plan->module = module;
	plan->layout = LLVMGetModuleDataLayout(module);
	list_functions(plan, before);
	list_globals(plan);
	for (uint32_t f = 0; f < plan->functions.size; f++) {
		locals_find(plan->layout, &plan->functions.at[f]);
		find_byvals(&plan->functions.at[f]);
		records_find(plan, &plan->functions.at[f]);
		list_labels(plan, f);
	}
	number_sites(plan);
	return plan;
}

void plan_destroy(struct plan *plan)
{
	if (!plan)
		return;
	for (uint32_t f = 0; f < plan->functions.size; f++) {
		struct plan_function *function = &plan->functions.at[f];

		vec_deinit(&function->locals);
		vec_deinit(&function->byvals);
		vec_deinit(&function->blocks);
		vec_deinit(&function->records);
		vec_deinit(&function->statements);
		vec_deinit(&function->successors);
		vec_deinit(&function->cases);
	}
	vec_deinit(&plan->functions);
	vec_deinit(&plan->imports);
	vec_deinit(&plan->labels);
	vec_deinit(&plan->globals);
	vec_deinit(&plan->refusals);
	free(plan);
}
