/* Inside violation.h: what its parts share. */
#ifndef HENCE_FAILURE_VIOLATION_WORK_H
#define HENCE_FAILURE_VIOLATION_WORK_H

#include "failure/violation.h"
#include "failure/watch_errors.h"

struct violation_work {
	const struct recording *run;
	struct symbolic *symbolic;
	struct terms *terms;
	const struct execution *kept;
	const struct violation_question *question;
	struct violation *out; /* begins empty */
};

/* --- violation.c --- */

void violation_note(struct violation *violation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The place of an instruction, and the number of its statement. */
void violation_set_place(struct violation *violation, struct names *names, uint32_t code,
                         uint64_t time);

bool violation_is_kept(const struct violation_work *work, uint32_t instance);

/* The claim is about what is there before the instance. What held in the run, what follows from nothing that was
   computed and what has no term is no claim: the instance itself is the violation then. */
void violation_set_claim(struct violation_work *work, uint32_t instance, term claim);
void violation_set_event(struct violation_work *work, uint32_t instance);

/* --- a look at the run right after an instance --- */

struct violation_moment {
	struct watch watch;
	struct watch_errors errors;
	struct violation_work *work;
	uint32_t instance;
	/* Called once, behind the statement that the instance belongs to; in a run that died of it, at the
	   end. `a` is the function that it was executed in; NULL: that has returned. */
	void (*take)(struct violation_moment *moment, const struct activation *a);
	void *context;
	bool died;       /* in this statement */
	uint32_t told;   /* the last statement */
	uint64_t number; /* of it */
};

/* Decodes the run until then; time and place are set. */
struct hence_error *violation_moment(struct violation_work *work, uint32_t instance,
                                     void (*take)(struct violation_moment *moment,
                                                  const struct activation *a),
                                     void *context);

/* Appends an operand of the function as C; '...' if that is not known. */
void violation_express(struct violation_moment *moment, const struct activation *a,
                       LLVMValueRef value, struct str *out);

/* --- branches that a failure depends on --- */

/* The nearest branch, from what the instance hangs on upwards, of which another side does not end the program in a
   failure, too; 0: there is none. */
uint32_t violation_branch_above(const struct violation_work *work, uint32_t instance);

/* The branch of the loop that the instance is in; 0: it is in none. */
uint32_t violation_loop_around(const struct violation_work *work, uint32_t instance);

/* The branch should have gone another way. */
struct hence_error *violation_set_branch(struct violation_work *work, uint32_t branch);

/* --- parts --- */

/* How the run ended. */
struct hence_error *violation_of_failure(struct violation_work *work);

/* The access to memory, or the division, that the program died of; the error with memory that
   has number `error` of execution_errors() when the run is decoded. */
struct hence_error *violation_of_fault(struct violation_work *work, uint32_t instance);
struct hence_error *violation_of_error(struct violation_work *work, uint32_t instance,
                                       uint32_t error);

/* What was given to a function of the library that the program died in, or that went beyond an
   object. Claims of a copy that was too long; 0: there is none. */
struct hence_error *violation_of_call(struct violation_work *work, uint32_t call);
bool violation_is_free(const struct violation_work *work, uint32_t call);
term violation_claim_of_outside(struct violation_moment *moment,
                                const struct execution_error *error, struct str *wanted,
                                struct str *numbers);

/* Standard output is wrong from byte `offset` on. */
struct hence_error *violation_of_output(struct violation_work *work, uint64_t offset);

/* violation_check.c: what the user wants to hold. */
struct hence_error *violation_of_check(struct violation_work *work);

/* --- terms --- */

term violation_and(struct terms *terms, term a, term b);
term violation_or(struct terms *terms, term a, term b);
term violation_differs(struct terms *terms, term a, uint64_t value);

/* It is not what it was in the run; 0: it cannot be anything else, since nothing went into it. */
term violation_has_changed(struct violation_work *work, term t);

/* Memory as the execution has it now, with who wrote it. 1 to 8 bytes. */
term violation_memory(struct violation_work *work, struct execution *now, uint64_t address,
                      uint32_t size);

/* That many bytes from `pointer` on lie within the object; `bits`: of the pointer's term. */
term violation_within(struct violation_work *work, const struct object *object, term pointer,
                      term size);

#endif
