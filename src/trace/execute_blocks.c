/*
 * Blocks, segments and what they hang on. The parent of a block is the youngest branch of its call
 * whose sides have not met again (online, with the immediate post-dominators of model/control.h);
 * without one it is the call itself.
 */
#include "trace/executor.h"

#include <sys/mman.h>

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

static void too_long(struct execution *e, const char *why)
{
	executor_fail(e, error_create(HENCE_ERROR_INPUT,
	                              "the run is too long to be kept: %s after %llu statements; "
	                              "--from N and --to N choose a part of it",
	                              why, (unsigned long long)e->statements));
}

static void too_large(struct execution *e)
{
	executor_fail(e,
	              error_create(HENCE_ERROR_INPUT,
	                           "the program uses %llu MB of memory, more than can be followed "
	                           "here (that takes 7 times as much); give it less to do",
	                           (unsigned long long)(e->memory.pages.size >> 8)));
}

static bool is_wanted(const struct execution *e)
{
	return e->options.retain && e->statements >= e->options.from &&
	       (!e->options.to || e->statements <= e->options.to);
}

/* A new segment begins; makes room for the rest of its block. */
void executor_segment(struct execution *e, struct activation *a)
{
	uint64_t most = a->function->blocks[a->block + 1] - a->pc;
	bool keeping = is_wanted(e);

	a->broken = false;
	if (keeping && !e->keeping && !e->segments.size)
		e->kept_from = e->next;
	if (e->keeping && !keeping)
		e->kept_end = e->next;
	e->keeping = keeping && !e->failure;
	if (e->keeping)
		e->kept_end = UINT32_MAX;
	if (e->next >= EXECUTOR_LIMIT / 2 && !keeping && !e->segments.size)
		executor_forget(e);
	if (e->next + most >= EXECUTOR_LIMIT) {
		too_long(e, "it has 2,147,483,647 instructions");
		return;
	}
	if (e->memory.exhausted)
		too_large(e);
	if (!e->keeping)
		return;
	if (e->next - e->kept_from + most >= e->room && !make_room(e)) {
		e->keeping = false;
		too_long(e, "no memory is left");
		return;
	}
	if (execution_bytes(e) + e->memory.pages.size * sizeof(struct memory_page) >
	    e->options.memory) {
		e->keeping = false;
		too_long(e, "the memory for it is used up");
		return;
	}
	*vec_push(&e->segments) = (struct execution_segment){.first = e->next,
	                                                     .code = a->function->first + a->pc,
	                                                     .frame = a->frame,
	                                                     .parent = a->parent,
	                                                     .previous = a->segment};
	a->segment = e->segments.size;
}

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
	                                          : e->frames.at[a->frame].call;
	a->came = a->block;
	a->block = block;
	executor_segment(e, a);
}

void executor_reach(struct execution *e, struct activation *a, uint32_t block, uint32_t pc,
                    const uint8_t *tape)
{
	const uint32_t *blocks = a->function->blocks;

	if (a->pc <= blocks[block] || a->pc >= blocks[block + 1]) {
		a->pc = blocks[block];
		executor_block(e, a, block);
	} else if (a->broken) {
		executor_segment(e, a);
	}
	if (pc > a->pc)
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
	*top = (struct executor_branch){instance, until};
}
