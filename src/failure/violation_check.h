/*
 * Inside violation.h: a condition in C that the user wants to hold at a line, and what finding it
 * shares with the violations that a failure shows.
 */
#ifndef HENCE_FAILURE_VIOLATION_CHECK_H
#define HENCE_FAILURE_VIOLATION_CHECK_H

#include "failure/violation.h"
#include "failure/watch.h"

#define VIOLATION_LOWEST 4096u /* no object lies below: NULL and what is computed from it */

struct violation_work {
	const struct recording *run;
	struct symbolic *symbolic;
	struct terms *terms;
	const struct execution *kept;
	const struct violation_question *question;
	struct violation *out; /* begins empty */
};

/* Finds the first instance at which the user's condition is false. */
MUST_USE struct hence_error *violation_of_check(struct violation_work *work);

/* --- for both: defined in violation.c --- */

void violation_note(struct violation *violation, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The place of an instruction, and the number of its statement. */
void violation_set_place(struct violation *violation, struct names *names, uint32_t code,
                         uint64_t time);

/* Was the instance kept by the execution that claims are about? */
bool violation_is_kept(const struct violation_work *work, uint32_t instance);

/* Sets the claim, about the state before the instance. A claim that held in the run, that depends
   on no computed value, or that has no term is left out: the instance itself is the violation
   then. */
void violation_set_claim(struct violation_work *work, uint32_t instance, term claim);

/* Memory as the execution has it now, with who wrote it. 1 to 8 bytes. */
term violation_memory(struct violation_work *work, struct execution *now, uint64_t address,
                      uint32_t size);

#endif
