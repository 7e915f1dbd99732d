/*
 * How many tests the orders need, over inputs of many shapes: textbook ddmin must do exactly what
 * an implementation that shares nothing with it does; the fast order must need far fewer tests in
 * all, and nowhere more. Prints the table.
 */
#include <string.h>

#include "dd_pool.h"
#include "../dd/reference.c"

#define NONE UINT32_MAX

/* An input: which units the failure needs, and which units need others. */
struct shape {
	uint32_t count;
	bool *needed;
	uint32_t *after;   /* this unit makes sense only with that one; or NONE */
	uint32_t *partner; /* the two go together; or NONE */
	bool *alternative; /* instead of the needed ones; all false: there is none */
};

struct scenario {
	const char *name;
	uint32_t count;
	void (*make)(struct shape *shape, uint64_t *seed);
};

static void shape_init(struct shape *in, const struct scenario *s, uint64_t *seed)
{
	*in = (struct shape){
		.count = s->count,
		.needed = calloc(s->count, sizeof(bool)),
		.after = malloc(s->count * sizeof(uint32_t)),
		.partner = malloc(s->count * sizeof(uint32_t)),
		.alternative = calloc(s->count, sizeof(bool)),
	};
	memset(in->after, 0xff, s->count * sizeof(uint32_t));
	memset(in->partner, 0xff, s->count * sizeof(uint32_t));
	s->make(in, seed);
}

static void shape_deinit(struct shape *in)
{
	free(in->needed);
	free(in->after);
	free(in->partner);
	free(in->alternative);
}

/* --- shapes --- */

static uint32_t pick(uint32_t below, uint64_t *seed)
{
	return (uint32_t)(pool_random(seed) % below);
}

static void need(struct shape *in, uint32_t how_many, uint64_t *seed)
{
	while (how_many) {
		uint32_t unit = pick(in->count, seed);

		how_many -= !in->needed[unit];
		in->needed[unit] = true;
	}
}

static void need_range(struct shape *in, uint32_t from, uint32_t size)
{
	for (uint32_t i = from; i < from + size && i < in->count; i++)
		in->needed[i] = true;
}

static void make_one(struct shape *in, uint64_t *seed)
{
	need(in, 1, seed);
}

static void make_three(struct shape *in, uint64_t *seed)
{
	need(in, 3, seed);
}

static void make_ten(struct shape *in, uint64_t *seed)
{
	need(in, 10, seed);
}

static void make_percent(struct shape *in, uint64_t *seed)
{
	need(in, in->count / 20, seed);
}

static void make_third(struct shape *in, uint64_t *seed)
{
	need(in, in->count / 3, seed);
}

static void make_all(struct shape *in, uint64_t *seed)
{
	need_range(in, 0, in->count);
}

static void make_every_second(struct shape *in, uint64_t *seed)
{
	for (uint32_t i = 0; i < in->count; i += 2)
		in->needed[i] = true;
}

static void make_ends(struct shape *in, uint64_t *seed)
{
	in->needed[0] = in->needed[in->count - 1] = true;
}

static void make_cluster(struct shape *in, uint64_t *seed)
{
	need_range(in, pick(in->count, seed), 20);
}

static void make_clusters(struct shape *in, uint64_t *seed)
{
	for (int i = 0; i < 5; i++)
		need_range(in, pick(in->count, seed), 3 + pick(12, seed));
}

static void make_tail(struct shape *in, uint64_t *seed)
{
	need_range(in, in->count - in->count / 10, in->count);
}

static void make_mixed(struct shape *in, uint64_t *seed)
{
	need(in, 6, seed);
	make_clusters(in, seed);
}

/* Uses come after definitions and make no sense without them. */
static void make_uses(struct shape *in, uint64_t *seed)
{
	need(in, 4, seed);
	for (uint32_t i = 1; i < in->count; i++)
		if (pick(3, seed))
			in->after[i] = pick(i, seed);
}

/* The other way round: each unit needs a later one. */
static void make_backward(struct shape *in, uint64_t *seed)
{
	need(in, 4, seed);
	for (uint32_t i = 0; i + 1 < in->count; i++)
		if (pick(4, seed) == 0)
			in->after[i] = i + 1 + pick(in->count - i - 1, seed);
}

/* Functions of a few lines: the lines need the head, head and end go together. */
static void make_functions(struct shape *in, uint64_t *seed)
{
	for (uint32_t i = 0; i + 2 < in->count;) {
		uint32_t size = 3 + pick(10, seed);
		uint32_t end = i + size < in->count ? i + size : in->count;

		for (uint32_t k = i + 1; k < end; k++)
			in->after[k] = i;
		in->partner[i] = end - 1;
		in->partner[end - 1] = i;
		i = end;
	}
	need(in, 4, seed);
}

/* Records of a few lines that only make sense as a whole. */
static void make_records(struct shape *in, uint64_t *seed)
{
	for (uint32_t i = 0; i < in->count;) {
		uint32_t size = 2 + pick(5, seed);
		uint32_t end = i + size < in->count ? i + size : in->count;

		for (uint32_t k = i; k < end; k++)
			in->partner[k] = k + 1 < end ? k + 1 : i;
		i = end;
	}
	need(in, 4, seed);
}

static void make_alternative(struct shape *in, uint64_t *seed)
{
	need(in, 12, seed);
	for (int i = 0; i < 3; i++)
		in->alternative[pick(in->count, seed)] = true;
}

static const struct scenario scenarios[] = {
	{"1 of 1000", 1000, make_one},
	{"3 of 1000", 1000, make_three},
	{"10 of 1000", 1000, make_ten},
	{"3 of 20000", 20000, make_three},
	{"first and last of 1000", 1000, make_ends},
	{"5 % of 1000, scattered", 1000, make_percent},
	{"a third of 300, scattered", 300, make_third},
	{"every second of 256", 256, make_every_second},
	{"all of 100", 100, make_all},
	{"all of 3", 3, make_all},
	{"1 of 2", 2, make_one},
	{"1 of 8", 8, make_one},
	{"3 of 10", 10, make_three},
	{"a cluster of 20 in 1000", 1000, make_cluster},
	{"5 clusters in 2000", 2000, make_clusters},
	{"clusters and single ones in 2000", 2000, make_mixed},
	{"the last tenth of 1000", 1000, make_tail},
	{"uses after definitions, 500", 500, make_uses},
	{"definitions after uses, 300", 300, make_backward},
	{"functions, 600 lines", 600, make_functions},
	{"records of 2 to 6 lines, 500", 500, make_records},
	{"two causes, 500", 500, make_alternative},
};

#define SCENARIOS (sizeof(scenarios) / sizeof(*scenarios))
#define ROUNDS    10

/* --- judging --- */

static bool has_all(const struct dd_set *set, const bool *units)
{
	for (uint32_t i = 0; i < set->count; i++)
		if (units[i] && !dd_set_has(set, i))
			return false;
	return true;
}

static enum verdict judge(void *context, const struct dd_set *set)
{
	const struct shape *in = context;
	bool alternative = false;

	for (uint32_t i = 0; i < in->count; i++) {
		alternative |= in->alternative[i];
		if (!dd_set_has(set, i))
			continue;
		if (in->after[i] != NONE && !dd_set_has(set, in->after[i]))
			return VERDICT_UNRESOLVED;
		if (in->partner[i] != NONE && !dd_set_has(set, in->partner[i]))
			return VERDICT_UNRESOLVED;
	}
	if (has_all(set, in->needed) || (alternative && has_all(set, in->alternative)))
		return VERDICT_FAIL;
	return VERDICT_PASS;
}

static bool fails(void *context, const uint32_t *units, uint32_t size)
{
	const struct shape *in = context;
	struct dd_set set;
	bool result;

	dd_set_init(&set, in->count, false);
	for (uint32_t i = 0; i < size; i++)
		dd_set_put(&set, units[i], true);
	result = judge(context, &set) == VERDICT_FAIL;
	dd_set_deinit(&set);
	return result;
}

/* --- counting --- */

struct count {
	uint64_t tests, size;
};

static void check_minimal(struct shape *in, struct dd_set *set)
{
	assert_int_equal(judge(in, set), VERDICT_FAIL);
	for (uint32_t i = 0; i < in->count; i++) {
		if (!dd_set_has(set, i))
			continue;
		dd_set_put(set, i, false);
		assert_int_not_equal(judge(in, set), VERDICT_FAIL);
		dd_set_put(set, i, true);
	}
}

static struct dd_stats minimise(struct shape *in, enum dd_order order, struct dd_set *out)
{
	struct pool p = {.judge = judge, .context = in, .room = 1, .seed = 3};
	struct dd_search search = pool_search(&p, in->count, order);
	struct dd_stats stats;

	search.better = NULL;
	dd_set_init(out, in->count, true);
	assert_null(dd_minimise(&search, out, &stats));
	pool_deinit(&p);
	return stats;
}

static void add(struct count *count, uint64_t tests, uint64_t size)
{
	count->tests += tests;
	count->size += size;
}

/* One input: the reference, textbook (must be equal), fast. */
static void compare(struct shape *in, struct count *counts)
{
	struct reference_result right = reference_ddmin(in->count, fails, in);
	struct dd_stats stats;
	struct dd_set set;

	add(&counts[0], right.tests, right.size);
	stats = minimise(in, DD_TEXTBOOK, &set);
	add(&counts[1], stats.asked, set.size);
	assert_int_equal(stats.asked, right.tests);
	assert_int_equal(stats.cached, right.known);
	assert_int_equal(set.size, right.size);
	for (uint32_t i = 0; i < right.size; i++)
		assert_true(dd_set_has(&set, right.units[i]));
	dd_set_deinit(&set);
	stats = minimise(in, DD_FAST, &set);
	add(&counts[2], stats.asked, set.size);
	check_minimal(in, &set);
	dd_set_deinit(&set);
	free(right.units);
}

static void print_row(const char *name, const struct count *c)
{
	print_message("%-34s %9.1f %9.1f %9.1f   %7.1f %7.1f\n", name, (double)c[0].tests / ROUNDS,
	              (double)c[1].tests / ROUNDS, (double)c[2].tests / ROUNDS,
	              (double)c[0].size / ROUNDS, (double)c[2].size / ROUNDS);
}

static void test_orders(void **state)
{
	struct count all[3] = {0};
	uint64_t seed = 12345;

	print_message("%-34s %9s %9s %9s   %7s %7s\n", "tests; units left", "reference", "textbook",
	              "fast", "ddmin", "fast");
	for (uint32_t s = 0; s < SCENARIOS; s++) {
		struct count counts[3] = {0};

		for (int round = 0; round < ROUNDS; round++) {
			struct shape in;

			shape_init(&in, &scenarios[s], &seed);
			compare(&in, counts);
			shape_deinit(&in);
		}
		print_row(scenarios[s].name, counts);
		for (int i = 0; i < 3; i++)
			add(&all[i], counts[i].tests, counts[i].size);
		assert_true(counts[2].tests <= counts[1].tests * 1.05 + ROUNDS);
	}
	print_row("all", all);
	assert_true(6 * all[2].tests < all[1].tests);
	assert_true(all[2].size < all[1].size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
