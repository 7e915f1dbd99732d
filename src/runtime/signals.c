/*
 * Signal handlers. hence cc turns calls of signal() and sigaction() into calls of the functions
 * below, which put a trampoline in front of the program's handler, so that the tape shows that a
 * handler ran. A handler that interrupts outside code writes to the main stream. One that
 * interrupts instrumented code (or the runtime) finds the current block's records half written, so
 * it writes to the side stream.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/calls.h"
#include "runtime/tape.h"

/* What a handler in the side stream interrupted. */
struct place {
	uint8_t *cur, *written, *end;
	uint64_t outframe;
	struct hence_rt_stream stream;
	struct hence_rt_depth depth;
	uint32_t busy;
};

static struct sigaction wanted[_NSIG]; /* the program's own handlers */
static struct place interrupted;
static struct hence_side_record *side; /* the record being written; NULL: main stream */
static uint8_t *side_cur;
static uint8_t *hint; /* the main stream is surely written up to here */

/* --- the side stream --- */

#define UNWRITTEN 16384 /* so many zeros are the end: no block writes so much without a branch */

/* Instrumented code keeps its write position in a register: finds how far it has written. */
static uint8_t *written_end(void)
{
	uint8_t *end = hence_rt_head.cur, *p;

	if (hence_rt_busy || !hence_rt_head.end)
		return end;
	if (hint > end && hint < hence_rt_stream.committed)
		end = hint;
	for (p = end; p < hence_rt_stream.committed && p - end < UNWRITTEN; p++)
		if (*p)
			end = p + 1;
	hint = end;
	return end;
}

static bool enter_side(int number, const ucontext_t *context)
{
	struct hence_head *head = &hence_rt_head;
	uint8_t *start = hence_rt_side_start();
	uint8_t *written = written_end();
	struct hence_side_record record = {
		.position = (uint64_t)(written - head->base),
		.pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP],
		.signal = (uint32_t)number,
	};

	interrupted = (struct place){.cur = head->cur,
	                             .written = written,
	                             .end = head->end,
	                             .outframe = head->outframe,
	                             .stream = hence_rt_stream,
	                             .depth = hence_rt_calls_depth(),
	                             .busy = hence_rt_busy};
	if (!side_cur) {
		side_cur = start;
		head->side_offset = head->limit;
	}
	hence_rt_busy = 0;
	head->cur = side_cur;
	hence_rt_stream = (struct hence_rt_stream){
		.end = side_cur, .committed = side_cur, .limit = start + HENCE_RT_SIDE};
	hence_rt_stream.end -= HENCE_SLACK;
	hence_rt_put(&record, sizeof(record));
	if (!hence_rt_recording())
		return false;
	side = (struct hence_side_record *)side_cur;
	head->end = NULL;
	return true;
}

static void leave_side(bool jumped)
{
	struct hence_head *head = &hence_rt_head;

	side->size = (uint64_t)(head->cur - (uint8_t *)(side + 1));
	side->jumped = jumped;
	side_cur = head->cur;
	head->side_size = (uint64_t)(side_cur - hence_rt_side_start());
	side = NULL;
	head->cur = jumped ? interrupted.written : interrupted.cur;
	head->end = interrupted.end;
	head->outframe = interrupted.outframe;
	hence_rt_stream = interrupted.stream;
	hence_rt_calls_set_depth(interrupted.depth);
	hence_rt_busy = interrupted.busy;
}

bool hence_rt_signals_forked(void)
{
	side_cur = hint = NULL;
	return !side;
}

void hence_rt_signals_jumped(void)
{
	if (!side)
		return;
	leave_side(true);
	hence_rt_busy = 1;
}

/* --- the trampoline --- */

/* errno, which is not the trampoline's to change, is for the handler what it was for the program, and
   for the program what the handler leaves. */
static int program_errno;

static void call_handler(int number, siginfo_t *info, void *context)
{
	struct sigaction *action = &wanted[number];

	errno = program_errno;
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else
		action->sa_handler(number);
	program_errno = errno;
}

static void mark(enum hence_tag tag, int number)
{
	uint32_t signal_number = (uint32_t)number;
	uint8_t *open = hence_rt_open_record(tag);

	hence_rt_put(&signal_number, sizeof(signal_number));
	hence_rt_close_record(open);
}

static void trampoline(int number, siginfo_t *info, void *context)
{
	union hence_rt_value args[HENCE_RT_ARGS];
	uint8_t result[HENCE_RESULT];
	program_errno = errno;
	memcpy(args, hence_rt_args, sizeof(args));
	memcpy(result, hence_rt_result, sizeof(result));
	if (!hence_rt_recording()) {
		call_handler(number, info, context);
	} else if (!hence_rt_head.end && !hence_rt_busy) {
		mark(HENCE_SIGNAL, number);
		call_handler(number, info, context);
		if (hence_rt_recording())
			mark(HENCE_SIGNALED, number);
	} else if (!side) {
		bool recorded = enter_side(number, context);

		call_handler(number, info, context);
		if (recorded && hence_rt_recording() && side)
			leave_side(false);
	} else {
		/* Inside a handler's instrumented code: there is no third stream. */
		hence_rt_stop(HENCE_NESTED);
		call_handler(number, info, context);
	}
	memcpy(hence_rt_args, args, sizeof(args));
	memcpy(hence_rt_result, result, sizeof(result));
	errno = program_errno;
}

/* --- what the program calls --- */

static bool is_function(const struct sigaction *action)
{
	return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN &&
	       action->sa_handler != SIG_ERR;
}

HENCE_RT_EXPORT int hence_rt_sigaction(int number, const struct sigaction *action,
                                       struct sigaction *old);
int hence_rt_sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct sigaction before, ours, last;

	if (!hence_rt_recording() || number <= 0 || number >= _NSIG)
		return sigaction(number, action, old);
	last = wanted[number];
	if (action) {
		ours = *action;
		wanted[number] = *action;
		if (is_function(action)) {
			ours.sa_sigaction = trampoline;
			ours.sa_flags |= SA_SIGINFO;
		}
	}
	if (sigaction(number, action ? &ours : NULL, &before)) {
		wanted[number] = last;
		return -1;
	}
	/* What the program set last, not what we made of it; SA_RESETHAND leaves our flag alone. */
	if (before.sa_handler == (void (*)(int))(void *)trampoline)
		before.sa_handler = last.sa_handler;
	if (is_function(&last))
		before.sa_flags = (before.sa_flags & ~SA_SIGINFO) | (last.sa_flags & SA_SIGINFO);
	if (old)
		*old = before;
	return 0;
}

HENCE_RT_EXPORT void (*hence_rt_signal(int number, void (*handler)(int)))(int);
void (*hence_rt_signal(int number, void (*handler)(int)))(int)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

	if (!hence_rt_recording() || number <= 0 || number >= _NSIG)
		return signal(number, handler);
	sigemptyset(&action.sa_mask);
	return hence_rt_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}
