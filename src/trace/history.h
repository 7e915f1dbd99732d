/*
 * The history of a recording: decoded once, asked many times. The first question decodes the tape and keeps every instance; on the
 * way the decoder leaves copies of itself, so that any statement can be executed once more from nearby. A run that is too long to be kept has
 * no history: each question decodes it from its beginning.
 *
 * Time is counted in statements, as execution.h does: the point T lies before statement T.
 */
#ifndef HENCE_TRACE_HISTORY_H
#define HENCE_TRACE_HISTORY_H

#include "trace/execution.h"
#include "trace/recording.h"
#include "trace/writes.h"

struct history;
struct path;

/* Empty, for a recording that is asked more than once. Caller frees with history_destroy(), after all that asks. */
struct history *history_create(void);
void history_destroy(struct history *history);

/* What is kept of the run's path: for path.h. NULL: nothing. */
struct path *history_path(const struct history *history);

/* Room for what a module above keeps with the recording, NULL at first; `destroy` frees it with the history. There is one: the same
   caller has it always. NULL: the recording has no history. */
void **history_room(const struct recording *run, void (*destroy)(void *kept));

/* The run at its end, with everything kept: instances, outputs, and the bytes that outside calls read (options.bytes). Valid as long as the
   history. *out is NULL if the run is too long to be kept, or the recording has no history. */
MUST_USE struct hence_error *history_whole(const struct recording *run, struct execution **out);

/* An execution with these options (windows are on then) that comes next to statement `from`, or further before it; with options.begins
   it will tell that this statement begins. execution_whole() gives the whole run. Caller frees with execution_destroy(), before the history. */
MUST_USE struct hence_error *history_open(const struct recording *run, uint64_t from,
                                          const struct execution_options *options,
                                          struct execution **out);

/* Executes statements once more: calls options->statement for at least those at `times`, which are in order, and for others near them, always
   in order of time. Ends after the last of them, when it is told to (walk_halt()), or at the end of the run. *out stands there. Without a
   history the whole run is executed. `moved` is called with the execution before the first statement is told and whenever
   another execution goes on from there; may be NULL. Caller frees *out with execution_destroy(); NULL after an error. */
MUST_USE struct hence_error *history_visit(const struct recording *run, const uint64_t *times,
                                           uint32_t count, const struct execution_options *options,
                                           void (*moved)(void *context, struct execution *e),
                                           struct execution **out);

/* --- of a run that is kept; asked with execution_whole() or history_whole() --- */

/* The statement that an instance is of; 0: it is none, or before main. */
uint64_t history_statement(const struct recording *run, uint32_t instance);

/* The first instance of a statement; 0: it did not begin. And its last one: of a call, the call. 0: it did not end. */
uint32_t history_begin(const struct recording *run, uint64_t statement);
uint32_t history_end(const struct recording *run, uint64_t statement);

/* What it wrote otherwise than by small stores. NULL: that is too much to be kept. Valid as long as the history. */
const struct writes *history_writes(const struct recording *run);

/* A call of a function of the program: its first statement, and the first one after it has returned (UINT64_MAX: it did not). */
struct history_call {
	uint64_t entered, left;
	uint64_t frame; /* address of its locals; 0: not known */
	uint64_t size;  /* of them */
	uint32_t depth; /* so many others were under way below it */
};

/* All of these, in the order in which they were entered; *main is the first statement of main(), 0: it was not called. Valid as long as the
   history. */
const struct history_call *history_calls(const struct recording *run, uint32_t *count,
                                         uint64_t *main);

/* A statement that printed bytes `from` up to `to` of standard output. */
struct history_print {
	uint64_t time;
	uint64_t from, to;
};

/* All of these, in order. Valid as long as the history. */
const struct history_print *history_prints(const struct recording *run, uint32_t *count);

/* The first statement that printed a byte of standard output. NULL: none did. */
const struct history_print *history_print_of(const struct recording *run, uint64_t byte);

/* For each instruction by its number the first statement that it ended; 0: none. Valid as long as the history. */
const uint64_t *history_firsts(const struct recording *run, uint32_t *count);

/* The last statement with which main() returned to outside code, and the last call of outside code that did not return. 0: none. */
uint64_t history_returned(const struct recording *run);
uint64_t history_left(const struct recording *run);

#endif
