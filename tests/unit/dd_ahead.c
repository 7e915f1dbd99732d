/*
 * Testing ahead pays: in a simulated pool, where tests take time, more workers bring the result
 * sooner, and it is the same result. Prints how long the searches take.
 */
#include <string.h>

#include "dd_pool.h"

/* A test that is under way. */
struct job {
	uint64_t id;
	uint64_t ends; /* time */
	enum verdict verdict;
};

struct clocked {
	bool *needed;
	uint32_t count;
	uint64_t now, seed;
	uint32_t room, cancelled;
	VEC(struct job) jobs;
};

static enum verdict judge(const struct clocked *c, const struct dd_set *set)
{
	for (uint32_t i = 0; i < c->count; i++)
		if (c->needed[i] && !dd_set_has(set, i))
			return VERDICT_PASS;
	return VERDICT_FAIL;
}

static struct hence_error *start(void *context, const struct dd_set *set, uint64_t id)
{
	struct clocked *c = context;

	assert_true(c->jobs.size < c->room);
	*vec_push(&c->jobs) =
		(struct job){id, c->now + 800 + pool_random(&c->seed) % 400, judge(c, set)};
	return NULL;
}

static struct hence_error *wait(void *context, uint64_t *id, enum verdict *out)
{
	struct clocked *c = context;
	struct job *first = c->jobs.at;

	for (uint32_t i = 1; i < c->jobs.size; i++)
		if (c->jobs.at[i].ends < first->ends)
			first = &c->jobs.at[i];
	assert_non_null(first);
	if (c->now < first->ends)
		c->now = first->ends;
	*id = first->id;
	*out = first->verdict;
	*first = c->jobs.at[--c->jobs.size];
	return NULL;
}

static void cancel(void *context, uint64_t id)
{
	struct clocked *c = context;

	for (uint32_t i = 0; i < c->jobs.size; i++)
		if (c->jobs.at[i].id == id)
			c->jobs.at[i--] = c->jobs.at[--c->jobs.size];
	c->cancelled++;
}

/* Time that the search takes with so many workers. */
static uint64_t run(bool *needed, uint32_t count, enum dd_order order, uint32_t room,
                    uint64_t *asked)
{
	struct clocked c = {.needed = needed, .count = count, .seed = 8, .room = room};
	struct dd_search search = {
		.count = count,
		.room = room,
		.order = order,
		.start = start,
		.wait = wait,
		.cancel = cancel,
		.context = &c,
	};
	struct dd_set set;
	struct dd_stats stats;

	dd_set_init(&set, count, true);
	assert_null(dd_minimise(&search, &set, &stats));
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(dd_set_has(&set, i), needed[i]);
	assert_true(!*asked || *asked == stats.asked);
	*asked = stats.asked;
	assert_int_equal(c.jobs.size, 0);
	vec_deinit(&c.jobs);
	dd_set_deinit(&set);
	return c.now;
}

/* How much sooner 8 workers are ready than one. */
static double speed_up(const char *name, bool *needed, uint32_t count, enum dd_order order)
{
	uint64_t asked = 0;
	double times[4];

	for (int i = 0; i < 4; i++)
		times[i] = (double)run(needed, count, order, 1u << i, &asked) / 1000;
	print_message("%-26s %8.1f %8.1f %8.1f %8.1f\n", name, times[0], times[1], times[2],
	              times[3]);
	return times[0] / times[3];
}

static void test_sooner(void **state)
{
	bool needed[1000] = {0};
	uint64_t seed = 17;

	print_message("%-26s %8s %8s %8s %8s\n", "workers", "1", "2", "4", "8");
	for (int i = 0; i < 20; i++)
		needed[pool_random(&seed) % 1000] = true;
	assert_true(speed_up("20 of 1000, textbook", needed, 1000, DD_TEXTBOOK) > 3);
	assert_true(speed_up("20 of 1000, fast", needed, 1000, DD_FAST) > 2);
	memset(needed, true, sizeof(needed));
	assert_true(speed_up("all of 200, textbook", needed, 200, DD_TEXTBOOK) > 5);
	assert_true(speed_up("all of 200, fast", needed, 200, DD_FAST) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sooner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
