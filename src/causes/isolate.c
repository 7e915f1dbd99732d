/*
 * The search in space: which of the differences at a point decide between pass and fail (relevant deltas
 * of M2). What was relevant at neighbouring points is tried first: it mostly still is, and a chain of
 * causes should not change without need. Else delta debugging isolates a difference; if that needs others
 * beside it, a set that fails by itself is found within them.
 */
#include "causes/transition_work.h"

/* --- who is who --- */

static uint64_t key_of(const struct finder *f, const struct hybrid_point *point,
                       const struct difference *d)
{
	return transition_path_key(&f->path, point->times[true], d);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool same_keys(const struct key_set *a, const struct key_set *b)
{
	return a->keys.size == b->keys.size &&
	       !memcmp(a->keys.at, b->keys.at, a->keys.size * sizeof(*a->keys.at));
}

/* Several parts of a text are one variable. */
static void drop_repeated(struct key_set *set)
{
	uint32_t kept = 1;

	for (uint32_t i = 1; i < set->keys.size; i++)
		if (set->keys.at[i] != set->keys.at[kept - 1])
			set->keys.at[kept++] = set->keys.at[i];
	set->keys.size = kept;
}

/* The number of the set of these variables. */
static uint32_t number_of(struct finder *f, const struct look *look)
{
	struct key_set set = {0};
	uint32_t i = 0;

	for (uint32_t k = 0; k < look->variables.size; k++)
		*vec_push(&set.keys) = look->variables.at[k].key;
	if (!set.keys.size)
		return 0;
	qsort(set.keys.at, set.keys.size, sizeof(*set.keys.at), by_value);
	drop_repeated(&set);
	while (i < f->sets.size && !same_keys(&f->sets.at[i], &set))
		i++;
	if (i < f->sets.size)
		vec_deinit(&set.keys);
	else
		*vec_push(&f->sets) = set;
	return i + 1;
}

static bool has_key(const struct key_set *set, uint64_t key)
{
	return bsearch(&key, set->keys.at, set->keys.size, sizeof(key), by_value);
}

void isolate_choose(const struct finder *f, const struct hybrid_point *point, uint32_t set,
                    struct dd_set *out)
{
	dd_set_init(out, point->count, false);
	for (uint32_t i = 0; i < point->count && set; i++)
		if (has_key(&f->sets.at[set - 1], key_of(f, point, &point->differences[i])))
			dd_set_put(out, i, true);
}

/* --- what was looked at --- */

static void forget_variables(struct look *look)
{
	for (uint32_t i = 0; i < look->variables.size; i++) {
		free(look->variables.at[i].name);
		free(look->variables.at[i].failing);
		free(look->variables.at[i].reference);
		free(look->variables.at[i].function);
	}
	vec_deinit(&look->variables);
}

void look_deinit(struct look *look)
{
	forget_variables(look);
}

struct look *isolate_look(const struct finder *f, uint64_t time)
{
	for (uint32_t i = 0; i < f->looks.size; i++)
		if (f->looks.at[i].time == time)
			return &f->looks.at[i];
	return NULL;
}

static struct look *look_at(struct finder *f, uint64_t time)
{
	struct look *look = isolate_look(f, time);

	if (look)
		return look;
	look = vec_push(&f->looks);
	look->time = time;
	return look;
}

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

void isolate_set(struct finder *f, const struct hybrid_point *point, const struct dd_set *chosen)
{
	struct look *look = look_at(f, point->times[true]);

	forget_variables(look);
	for (uint32_t i = 0; i < chosen->size; i++) {
		const struct difference *d = &point->differences[dd_set_nth(chosen, i)];

		*vec_push(&look->variables) = (struct look_variable){
			.key = key_of(f, point, d),
			.name = copy(d->name),
			.failing = copy(d->a),
			.reference = copy(d->b),
			.function = copy(d->function),
			.text = d->a_text,
			.hidden = d->function && !d->file,
			.failing_written = d->a_written,
			.reference_written = d->b_written,
		};
	}
	look->set = number_of(f, look);
	look->incomplete = !look->set && point->diff && state_diff_hidden(point->diff);
}

/* --- isolation --- */

/* Takes out of a set that fails what is not needed. */
static struct hence_error *make_minimal(struct finder *f, struct hybrid_point *point,
                                        struct dd_set *failing)
{
	return failing->size > 1 ? hybrid_minimise(&f->h, point, HYBRID_REFERENCE, NULL, failing)
	                         : NULL;
}

/* Do the variables that are relevant elsewhere decide here? Then `out` has them. */
static struct hence_error *try_set(struct finder *f, struct hybrid_point *point, uint32_t set,
                                   struct dd_set *out, bool *found)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set chosen;
	struct hence_error *error = NULL;

	isolate_choose(f, point, set, &chosen);
	if (chosen.size)
		error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &chosen, NULL, &verdict);
	if (!error && verdict == VERDICT_FAIL)
		error = make_minimal(f, point, &chosen);
	*found = !error && verdict == VERDICT_FAIL;
	if (*found)
		dd_set_assign(out, &chosen);
	dd_set_deinit(&chosen);
	return error;
}

/* Of all differences. `out` is empty if they do not make the reference fail. */
static struct hence_error *isolate(struct finder *f, struct hybrid_point *point, struct dd_set *out)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct dd_set passing, failing;
	struct hence_error *error;

	dd_set_init(&passing, point->count, false);
	dd_set_init(&failing, point->count, true);
	error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, &failing, NULL, &verdict);
	if (!error && verdict == VERDICT_FAIL) {
		error = hybrid_isolate(&f->h, point, NULL, &passing, &failing);
		dd_set_subtract(out, &failing, &passing);
		/* Alone it may do nothing: it was found among others that were changed. */
		if (!error && passing.size) {
			error = hybrid_ask(&f->h, point, HYBRID_REFERENCE, out, NULL, &verdict);
			if (!error && verdict != VERDICT_FAIL) {
				error = make_minimal(f, point, &failing);
				dd_set_assign(out, &failing);
			}
		}
	}
	dd_set_deinit(&passing);
	dd_set_deinit(&failing);
	return error;
}

struct hence_error *isolate_relevant(struct finder *f, uint64_t time, uint32_t before,
                                     uint32_t after, uint32_t *out)
{
	struct hybrid_point *point = finder_point(f, time);
	struct hence_error *error = hybrid_compare(&f->h, point);
	struct dd_set chosen;
	bool found = false;

	if (error)
		return error;
	dd_set_init(&chosen, point->count, false);
	if (before)
		error = try_set(f, point, before, &chosen, &found);
	if (!error && !found && after && after != before)
		error = try_set(f, point, after, &chosen, &found);
	if (!error && !found && point->count)
		error = isolate(f, point, &chosen);
	if (!error) {
		/* What was cut short is not minimal: better nothing. */
		if (finder_is_over(f))
			dd_set_clear(&chosen);
		isolate_set(f, point, &chosen);
		*out = isolate_look(f, time)->set;
	}
	dd_set_deinit(&chosen);
	return error;
}
