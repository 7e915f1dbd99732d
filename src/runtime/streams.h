/*
 * Where input comes from and output goes to: descriptors, and the stdio streams on top of them.
 *
 * Offsets of input are those in the file where it can be sought, else a count of the bytes taken
 * from the descriptor so far. Offsets of output count the bytes that were given to a descriptor, at
 * the time of the call, no matter when stdio writes them. Nothing here changes a stream.
 */
#ifndef HENCE_RUNTIME_STREAMS_H
#define HENCE_RUNTIME_STREAMS_H

#include <stdint.h>
#include <stdio.h>

struct hence_rt_channel;

/* A stdio stream as it was before a call. */
struct hence_rt_view {
	struct hence_rt_channel *channel; /* NULL: no descriptor, such as fmemopen() */
	FILE *file;
	const char *ptr, *end, *base;
	uint64_t left; /* bytes that stdio has read but not given out */
	uint64_t at;   /* offset of the next byte */
	int32_t fd;
};

/* The descriptor of a stream; -1: none. */
int32_t hence_rt_streams_fd(FILE *file);

/* Looks at a stream before a call that may read from it. */
void hence_rt_streams_look(struct hence_rt_view *view, FILE *file);

/* After the call: bytes taken since, from offset view->at on. `hint` is how many the model says;
   -1: it cannot say. */
uint64_t hence_rt_streams_taken(struct hence_rt_view *view, int64_t hint);

/* After a call that took `size` bytes of the input and no others: where they still lie in memory;
   NULL: not any more. */
const char *hence_rt_streams_bytes(const struct hence_rt_view *view, uint64_t size);

/* After a call that set the position, or pushed a byte back. */
void hence_rt_streams_moved(struct hence_rt_view *view);

/* After `size` bytes were read from a descriptor: the offset of the first. `at` is where, -1: at
   the descriptor's own position. */
uint64_t hence_rt_streams_read(int32_t fd, uint64_t size, int64_t at);

/* After `size` bytes were written: the offset of the first. */
uint64_t hence_rt_streams_wrote(int32_t fd, uint64_t size);

/* The descriptor now stands for something else, counted from 0, or on from where `like` is. */
void hence_rt_streams_reset(int32_t fd, int32_t like);

#endif
