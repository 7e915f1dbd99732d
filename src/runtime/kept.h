/*
 * Streams that keep their content in memory of the program: what fmemopen() and open_memstream()
 * give. The program looks at that memory after it has flushed or closed the stream; what changed
 * is recorded then at the latest.
 */
#ifndef HENCE_RUNTIME_KEPT_H
#define HENCE_RUNTIME_KEPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct hence_rt_frame;
struct outside_clause;

extern uint32_t hence_rt_kept; /* how many there are */

/* After the call that opened one: a clause of kind OUTSIDE_KEEPS. */
void hence_rt_keep(struct hence_rt_frame *frame, const struct outside_clause *clause);

/* Is it one whose memory grows, as open_memstream() gives? */
bool hence_rt_is_growing(const FILE *file);

/* Around each call while there are some. */
void hence_rt_kept_before(struct hence_rt_frame *frame);
void hence_rt_kept_after(struct hence_rt_frame *frame);

#endif
