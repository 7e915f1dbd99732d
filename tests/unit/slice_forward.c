/*
 * Forward slices against an independent way to find them: all instances are looked at again and again
 * until nothing more is reached. It shares no code with src/slice.
 */
#include "slice_run.h"

#include "slice_programs.h"

#define MOST 20000u /* instances that the slow way is tried on */

/* --- the slow way --- */

MAP_DEFINE_U64(byte_set, bool);

struct reach {
	const struct execution *e;
	bool control;
	uint32_t first, end;
	uint8_t *in, *value, *executed, *whole; /* by instance; executed: of calls */
	struct byte_set bytes;                  /* that instances wrote: a hash of both */
	uint32_t current;
	bool found, all, changed;
};

static uint64_t key(uint32_t instance, uint64_t at)
{
	return (uint64_t)instance << 32 ^ at;
}

static bool is_call(const struct reach *r, uint32_t instance)
{
	return execution_insn(r->e, instance)->op == CODE_CALL;
}

static bool is_copy(const struct reach *r, uint32_t instance)
{
	uint8_t op = execution_insn(r->e, instance)->op;

	return op == CODE_COPY || op == CODE_VA_COPY ||
	       (op == CODE_CALL && execution_source(r->e, instance) & EXECUTION_GROUP);
}

static bool byte_is_reached(struct reach *r, uint32_t source, uint64_t at)
{
	if (source < EXECUTION_FIRST)
		return false;
	if (!is_copy(r, source))
		return r->value[source];
	return r->whole[source] || byte_set_find(&r->bytes, key(source, at));
}

static bool any_byte(struct reach *r, uint32_t source)
{
	if (source < EXECUTION_FIRST)
		return false;
	return r->in[source];
}

static bool branch_is_reached(const struct reach *r, uint32_t branch)
{
	return is_call(r, branch) ? r->executed[branch] : r->value[branch];
}

static void reach_bytes(struct reach *r, const struct execution_origin *o)
{
	for (uint64_t i = 0; i < o->size; i++) {
		bool reached = o->written ? byte_is_reached(r, o->source, o->written + i)
		                          : any_byte(r, o->source);

		if (!reached)
			continue;
		r->found = true;
		if (!o->to || !is_copy(r, r->current)) {
			r->all = true;
		} else if (!byte_set_find(&r->bytes, key(r->current, o->to + i))) {
			*byte_set_put(&r->bytes, key(r->current, o->to + i)) = true;
			r->changed = true;
		}
	}
}

static void reach_origin(void *context, const struct execution_origin *o)
{
	struct reach *r = context;
	bool reached = false;

	if (o->source < EXECUTION_FIRST)
		return;
	if (o->chosen)
		reached = r->control && branch_is_reached(r, o->source);
	else if (o->itself)
		reached = r->executed[o->source];
	else if (o->size)
		reach_bytes(r, o);
	else
		reached = r->value[o->source];
	r->found |= reached;
	r->all |= reached;
}

static void set(struct reach *r, uint8_t *bit)
{
	r->changed |= !*bit;
	*bit = 1;
}

static bool callee_is_reached(const struct reach *r, uint32_t i)
{
	const struct code_call *call = execution_insn(r->e, i)->more;
	uint64_t value;
	uint32_t made;

	return call->callee != CODE_NO_OPERAND &&
	       execution_operand(r->e, i, call->callee, &value, &made) && made && r->value[made];
}

static void look_at(struct reach *r, uint32_t i)
{
	uint32_t parent = execution_segment(r->e, i)->parent;
	bool controlled = r->control && parent && branch_is_reached(r, parent);

	if (is_call(r, i)) {
		controlled |= r->control && callee_is_reached(r, i);
		if (controlled)
			set(r, &r->executed[i]);
	}
	r->current = i;
	r->found = r->all = controlled;
	execution_origins(r->e, i, 0, 0, reach_origin, r);
	if (!r->found)
		return;
	set(r, &r->in[i]);
	if (r->all && is_copy(r, i))
		set(r, &r->whole[i]);
	if (!is_copy(r, i) || is_call(r, i))
		set(r, &r->value[i]);
}

static void reach_all(struct reach *r, const struct execution *e, uint32_t from, bool control)
{
	*r = (struct reach){.e = e, .control = control};
	execution_kept(e, &r->first, &r->end);
	r->in = mem_alloc(r->end);
	r->value = mem_alloc(r->end);
	r->executed = mem_alloc(r->end);
	r->whole = mem_alloc(r->end);
	r->in[from] = r->value[from] = r->whole[from] = 1;
	do {
		r->changed = false;
		for (uint32_t i = r->first; i < r->end; i++)
			look_at(r, i);
	} while (r->changed);
}

static void reach_free(struct reach *r)
{
	free(r->in);
	free(r->value);
	free(r->executed);
	free(r->whole);
	byte_set_deinit(&r->bytes);
}

/* --- comparing --- */

static uint32_t total_wrong;

static void from(struct decoded *d, const struct execution *e, uint32_t instance, bool data_only,
                 uint32_t size)
{
	struct slice_criterion criterion = {.instance = instance};
	struct slice_options options = {.data_only = data_only};
	struct slice slice;
	struct reach r;

	reach_all(&r, e, instance, !data_only);
	for (uint32_t k = 0; k < 2; k++) {
		struct recording run = slice_run_of(d, k ? size * 16 : 0);
		struct naive n = {.e = e, .first = r.first, .end = r.end, .in = r.in};
		char *what = str_format("from %u, %u instances%s", instance, k ? size : 0,
		                        data_only ? ", data" : "");

		slice_must(slice_forward(&run, &criterion, 1, NULL, 0, &options, &slice));
		total_wrong += naive_compare(&n, d, slice.instances, what, true);
		if (k && 4 * size < r.end)
			assert_true(slice.windows > 1);
		slice_deinit(&slice);
		free(what);
	}
	reach_free(&r);
}

static void check_program(const char *source)
{
	struct decoded d = decoded_record(source);
	struct execution *e = slice_whole(&d, 0);
	uint32_t first, end;

	execution_kept(e, &first, &end);
	print_message("%u instances\n", end - first);
	for (uint32_t k = 0; k < 9; k++)
		from(&d, e, first + (end - first) / 11 * k + k, k == 3 || k == 5, 37 + 40 * k);
	decoded_free(&d);
}

/* Larger programs: less of each; of those that the slow way cannot do, nothing. */
static void check_case(const char *source)
{
	struct decoded d = decoded_record(source);
	struct execution *e = slice_whole(&d, 0);
	uint32_t first, end;

	execution_kept(e, &first, &end);
	print_message("%u instances\n", end - first);
	if (end - first < MOST) {
		from(&d, e, first + (end - first) / 9, false, (end - first) / 7);
		from(&d, e, first + (end - first) / 3, true, (end - first) / 30);
	}
	decoded_free(&d);
}

static void test_programs(void **state)
{
	total_wrong = 0;
	for (uint32_t i = 0; i < SLICE_PROGRAMS; i++) {
		uint32_t before = total_wrong;

		check_program(slice_programs[i]);
		if (total_wrong > before)
			print_message("... in program %u\n", i);
	}
	assert_int_equal(total_wrong, 0);
}

static void test_cases(void **state)
{
	total_wrong = 0;
	for (uint32_t i = 0; i < SLICE_CASES; i++) {
		uint32_t before = total_wrong;
		char *source = slice_case(slice_cases[i]);

		check_case(source);
		free(source);
		if (total_wrong > before)
			print_message("... in %s\n", slice_cases[i]);
	}
	assert_int_equal(total_wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_cases),
	};

	return cmocka_run_group_tests_name("slice_forward", tests, decoded_set_up,
	                                   decoded_tear_down);
}
