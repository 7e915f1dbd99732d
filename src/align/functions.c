/* Functions of two runs: see functions.h. */
#include "align/functions.h"

#include "model/control.h"

static struct align_function *function_create(const struct plan_function *plan)
{
	struct align_function *f = mem_alloc(sizeof(*f));

	f->plan = plan;
	f->until = control_postdominators(plan);
	f->branches = mem_alloc(plan->blocks.size);
	f->ends = mem_alloc(plan->records.size + 1);
	for (uint32_t i = 0; i < plan->records.size; i++)
		f->ends[i] = plan_ends_statement(plan->records.at[i].instruction);
	for (uint32_t b = 0; b < plan->blocks.size; b++) {
		const struct plan_block *block = &plan->blocks.at[b];
		enum plan_kind kind = plan->records.at[block->first + block->count - 1].kind;

		f->branches[b] = kind == PLAN_BRANCH || kind == PLAN_SWITCH || kind == PLAN_JUMP;
	}
	return f;
}

static void function_destroy(struct align_function *f)
{
	if (!f)
		return;
	free(f->until);
	free(f->branches);
	free(f->ends);
	free(f);
}

static struct align_module *module_create(struct align_functions *functions,
                                          const struct program_module *module)
{
	struct align_module *m = mem_alloc(sizeof(*m));

	memcpy(m->hash, module->hash, sizeof(m->hash));
	m->count = module->plan->functions.size;
	m->functions = mem_alloc((m->count + 1) * sizeof(*m->functions));
	*vec_push(&functions->modules) = m;
	return m;
}

void align_functions_deinit(struct align_functions *functions)
{
	for (uint32_t i = 0; i < functions->modules.size; i++) {
		struct align_module *m = functions->modules.at[i];

		for (uint32_t k = 0; k < m->count; k++)
			function_destroy(m->functions[k]);
		free(m->functions);
		free(m);
	}
	vec_deinit(&functions->modules);
	vec_deinit(&functions->numbered[0]);
	vec_deinit(&functions->numbered[1]);
}

/* The same IR may be in a program twice: the first such module of one run is the first of the other. */
static struct align_module *find_module(struct align_functions *functions, unsigned run,
                                        const struct program_module *module)
{
	for (uint32_t i = 0; i < functions->modules.size; i++) {
		struct align_module *m = functions->modules.at[i];

		if (!m->taken[run] && !memcmp(m->hash, module->hash, sizeof(m->hash)))
			return m;
	}
	return module_create(functions, module);
}

const struct align_function *align_function(struct align_functions *functions, unsigned run,
                                            const struct program *program,
                                            struct program_place place)
{
	struct align_module **module;
	struct align_function **function;

	while (functions->numbered[run].size <= place.module)
		vec_push(&functions->numbered[run]);
	module = &functions->numbered[run].at[place.module];
	if (!*module) {
		*module = find_module(functions, run, &program->modules.at[place.module]);
		(*module)->taken[run] = true;
	}
	function = &(*module)->functions[place.function];
	if (!*function)
		*function = function_create(program_function(program, place));
	return *function;
}
