/* The whole search: see reduce.h. */
#include "reduce/reduce.h"

#include <assert.h>

#include "reduce/asker.h"
#include "reduce/mix.h"
#include "reduce/search.h"

uint64_t reduce_size(const struct input *input)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < input->parts.size; i++) {
		const struct input_part *part = &input->parts.at[i];

		if (part->varied)
			size += part->bytes.length + (part->kind == INPUT_ARGUMENT);
	}
	return size;
}

/* --- does it fail? --- */

/* --- passing inputs --- */

static struct hence_error *measure(const struct input *passing, const struct input *failing,
                                   uint64_t *out)
{
	static const struct level bytes = {
		.way = {.kind = UNITS_BYTES},
		.binary = true,
		.text = true,
		.arguments = LEVEL_CUTS,
	};
	struct hence_error *error;
	struct mix mix;

	error = mix_create_difference(passing, failing, &bytes, &mix);
	if (error)
		return error;
	*out = mix_distance(&mix);
	mix_deinit(&mix);
	return NULL;
}

/* Takes the nearest of those that pass. */
static struct hence_error *choose_passing(struct asker *asker, const struct input *failing,
                                          struct reduce_result *result)
{
	const struct reduce_options *options = asker->options;
	struct hence_error *error = NULL;

	asker->given = true;
	for (uint32_t i = 0; !error && i < options->passing_count; i++) {
		enum verdict verdict;
		uint64_t distance = 0;

		asker->alike = false;
		error = asker_ask(asker, &options->passing[i], &verdict);
		if (!error && verdict != VERDICT_PASS) {
			if (asker->alike)
				*vec_push(&result->alike) = i;
			else if (!result->refused++)
				result->refusal = mem_strdup(asker->how ? asker->how : "");
			continue;
		}
		if (!error)
			error = measure(&options->passing[i], failing, &distance);
		if (!error) {
			uint32_t at = result->usable.size;

			/* Keeps them in order; of equal ones, the first that was given comes
			   first. */
			vec_push(&result->usable);
			for (; at > 0 && result->usable.at[at - 1].distance > distance; at--)
				result->usable.at[at] = result->usable.at[at - 1];
			result->usable.at[at] = (struct reduce_usable){i, distance};
		}
	}
	asker->given = false;
	if (!error && !result->usable.size && asker_stops(asker)) {
		result->end = REDUCE_STOPPED;
		return NULL;
	}
	if (!error && !result->usable.size && options->lenient)
		return NULL;
	if (!error && !result->usable.size) {
		bool several = options->passing_count > 1;

		/* What is right for it nobody has said. */
		if (asker->oracle.failure.kind == FAILURE_OUTPUT)
			error = error_create(
				HENCE_ERROR_INPUT,
				"%s: with %s %s prints the same as with the failing one, or does "
				"not exit normally; give one with which it does neither",
				several ? "none of the passing inputs is of use"
					: "the passing input is of no use",
				several ? "each" : "it", options->trials.name);
		else
			error = error_create(
				HENCE_ERROR_INPUT,
				several ? "none of the passing inputs passes: %s fails with each "
					  "of them (the first: %s); give one with which it does "
					  "not fail"
					: "the passing input does not pass: %s fails with it, too "
					  "(%s); give one with which it does not fail",
				options->trials.name, result->refusal);
	}
	if (error)
		return error;
	result->chosen = (int)result->usable.at[0].index;
	input_copy(&result->passing, &options->passing[result->chosen]);
	result->has_passing = true;
	result->differed = result->usable.at[0].distance;
	return NULL;
}

/* --- the search --- */

/* Is the failure that which the user expects of this input only? */
static bool is_kept(const struct asker *asker)
{
	const struct oracle_options *oracle = &asker->options->oracle;
	enum failure_kind kind = asker->oracle.failure.kind;

	if (oracle->test_text)
		return asker->options->keep;
	return asker->options->keep && !oracle->test && !oracle->other &&
	       (oracle->expected || oracle->has_status) &&
	       (kind == FAILURE_OUTPUT || kind == FAILURE_EXIT);
}

static struct hence_error *search(struct asker *asker, struct reduce_result *result)
{
	const struct reduce_options *options = asker->options;
	bool isolates = result->has_passing, stopped = true;
	struct levels levels;
	struct hence_error *error;

	levels_choose(&options->by, options->trials.input, isolates, &levels);
	asker->progress.original = reduce_size(options->trials.input);
	if (options->better)
		options->better(options->context, &result->failing);
	if (isolates) {
		error = search_isolate_all(asker, &levels, &result->passing, &result->failing,
		                           &stopped);
		if (!error) {
			error = measure(&result->passing, &result->failing, &result->differs);
		}
	} else if (is_kept(asker)) {
		stopped = false;
		error = search_neighbour(asker, &levels, &result->failing, true, &result->passing,
		                         &result->has_passing);
	} else {
		error = search_minimise_all(asker, &levels, &result->failing, &stopped);
		if (!error) {
			error = search_neighbour(asker, &levels, &result->failing, !stopped,
			                         &result->passing, &result->has_passing);
		}
	}
	result->end = stopped || error ? REDUCE_STOPPED : REDUCE_DONE;
	result->unit = mem_strdup(levels.list.at[levels.list.size - 1].name);
	levels_deinit(&levels);
	return error;
}

/* --- the result --- */

static void count(struct asker *asker, struct reduce_result *result)
{
	result->original = reduce_size(asker->options->trials.input);
	result->reduced = reduce_size(&result->failing);
	result->tests = asker->tests;
	result->cached = asker->cached;
	memcpy(result->verdicts, asker->verdicts, sizeof(result->verdicts));
	result->seconds = asker_seconds(asker);
	if (!asker->trials)
		return;
	trials_count(asker->trials, &result->runs, &result->forked);
	if (trials_note(asker->trials))
		result->note = mem_strdup(trials_note(asker->trials));
}

struct hence_error *reduce_run(const struct reduce_options *options, struct reduce_result *out,
                               bool *found)
{
	struct reduce_result result = {.end = REDUCE_DONE, .chosen = -1};
	struct hence_error *error = levels_check(&options->by, options->trials.input);
	struct asker asker;

	*found = false;
	if (!error)
		error = asker_init(&asker, options, &result.end);
	if (error)
		return error;
	input_copy(&result.given, options->trials.input);
	input_copy(&result.failing, options->trials.input);
	if (result.end == REDUCE_DONE) {
		enum verdict verdict;

		/* The failing input, once more as often as asked for: it may
		   not fail for sure. */
		if (asker.options->repeat < 2) {
			asker_tell(&asker, options->trials.input, VERDICT_FAIL);
		} else {
			error = asker_ask(&asker, options->trials.input, &verdict);
			if (!error && verdict != VERDICT_FAIL)
				result.end = asker_stops(&asker) ? REDUCE_STOPPED : REDUCE_FLAKY;
		}
	}
	if (!error && result.end == REDUCE_DONE && options->passing_count)
		error = choose_passing(&asker, &result.failing, &result);
	if (!error && result.end == REDUCE_DONE) {
		*found = true;
		error = search(&asker, &result);
	}
	count(&asker, &result);
	asker_finish(&asker, &result);
	if (error && !*found)
		reduce_result_deinit(&result);
	else
		*out = result;
	return error;
}

void reduce_result_deinit(struct reduce_result *result)
{
	oracle_deinit(&result->oracle);
	input_deinit(&result->given);
	input_deinit(&result->failing);
	input_deinit(&result->passing);
	vec_deinit(&result->usable);
	vec_deinit(&result->alike);
	input_deinit(&result->flaky.example);
	free(result->flaky.first);
	free(result->flaky.other);
	free(result->ended);
	free(result->refusal);
	free(result->confined);
	free(result->note);
	free(result->unit);
	*result = (struct reduce_result){0};
}
