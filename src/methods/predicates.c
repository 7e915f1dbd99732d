/* Critical predicates: see predicates.h. */
#include "methods/predicates.h"

#include <roaring/roaring.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "methods/attempts.h"
#include "experiment/point.h"
#include "failure/criterion.h"
#include "words/describe.h"

struct branch_instance {
	uint64_t time, count;
	uint32_t branch; /* index */
	uint32_t block;  /* that it went to; UINT32_MAX: by a value that was not defined */
	uint32_t instance;
	bool in_slice;
};

/* A way that an instance could have gone. */
struct branch_way {
	uint32_t instance; /* index */
	uint32_t successor;
};

struct branches {
	VEC(struct branch) all;
	VEC(struct branch_instance) instances;
	VEC(struct branch_way) ways; /* in the order in which they are to be tried */
	uint64_t
		printed; /* bytes on standard output, with those that were lost in stdio's buffer */
	bool cut;        /* there are more than can be kept */
};

/* ------ the branches of a run that could go another way ------ */

#define MOST (4u << 20) /* instances that are kept */

MAP_DEFINE_U64(branch_map, uint32_t);

struct collector {
	const struct recording *run;
	const struct budget *budget;
	enum predicates_order order;
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
	if (c->order == PREDICATES_FIRST)
		return false;
	out->instances.size = MOST / 2;
	memmove(out->instances.at, out->instances.at + MOST / 2,
	        MOST / 2 * sizeof(*out->instances.at));
	return true;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct collector *c = context;
	const struct activation *a = execution_top(e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	uint32_t instance = describe_instance(e);
	const struct outputs_stream *printed = NULL;
	struct branch *branch;

	if (insn->op == CODE_CALL && c->wrong != UINT64_MAX)
		printed = outputs_stream(execution_outputs(e), 1);
	/* A call has just printed the wrong byte, or the time is over. */
	if ((printed && printed->size > c->wrong) ||
	    (!(number & 0xffff) && budget_is_over(c->budget)))
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

/* Values that were never defined are not kept. */
static bool branches_on_undefined(const struct execution *whole)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(whole, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind == ERROR_UNINITIALISED_BRANCH)
			return true;
	return false;
}

/* The same of a run that is kept: a branch is the last instance of its segment. */
static void look_up(struct collector *c, struct execution *whole)
{
	uint32_t count, first, next;
	const struct execution_segment *segments = execution_segments(whole, &count);
	const struct outputs_stream *printed = outputs_stream(execution_outputs(whole), 1);
	const struct history_print *shows =
		c->wrong == UINT64_MAX ? NULL : history_print_of(c->run, c->wrong);

	execution_kept(whole, &first, &next);
	c->out->printed = shows ? shows->to : printed ? printed->size : 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t instance = (i + 1 < count ? segments[i + 1].first : next) - 1, made;
		const struct code_insn *insn = execution_insn(whole, instance);
		struct activation a = {0};
		const struct plan_block *block;
		struct branch *branch;
		uint64_t time, value;

		if ((insn->op != CODE_BRANCH && insn->op != CODE_SWITCH) ||
		    !(insn->flags & CODE_STATEMENT))
			continue;
		time = history_statement(c->run, instance);
		/* The last one may not have ended. */
		if (!time || history_end(c->run, time) != instance)
			continue;
		if (shows && time > shows->time)
			return;
		a.function = code_of(execution_code_table(whole), execution_code(whole, instance));
		a.pc = execution_code(whole, instance) - a.function->first + 1;
		a.block = code_block(a.function, a.pc - 1);
		block = &a.function->plan->blocks.at[a.block];
		branch = branch_of(c, &a);
		branch->instances++;
		if (branch->ways < 2 || !make_room(c))
			continue;
		execution_operand(whole, instance, insn->a, &value, &made);
		*vec_push(&c->out->instances) = (struct branch_instance){
			.time = time,
			.count = branch->instances,
			.branch = (uint32_t)(branch - c->out->all.at),
			.block = a.function->plan->successors
		                         .at[block->successor +
		                             plan_branch_successor(a.function->plan, a.block,
		                                                   value)],
			.instance = instance,
			.in_slice = roaring_bitmap_contains(c->slice, instance)};
	}
}

static struct hence_error *collect(struct collector *c)
{
	struct execution_options options = {
		.table = c->run->table, .outputs = true, .statement = on_statement, .context = c};
	const struct outputs_stream *printed;
	struct execution *e;
	struct hence_error *error = point_sites_create(c->run, &c->sites);

	if (!error)
		error = history_whole(c->run, &e);
	if (!error && e && !branches_on_undefined(e)) {
		look_up(c, e);
		return NULL;
	}
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

/* The slice first; of each branch first a sample: its first and last instance, and those 1, 2, 4, 8, ... before the last. */
static int turn_of(const struct branches *b, const struct branch_instance *instance)
{
	uint64_t before = b->all.at[instance->branch].instances - instance->count;
	bool sample = instance->count == 1 || !(before & (before - 1));

	return 2 * !instance->in_slice + !sample;
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

static void branches_deinit(struct branches *branches)
{
	vec_deinit(&branches->all);
	vec_deinit(&branches->instances);
	vec_deinit(&branches->ways);
}

/* Those of the run up to where byte `wrong` of standard output is printed, which nothing can mend
   after that (UINT64_MAX: all); `slice` has instances. Caller frees with branches_deinit(). */
static struct hence_error *branches_find(const struct recording *run, const roaring_bitmap_t *slice,
                                         uint64_t wrong, enum predicates_order order,
                                         const struct budget *budget, struct branches *out)
{
	struct branches found = {0};
	struct collector c = {.run = run,
	                      .order = order,
	                      .budget = budget,
	                      .slice = slice,
	                      .wrong = wrong,
	                      .out = &found};
	struct hence_error *error = collect(&c);

	branch_map_deinit(&c.numbers);
	point_sites_destroy(c.sites);
	if (error) {
		branches_deinit(&found);
		return error;
	}
	for (uint32_t i = 0; i < found.instances.size; i++) {
		const struct branch_instance *instance = &found.instances.at[i];
		const struct branch *branch = &found.all.at[instance->branch];

		for (uint32_t k = 0; k < branch->ways; k++)
			if (branch->blocks[k] != instance->block)
				*vec_push(&found.ways) =
					(struct branch_way){i, branch->successors[k]};
	}
	if (order == PREDICATES_NEAREST && found.ways.size)
		qsort_r(found.ways.at, found.ways.size, sizeof(*found.ways.at), by_distance,
		        &found);
	*out = found;
	return NULL;
}

/* ------ a critical predicate as a cause ------ */

static struct explanation_place place_of(const struct predicate *p)
{
	return (struct explanation_place){.file = mem_strdup_or_null(p->file),
	                                  .line = p->line,
	                                  .column = p->column,
	                                  .function = mem_strdup_or_null(p->function)};
}

void predicate_cause(const struct predicate *p, struct causes *out)
{
	struct explanation_step *step = vec_push(&out->steps);
	struct explanation_proof *proof;

	*step = (struct explanation_step){.kind = EXPLANATION_BRANCH,
	                                  .at = place_of(p),
	                                  .time = p->time,
	                                  .reference_time = p->time,
	                                  .instance = p->instance,
	                                  .reference_instance = p->instance,
	                                  .transition = true,
	                                  .cause = place_of(p),
	                                  .proven = true};
	*vec_push(&step->values) = (struct explanation_value){
		.name = mem_strdup(p->condition ? p->condition : "the branch"),
		.failing = mem_strdup_or_null(p->failing),
		.reference = mem_strdup_or_null(p->patched),
		.function = mem_strdup_or_null(p->function)};
	proof = cause_add_proof(step, EXPLANATION_FAILING, VERDICT_PASS);
	proof->experiment = p->experiment;
	proof->whole = true;
}

/* ------ what critical predicates are, as a C programmer says it ------ */

struct describing {
	struct predicates *predicates;
	VEC(uint32_t) order; /* of them, by time */
	uint32_t next;
	struct names *names;
};

static int by_time(const void *a, const void *b, void *context)
{
	const struct predicates *p = context;
	const struct predicate *x = &p->all.at[*(const uint32_t *)a];
	const struct predicate *y = &p->all.at[*(const uint32_t *)b];

	return x->time < y->time ? -1 : x->time > y->time;
}

static void describe(struct describing *d, struct execution *e, struct predicate *p)
{
	const struct activation *a = execution_top(e, 0);
	struct walk_place place = names_place(d->names, a->function->first + a->pc - 1);
	struct branch_words words;

	branch_describe(d->names, e, p->patch.outcome, &words);
	p->file = place.file ? mem_strdup(place.file) : NULL;
	p->function = mem_strdup(place.function);
	p->line = place.line;
	p->column = place.column;
	p->condition = words.condition;
	p->failing = words.failing;
	p->patched = words.other;
}

static void describe_branch_statement(void *context, struct execution *e,
                                      enum execution_event event, uint64_t number)
{
	struct describing *d = context;

	names_follow(d->names);
	for (; event == EXECUTION_ENDED && d->next < d->order.size; d->next++) {
		struct predicate *p = &d->predicates->all.at[d->order.at[d->next]];

		if (p->time != number)
			break;
		describe(d, e, p);
	}
	if (d->next == d->order.size)
		walk_halt(execution_walk(e));
}

/* Fills place, condition and ways of predicates. Decodes the run. */
static struct hence_error *predicates_describe(const struct recording *run,
                                               struct predicates *predicates)
{
	struct describing d = {.predicates = predicates};
	const struct execution_options options = {
		.table = run->table, .statement = describe_branch_statement, .context = &d};
	VEC(uint64_t) times = VEC_INIT;
	struct hence_error *error;

	if (!predicates->all.size)
		return NULL;
	for (uint32_t i = 0; i < predicates->all.size; i++)
		*vec_push(&d.order) = i;
	qsort_r(d.order.at, d.order.size, sizeof(*d.order.at), by_time, predicates);
	for (uint32_t i = 0; i < d.order.size; i++)
		*vec_push(&times) = predicates->all.at[d.order.at[i]].time;
	error = names_visit(run, times.at, times.size, &options, &d.names, NULL);
	vec_deinit(&times);
	vec_deinit(&d.order);
	return error;
}

bool predicate_counts(const struct predicate *predicate)
{
	return !predicate->early && !predicate->check;
}

/* ------ the whole ------ */

/* A way that was tried and made the run pass. */
struct found {
	uint32_t way; /* index */
	bool exact, early, check;
};

struct finder {
	const struct comparison *pair;
	const struct recording *run; /* the failing one, how it went, and what is wrong about it */
	const struct trial_result *result;
	const struct oracle *oracle;
	enum predicates_order order;
	uint32_t most, repeats;
	uint64_t end; /* ways up to there are tried */
	struct branches branches;
	VEC(uint32_t) above; /* of a failed check: the instances that control it, inwards first */
	uint32_t check;      /* the branch among these; 0: none */
	struct attempts attempts; /* a way each */
	struct stop force;
	VEC(struct found) found;
	uint32_t good; /* of them neither early nor the check */
	struct predicates *out;
};

static void say(const struct finder *f, const char *phase)
{
	budget_show(f->pair->budget, f->attempts.done, phase);
}

/* --- the slice --- */

/* Where the wrong output begins; its length: something is missing. */
static uint64_t wrong_byte(const struct finder *f)
{
	const struct failure *failure = &f->oracle->failure;
	uint64_t length = f->result->output.length, at = length;

	if (failure->kind == FAILURE_OUTPUT && !failure->missing)
		at = oracle_wrong_byte(f->oracle, f->result);
	return at < length ? at : length;
}

/* Follows a failed check up through calls; edges come from the last instance to the first. */
static void on_edge(void *context, const struct slice_edge *edge)
{
	struct finder *f = context;

	if (edge->control && f->above.size && f->above.at[f->above.size - 1] == edge->to)
		*vec_push(&f->above) = edge->from;
}

static bool is_over(void *context)
{
	const struct finder *f = context;

	return budget_is_over(f->pair->budget);
}

static struct hence_error *find_branches(struct finder *f)
{
	struct slice_options options = {.relevant = true, .stop = is_over, .context = f};
	struct criterion criterion = {0};
	struct slice slice = {0};
	uint64_t wrong = wrong_byte(f);
	struct hence_error *error;

	say(f, "slicing the failing run");
	error = criterion_of_result(f->run, f->oracle, f->result, &f->result->outcome, &criterion);
	/* Only the user's test knows what is wrong: all of the output may be. */
	if (!error && criterion.kind == CRITERION_NONE) {
		criterion_deinit(&criterion);
		error = criterion_of_wrong_output(f->run, &f->result->output,
		                                  f->result->output.length, 0, &criterion);
	}
	if (!error && criterion.at.size &&
	    (criterion.kind == CRITERION_ABORT || criterion.kind == CRITERION_ASSERT)) {
		*vec_push(&f->above) = criterion.at.at[0].instance;
		options.edge = on_edge;
	}
	if (!error)
		error = slice_backward(f->run, criterion.at.at, criterion.at.size, &options,
		                       &slice);
	if (!error)
		error = branches_find(f->run, slice.instances,
		                      wrong < f->result->output.length ? wrong : UINT64_MAX,
		                      f->order, f->pair->budget, &f->branches);
	if (!error) {
		/* The innermost branch that controls the call of abort(): the last instance that is
		   in both lists, which are in order. */
		uint32_t i = f->branches.instances.size, k = 1;

		while (i && k < f->above.size && !f->check) {
			uint32_t instance = f->branches.instances.at[i - 1].instance;

			if (instance == f->above.at[k])
				f->check = instance;
			else if (instance > f->above.at[k])
				i--;
			else
				k++;
		}
	}
	if (slice.instances)
		slice_deinit(&slice);
	criterion_deinit(&criterion);
	return error;
}

/* --- the runs --- */

static const struct branch_instance *instance_of(const struct finder *f, uint64_t way)
{
	return &f->branches.instances.at[f->branches.ways.at[way].instance];
}

static bool is_good(const struct found *found)
{
	return !found->early && !found->check;
}

static bool has_enough(const struct finder *f)
{
	return f->most && f->good >= f->most;
}

static bool next_way(void *context, uint64_t way, struct experiment *out)
{
	struct finder *f = context;
	const struct branch_instance *instance;

	if (way == f->end || has_enough(f))
		return false;
	instance = instance_of(f, way);
	f->force = (struct stop){.site = f->branches.all.at[instance->branch].site,
	                         .count = instance->count,
	                         .force = FORCE_BRANCH,
	                         .outcome = f->branches.ways.at[way].successor};
	*out = (struct experiment){
		.time = instance->time, .stops = &f->force, .stop_count = 1, .once = true};
	return true;
}

static void on_end(void *context, uint64_t way, const struct attempt_end *end)
{
	struct finder *f = context;
	const struct oracle_options *oracle = f->oracle->options;
	struct found found = {.way = (uint32_t)way, .exact = end->exact, .early = end->early};

	if (end->verdict != VERDICT_PASS)
		return;
	if (!oracle->expected && !oracle->test)
		found.check = f->check && instance_of(f, way)->instance == f->check;
	f->good += is_good(&found);
	*vec_push(&f->found) = found;
}

static void tell(void *context)
{
	say(context, "switching branches");
}

/* --- the result --- */

static int by_way(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	return x->way < y->way ? -1 : x->way > y->way;
}

static void add(struct finder *f, const struct found *found)
{
	const struct branch_instance *instance = instance_of(f, found->way);
	const struct branch *branch = &f->branches.all.at[instance->branch];

	*vec_push(&f->out->all) =
		(struct predicate){.patch = {.site = branch->site,
	                                     .count = instance->count,
	                                     .time = instance->time,
	                                     .outcome = f->branches.ways.at[found->way].successor},
	                           .time = instance->time,
	                           .experiment = found->way + 1,
	                           .instance = instance->count,
	                           .instances = branch->instances,
	                           .in_slice = instance->in_slice,
	                           .exact = found->exact,
	                           .early = found->early,
	                           .check = found->check};
}

/* --- the whole --- */

struct hence_error *predicates_find(const struct comparison *pair, enum predicates_order order,
                                    uint32_t most, uint32_t repeats, struct predicates *out)
{
	struct predicates found = {0};
	struct finder f = {.pair = pair,
	                   .run = pair->runs[true].recording,
	                   .result = pair->runs[true].result,
	                   .oracle = pair->oracle,
	                   .order = order,
	                   .most = most,
	                   .repeats = repeats,
	                   .attempts = {.pair = pair,
	                                .next = next_way,
	                                .ended = on_end,
	                                .tell = tell,
	                                .context = &f},
	                   .out = &found};
	struct hence_error *error = attempts_open(&f.attempts);

	if (!error && !f.attempts.stopped)
		error = find_branches(&f);
	if (!error && !f.attempts.stopped) {
		uint64_t samples = 0;

		f.end = f.branches.ways.size;
		if (order == PREDICATES_NEAREST) {
			while (samples < f.end && !turn_of(&f.branches, instance_of(&f, samples)))
				samples++;
			if (f.end - samples > f.repeats)
				f.end = samples + f.repeats;
		}
		f.attempts.printed = f.branches.printed;
		error = attempts_run(&f.attempts);
	}
	found.stopped = f.attempts.stopped;
	if (!error) {
		/* Keeps what was found until there was enough. Ways that were still being tried
		   then do not count, so that the result is independent of the number of workers. */
		uint32_t count = 0, good = 0;

		if (f.found.size)
			qsort(f.found.at, f.found.size, sizeof(*f.found.at), by_way);
		while (count < f.found.size && (!f.most || good < f.most))
			good += is_good(&f.found.at[count++]);
		found.experiments = f.attempts.done;
		if (has_enough(&f))
			found.experiments = f.found.at[count - 1].way + 1;
		for (int last = 0; last < 2; last++)
			for (uint32_t i = 0; i < count; i++)
				if (is_good(&f.found.at[i]) != last)
					add(&f, &f.found.at[i]);

		found.branches = f.branches.instances.size;
		found.ways = f.branches.ways.size;
		if (f.branches.cut)
			*vec_push(&found.notes) = str_format(
				"the run has more branches than can be kept: only the %s are tried",
				f.order == PREDICATES_FIRST ? "first" : "last");
		if (f.attempts.diverged)
			*vec_push(&found.notes) = str_format(
				"%llu of %llu runs did not come to the branch that was to be "
				"switched; %s",
				(unsigned long long)f.attempts.diverged,
				(unsigned long long)f.attempts.done,
				f.attempts.tests
					? "the test must run the program as it is given it, "
					  "with its open files"
					: "what the program does must depend on its input only");

		error = predicates_describe(f.run, &found);
	}
	attempts_close(&f.attempts);
	branches_deinit(&f.branches);
	vec_deinit(&f.above);
	vec_deinit(&f.found);
	if (error)
		predicates_deinit(&found);
	else
		*out = found;
	return error;
}

void predicates_deinit(struct predicates *predicates)
{
	for (uint32_t i = 0; i < predicates->all.size; i++) {
		struct predicate *p = &predicates->all.at[i];

		free(p->file);
		free(p->function);
		free(p->condition);
		free(p->failing);
		free(p->patched);
	}
	vec_deinit(&predicates->all);
	for (uint32_t i = 0; i < predicates->notes.size; i++)
		free(predicates->notes.at[i]);
	vec_deinit(&predicates->notes);
}
