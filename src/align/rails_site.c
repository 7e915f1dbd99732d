/* Branches of one run as the other has them: see rails_site.h. */
#include "align/rails_site.h"

#include "align/versions.h"

static const struct plan_function *function_of(const struct point_branches *run,
                                               const struct site *site)
{
	return &run->modules.at[site->module].plan->functions.at[site->function];
}

/* --- one program --- */

/* Modules may be loaded in another order. The same IR may be there twice: the first is the first. */
static uint32_t find_module(const struct rails_sites *s, uint32_t module)
{
	const uint8_t *hash = s->other->modules.at[module].hash;
	uint32_t before = 0;

	for (uint32_t i = 0; i < module; i++)
		before += !memcmp(s->other->modules.at[i].hash, hash, 16);
	for (uint32_t i = 0; i < s->own->modules.size; i++)
		if (!memcmp(s->own->modules.at[i].hash, hash, 16) && !before--)
			return i;
	return UINT32_MAX;
}

void rails_sites_init(struct rails_sites *s, const struct versions *versions, bool second,
                      const struct point_branches *own, const struct point_branches *other)
{
	*s = (struct rails_sites){versions, second, own, other, NULL};
	s->modules = mem_alloc((other->modules.size + 1) * sizeof(*s->modules));
	for (uint32_t i = 0; i < other->modules.size; i++)
		s->modules[i] = find_module(s, i);
}

void rails_sites_deinit(struct rails_sites *s)
{
	free(s->modules);
}

/* --- two versions --- */

static bool find_function(const struct rails_sites *s, const struct plan_function *function,
                          struct site *out)
{
	for (uint32_t i = 0; i < s->own->modules.size; i++) {
		const struct plan *plan = s->own->modules.at[i].plan;

		if (plan && function >= plan->functions.at &&
		    function < plan->functions.at + plan->functions.size) {
			out->module = i;
			out->function = (uint32_t)(function - plan->functions.at);
			return true;
		}
	}
	return false;
}

/* The block that ends with this statement of the function. */
static bool find_block(const struct plan_function *function, uint32_t statement, uint32_t *out)
{
	for (uint32_t b = 0; b < function->blocks.size; b++) {
		uint32_t count = function->blocks.at[b].statements;

		if (statement < count) {
			*out = b;
			return statement + 1 == count;
		}
		statement -= count;
	}
	return false;
}

static uint32_t statement_of(const struct plan_function *function, const struct site *site)
{
	uint32_t number = site->statement;

	for (uint32_t b = 0; b < site->block; b++)
		number += function->blocks.at[b].statements;
	return number;
}

/* The way of the own branch for the same value. */
static bool translate(const struct plan_function *from, const struct site *branch, uint32_t way,
                      const struct plan_function *to, const struct site *own, uint32_t *out)
{
	uint64_t value;
	uint32_t successor;

	if (!plan_branch_value(from, branch->block, way, &value))
		return false;
	successor = plan_branch_successor(to, own->block, value);
	*out = plan_way(to, own->block,
	                to->successors.at[to->blocks.at[own->block].successor + successor]);
	return true;
}

static bool find_version(const struct rails_sites *s, const struct point_branch *branch,
                         struct site *site, uint32_t *way)
{
	const struct plan_function *from = function_of(s->other, &branch->site), *to;
	const struct version_pair *pair = versions_find(s->versions, !s->second, from);
	uint32_t statement;

	if (!pair || !find_function(s, pair->functions[s->second], site))
		return false;
	to = pair->functions[s->second];
	if (pair->same) {
		site->block = branch->site.block;
		*way = branch->way;
		return true;
	}
	if (branch->loose)
		return false;
	statement = pair->matches[!s->second][statement_of(from, &branch->site)];
	return statement != VERSIONS_NONE && find_block(to, statement, &site->block) &&
	       translate(from, &branch->site, branch->way, to, site, way);
}

bool rails_sites_find(const struct rails_sites *s, const struct point_branch *branch,
                      struct site *site, uint32_t *way)
{
	if (branch->way == POINTS_NO_WAY)
		return false;
	*site = branch->site;
	*way = branch->way;
	if (s->versions)
		return find_version(s, branch, site, way);
	site->module = s->modules[branch->site.module];
	return site->module != UINT32_MAX;
}
