/*
 * Windows: when only some statements are kept, everything that is kept must be as it is when all
 * are; and what lies before is said to be so.
 */
#include "trace_decoded.h"

#define MIXED 4u /* operands that an instruction has at most, here */

static const char program[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"struct big { long a[4]; };\n"
	"union mixed { unsigned whole; unsigned char part[4]; };\n"
	"static int table[64];\nstatic char text[32], other[32];\n"
	"static int leaf(int n)\n{\n"
	"	table[n & 63] += n;\n"
	"	return table[(n + 7) & 63] > n ? n : table[n & 15];\n}\n"
	"static long pass(struct big b, int k)\n{\n"
	"	b.a[k & 3] += k;\n	return b.a[0] + b.a[3];\n}\n"
	"static struct big make(int n)\n{\n"
	"	struct big b;\n"
	"	for (int i = 0; i < 4; i++)\n		b.a[i] = n + leaf(i);\n	return b;\n}\n"
	"static int tree(int depth, int n)\n{\n"
	"	if (depth == 0)\n		return leaf(n);\n"
	"	return tree(depth - 1, n + 1) + tree(depth - 1, n * 2);\n}\n"
	"static int order(const void *a, const void *b)\n{\n"
	"	return *(const int *)a - *(const int *)b;\n}\n"
	"int main(void)\n{\n"
	"	union mixed m = {0};\n	int sum = 0;\n"
	"	for (int i = 0; i < 150; i++) {\n"
	"		struct big b = make(i), c = b;\n"
	"		m.part[i & 3] = i;\n"
	"		sum += m.whole + pass(c, i);\n"
	"		sprintf(text, \"%d:%d\", i, sum);\n"
	"		memcpy(other, text + 1, 8);\n"
	"		sum += strlen(text) + other[1];\n"
	"		switch (i % 5) { case 0: sum += tree(3, i); break; case 3: sum++; }\n"
	"		if (i % 16 == 7) qsort(table, 12, sizeof(int), order);\n"
	"	}\n"
	"	printf(\"%d\\n\", sum);\n	return 0;\n}\n";

/* The whole run, and one window of it. */
struct pair {
	struct execution *whole, *window;
	uint32_t first, end; /* of the window */
};

/* --- what must be the same --- */

static void same_flows(const struct pair *p, uint32_t a, uint32_t b)
{
	const struct execution_group *x = execution_group(p->whole, a);
	const struct execution_group *y = execution_group(p->window, b);
	const struct execution_flow *f = execution_flows(p->whole, x);
	const struct execution_flow *g = execution_flows(p->window, y);

	assert_int_equal(x->count, y->count);
	for (uint32_t i = 0; i < x->count; i++) {
		assert_int_equal(f[i].to, g[i].to);
		assert_int_equal(f[i].from, g[i].from);
		assert_int_equal(f[i].size, g[i].size);
		assert_int_equal(f[i].source, g[i].source);
		assert_int_equal(f[i].argument, g[i].argument);
	}
}

/* An outside call that returns behind the window leaves no group there. */
static bool returns_later(const struct pair *p, uint32_t instance)
{
	return execution_insn(p->window, instance)->op == CODE_CALL &&
	       !execution_source(p->window, instance);
}

static void same_values(const struct pair *p)
{
	uint32_t later = 0;

	for (uint32_t i = p->first; i < p->end; i++) {
		uint32_t a = execution_source(p->whole, i), b = execution_source(p->window, i);

		assert_int_equal(execution_code(p->whole, i), execution_code(p->window, i));
		assert_int_equal(execution_value(p->whole, i), execution_value(p->window, i));
		if (a & EXECUTION_GROUP && returns_later(p, i))
			later++;
		else if (a & EXECUTION_GROUP && b & EXECUTION_GROUP)
			same_flows(p, a, b);
		else
			assert_int_equal(a, b);
	}
	assert_true(later <= 1); /* only one can be under way at the end */
}

static void same_segments(const struct pair *p)
{
	uint32_t count;
	const struct execution_segment *all = execution_segments(p->whole, &count);
	const struct execution_segment *some = execution_segments(p->window, &count);

	assert_true(count > 0);
	assert_int_equal(some[0].first, p->first);
	for (uint32_t i = 0; i < count; i++) {
		const struct execution_segment *s = execution_segment(p->whole, some[i].first);
		uint32_t before = s->previous ? all[s->previous - 1].first : 0;

		assert_int_equal(s->first, some[i].first);
		assert_int_equal(s->code, some[i].code);
		assert_int_equal(s->frame, some[i].frame);
		assert_int_equal(s->parent, some[i].parent);
		if (before >= p->first)
			assert_int_equal(some[some[i].previous - 1].first, before);
		else
			assert_int_equal(some[i].previous, 0);
	}
}

static void same_frames(const struct pair *p)
{
	uint32_t count, other;
	const struct execution_frame *a = execution_frames(p->whole, &count);
	const struct execution_frame *b = execution_frames(p->window, &other);

	assert_int_equal(count, other);
	assert_memory_equal(a, b, count * sizeof(*a));
}

/* --- operands --- */

static uint32_t operands_of(const struct code_insn *insn, uint32_t *out)
{
	const struct code_call *call = insn->more;

	switch ((enum code_op)insn->op) {
	case CODE_LOAD:
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_STEP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_RETURN: out[0] = insn->a; return 1;
	case CODE_CALL:
		for (uint32_t i = 0; i < call->count && i < MIXED; i++)
			out[i] = call->arguments[i].operand;
		return call->count < MIXED ? call->count : MIXED;
	case CODE_ADD:
	case CODE_MUL:
	case CODE_SLT:
	case CODE_INDEX:
	case CODE_STORE:
		out[0] = insn->a;
		out[1] = insn->b;
		return 2;
	case CODE_COPY:
		out[0] = insn->a;
		out[1] = insn->b;
		out[2] = insn->c;
		return 3;
	default: return 0;
	}
}

/* How often operands were asked for that were made in the window, and before it. */
struct counts {
	uint64_t inside, before, parameters;
};

static void same_operand(const struct pair *p, uint32_t instance, uint32_t operand,
                         struct counts *counts)
{
	uint64_t value, other = 1;
	uint32_t made, from = 1;
	bool known = execution_operand(p->whole, instance, operand, &value, &made);
	bool found = execution_operand(p->window, instance, operand, &other, &from);

	if (!known) {
		assert_false(found);
		return;
	}
	if (made && made < p->first) {
		/* a parameter's value may be known all the same, from where it was stored; that
		   of a structure's place is the call */
		assert_true(from == 0 || from == SOURCE_EARLIER || from == made);
		assert_true(!found || other == value);
		counts->before++;
		counts->parameters += found;
		return;
	}
	counts->inside++;
	assert_true(found);
	assert_int_equal(other, value);
	assert_int_equal(from, made);
}

static void same_operands(const struct pair *p, struct counts *counts)
{
	uint32_t operands[MIXED];

	for (uint32_t i = p->first; i < p->end; i++) {
		uint32_t count = operands_of(execution_insn(p->window, i), operands);

		for (uint32_t k = 0; k < count; k++)
			if (operands[k] != CODE_NO_OPERAND)
				same_operand(p, i, operands[k], counts);
	}
}

/* --- origins --- */

struct sum {
	const struct pair *p;
	uint64_t count, sum;
};

/* Those of memory, and operands inside the window. */
static void add_origin(void *context, const struct execution_origin *origin)
{
	struct sum *sum = context;

	if (!origin->size && origin->source < sum->p->first)
		return;
	sum->count++;
	sum->sum = sum->sum * 31 + origin->source + origin->from * 7 + origin->size * 3;
	sum->sum += 2 * origin->itself + origin->chosen;
}

static void same_origins(const struct pair *p)
{
	for (uint32_t i = p->first; i < p->end; i++) {
		struct sum a = {.p = p}, b = {.p = p};

		if (returns_later(p, i))
			continue;
		execution_origins(p->whole, i, 0, 0, add_origin, &a);
		execution_origins(p->window, i, 0, 0, add_origin, &b);
		assert_int_equal(a.count, b.count);
		assert_int_equal(a.sum, b.sum);
	}
}

/* --- windows --- */

/* The instance that ends this statement. */
static uint32_t end_of(const struct execution *e, uint64_t statement)
{
	uint32_t first, end;

	execution_kept(e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(e, i)->flags & CODE_STATEMENT && --statement == 0)
			return i;
	fail_msg("there are not so many statements");
	return 0;
}

/* Just the segments in which the statements end are kept. */
static void right_extent(const struct pair *p, uint64_t from, uint64_t to)
{
	uint32_t last = end_of(p->whole, to), count;
	const struct execution_segment *s = execution_segment(p->whole, last);
	const struct execution_segment *all = execution_segments(p->whole, &count);

	assert_int_equal(p->first, execution_segment(p->whole, end_of(p->whole, from))->first);
	if (s + 1 < all + count)
		assert_int_equal(p->end, s[1].first);
	else
		assert_true(p->end > last);
}

static struct counts compare(struct decoded *d, struct execution *whole, uint64_t from, uint64_t to)
{
	struct execution_options options = {.retain = true, .from = from, .to = to};
	struct pair p = {.whole = whole, .window = decoded_run(d, options)};
	struct counts counts = {0};

	execution_kept(p.window, &p.first, &p.end);
	assert_true(p.first < p.end);
	right_extent(&p, from ? from : 1, to ? to : execution_statements(whole));
	assert_int_equal(execution_instances(whole), execution_instances(p.window));
	assert_int_equal(execution_statements(whole), execution_statements(p.window));
	same_values(&p);
	same_segments(&p);
	same_frames(&p);
	same_operands(&p, &counts);
	same_origins(&p);
	return counts;
}

static struct execution *whole_run(struct decoded *d)
{
	struct execution_options options = {.retain = true};
	struct execution *e = decoded_run(d, options);

	d->e = NULL;
	return e;
}

static void test_windows(void **state)
{
	struct decoded d = decoded_record(program);
	struct execution *whole = whole_run(&d);
	uint64_t n = execution_statements(whole);
	struct counts total = {0};

	print_message("%lu statements, %lu instructions\n", (unsigned long)n,
	              (unsigned long)execution_instances(whole));
	assert_in_range(n, 5000, 20000);
	compare(&d, whole, 1, 1);
	compare(&d, whole, 0, n);
	compare(&d, whole, n, 0);
	for (uint64_t i = 0; i < 40; i++) {
		uint64_t from = 2 + i * (n - 200) / 40, to = from + 1 + (i * 37) % 190;
		struct counts counts = compare(&d, whole, from, to);

		total.before += counts.before;
		total.inside += counts.inside;
		total.parameters += counts.parameters;
	}
	print_message("operands: %lu inside, %lu before, %lu of them stored\n",
	              (unsigned long)total.inside, (unsigned long)total.before,
	              (unsigned long)total.parameters);
	assert_true(total.before > 20 && total.inside > 1000);
	execution_destroy(whole);
	decoded_free(&d);
}

/* Each window of one statement, through calls of all kinds. */
static void test_single(void **state)
{
	struct decoded d = decoded_record(program);
	struct execution *whole = whole_run(&d);
	uint64_t n = execution_statements(whole);

	for (uint64_t i = n / 3; i < n / 3 + 60; i++)
		compare(&d, whole, i, i);
	execution_destroy(whole);
	decoded_free(&d);
}

/* Deep inside of a recursion, whose callers are not kept. */
static void test_inside_call(void **state)
{
	struct decoded d = decoded_record(program);
	struct execution *whole = whole_run(&d);
	uint32_t count, frames, deepest = 0, from = 0;
	const struct execution_segment *s = execution_segments(whole, &count);
	const struct execution_frame *f = execution_frames(whole, &frames);
	uint64_t statements = 0;
	uint32_t first, end;

	execution_kept(whole, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		uint32_t depth = 0;

		s = execution_segment(whole, i);
		statements += (execution_insn(whole, i)->flags & CODE_STATEMENT) != 0;
		for (uint32_t k = s->frame + 1; k; k = f[k - 1].caller)
			depth++;
		if (depth > deepest) {
			deepest = depth;
			from = (uint32_t)statements + 1;
		}
	}
	assert_true(deepest >= 6); /* main, tree four times, leaf */
	assert_true(compare(&d, whole, from, from + 5).before > 0);
	assert_true(compare(&d, whole, from + 1, from + 200).before > 0);
	execution_destroy(whole);
	decoded_free(&d);
}

/* Nothing is kept of what lies behind the end. */
static void test_beyond(void **state)
{
	struct decoded d = decoded_record(program);
	struct execution_options options = {.retain = true, .from = 1u << 30};
	uint32_t first, end;

	decoded_run(&d, options);
	execution_kept(d.e, &first, &end);
	assert_int_equal(first, end);
	decoded_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_inside_call),
		cmocka_unit_test(test_beyond),
	};

	return cmocka_run_group_tests_name("trace_windows", tests, decoded_set_up,
	                                   decoded_tear_down);
}
