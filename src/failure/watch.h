/*
 * Inside criterion.h: looks at the statements of a run as they go by. Of a run that its history keeps only those are executed once
 * more that the question is about; any other is decoded from its beginning, and all are looked at.
 */
#ifndef HENCE_FAILURE_WATCH_H
#define HENCE_FAILURE_WATCH_H

#include "failure/criterion.h"
#include "words/describe.h"

struct watch {
	const struct recording *run;
	bool outputs;
	bool begins; /* also before each: EXECUTION_BEGINS */
	double until;
	/* Called after each statement that is looked at. */
	void (*statement)(struct watch *watch, enum execution_event event);
	/* Called at the end, while the execution is still there. */
	struct hence_error *(*finish)(struct watch *watch);
	struct criterion *out;

	/* The run as its history keeps it; NULL: it does not, or watch_ask() was not called. */
	struct execution *whole;
	VEC(uint64_t) times; /* of `whole`: statements to be looked at */

	struct execution *e;
	uint64_t number;  /* of the statement that is looked at */
	uint64_t printed; /* bytes so far: watch_prints() */
	struct names *names;
	struct watch_errors *errors; /* that are noticed on the way; NULL: nobody asks for them */
	bool late;
};

/* Sets `whole`. If that is not NULL, at least one statement must be wanted before watch_run(). */
MUST_USE struct hence_error *watch_ask(struct watch *watch);

/* This statement of `whole` is to be looked at; others near it are, too. If it is the last that is wanted and never ends, the run is
   executed to its end. */
void watch_want(struct watch *watch, uint64_t time);

/* The last statement, and what comes after it. */
void watch_want_end(struct watch *watch);

/* The statement in which an error of `whole` happened (`index` of execution_errors()). */
void watch_want_error(struct watch *watch, uint32_t index);

/* Looks at the run, and calls `finish`. */
MUST_USE struct hence_error *watch_run(struct watch *watch);

/* Standard output: of `whole` all of it, else what was printed up to now. NULL: nothing. */
const struct outputs_stream *watch_output(const struct watch *watch);

/* Did the statement that is looked at print to the stream, and which bytes? To be asked after each one; of `whole` about standard
   output only. */
bool watch_prints(struct watch *watch, enum execution_event event,
                  const struct outputs_stream *stream, uint64_t *from, uint64_t *to);

/* Ends the decoding: enough is known. */
void watch_halt(struct watch *watch);

/* The instruction number of what the function on top has executed last. */
uint32_t watch_code(const struct watch *watch);

/* At the end of a run that died: the instance that it died of, or else the last; `told` is the one
   that the last statement was. */
uint32_t watch_dying(const struct watch *watch, uint32_t told);

/* The place of an instruction becomes that of the criterion. */
void watch_set_place(struct watch *watch, uint32_t code);

/* Adds an instance as a beginning; what is no instance is noted. */
void watch_add(struct watch *watch, const struct slice_criterion *at);

/* Adds what made an operand of the function `a`. */
void watch_add_operand(struct watch *watch, const struct activation *a, uint32_t operand);

/* Adds those who wrote these bytes; of `name`, for a note. */
void watch_add_memory(struct watch *watch, uint64_t address, uint64_t size, const char *name);

/* Adds an instance that a report shows as the criterion. */
void watch_mark(struct watch *watch, uint32_t instance);

/* A note for the report. */
void watch_note(struct watch *watch, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- memory errors that are noticed while a run is decoded --- */

/* A memory error, with what is only known while it happens. */
struct watch_error {
	uint32_t instance;
	uint32_t pointer; /* who made the pointer; 0: nobody, or the instance says all */
	uint32_t freed;   /* the call that freed the block; 0: it is not about that */
};

/* Begins empty: all 0. As watch.errors it goes along when the watch goes on elsewhere: errors on the way there are not seen. Caller frees with watch_errors_deinit(). */
struct watch_errors {
	struct describe_errors *errors;
	VEC(struct watch_error) seen; /* one for each of execution_errors() */
};

void watch_errors_deinit(struct watch_errors *errors);

/* Looks at what is new. To be called after each statement, and at the end. */
void watch_errors_see(struct watch_errors *errors, struct watch *watch);

/* The first error; the first that destroyed something. -1: there is none. Of the run so far, or of `whole` before it is looked at. */
int64_t watch_errors_first(const struct execution *e, bool destroying);

/* The error becomes a criterion. */
void watch_errors_add(const struct watch_errors *errors, struct watch *watch, uint32_t index);

/* A failure that came later: what destroyed memory before it belongs to why it failed, and becomes
   a criterion, too. If nothing was destroyed and `any`, the first error is noted; the reading of a
   block that was freed becomes a criterion then, since the value came from who has the block
   now. */
void watch_errors_add_earlier(const struct watch_errors *errors, struct watch *watch, bool any);

/* Which operand of the instruction says where: CODE_NO_OPERAND: several matter. */
uint32_t watch_pointer_operand(const struct code_insn *insn);

#endif
