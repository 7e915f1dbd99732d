/* Inside criterion.h: one decoding of a run that looks at each statement as it goes by. */
#ifndef HENCE_FAILURE_WATCH_H
#define HENCE_FAILURE_WATCH_H

#include "failure/criterion.h"
#include "words/describe.h"

struct watch {
	const struct recording *run;
	bool outputs;
	bool begins; /* also before each: EXECUTION_BEGINS */
	double until;
	/* Called after each statement. */
	void (*statement)(struct watch *watch, enum execution_event event);
	/* Called at the end, while the execution is still there. */
	struct hence_error *(*finish)(struct watch *watch);
	struct criterion *out;

	struct execution *e;
	struct names *names;
	bool late;
};

/* Decodes the run. */
struct hence_error *watch_run(struct watch *watch);

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

#endif
