/* Functions of two runs: see functions.h. */
#include "align/functions.h"

#include "model/control.h"

static struct align_function *create(struct align_functions *functions,
                                     const struct plan_function *plan)
{
	struct align_function *f = mem_alloc(sizeof(*f));

	*vec_push(&functions->all) = f;
	f->plan = plan;
	f->until = control_regions(plan);
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

static struct align_module *module_create(struct align_functions *functions,
                                          const struct program_module *module)
{
	struct align_module *m = mem_alloc(sizeof(*m));

	memcpy(m->hash, module->hash, sizeof(m->hash));
	m->plan = module->plan;
	m->functions = mem_alloc((module->plan->functions.size + 1) * sizeof(*m->functions));
	*vec_push(&functions->modules) = m;
	return m;
}

void align_functions_deinit(struct align_functions *functions)
{
	for (uint32_t i = 0; i < functions->all.size; i++) {
		struct align_function *f = functions->all.at[i];

		free(f->until);
		free(f->first);
		free(f->where);
		free(f->branches);
		free(f->ends);
		free(f);
	}
	vec_deinit(&functions->all);
	for (uint32_t i = 0; i < functions->modules.size; i++) {
		free(functions->modules.at[i]->functions);
		free(functions->modules.at[i]);
	}
	align_function_map_deinit(&functions->paired[0]);
	align_function_map_deinit(&functions->paired[1]);
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

		if (!m->taken[run] && !memcmp(m->hash, module->hash, sizeof(m->hash)) &&
		    (!functions->versions || m->plan == module->plan))
			return m;
	}
	return module_create(functions, module);
}

/* --- versions --- */

static struct align_function *create_changed(struct align_functions *functions, unsigned run,
                                             const struct version_pair *pair)
{
	struct align_function *f = create(functions, pair->functions[run]);
	struct align_function **other =
		align_function_map_find(&functions->paired[!run], (uint64_t)pair);
	uint32_t count;
	uint32_t number = 0;

	f->matches = pair->matches[run];
	count = pair->counts[run];
	f->first = mem_alloc(f->plan->blocks.size * sizeof(*f->first));
	f->where = mem_alloc((count + 1) * sizeof(*f->where));
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		f->first[b] = number;
		for (uint32_t i = 0; i < f->plan->blocks.at[b].statements; i++)
			f->where[number++] = b;
	}
	/* A branch that only one version has opens no node. */
	for (uint32_t b = 0; b < f->plan->blocks.size; b++) {
		const struct plan_block *block = &f->plan->blocks.at[b];

		f->branches[b] &= f->ends[block->first + block->count - 1] &&
		                  f->matches[f->first[b] + block->statements - 1] != VERSIONS_NONE;
	}
	if (other) {
		f->other = *other;
		(*other)->other = f;
	}
	return f;
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
	if (!*function && functions->versions) {
		const struct plan_function *plan = program_function(program, place);
		const struct version_pair *pair = versions_find(functions->versions, run, plan);
		struct align_function **known;

		if (!pair) {
			*function = create(functions, plan);
		} else {
			known = align_function_map_put(&functions->paired[pair->same ? 0 : run],
			                               (uint64_t)pair);
			if (!*known)
				*known = pair->same ? create(functions, plan)
				                    : create_changed(functions, run, pair);
			*function = *known;
		}
	} else if (!*function) {
		*function = create(functions, program_function(program, place));
	}
	return *function;
}
