/*
 * Walks backwards through execution_origins() from the last value that a program prints: the
 * statements on the way must be exactly those that a person finds.
 */
#include "trace_decoded.h"

/* Bytes of what an instance wrote that matter; `to` 0: its value. */
struct visit {
	uint32_t instance;
	uint64_t from, to;
};

struct closure {
	const struct decoded *d;
	VEC(struct visit) visits; /* all, in the order in which they were found */
	VEC(uint32_t) alone;      /* instances that count, but nothing before them */
};

/* A statement that must be there, and how often it was executed to the effect. */
struct expected {
	const char *name;
	uint32_t count;
};

static void visit(struct closure *c, uint32_t instance, uint64_t from, uint64_t to)
{
	struct visit v = {instance, from, to};

	if (instance < EXECUTION_FIRST)
		return;
	for (uint32_t i = 0; i < c->visits.size; i++)
		if (!memcmp(&c->visits.at[i], &v, sizeof(v)))
			return;
	*vec_push(&c->visits) = v;
}

/* Does it write what it read from elsewhere, byte by byte? */
static bool copies(const struct closure *c, uint32_t instance)
{
	uint8_t op = execution_insn(c->d->e, instance)->op;

	return op == CODE_COPY || op == CODE_VA_COPY || op == CODE_CALL;
}

static void follow(void *context, const struct execution_origin *origin)
{
	struct closure *c = context;

	if (origin->chosen || origin->source < EXECUTION_FIRST)
		return;
	if (origin->itself)
		*vec_push(&c->alone) = origin->source;
	else if (origin->size && origin->written && copies(c, origin->source))
		visit(c, origin->source, origin->written, origin->written + origin->size);
	else
		visit(c, origin->source, 0, 0);
}

static bool is_reached(const struct closure *c, uint32_t instance)
{
	for (uint32_t i = 0; i < c->visits.size; i++)
		if (c->visits.at[i].instance == instance)
			return true;
	for (uint32_t i = 0; i < c->alone.size; i++)
		if (c->alone.at[i] == instance)
			return true;
	return false;
}

/* Reached statements on a line. */
static uint32_t count_on(const struct closure *c, uint32_t line)
{
	uint32_t count = 0, first, end;

	execution_kept(c->d->e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(c->d->e, i)->flags & CODE_STATEMENT &&
		    decoded_line_of(c->d, i) == line)
			count += is_reached(c, i);
	return count;
}

static uint32_t lines_of(const char *text)
{
	uint32_t lines = 1;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* The value printed at `print`, which is argument 1 of printf(). */
static void expect(const char *source, uint64_t value, const struct expected *expected)
{
	struct decoded d = decoded_all(source);
	struct closure c = {.d = &d};
	uint32_t print = decoded_at(&d, "print", CODE_CALL, 0), made;
	const struct code_call *call = execution_insn(d.e, print)->more;
	uint64_t printed;

	assert_true(execution_operand(d.e, print, call->arguments[1].operand, &printed, &made));
	assert_int_equal(printed, value);
	visit(&c, made, 0, 0);
	for (uint32_t i = 0; i < c.visits.size; i++) {
		struct visit v = c.visits.at[i];

		execution_origins(d.e, v.instance, v.from, v.to, follow, &c);
	}
	for (uint32_t line = 1; line <= lines_of(source); line++) {
		const struct expected *x = expected;

		while (x->name && decoded_line(&d, x->name) != line)
			x++;
		if (count_on(&c, line) != x->count)
			fail_msg("line %u (%s): %u statements, not %u", line,
			         x->name ? x->name : "of no effect", count_on(&c, line), x->count);
	}
	vec_deinit(&c.visits);
	vec_deinit(&c.alone);
	decoded_free(&d);
}

/* --- programs --- */

static const char straight[] = "#include <stdio.h>\n"
			       "int main(void)\n{\n"
			       "	int a, b, c, d, e;\n"
			       "	a = 3; /*a*/\n"
			       "	b = 4; /*b*/\n"
			       "	c = a * 2; /*c*/\n"
			       "	d = b + c; /*d*/\n"
			       "	a = d; /*again*/\n"
			       "	e = c + 1; /*e*/\n"
			       "	d = e + a; /*late*/\n"
			       "	printf(\"%d\\n\", e); /*print*/\n"
			       "	return d;\n}\n";

static void test_straight(void **state)
{
	static const struct expected expected[] = {{"a", 1}, {"c", 1}, {"e", 1}, {0}};

	expect(straight, 7, expected);
}

/* a[3] = a[2] + 3 + 0: the loop's variable was 1, 2 and 3 on the way; others of the array's elements
   do not matter but for those that were added. */
static const char loop[] = "#include <stdio.h>\n"
			   "int main(void)\n{\n"
			   "	int a[6], other = 5;\n"
			   "	a[0] = 10; /*zero*/\n"
			   "	a[5] = other; /*five*/\n"
			   "	for (int i = 1; /*begin*/\n"
			   "	     i < 5; /*test*/\n"
			   "	     i++) /*step*/\n"
			   "		a[i] = a[i - 1] + i; /*add*/\n"
			   "	printf(\"%d\\n\", a[3]); /*print*/\n"
			   "	return 0;\n}\n";

static void test_loop(void **state)
{
	static const struct expected expected[] = {
		{"zero", 1}, {"begin", 1}, {"step", 2}, {"add", 3}, {0}};

	expect(loop, 16, expected);
}

/* to.y came from from.y by way of q, a parameter, a result in memory and memcpy(); what else is in
   the structures does not matter, nor does what the function returns but puts into x. `m` is passed
   as a parameter that only x depends on. */
static const char structs[] = "#include <stdio.h>\n#include <string.h>\n"
			      "struct s { int x, y; long z[3]; };\n"
			      "static struct s swap(struct s p, int m)\n{\n"
			      "	struct s r;\n"
			      "	r.x = p.y + m; /*x*/\n"
			      "	r.y = p.x * 2; /*y*/\n"
			      "	r.z[0] = 0; /*zero*/\n"
			      "	return r;\n}\n"
			      "int main(void)\n{\n"
			      "	struct s from, q, t, to;\n"
			      "	char raw[sizeof(to)];\n"
			      "	int m = 100; /*m*/\n"
			      "	from.x = 21; /*twenty-one*/\n"
			      "	from.y = 9; /*nine*/\n"
			      "	q = from; /*assign*/\n"
			      "	q.y = 3; /*three*/\n"
			      "	t = swap(q, m); /*call*/\n"
			      "	memcpy(raw, &t, sizeof(t)); /*out*/\n"
			      "	raw[0] = 7; /*byte*/\n"
			      "	memcpy(&to, raw, sizeof(to)); /*in*/\n"
			      "	printf(\"%d\\n\", to.y); /*print*/\n"
			      "	return to.x;\n}\n";

/* The call is there since it says where the copy of q and the result lie; then the result is copied
   to t. */
static void test_structs(void **state)
{
	static const struct expected expected[] = {
		{"twenty-one", 1}, {"assign", 1}, {"y", 1}, {"call", 2},
		{"out", 1},        {"in", 1},     {0}};

	expect(structs, 42, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_structs),
	};

	return cmocka_run_group_tests_name("trace_closure", tests, decoded_set_up,
	                                   decoded_tear_down);
}
