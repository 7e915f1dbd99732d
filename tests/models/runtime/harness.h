/*
 * The runtime's outside part without the rest of it: a core that collects what goes to the tape,
 * and calls of real libc functions between before and after.
 */
#ifndef HENCE_TESTS_HARNESS_H
#define HENCE_TESTS_HARNESS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/runtime.h"

/* An effect as it went to the tape, with its bytes. */
struct seen_effect {
	struct hence_effect e;
	const uint8_t *bytes;
};

extern struct seen_effect effects[256]; /* of the last call, before and after it */
extern uint32_t effect_count;
extern char session_folder[];
extern struct hence_control *fake_control;

/* Loads models/libc.model of $SRC and, if not NULL, the text of further models. */
void core_start(const char *more);

/* Global variables that hence_rt_global_at() knows. */
void core_global(void *address, size_t size);

/* The depth at which the next call happens; 1 unless in a callback. */
extern uint32_t core_depth;

/* Starts a call: letters as in hence_rt_site.signature, then its arguments. */
struct hence_rt_call *call_begin(const char *name, const char *signature, ...);

/* Ends it with the result, which may come back changed. */
void call_end(struct hence_rt_call *call, void *result, uint32_t size);

/* Reads `effects` from the tape, as a reader would walk it; call_end() does this too. */
void tape_walk(void);

/* What is on the tape. */
const uint8_t *tape_bytes(size_t *size);

/* Forgets what is on the tape. */
void tape_reset(void);

/* The nth effect of that kind; fails if there is none. */
const struct seen_effect *effect_of(enum hence_effect_kind kind, uint32_t n);
uint32_t count_of(enum hence_effect_kind kind);

/* The effect is 'address got these bytes'. */
void assert_wrote(const struct seen_effect *effect, const void *address, const void *bytes,
                  size_t size);

/* CALL(result variable, name, signature, (arguments)): name(arguments) as an outside call. */
#define UNPACK(...) __VA_ARGS__
#define CALL(result, name, signature, args)                                                        \
	do {                                                                                       \
		struct hence_rt_call *call_ = call_begin(#name, signature, UNPACK args);           \
		(result) = name args;                                                              \
		call_end(call_, &(result), sizeof(result));                                        \
	} while (0)
#define CALL_VOID(name, signature, args)                                                           \
	do {                                                                                       \
		struct hence_rt_call *call_ = call_begin(#name, signature, UNPACK args);           \
		name args;                                                                         \
		call_end(call_, NULL, 0);                                                          \
	} while (0)

#endif
