/* Asks whether inputs fail: see asker.h. */
#include "base/budget.h"
#include "reduce/asker.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#define CANNOT_SAY 125 /* exit code of a test */
#define MOST_TOLD  100 /* bytes of a message that are told */
#define PATIENCE   0.2 /* seconds between two questions whether the search is to end */

/* An input under way. */
struct asker_question {
	uint64_t id;     /* that the caller gave it */
	uint64_t serial; /* of the trial that runs now */
	struct input input;
	uint32_t runs;        /* that have ended, all with the same verdict */
	enum verdict verdict; /* theirs */
	char *ended;          /* how the first did, if there are to be more */
};

double asker_seconds(const struct asker *asker)
{
	return budget_clock() - asker->began;
}

bool asker_stops(const struct asker *asker)
{
	return asker->options->stop && asker->options->stop(asker->options->context);
}

static void question_destroy(struct asker_question *question)
{
	input_deinit(&question->input);
	free(question->ended);
	free(question);
}

/* --- how runs ended, for a person --- */

static void write_end(const struct trial_result *result, struct str *out)
{
	if (result->test >= 0)
		str_printf(out, "the test exited with %d", result->test);
	else
		outcome_write_text(&result->outcome, out);
}

/* Caller frees, both. */
static char *describe(const struct trial_result *result)
{
	struct str text = STR_INIT;

	write_end(result, &text);
	return str_steal(&text);
}

/* The same, with the last line that it wrote to standard error. */
static char *describe_failure(const struct trial_result *result)
{
	const char *begin = str_text(&result->message), *end = begin + result->message.length;
	const char *line;
	struct str text = STR_INIT;

	str_add(&text, result->test >= 0 ? "" : "it ");
	write_end(result, &text);
	while (end > begin && isspace((unsigned char)end[-1]))
		end--;
	for (line = end; line > begin && line[-1] != '\n';)
		line--;
	if (outcome_exit_code(&result->outcome) && end > line && end - line <= MOST_TOLD)
		str_printf(&text, ": '%.*s'", (int)(end - line), line);
	return str_steal(&text);
}

/* --- asking --- */

static uint32_t find_open(const struct asker *asker, uint64_t serial)
{
	for (uint32_t i = 0; i < asker->open.size; i++)
		if (asker->open.at[i]->serial == serial)
			return i;
	assert(!"a result of a trial that was not started");
	return 0;
}

static void close_question(struct asker *asker, uint32_t i)
{
	question_destroy(asker->open.at[i]);
	asker->open.at[i] = asker->open.at[--asker->open.size];
}

static void add_known(struct asker *asker, uint64_t id, enum verdict verdict)
{
	*vec_push(&asker->known) = (struct asker_answer){id, verdict};
}

static struct hence_error *run(struct asker *asker, struct asker_question *question)
{
	question->serial = ++asker->serial;
	return trials_start(asker->trials, &question->input, question->serial);
}

bool asker_knows(const struct asker *asker, const struct input *input, enum verdict *out)
{
	const uint8_t *found = asker_cache_find(&asker->cache, input_hash(input));

	if (found)
		*out = *found;
	return found;
}

void asker_tell(struct asker *asker, const struct input *input, enum verdict verdict)
{
	*asker_cache_put(&asker->cache, input_hash(input)) = (uint8_t)verdict;
}

struct hence_error *asker_start(struct asker *asker, const struct input *input, uint64_t id)
{
	struct asker_question *question;
	struct hence_error *error;
	enum verdict verdict;

	assert(asker->open.size < asker->room);
	if (asker_knows(asker, input, &verdict)) {
		asker->cached++;
		add_known(asker, id, verdict);
		return NULL;
	}
	question = mem_alloc(sizeof(*question));
	question->id = id;
	input_copy(&question->input, input);
	error = run(asker, question);
	if (error)
		question_destroy(question);
	else
		*vec_push(&asker->open) = question;
	return error;
}

/* The verdict of a question is known. */
static void answer(struct asker *asker, uint32_t i, enum verdict verdict)
{
	const struct asker_question *question = asker->open.at[i];

	asker_tell(asker, &question->input, verdict);
	asker->tests++;
	asker->verdicts[verdict]++;
	add_known(asker, question->id, verdict);
	close_question(asker, i);
}

/* The expected output is that of the failing input. What is right for another input is not
   known, so a line that is wrong there may be right here, if the user says so. */
static enum verdict judge(struct asker *asker, const struct trial_result *result)
{
	const struct oracle_options *options = &asker->options->oracle;
	enum verdict verdict = oracle_judge_input(&asker->oracle, result);

	if (asker->given) {
		free(asker->how);
		asker->how = describe_failure(result);
	}
	/* The status, too, is that of the failing input. */
	if (asker->given && verdict != VERDICT_PASS && options->has_status && !options->test &&
	    !options->other && asker->oracle.failure.kind == FAILURE_EXIT &&
	    result->outcome.kind == OUTCOME_EXITED &&
	    (result->outcome.status != asker->oracle.failure.outcome.status ||
	     result->output.length != asker->output.length ||
	     memcmp(str_text(&result->output), str_text(&asker->output), asker->output.length)))
		return VERDICT_PASS;

	/* Did it end by itself, and well, or else as the failing input did? */
	if (!asker->given || verdict != VERDICT_FAIL || options->test || options->other ||
	    asker->oracle.failure.kind != FAILURE_OUTPUT ||
	    (result->outcome.kind != OUTCOME_EXITED ||
	     (result->outcome.status &&
	      result->outcome.status != asker->oracle.failure.outcome.status &&
	      result->outcome.status != asker->options->oracle.status)))
		return verdict;
	asker->alike =
		result->output.length == asker->output.length &&
		!memcmp(str_text(&result->output), str_text(&asker->output), asker->output.length);
	return asker->alike ? verdict : VERDICT_PASS;
}

struct hence_error *asker_wait(struct asker *asker, uint64_t *id, enum verdict *out)
{
	while (!asker->known.size) {
		struct trial_result result = {.test = -1};
		struct hence_error *error;
		uint64_t serial;
		bool ended = false;
		uint32_t i;
		struct asker_question *question;
		enum verdict verdict;
		const struct reduce_options *options;

		assert(asker->open.size);
		error = trials_poll(asker->trials, PATIENCE, &ended);
		if (error)
			return error;
		if (!ended) {
			*id = ASKER_NONE;
			*out = VERDICT_UNRESOLVED;
			return NULL;
		}
		error = trials_wait(asker->trials, &serial, &result);
		if (error)
			return error;
		/* A run has ended: the question is answered, or is run again. */
		i = find_open(asker, serial);
		question = asker->open.at[i];
		verdict = judge(asker, &result);
		if (question->runs && verdict != question->verdict) {
			struct reduce_flaky *flaky = &asker->flaky;

			if (!(flaky->count++)) {
				input_copy(&flaky->example, &question->input);
				flaky->first = mem_strdup(question->ended);
				flaky->other = describe(&result);
			}
			answer(asker, i, VERDICT_UNRESOLVED);
		} else {
			question->verdict = verdict;
			if (++question->runs >=
			    (asker->options->repeat ? asker->options->repeat : 1)) {
				answer(asker, i, verdict);
			} else {
				if (!question->ended)
					question->ended = describe(&result);
				error = run(asker, question);
			}
		}
		trial_result_deinit(&result);
		if (error)
			return error;
		options = asker->options;
		if (!options->progress)
			continue;
		asker->progress.tests = asker->tests;
		asker->progress.seconds = asker_seconds(asker);
		options->progress(options->context, &asker->progress);
	}
	*id = asker->known.at[0].id;
	*out = asker->known.at[0].verdict;
	asker->known.size--;
	memmove(asker->known.at, asker->known.at + 1, asker->known.size * sizeof(*asker->known.at));
	return NULL;
}

void asker_cancel(struct asker *asker, uint64_t id)
{
	for (uint32_t i = 0; i < asker->known.size; i++)
		if (asker->known.at[i].id == id) {
			asker->known.at[i] = asker->known.at[--asker->known.size];
			return;
		}
	for (uint32_t i = 0; i < asker->open.size; i++)
		if (asker->open.at[i]->id == id) {
			trials_cancel(asker->trials, asker->open.at[i]->serial);
			close_question(asker, i);
			return;
		}
}

struct hence_error *asker_ask(struct asker *asker, const struct input *input, enum verdict *out)
{
	struct hence_error *error = asker_start(asker, input, 0);
	uint64_t id = ASKER_NONE;

	assert(asker->open.size + asker->known.size == 1 || error);
	while (!error && id == ASKER_NONE) {
		if (asker_stops(asker)) {
			asker_cancel(asker, 0);
			*out = VERDICT_UNRESOLVED;
			return NULL;
		}
		error = asker_wait(asker, &id, out);
	}
	return error;
}

/* --- the beginning and the end --- */

/* How the search stands after the first run. */
static enum reduce_end judge_first(struct asker *asker, const struct trial_result *first)
{
	if (oracle_create(&asker->options->oracle, first, &asker->oracle))
		return REDUCE_DONE;
	if (asker->options->oracle.test && (first->test < 0 || first->test == CANNOT_SAY))
		return REDUCE_CANNOT_SAY;
	return REDUCE_NO_FAILURE;
}

struct hence_error *asker_init(struct asker *asker, const struct reduce_options *options,
                               enum reduce_end *end)
{
	struct trial_result first = {.test = -1};
	struct hence_error *error;

	*asker = (struct asker){.options = options,
	                        .room = options->trials.workers ? options->trials.workers
	                                                        : trials_cores(),
	                        .began = budget_clock()};
	asker->settings = options->trials;
	asker->settings.workers = asker->room;
	asker->settings.watched = options->keep;
	asker->settings.stop = options->give_up;
	asker->settings.context = options->context;
	error = trials_create(&asker->settings, &asker->trials, &first);
	if (error)
		return error;
	if (!asker->trials) {
		*end = REDUCE_NOT_KNOWN;
		return NULL;
	}
	*end = judge_first(asker, &first);
	asker->ended = describe(&first);
	asker->confined = first.refused.length ? mem_strdup(str_text(&first.refused)) : NULL;
	str_add_bytes(&asker->output, str_text(&first.output), first.output.length);
	trial_result_deinit(&first);
	return NULL;
}

void asker_finish(struct asker *asker, struct reduce_result *result)
{
	while (asker->open.size)
		close_question(asker, 0);
	vec_deinit(&asker->open);
	vec_deinit(&asker->known);
	asker_cache_deinit(&asker->cache);
	str_deinit(&asker->output);
	if (asker->trials && asker->oracle.failure.kind == FAILURE_HANG)
		result->work = trials_work(asker->trials);
	free(asker->how);
	trials_destroy(asker->trials);
	result->oracle = asker->oracle;
	result->flaky = asker->flaky;
	result->ended = asker->ended;
	result->confined = asker->confined;
}
