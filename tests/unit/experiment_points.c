/*
 * Points: the program itself, stopped at each of its sites, passes them in the order in which the decoder
 * says that statements begin; and points_find() agrees with both.
 */
#include "point_native.h"

#include "base/map.h"
#include "trace/history.h"

struct example {
	const char *name, *source;
};

/* --- what the decoder says --- */

struct passing {
	struct site site;
	uint64_t address; /* of the place that was hit; only of what the program says */
};

struct order {
	VEC(struct passing) all;
	uint64_t ended;
};

static struct site site_of(const struct activation *a)
{
	const struct plan_function *plan = a->function->plan;
	struct site site = {.module = a->function->place.module,
	                    .function = a->function->place.function};

	for (uint32_t b = 0; b < plan->blocks.size; b++)
		for (uint32_t s = 0; s < plan->blocks.at[b].statements; s++) {
			uint32_t first = plan->blocks.at[b].first_statement;

			if (a->function->instructions[a->pc] !=
			    plan->statements.at[first + s].begin)
				continue;
			site.block = b;
			site.statement = s;
			return site;
		}
	fail_msg("no statement begins at instruction %u of %s()", a->pc, plan->name);
	return site;
}

static void note_begin(void *context, struct execution *e, enum execution_event event,
                       uint64_t number)
{
	struct order *order = context;

	if (event == EXECUTION_BEGINS) {
		vec_push(&order->all)->site = site_of(execution_top(e, 0));
		assert_int_equal(number, order->all.size);
		return;
	}
	/* Whatever else happens to a statement comes after it began. */
	assert_true(number <= order->all.size);
	if (event == EXECUTION_ENDED && number > order->ended)
		order->ended = number;
}

/* --- what the program says --- */

MAP_DEFINE_U64(site_map, struct site);

/* Goes on behind the NOP of five bytes. */
static bool note_hit(pid_t child, struct site_map *places, struct order *order)
{
	struct user_regs_struct registers;
	struct passing *passing;
	struct site *site;

	ptrace(PTRACE_GETREGS, child, NULL, &registers);
	site = site_map_find(places, registers.rip - 1);
	if (!site)
		return false;
	passing = vec_push(&order->all);
	passing->site = *site;
	passing->address = registers.rip - 1;
	registers.rip += HENCE_SITE_NOP_SIZE - 1;
	ptrace(PTRACE_SETREGS, child, NULL, &registers);
	return true;
}

static void watch(pid_t child, struct site_map *places, struct order *order)
{
	int status, signal = 0;

	for (;;) {
		ptrace(PTRACE_CONT, child, NULL, (void *)(long)signal);
		assert_int_equal(waitpid(child, &status, 0), child);
		if (!WIFSTOPPED(status))
			return;
		signal = WSTOPSIG(status);
		if (signal == SIGTRAP && note_hit(child, places, order))
			signal = 0;
	}
}

static struct order native(const struct point_sites *sites)
{
	char *argv[] = {"./prog", "word", NULL};
	struct order order = {0};
	struct site_map places = MAP_INIT;
	uint32_t count;
	const struct site_place *all = point_sites_all(sites, HENCE_SITE_STATEMENT, &count);
	pid_t child = native_start(argv);

	assert_true(count > 0);
	for (uint32_t i = 0; i < count; i++) {
		native_trap(child, all[i].address);
		*site_map_put(&places, all[i].address) = all[i].site;
	}
	watch(child, &places, &order);
	site_map_deinit(&places);
	return order;
}

/* --- compared --- */

static bool is_same(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

static uint32_t passed_before(const struct order *order, const struct site *site, uint32_t time)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i + 1 < time && i < order->all.size; i++)
		count += is_same(&order->all.at[i].site, site);
	return count;
}

static void check_points(const struct recording *run, const struct order *order)
{
	uint32_t count = order->all.size, step = count > 400 ? count / 200 : 1, n = 0;
	uint64_t *times = mem_alloc(count * sizeof(*times)), passed[2], at[2];
	struct point *points = mem_alloc(count * sizeof(*points));
	uint64_t beyond = count + 1000;

	for (uint32_t t = 1; t <= count; t += step)
		times[n++] = t;
	times[n - 1] = count;
	native_must(points_find(run, times, n, points));
	for (uint32_t i = 0; i < n; i++) {
		const struct site *site = &order->all.at[times[i] - 1].site;

		assert_int_equal(points[i].time, times[i]);
		assert_true(is_same(&points[i].site, site));
		assert_int_equal(points[i].count,
		                 passed_before(order, site, (uint32_t)times[i]) + 1);
	}
	at[0] = count / 2 + 1;
	at[1] = count;
	native_must(points_count(run, &points[n - 1].site, at, 2, passed));
	assert_int_equal(passed[0], passed_before(order, &points[n - 1].site, count / 2 + 1));
	assert_int_equal(passed[1], points[n - 1].count - 1);
	error_destroy(points_find(run, &beyond, 1, points));
	free(times);
	free(points);
}

static void compare(const struct example *p, const struct order *decoded,
                    const struct order *native)
{
	for (uint32_t i = 0; i < decoded->all.size && i < native->all.size; i++)
		if (!is_same(&decoded->all.at[i].site, &native->all.at[i].site))
			fail_msg("%s: statement %u is another one", p->name, i + 1);
	if (decoded->all.size != native->all.size)
		fail_msg("%s: %u statements, but the program passed %u sites", p->name,
		         decoded->all.size, native->all.size);
}

/* --- a path that is kept and one that is walked again --- */

struct visited {
	VEC(struct site) passed;
	VEC(uint64_t) others; /* ends and times of the same; times, numbers and ways of branches */
	struct path_end end;
};

static bool visit_passed(void *context, const struct site *site, uint32_t to, uint64_t time)
{
	struct visited *v = context;

	*vec_push(&v->passed) = *site;
	*vec_push(&v->others) = to;
	*vec_push(&v->others) = time;
	return true;
}

static bool visit_branched(void *context, const struct site *site, bool loose, uint64_t time)
{
	return visit_passed(context, site, loose, time);
}

/* It may be told at once or later, but of each branch just once: so only the sum counts. */
static void visit_went(void *context, uint32_t branch, uint32_t way)
{
	struct visited *v = context;

	v->end.at.statement += (branch + 1) * (way + 7);
}

static void visit_ended(void *context, const struct path_end *end)
{
	struct visited *v = context;
	uint32_t ways = v->end.at.statement;

	v->end = *end;
	v->end.at.statement += ways;
}

static struct visited visit(const struct recording *run)
{
	struct visited v = {0};
	const struct path_visitor visitor = {.context = &v,
	                                     .passed = visit_passed,
	                                     .branched = visit_branched,
	                                     .went = visit_went,
	                                     .ended = visit_ended};

	native_must(path_visit(run, &visitor));
	return v;
}

/* The way of the last branch that was asked for is known, too. */
static void check_last_way(const struct recording *run)
{
	struct point_branches all, some;

	native_must(points_branches(run, UINT64_MAX, &all));
	for (uint32_t i = 0; i < all.all.size && i < 20; i++) {
		native_must(points_branches(run, all.all.at[i].time, &some));
		assert_true(some.all.size > i);
		assert_int_equal(some.all.at[i].way, all.all.at[i].way);
		point_branches_deinit(&some);
	}
	point_branches_deinit(&all);
}

static void check_kept(struct recording *run, const struct order *order)
{
	struct visited walked = visit(run), kept;

	check_last_way(run);
	run->history = history_create();
	kept = visit(run);
	assert_int_equal(kept.passed.size, walked.passed.size);
	assert_int_equal(kept.others.size, walked.others.size);
	for (uint32_t i = 0; i < kept.passed.size; i++)
		assert_true(is_same(&kept.passed.at[i], &walked.passed.at[i]));
	for (uint32_t i = 0; i < kept.others.size; i++)
		assert_int_equal(kept.others.at[i], walked.others.at[i]);
	assert_true(kept.end.over && walked.end.over);
	assert_int_equal(kept.end.statements, walked.end.statements);
	assert_int_equal(kept.end.standing, walked.end.standing);
	assert_true(is_same(&kept.end.at, &walked.end.at));
	check_points(run, order);
	check_last_way(run);
	history_destroy(run->history);
	run->history = NULL;
	vec_deinit(&walked.passed);
	vec_deinit(&walked.others);
	vec_deinit(&kept.passed);
	vec_deinit(&kept.others);
}

static void check(const struct example *p, const struct walk_place *death)
{
	struct decoded d = decoded_record(p->source);
	struct recording run = {.modules = d.modules,
	                        .folder = decoded_session.path,
	                        .table = decoded_models,
	                        .death = death};
	struct order decoded = {0}, hit;
	struct execution_options options = {.begins = true,
	                                    .statement = note_begin,
	                                    .context = &decoded,
	                                    .table = decoded_models};
	struct point_sites *sites;

	native_must(execution_create(d.modules, decoded_session.path, 0, &options, &d.e));
	native_must(execution_run(d.e, death));
	assert_true(decoded.all.size >= execution_statements(d.e));
	assert_true(decoded.all.size <= execution_statements(d.e) + 1);
	native_must(point_sites_create(&run, &sites));
	hit = native(sites);
	compare(p, &decoded, &hit);
	check_points(&run, &decoded);
	check_kept(&run, &decoded);
	point_sites_destroy(sites);
	vec_deinit(&decoded.all);
	vec_deinit(&hit.all);
	decoded_free(&d);
}

static const struct example examples[] = {
	{"loops and switches",
         "#include <stdio.h>\nstatic int odd(int x)\n{\n	if (x % 2 && x > 1)\n		"
         "return 1;\n"
         "	switch (x) { case 4: return 7; case 6: x++; /* on */ case 8: x += 2; break; "
         "default: ; }\n"
         "	return x > 3 ? x : -x;\n}\nint main(int argc, char **argv)\n{\n	int s = argc;\n"
         "	for (int i = 0; i < 20; i++) {\n		if (i == 11) continue;\n"
         "		do s += odd(i) || odd(s); while (s % 3 == 1 && s++ < 40);\n		if "
         "(i == 17) goto out;\n	}\n"
         "out:\n	printf(\"%d\\n\", s);\n	return 0;\n}\n"},
	{"recursion and callbacks",
         "#include <stdlib.h>\nstatic int less(const void *a, const void *b)\n{\n"
         "	return *(const int *)a - *(const int *)b;\n}\nstatic long fib(int n)\n{\n"
         "	return n < 2 ? n : fib(n - 1) + fib(n - 2);\n}\nstruct pair { long a, b, c; };\n"
         "static long sum(struct pair p, short k)\n{\n	p.b += k;\n	return p.a + p.b + "
         "p.c;\n}\n"
         "int main(void)\n{\n	int a[] = {5, 3, 9, 1, 7, 2};\n	struct pair p = {1, 2, fib(9)};\n"
         "	qsort(a, 6, sizeof(int), less);\n	return (int)(sum(p, (short)a[3]) & "
         "7);\n}\n"},
	{"jumps", "#include <setjmp.h>\nstatic jmp_buf here;\nstatic volatile int n;\n"
                  "static void deep(int k)\n{\n	if (k == 0)\n		longjmp(here, ++n);\n	"
                  "deep(k - 1);\n	n = 99;\n}\n"
                  "int main(void)\n{\n	int got = setjmp(here);\n	if (got < 4)\n		"
                  "deep(got + 2);\n"
                  "	return got + n;\n}\n"},
	{"stack", "#include <string.h>\n#include <stdarg.h>\nstatic int add(int n, ...)\n{\n"
                  "	va_list list;\n	int s = 0;\n	va_start(list, n);\n	while (n--)\n	"
                  "	s += va_arg(list, int);\n"
                  "	va_end(list);\n	return s;\n}\nstatic int old(a, b) char a; float b; { "
                  "return a + (int)b; }\n"
                  "int main(void)\n{\n	for (int n = 1; n < 6; n++) {\n		char text[n], "
                  "*more = __builtin_alloca(n * 2);\n"
                  "		memset(text, n, n);\n		memcpy(more, text, n);\n	"
                  "	if (add(3, more[0], n, 2) + old('a', 2.5f) == 1)\n"
                  "			return 1;\n	}\n	static void *to[] = {&&one, "
                  "&&two};\n	int k = 0;\n	goto *to[k];\n"
                  "one:\n	k++;\n	goto *to[k];\ntwo:\n	return k;\n}\n"},
	{"exit",
         "#include <stdlib.h>\nstatic int n;\nstatic void last(void)\n{\n	n = 5;\n}\n"
         "static void leave(int k)\n{\n	if (k > 3)\n		exit(k);\n	leave(k + 1);\n}\n"
         "int main(void)\n{\n	atexit(last);\n	leave(0);\n	return 0;\n}\n"},
	{"abort", "#include <stdlib.h>\nint main(void)\n{\n	int x = 3;\n	x++;\n	if "
                  "(x)\n		abort();\n	return 0;\n}\n"},
};

static void passes_sites_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(*examples); i++)
		check(&examples[i], NULL);
}

/* The statement that kills the program begins, and leaves nothing on the tape. */
static void begins_what_never_ends(void **state)
{
	static const struct example crash = {"crash",
	                                     "int *p;\nint main(void)\n{\n	int a = 1, b = "
	                                     "2;\n	a = b;\n	b = a + 1;\n	*p = a;\n"
	                                     "	a = 3;\n	return 0;\n}\n"};
	static const struct walk_place death = {
		.function = "main", .file = "prog.c", .line = 7, .column = 5};

	(void)state;
	check(&crash, &death);
}

/* Programs of tests/cases that are one file, and need nothing. */
static const char *const cases[] = {
	"atomics", "bitfields",  "branches",   "builtins",       "computed-goto", "conventions",
	"heap",    "int128",     "literals",   "locals",         "loops",         "modern-c",
	"overlap", "switches",   "no-folding", "overflow-wraps", "unions",        "varargs",
	"vectors", "vla-alloca", "exit-main",  "exit-quick",     "float16",       "crash-assert",
};

static void read_text(const char *path, struct str *text)
{
	int fd = open(path, O_RDONLY);
	char bytes[4096];
	ssize_t got;

	assert_true(fd >= 0);
	while ((got = read(fd, bytes, sizeof(bytes))) > 0)
		str_add_bytes(text, bytes, (size_t)got);
	close(fd);
}

static void passes_sites_of_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *path = str_format("%s/tests/cases/%s/main.c", getenv("SRC"), cases[i]);
		struct example e = {.name = cases[i]};
		struct str text = STR_INIT;

		read_text(path, &text);
		e.source = str_text(&text);
		check(&e, NULL);
		str_deinit(&text);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_sites_in_order),
		cmocka_unit_test(passes_sites_of_cases),
		cmocka_unit_test(begins_what_never_ends),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
