/* What is changed in the failing run, as a C programmer says it: see angelic_work.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "causes/angelic_work.h"
#include "causes/branch.h"
#include "causes/cause.h"
#include "describe/describe.h"

struct describing {
	struct angelic *angelic;
	VEC(uint32_t) order;                  /* targets, by their instances */
	uint32_t ended;                       /* of these: before the present */
	uint32_t begun;                       /* a point lies behind them */
	const struct code_function *function; /* where the last statement began */
	uint32_t pc;
	struct names *names;
	struct point_sites *sites;
};

static int by_instance(const void *a, const void *b, void *context)
{
	const struct angelic *all = context;
	uint32_t x = all->targets.at[*(const uint32_t *)a].instance;
	uint32_t y = all->targets.at[*(const uint32_t *)b].instance;

	return x < y ? -1 : x > y;
}

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static void set_place(struct angelic_place *out, struct walk_place place)
{
	if (out->file)
		return;
	out->file = copy(place.file);
	out->function = copy(place.function);
	out->line = place.line;
	out->column = place.column;
}

/* --- branches --- */

static void describe_branch(struct describing *d, struct execution *e,
                            struct angelic_target *target)
{
	const struct activation *a = execution_top(e, 0);
	uint32_t goes = branch_goes(e, a);
	struct branch branch;

	branch_find(d->sites, a, &branch);
	for (uint32_t i = 0; i < branch.ways; i++) {
		struct branch_words words;

		if (branch.blocks[i] == goes)
			continue;
		branch_describe(d->names, e, branch.successors[i], &words);
		*vec_push(&target->ways) =
			(struct angelic_way){.value = branch.successors[i], .to = words.other};
		free(target->changed);
		free(target->from);
		target->changed = words.condition;
		target->from = words.failing;
	}
}

/* --- stores --- */

static void print_ways(struct describing *d, struct angelic_target *target, const struct name *name)
{
	for (uint32_t i = 0; i < target->ways.size; i++)
		if (!target->ways.at[i].to)
			target->ways.at[i].to = store_print(d->names, &target->store, name,
			                                    target->ways.at[i].value);
}

static void describe_store(struct describing *d, struct execution *e, struct angelic_target *target)
{
	const struct activation *a = execution_top(e, 0);
	struct described described = {0};

	target->store = store_measure(e, a, a->pc - 1);
	describe_statement(d->names, e, false, &described);
	if (described.writes.size == 1) {
		if (!target->changed) {
			target->changed = store_name(d->names, a, &described.writes.at[0].name);
			target->from = mem_strdup(str_text(&described.writes.at[0].value));
		}
		print_ways(d, target, &described.writes.at[0].name);
	}
	described_deinit(&described);
}

/* The number of the instruction in its function: both executions are of the same program, but may have come to its
   functions in another order. */
static uint32_t pc_of(const struct describing *d, const struct angelic_target *target)
{
	const struct execution *kept = symbolic_execution(tree_symbolic(d->angelic->tree));
	uint32_t code = execution_code(kept, target->instance);

	return code - code_of(execution_code_table((struct execution *)kept), code)->first;
}

/* A parameter that was put in its place: no statement does that. The function is about to begin. */
static void describe_parameter(struct describing *d, struct execution *e,
                               struct angelic_target *target)
{
	const struct activation *a = execution_top(e, 0);
	uint32_t pc = pc_of(d, target);
	struct names_use use = {0};
	struct name name = {0};

	if (pc >= a->function->size || a->function->insns[pc].op != CODE_STORE)
		return;
	target->store = store_measure(e, a, pc);
	use.size = target->store.size;
	if (!names_find_variable(d->names, target->store.address, &use, &name))
		return;
	if (!target->changed) {
		set_place(&target->place, cause_place(d->names, a->function, a->pc));
		target->changed = mem_strdup(str_text(&name.text));
		target->from = store_print(d->names, &(struct store){0}, &name, 0);
	}
	print_ways(d, target, &name);
	name_deinit(&name);
}

/* --- the run --- */

static struct angelic_target *target_at(const struct describing *d, uint32_t i)
{
	return &d->angelic->targets.at[d->order.at[i]];
}

/* The first point behind a store. */
static void on_begin(struct describing *d, struct execution *e, uint64_t number)
{
	d->function = execution_top(e, 0)->function;
	d->pc = execution_top(e, 0)->pc;
	for (; d->begun < d->order.size && target_at(d, d->begun)->instance < execution_next(e);
	     d->begun++) {
		struct angelic_target *target = target_at(d, d->begun);

		if (!target->branch && (!target->time || target->time == number)) {
			target->time = number;
			describe_parameter(d, e, target);
		}
		target->at = number;
		if (!target->branch)
			set_place(&target->point, cause_place(d->names, d->function, d->pc));
	}
}

static void on_end(struct describing *d, struct execution *e, uint64_t number)
{
	uint32_t instance = describe_instance(e);
	struct angelic_target *target;
	const struct activation *a;

	while (d->ended < d->order.size && target_at(d, d->ended)->instance < instance)
		d->ended++;
	if (d->ended == d->order.size || target_at(d, d->ended)->instance != instance)
		return;
	target = target_at(d, d->ended);
	target->time = number;
	a = execution_top(e, 0);
	set_place(&target->place, names_place(d->names, a->function->first + a->pc - 1));
	if (!target->branch) {
		describe_store(d, e, target);
	} else if (!target->described) {
		set_place(&target->point, cause_place(d->names, d->function, d->pc));
		describe_branch(d, e, target);
	}
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS)
		on_begin(d, e, number);
	else
		names_follow(d->names);
	if (event == EXECUTION_ENDED)
		on_end(d, e, number);
	if (d->begun == d->order.size)
		walk_halt(execution_walk(e));
}

/* --- the whole --- */

static bool is_wanted(const struct angelic_target *target)
{
	for (uint32_t i = 0; i < target->ways.size; i++)
		if (!target->ways.at[i].to)
			return true;
	return !target->described;
}

struct hence_error *angelic_describe(struct angelic *a)
{
	struct describing d = {.angelic = a};
	const struct execution_options options = {
		.table = a->run->table, .begins = true, .statement = on_statement, .context = &d};
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < a->targets.size; i++)
		if (is_wanted(&a->targets.at[i]))
			*vec_push(&d.order) = i;
	if (d.order.size) {
		qsort_r(d.order.at, d.order.size, sizeof(*d.order.at), by_instance, a);
		error = point_sites_create(a->run, &d.sites);
	}
	if (!error && d.order.size)
		error = names_decode(a->run, &options, &d.names);
	for (uint32_t i = 0; i < d.order.size; i++)
		target_at(&d, i)->described = true;
	point_sites_destroy(d.sites);
	vec_deinit(&d.order);
	return error;
}
