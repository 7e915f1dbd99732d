/*
 * Memory for tapes, ahead of time. A tape grows by gigabytes a second, and most of what that costs
 * is the kernel's finding and zeroing of fresh pages. A thread of hence does that on another core,
 * always a little ahead of the program, which then only maps pages that are there.
 */
#ifndef HENCE_RUN_FEED_H
#define HENCE_RUN_FEED_H

struct feed;

/* Starts to feed the tapes of the session folder. NULL: not possible; the program then does the
   work itself. Caller frees with feed_stop(). */
struct feed *feed_start(const char *session);
void feed_stop(struct feed *feed);

#endif
