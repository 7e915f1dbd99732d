/* Places of one version of a program in the other: see versions.h. */
#include "align/versions.h"

#include <llvm-c/DebugInfo.h>

#include "base/str.h"

/* --- statements --- */

static uint32_t number_of(const struct plan_function *f, const struct site *site)
{
	uint32_t number = site->statement;

	for (uint32_t b = 0; b < site->block; b++)
		number += f->blocks.at[b].statements;
	return number;
}

static void set_statement(const struct plan_function *f, uint32_t number, struct site *out)
{
	out->block = 0;
	while (number >= f->blocks.at[out->block].statements)
		number -= f->blocks.at[out->block++].statements;
	out->statement = number;
}

/* Which function of which module it is. */
static bool find_function(const struct program *program, const struct plan_function *f,
                          struct site *out)
{
	for (uint32_t m = 0; m < program->modules.size; m++) {
		const struct plan *plan = program->modules.at[m].plan;

		if (!plan || f < plan->functions.at ||
		    f >= plan->functions.at + plan->functions.size)
			continue;
		out->module = m;
		out->function = (uint32_t)(f - plan->functions.at);
		return true;
	}
	return false;
}

bool versions_site(const struct versions *versions, unsigned version, const struct program *from,
                   const struct site *site, const struct program *to, struct site *out)
{
	const struct plan_function *f =
		&from->modules.at[site->module].plan->functions.at[site->function];
	const struct version_pair *pair = versions_find(versions, version, f);
	struct site found = {0};
	uint32_t number;

	if (!pair)
		return false;
	number = pair->matches[version][number_of(f, site)];
	if (number == VERSIONS_NONE || !find_function(to, pair->functions[!version], &found))
		return false;
	set_statement(pair->functions[!version], number, &found);
	*out = found;
	return true;
}

/* --- lines --- */

/* The instruction that ends a statement. */
static LLVMValueRef end_of(const struct plan_function *f, uint32_t number)
{
	for (uint32_t b = 0; b < f->blocks.size; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks.at[b].block); i;
		     i = LLVMGetNextInstruction(i))
			if (plan_ends_statement(i) && !number--)
				return i;
	return NULL;
}

/* The first statement on that line which both versions have, in version 1; NULL: none. */
static LLVMValueRef find_counterpart(const struct version_pair *pair, unsigned line)
{
	for (uint32_t n = 0; n < pair->counts[0]; n++) {
		LLVMValueRef i = end_of(pair->functions[0], n);

		if (pair->matches[0][n] != VERSIONS_NONE && LLVMInstructionGetDebugLoc(i) &&
		    LLVMGetDebugLocLine(i) == line)
			return end_of(pair->functions[1], pair->matches[0][n]);
	}
	return NULL;
}

bool versions_line(const struct versions *versions, const char *function, unsigned line,
                   const char **file, unsigned *out)
{
	const struct version_pair *pair;

	for (uint32_t i = 0; (pair = versions_at(versions, i)); i++) {
		LLVMValueRef found = strcmp(pair->functions[0]->name, function)
		                             ? NULL
		                             : find_counterpart(pair, line);
		unsigned length;

		if (!found)
			continue;
		*file = LLVMGetDebugLocFilename(found, &length);
		*out = LLVMGetDebugLocLine(found);
		return true;
	}
	return false;
}
