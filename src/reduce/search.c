/* Delta debugging of inputs: see search.h. */
#include "reduce/search.h"

#include "reduce/mix.h"

/* ------ a passing input near a reduced failing one ------ */

/*
 * Mostly it is the failing input without one unit, and known from the search. Where such an input is
 * unresolved or far away (no argument at all, where one byte less would do), the difference is made
 * smaller like that of any two inputs.
 */

#define MOST_ASKED 300u /* of these, if they are not known */

struct hence_error *search_neighbour(struct asker *asker, const struct levels *levels,
                                     const struct input *failing, bool complete, struct input *out,
                                     bool *found)
{
	const struct level *finest = &levels->list.at[levels->list.size - 1];
	struct hence_error *error;
	struct mix mix;
	uint64_t longest = 0;
	uint32_t asked = 0;
	struct dd_set set;

	*found = false;
	error = mix_create(failing, finest, &mix);
	if (error)
		return error;
	/* The inputs without one unit of the failing one: takes the longest that passes. Of
	   equal ones the one without the last unit: an input that is too long is best cut at its
	   end. */
	error = NULL;
	dd_set_init(&set, mix.units, true);
	for (uint32_t unit = mix.units; !error && unit-- > 0 && !asker_stops(asker);) {
		enum verdict verdict = VERDICT_UNRESOLVED;
		struct input input;

		dd_set_put(&set, unit, false);
		mix_apply(&mix, &set, &input);
		dd_set_put(&set, unit, true);
		if (!asker_knows(asker, &input, &verdict) && complete && asked++ < MOST_ASKED)
			error = asker_ask(asker, &input, &verdict);
		if (error || verdict != VERDICT_PASS ||
		    (*found && reduce_size(&input) <= longest)) {
			input_deinit(&input);
			continue;
		}
		if (*found)
			input_deinit(out);
		*out = input;
		*found = true;
		longest = reduce_size(out);
	}
	dd_set_deinit(&set);
	if (!error && !*found && complete && !asker_stops(asker)) {
		enum verdict verdict = VERDICT_UNRESOLVED;
		struct input input;
		struct dd_set none;

		/* Nothing at all, if that passes. */
		dd_set_init(&none, mix.units, false);
		mix_apply(&mix, &none, &input);
		dd_set_deinit(&none);
		error = asker_ask(asker, &input, &verdict);
		*found = !error && verdict == VERDICT_PASS;
		if (*found)
			*out = input;
		else
			input_deinit(&input);
	}
	mix_deinit(&mix);
	if (!error && *found && complete) {
		struct input copy = {VEC_INIT};
		bool stopped;

		/* Moves the passing input towards the failing one, which stays. */
		input_copy(&copy, failing);
		error = search_isolate(asker, finest, out, &copy, &stopped);
		input_deinit(&copy);
	}
	return error;
}

/* What dd.h hands through. */
struct search {
	struct asker *asker;
	const struct mix *mix;
	bool isolates;
	uint32_t passing, failing; /* units in either end */
};

static void replace(struct input *input, struct input *by)
{
	input_deinit(input);
	*input = *by;
	*by = (struct input){VEC_INIT};
}

/* --- what dd asks --- */

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct search *search = context;
	struct input input;
	struct hence_error *error;

	mix_apply(search->mix, set, &input);
	error = asker_start(search->asker, &input, id);
	input_deinit(&input);
	return error;
}

static struct hence_error *wait_for_one(void *context, uint64_t *id, enum verdict *out)
{
	struct search *search = context;

	return asker_wait(search->asker, id, out);
}

static void cancel(void *context, uint64_t id)
{
	struct search *search = context;

	asker_cancel(search->asker, id);
}

static void better(void *context, const struct dd_set *set, enum verdict verdict)
{
	struct search *search = context;
	struct asker *asker = search->asker;
	const struct reduce_options *options = asker->options;
	struct input input;

	if (verdict == VERDICT_PASS)
		search->passing = set->size;
	else
		search->failing = set->size;
	asker->progress.size = search->failing - search->passing;
	if (verdict != VERDICT_FAIL)
		return;
	mix_apply(search->mix, set, &input);
	if (!search->isolates)
		asker->progress.size = reduce_size(&input);
	if (options->better)
		options->better(options->context, &input);
	input_deinit(&input);
}

static bool stop(void *context)
{
	struct search *search = context;

	return asker_stops(search->asker);
}

static struct dd_search settings(struct search *search)
{
	return (struct dd_search){
		.count = search->mix->units,
		.room = search->asker->room,
		.order = search->asker->options->order,
		.start = start,
		.wait = wait_for_one,
		.cancel = cancel,
		.better = better,
		.stop = stop,
		.context = search,
	};
}

/* --- one level --- */

struct hence_error *search_minimise(struct asker *asker, const struct level *level,
                                    struct input *failing, bool *changed, bool *stopped)
{
	struct search search = {.asker = asker};
	struct dd_search dd;
	struct dd_stats stats = {0};
	struct hence_error *error;
	struct dd_set set;
	struct input reduced;
	struct mix mix;

	error = mix_create(failing, level, &mix);
	if (error)
		return error;
	search.mix = &mix;
	search.failing = mix.units;
	asker->progress.unit = level->name;
	asker->progress.size = reduce_size(failing);
	dd_set_init(&set, mix.units, true);
	dd = settings(&search);
	if (mix.units)
		error = dd_minimise(&dd, &set, &stats);
	mix_apply(&mix, &set, &reduced);
	mix_deinit(&mix);
	dd_set_deinit(&set);
	*changed = !input_equal(&reduced, failing);
	*stopped = stats.stopped;
	replace(failing, &reduced);
	return error;
}

struct hence_error *search_isolate(struct asker *asker, const struct level *level,
                                   struct input *passing, struct input *failing, bool *stopped)
{
	struct search search = {.asker = asker, .isolates = true};
	struct dd_search dd;
	struct dd_stats stats = {0};
	struct hence_error *error;
	struct dd_set low, high;
	struct input pass, fail;
	struct mix mix;

	error = mix_create_difference(passing, failing, level, &mix);
	if (error)
		return error;
	search.mix = &mix;
	search.failing = mix.units;
	asker->progress.unit = level->name;
	asker->progress.size = asker->progress.original = mix.units;
	dd_set_init(&low, mix.units, false);
	dd_set_init(&high, mix.units, true);
	dd = settings(&search);
	if (mix.units)
		error = dd_isolate(&dd, &low, &high, &stats);
	mix_apply(&mix, &low, &pass);
	mix_apply(&mix, &high, &fail);
	mix_deinit(&mix);
	dd_set_deinit(&low);
	dd_set_deinit(&high);
	*stopped = stats.stopped;
	replace(passing, &pass);
	replace(failing, &fail);
	return error;
}

/* --- all levels --- */

struct hence_error *search_minimise_all(struct asker *asker, const struct levels *levels,
                                        struct input *failing, bool *stopped)
{
	uint32_t last = levels->list.size - 1;
	bool again = true;

	*stopped = false;
	/* What the finest level took away may make a coarser unit superfluous: once more, until
	   nothing changes. */
	for (uint32_t round = 0; again; round++) {
		struct hence_error *error = NULL;
		bool changed = false, coarse = false;

		for (uint32_t i = 0; i <= last; i++) {
			if (i == last && round && !coarse)
				return NULL;
			error = search_minimise(asker, &levels->list.at[i], failing, &changed,
			                        stopped);
			if (error || *stopped)
				return error;
			coarse |= changed;
		}
		again = last && changed;
	}
	return NULL;
}

struct hence_error *search_isolate_all(struct asker *asker, const struct levels *levels,
                                       struct input *passing, struct input *failing, bool *stopped)
{
	struct hence_error *error = NULL;

	*stopped = false;
	for (uint32_t i = 0; !error && !*stopped && i < levels->list.size; i++)
		error = search_isolate(asker, &levels->list.at[i], passing, failing, stopped);
	return error;
}
