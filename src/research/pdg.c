/* The program dependence graph: see pdg.h. */
#include "research/pdg.h"

#include "run/blobs.h"
#include "research/flow.h"
#include "trace/modules.h"

void pdg_build(const struct plan *const *plans, uint32_t count, const struct outside_table *models,
               struct score_graph *out)
{
	struct score_functions functions;
	struct points_to *points;
	struct flow flow;

	*out = (struct score_graph){0};
	score_functions_init(&functions, plans, count, models);
	if (functions.all.size) {
		points = points_to_create(&functions);
		flow_init(&flow, &functions, points, out);
		flow_values(&flow);
		flow_reach(&flow);
		flow_branches(&flow);
		flow_deinit(&flow);
		points_to_destroy(points);
	}
	score_functions_deinit(&functions);
}

static struct hence_error *build_from(const struct blobs *blobs, const char *path,
                                      const struct outside_table *models, struct score_graph *out)
{
	struct modules *modules = modules_create();
	VEC(const struct plan *) plans = VEC_INIT;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; !error && i < blobs_count(blobs); i++)
		error = modules_find(modules, path, blobs_at(blobs, i)->header.hash,
		                     vec_push(&plans));
	if (!error)
		pdg_build(plans.at, plans.size, models, out);
	vec_deinit(&plans);
	modules_destroy(modules);
	return error;
}

struct hence_error *pdg_read(const char *path, const struct outside_table *models,
                             struct score_graph *out)
{
	struct blobs *blobs;
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	if (!blobs_count(blobs))
		error = error_create(HENCE_ERROR_INPUT,
		                     "%s was not built with hence cc; build it with hence-cc",
		                     path);
	else
		error = build_from(blobs, path, models, out);
	blobs_close(blobs);
	return error;
}
