/*
 * The search in time on made-up runs: which variables are relevant at each point is a table. Where each
 * set of variables is relevant during one stretch of time only, all transitions must be found, exactly,
 * and with few questions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "methods/transitions.h"

#define LONGEST 100000u

/* A run. */
struct model {
	uint32_t length;
	uint8_t matched[LONGEST];
	uint32_t sets[LONGEST];
	uint32_t values[LONGEST]; /* of the variables in the set */
	uint64_t seed;
	bool evenly;      /* choices are spread over the interval; else they are any */
	bool clairvoyant; /* where sets change is likely */
	uint32_t asked, prepared, stop_after;
	uint64_t ready[4096];
	uint32_t ready_count;
};

static uint64_t next_random(struct model *m)
{
	m->seed ^= m->seed << 13;
	m->seed ^= m->seed >> 7;
	m->seed ^= m->seed << 17;
	return m->seed * 0x2545f4914f6cdd1du >> 16;
}

static uint64_t count(void *context, uint64_t from, uint64_t to)
{
	const struct model *m = context;
	uint64_t total = 0;

	for (uint64_t t = from + 1; t < to; t++)
		total += m->matched[t];
	return total;
}

static uint32_t between(void *context, uint64_t from, uint64_t to, struct transition_choice *out)
{
	struct model *m = context;
	uint32_t total = (uint32_t)count(context, from, to), chosen = 0, seen = 0, most;

	assert_true(from < to);
	assert_true(total > 0);
	most = total < TRANSITION_CHOICES ? total : TRANSITION_CHOICES;
	if (!m->evenly && total > TRANSITION_FEW)
		most = 1 + (uint32_t)(next_random(m) % most);
	for (uint64_t t = from + 1; t < to && chosen < most; t++) {
		if (!m->matched[t])
			continue;
		if (m->evenly ? seen == (uint64_t)(2 * chosen + 1) * total / (2 * most)
		              : next_random(m) % total < most || total - seen <= most - chosen)
			out[chosen++] = (struct transition_choice){
				t, m->clairvoyant && m->sets[t] != m->sets[t - 1]};
		seen++;
	}
	assert_true(chosen > 0);
	return chosen;
}

static uint32_t back(void *context, uint64_t from, uint64_t to, struct transition_choice *out)
{
	const struct model *m = context;
	uint64_t times[TRANSITION_CHOICES];
	uint32_t chosen = 0;

	for (uint64_t step = 1; step < to - from; step *= 2)
		if (m->matched[to - step])
			times[chosen++] = to - step;
	for (uint32_t i = 0; i < chosen; i++)
		out[i] = (struct transition_choice){.time = times[chosen - 1 - i]};
	return chosen;
}

/* The last time before `to` at which the value of the set was another. */
static uint64_t detour(void *context, uint64_t from, uint64_t to)
{
	const struct model *m = context;

	assert_int_equal(m->sets[from], m->sets[to]);
	if (m->values[from] == m->values[to])
		return 0;
	for (uint64_t t = to - 1; t > from; t--)
		if (m->matched[t] && (m->values[t] != m->values[to] || m->sets[t] != m->sets[to]))
			return t;
	return 0;
}

static struct hence_error *prepare(void *context, const uint64_t *times, uint32_t count)
{
	struct model *m = context;

	m->prepared++;
	m->ready_count = count;
	assert_true(count <= 4096);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(!i || times[i] > times[i - 1]);
		m->ready[i] = times[i];
	}
	return NULL;
}

static struct hence_error *relevant(void *context, uint64_t time, uint32_t before, uint32_t after,
                                    uint32_t *out)
{
	struct model *m = context;
	bool ready = false;

	for (uint32_t i = 0; i < m->ready_count; i++)
		ready |= m->ready[i] == time;
	assert_true(ready);
	m->asked++;
	*out = m->sets[time];
	return NULL;
}

static bool stop(void *context)
{
	const struct model *m = context;

	return m->stop_after && m->asked >= m->stop_after;
}

static struct transition_moments run(struct model *m, uint64_t first, uint64_t last)
{
	const struct budget budget = {.ended = stop, .context = m};
	struct transition_search search = {count,   between,  back,    detour,
	                                   prepare, relevant, &budget, m};
	struct transition_moments moments = {0};

	m->asked = m->prepared = 0;
	transition_moments_add(&moments, last, m->sets[last]);
	transition_moments_add(&moments, first, m->sets[first]);
	assert_null(transition_search_run(&search, &moments));
	return moments;
}

/* --- random runs --- */

/* Sets 1, 2, 3, ... one after the other, and 0 for one stretch: a set that comes back would hide what is
   between. */
static void make(struct model *m, uint32_t length, uint32_t changes, uint32_t unmatched)
{
	uint32_t set = (uint32_t)(next_random(m) % 2), fresh = 1;
	bool none = !set;

	m->length = length;
	for (uint32_t t = 0; t < length; t++) {
		if (next_random(m) % length < changes) {
			set = !none && next_random(m) % 4 == 0 ? 0 : ++fresh;
			none |= !set;
		}
		m->sets[t] = set;
		m->matched[t] = t == 0 || t + 1 == length || next_random(m) % 100 >= unmatched;
	}
}

/* Every pair of neighbours whose sets differ has been asked about, and nothing else is direct. */
static void check(const struct model *m, const struct transition_moments *moments)
{
	uint32_t direct = 0, expected = 0, last = 0;

	for (uint32_t i = 1; i < moments->all.size; i++) {
		assert_true(moments->all.at[i].time > moments->all.at[i - 1].time);
		direct += moments->all.at[i].direct;
	}
	for (uint32_t t = 1; t < m->length; t++) {
		bool found = false;

		if (!m->matched[t])
			continue;
		for (uint32_t i = 1; i < moments->all.size && m->sets[t] != m->sets[last]; i++)
			found |= moments->all.at[i].time == t && moments->all.at[i].direct &&
			         moments->all.at[i - 1].time == last;
		expected += m->sets[t] != m->sets[last];
		assert_true(found || m->sets[t] == m->sets[last]);
		last = t;
	}
	assert_int_equal(direct, expected);
}

static void test_random(void **state)
{
	static struct model m = {.seed = 20051};

	for (uint32_t i = 0; i < 2000; i++) {
		struct transition_moments moments;
		uint32_t length = 2 + (uint32_t)(next_random(&m) % 300);

		m.evenly = i % 2;
		m.clairvoyant = i % 3 == 0;
		make(&m, length, 1 + (uint32_t)(next_random(&m) % 12),
		     (uint32_t)(next_random(&m) % 90));
		moments = run(&m, 0, length - 1);
		check(&m, &moments);
		vec_deinit(&moments.all);
	}
}

/* A long run with three transitions: 16 points are prepared at a time, so few rounds are needed. */
static void test_cost(void **state)
{
	static struct model m = {.seed = 7, .evenly = true};
	struct transition_moments moments;

	for (uint32_t t = 0; t < LONGEST; t++) {
		m.matched[t] = 1;
		m.sets[t] = 1 + (t >= 70) + (t >= 40321) + (t >= 99990);
	}
	m.length = LONGEST;
	moments = run(&m, 0, LONGEST - 1);
	check(&m, &moments);
	vec_deinit(&moments.all);
	assert_true(m.prepared <= 5);
	assert_true(m.asked <= 3 * 18);
	m.clairvoyant = true;
	moments = run(&m, 0, LONGEST - 1);
	check(&m, &moments);
	vec_deinit(&moments.all);
}

static void test_nothing(void **state)
{
	static struct model m = {.seed = 7, .evenly = true};
	struct transition_moments moments;

	make(&m, 100, 0, 0);
	for (uint32_t t = 0; t < 100; t++)
		m.sets[t] = 5;
	moments = run(&m, 0, 99);
	assert_int_equal(moments.all.size, 2);
	assert_int_equal(m.asked + m.prepared, 0);
	vec_deinit(&moments.all);
	/* No point is left between. */
	memset(m.matched, 0, sizeof(m.matched));
	m.sets[99] = 6;
	moments = run(&m, 0, 99);
	assert_int_equal(moments.all.size, 2);
	assert_true(moments.all.at[1].direct);
	vec_deinit(&moments.all);
}

/* The same set at both ends, with other values: what is between is found, too; but a variable that only
   gets new values is not followed through all of them. */
static void test_detour(void **state)
{
	static struct model m = {.seed = 7, .evenly = true};
	struct transition_moments moments;

	m.length = 1000;
	for (uint32_t t = 0; t < 1000; t++) {
		m.matched[t] = 1;
		m.sets[t] = t >= 300 && t < 303 ? 2 : t >= 303 && t < 310 ? 3 : 1;
		m.values[t] = t >= 300;
	}
	moments = run(&m, 0, 999);
	check(&m, &moments);
	vec_deinit(&moments.all);
	for (uint32_t t = 0; t < 1000; t++) {
		m.sets[t] = 1;
		m.values[t] = t;
	}
	moments = run(&m, 0, 999);
	assert_int_equal(m.asked, 1);
	vec_deinit(&moments.all);
}

/* Nothing can be isolated at the beginning, nor right before the end of the run; what lies between is
   found from there. */
static void test_back(void **state)
{
	static struct model m = {.seed = 7, .evenly = true};
	struct transition_moments moments;

	m.length = 100000;
	for (uint32_t t = 0; t < m.length; t++) {
		m.matched[t] = 1;
		m.sets[t] = t < 99000 ? 0 : t < 99900 ? 1 : t < 99990 ? 0 : 2;
	}
	moments = run(&m, 0, m.length - 1);
	check(&m, &moments);
	vec_deinit(&moments.all);
}

static void test_stop(void **state)
{
	static struct model m = {.seed = 7, .evenly = true, .stop_after = 3};
	struct transition_moments moments;

	for (uint32_t t = 0; t < 1000; t++) {
		m.matched[t] = 1;
		m.sets[t] = 1 + (t >= 500);
	}
	moments = run(&m, 0, 999);
	assert_true(moments.stopped);
	assert_int_equal(m.asked, 3);
	assert_int_equal(moments.all.size, 5);
	vec_deinit(&moments.all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),  cmocka_unit_test(test_cost),
		cmocka_unit_test(test_nothing), cmocka_unit_test(test_detour),
		cmocka_unit_test(test_back),    cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests_name("methods_transition_search", tests, NULL, NULL);
}
