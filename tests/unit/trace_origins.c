/* Where values came from: execution_origins() on small programs, with answers worked out by hand. */
#include "trace_decoded.h"

#define MOST 64

/* What was told. */
struct told {
	struct execution_origin at[MOST];
	uint32_t count;
};

static void note(void *context, const struct execution_origin *origin)
{
	struct told *told = context;

	assert_true(told->count < MOST);
	told->at[told->count++] = *origin;
}

static struct told ask(const struct decoded *d, uint32_t instance, uint64_t from, uint64_t to)
{
	struct told told = {.count = 0};

	execution_origins(d->e, instance, from, to, note, &told);
	return told;
}

/* Takes out the origin that is this one; it must be there. */
static void take(struct told *told, struct execution_origin want)
{
	for (uint32_t i = 0; i < told->count; i++) {
		const struct execution_origin *o = &told->at[i];

		if (o->source != want.source || o->from != want.from || o->size != want.size ||
		    o->itself != want.itself || o->chosen != want.chosen ||
		    o->written != (want.written ? want.written : want.from))
			continue;
		told->at[i] = told->at[--told->count];
		return;
	}
	for (uint32_t i = 0; i < told->count; i++)
		print_message("told: source %u, from %lx, size %lu, itself %d, chosen %d\n",
		              told->at[i].source, (unsigned long)told->at[i].from,
		              (unsigned long)told->at[i].size, told->at[i].itself,
		              told->at[i].chosen);
	fail_msg("not told: source %u, from %lx, size %lu, itself %d, chosen %d", want.source,
	         (unsigned long)want.from, (unsigned long)want.size, want.itself, want.chosen);
}

static void take_operand(struct told *told, uint32_t source)
{
	take(told, (struct execution_origin){.source = source});
}

static void take_bytes(struct told *told, uint32_t source, uint64_t from, uint64_t size)
{
	take(told, (struct execution_origin){.source = source, .from = from, .size = size});
}

static void take_call(struct told *told, uint32_t call)
{
	take(told, (struct execution_origin){.source = call, .itself = true});
}

static void take_choice(struct told *told, uint32_t branch)
{
	take(told, (struct execution_origin){.source = branch, .chosen = true});
}

static void nothing_else(const struct told *told)
{
	if (told->count)
		fail_msg("also told: source %u, from %lx, size %lu", told->at[0].source,
		         (unsigned long)told->at[0].from, (unsigned long)told->at[0].size);
}

/* --- loads --- */

static const char bytes_source[] = "static int given = 5;\n"
				   "int main(int argc, char **argv)\n{\n"
				   "	union { int whole; char part[4]; } u;\n"
				   "	int never, n;\n"
				   "	char c;\n"
				   "	u.whole = 0x01020304; /*whole*/\n"
				   "	u.part[1] = 7; /*part*/\n"
				   "	n = u.whole; /*mixed*/\n"
				   "	n = n; /*plain*/\n"
				   "	n = given; /*initial*/\n"
				   "	c = argv[1][2]; /*given*/\n"
				   "	if (argc > 5)\n"
				   "		never = 1;\n"
				   "	n = never; /*undefined*/\n"
				   "	return 0;\n}\n";

static void test_mixed(void **state)
{
	struct decoded d = decoded_all(bytes_source);
	uint32_t whole = decoded_at(&d, "whole", CODE_STORE, 0);
	uint32_t part = decoded_at(&d, "part", CODE_STORE, 0);
	uint32_t load = decoded_at(&d, "mixed", CODE_LOAD, 0);
	uint64_t at = decoded_operand(&d, load, execution_insn(d.e, load)->a);
	struct told told = ask(&d, load, 0, 0);

	take_bytes(&told, whole, at, 1);
	take_bytes(&told, part, at + 1, 1);
	take_bytes(&told, whole, at + 2, 2);
	nothing_else(&told);
	told = ask(&d, load, 1, 2);
	take_bytes(&told, part, at + 1, 1);
	nothing_else(&told);
	told = ask(&d, load, 1, 4);
	take_bytes(&told, part, at + 1, 1);
	take_bytes(&told, whole, at + 2, 2);
	nothing_else(&told);
	told = ask(&d, load, 3, 4);
	take_bytes(&told, whole, at + 3, 1);
	nothing_else(&told);
	decoded_free(&d);
}

static void test_one_writer(void **state)
{
	struct decoded d = decoded_all(bytes_source);
	uint32_t load = decoded_at(&d, "plain", CODE_LOAD, 0);
	uint32_t store = decoded_at(&d, "mixed", CODE_STORE, 0);
	uint64_t at = decoded_operand(&d, load, execution_insn(d.e, load)->a);
	struct told told = ask(&d, load, 0, 0);

	take_bytes(&told, store, at, 4);
	nothing_else(&told);
	told = ask(&d, load, 1, 3);
	take_bytes(&told, store, at + 1, 2);
	nothing_else(&told);
	told = ask(&d, load, 2, 8); /* it has only 4 */
	take_bytes(&told, store, at + 2, 2);
	nothing_else(&told);
	told = ask(&d, store, 0, 0);
	take_operand(&told, decoded_at(&d, "mixed", CODE_LOAD, 0));
	nothing_else(&told);
	decoded_free(&d);
}

static void test_no_instruction(void **state)
{
	struct decoded d = decoded_all(bytes_source);
	uint32_t load = decoded_at(&d, "initial", CODE_LOAD, 0);
	struct told told = ask(&d, load, 0, 0);

	take_bytes(&told, SOURCE_INITIAL, decoded_operand(&d, load, execution_insn(d.e, load)->a),
	           4);
	nothing_else(&told);
	load = decoded_at(&d, "undefined", CODE_LOAD, 0);
	told = ask(&d, load, 0, 0);
	take_bytes(&told, SOURCE_UNDEFINED, decoded_operand(&d, load, execution_insn(d.e, load)->a),
	           4);
	nothing_else(&told);
	/* argv, argv[1], argv[1][2]: the last load's address is an index into the second's value */
	load = decoded_at(&d, "given", CODE_LOAD, 2);
	told = ask(&d, load, 0, 0);
	assert_int_equal(execution_value(d.e, load), 'r');
	take_bytes(&told, SOURCE_GIVEN, decoded_operand(&d, load, execution_insn(d.e, load)->a), 1);
	assert_int_equal(told.count, 1);
	told = ask(&d, told.at[0].source, 0, 0);
	take_operand(&told, decoded_at(&d, "given", CODE_LOAD, 1));
	nothing_else(&told);
	decoded_free(&d);
}

/* --- copies --- */

static const char copies_source[] = "#include <string.h>\n"
				    "struct pair { int x, y; long z; };\n"
				    "int main(void)\n{\n"
				    "	char a[8], b[8], *volatile to = b, *volatile from = a;\n"
				    "	struct pair p, q;\n"
				    "	*(int *)a = 0x33323130; /*low*/\n"
				    "	*(int *)(a + 4) = 0x00363534; /*high*/\n"
				    "	memcpy(b, a + 2, 4); /*copy*/\n"
				    "	memmove(a + 1, a, 5); /*move*/\n"
				    "	memset(b + 1, 9, 2); /*set*/\n"
				    "	p.x = 1; /*x*/\n"
				    "	p.y = 2; /*y*/\n"
				    "	p.z = 3; /*z*/\n"
				    "	q = p; /*assign*/\n"
				    "	strcpy(to, from); /*text*/\n"
				    "	return strlen(to) + q.y; /*length*/\n}\n";

static void test_copies(void **state)
{
	struct decoded d = decoded_all(copies_source);
	uint32_t low = decoded_at(&d, "low", CODE_STORE, 0);
	uint32_t high = decoded_at(&d, "high", CODE_STORE, 0);
	uint32_t copy = decoded_at(&d, "copy", CODE_COPY, 0);
	uint64_t to = decoded_operand(&d, copy, execution_insn(d.e, copy)->a);
	uint64_t from = decoded_operand(&d, copy, execution_insn(d.e, copy)->b);

	for (uint32_t i = 0; i < 4; i++) {
		struct told told = ask(&d, copy, to + i, to + i + 1);

		take_bytes(&told, i < 2 ? low : high, from + i, 1);
		take_operand(&told, decoded_at(&d, "copy", CODE_STEP, 2)); /* a + 2 */
		take_operand(&told, decoded_at(&d, "copy", CODE_STEP, 0)); /* b */
		nothing_else(&told);
	}
	decoded_free(&d);
}

/* Overlapping: the sources are those of before. */
static void test_moved(void **state)
{
	struct decoded d = decoded_all(copies_source);
	uint32_t move = decoded_at(&d, "move", CODE_COPY, 0);
	uint64_t to = decoded_operand(&d, move, execution_insn(d.e, move)->a);
	uint64_t from = decoded_operand(&d, move, execution_insn(d.e, move)->b);
	struct told told = ask(&d, move, to + 3, to + 5);

	take_bytes(&told, decoded_at(&d, "low", CODE_STORE, 0), from + 3, 1);
	take_bytes(&told, decoded_at(&d, "high", CODE_STORE, 0), from + 4, 1);
	told = ask(&d, move, to + 5, to + 9); /* bytes that it did not write */
	for (uint32_t i = 0; i < told.count; i++)
		assert_int_equal(told.at[i].size, 0);
	decoded_free(&d);
}

static void test_struct_copy(void **state)
{
	struct decoded d = decoded_all(copies_source);
	uint32_t copy = decoded_at(&d, "assign", CODE_COPY, 0);
	uint64_t to = decoded_operand(&d, copy, execution_insn(d.e, copy)->a);
	uint64_t from = decoded_operand(&d, copy, execution_insn(d.e, copy)->b);
	struct told told = ask(&d, copy, 0, 0);

	take_bytes(&told, decoded_at(&d, "x", CODE_STORE, 0), from, 4);
	take_bytes(&told, decoded_at(&d, "y", CODE_STORE, 0), from + 4, 4);
	take_bytes(&told, decoded_at(&d, "z", CODE_STORE, 0), from + 8, 8);
	nothing_else(&told);
	told = ask(&d, copy, to + 6, to + 10);
	take_bytes(&told, decoded_at(&d, "y", CODE_STORE, 0), from + 6, 2);
	take_bytes(&told, decoded_at(&d, "z", CODE_STORE, 0), from + 8, 2);
	nothing_else(&told);
	decoded_free(&d);
}

/* Outside functions: what they copied, byte by byte, and what the result was read from. */
static void test_outside(void **state)
{
	struct decoded d = decoded_all(copies_source);
	uint32_t call = decoded_at(&d, "text", CODE_CALL, 0);
	uint32_t length = decoded_at(&d, "length", CODE_CALL, 0);
	uint64_t to = execution_value(d.e, decoded_at(&d, "text", CODE_LOAD, 0));
	uint64_t from = execution_value(d.e, decoded_at(&d, "text", CODE_LOAD, 1));
	struct told told = ask(&d, call, to + 2, to + 3);

	take_operand(&told, decoded_at(&d, "text", CODE_LOAD, 0));
	take_operand(&told, decoded_at(&d, "text", CODE_LOAD, 1));
	take_bytes(&told, decoded_at(&d, "move", CODE_COPY, 0), from + 2, 1);
	nothing_else(&told);
	told = ask(&d, call, to + 6, to + 7);
	take_operand(&told, decoded_at(&d, "text", CODE_LOAD, 0));
	take_operand(&told, decoded_at(&d, "text", CODE_LOAD, 1));
	take_bytes(&told, decoded_at(&d, "high", CODE_STORE, 0), from + 6, 1);
	nothing_else(&told);
	told = ask(&d, length, 0, 0);
	take_operand(&told, decoded_at(&d, "length", CODE_LOAD, 0));
	take_bytes(&told, call, to, execution_value(d.e, length) + 1);
	nothing_else(&told);
	decoded_free(&d);
}

/* --- phi --- */

static const char choices_source[] = "int main(int argc, char **argv)\n{\n"
				     "	int a = 3, b = 4, n, m, k;\n"
				     "	n = argc ? a : b; /*choose*/\n"
				     "	m = argc && a < b; /*both*/\n"
				     "	k = !argc && a < b; /*first*/\n"
				     "	return n + m + k;\n}\n";

/* Some have no line. */
static uint32_t phi(const struct decoded *d, uint32_t nth)
{
	uint32_t first, end;

	execution_kept(d->e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(d->e, i)->op == CODE_PHI && nth-- == 0)
			return i;
	fail_msg("there are not so many");
	return 0;
}

static void test_phi(void **state)
{
	struct decoded d = decoded_all(choices_source);
	struct told told = ask(&d, phi(&d, 0), 0, 0);

	take_operand(&told, decoded_at(&d, "choose", CODE_LOAD, 1)); /* a */
	take_choice(&told, decoded_at(&d, "choose", CODE_BRANCH, 0));
	nothing_else(&told);
	/* the second side was evaluated: its value, and that the first let it come to that */
	told = ask(&d, phi(&d, 1), 0, 0);
	take_operand(&told, decoded_at(&d, "both", CODE_SLT, 0));
	take_choice(&told, decoded_at(&d, "both", CODE_BRANCH, 0));
	nothing_else(&told);
	/* it was not: the value is a constant */
	told = ask(&d, phi(&d, 2), 0, 0);
	take_choice(&told, decoded_at(&d, "first", CODE_BRANCH, 0));
	nothing_else(&told);
	decoded_free(&d);
}

/* --- functions --- */

static const char calls_source[] = "struct big { long a[4]; };\n"
				   "static int square(int n) /*square*/\n{\n"
				   "	return n * n; /*back*/\n}\n"
				   "static long second(struct big s)\n{\n"
				   "	return s.a[1]; /*field*/\n}\n"
				   "static struct big make(long n)\n{\n"
				   "	struct big b = {{0}};\n"
				   "	b.a[1] = n; /*made*/\n"
				   "	return b; /*result*/\n}\n"
				   "static struct big remake(long n)\n{\n"
				   "	return make(n); /*remake*/\n}\n"
				   "int main(void)\n{\n"
				   "	int m = 6, r;\n"
				   "	int (*f)(int) = square; /*pointer*/\n"
				   "	struct big b;\n"
				   "	r = square(m + 1); /*value*/\n"
				   "	r = square(5); /*constant*/\n"
				   "	r = f(m); /*indirect*/\n"
				   "	b = remake(r); /*big*/\n"
				   "	b.a[1] = 8; /*eight*/\n"
				   "	return second(b) + r; /*byvalue*/\n}\n";

static void test_returned(void **state)
{
	struct decoded d = decoded_all(calls_source);
	uint32_t call = decoded_at(&d, "value", CODE_CALL, 0);
	uint32_t back = decoded_at(&d, "back", CODE_RETURN, 0);
	struct told told = ask(&d, call, 0, 0);

	assert_int_equal(execution_value(d.e, call), 49);
	take_operand(&told, back);
	nothing_else(&told);
	told = ask(&d, back, 0, 0);
	take_operand(&told, decoded_at(&d, "back", CODE_MUL, 0));
	nothing_else(&told);
	/* through a pointer: which function it is matters, too */
	call = decoded_at(&d, "indirect", CODE_CALL, 0);
	told = ask(&d, call, 0, 0);
	take_operand(&told, decoded_at(&d, "back", CODE_RETURN, 2));
	take_operand(&told, decoded_at(&d, "indirect", CODE_LOAD, 0));
	nothing_else(&told);
	decoded_free(&d);
}

static uint32_t stored_at(const struct decoded *d, uint32_t load)
{
	return execution_source(d->e, load);
}

static void test_parameters(void **state)
{
	struct decoded d = decoded_all(calls_source);
	uint32_t store = stored_at(&d, decoded_at(&d, "back", CODE_LOAD, 0));
	struct told told = ask(&d, store, 0, 0);

	take_operand(&told, decoded_at(&d, "value", CODE_ADD, 0));
	nothing_else(&told);
	store = stored_at(&d, decoded_at(&d, "back", CODE_LOAD, 2));
	told = ask(&d, store, 0, 0);
	take_call(&told, decoded_at(&d, "constant", CODE_CALL, 0));
	nothing_else(&told);
	assert_int_equal(execution_value(d.e, store), 5);
	decoded_free(&d);
}

/* The bytes came from who wrote them, the place of the copy from the call. */
static void test_by_value(void **state)
{
	struct decoded d = decoded_all(calls_source);
	uint32_t call = decoded_at(&d, "byvalue", CODE_CALL, 0);
	uint32_t load = decoded_at(&d, "field", CODE_LOAD, 0);
	uint64_t at = decoded_operand(&d, load, execution_insn(d.e, load)->a);
	uint32_t store = decoded_at(&d, "eight", CODE_STORE, 0);
	uint64_t to = decoded_operand(&d, store, execution_insn(d.e, store)->b);
	struct told told = ask(&d, load, 0, 0);
	struct told address;

	assert_int_equal(execution_value(d.e, load), 8);
	take(&told,
	     (struct execution_origin){.source = store, .from = at, .size = 8, .written = to});
	assert_int_equal(told.count, 1);
	do {
		address = ask(&d, told.at[0].source, 0, 0);
		assert_int_equal(address.count, 1);
		told = address;
	} while (told.at[0].source > call);
	take_call(&told, call);
	decoded_free(&d);
}

/* A result in memory of the caller's caller: its place was passed on by two calls, the first of
   which is still under way and has no value. */
static void test_result_place(void **state)
{
	struct decoded d = decoded_all(calls_source);
	uint32_t store = decoded_at(&d, "made", CODE_STORE, 0);
	uint32_t address = 0;
	struct told told = ask(&d, store, 0, 0);

	for (uint32_t i = 0; i < told.count; i++)
		if (decoded_line_of(&d, told.at[i].source) == decoded_line(&d, "made") &&
		    execution_insn(d.e, told.at[i].source)->op != CODE_LOAD)
			address = told.at[i].source;
	for (;;) {
		assert_true(address);
		told = ask(&d, address, 0, 0);
		assert_int_equal(told.count, 1);
		if (told.at[0].itself)
			break;
		address = told.at[0].source;
		assert_int_not_equal(execution_insn(d.e, address)->op, CODE_CALL);
	}
	take_call(&told, decoded_at(&d, "big", CODE_CALL, 0));
	decoded_free(&d);
}

/* --- atomics --- */

static const char atomics_source[] =
	"int main(void)\n{\n"
	"	int n, want;\n"
	"	n = 4; /*before*/\n"
	"	want = 4; /*want*/\n"
	"	__atomic_compare_exchange_n(&n, &want, 9, 0, 5, 5); /*exchange*/\n"
	"	return n; /*after*/\n}\n";

static void test_atomics(void **state)
{
	struct decoded d = decoded_all(atomics_source);
	uint32_t exchange = decoded_at(&d, "exchange", CODE_ATOMIC, 0);
	uint64_t at = decoded_operand(&d, exchange, execution_insn(d.e, exchange)->a);
	struct told told = ask(&d, exchange, 0, 0);
	uint32_t load = decoded_at(&d, "after", CODE_LOAD, 0);

	take_bytes(&told, decoded_at(&d, "before", CODE_STORE, 0), at, 4);
	take_operand(&told, decoded_at(&d, "exchange", CODE_LOAD, 0)); /* want */
	for (uint32_t i = 0; i < told.count; i++)
		assert_int_equal(told.at[i].size, 0);
	told = ask(&d, load, 0, 0);
	take_bytes(&told, exchange, at, 4);
	decoded_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mixed),          cmocka_unit_test(test_one_writer),
		cmocka_unit_test(test_no_instruction), cmocka_unit_test(test_copies),
		cmocka_unit_test(test_moved),          cmocka_unit_test(test_struct_copy),
		cmocka_unit_test(test_outside),        cmocka_unit_test(test_phi),
		cmocka_unit_test(test_returned),       cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_by_value),       cmocka_unit_test(test_result_place),
		cmocka_unit_test(test_atomics),
	};

	return cmocka_run_group_tests_name("trace_origins", tests, decoded_set_up,
	                                   decoded_tear_down);
}
