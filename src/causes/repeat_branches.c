/* Branches that go as they do in the other run, once more: see repeat_compare.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/cause.h"
#include "causes/repeat_compare.h"

const struct align_fork *repeat_fork(const struct repeat_comparison *c, uint64_t time)
{
	const struct alignment *alignment = c->h.alignment;

	for (uint32_t i = 0; i < alignment->forks.size; i++)
		if (alignment->forks.at[i].a == time && alignment->forks.at[i].kind == FORK_BRANCH)
			return &alignment->forks.at[i];
	return NULL;
}

/* --- what they are called --- */

static const struct repeat_branch *find(const struct repeat_comparison *c, uint64_t time)
{
	for (uint32_t i = 0; i < c->branches.size; i++)
		if (c->branches.at[i].time == time)
			return &c->branches.at[i];
	return NULL;
}

static void add_times(struct repeat_comparison *c)
{
	for (uint32_t i = 0; i < c->items->all.size; i++) {
		const struct repeat_item *item = &c->items->all.at[i];
		uint64_t time = c->times.at[i];

		if (item->why || repeat_is_alone(item) || !repeat_is_branch(item))
			continue;
		if (!repeat_in_failing(item))
			time = alignment_of_b(c->h.alignment, time);
		if (time && !find(c, time))
			vec_push(&c->branches)->time = time;
	}
}

/* As backward_result.c tells it. */
static void name_branch(struct described_point *d, bool failing, struct repeat_branch *out)
{
	if (d->switched && d->way) {
		out->values[failing] = d->way;
		d->way = NULL;
	} else if (failing) {
		out->values[true] = mem_strdup(!d->condition ? "here"
		                               : d->outcome  ? "true"
		                                             : "false");
		out->values[false] = mem_strdup(!d->condition ? "elsewhere"
		                                : d->outcome  ? "false"
		                                              : "true");
	}
	if (!failing)
		return;
	out->changed = d->condition  ? d->condition
	               : d->switched ? d->switched
	                             : mem_strdup("the jump");
	if (d->condition)
		d->condition = NULL;
	else
		d->switched = NULL;
}

static struct hence_error *describe(struct repeat_comparison *c, bool in_failing)
{
	uint32_t count = c->branches.size, used = 0;
	struct described_point *described = mem_alloc((count + 1) * sizeof(*described));
	struct cause_point *points = mem_alloc((count + 1) * sizeof(*points));
	uint32_t *numbers = mem_alloc((count + 1) * sizeof(*numbers));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t time = c->branches.at[i].time;

		if (!in_failing)
			time = c->branches.at[i].values[false]
			               ? 0
			               : alignment_of_a(c->h.alignment, time);
		if (!time)
			continue;
		points[used].failing_time = time;
		described[used].point = &points[used];
		described[used].maker = time;
		numbers[used++] = i;
	}
	error = used ? cause_describe(c->h.runs[in_failing], described, used) : NULL;
	for (uint32_t i = 0; i < used; i++) {
		if (!error)
			name_branch(&described[i], in_failing, &c->branches.at[numbers[i]]);
		described_point_deinit(&described[i]);
		cause_point_deinit(&points[i]);
	}
	free(numbers);
	free(points);
	free(described);
	return error;
}

struct hence_error *repeat_describe_branches(struct repeat_comparison *c)
{
	struct hence_error *error;

	add_times(c);
	error = describe(c, true);
	return error ? error : describe(c, false);
}

static void check_branch(struct repeat_comparison *c, struct repeat_item *item, uint64_t time)
{
	const struct repeat_branch *branch = find(c, time);
	bool in_failing = repeat_in_failing(item);
	const char *other;

	if (!branch || !branch->changed || !branch->values[true]) {
		repeat_refuse(item, REPEAT_UNTRIED, mem_strdup("there is no branch there"));
		return;
	}
	other = branch->values[false] ? branch->values[false] : "another";
	if (!item->proof->changed || strcmp(item->proof->changed, branch->changed))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("what is decided there is %s", branch->changed));
	else
		repeat_check_change(item, item->proof->from,
		                    in_failing ? branch->values[true] : other, item->proof->to,
		                    in_failing ? other : branch->values[true]);
}

/* --- the experiment --- */

/* A branch that only the failing run has. */
static struct hence_error *turn_round(struct repeat_comparison *c, struct repeat_item *item,
                                      uint64_t own, enum verdict *out)
{
	struct point at;
	struct hence_error *error = points_find(c->h.runs[true], &own, 1, &at);

	if (error)
		return error;
	if (!repeat_in_failing(item) || item->proof->local) {
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the branch goes the same way in both runs"));
		return NULL;
	}
	return hybrid_switch(&c->h, &at, true, out);
}

struct hence_error *repeat_branch(struct repeat_comparison *c, struct repeat_item *item,
                                  uint64_t own, uint64_t time, enum verdict *out)
{
	const struct align_fork *fork = repeat_fork(c, time);
	struct hybrid_goal *goal = NULL;
	struct hence_error *error = NULL;

	check_branch(c, item, time);
	if (!item->why && fork)
		error = repeat_goal(c, item, &goal);
	if (!error && !item->why)
		error = fork ? hybrid_force(&c->h, fork, repeat_in_failing(item), goal, out)
		             : turn_round(c, item, own, out);
	hybrid_goal_destroy(goal);
	return error;
}
