/*
 * Blocks, segments and what they hang on. The parent of a block is the youngest branch of its call
 * whose sides have not met again (online, with the immediate post-dominators of model/control.h);
 * without one it is the call itself.
 */
#include "trace/executor.h"

#include <sys/mman.h>

#include "base/str.h"

#define STEP (1ull << 22) /* instances that room is made for at a time */

/* Room by mapping, since realloc() of gigabytes would need twice as much for a moment. */
static void *grow(void *old, uint64_t old_size, uint64_t size)
{
	void *p;

	if (!old)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	else
		p = mremap(old, old_size, size, MREMAP_MAYMOVE);
	return p == MAP_FAILED ? NULL : p;
}

static bool make_room(struct execution *e)
{
	uint64_t room = e->room + e->room / 2 + STEP;
	uint64_t *values = grow(e->values, e->room * sizeof(*values), room * sizeof(*values));
	uint32_t *sources;

	if (values)
		e->values = values;
	sources = grow(e->sources, e->room * sizeof(*sources), room * sizeof(*sources));
	if (sources)
		e->sources = sources;
	if (!values || !sources)
		return false;
	e->room = room;
	return true;
}

/* Nothing more is kept; what was kept so far stays. */
static void stop_keeping(struct execution *e)
{
	if (e->kept_end == UINT32_MAX)
		e->kept_end = e->next;
	e->keeping = false;
}

static void too_long(struct execution *e, const char *why)
{
	stop_keeping(e);
	if (e->options.windows)
		executor_fail(e, error_create(HENCE_ERROR_INPUT,
		                              "the run is too long: %s after %llu statements; "
		                              "give the program less to do",
		                              why, (unsigned long long)e->statements));
	else
		executor_fail(
			e, error_create(HENCE_ERROR_INPUT,
		                        "the run is too long to be kept: %s after %llu statements; "
		                        "--from N and --to N choose a part of it",
		                        why, (unsigned long long)e->statements));
}

static void too_large(struct execution *e)
{
	stop_keeping(e);
	executor_fail(e,
	              error_create(HENCE_ERROR_INPUT,
	                           "the program uses %llu MB of memory, more than can be followed "
	                           "here (that takes 7 times as much); give it less to do",
	                           (unsigned long long)(e->memory.pages.size >> 8)));
}

/* --- which segments are kept --- */

/* Statements that end in the segment that begins now. */
static uint64_t statements_of(const struct activation *a)
{
	uint32_t end = a->function->blocks[a->block + 1];
	uint64_t count = 0;

	for (uint32_t k = a->pc; k < end; k++) {
		count += (a->function->insns[k].flags & CODE_STATEMENT) != 0;
		if (a->function->insns[k].op == CODE_CALL)
			break;
	}
	return count;
}

/* Is one of the statements asked for in the segment that begins now, or were some before it? */
static bool is_wanted(const struct execution *e, const struct activation *a)
{
	uint64_t from = e->options.from, to = e->options.to;

	if (!e->options.retain || e->failure || (to && e->statements >= to))
		return false;
	return from <= 1 || e->statements >= from || e->statements + statements_of(a) >= from;
}

static void choose_keeping(struct execution *e, const struct activation *a)
{
	if (!is_wanted(e, a)) {
		stop_keeping(e);
		return;
	}
	if (!e->keeping && !e->segments.size)
		e->kept_from = e->next;
	e->keeping = true;
	e->kept_end = UINT32_MAX;
}

/* Are there numbers for this many instances? Those that are not kept can be used again. */
static bool have_numbers(struct execution *e, uint64_t most)
{
	uint64_t limit = e->options.limit ? e->options.limit : EXECUTOR_LIMIT;
	char *why;

	if (!e->keeping && !e->options.windows && e->next >= (limit + e->kept_end) / 2)
		executor_forget(e);
	if (e->next + most < limit)
		return true;
	why = str_format("it has %llu instructions", (unsigned long long)limit);
	too_long(e, why);
	free(why);
	return false;
}

/* Is there memory for this many instances? */
static bool have_memory(struct execution *e, uint64_t most)
{
	uint64_t pages = e->memory.pages.size * sizeof(struct memory_page);

	if (e->memory.exhausted) {
		too_large(e);
		return false;
	}
	if (!e->keeping)
		return true;
	if (e->next - e->kept_from + most >= e->room && !make_room(e)) {
		too_long(e, "no memory is left");
		return false;
	}
	if (execution_bytes(e) + pages > e->options.memory) {
		too_long(e, "the memory for it is used up");
		return false;
	}
	return true;
}

/* A new segment begins; makes room for the rest of its block. */
void executor_segment(struct execution *e, struct activation *a)
{
	uint64_t most = a->function->blocks[a->block + 1] - a->pc;

	a->broken = false;
	choose_keeping(e, a);
	if (!have_numbers(e, most) || !have_memory(e, most) || !e->keeping)
		return;
	*vec_push(&e->segments) = (struct execution_segment){.first = e->next,
	                                                     .code = a->function->first + a->pc,
	                                                     .frame = a->frame,
	                                                     .parent = a->parent,
	                                                     .previous = a->segment};
	a->segment = e->segments.size;
}

/* --- blocks --- */

void executor_block(struct execution *e, struct activation *a, uint32_t block)
{
	const struct executor_branch *top;

	while (e->branches.size > a->control) {
		top = &e->branches.at[e->branches.size - 1];
		if (top->until != block)
			break;
		e->branches.size--;
	}
	a->parent = e->branches.size > a->control ? e->branches.at[e->branches.size - 1].instance
	                                          : a->root;
	a->came = a->block;
	a->block = block;
	executor_segment(e, a);
}

/* Up to `end`, and tells where each statement begins. */
static void run_statements(struct execution *e, struct activation *a, uint32_t end,
                           const uint8_t *tape)
{
	while (a->pc < end) {
		uint32_t next = a->pc + 1;

		executor_tell_begin(e, a);
		while (next < end && !(a->function->insns[next].flags & CODE_BEGINS))
			next++;
		tape = executor_run(e, a, next - 1, tape);
	}
}

void executor_reach(struct execution *e, struct activation *a, uint32_t block, uint32_t pc,
                    const uint8_t *tape)
{
	const uint32_t *blocks = a->function->blocks;

	if (a->pc <= blocks[block] || a->pc >= blocks[block + 1]) {
		a->pc = blocks[block];
		executor_block(e, a, block);
	} else if (a->broken || (e->keeping && a->segment != e->segments.size)) {
		/* After a call, or a handler that interrupted. */
		executor_segment(e, a);
	}
	if (e->options.begins)
		run_statements(e, a, pc, tape);
	else if (pc > a->pc)
		executor_run(e, a, pc - 1, tape);
}

void executor_branch(struct execution *e, struct activation *a, uint32_t instance)
{
	uint32_t until = a->function->postdominators[a->block];
	struct executor_branch *top = NULL;

	if (e->branches.size > a->control)
		top = &e->branches.at[e->branches.size - 1];
	/* A loop's test takes the place of the one before: what is open stays small. */
	if (!top || top->until != until)
		top = vec_push(&e->branches);
	a->chosen = instance;
	*top = (struct executor_branch){instance, until};
}
