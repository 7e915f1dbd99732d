/* A pool of trials, as hence sees it: see trial.h. */
#include "trial/trial.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "trial/trial_bytes.h"
#include "trial/trial_pool.h"
#include "trial/trial_test.h"

void trial_result_deinit(struct trial_result *result)
{
	outcome_deinit(&result->outcome);
	outcome_deinit(&result->other);
	str_deinit(&result->output);
	str_deinit(&result->right);
	*result = (struct trial_result){.test = -1};
}

bool trials_stops(void *context)
{
	struct trials *trials = context;
	const struct trials_options *options = trials->options;

	/* Once made, a pool is ended by trials_destroy(). */
	if (!trials->made && options->stop && options->stop(options->context))
		trials->stopped = true;
	return trials->stopped;
}

static struct hence_error *start_worker(struct trials *trials, bool other, struct worker *out)
{
	const struct trials_options *options = trials->options;
	/* Paths of all parts are equally long: programs that know theirs have the same addresses. */
	char *part = str_format("%s/%04u", trials->scratch.path, trials->next++);
	struct worker_options worker = {
		.room = {.program = other ? trials->other : trials->program,
	                 .name = options->name,
	                 .line = trials->line,
	                 .folder = trials->folder,
	                 .origin = trials->origin,
	                 .part = part,
	                 .session = trials->session,
	                 .input = options->input},
		.scratch = &trials->scratch,
		.kind = trials->kind,
		.tape = trials->tape,
		.budget = trials->budget,
		.rails = trials->rails,
		.orders = trials->orders,
		.image = other ? NULL : options->image,
		.unconfined = trials->options->unconfined,
		.timeout = trials->timeout,
		.memory = trials->memory,
		.work = other ? 0 : trials->work,
		.counted = trials->counted && !other,
		.plain = !trials->served,
		.untraced = trials->untraced,
		.stop = trials_stops,
		.context = trials,
	};
	struct hence_error *error = worker_start(&worker, out);

	free(part);
	return error;
}

struct hence_error *trials_open_slot(struct trials *trials)
{
	struct slot slot = {.state = SLOT_IDLE};
	struct hence_error *error = start_worker(trials, false, &slot.workers[0]);

	if (!error && trials->other)
		error = start_worker(trials, true, &slot.workers[1]);
	if (error)
		worker_stop(&slot.workers[0]);
	else
		*vec_push(&trials->slots) = slot;
	return error;
}

void trials_close_slots(struct trials *trials)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		for (int k = 0; k < 2; k++)
			worker_stop(&trials->slots.at[i].workers[k]);
		trial_result_deinit(&trials->slots.at[i].result);
		str_deinit(&trials->slots.at[i].extra);
	}
	trials->slots.size = 0;
}

uint32_t trials_cores(void)
{
	cpu_set_t cores;

	if (sched_getaffinity(0, sizeof(cores), &cores))
		return 1;
	return (uint32_t)CPU_COUNT(&cores);
}

/* An absolute path, since trials may run elsewhere. */
static struct hence_error *resolve(const char *path, char **out)
{
	*out = realpath(path, NULL);
	if (!*out)
		return error_create(HENCE_ERROR_INPUT, "cannot run %s: %s", path,
		                    errno == ENOENT ? "no such file" : strerror(errno));
	if (access(*out, X_OK))
		return error_create(HENCE_ERROR_INPUT,
		                    "cannot run %s: no permission to execute it (chmod +x?)", path);
	return NULL;
}

static struct hence_error *prepare(struct trials *trials)
{
	const struct trials_options *options = trials->options;
	struct hence_error *error = resolve(options->program, &trials->program);

	if (!error && options->other)
		error = resolve(options->other, &trials->other);
	if (!error && options->test)
		error = trial_test_line(options->test, &trials->line);
	trials->folder = getcwd(NULL, 0);
	if (!error && !trials->folder)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot find the working directory");
	if (!error)
		error = trial_scratch_create(&trials->scratch);
	return error;
}

/* What went wrong, or nothing when nobody wants the pool any more: then it is NULL. */
static struct hence_error *give_up(struct trials **trials, struct trial_result *first,
                                   struct hence_error *error)
{
	bool stopped = (*trials)->stopped;

	trial_result_deinit(first);
	trials_destroy(*trials);
	*trials = NULL;
	if (!stopped)
		return error;
	error_destroy(error);
	return NULL;
}

struct hence_error *trials_make(const struct trials_options *options, struct trials **out,
                                struct trial_result *first)
{
	struct trials *trials = mem_alloc(sizeof(*trials));
	struct trial_result result = {.test = -1};
	struct hence_error *error;

	trials->options = options;
	if (options->unconfined)
		trials->note = str_format("the program's runs are not confined: what they do to "
		                          "files and processes is done");
	trials->scratch.lock = -1;
	trials->count = options->workers ? options->workers : trials_cores();
	error = prepare(trials);
	if (!error)
		error = trials_run_first(trials, &result);
	/* The first run had no limits; the workers are to have them. */
	trials_close_slots(trials);
	if (error)
		error = give_up(&trials, &result, error);
	if (error)
		return error;
	*out = trials;
	*first = result;
	return NULL;
}

struct hence_error *trials_create(const struct trials_options *options, struct trials **out,
                                  struct trial_result *first)
{
	struct trial_result result;
	struct trials *trials = NULL;
	struct hence_error *error = trials_make(options, &trials, &result);

	while (!error && trials && trials->slots.size < trials->count)
		error = trials_open_slot(trials);
	if (error && trials)
		error = give_up(&trials, &result, error);
	if (error)
		return error;
	if (trials)
		trials->made = true;
	*out = trials;
	*first = result;
	return NULL;
}

void trials_destroy(struct trials *trials)
{
	if (!trials)
		return;
	trials_close_slots(trials);
	vec_deinit(&trials->slots);
	trial_scratch_destroy(&trials->scratch);
	free(trials->program);
	free(trials->other);
	free(trials->line);
	free(trials->folder);
	free(trials->origin);
	free(trials->note);
	free(trials);
}

bool trials_ready(const struct trials *trials)
{
	/* A cancelled trial ends within moments. */
	for (uint32_t i = 0; i < trials->slots.size; i++)
		if (trials->slots.at[i].state != SLOT_BUSY)
			return true;
	return false;
}

/* Takes a worker's part of the result. */
static struct hence_error *take_result(struct trials *trials, struct slot *slot, int which,
                                       const struct str *message)
{
	struct str extra = STR_INIT;
	struct trial_result part;

	if (!trial_bytes_get_result(message, &part, &extra))
		return error_create(HENCE_ERROR_INTERNAL, "a worker gave a damaged result");
	trials->forked += part.forked;
	if (which == 0) {
		str_deinit(&slot->extra);
		slot->extra = extra;
		outcome_deinit(&part.other);
		str_deinit(&part.right);
		part.other = slot->result.other;
		part.right = slot->result.right;
		slot->result = part;
		return NULL;
	}
	slot->result.other = part.outcome;
	slot->result.right = part.output;
	part.outcome = (struct outcome){0};
	part.output = (struct str)STR_INIT;
	trial_result_deinit(&part);
	str_deinit(&extra);
	return NULL;
}

/* Reads the answer of one worker of a slot. */
static struct hence_error *answer(struct trials *trials, struct slot *slot, int which)
{
	struct hence_error *error = NULL;
	struct str message = STR_INIT;
	enum message_kind kind;

	if (!message_receive(slot->workers[which].socket, &kind, &message))
		error = worker_death(&slot->workers[which]);
	else if (kind == MESSAGE_ERROR)
		error = worker_error(&message);
	else if (kind == MESSAGE_RESULT)
		error = take_result(trials, slot, which, &message);
	slot->answered[which] = true;
	str_deinit(&message);
	return error;
}

static bool is_complete(const struct trials *trials, const struct slot *slot)
{
	return slot->answered[0] && (slot->answered[1] || !trials->other);
}

static void clear(struct slot *slot)
{
	trial_result_deinit(&slot->result);
	str_deinit(&slot->extra);
	slot->state = SLOT_IDLE;
}

/* A slot that is idle, if need be after waiting for the end of a cancelled trial. */
static struct hence_error *free_slot(struct trials *trials, struct slot **out)
{
	struct slot *found = NULL;
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state == SLOT_IDLE || (slot->state == SLOT_CANCELLED && !found))
			found = slot;
		if (slot->state == SLOT_IDLE)
			break;
	}
	assert(found);
	for (int k = 0; k < 2 && found->state == SLOT_CANCELLED && !error; k++)
		if (found->workers[k].pid && !found->answered[k])
			error = answer(trials, found, k);
	if (error)
		return error;
	clear(found);
	*out = found;
	return NULL;
}

struct hence_error *trials_record(struct trials *trials, const struct input *input,
                                  const char *session, struct trial_result *out)
{
	struct hence_error *error;
	uint64_t id;

	trials_close_slots(trials);
	free(trials->line);
	free(trials->other);
	trials->line = trials->other = NULL;
	trials->session = session;
	trials->served = false;
	trials->memory = 0;
	error = trials_open_slot(trials);
	if (!error)
		error = trials_start(trials, input, 0);
	if (!error)
		error = trials_wait(trials, &id, out);
	trials_close_slots(trials);
	return error;
}

struct hence_error *trials_start_edited(struct trials *trials, const struct input *input,
                                        struct trial_edit edit, uint64_t id)
{
	struct str bytes = STR_INIT;
	struct hence_error *error;

	trial_bytes_put_input(&bytes, input, &edit);
	error = trials_give(trials, &bytes, id);
	str_deinit(&bytes);
	return error;
}

struct hence_error *trials_start(struct trials *trials, const struct input *input, uint64_t id)
{
	return trials_start_edited(trials, input, (struct trial_edit){0}, id);
}

struct hence_error *trials_wait_scouts(struct trials *trials, uint64_t *id,
                                       struct trial_result *out, struct str *scouts)
{
	return trials_take(trials, id, out, scouts);
}

struct hence_error *trials_give(struct trials *trials, const struct str *job, uint64_t id)
{
	struct slot *slot;
	struct hence_error *error = free_slot(trials, &slot);

	if (error)
		return error;
	for (int k = 0; k < 2; k++) {
		slot->answered[k] = false;
		/* A worker that is gone is noticed when its answer is read. */
		if (slot->workers[k].pid)
			message_send(slot->workers[k].socket, MESSAGE_JOB, job->text, job->length);
	}
	slot->state = SLOT_BUSY;
	slot->id = id;
	trials->all++;
	return NULL;
}

/* Waits until workers have something to say, a signal comes or the time is over (-1: never);
   `ready` of [2 * slot + which]. */
static struct hence_error *poll_workers(struct trials *trials, int milliseconds,
                                        struct pollfd *ready)
{
	uint32_t busy = 0;

	for (uint32_t i = 0; i < 2 * trials->slots.size; i++) {
		const struct slot *slot = &trials->slots.at[i / 2];
		bool open = slot->state != SLOT_IDLE && slot->workers[i % 2].pid &&
		            !slot->answered[i % 2];

		ready[i] = (struct pollfd){.fd = open ? slot->workers[i % 2].socket : -1,
		                           .events = POLLIN};
		busy += slot->state == SLOT_BUSY;
	}
	assert(busy);
	if (poll(ready, 2 * trials->slots.size, milliseconds) < 0 && errno != EINTR)
		return error_from_errno(HENCE_ERROR_INTERNAL, "cannot wait for workers");
	return NULL;
}

/* A slot whose trial has ended; NULL: none yet. */
static struct slot *complete_slot(struct trials *trials)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state == SLOT_IDLE || !is_complete(trials, slot))
			continue;
		if (slot->state == SLOT_BUSY)
			return slot;
		clear(slot);
	}
	return NULL;
}

/* Takes what workers have to say. */
static struct hence_error *advance(struct trials *trials, int milliseconds)
{
	struct pollfd *ready = mem_alloc(2 * trials->slots.size * sizeof(*ready));
	struct hence_error *error = poll_workers(trials, milliseconds, ready);

	for (uint32_t i = 0; i < 2 * trials->slots.size && !error; i++)
		if (ready[i].revents)
			error = answer(trials, &trials->slots.at[i / 2], i % 2);
	free(ready);
	return error;
}

struct hence_error *trials_poll(struct trials *trials, double seconds, bool *ended)
{
	struct hence_error *error = NULL;

	if (!complete_slot(trials))
		error = advance(trials, (int)(seconds * 1000));
	if (!error)
		*ended = complete_slot(trials);
	return error;
}

struct hence_error *trials_wait(struct trials *trials, uint64_t *id, struct trial_result *out)
{
	struct str extra = STR_INIT;
	struct hence_error *error = trials_take(trials, id, out, &extra);

	str_deinit(&extra);
	return error;
}

struct hence_error *trials_take(struct trials *trials, uint64_t *id, struct trial_result *out,
                                struct str *extra)
{
	struct hence_error *error = NULL;
	struct slot *slot;

	while (!(slot = complete_slot(trials)) && !error)
		error = advance(trials, -1);
	if (error)
		return error;
	*id = slot->id;
	*out = slot->result;
	*extra = slot->extra;
	slot->result = (struct trial_result){.test = -1};
	slot->extra = (struct str)STR_INIT;
	slot->state = SLOT_IDLE;
	return NULL;
}

void trials_cancel(struct trials *trials, uint64_t id)
{
	for (uint32_t i = 0; i < trials->slots.size; i++) {
		struct slot *slot = &trials->slots.at[i];

		if (slot->state != SLOT_BUSY || slot->id != id)
			continue;
		slot->state = SLOT_CANCELLED;
		for (int k = 0; k < 2; k++)
			if (slot->workers[k].pid && !slot->answered[k])
				message_send(slot->workers[k].socket, MESSAGE_CANCEL, NULL, 0);
	}
}

const char *trials_note(const struct trials *trials)
{
	return trials->note;
}

void trials_count(const struct trials *trials, uint64_t *all, uint64_t *forked)
{
	*all = trials->all;
	*forked = trials->forked;
}
