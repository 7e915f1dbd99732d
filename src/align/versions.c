/* Two versions of a program: see versions.h. */
#include "align/versions.h"

#include "align/version_match.h"
#include "base/map.h"
#include "run/blobs.h"

MAP_DEFINE_U64(pair_map, uint32_t);
MAP_DEFINE_STRING(plan_map, uint32_t);

struct program_functions {
	VEC(const struct plan_function *) list;
};

struct versions {
	VEC(struct version_pair *) pairs;
	struct pair_map index[2]; /* of pairs, by function */
};

static struct hence_error *list_functions(struct modules *modules, const char *path,
                                          struct program_functions *out)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	if (!blobs_count(blobs))
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s was not built with hence cc; rebuild it with CC=hence-cc",
		                     path);
	for (uint32_t i = 0; !error && i < blobs_count(blobs); i++) {
		const struct plan *plan;

		error = modules_find(modules, path, blobs_at(blobs, i)->header.hash, &plan);
		for (uint32_t k = 0; !error && k < plan->functions.size; k++)
			*vec_push(&out->list) = &plan->functions.at[k];
	}
	blobs_close(blobs);
	return error;
}

/* --- statements --- */

static uint32_t count_statements(const struct plan_function *f)
{
	uint32_t count = 0;

	for (uint32_t b = 0; b < f->blocks.size; b++)
		count += f->blocks.at[b].statements;
	return count;
}

/* --- functions --- */

static bool is_same_block(const struct plan_function *a, const struct plan_function *b, uint32_t n)
{
	const struct plan_block *x = &a->blocks.at[n], *y = &b->blocks.at[n];

	if (x->statements != y->statements || x->count != y->count || x->first != y->first ||
	    x->successors != y->successors)
		return false;
	for (uint32_t i = 0; i < x->successors; i++)
		if (a->successors.at[x->successor + i] != b->successors.at[y->successor + i])
			return false;
	for (uint32_t i = x->first; i < x->first + x->count; i++)
		if (a->records.at[i].kind != b->records.at[i].kind ||
		    a->records.at[i].statement != b->records.at[i].statement ||
		    a->records.at[i].returns_twice != b->records.at[i].returns_twice)
			return false;
	return true;
}

static bool is_same_function(const struct version_pair *pair)
{
	const struct plan_function *a = pair->functions[0], *b = pair->functions[1];

	if (a->blocks.size != b->blocks.size || a->records.size != b->records.size ||
	    pair->counts[0] != pair->counts[1])
		return false;
	for (uint32_t i = 0; i < a->blocks.size; i++)
		if (!is_same_block(a, b, i))
			return false;
	for (uint32_t i = 0; i < pair->counts[0]; i++)
		if (pair->matches[0][i] != i)
			return false;
	return true;
}

static struct hence_error *add_pair(struct versions *v, struct version_sources *sources,
                                    const struct plan_function *a, const struct plan_function *b)
{
	struct version_pair *pair = mem_alloc(sizeof(*pair));
	struct version_lines lines = {0};
	struct hence_error *error;

	*vec_push(&v->pairs) = pair;
	pair->functions[0] = a;
	pair->functions[1] = b;
	for (unsigned i = 0; i < 2; i++) {
		pair->counts[i] = count_statements(pair->functions[i]);
		pair->matches[i] = mem_alloc((pair->counts[i] + 1) * sizeof(uint32_t));
		memset(pair->matches[i], 0xff, pair->counts[i] * sizeof(uint32_t));
		*pair_map_put(&v->index[i], (uint64_t)pair->functions[i]) = v->pairs.size;
	}
	if (a == b) {
		for (uint32_t i = 0; i < pair->counts[0]; i++)
			pair->matches[0][i] = pair->matches[1][i] = i;
		pair->same = true;
		return NULL;
	}
	error = version_lines_find(sources, a, b, &lines);
	if (!error) {
		version_match(pair, &lines);
		pair->same = is_same_function(pair);
	}
	version_lines_deinit(&lines);
	return error;
}

/* The function with that name; if there are several, the one in a file with the same name. */
static const struct plan_function *find_function(const struct program_functions *in,
                                                 const struct plan_map *names,
                                                 const struct plan_function *wanted)
{
	const uint32_t *first = plan_map_find(names, wanted->name);
	const struct plan_function *found = NULL;
	uint32_t named = 0;

	if (!first)
		return NULL;
	for (uint32_t i = *first; i < in->list.size; i++) {
		const struct plan_function *f = in->list.at[i];

		if (strcmp(f->name, wanted->name))
			continue;
		named++;
		if (version_same_file(f, wanted))
			return f;
		found = f;
	}
	return named == 1 ? found : NULL;
}

static struct hence_error *match_functions(struct versions *v, const struct program_functions *a,
                                           const struct program_functions *b)
{
	struct version_sources sources = {0};
	struct plan_map names = MAP_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = b->list.size; i-- > 0;)
		*plan_map_put(&names, b->list.at[i]->name) = i;
	for (uint32_t i = 0; !error && i < a->list.size; i++) {
		const struct plan_function *other = find_function(b, &names, a->list.at[i]);

		if (other && !versions_find(v, 1, other))
			error = add_pair(v, &sources, a->list.at[i], other);
	}
	plan_map_deinit(&names);
	version_sources_deinit(&sources);
	return error;
}

struct hence_error *versions_create(struct modules *modules_a, const char *a,
                                    struct modules *modules_b, const char *b, struct versions **out)
{
	struct versions *v = mem_alloc(sizeof(*v));
	struct program_functions of_a = {0}, of_b = {0};
	struct hence_error *error = list_functions(modules_a, a, &of_a);

	if (!error)
		error = list_functions(modules_b, b, &of_b);
	if (!error)
		error = match_functions(v, &of_a, &of_b);
	vec_deinit(&of_a.list);
	vec_deinit(&of_b.list);
	if (error)
		versions_destroy(v);
	else
		*out = v;
	return error;
}

void versions_destroy(struct versions *v)
{
	if (!v)
		return;
	for (uint32_t i = 0; i < v->pairs.size; i++) {
		free(v->pairs.at[i]->matches[0]);
		free(v->pairs.at[i]->matches[1]);
		free(v->pairs.at[i]);
	}
	vec_deinit(&v->pairs);
	pair_map_deinit(&v->index[0]);
	pair_map_deinit(&v->index[1]);
	free(v);
}

const struct version_pair *versions_at(const struct versions *v, uint32_t index)
{
	return index < v->pairs.size ? v->pairs.at[index] : NULL;
}

const struct version_pair *versions_find(const struct versions *v, unsigned version,
                                         const struct plan_function *function)
{
	const uint32_t *index = pair_map_find(&v->index[version], (uint64_t)function);

	return index ? v->pairs.at[*index - 1] : NULL;
}
