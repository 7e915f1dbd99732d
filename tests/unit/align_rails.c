/*
 * Guard rails from alignments. Each list is followed here with the branches of both runs: it must let
 * either pass, force what only one way has, and leave nothing out. Then programs run on it.
 */
#include "methods_pair.h"

#include "../align/follow.h"
#include "methods/hybrid.h"

/* --- lists against walks --- */

/* Both runs can go along the list, from the beginning to the end; the own one can begin at any branch
   that is aligned. */
static void check_list(const struct pair *p, const struct rails *rails, bool failing)
{
	for (unsigned side = 0; side < 2; side++) {
		struct point_branches b;
		uint32_t count, at = 0;
		const struct rail *all = rails_all(rails, &count);

		pair_must(points_branches(&p->runs[side].recording, UINT64_MAX, &b));
		for (uint32_t i = 0; i < b.all.size; i++) {
			uint64_t time = b.all.at[i].time;
			uint32_t next = follow_branch(all, count, at, &b.all.at[i]);

			if (next == UINT32_MAX)
				fail_msg("branch %u of run %u, at time %llu, is not let by entry "
				         "%u of the rails of run %u",
				         i, side, (unsigned long long)time, at, failing);
			if (side == failing && !b.all.at[i].loose &&
			    (failing ? alignment_of_a(&p->alignment, time)
			             : alignment_of_b(&p->alignment, time)))
				assert_int_equal(follow_branch(all, count, rails_at(rails, time),
				                               &b.all.at[i]),
				                 next);
			at = next;
		}
		assert_true(follow_ended(all, count, at));
		point_branches_deinit(&b);
	}
}

/* --- programs on rails --- */

static void make_rails(struct pair *p, struct rails *rails[2])
{
	for (unsigned side = 0; side < 2; side++) {
		uint32_t count;
		const struct rail *all;

		pair_must(rails_create(&p->runs[true].recording, &p->runs[false].recording,
		                       &p->alignment, !side, &rails[side]));
		all = rails_all(rails[side], &count);
		pair_must(experiments_set_rails(p->runs[side].pool, all, count));
		check_list(p, rails[side], side);
	}
}

/* From some aligned points on, the unchanged run stays on its rails and does what it did. */
static void check_unchanged(struct pair *p, const struct rails *rails, bool failing)
{
	const struct pair_run *r = &p->runs[failing];

	uint64_t last = failing ? p->alignment.a_statements : p->alignment.b_statements;

	for (uint64_t time = 1; time <= last; time += 1 + last / 64) {
		struct point point;
		struct stop stop;
		struct experiment experiment = {.time = time,
		                                .stops = &stop,
		                                .stop_count = 1,
		                                .on_rails = true,
		                                .rail = rails_at(rails, time)};
		struct experiment_result result;

		if (!(failing ? alignment_of_a(&p->alignment, time)
		              : alignment_of_b(&p->alignment, time)))
			continue;
		pair_must(points_find(&r->recording, &time, 1, &point));
		stop = (struct stop){.site = point.site, .count = point.count};
		pair_must(experiments_run(r->pool, &experiment, &result));
		if (result.off_rails)
			fail_msg("run %u leaves its rails from %llu on", failing,
			         (unsigned long long)time);
		assert_false(result.diverged);
		assert_int_equal(result.run.outcome.kind, r->result.outcome.kind);
		assert_int_equal(result.run.outcome.status, r->result.outcome.status);
		assert_string_equal(str_text(&result.run.output), str_text(&r->result.output));
		experiment_result_deinit(&result);
	}
}

static void check(const char *source, const char *failing, const char *passing)
{
	struct rails *rails[2];
	struct pair p;

	pair_make(&p, source, failing, passing, "?\n");
	make_rails(&p, rails);
	for (unsigned side = 0; side < 2; side++)
		check_unchanged(&p, rails[side], side);
	for (unsigned side = 0; side < 2; side++)
		rails_destroy(rails[side]);
	pair_free(&p);
}

static void test_branches(void **state)
{
	check("#include <stdio.h>\n"
	      "#include <stdlib.h>\n"
	      "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
	      "static int g(int n) {\n"
	      "  for (int i = 0; i < n; i++) {\n"
	      "    if (i == 3) continue;\n"
	      "    if (i == 5) return f(i);\n"
	      "    if (n > 9 && i == 2) goto out;\n"
	      "  }\n"
	      "  return 0;\n"
	      "out: return f(3);\n"
	      "}\n"
	      "int main(int argc, char **argv) {\n"
	      "  int n = atoi(argv[1]), s = 0;\n"
	      "  switch (n % 5) {\n"
	      "  case 0: s = 1;\n"
	      "  case 1: case 2: s += g(n); break;\n"
	      "  case 3: while (n-- > 4) s += n & 1 ? f(n % 4) : 1; break;\n"
	      "  default: s = 7;\n"
	      "  }\n"
	      "  do s += n; while (n-- > 2);\n"
	      "  printf(\"%d\\n\", s > 10 ? s : -s);\n"
	      "  return 0;\n"
	      "}\n",
	      "8", "12");
}

/* Each run goes a way that the other one does not, one after the other, with a branch in a callee. */
static void test_turns(void **state)
{
	check("#include <stdio.h>\n"
	      "#include <string.h>\n"
	      "static const char *const tree[] = {\"etc\", \"usr/lib\", \"usr/local\", \"var\"};\n"
	      "static void print(const char *path) {\n"
	      "  size_t length = strlen(path);\n"
	      "  printf(\"%s\\n\", path + (length < 5 ? 0 : 1));\n"
	      "}\n"
	      "static void visit(const char *word) {\n"
	      "  for (size_t i = 0; i < sizeof tree / sizeof tree[0]; i++) {\n"
	      "    if (strncmp(tree[i], word, strlen(word)) == 0)\n"
	      "      print(tree[i]);\n"
	      "  }\n"
	      "}\n"
	      "int main(int argc, char **argv) {\n"
	      "  for (int i = 1; i < argc; i++)\n"
	      "    visit(argv[i]);\n"
	      "  return 0;\n"
	      "}\n",
	      "etc usr/local", "etc var");
}

/* A span between the pair's forks that has no branch of its own; ways without any. */
static void test_empty(void **state)
{
	check("#include <stdio.h>\n"
	      "#include <stdlib.h>\n"
	      "int main(int argc, char **argv) {\n"
	      "  int n = atoi(argv[1]), s = 0;\n"
	      "  if (n > 3) ;\n"
	      "  s++;\n"
	      "  if (n > 4) s += 2;\n"
	      "  s *= 3;\n"
	      "  if (n > 3 || n < 0) { if (s) s += 2; } else if (n == 2) s++;\n"
	      "  printf(\"%d\\n\", s);\n"
	      "  return 0;\n"
	      "}\n",
	      "5", "2");
}

/* The runs part without a branch: by a pointer, a computed goto, callbacks of qsort(). */
static void test_without_branch(void **state)
{
	check("#include <stdio.h>\n"
	      "#include <stdlib.h>\n"
	      "#include <string.h>\n"
	      "static int up(int n) { return n > 3 ? n + 1 : n; }\n"
	      "static int down(int n) { while (n > 2) n--; return n; }\n"
	      "static int same(int n) { return n; }\n"
	      "static int compare(const void *a, const void *b) {\n"
	      "  if (*(char *)a < *(char *)b) return -1;\n"
	      "  return *(char *)a > *(char *)b;\n"
	      "}\n"
	      "int main(int argc, char **argv) {\n"
	      "  static int (*const all[])(int) = {up, down, same};\n"
	      "  static void *const labels[] = {&&a, &&b, &&c};\n"
	      "  char word[20];\n"
	      "  int n, s = 0;\n"
	      "  strcpy(word, argv[1]);\n"
	      "  n = word[0] - '0';\n"
	      "  s += all[n](6);\n"
	      "  s += all[(n + 2) % 3](5);\n"
	      "  goto *labels[n];\n"
	      "a: s += n ? 1 : 2;\n"
	      "b: if (s > 4) s -= 2;\n"
	      "c: qsort(word, strlen(word), 1, compare);\n"
	      "  printf(\"%d %s\\n\", s, word);\n"
	      "  return s > 3;\n"
	      "}\n",
	      "0zkaccb", "1abc");
}

/* Out of what is under way: longjmp(), a signal handler, exit() and death. */
static void test_left(void **state)
{
	static const char source[] =
		"#include <setjmp.h>\n"
		"#include <signal.h>\n"
		"#include <stdio.h>\n"
		"#include <stdlib.h>\n"
		"static jmp_buf home;\n"
		"static volatile int seen;\n"
		"static void handle(int s) { if (seen++ > 2) seen = 0; }\n"
		"static void leave(int n) { if (n > 3) longjmp(home, n); leave(n + 1); }\n"
		"static void bye(void) { if (seen) puts(\"bye\"); }\n"
		"int main(int argc, char **argv) {\n"
		"  int n = atoi(argv[1]);\n"
		"  char *p = n == 7 ? NULL : argv[1];\n"
		"  atexit(bye);\n"
		"  signal(SIGUSR1, handle);\n"
		"  for (int i = 0; i < n; i++) if (i % 2) raise(SIGUSR1);\n"
		"  if (!setjmp(home)) { if (n > 1) leave(n); puts(\"none\"); }\n"
		"  else if (n == 3) exit(seen);\n"
		"  printf(\"%d\\n\", seen);\n"
		"  fflush(stdout);\n"
		"  if (*p > '4') puts(\"end\");\n"
		"  return 0;\n"
		"}\n";

	check(source, "3", "1");
	check(source, "7", "2");
	check(source, "5", "7");
}

/* --- what they are for --- */

static struct dd_set named(const struct hybrid_point *point, const char *name)
{
	struct dd_set set;

	dd_set_init(&set, point->count, false);
	for (uint32_t i = 0; i < point->count; i++)
		if (!name || !strcmp(point->differences[i].name, name))
			dd_set_put(&set, i, true);
	assert_int_not_equal(set.size, 0);
	return set;
}

static enum verdict ask(struct hybrids *h, struct hybrid_point *point, enum hybrid_way way,
                        const char *name, struct hybrid_goal *goal)
{
	struct dd_set set = named(point, name);
	enum verdict verdict;

	pair_must(hybrid_ask(h, point, way, &set, goal, &verdict));
	dd_set_deinit(&set);
	return verdict;
}

/* `y` alone explains what is printed; without rails a run that gets only that takes a way of its own,
   since `y` is not `z` any more. */
static const char unrelated[] = "#include <stdio.h>\n"
				"#include <stdlib.h>\n"
				"int main(int argc, char **argv) {\n"
				"  int y = atoi(argv[1]), z = y;\n"
				"  int out = 0;\n"
				"  if (y != z)\n"
				"    out = 100;\n"
				"  out += y > 3;\n"
				"  if (out)\n"
				"    out += 5;\n"
				"  printf(\"%d\\n\", out);\n"
				"  return 0;\n"
				"}\n";

static void open_hybrids(struct pair *p, struct rails *rails[2], struct hybrids *h)
{
	pair_find_symptom(p);
	make_rails(p, rails);
	*h = (struct hybrids){.pair = pair_comparison(p, NULL)};
}

/* The point before the nth branch of the failing run. */
static void prepare(struct pair *p, struct hybrids *h, uint32_t nth, struct hybrid_point *out)
{
	struct point_branches b;
	uint64_t time;

	pair_must(points_branches(&p->runs[true].recording, UINT64_MAX, &b));
	time = b.all.at[nth].time;
	point_branches_deinit(&b);
	pair_must(hybrids_prepare(h, &time, 1, out));
	pair_must(hybrid_compare(h, out));
}

static void test_unrelated(void **state)
{
	const enum hybrid_way ways[] = {HYBRID_REFERENCE, HYBRID_FAILING, HYBRID_BOTH};
	const enum verdict other[] = {VERDICT_FAIL, VERDICT_PASS, VERDICT_FAIL};
	struct rails *rails[2];
	struct hybrid_point point;
	struct hybrids h;
	struct pair p;

	pair_make(&p, unrelated, "4", "2", "0\n");
	open_hybrids(&p, rails, &h);
	prepare(&p, &h, 0, &point);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(ask(&h, &point, ways[i], "y", NULL), VERDICT_UNRESOLVED);
		hybrid_verdicts_deinit(&point.verdicts[0]);
		hybrid_verdicts_deinit(&point.verdicts[1]);
		memcpy(h.rails, rails, sizeof(h.rails));
		assert_int_equal(ask(&h, &point, ways[i], "y", NULL), other[i]);
		assert_int_equal(ask(&h, &point, ways[i], "z", NULL),
		                 i == 1 ? VERDICT_FAIL : VERDICT_PASS);
		memset(h.rails, 0, sizeof(h.rails));
		hybrid_verdicts_deinit(&point.verdicts[0]);
		hybrid_verdicts_deinit(&point.verdicts[1]);
	}
	assert_int_equal(h.confounded, 0);
	hybrid_point_deinit(&point);
	for (unsigned side = 0; side < 2; side++)
		rails_destroy(rails[side]);
	pair_free(&p);
}

/* Goals: a value at a later point, and the way of a branch, in either direction; also a branch at the
   very point. */
static void test_goals(void **state)
{
	const enum hybrid_way ways[] = {HYBRID_REFERENCE, HYBRID_FAILING, HYBRID_BOTH};
	const enum verdict other[] = {VERDICT_FAIL, VERDICT_PASS, VERDICT_FAIL};
	const enum verdict own[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_PASS};
	struct hybrid_goal *goals[3];
	struct hybrid_point first, later;
	const struct align_fork *fork;
	struct rails *rails[2];
	struct hybrids h;
	struct dd_set out;
	struct pair p;

	pair_make(&p, unrelated, "4", "2", "0\n");
	open_hybrids(&p, rails, &h);
	memcpy(h.rails, rails, sizeof(h.rails));
	prepare(&p, &h, 0, &first);
	prepare(&p, &h, 1, &later);
	assert_int_equal(p.alignment.forks.size, 1);
	fork = &p.alignment.forks.at[0];
	assert_int_equal(fork->a, later.times[true]);
	out = named(&later, "out");
	pair_must(hybrid_goal_create(&h, &later, &out, NULL, 0, &goals[0]));
	pair_must(hybrid_goal_create(&h, NULL, NULL, &fork, 1, &goals[1]));
	pair_must(hybrid_goal_create(&h, &later, &out, &fork, 1, &goals[2]));
	for (unsigned g = 0; g < 3; g++) {
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(ask(&h, &first, ways[i], "y", goals[g]), other[i]);
			assert_int_equal(ask(&h, &first, ways[i], "z", goals[g]), own[i]);
			/* At the point itself `y` does not matter any more. */
			assert_int_equal(ask(&h, &later, ways[i], "out", goals[g]), other[i]);
			assert_int_equal(ask(&h, &later, ways[i], "y", goals[g]), own[i]);
		}
		hybrid_goal_destroy(goals[g]);
	}
	for (unsigned side = 0; side < 2; side++) {
		enum verdict verdict;

		pair_must(hybrid_force(&h, fork, side, NULL, &verdict));
		/* 5 or 1 is printed: what neither run has printed. */
		assert_int_equal(verdict, VERDICT_UNRESOLVED);
	}
	dd_set_deinit(&out);
	hybrid_point_deinit(&first);
	hybrid_point_deinit(&later);
	for (unsigned side = 0; side < 2; side++)
		rails_destroy(rails[side]);
	pair_free(&p);
}

/* A loop that neither run has: the hybrid is off the rails. What it has shown before counts. */
static const char loop[] = "#include <stdio.h>\n"
			   "#include <stdlib.h>\n"
			   "int main(int argc, char **argv) {\n"
			   "  int n = atoi(argv[1]), m = n * 2, s = 0;\n"
			   "  switch (n + m) {\n"
			   "  case 6: s = 1; break;\n"
			   "  case 9: s = 2; break;\n"
			   "  default: if (n) s = 3; break;\n"
			   "  }\n"
			   "  printf(\"%d\\n\", s);\n"
			   "  return 0;\n"
			   "}\n";

static void test_confounded(void **state)
{
	struct rails *rails[2];
	struct hybrid_point point;
	struct hybrids h;
	struct pair p;

	pair_make(&p, loop, "3", "2", "1\n");
	open_hybrids(&p, rails, &h);
	memcpy(h.rails, rails, sizeof(h.rails));
	prepare(&p, &h, 0, &point);
	assert_int_equal(ask(&h, &point, HYBRID_REFERENCE, NULL, NULL), VERDICT_FAIL);
	assert_int_equal(h.confounded, 0);
	assert_int_equal(ask(&h, &point, HYBRID_REFERENCE, "n", NULL), VERDICT_UNRESOLVED);
	assert_int_equal(h.confounded, 1);
	assert_int_equal(ask(&h, &point, HYBRID_BOTH, "m", NULL), VERDICT_UNRESOLVED);
	assert_int_equal(h.confounded, 3);
	hybrid_point_deinit(&point);
	for (unsigned side = 0; side < 2; side++)
		rails_destroy(rails[side]);
	pair_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branches), cmocka_unit_test(test_empty),
		cmocka_unit_test(test_turns),    cmocka_unit_test(test_without_branch),
		cmocka_unit_test(test_left),     cmocka_unit_test(test_unrelated),
		cmocka_unit_test(test_goals),    cmocka_unit_test(test_confounded),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
