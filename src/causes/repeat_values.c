/* Values that one run gets from the other, once more: see repeat_compare.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/repeat_compare.h"

/* --- the variables --- */

/* Names with ', ' between, which may stand in brackets or quotes, too. */
struct name_list {
	VEC(char *) all;
};

static void name_list_deinit(struct name_list *list)
{
	for (uint32_t i = 0; i < list->all.size; i++)
		free(list->all.at[i]);
	vec_deinit(&list->all);
}

/* The end of a name: a comma, or that of the text. */
static const char *end_of_name(const char *at)
{
	int depth = 0;
	char quote = 0;

	for (; *at; at++) {
		if (quote && *at == '\\' && at[1])
			at++;
		else if (quote)
			quote = *at == quote ? 0 : quote;
		else if (*at == '"' || *at == '\'')
			quote = *at;
		else if (strchr("([{", *at))
			depth++;
		else if (strchr(")]}", *at))
			depth--;
		else if (!depth && at[0] == ',' && at[1] == ' ')
			break;
	}
	return at;
}

static void split(const char *text, struct name_list *out)
{
	while (text && *text) {
		const char *end = end_of_name(text);

		*vec_push(&out->all) = mem_strndup(text, (size_t)(end - text));
		text = *end ? end + 2 : end;
	}
}

static const char *value_of(const struct difference *d, bool failing)
{
	const char *value = failing ? d->a : d->b;

	return value ? value : "?";
}

/* Several parts of one text have the same name: that which is not chosen yet and whose values the proof has. */
static uint32_t find(const struct hybrid_point *point, const char *name,
                     const struct explanation_proof *proof, const struct dd_set *chosen)
{
	bool in_failing = !strcmp(proof->in, "failing");
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < point->count; i++) {
		const struct difference *d = &point->differences[i];

		if (!d->name || strcmp(d->name, name) || dd_set_has(chosen, i))
			continue;
		if (proof->from && proof->to && strstr(proof->from, value_of(d, in_failing)) &&
		    strstr(proof->to, value_of(d, !in_failing)))
			return i;
		found = found == UINT32_MAX ? i : found;
	}
	return found;
}

/* Adds what the variable has in both runs; false: it is not among the differences. */
static bool choose(struct hybrid_point *point, const char *name,
                   const struct explanation_proof *proof, struct dd_set *chosen,
                   struct str values[2])
{
	uint32_t at = find(point, name, proof, chosen);

	if (at == UINT32_MAX)
		return false;
	dd_set_put(chosen, at, true);
	for (unsigned side = 0; side < 2; side++)
		str_printf(&values[side], "%s%s", values[side].length ? ", " : "",
		           value_of(&point->differences[at], side));
	return true;
}

static void refuse_missing(struct repeat_item *item, const char *name)
{
	repeat_refuse(item, REPEAT_UNTRIED,
	              str_format("%s does not differ between the two runs there", name));
}

/* Is it the experiment that the report tells of? */
static void check_values(struct repeat_item *item, const struct str values[2])
{
	const struct explanation_proof *proof = item->proof;
	bool in_failing = repeat_in_failing(item);

	repeat_check_change(item, proof->from, str_text(&values[in_failing]), proof->to,
	                    str_text(&values[!in_failing]));
}

static void choose_all(struct hybrid_point *point, struct repeat_item *item, struct dd_set *chosen)
{
	struct name_list names = {VEC_INIT};
	struct str values[2] = {STR_INIT, STR_INIT};

	split(item->proof->changed, &names);
	for (uint32_t i = 0; i < names.all.size && !item->why; i++)
		if (!choose(point, names.all.at[i], item->proof, chosen, values))
			refuse_missing(item, names.all.at[i]);
	if (!names.all.size)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the report does not say what was changed"));
	if (!item->why)
		check_values(item, values);
	for (unsigned side = 0; side < 2; side++)
		str_deinit(&values[side]);
	name_list_deinit(&names);
}

/* --- what it was to bring about --- */

static void choose_aim(struct hybrid_point *later, const struct explanation_aim *aim,
                       struct repeat_item *item, struct dd_set *set)
{
	struct explanation_proof any = {.in = "failing"};
	struct str values[2] = {STR_INIT, STR_INIT};

	for (uint32_t i = 0; i < aim->names.size; i++)
		if (!choose(later, aim->names.at[i], &any, set, values))
			repeat_refuse(item, REPEAT_UNTRIED,
			              str_format("%s, which was to be brought about, does not "
			                         "differ between the two runs later",
			                         aim->names.at[i]));
	for (unsigned side = 0; side < 2; side++)
		str_deinit(&values[side]);
}

/* What the aims are. */
struct wanted {
	struct hybrid_point *later;
	struct dd_set set;
	VEC(const struct align_fork *) forks;
};

static struct hence_error *take_aim(struct repeat_comparison *c, struct repeat_item *item,
                                    const struct explanation_aim *aim, struct wanted *out)
{
	struct hybrid_point *point = repeat_point(c, aim->time);
	const struct align_fork *fork = aim->names.size ? NULL : repeat_fork(c, aim->time);
	struct hence_error *error = NULL;

	if (fork)
		*vec_push(&out->forks) = fork;
	if (fork || item->why)
		return NULL;
	if (!point || out->later || !aim->names.size) {
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the two runs do not meet where it was judged"));
		return NULL;
	}
	error = hybrid_compare(&c->h, point);
	if (error)
		return error;
	out->later = point;
	dd_set_init(&out->set, point->count, false);
	choose_aim(point, aim, item, &out->set);
	return NULL;
}

struct hence_error *repeat_goal(struct repeat_comparison *c, struct repeat_item *item,
                                struct hybrid_goal **out)
{
	const struct explanation_proof *proof = item->proof;
	struct wanted wanted = {0};
	struct hence_error *error = NULL;

	*out = NULL;
	if (!proof->local)
		return NULL;
	for (uint32_t i = 0; i < proof->aims.size && !error; i++)
		error = take_aim(c, item, &proof->aims.at[i], &wanted);
	if (!error && !item->why && proof->aims.size)
		error = hybrid_goal_create(&c->h, wanted.later, &wanted.set, wanted.forks.at,
		                           wanted.forks.size, out);
	if (!error && !*out)
		repeat_refuse(item, REPEAT_UNTRIED,
		              mem_strdup("the report does not say by what it was judged"));
	if (wanted.later)
		dd_set_deinit(&wanted.set);
	vec_deinit(&wanted.forks);
	return error;
}

/* --- the experiment --- */

struct hence_error *repeat_values(struct repeat_comparison *c, struct repeat_item *item,
                                  uint64_t time, enum verdict *out)
{
	struct hybrid_point *point = repeat_point(c, time);
	enum hybrid_way way = repeat_in_failing(item) ? HYBRID_FAILING : HYBRID_REFERENCE;
	struct hybrid_goal *goal = NULL;
	struct dd_set chosen;
	struct hence_error *error = hybrid_compare(&c->h, point);

	if (error)
		return error;
	dd_set_init(&chosen, point->count, false);
	choose_all(point, item, &chosen);
	if (!item->why)
		error = repeat_goal(c, item, &goal);
	if (!error && !item->why)
		error = hybrid_ask(&c->h, point, way, &chosen, goal, out);
	hybrid_goal_destroy(goal);
	dd_set_deinit(&chosen);
	return error;
}
