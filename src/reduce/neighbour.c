/*
 * A passing input near a reduced failing one: see search.h. Mostly it is the failing input without one
 * unit, and known from the search. Where such an input is unresolved or far away (no argument at all,
 * where one byte less would do), the difference is made smaller like that of any two inputs.
 */
#include "reduce/mix.h"
#include "reduce/search.h"

/* The inputs without one unit of the failing one: takes the longest that passes. Of equal ones the one
   without the last unit: an input that is too long is best cut at its end. */
static struct hence_error *drop_one(struct asker *asker, const struct mix *mix, bool ask,
                                    struct input *out, bool *found)
{
	struct hence_error *error = NULL;
	uint64_t longest = 0;
	struct dd_set set;

	dd_set_init(&set, mix->units, true);
	for (uint32_t unit = mix->units; !error && unit-- > 0 && !asker_stops(asker);) {
		enum verdict verdict = VERDICT_UNRESOLVED;
		struct input input;

		dd_set_put(&set, unit, false);
		mix_apply(mix, &set, &input);
		dd_set_put(&set, unit, true);
		if (!asker_knows(asker, &input, &verdict) && ask)
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
	return error;
}

/* Nothing at all, if that passes. */
static struct hence_error *drop_all(struct asker *asker, const struct mix *mix, struct input *out,
                                    bool *found)
{
	enum verdict verdict = VERDICT_UNRESOLVED;
	struct hence_error *error;
	struct input input;
	struct dd_set none;

	dd_set_init(&none, mix->units, false);
	mix_apply(mix, &none, &input);
	dd_set_deinit(&none);
	error = asker_ask(asker, &input, &verdict);
	*found = !error && verdict == VERDICT_PASS;
	if (*found)
		*out = input;
	else
		input_deinit(&input);
	return error;
}

/* Moves the passing input towards the failing one, which stays. */
static struct hence_error *approach(struct asker *asker, const struct level *level,
                                    const struct input *failing, struct input *passing)
{
	struct input copy = {VEC_INIT};
	struct hence_error *error;
	bool stopped;

	input_copy(&copy, failing);
	error = search_isolate(asker, level, passing, &copy, &stopped);
	input_deinit(&copy);
	return error;
}

struct hence_error *search_neighbour(struct asker *asker, const struct levels *levels,
                                     const struct input *failing, bool complete, struct input *out,
                                     bool *found)
{
	const struct level *finest = &levels->list.at[levels->list.size - 1];
	struct hence_error *error;
	struct mix mix;

	*found = false;
	error = mix_create(failing, finest, &mix);
	if (error)
		return error;
	error = drop_one(asker, &mix, complete, out, found);
	if (!error && !*found && complete && !asker_stops(asker))
		error = drop_all(asker, &mix, out, found);
	mix_deinit(&mix);
	if (!error && *found && complete)
		error = approach(asker, finest, failing, out);
	return error;
}
