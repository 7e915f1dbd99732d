/* Where two runs of the same input part: see pair.h. */
#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "cli/pair.h"

/* 'a.c:17:3 in main()': the statement of a site. NULL: it has no place. Caller frees. */
static char *site_text(const struct program *program, const struct site *site)
{
	const struct plan_function *f =
		&program->modules.at[site->module].plan->functions.at[site->function];
	const struct plan_block *block = &f->blocks.at[site->block];

	for (uint32_t i = block->first; i < block->first + block->count; i++) {
		LLVMValueRef instruction = f->records.at[i].instruction;
		unsigned length;

		if (f->records.at[i].statement != site->statement ||
		    !LLVMInstructionGetDebugLoc(instruction))
			continue;
		return str_format("%s:%u:%u in %s()", LLVMGetDebugLocFilename(instruction, &length),
		                  LLVMGetDebugLocLine(instruction),
		                  LLVMGetDebugLocColumn(instruction), f->name);
	}
	return NULL;
}

/* The place of the statement with this number. *out as above. */
static struct hence_error *find_place(const struct recording *run, uint64_t time, char **out)
{
	struct point point;
	struct walk *walk = NULL;
	struct hence_error *error = points_find(run, &time, 1, &point);

	if (!error)
		error = walk_create(run->modules, run->folder, run->tape, &walk);
	if (error)
		return error;
	error = walk_to_end(walk, run->death);
	if (!error)
		*out = site_text(walk_program(walk), &point.site);
	walk_destroy(walk);
	return error;
}

struct hence_error *pair_part(const struct recording *first, const struct recording *second,
                              char **out)
{
	const struct align_options options = {0};
	struct alignment alignment;
	struct hence_error *error = align_runs(first, second, &options, &alignment);

	*out = NULL;
	if (error)
		return error;
	if (alignment.forks.size)
		error = find_place(first, alignment.forks.at[0].a, out);
	alignment_deinit(&alignment);
	return error;
}
