/*
 * For tests of delta debugging: a simulated pool. Tests are judged by a function at once, but their
 * verdicts come back in a random order. Checks that the search keeps to the contract of dd.h.
 */
#ifndef HENCE_TESTS_DD_POOL_H
#define HENCE_TESTS_DD_POOL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/vec.h"
#include "dd/dd.h"

struct pool_test {
	uint64_t id;
	enum verdict verdict;
};

struct pool {
	enum verdict (*judge)(void *context, const struct dd_set *set);
	void *context;
	uint32_t room;
	uint64_t seed;
	VEC(struct pool_test) running;
	uint64_t last;                /* id */
	uint64_t started, cancelled;  /* counts */
	uint64_t bad_start, bad_wait; /* the nth call gives an error; 0: none does */
	uint64_t waits;
	uint64_t stop_after;       /* verdicts; 0: never */
	uint32_t failing, passing; /* sizes told to be better */
};

static inline uint64_t pool_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed * 0x2545f4914f6cdd1du >> 16;
}

static inline struct hence_error *pool_start(void *context, const struct dd_set *set, uint64_t id)
{
	struct pool *p = context;

	assert_true(p->running.size < p->room);
	assert_true(!p->started || id > p->last);
	p->last = id;
	if (++p->started == p->bad_start)
		return error_create(HENCE_ERROR_INPUT, "start");
	*vec_push(&p->running) = (struct pool_test){id, p->judge(p->context, set)};
	return NULL;
}

static inline struct hence_error *pool_wait(void *context, uint64_t *id, enum verdict *out)
{
	struct pool *p = context;
	uint32_t at;

	if (++p->waits == p->bad_wait)
		return error_create(HENCE_ERROR_INPUT, "wait");
	assert_true(p->running.size > 0);
	if (pool_random(&p->seed) % 16 == 0) { /* woken for nothing */
		*id = UINT64_MAX;
		return NULL;
	}
	at = (uint32_t)(pool_random(&p->seed) % p->running.size);
	*id = p->running.at[at].id;
	*out = p->running.at[at].verdict;
	p->running.at[at] = p->running.at[--p->running.size];
	return NULL;
}

static inline void pool_cancel(void *context, uint64_t id)
{
	struct pool *p = context;

	for (uint32_t i = 0; i < p->running.size; i++) {
		if (p->running.at[i].id != id)
			continue;
		p->running.at[i] = p->running.at[--p->running.size];
		p->cancelled++;
		return;
	}
	fail_msg("a test that does not run is cancelled");
}

static inline void pool_better(void *context, const struct dd_set *set, enum verdict verdict)
{
	struct pool *p = context;

	assert_int_equal(p->judge(p->context, set), verdict);
	if (verdict == VERDICT_FAIL) {
		assert_true(set->size < p->failing);
		p->failing = set->size;
	} else {
		assert_true(set->size > p->passing);
		p->passing = set->size;
	}
}

static inline bool pool_stop(void *context)
{
	struct pool *p = context;

	return p->stop_after && p->waits >= p->stop_after;
}

static inline struct dd_search pool_search(struct pool *p, uint32_t count, enum dd_order order)
{
	p->failing = count;
	return (struct dd_search){
		.count = count,
		.room = p->room,
		.order = order,
		.start = pool_start,
		.wait = pool_wait,
		.cancel = pool_cancel,
		.better = pool_better,
		.stop = pool_stop,
		.context = p,
	};
}

/* Nothing may be left running. */
static inline void pool_deinit(struct pool *p)
{
	assert_int_equal(p->running.size, 0);
	vec_deinit(&p->running);
}

#endif
