/*
 * Smallest sets of differences that bring about a goal: see infer.h. Sumner and Zhang, Comparative
 * Causality (ICSE 2013), sections on the symmetric test and on minimising the cut.
 */
#include "methods/infer.h"

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

/* Does the model not know of the set that experiments found? Then a larger one of its own says
   little. */
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
		struct str text = STR_INIT;

		model->other++;

		str_printf(&text, "at statement %llu of the failing run the exact model finds ",
		           (unsigned long long)point->times[true]);
		add_names(&text, point, &set);
		str_add(&text, ", experiments ");
		add_names(&text, point, &inferred->set);
		*vec_push(&model->notes) = str_steal(&text);
	}
	dd_set_assign(&inferred->set, &set);
	dd_set_deinit(&set);
	inferred->sufficient = true;
	inferred->way = HYBRID_BOTH;
	inferred->beyond_cut = false;
	inferred->why = NULL;
	return NULL;
}

/* ------ the whole ------ */

/* So few candidates are asked about one by one before anything else: mostly the cause is one
   variable. */
#define FEW 4u

struct inference {
	struct hybrids *h;
	struct hybrid_point *point;
	struct hybrid_goal *goal;
	struct inferred *out;
	enum verdict verdict; /* the last */
	bool confounded;      /* a run with all candidates went a way that neither had */
};

/* --- candidates --- */

static bool crosses(const struct hybrid_point *point, const struct dual *dual,
                    const struct difference *d)
{
	return dual_crosses(dual, 0, point->times[true], d->a_address, d->size) ||
	       dual_crosses(dual, 1, point->times[false], d->b_address, d->b_size);
}

void infer_cut(const struct hybrid_point *point, const struct dual *dual, struct dd_set *out)
{
	dd_set_init(out, point->count, false);
	for (uint32_t i = 0; i < point->count; i++)
		if (crosses(point, dual, &point->differences[i]))
			dd_set_put(out, i, true);
}

/* --- questions --- */

static bool is_over(struct inference *n)
{
	return budget_is_over(n->h->pair.budget);
}

/* Do these differences bring about the goal? */
static struct hence_error *ask_both(struct inference *n, const struct dd_set *set, bool *yes)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error = hybrid_ask(n->h, n->point, n->out->way, set, n->goal, &verdict);

	*yes = !error && verdict == (n->out->way == HYBRID_FAILING ? VERDICT_PASS : VERDICT_FAIL);
	n->verdict = verdict;
	return error;
}

/* A single candidate that is sufficient, the first in order. `set` keeps it alone then. */
static struct hence_error *find_single(struct inference *n, struct dd_set *set, bool *found)
{
	struct hence_error *error = NULL;
	struct dd_set single;

	dd_set_init(&single, set->count, false);
	*found = false;
	for (uint32_t i = 0; i < set->size && !*found && !error; i++) {
		dd_set_clear(&single);
		dd_set_put(&single, dd_set_nth(set, i), true);
		error = ask_both(n, &single, found);
	}
	if (*found)
		dd_set_assign(set, &single);
	dd_set_deinit(&single);
	return error;
}

/* Makes `set` a smallest sufficient one within it. Not found: it is as it was. */
static struct hence_error *search(struct inference *n, struct dd_set *set, bool *found)
{
	struct hence_error *error = NULL;
	uint64_t confounded;

	*found = false;
	n->out->candidates = set->size;
	if (set->size && set->size <= FEW)
		error = find_single(n, set, found);
	if (error || *found || !set->size)
		return error;
	confounded = n->h->confounded;
	error = ask_both(n, set, found);
	n->confounded = n->h->confounded > confounded;
	if (error || !*found)
		return error;
	if (set->size <= FEW) {
		/* No single difference is sufficient. Removes differences, one at a time, until
		   each that is left is needed. */
		uint32_t before;

		do {
			before = set->size;
			for (uint32_t i = set->count; i-- && set->size > 2 && !error;) {
				bool enough = false;

				if (!dd_set_has(set, i))
					continue;
				dd_set_put(set, i, false);
				error = ask_both(n, set, &enough);
				if (!enough)
					dd_set_put(set, i, true);
			}
		} while (!error && set->size < before);
		return error;
	}
	return hybrid_minimise(n->h, n->point, n->out->way, n->goal, set);
}

/* --- from the cut to all, from both directions to one --- */

/* Searches among the cut, then among all differences. out->set is what was found, or empty. */
static struct hence_error *search_wider(struct inference *n, const struct dual *dual, bool *found)
{
	struct hence_error *error = NULL;
	struct dd_set set;

	*found = false;
	n->out->beyond_cut = false;
	if (dual) {
		infer_cut(n->point, dual, &set);
		error = search(n, &set, found);
	}
	if (!error && !*found && (!dual || set.size < n->point->count)) {
		if (dual)
			dd_set_deinit(&set);
		n->out->beyond_cut = dual;
		dd_set_init(&set, n->point->count, true);
		error = search(n, &set, found);
	}
	if (*found)
		dd_set_assign(&n->out->set, &set);
	dd_set_deinit(&set);
	return error;
}

/* Why nothing was found. */
static const char *obstacle(struct inference *n)
{
	const char *hidden = state_diff_hidden(n->point->diff);

	if (is_over(n))
		return "there was no time left";
	if (!n->point->count)
		return hidden ? hidden : "the runs do not differ there";
	if (n->confounded)
		return "a run with all values of the other went a way that neither run had";
	if (hidden)
		return hidden;
	if (n->verdict == (n->out->way == HYBRID_FAILING ? VERDICT_FAIL : VERDICT_PASS))
		return "all differences there together do not bring it about";
	return "a run with all values of the other shows what neither run does";
}

static struct hence_error *infer(struct inference *n, const struct infer_options *options)
{
	const enum hybrid_way one[] = {HYBRID_REFERENCE, HYBRID_FAILING};
	bool found;
	struct hence_error *error;

	n->out->way = options->way;
	error = search_wider(n, options->dual, &found);
	for (uint32_t i = 0; i < 2 && options->way == HYBRID_BOTH && !found && !error; i++) {
		n->out->way = one[i];
		error = search_wider(n, options->dual, &found);
	}
	/* What was cut short is not minimal: better nothing. */
	if (found && is_over(n)) {
		found = false;
		dd_set_clear(&n->out->set);
	}
	n->out->sufficient = found;
	n->out->why = found ? NULL : obstacle(n);
	if (!error && options->model && options->dual && !is_over(n))
		error = infer_compare(options, n->point, n->goal, n->out);
	return error;
}

struct hence_error *infer_causes(struct hybrids *h, struct hybrid_point *point,
                                 struct hybrid_goal *goal, const struct infer_options *options,
                                 struct inferred *out)
{
	struct inferred inferred = {0};
	struct inference n = {.h = h, .point = point, .goal = goal, .out = &inferred};
	struct hence_error *error = hybrid_compare(h, point);

	if (error)
		return error;
	inferred.confounded = h->confounded;
	dd_set_init(&inferred.set, point->count, false);
	error = infer(&n, options);
	inferred.confounded = h->confounded - inferred.confounded;
	if (error)
		inferred_deinit(&inferred);
	else
		*out = inferred;
	return error;
}

void inferred_deinit(struct inferred *inferred)
{
	dd_set_deinit(&inferred->set);
	*inferred = (struct inferred){0};
}
