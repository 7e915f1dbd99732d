/*
 * Scores of searches, against numbers that were counted by hand. The graph is
 *
 *	1 -> 2 -> 3 -> 4        5 -> 3        6 -> 5        7 -> 6        8 -> 2        4 -> 9        10
 *
 * The failure shows at 9. 3 is blamed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "research/score_graph.h"
#include "research/metrics.h"

static const uint32_t edges[][2] = {{1, 2}, {2, 3}, {3, 4}, {5, 3}, {6, 5}, {7, 6}, {8, 2}, {4, 9}};

static void make(struct score_graph *graph)
{
	*graph = (struct score_graph){0};
	for (unsigned line = 1; line <= 10; line++)
		assert_int_equal(score_graph_node(graph, "a.c", line), line - 1);
	for (unsigned i = 0; i < sizeof(edges) / sizeof(*edges); i++)
		score_graph_edge(graph, edges[i][0] - 1, edges[i][1] - 1, SCORE_DATA);
}

/* From line `blamed` to line `faulty`. */
static struct score search(unsigned blamed, unsigned faulty, enum score_strategy strategy)
{
	struct score_graph graph;
	struct score_set from, to;
	struct score score;

	make(&graph);
	score_set_init(&from, &graph);
	score_set_init(&to, &graph);
	if (blamed)
		assert_int_equal(score_set_add_place(&from, &graph, "a.c", blamed, 0), 1);
	assert_int_equal(score_set_add_place(&to, &graph, "src/a.c", faulty, 0), 1);
	score = score_search(&graph, &from, &to, strategy);
	score_set_deinit(&from);
	score_set_deinit(&to);
	score_graph_deinit(&graph);
	return score;
}

static void expect(unsigned blamed, unsigned faulty, enum score_strategy strategy,
                   uint32_t distance, uint32_t examined)
{
	struct score score = search(blamed, faulty, strategy);

	assert_true(score.reached);
	assert_int_equal(score.distance, distance);
	assert_int_equal(score.examined, examined);
	assert_true(fabs(score.value - (1 - examined / 10.0)) < 1e-12);
}

static void expect_none(unsigned blamed, unsigned faulty, enum score_strategy strategy)
{
	struct score score = search(blamed, faulty, strategy);

	assert_false(score.reached);
	assert_int_equal(score.examined, 10);
	assert_true(score.value == 0);
}

/* 3; then 2 4 5; then 1 8 9 6; then 7. All edges both ways. */
static void test_plain(void **state)
{
	expect(3, 3, SCORE_PLAIN, 0, 1);
	expect(3, 5, SCORE_PLAIN, 1, 4);
	expect(3, 1, SCORE_PLAIN, 2, 8);
	expect(3, 7, SCORE_PLAIN, 3, 9);
	expect_none(3, 10, SCORE_PLAIN);
}

/* From 1 forward to 2, 3, 4, 9, and from each of them backward: 2 from 1; 8 by 2; 5 by 3 ... Never forward after backward. */
static void test_relevant(void **state)
{
	expect(1, 2, SCORE_RELEVANT, 1, 2);
	expect(1, 8, SCORE_RELEVANT, 2, 4); /* 1 2 | 3 8 */
	expect(1, 5, SCORE_RELEVANT, 3, 6); /* | 4 5 */
	expect(1, 7, SCORE_RELEVANT, 5, 9); /* | 9 6 | 7 */
	expect_none(1, 10, SCORE_RELEVANT);
	/* Plain goes from 7 by 6, 5, 3 back to 2 and 8, relevant too: 7 ->3 3 <-2 8. */
	expect(7, 8, SCORE_RELEVANT, 5, 9);
	expect(9, 3, SCORE_RELEVANT, 2, 3);
	/* From 4 backward to 3 only: not on to 9 from there, but 4 itself goes forward to it. */
	expect(4, 9, SCORE_RELEVANT, 1, 3);
}

/* Only what comes before: 3 | 2 5 | 1 8 6 | 7. */
static void test_infected(void **state)
{
	expect(3, 2, SCORE_INFECTED, 1, 3);
	expect(3, 6, SCORE_INFECTED, 2, 6);
	expect(3, 7, SCORE_INFECTED, 3, 7);
	expect_none(3, 4, SCORE_INFECTED);
	expect_none(3, 9, SCORE_INFECTED);
}

static void test_nothing_blamed(void **state)
{
	expect_none(0, 3, SCORE_PLAIN);
	expect_none(0, 3, SCORE_RELEVANT);
}

static void test_places(void **state)
{
	struct score_graph graph;
	struct score_set set;

	make(&graph);
	score_set_init(&set, &graph);
	assert_int_equal(score_set_add_place(&set, &graph, "a.c", 5, 1), 3);
	assert_int_equal(score_set_add_place(&set, &graph, "x/a.c", 6, 1), 3);
	assert_int_equal(set.size, 4);
	assert_int_equal(score_set_add_place(&set, &graph, "b.c", 5, 1), 0);
	assert_int_equal(score_set_add_place(&set, &graph, "a.c", 12, 1), 0);
	score_set_deinit(&set);
	/* The same edge again, of another kind, is one edge; one to itself is none. */
	score_graph_edge(&graph, 0, 1, SCORE_CONTROL);
	score_graph_edge(&graph, 3, 3, SCORE_DATA);
	assert_int_equal(graph.edges.size, 8);
	assert_int_equal(graph.nodes.at[0].to.size, 1);
	assert_int_equal(*score_edge_map_find(&graph.edges, 1), SCORE_DATA | SCORE_CONTROL);
	score_graph_deinit(&graph);
}

static void test_classes(void **state)
{
	assert_string_equal(metrics_class_name(metrics_class(1)), "100 %");
	assert_string_equal(metrics_class_name(metrics_class(0.995)), "100 %");
	assert_string_equal(metrics_class_name(metrics_class(0.9949)), "90-99 %");
	assert_string_equal(metrics_class_name(metrics_class(0.9)), "90-99 %");
	assert_string_equal(metrics_class_name(metrics_class(0.8999)), "80-89 %");
	assert_string_equal(metrics_class_name(metrics_class(1 - 0.7)), "30-39 %");
	assert_string_equal(metrics_class_name(metrics_class(0.05)), "0-9 %");
	assert_string_equal(metrics_class_name(metrics_class(0)), "0-9 %");
}

static void test_means(void **state)
{
	struct metrics_mean mean = {0};

	assert_true(metrics_mean_of(&mean) == 0);
	metrics_mean_add(&mean, -3);
	assert_true(mean.most == -3);
	metrics_mean_add(&mean, 4);
	metrics_mean_add(&mean, 2);
	assert_true(metrics_mean_of(&mean) == 1 && mean.most == 4);
	assert_true(metrics_percent(1, 4) == 25 && metrics_percent(1, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),    cmocka_unit_test(test_relevant),
		cmocka_unit_test(test_infected), cmocka_unit_test(test_nothing_blamed),
		cmocka_unit_test(test_places),   cmocka_unit_test(test_classes),
		cmocka_unit_test(test_means),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
