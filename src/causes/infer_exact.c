/* Smallest sets that the exact model calls sufficient, beside those of experiments: see infer.h. */
#include "causes/infer.h"

/* --- the model's answer --- */

struct asking {
	struct exact *exact;
	const struct hybrid_point *point;
	const struct hybrid_wanted *goal;
	uint64_t id; /* the last one that was asked, and the answer */
	enum verdict verdict;
	bool unknown; /* the last answer is that it does not know */
};

/* VERDICT_FAIL: the set is sufficient, in both directions. */
static struct hence_error *ask(struct asking *a, const struct dd_set *set, enum verdict *out)
{
	struct exact_judgement judgement;
	struct hence_error *error =
		exact_judge(a->exact, a->point, false, set, a->goal, &judgement);

	*out = VERDICT_UNRESOLVED;
	a->unknown = !error && judgement.unknown;
	if (error || judgement.verdict != VERDICT_FAIL)
		return error;
	error = exact_judge(a->exact, a->point, true, set, a->goal, &judgement);
	a->unknown = !error && judgement.unknown;
	if (!error && judgement.verdict == VERDICT_PASS)
		*out = VERDICT_FAIL;
	return error;
}

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct asking *a = context;

	a->id = id;
	return ask(a, set, &a->verdict);
}

static struct hence_error *wait_for(void *context, uint64_t *id, enum verdict *out)
{
	const struct asking *a = context;

	*id = a->id;
	*out = a->verdict;
	return NULL;
}

struct hence_error *infer_exactly(struct exact *exact, const struct dual *dual,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct dd_set *set, bool *found)
{
	struct hybrid_wanted wanted = goal ? hybrid_goal_wanted(goal) : (struct hybrid_wanted){0};
	struct asking a = {.exact = exact, .point = point, .goal = goal ? &wanted : NULL};
	struct dd_search search = {
		.count = point->count, .room = 1, .start = start, .wait = wait_for, .context = &a};
	enum verdict verdict;
	struct hence_error *error;
	struct dd_set cut;

	infer_cut(point, dual, &cut);
	error = ask(&a, &cut, &verdict);
	*found = !error && cut.size && verdict == VERDICT_FAIL;
	if (*found)
		error = dd_minimise(&search, &cut, NULL);
	*found &= !error;
	if (*found)
		*set = cut;
	else
		dd_set_deinit(&cut);
	return error;
}

/* --- beside experiments --- */

/* Does the model not know of the set that experiments found? Then a larger one of its own says little. */
static struct hence_error *is_unknown(struct exact *exact, const struct hybrid_point *point,
                                      const struct hybrid_goal *goal, const struct dd_set *set,
                                      bool *out)
{
	struct hybrid_wanted wanted = goal ? hybrid_goal_wanted(goal) : (struct hybrid_wanted){0};
	struct asking a = {.exact = exact, .point = point, .goal = goal ? &wanted : NULL};
	enum verdict verdict;
	struct hence_error *error = ask(&a, set, &verdict);

	*out = a.unknown;
	return error;
}

static void add_names(struct str *out, const struct hybrid_point *point, const struct dd_set *set)
{
	for (uint32_t i = 0; i < set->size; i++)
		str_printf(out, "%s%s", i ? ", " : "", point->differences[dd_set_nth(set, i)].name);
	if (!set->size)
		str_add(out, "nothing");
}

static void tell(struct infer_model *model, const struct hybrid_point *point,
                 const struct dd_set *exact, const struct dd_set *experiments)
{
	struct str text = STR_INIT;

	str_printf(&text, "at statement %llu of the failing run the exact model finds ",
	           (unsigned long long)point->times[true]);
	add_names(&text, point, exact);
	str_add(&text, ", experiments ");
	add_names(&text, point, experiments);
	*vec_push(&model->notes) = str_steal(&text);
}

struct hence_error *infer_compare(const struct infer_options *options,
                                  const struct hybrid_point *point, const struct hybrid_goal *goal,
                                  struct inferred *inferred)
{
	struct infer_model *model = options->model;
	struct dd_set set;
	bool found, unknown = false;
	struct hence_error *error =
		infer_exactly(model->exact, options->dual, point, goal, &set, &found);

	if (!error && found && inferred->sufficient && !dd_set_equal(&set, &inferred->set))
		error = is_unknown(model->exact, point, goal, &inferred->set, &unknown);
	if (found && (error || unknown))
		dd_set_deinit(&set);
	if (error || !found || unknown) {
		model->silent += !error && inferred->sufficient;
		return error;
	}
	if (dd_set_equal(&set, &inferred->set)) {
		model->same++;
	} else {
		model->other++;
		tell(model, point, &set, &inferred->set);
	}
	dd_set_assign(&inferred->set, &set);
	dd_set_deinit(&set);
	inferred->sufficient = true;
	inferred->way = HYBRID_BOTH;
	inferred->beyond_cut = false;
	inferred->why = NULL;
	return NULL;
}
