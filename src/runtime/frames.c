/* Frames of outside calls: a stack of our own. See outside.h. */
#include "runtime/outside.h"

#define STACK_SIZE (16u << 20) /* touched only as far as it is used */

static uint8_t *stack;
static struct hence_rt_frame *top;

static __attribute__((noinline)) bool make_stack(void)
{
	stack = hence_rt_memory(STACK_SIZE);
	return stack;
}

struct hence_rt_frame *hence_rt_frame_push(const struct hence_rt_call *call)
{
	struct hence_rt_frame *frame;
	uint8_t *start;

	if (!stack && !make_stack())
		return NULL;
	/* Calls of this depth or deeper that were left by longjmp(). */
	while (top && top->depth >= call->depth)
		top = top->below;
	start = top ? top->end : stack;
	if (start + sizeof(*frame) > stack + STACK_SIZE)
		return NULL;
	frame = (struct hence_rt_frame *)start;
	frame->below = top;
	frame->end = start + sizeof(*frame);
	frame->depth = call->depth;
	frame->call = call;
	frame->seen = NULL;
	top = frame;
	return frame;
}

void hence_rt_frame_pop(struct hence_rt_frame *frame)
{
	top = frame->below;
}

void *hence_rt_frame_room(struct hence_rt_frame *frame, size_t size)
{
	uint8_t *room = frame->end;

	size = (size + 15) & ~(size_t)15;
	if (size > (size_t)(stack + STACK_SIZE - room))
		return NULL;
	frame->end += size;
	return room;
}
