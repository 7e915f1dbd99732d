/* References that are the failing run with a branch going another way: see pair.h. */
#include <stdlib.h>

#include "cli/pair.h"
#include "report/recipe.h"
#include "trace/walk.h"

#define MOST_FOUND 3u
#define PATIENCE   2.0 /* seconds for the search */

/* Without them there is less to compare with, and no more. */
static void tell(struct pair *p, struct hence_error *error)
{
	if (error && !budget_is_over(&p->search.budget))
		pair_note(p, str_format("branches that could go another way: %s", error->message));
	error_destroy(error);
}

void pair_add_patched(struct pair *p)
{
	const struct budget budget = {.whole = &p->search.budget,
	                              .until = budget_clock() + PATIENCE};
	struct comparison pair = pair_comparison(p);
	struct walk_limit before;
	struct hence_error *error;

	predicates_deinit(&p->predicates);
	p->predicates = (struct predicates){0};
	pair.budget = &budget;
	before = walk_set_limit((struct walk_limit){budget_stops, (void *)&budget});
	error = predicates_find(&pair, PREDICATES_NEAREST, MOST_FOUND, &p->predicates);
	budget_hide(&budget);
	walk_set_limit(before);
	p->experiments += p->predicates.experiments;
	tell(p, error);
	for (uint32_t i = 0; i < p->predicates.all.size; i++)
		if (predicate_counts(&p->predicates.all.at[i]))
			*vec_push(&p->candidates) =
				(struct pair_candidate){.kind = PAIR_PATCHED,
			                                .given = -1,
			                                .input = &p->reduced.failing,
			                                .predicate = &p->predicates.all.at[i]};
}

/* --- of a report --- */

static struct hence_error *refuse(const struct recipe_patch *patch)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "there is no branch at %s:%u that could be turned round as the report "
	                    "says (time %llu)",
	                    patch->file ? patch->file : "?", patch->line,
	                    (unsigned long long)patch->instance);
}

/* Is there a branch at that point that can go that way? */
static struct hence_error *check_patch(const struct pair *p, const struct point *point)
{
	const struct recipe_patch *patch = &p->recipe->patch;
	struct point_sites *sites;
	struct hence_error *error = point_sites_create(&p->failing.recording, &sites);
	uint64_t value;

	if (error)
		return error;
	if (point->count != patch->instance ||
	    !point_sites_find(sites, &point->site, HENCE_SITE_BRANCH, NULL, 0) ||
	    !point_sites_value(sites, &point->site, patch->outcome, &value))
		error = refuse(patch);
	point_sites_destroy(sites);
	return error;
}

struct hence_error *pair_add_patch(struct pair *p)
{
	const struct recipe_patch *patch = &p->recipe->patch;
	struct predicate *predicate;
	struct point point;
	struct hence_error *error = points_find(&p->failing.recording, &patch->time, 1, &point);

	if (!error)
		error = check_patch(p, &point);
	if (error)
		return error;
	predicate = vec_push(&p->predicates.all);
	*predicate = (struct predicate){.patch = {.site = point.site,
	                                          .count = point.count,
	                                          .time = point.time,
	                                          .outcome = patch->outcome},
	                                .time = patch->time,
	                                .file = patch->file ? mem_strdup(patch->file) : NULL,
	                                .line = patch->line,
	                                .instance = patch->instance,
	                                .instances = patch->instances};
	*vec_push(&p->candidates) = (struct pair_candidate){.kind = PAIR_PATCHED,
	                                                    .given = -1,
	                                                    .input = &p->reduced.failing,
	                                                    .predicate = predicate};
	return NULL;
}
