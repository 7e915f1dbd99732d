/* The moment of a step, for gdb: see gdb.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/repeat_work.h"
#include "cli/gdb.h"

#define TURNS 1000u /* of a loop that does not end, after which gdb stops in it */

static const struct explanation_step *step_of(const struct gdb_command *command,
                                              const struct again *again)
{
	return &again->report.steps.at[command->step - 1];
}

/* The tree may be of another input than the rest. */
static bool is_of_given(const struct gdb_command *command, const struct again *again)
{
	const char *method = step_of(command, again)->method;

	return again->recipe->tree_of_given && method && !strcmp(method, "tree");
}

const struct input *gdb_input(const struct gdb_command *command, const struct again *again)
{
	const struct recipe *recipe = again->recipe;

	if (command->reference && recipe->kind == RECIPE_INPUT)
		return &recipe->reference;
	return is_of_given(command, again) ? &recipe->given : &recipe->failing;
}

/* --- when --- */

static struct hence_error *no_point(const struct gdb_command *command, const char *why)
{
	return error_create(HENCE_ERROR_INPUT, "step %llu: %s", (unsigned long long)command->step,
	                    why);
}

/* A step that was only seen, like the failure itself, has a time and no number. */
static struct hence_error *find_time(const struct gdb_command *command, struct again *again,
                                     const struct recording *run, uint64_t *out)
{
	const struct explanation_step *step = step_of(command, again);
	struct repeat_place place = {
		.at = &step->at,
		.instance = command->reference ? step->reference_instance : step->instance,
		.hint = command->reference ? step->reference_time : step->time,
	};
	struct hence_error *error = NULL;

	/* Of the tree, `time` is that of the statement. */
	if (step->method && !strcmp(step->method, "tree") && step->proofs.size)
		place.hint = step->proofs.at[0].time;
	*out = place.hint;
	/* In another version, and in edited code, the place is another one. */
	if (place.instance && !(command->reference && (again->recipe->kind == RECIPE_PROGRAM ||
	                                               again->recipe->kind == RECIPE_EDIT))) {
		error = repeat_locate(run, &place, 1);
		*out = place.time;
	}
	if (error || *out)
		return error;
	return no_point(command, place.instance
	                                 ? "the run does not come to its place as often as the "
	                                   "report says"
	                         : command->reference
	                                 ? "the reference has no such moment; leave out --reference"
	                                 : "it has no place in the run where gdb could stop");
}

/* --- where --- */

/* What goes on for ever is the same all the time, and gdb takes long to count. */
static bool is_endless(const struct gdb_command *command, const struct again *again)
{
	const struct explanation_step *step = step_of(command, again);

	return step->observed && step->kind && !strcmp(step->kind, "hang");
}

static struct hence_error *find_code(const struct recording *run, const char *program,
                                     const struct point *point, struct gdb_moment *out)
{
	struct point_sites *sites;
	struct hence_error *error = point_sites_create(run, &sites);
	uint32_t count;

	if (error)
		return error;
	count = point_sites_find(sites, &point->site, HENCE_SITE_STATEMENT, NULL, 0);
	vec_reserve(&out->addresses, count);
	out->addresses.size = point_sites_find(sites, &point->site, HENCE_SITE_STATEMENT,
	                                       out->addresses.at, count);
	out->count = point->count;
	out->library = strcmp(point_sites_file(sites, &point->site), program);
	point_sites_destroy(sites);
	return NULL;
}

static struct hence_error *find_in(const struct gdb_command *command, struct again *again,
                                   const struct recording *run, struct gdb_moment *out)
{
	const struct recipe *recipe = again->recipe;
	bool other = command->reference && recipe->kind == RECIPE_PROGRAM;
	char *path = realpath(other ? recipe->other.path : again->program, NULL);
	struct point point;
	uint64_t time;
	struct hence_error *error = find_time(command, again, run, &time);

	if (!error)
		error = points_find(run, &time, 1, &point);
	if (!error)
		error = find_code(run, path ? path : "", &point, out);
	if (!error && is_endless(command, again) && out->count > TURNS)
		out->count = TURNS;
	if (!error && !out->addresses.size)
		error = no_point(command, "its statement has no code");
	free(path);
	return error;
}

/* --- the run --- */

static struct hence_error *check(const struct gdb_command *command, const struct again *again)
{
	if (!command->reference)
		return NULL;
	if (again->recipe->kind == RECIPE_PATCHED)
		return error_create(HENCE_ERROR_INPUT,
		                    "the reference of the report is the failing run with a branch "
		                    "turned round, which gdb cannot do; leave out --reference");
	if (again->recipe->kind == RECIPE_NONE || is_of_given(command, again))
		return error_create(
			HENCE_ERROR_INPUT,
			"step %llu is compared with no other run; leave out --reference",
			(unsigned long long)command->step);
	return NULL;
}

struct hence_error *gdb_find_moment(const struct gdb_command *command, struct again *again,
                                    struct gdb_moment *out, int *code)
{
	struct hence_error *error = check(command, again);
	struct pair pair;

	if (error)
		return error;
	search_catch_signals();
	again_begin(again, !command->reference, is_of_given(command, again), &pair);
	error = pair_repeat(&pair, code);
	if (!error && !*code && (command->reference ? !pair.has_reference : !pair.has_failing))
		error = error_create(HENCE_ERROR_INPUT,
		                     "the run of the report cannot be had again");
	if (!error && !*code)
		error = find_in(command, again,
		                command->reference ? &pair.reference.recording
		                                   : &pair.failing.recording,
		                out);
	if (!error && !*code)
		out->copied = experiments_copied(command->reference ? pair.reference.pool
		                                                    : pair.failing.pool);
	/* Once more, with what gdb needs: a run that nobody debugs is faster without. */
	if (!error && !*code && command->reference && pair.edited)
		error = edited_create(&pair.failing.recording, again->recipe->edit, true,
		                      &out->edited);
	pair_deinit(&pair);
	return error;
}

void gdb_moment_deinit(struct gdb_moment *moment)
{
	edited_destroy(moment->edited);
	vec_deinit(&moment->addresses);
}
