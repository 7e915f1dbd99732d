/* One run of a dual slice: see dual_run.h. */
#include "slice/dual_run.h"

#include "base/str.h"

#define STEP 65536u /* instances that are decoded at a time */

/* --- what is noted while it is decoded --- */

static void add_write(struct dual_run *run, uint32_t instance, uint64_t address, uint64_t size)
{
	struct memory *memory = execution_memory(run->e);
	bool partly = memory_find_undefined(memory, address, size) < size;
	uint64_t need = run->byte_count + size * (partly ? 2 : 1);

	if (need > run->most || run->full) {
		run->full = true;
		return;
	}
	if (need > run->byte_room) {
		run->byte_room = need + need / 2;
		run->bytes = mem_resize(run->bytes, run->byte_room);
	}
	*vec_push(&run->writes) =
		(struct dual_write){address, size, run->byte_count, instance, partly};
	memory_read(memory, address, size, run->bytes + run->byte_count);
	if (partly)
		memory_read_undefined(memory, address, size, run->bytes + run->byte_count + size);
	run->byte_count = need;
}

static void note_write(void *context, struct execution *e, uint32_t instance, uint64_t address,
                       uint64_t size)
{
	(void)e;
	if (size)
		add_write(context, instance, address, size);
}

/* Arguments and environment may be overwritten later. */
static void note_given(struct dual_run *run)
{
	const struct objects *objects = execution_objects(run->e);

	for (uint32_t i = 1; i <= objects->all.size; i++) {
		const struct object *o = objects_at(objects, i);

		if (o->kind == OBJECT_GIVEN)
			add_write(run, SOURCE_GIVEN, o->address, o->size);
	}
	run->begun = true;
}

static void note_statement(void *context, struct execution *e, enum execution_event event,
                           uint64_t number)
{
	struct dual_run *run = context;
	const struct activation *a = execution_top(e, 0);

	(void)event;
	if (!run->begun)
		note_given(run);
	/* A call that a handler interrupts is told of later than what the handler did. */
	while (run->ends.size < number)
		vec_push(&run->ends);
	if (!run->ends.at[number - 1])
		run->ends.at[number - 1] = a->function->insns[a->pc - 1].op == CODE_CALL
		                                   ? a->call
		                                   : execution_next(e) - 1;
}

/* --- decoding --- */

static int by_instance(const void *a, const void *b)
{
	const struct dual_write *x = a, *y = b;

	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static void index_segments(struct dual_run *run)
{
	uint32_t statements = 0;

	for (uint32_t i = 0; i < run->ends.size; i++)
		if (!run->ends.at[i])
			run->ends.at[i] = i ? run->ends.at[i - 1] : run->first;
	run->before = mem_alloc((run->segment_count + 1) * sizeof(*run->before));
	run->next = mem_alloc((run->segment_count + 1) * sizeof(*run->next));
	for (uint32_t i = 0; i < run->segment_count; i++) {
		while (statements < run->ends.size &&
		       run->ends.at[statements] < run->segments[i].first)
			statements++;
		run->before[i] = statements;
		if (run->segments[i].previous)
			run->next[run->segments[i].previous - 1] = i + 1;
	}
}

/* Has the statement ended, also if it is a call of outside code? */
static bool is_complete(const struct dual_run *run, uint64_t last)
{
	return run->ends.size >= last &&
	       (!last || !execution_is_under_way(run->e, run->ends.at[last - 1]));
}

static struct hence_error *explain_full(const struct dual_run *run)
{
	return error_create(
		HENCE_ERROR_INPUT,
		"the runs are too long to be compared: the memory for what they copied is "
		"used up after %llu instructions; give the program less to do",
		(unsigned long long)execution_instances(run->e));
}

struct hence_error *dual_run_decode(struct dual_run *run, const struct recording *recording,
                                    uint64_t last, uint64_t memory, bool (*stop)(void *context),
                                    void *context)
{
	struct execution_options options = {.table = recording->table,
	                                    .retain = true,
	                                    .windows = true,
	                                    .memory = memory,
	                                    .statement = note_statement,
	                                    .wrote = note_write,
	                                    .context = run};
	struct hence_error *error;
	uint32_t count;
	bool ended = false;

	*run = (struct dual_run){.recording = recording, .most = memory / 4};
	error = execution_create(recording->modules, recording->folder, recording->tape, &options,
	                         &run->e);
	while (!error && !ended && !run->full && !run->stopped) {
		error = execution_advance(run->e, (uint64_t)execution_next(run->e) + STEP,
		                          recording->death, &ended);
		run->over = ended;
		ended |= is_complete(run, last);
		run->stopped = !ended && stop && stop(context);
	}
	if (!error && run->full)
		error = explain_full(run);
	if (error)
		return error;
	execution_kept(run->e, &run->first, &run->end);
	run->segments = execution_segments(run->e, &run->segment_count);
	run->frames = execution_frames(run->e, &count);
	qsort(run->writes.at, run->writes.size, sizeof(*run->writes.at), by_instance);
	index_segments(run);
	return NULL;
}

void dual_run_deinit(struct dual_run *run)
{
	execution_destroy(run->e);
	vec_deinit(&run->ends);
	vec_deinit(&run->writes);
	free(run->bytes);
	free(run->before);
	free(run->next);
}

/* --- where and when --- */

struct dual_place dual_run_place(const struct dual_run *run, uint32_t instance)
{
	const struct execution_segment *s = execution_segment(run->e, instance);
	const struct code *code = execution_code_table(run->e);
	const struct code_function *f = code->functions.at[run->frames[s->frame].function];

	return (struct dual_place){f, (uint32_t)(s - run->segments),
	                           s->code - f->first + (instance - s->first)};
}

uint32_t dual_run_segment_end(const struct dual_run *run, uint32_t segment)
{
	return segment + 1 < run->segment_count ? run->segments[segment + 1].first : run->end;
}

uint32_t dual_run_statement_end(const struct dual_run *run, uint32_t instance)
{
	struct dual_place p = dual_run_place(run, instance);

	for (;;) {
		uint32_t end = dual_run_segment_end(run, p.segment);

		for (; instance < end; instance++, p.pc++)
			if (p.function->insns[p.pc].flags & CODE_STATEMENT)
				return instance;
		if (!run->next[p.segment])
			return 0;
		p.segment = run->next[p.segment] - 1;
		instance = run->segments[p.segment].first;
		p.pc = run->segments[p.segment].code - p.function->first;
	}
}

/* How many statements ended before the instance. */
static uint32_t count_before(const struct dual_run *run, uint32_t instance)
{
	uint32_t segment = (uint32_t)(execution_segment(run->e, instance) - run->segments);
	uint32_t count = run->before[segment];

	while (count < run->ends.size && run->ends.at[count] < instance)
		count++;
	return count;
}

bool dual_run_is_end(const struct dual_run *run, uint32_t instance)
{
	uint32_t count = count_before(run, instance);

	return count < run->ends.size && run->ends.at[count] == instance;
}

uint64_t dual_run_time_of(const struct dual_run *run, uint32_t end)
{
	uint32_t count;

	if (!end)
		return (uint64_t)run->ends.size + 1;
	count = count_before(run, end);
	return count < run->ends.size && run->ends.at[count] == end ? count + 1 : count;
}

uint64_t dual_run_time(const struct dual_run *run, uint32_t instance)
{
	return dual_run_time_of(run, dual_run_statement_end(run, instance));
}

bool dual_run_is_in_front(const struct dual_run *run, uint32_t instance)
{
	struct dual_place p = dual_run_place(run, instance);

	for (const struct code_insn *i = dual_run_insn(&p);; i++) {
		if (i > dual_run_insn(&p) && i->flags & CODE_BEGINS)
			return true;
		if (i->flags & CODE_STATEMENT)
			return false;
		if (i->op >= CODE_GOTO)
			return true;
	}
}

uint32_t dual_run_of_time(const struct dual_run *run, uint64_t time)
{
	if (time && time <= run->ends.size)
		return run->ends.at[time - 1];
	if (!run->over || !run->ends.size || time != (uint64_t)run->ends.size + 1)
		return 0;
	/* It may have died in a call, which was counted when it began: abort(). */
	return execution_died(run->e) ? run->end - 1 : run->ends.at[run->ends.size - 1];
}

/* --- what was written --- */

const struct dual_write *dual_run_write(const struct dual_run *run, uint32_t instance,
                                        uint64_t address, uint64_t size)
{
	uint32_t low = 0, high = run->writes.size;
	const struct dual_write *found = NULL;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (run->writes.at[middle].instance < instance)
			low = middle + 1;
		else
			high = middle;
	}
	/* The last one is what stayed. */
	for (; low < run->writes.size && run->writes.at[low].instance == instance; low++) {
		const struct dual_write *w = &run->writes.at[low];

		if (address >= w->address && address - w->address + size <= w->size)
			found = w;
	}
	return found;
}
