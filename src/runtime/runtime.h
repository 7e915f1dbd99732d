/*
 * Inside the runtime: what its files share. The runtime is linked into the program, so it exports
 * only hence_rt_*, uses no malloc, no stdio and no locks, and leaves errno as it was.
 */
#ifndef HENCE_RUNTIME_RUNTIME_H
#define HENCE_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory.h"
#include "runtime/protocol.h"

/* An argument as a hook stored it: little endian in 16 bytes. */
union hence_rt_value {
	uint8_t bytes[16];
	uint8_t u8;
	uint16_t u16;
	int32_t i32;
	uint32_t u32;
	int64_t i64;
	uint64_t u64;
	void *p;
	float f;
	double d;
	long double e;
};

#define HENCE_RT_ARGS 64 /* further arguments of a call are not looked at */

/* An outside call that is under way. */
struct hence_rt_call {
	const struct hence_rt_site *site;
	struct hence_rt_import
		*import; /* also for indirect calls: never NULL; its name may be NULL */
	uint32_t argc;
	uint64_t frame; /* of the caller */
	union hence_rt_value args[HENCE_RT_ARGS];
	void *result; /* after the call: its bytes, which may be replaced */
	uint32_t result_size;
	uint32_t depth; /* how many calls are under way, this one included */
	void *scratch;  /* outside.c's own, from before to after */
};

/* --- tape.c: writing to the stream --- */

/* Shared with the hooks, and between the copies of the runtime in a program and its libraries. */
#define HENCE_RT_EXPORT __attribute__((visibility("default")))

extern HENCE_RT_EXPORT struct hence_head hence_rt_head;
extern HENCE_RT_EXPORT __thread __attribute__((
	tls_model("initial-exec"))) union hence_rt_value hence_rt_args[HENCE_RT_ARGS];
extern HENCE_RT_EXPORT __thread __attribute__((tls_model("initial-exec")))
uint8_t hence_rt_result[HENCE_RESULT];

/* A stream that is being written: the main one or the handlers' one. */
struct hence_rt_stream {
	uint8_t *end;       /* hence_rt_head.end while instrumented code runs */
	uint8_t *committed; /* memory is there up to here */
	uint8_t *limit;     /* and may be had up to here */
};

extern struct hence_rt_stream hence_rt_stream;

/* Appends bytes to the stream, growing the tape; drops them when not recording. */
void hence_rt_put_any(const void *bytes, size_t size);

static inline void hence_rt_put(const void *bytes, size_t size)
{
	if (size > 256 || hence_rt_head.cur > hence_rt_stream.end) {
		hence_rt_put_any(bytes, size);
		return;
	}
	__builtin_memcpy(hence_rt_head.cur, bytes, size);
	hence_rt_head.cur += size;
}

/* Appends a tag with room for its size, and gives a handle for hence_rt_close_record(). */
uint8_t *hence_rt_open_record(enum hence_tag tag);
void hence_rt_close_record(uint8_t *record);

/* --- outside.c: what outside functions do --- */

/* Finds models for a newly met import. Sets import->model. */
void hence_rt_outside_resolve(struct hence_rt_import *import);

/* Before the call: appends effects that must be seen before it (texts for noreturn functions), and
   takes what observation needs. Called inside an open HENCE_CALL record. */
void hence_rt_outside_before(struct hence_rt_call *call);

/* After the call: appends the call's effects. Called inside an open HENCE_RETURN record, after the
   result. May have replaced *call->result before that through hence_rt_outside_result(). */
void hence_rt_outside_after(struct hence_rt_call *call);

/* After the call, first of all: a function whose answer varies from run to run gives the answer of
   the first run, in *call->result and in memory. */
void hence_rt_outside_result(struct hence_rt_call *call);

/* In an experiment: does the answer of this function vary? And after such a call: its frame goes. */
bool hence_rt_outside_varies(const struct hence_rt_import *import);
void hence_rt_outside_drop(struct hence_rt_call *call);

/* --- functions.c: what is instrumented --- */

/* Notes the functions and globals of a module. */
void hence_rt_functions_add(struct hence_rt_module *module);

/* Is there an instrumented function at this address? */
bool hence_rt_is_instrumented(const void *address);

/* The global variable of an instrumented module that holds this address. False: none. */
bool hence_rt_global_at(const void *address, const void **start, size_t *size);

/* The import that stands for an outside function met through a pointer. */
struct hence_rt_import *hence_rt_import_at(const void *address);

/* --- tape.c again: state --- */

extern volatile uint32_t hence_rt_busy; /* > 0 while the runtime itself runs */

/* Ends recording for good; the program goes on. */
void hence_rt_stop(enum hence_tape_state why);

static inline bool hence_rt_recording(void)
{
	return hence_rt_head.state == HENCE_RECORDING || hence_rt_head.state == HENCE_ENDED;
}

#endif
