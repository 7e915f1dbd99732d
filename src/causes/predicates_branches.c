/* The branches of a run that could go another way: see predicates_work.h. */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "causes/predicates_work.h"
#include "describe/describe.h"

#define MOST (4u << 20) /* instances that are kept */

MAP_DEFINE_U64(branch_map, uint32_t);

struct collector {
	const struct recording *run;
	const struct predicates_options *options;
	const roaring_bitmap_t *slice;
	uint64_t wrong;
	struct point_sites *sites;
	struct branch_map numbers; /* 1 + index, by the number of the instruction */
	struct branches *out;
};

/* --- what there is in the code --- */

static struct branch *branch_of(struct collector *c, const struct activation *a)
{
	uint32_t *number = branch_map_put(&c->numbers, a->function->first + a->pc - 1);

	if (!*number) {
		branch_find(c->sites, a, vec_push(&c->out->all));
		*number = c->out->all.size;
	}
	return &c->out->all.at[*number - 1];
}

/* --- what there is in the run --- */

/* Of too many, those are kept that are tried first. */
static bool make_room(struct collector *c)
{
	struct branches *out = c->out;

	if (out->instances.size < MOST)
		return true;
	out->cut = true;
	if (c->options->order == PREDICATES_FIRST)
		return false;
	out->instances.size = MOST / 2;
	memmove(out->instances.at, out->instances.at + MOST / 2,
	        MOST / 2 * sizeof(*out->instances.at));
	return true;
}

static bool is_over(const struct collector *c)
{
	return c->options->stop && c->options->stop(c->options->context);
}

/* Has a call just put out the wrong byte? */
static bool shows_failure(const struct collector *c, const struct execution *e,
                          const struct code_insn *insn)
{
	const struct outputs_stream *stream;

	if (insn->op != CODE_CALL || c->wrong == UINT64_MAX)
		return false;
	stream = outputs_stream(execution_outputs(e), 1);
	return stream && stream->size > c->wrong;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct collector *c = context;
	const struct activation *a = execution_top(e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	uint32_t instance = describe_instance(e);
	struct branch *branch;

	if (shows_failure(c, e, insn) || (!(number & 0xffff) && is_over(c)))
		walk_halt(execution_walk(e));
	if (event != EXECUTION_ENDED || (insn->op != CODE_BRANCH && insn->op != CODE_SWITCH))
		return;
	branch = branch_of(c, a);
	branch->instances++;
	if (branch->ways < 2 || !make_room(c))
		return;
	*vec_push(&c->out->instances) =
		(struct branch_instance){.time = number,
	                                 .count = branch->instances,
	                                 .branch = (uint32_t)(branch - c->out->all.at),
	                                 .block = branch_goes(e, a),
	                                 .instance = instance,
	                                 .in_slice = roaring_bitmap_contains(c->slice, instance)};
}

static struct hence_error *collect(struct collector *c)
{
	struct execution_options options = {
		.table = c->run->table, .outputs = true, .statement = on_statement, .context = c};
	const struct outputs_stream *printed;
	struct execution *e;
	struct hence_error *error = point_sites_create(c->run, &c->sites);

	if (!error)
		error = execution_create(c->run->modules, c->run->folder, c->run->tape, &options,
		                         &e);
	if (error)
		return error;
	error = execution_run(e, c->run->death);
	printed = outputs_stream(execution_outputs(e), 1);
	c->out->printed = printed ? printed->size : 0;
	execution_destroy(e);
	return error;
}

/* --- the order --- */

/* Is it the first or last instance of its branch, or 1, 2, 4, 8, ... before the last? */
static bool is_sample(const struct branches *b, const struct branch_instance *instance)
{
	uint64_t before = b->all.at[instance->branch].instances - instance->count;

	return instance->count == 1 || !(before & (before - 1));
}

static int turn_of(const struct branches *b, const struct branch_instance *instance)
{
	return 2 * !instance->in_slice + !is_sample(b, instance);
}

static int by_distance(const void *a, const void *b, void *context)
{
	const struct branches *all = context;
	const struct branch_way *v = a, *w = b;
	const struct branch_instance *x = &all->instances.at[v->instance];
	const struct branch_instance *y = &all->instances.at[w->instance];
	int turn = turn_of(all, x) - turn_of(all, y);

	if (turn)
		return turn;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return v->successor < w->successor ? -1 : v->successor > w->successor;
}

static void list_ways(struct branches *b, enum predicates_order order)
{
	for (uint32_t i = 0; i < b->instances.size; i++) {
		const struct branch_instance *instance = &b->instances.at[i];
		const struct branch *branch = &b->all.at[instance->branch];

		for (uint32_t k = 0; k < branch->ways; k++)
			if (branch->blocks[k] != instance->block)
				*vec_push(&b->ways) = (struct branch_way){i, branch->successors[k]};
	}
	if (order == PREDICATES_NEAREST && b->ways.size)
		qsort_r(b->ways.at, b->ways.size, sizeof(*b->ways.at), by_distance, b);
}

struct hence_error *branches_find(const struct recording *run, const roaring_bitmap_t *slice,
                                  uint64_t wrong, const struct predicates_options *options,
                                  struct branches *out)
{
	struct branches found = {0};
	struct collector c = {
		.run = run, .options = options, .slice = slice, .wrong = wrong, .out = &found};
	struct hence_error *error = collect(&c);

	branch_map_deinit(&c.numbers);
	point_sites_destroy(c.sites);
	if (error) {
		branches_deinit(&found);
		return error;
	}
	list_ways(&found, options->order);
	*out = found;
	return NULL;
}

void branches_deinit(struct branches *branches)
{
	vec_deinit(&branches->all);
	vec_deinit(&branches->instances);
	vec_deinit(&branches->ways);
}
