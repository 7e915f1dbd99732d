/* The history of a recording: see history.h. */
#include "trace/history.h"

#include <assert.h>
#include <string.h>

#include "trace/path.h"

/* A run is kept if its tape is no longer than this, which is about a gigabyte of instances, */
#define MOST_TAPE (32u << 20)
/* and takes no more than this part of the memory that is free. */
#define PART_OF_MEMORY 4

/* Bytes of what it wrote by copies and outside calls that are kept. */
#define MOST_WRITTEN (64u << 20)

/* A checkpoint is worth it after so many instances, and when they take more memory than it does itself. */
#define BETWEEN (1u << 14)

struct checkpoint {
	uint64_t statements; /* that had ended */
	struct execution *at;
};

struct history {
	struct path *path;
	void *room; /* for others */
	void (*destroy)(void *room);
	struct execution *whole; /* NULL: it was not decoded yet, or cannot be kept */
	bool too_long;
	VEC(struct checkpoint) checkpoints; /* the first before anything was executed */
	VEC(uint32_t) begins;               /* of each statement its first instance */
	VEC(uint32_t) ends;                 /* and its last; 0: it did not end */
	VEC(struct history_print) prints;
	struct writes writes;
	VEC(struct history_call) calls;
	VEC(uint64_t) firsts; /* of each instruction the first statement that it ended */
	uint64_t main;        /* its first statement */
	uint64_t main_left;   /* and the last with which it returned */
	uint64_t left;        /* the last call that did not return */
	/* of the calls, while they are found: */
	VEC(uint32_t) under_way; /* indices of those */
	bool returned;           /* the one on top has, or will before the next statement */
	uint64_t latest;         /* statement */
};

struct history *history_create(void)
{
	struct history *h = mem_alloc(sizeof(*h));

	h->path = path_create();
	return h;
}

static void forget(struct history *h)
{
	for (uint32_t i = 0; i < h->checkpoints.size; i++)
		execution_destroy(h->checkpoints.at[i].at);
	vec_deinit(&h->checkpoints);
	vec_deinit(&h->begins);
	vec_deinit(&h->ends);
	vec_deinit(&h->prints);
	vec_deinit(&h->calls);
	vec_deinit(&h->firsts);
	vec_deinit(&h->under_way);
	writes_deinit(&h->writes);
	execution_destroy(h->whole);
	h->whole = NULL;
}

void history_destroy(struct history *h)
{
	if (!h)
		return;
	if (h->room)
		h->destroy(h->room);
	forget(h);
	path_destroy(h->path);
	free(h);
}

struct path *history_path(const struct history *h)
{
	return h ? h->path : NULL;
}

void **history_room(const struct recording *run, void (*destroy)(void *kept))
{
	struct history *h = run->history;

	if (!h)
		return NULL;
	assert(!h->destroy || h->destroy == destroy);
	h->destroy = destroy;
	return &h->room;
}

/* ------ decoding ------ */

static void enter(struct history *h, uint64_t time)
{
	struct history_call *call = vec_push(&h->calls);

	*call = (struct history_call){
		.entered = time, .left = UINT64_MAX, .depth = h->under_way.size};
	*vec_push(&h->under_way) = h->calls.size - 1;
}

/* As many calls are under way as the decoder has. One may have returned, and outside code have called another since. */
static void note_calls(struct history *h, const struct execution *e, enum execution_event event,
                       uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	uint32_t depth = execution_depth(e);
	struct history_call *call;

	/* A call of outside code that called back is told again when it returns. */
	if (number <= h->latest)
		return;
	h->latest = number;
	while (h->under_way.size > depth || (h->returned && h->under_way.size == depth)) {
		h->returned = false;
		h->calls.at[h->under_way.at[--h->under_way.size]].left = number;
	}
	while (h->under_way.size < depth)
		enter(h, number);
	call = &h->calls.at[h->under_way.at[depth - 1]];
	call->frame = a->address;
	call->size = a->function->plan->frame_size;
	if (!h->main && !strcmp(a->function->plan->name, "main"))
		h->main = number;
	h->returned = a->function->insns[a->pc - 1].op == CODE_RETURN;
	if (event == EXECUTION_CALLS)
		enter(h, number + 1);
}

static void note_write(void *context, struct execution *e, uint32_t instance, uint64_t address,
                       uint64_t size)
{
	struct history *h = context;

	writes_note(&h->writes, e, instance, address, size);
}

static void note(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct history *h = context;
	const struct activation *a = execution_top(e, 0);
	const struct outputs_stream *printed;
	uint32_t code;
	bool call;

	/* A call that a handler interrupts is told of later than what the handler did. */
	if (event == EXECUTION_BEGINS) {
		while (h->begins.size < number)
			*vec_push(&h->begins) = execution_next(e);
		return;
	}
	if (!h->ends.size)
		writes_note_given(&h->writes, e);
	note_calls(h, e, event, number);
	code = a->function->first + a->pc - 1;
	while (h->firsts.size <= code)
		vec_push(&h->firsts);
	if (!h->firsts.at[code])
		h->firsts.at[code] = number;
	if (event == EXECUTION_LEFT)
		h->left = number;
	if (a->entered && a->function->insns[a->pc - 1].op == CODE_RETURN &&
	    !strcmp(a->function->plan->name, "main"))
		h->main_left = number;
	call = a->function->insns[a->pc - 1].op == CODE_CALL;
	while (h->ends.size < number)
		vec_push(&h->ends);
	if (!h->ends.at[number - 1])
		h->ends.at[number - 1] = call ? a->call : execution_next(e) - 1;
	if (event == EXECUTION_CALLS || !call)
		return;
	printed = outputs_stream(execution_outputs(e), 1);
	if (printed) {
		uint64_t before = h->prints.size ? h->prints.at[h->prints.size - 1].to : 0;

		if (printed->size > before)
			*vec_push(&h->prints) =
				(struct history_print){number, before, printed->size};
	}
}

/* A copy of the execution where it stands. */
static void leave_checkpoint(struct history *h, struct execution *e)
{
	const struct execution_options quiet = {.windows = true};

	*vec_push(&h->checkpoints) =
		(struct checkpoint){execution_statements(e), execution_resume(e, &quiet)};
}

static struct hence_error *decode(const struct recording *run, struct history *h)
{
	const struct execution_options options = {.table = run->table,
	                                          .retain = true,
	                                          .outputs = true,
	                                          .bytes = true,
	                                          .windows = true,
	                                          .lasting = true,
	                                          .begins = true,
	                                          .statement = note,
	                                          .wrote = note_write,
	                                          .context = h,
	                                          .memory = mem_available() / PART_OF_MEMORY};
	struct hence_error *error =
		execution_create(run->modules, run->folder, run->tape, &options, &h->whole);
	uint64_t last = EXECUTION_FIRST;
	bool ended = false;

	h->writes.most = MOST_WRITTEN;
	if (error)
		return error;
	h->too_long = walk_tape(execution_walk(h->whole))->end > MOST_TAPE;
	if (h->too_long)
		return NULL;
	leave_checkpoint(h, h->whole);
	while (!error && !ended) {
		error = execution_advance(h->whole, (uint64_t)execution_next(h->whole) + BETWEEN,
		                          run->death, &ended);
		if (error || ended || !execution_can_resume(h->whole))
			continue;
		if ((execution_next(h->whole) - last) * 16ull < execution_resume_cost(h->whole))
			continue;
		leave_checkpoint(h, h->whole);
		last = execution_next(h->whole);
	}
	vec_deinit(&h->under_way);
	writes_sort(&h->writes);
	if (error && execution_is_full(h->whole)) {
		h->too_long = true;
		error_destroy(error);
		error = NULL;
	}
	return error;
}

/* Decodes the run if nobody did yet. */
static struct hence_error *look(const struct recording *run)
{
	struct history *h = run->history;
	struct hence_error *error;

	if (!h || h->whole || h->too_long)
		return NULL;
	error = decode(run, h);
	if (error || h->too_long)
		forget(h);
	return error;
}

struct hence_error *history_whole(const struct recording *run, struct execution **out)
{
	struct hence_error *error = look(run);

	*out = run->history && !error ? run->history->whole : NULL;
	return error;
}

/* ------ once more ------ */

/* The last checkpoint from which the beginning of a statement will be told. */
static const struct checkpoint *find_checkpoint(const struct history *h, uint64_t from)
{
	uint32_t low = 0, high = h->checkpoints.size;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		/* It may stand in the middle of the next statement. */
		if (h->checkpoints.at[middle].statements + 2 <= from)
			low = middle;
		else
			high = middle;
	}
	return &h->checkpoints.at[low];
}

struct hence_error *history_open(const struct recording *run, uint64_t from,
                                 const struct execution_options *options, struct execution **out)
{
	const struct history *h = run->history;
	struct execution_options how = *options;
	struct hence_error *error = look(run);

	if (error)
		return error;
	how.table = run->table;
	if (!h || !h->whole)
		return execution_create(run->modules, run->folder, run->tape, &how, out);
	how.windows = true;
	__atomic_add_fetch(&walk_work()->resumed, 1, __ATOMIC_RELAXED);
	*out = execution_resume(find_checkpoint(h, from)->at, &how);
	execution_set_whole(*out, h->whole);
	return NULL;
}

struct visit {
	const struct execution_options *options;
	const struct history *history; /* NULL: there is none */
	const uint64_t *times;
	uint32_t count, next;
	bool jump;   /* the next statement that is wanted is far away */
	bool halted; /* enough is known */
};

static void visit_statement(void *context, struct execution *e, enum execution_event event,
                            uint64_t number)
{
	struct visit *v = context;

	v->options->statement(v->options->context, e, event, number);
	/* The walk tells some more before it halts. */
	v->halted |= !v->jump && walk_is_halted(execution_walk(e));
	if (v->halted || v->next == v->count || number <= v->times[v->next])
		return;
	while (v->next < v->count && v->times[v->next] < number)
		v->next++;
	if (v->next == v->count ||
	    (v->history && find_checkpoint(v->history, v->times[v->next])->statements > number)) {
		v->jump = true;
		walk_halt(execution_walk(e));
	}
}

static void visit_wrote(void *context, struct execution *e, uint32_t instance, uint64_t address,
                        uint64_t size)
{
	struct visit *v = context;

	v->options->wrote(v->options->context, e, instance, address, size);
}

struct hence_error *history_visit(const struct recording *run, const uint64_t *times,
                                  uint32_t count, const struct execution_options *options,
                                  void (*moved)(void *context, struct execution *e),
                                  struct execution **out)
{
	struct visit v = {.options = options, .times = times, .count = count};
	struct execution_options how = *options;
	struct hence_error *error = look(run);
	struct execution *e = NULL;

	*out = NULL;
	if (!error && run->history && run->history->whole)
		v.history = run->history;
	how.statement = visit_statement;
	how.wrote = options->wrote ? visit_wrote : NULL;
	how.context = &v;
	do {
		bool ended = false;

		v.jump = false;
		execution_destroy(e);
		e = NULL;
		if (!error)
			error = history_open(run, count ? times[v.next] : 1, &how, &e);
		if (!error && moved)
			moved(options->context, e);
		if (!error)
			error = execution_advance(e, UINT64_MAX, run->death, &ended);
	} while (!error && v.jump && v.next < count);
	if (error)
		execution_destroy(e);
	else
		*out = e;
	return error;
}

/* ------ answers ------ */

uint64_t history_statement(const struct recording *run, uint32_t instance)
{
	const struct history *h = run->history;
	uint32_t low = 0, high = h->begins.size;

	assert(h->whole);
	if (instance < EXECUTION_FIRST || instance >= EXECUTION_GROUP)
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (h->begins.at[middle] <= instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t history_begin(const struct recording *run, uint64_t statement)
{
	const struct history *h = run->history;

	assert(h->whole && statement);
	return statement <= h->begins.size ? h->begins.at[statement - 1] : 0;
}

uint32_t history_end(const struct recording *run, uint64_t statement)
{
	const struct history *h = run->history;

	assert(h->whole && statement);
	return statement <= h->ends.size ? h->ends.at[statement - 1] : 0;
}

const struct writes *history_writes(const struct recording *run)
{
	assert(run->history->whole);
	return run->history->writes.full ? NULL : &run->history->writes;
}

const struct history_call *history_calls(const struct recording *run, uint32_t *count,
                                         uint64_t *main)
{
	assert(run->history->whole);
	*count = run->history->calls.size;
	*main = run->history->main;
	return run->history->calls.at;
}

const struct history_print *history_prints(const struct recording *run, uint32_t *count)
{
	assert(run->history->whole);
	*count = run->history->prints.size;
	return run->history->prints.at;
}

const struct history_print *history_print_of(const struct recording *run, uint64_t byte)
{
	const struct history *h = run->history;
	uint32_t low = 0, high = h->prints.size;

	assert(h->whole);
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (h->prints.at[middle].to <= byte)
			low = middle + 1;
		else
			high = middle;
	}
	return low < h->prints.size ? &h->prints.at[low] : NULL;
}

const uint64_t *history_firsts(const struct recording *run, uint32_t *count)
{
	assert(run->history->whole);
	*count = run->history->firsts.size;
	return run->history->firsts.at;
}

uint64_t history_returned(const struct recording *run)
{
	assert(run->history->whole);
	return run->history->main_left;
}

uint64_t history_left(const struct recording *run)
{
	assert(run->history->whole);
	return run->history->left;
}
