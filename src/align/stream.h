/*
 * A run as a stream of events, made by a walk of its tape, some thousands ahead. Statements of a block are
 * told together; all that may differ between two runs is an event of its own.
 */
#ifndef HENCE_ALIGN_STREAM_H
#define HENCE_ALIGN_STREAM_H

#include "align/functions.h"
#include "trace/recording.h"

enum align_event_kind {
	ALIGN_BLOCK,      /* the function on top enters block `at` */
	ALIGN_STATEMENTS, /* it has executed the first `at` statements of the block */
	ALIGN_CALL,       /* and makes the call that is record `at` */
	ALIGN_CALLBACK,   /* outside code calls a function */
	ALIGN_HANDLER,    /* a signal handler interrupts the function on top */
	ALIGN_RETURN,     /* what is on top, a function or outside code, returns */
	ALIGN_UNWOUND,    /* all but the first `at` of what is under way is gone */
	ALIGN_BACK,       /* record `at` of the function on top is about to return once more, */
	ALIGN_RESUMED,    /* and does so */
	ALIGN_DYING,      /* the next statement of the function on top is what the run dies of */
	ALIGN_END,        /* of the run; comes again and again */
};

struct align_event {
	uint8_t kind; /* enum align_event_kind */
	bool counts;  /* ALIGN_CALL: it is a statement */
	uint32_t at;
	const struct align_function *function; /* that is called; NULL: outside code */
	const char *name;                      /* of that, if it was called through a pointer */
};

struct align_stream;

/* `functions` and the recording must outlive it. Caller frees with align_stream_destroy(). */
struct hence_error *align_stream_create(const struct recording *run, unsigned number,
                                        struct align_functions *functions,
                                        struct align_stream **out);
void align_stream_destroy(struct align_stream *stream);

/* Makes the next events; there is at least one. The error is that of the walk. They are valid until the
   next call. */
struct hence_error *align_stream_fill(struct align_stream *stream,
                                      const struct align_event **events, uint32_t *count);

#endif
