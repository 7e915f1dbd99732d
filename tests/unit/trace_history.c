/*
 * The history of a recording: what an execution that was resumed on the way has is what one has that was decoded from the beginning;
 * and the accounts of statements, calls, outputs and writes agree with what that one tells.
 */
#include "trace_decoded.h"

#include "base/map.h"
#include "trace/history.h"

/* A point of the run, as it was decoded from its beginning. */
struct moment {
	uint32_t next; /* instance */
	uint32_t depth;
	uint32_t code_line;
	const char *function;
	uint32_t stored; /* stores before it */
	uint64_t memory; /* digest of all bytes that were stored to */
	uint64_t printed;
};

struct told {
	VEC(struct moment) moments; /* of statement i + 1 */
	VEC(uint64_t) stores;       /* addresses of words that were stored to, in order */
	uint32_t every;             /* moments whose memory is looked at */
	bool *met;                  /* by a replay: these statements were told, and compared */
};

/* The bytes of the first `count` stores, who wrote them, and what pointers in them were made from. */
static uint64_t digest(const struct told *t, struct execution *e, uint32_t count)
{
	uint64_t hash = count;

	for (uint32_t i = count > 400 ? count - 400 : 0; i < count; i++) {
		struct memory_value v =
			memory_load(execution_memory(e), t->stores.at[i] & ~7ull, 8);

		hash = map_hash_u64(hash ^ v.bits) + v.undefined;
		hash = map_hash_u64(hash ^ v.source) + v.object;
	}
	return hash;
}

static struct moment moment_of(const struct told *t, struct execution *e, uint64_t number,
                               uint32_t stored)
{
	const struct activation *a = execution_top(e, 0);
	struct moment m = {.next = execution_next(e),
	                   .depth = execution_depth(e),
	                   .code_line = LLVMGetDebugLocLine(a->function->instructions[a->pc]),
	                   .function = a->function->plan->name,
	                   .stored = stored};

	if (number % t->every == 0)
		m.memory = digest(t, e, stored);
	return m;
}

static void tell(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct told *t = context;
	const struct activation *a = execution_top(e, 0);

	if (event == EXECUTION_BEGINS) {
		const struct outputs_stream *out = outputs_stream(execution_outputs(e), 1);
		struct moment m = moment_of(t, e, number, t->stores.size);

		m.printed = out ? out->size : 0;
		assert_int_equal(number, t->moments.size + 1);
		*vec_push(&t->moments) = m;
	} else if (event == EXECUTION_ENDED && a->function->insns[a->pc - 1].op == CODE_STORE) {
		*vec_push(&t->stores) = execution_slot(e, a, a->function->insns[a->pc - 1].b)->bits;
	}
}

static void compare(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct told *t = context;
	const struct moment *was;
	struct moment m;

	if (event != EXECUTION_BEGINS)
		return;
	assert_true(number <= t->moments.size);
	was = &t->moments.at[number - 1];
	m = moment_of(t, e, number, was->stored);
	assert_int_equal(m.next, was->next);
	assert_int_equal(m.depth, was->depth);
	assert_int_equal(m.code_line, was->code_line);
	assert_string_equal(m.function, was->function);
	assert_true(m.memory == was->memory);
	t->met[number - 1] = true;
}

struct once {
	struct told *told;
	uint64_t time;
	bool met;
};

static void compare_one(void *context, struct execution *e, enum execution_event event,
                        uint64_t number)
{
	struct once *o = context;

	compare(o->told, e, event, number);
	/* The rest of the block is told after walk_halt(), too. */
	if (event != EXECUTION_BEGINS || number < o->time || o->met)
		return;
	assert_int_equal(number, o->time);
	o->met = true;
	walk_halt(execution_walk(e));
}

static void check_accounts(const struct recording *run, const struct told *t)
{
	uint32_t count, prints, calls;
	const struct history_print *print = history_prints(run, &prints);
	uint64_t main;
	const struct history_call *call = history_calls(run, &calls, &main);

	for (uint32_t i = 0; i < t->moments.size; i++) {
		const struct moment *m = &t->moments.at[i];
		uint32_t end = history_end(run, i + 1);

		assert_int_equal(history_begin(run, i + 1), m->next);
		assert_int_equal(history_statement(run, m->next), i + 1);
		assert_true(!end || end >= m->next);
	}
	assert_int_equal(history_statement(run, 0), 0);
	assert_int_equal(history_begin(run, t->moments.size + 1), 0);
	/* How many calls are under way before each statement. */
	for (uint32_t i = 0; i < t->moments.size; i += 1 + t->moments.size / 300) {
		count = 0;
		for (uint32_t k = 0; k < calls; k++)
			count += call[k].entered <= i + 1 && call[k].left > i + 1;
		assert_int_equal(count, t->moments.at[i].depth);
	}
	assert_true(main);
	assert_string_equal(t->moments.at[main - 1].function, "main");
	for (uint32_t i = 0; i < prints; i++) {
		assert_int_equal(t->moments.at[print[i].time - 1].printed, print[i].from);
		assert_true(print[i].to > print[i].from);
	}
}

static void check(const char *source)
{
	struct decoded d = decoded_record(source);
	struct recording run = {
		.modules = d.modules, .folder = decoded_session.path, .table = decoded_models};
	struct told t = {.every = 1};
	struct execution_options options = {.begins = true,
	                                    .outputs = true,
	                                    .statement = tell,
	                                    .context = &t,
	                                    .table = decoded_models};
	struct once o = {.told = &t};
	const struct execution_options once = {
		.begins = true, .statement = compare_one, .context = &o};
	const struct execution_options more = {.begins = true, .statement = compare, .context = &t};
	VEC(uint64_t) times = VEC_INIT;
	struct execution *whole, *e;
	uint64_t decodes;
	bool ended;

	assert_null(history_whole(&run, &whole));
	assert_null(whole); /* the recording has no history */
	t.every = 7;
	assert_null(execution_create(d.modules, decoded_session.path, 0, &options, &d.e));
	assert_null(execution_run(d.e, NULL));
	run.history = history_create();
	decodes = walk_work()->decodes;
	assert_null(history_whole(&run, &whole));
	assert_non_null(whole);
	assert_int_equal(execution_statements(whole), execution_statements(d.e));
	assert_int_equal(execution_instances(whole), execution_instances(d.e));
	check_accounts(&run, &t);

	/* One after the other, from the last to the first. */
	t.met = mem_alloc(t.moments.size);
	for (uint64_t time = t.moments.size; time; time -= time > 200 ? time / 40 : 1) {
		o.time = time;
		o.met = false;
		ended = false;
		assert_null(history_open(&run, time, &once, &e));
		assert_ptr_equal(execution_whole(e), whole);
		assert_null(execution_advance(e, UINT64_MAX, NULL, &ended));
		assert_true(o.met);
		execution_destroy(e);
		*vec_push(&times) = t.moments.size + 1 - time;
	}
	/* Many at once, in order; each is met. */
	memset(t.met, 0, t.moments.size);
	assert_null(history_visit(&run, times.at, times.size, &more, NULL, &e));
	for (uint32_t i = 0; i < times.size; i++)
		assert_true(t.met[times.at[i] - 1]);
	free(t.met);
	execution_destroy(e);
	assert_int_equal(walk_work()->decodes, decodes + 1);
	vec_deinit(&times);
	vec_deinit(&t.moments);
	vec_deinit(&t.stores);
	history_destroy(run.history);
	decoded_free(&d);
}

static void a_short_run(void **state)
{
	check("#include <stdio.h>\nint main(void)\n{\n	int s = 0;\n	for (int i = 0; i < 5; "
	      "i++)\n"
	      "		s += i;\n	printf(\"%d\\n\", s);\n	return 0;\n}\n");
}

static void heap_and_recursion(void **state)
{
	check("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	      "struct node { struct node *less, *more; int key; char name[8]; };\n"
	      "static struct node *add(struct node *n, int key)\n{\n	if (!n) {\n"
	      "		n = calloc(1, sizeof(*n));\n		n->key = key;\n"
	      "		snprintf(n->name, sizeof(n->name), \"n%d\", key);\n		return "
	      "n;\n	}\n"
	      "	if (key < n->key)\n		n->less = add(n->less, key);\n	else\n"
	      "		n->more = add(n->more, key);\n	return n;\n}\n"
	      "static void drop(struct node *n)\n{\n	if (!n)\n		return;\n	"
	      "drop(n->less);\n"
	      "	drop(n->more);\n	if (n->key % 5 == 0)\n		printf(\"%s\\n\", "
	      "n->name);\n"
	      "	free(n);\n}\n"
	      "int main(void)\n{\n	unsigned r = 1;\n	for (int round = 0; round < 12; "
	      "round++) {\n"
	      "		struct node *root = NULL;\n		char text[16];\n"
	      "		for (int i = 0; i < 60; i++) {\n			r = r * "
	      "1103515245u + 12345u;\n"
	      "			root = add(root, (int)(r >> 16) % 100);\n		}\n"
	      "		memset(text, round, sizeof(text));\n		drop(root);\n	}\n	"
	      "return 0;\n}\n");
}

static void callbacks_and_globals(void **state)
{
	check("#include <stdlib.h>\n#include <stdio.h>\nstatic int count, table[64];\n"
	      "static int less(const void *a, const void *b)\n{\n	count++;\n"
	      "	return *(const int *)a - *(const int *)b;\n}\n"
	      "int main(void)\n{\n	for (int k = 0; k < 40; k++) {\n"
	      "		for (int i = 0; i < 64; i++)\n			table[i] = (i * 37 + k) % "
	      "64;\n"
	      "		qsort(table, 64, sizeof(int), less);\n"
	      "		if (table[k % 64] == k)\n			putchar('.');\n	}\n"
	      "	putchar('\\n');\n	return 0;\n}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_run),
		cmocka_unit_test(heap_and_recursion),
		cmocka_unit_test(callbacks_and_globals),
	};

	return cmocka_run_group_tests(tests, decoded_set_up, decoded_tear_down);
}
