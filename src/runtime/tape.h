/* Inside the runtime: the tape file, its growth, and the buffer that stands in for it. */
#ifndef HENCE_RUNTIME_TAPE_H
#define HENCE_RUNTIME_TAPE_H

#include "runtime/runtime.h"

/* Makes the tape with this number in the session folder and starts writing to it, in the state
   'outside'. False: there is no room or no right to; the program goes on unrecorded. */
bool hence_rt_tape_open(const char *folder, uint32_t number, uint64_t limit);

/* Answers that vary come from the files of that tape; nothing is recorded. */
void hence_rt_tape_repeat(const char *folder, uint32_t number);

/* Room for HENCE_SLACK bytes from the write position on; stops recording when there is none. */
void hence_rt_tape_grow(void);

/* After a slow path: room is there and hence_rt_head.end is right for instrumented code. */
void hence_rt_check(void);

/* The folder of the session; NULL: none. */
const char *hence_rt_session(void);

/* Start and size of the place for the handlers' stream. */
uint8_t *hence_rt_side_start(void);

#define HENCE_RT_SIDE (64u << 20)

#endif
