/*
 * Messages between hence and its workers, over a stream socket: a kind, a size, bytes. An input is
 *
 *	u32 number of parts; of each: u32 kind, varied; text name; u64 size, bytes
 *
 * and a result its numbers, then outcomes (outcome.h) and outputs, each after its size.
 */
#ifndef HENCE_TRIAL_BYTES_H
#define HENCE_TRIAL_BYTES_H

#include <stdbool.h>

#include "trial/trial.h"

enum message_kind {
	MESSAGE_READY = 1, /* the worker waits for jobs */
	MESSAGE_JOB,       /* an input, or an experiment (worker_server.h) */
	MESSAGE_CANCEL,    /* the job in hand, if any, is not wanted any more */
	MESSAGE_RESULT,    /* of a job: one of these three for each */
	MESSAGE_CANCELLED,
	MESSAGE_ERROR, /* u32 kind of error, then its text; the worker ends */
	MESSAGE_QUIT,  /* end, and leave the shared directory */
};

/* False: the other end is gone. Signals do not interrupt them. */
bool message_send(int socket, enum message_kind kind, const void *bytes, size_t size);
/* Puts the bytes in place of what `out` has. */
bool message_receive(int socket, enum message_kind *kind, struct str *out);

void trial_bytes_put_input(struct str *out, const struct input *input,
                           const struct trial_edit *edit);
/* `extra` is the answer to an experiment; NULL: there was none. */
void trial_bytes_put_result(struct str *out, const struct trial_result *result,
                            const struct str *extra);

/* False: the bytes are no such thing. Caller frees with input_deinit(), trial_result_deinit(),
   str_deinit(). */
bool trial_bytes_get_input(const struct str *bytes, struct input *out, struct trial_edit *edit);
bool trial_bytes_get_result(const struct str *bytes, struct trial_result *out, struct str *extra);

#endif
