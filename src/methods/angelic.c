/* Is a node of the cause tree really a cause? See angelic.h. */
#include "methods/angelic.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/guard.h"
#include "base/map.h"
#include "base/mem.h"
#include "methods/attempts.h"
#include "methods/cause.h"
#include "methods/replacement.h"
#include "words/describe.h"
#include "model/ir.h"

MAP_DEFINE_U64(angelic_map, uint32_t);

/* Another way of a branch, or another value of a store. */
struct angelic_way {
	uint64_t value;   /* the successor, or what is stored */
	char *to;         /* as C; NULL: not described yet */
	uint32_t attempt; /* 1 + number; 0: not tried */
};

/* An instance that can be changed: a branch or switch, or a store of up to 8 bytes. */
struct angelic_target {
	uint32_t instance;
	bool branch;
	bool described;
	uint64_t time; /* of its statement; 0: it was not found */
	uint64_t at;   /* a store: the first point after it; 0: there is none */
	struct store store;
	char *changed, *from;
	struct explanation_place place, point; /* of the statement, and of where it is changed */
	VEC(struct angelic_way) ways;
};

/* A change that is to be tried for a node: of a branch all ways, of a store one value. */
struct angelic_use {
	uint32_t node, target;
	uint64_t value;
};

struct angelic_attempt {
	uint32_t target, way;
	struct point at;     /* where it is changed */
	uint64_t occurrence; /* of the statement */
	bool ended;
	struct attempt_end end;
};

struct angelic {
	const struct recording *run;
	const struct angelic_options *options;
	struct tree *tree;
	uint64_t before;            /* experiments of earlier checks */
	bool values;                /* can be changed: the user's test allows branches only */
	struct angelic_map numbers; /* 1 + index of the target, by its instance */
	VEC(struct angelic_target) targets;
	VEC(struct angelic_use) uses; /* of the nodes that are tried now, in order */
	VEC(struct angelic_attempt) all;
	struct solver *solver; /* with a small budget: there are many questions */
	double answer_by;      /* CLOCK_MONOTONIC: when it has to answer */
	struct refute_cache *cache;
	struct attempts attempts;
	bool has_check; /* the program failed a check of its own, at: */
	struct site check;
	struct replacement replacement; /* of the attempt that begins */
};

/* ------ what can be tried for a node of the cause tree ------ */

#define ALL      30u /* executions of a branch that are all tried */
#define STORES   40u /* of a node, the nearest to its condition */
#define FIRST    16u /* for these the solver is called, for the failure itself */
#define SOLVED   4u  /* the same for other nodes */
#define UNKNOWN  6u  /* questions that it could not answer: then it is not asked any more */
#define VALUES   3u  /* of a store */
#define PATIENCE 1.0 /* seconds for all of these questions */
#define QUESTION 0.3 /* for one */

/* --- what is to be changed --- */

static void use(struct angelic *a, uint32_t node, uint32_t instance, bool branch, uint64_t value)
{
	uint32_t *number = angelic_map_put(&a->numbers, instance), way = 0;
	struct angelic_target *target;

	if (!*number) {
		target = vec_push(&a->targets);
		target->instance = instance;
		target->branch = branch;
		*number = a->targets.size;
	}
	target = &a->targets.at[*number - 1];
	while (way < target->ways.size && target->ways.at[way].value != value)
		way++;
	if (!branch && way == target->ways.size)
		vec_push(&target->ways)->value = value;
	*vec_push(&a->uses) = (struct angelic_use){node, *number - 1, value};
}

/* --- branches --- */

static const struct code_insn *insn_of(const struct angelic *a, uint32_t instance)
{
	return execution_insn(symbolic_execution(tree_symbolic(a->tree)), instance);
}

static bool is_branch(const struct angelic *a, uint32_t instance)
{
	uint8_t op = insn_of(a, instance)->op;

	return op == CODE_BRANCH || op == CODE_SWITCH;
}

/* Of a few all; of many the last, the first, and those 1, 2, 4, 8, ... before the last: others are
   much like them. */
static void plan_branches(struct angelic *a, uint32_t number)
{
	const struct tree_node *node = &a->tree->nodes.at[number];
	uint32_t count = node->conditions.size;

	if (!is_branch(a, node->condition))
		return;
	use(a, number, node->condition, true, 0);
	for (uint32_t i = 1; i<count; i = count> ALL ? 2 * i : i + 1)
		use(a, number, node->conditions.at[i], true, 0);
	if (count > ALL)
		use(a, number, node->conditions.at[count - 1], true, 0);
}

/* --- values --- */

/* Claims that hold if the condition comes out otherwise: of a switch, one for each other way. */
struct claims {
	term at[BRANCH_WAYS];
	uint32_t count;
};

static bool held(struct symbolic *symbolic, term claim)
{
	return term_evaluate(symbolic_terms(symbolic), claim, symbolic_actual, symbolic) & 1;
}

/* Does an earlier successor lead to the same block? The default comes last. */
static bool is_again(LLVMValueRef instruction, unsigned successor)
{
	LLVMBasicBlockRef block = LLVMGetSuccessor(instruction, successor);
	unsigned end = successor ? successor : LLVMGetNumSuccessors(instruction);

	for (unsigned i = 1; i < end; i++)
		if (LLVMGetSuccessor(instruction, i) == block)
			return true;
	return false;
}

/* A pointer that the solver makes up points nowhere; only NULL makes sense. */
static bool is_sensible(const struct angelic *a, uint32_t store, uint64_t value)
{
	LLVMValueRef instruction =
		execution_instruction(symbolic_execution(tree_symbolic(a->tree)), store);
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));

	return !value || LLVMGetTypeKind(type) != LLVMPointerTypeKind;
}

/* What can be stored instead, for all claims. */
struct proposals {
	uint32_t store, count;
	uint64_t at[(1 + VALUES) * BRANCH_WAYS];
};

/* Does the solver take too long? */
static bool angelic_is_late(void *context)
{
	const struct angelic *a = context;

	return budget_is_over(a->attempts.pair->budget) || budget_clock() > a->answer_by;
}

/* The solver is only asked for what is not easy to find: there are many questions. */
static uint32_t ask(struct angelic *a, const struct refute_question *question, uint32_t store,
                    bool solve, uint64_t *values, uint32_t room)
{
	struct symbolic *symbolic = tree_symbolic(a->tree);
	uint32_t count = refute_propose(symbolic, NULL, question, store, values, room);

	struct solver_counts counts = solver_counts(a->solver);

	if (count || !solve || counts.unknown >= UNKNOWN || counts.seconds > PATIENCE)
		return count;
	a->answer_by = budget_clock() + QUESTION;
	return refute_propose(symbolic, a->solver, question, store, values, 1);
}

/*
 * What the claim compares was copied in ways that have no formula (a function of a library): a
 * store of the very value that is wrong is worth a try with the one that would be right.
 */
static uint32_t guess(const struct angelic *a, term claim, uint32_t store, uint64_t *value)
{
	struct symbolic *symbolic = tree_symbolic(a->tree);
	struct terms *terms = symbolic_terms(symbolic);
	const struct term_node *node = term_at(terms, claim);
	const struct execution *e = symbolic_execution(symbolic);
	const struct code_insn *insn = execution_insn(e, store);
	uint64_t right, wrong, stored;
	uint32_t made;

	if (node->op != TERM_EQ || !execution_operand(e, store, insn->a, &stored, &made))
		return 0;
	if (term_is_constant(terms, node->b, &right))
		wrong = term_evaluate(terms, node->a, symbolic_actual, symbolic);
	else if (term_is_constant(terms, node->a, &right))
		wrong = term_evaluate(terms, node->b, symbolic_actual, symbolic);
	else
		return 0;
	*value = right;
	return stored == wrong && insn->bytes * 8 >= term_at(terms, node->a)->bits;
}

static void propose(struct angelic *a, const struct tree_node *node, const struct claims *claims,
                    bool solve, struct proposals *out)
{
	struct refute_question question = {.before = node->condition + 1, .cache = a->cache};
	uint64_t values[1 + VALUES];

	for (uint32_t i = 0; i < claims->count; i++) {
		uint32_t count = guess(a, claims->at[i], out->store, values);

		question.claim = claims->at[i];
		count += ask(a, &question, out->store, solve, values + count,
		             claims->count > 1 ? 1 : VALUES);
		for (uint32_t k = 0; k < count; k++)
			if (is_sensible(a, out->store, values[k]))
				out->at[out->count++] = values[k];
	}
}

/* --- which stores --- */

static int later(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

struct stores {
	VEC(uint32_t) all;
};

static bool has_code(const struct angelic *a, const struct stores *stores, uint32_t instance)
{
	const struct execution *e = symbolic_execution(tree_symbolic(a->tree));

	for (uint32_t i = 0; i < stores->all.size; i++)
		if (execution_code(e, stores->all.at[i]) == execution_code(e, instance))
			return true;
	return false;
}

/* All stores have their turn before a second value of one. */
static void plan_values(struct angelic *a, uint32_t number)
{
	const struct tree_node *node = &a->tree->nodes.at[number];
	VEC(struct proposals) all = VEC_INIT;
	struct stores stores = {VEC_INIT};
	struct claims claims;

	struct symbolic *symbolic = tree_symbolic(a->tree);
	LLVMValueRef instruction =
		execution_instruction(symbolic_execution(symbolic), node->condition);
	unsigned ways;

	claims = (struct claims){.at = {node->claim}, .count = node->claim != 0};
	if (insn_of(a, node->condition)->op == CODE_SWITCH) {
		ways = LLVMGetNumSuccessors(instruction);
		claims.count = 0;
		for (unsigned i = 1; i <= ways && claims.count < BRANCH_WAYS; i++) {
			term claim = is_again(instruction, i % ways)
			                     ? 0
			                     : symbolic_branch(symbolic, node->condition, i % ways);

			if (claim && !held(symbolic, claim))
				claims.at[claims.count++] = claim;
		}
	}
	if (claims.count) {
		/* The nearest first, but of each statement the last execution before others: in a
		   loop they are much alike. */
		struct stores again = {VEC_INIT};
		VEC(uint32_t) cause = VEC_INIT;

		for (uint32_t i = 0; i < node->cause.size; i++) {
			const struct code_insn *insn = insn_of(a, node->cause.at[i]);

			if (insn->op == CODE_STORE && insn->bytes <= 8)
				*vec_push(&cause) = node->cause.at[i];
		}
		if (cause.size)
			qsort(cause.at, cause.size, sizeof(*cause.at), later);
		for (uint32_t i = 0; i < cause.size; i++)
			*vec_push(has_code(a, &stores, cause.at[i]) ? &again.all : &stores.all) =
				cause.at[i];
		for (uint32_t i = 0; i < again.all.size; i++)
			*vec_push(&stores.all) = again.all.at[i];
		vec_deinit(&again.all);
		vec_deinit(&cause);
	}
	for (uint32_t i = 0;
	     i < stores.all.size && i < STORES && !budget_is_over(a->attempts.pair->budget); i++) {
		struct proposals *proposals = vec_push(&all);

		proposals->store = stores.all.at[i];
		propose(a, node, &claims, i < (number ? SOLVED : FIRST), proposals);
	}
	for (uint32_t k = 0; k < (1 + VALUES) * BRANCH_WAYS; k++)
		for (uint32_t i = 0; i < all.size; i++)
			if (k < all.at[i].count)
				use(a, number, all.at[i].store, false, all.at[i].at[k]);
	vec_deinit(&stores.all);
	vec_deinit(&all);
}

/* ------ what is changed in the failing run, as a C programmer says it ------ */

struct describing {
	struct angelic *angelic;
	VEC(uint32_t) order;                  /* targets, by their instances */
	uint32_t ended;                       /* of these: before the present */
	uint32_t begun;                       /* a point lies after them */
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

static void set_place(struct explanation_place *out, struct walk_place place)
{
	if (out->file)
		return;
	*out = (struct explanation_place){.file = mem_strdup_or_null(place.file),
	                                  .function = mem_strdup_or_null(place.function),
	                                  .line = place.line,
	                                  .column = place.column};
}

/* Names what the ways of a store that have no name yet would be. */
static void describe_store(struct describing *d, struct angelic_target *target,
                           struct replacement_store *store)
{
	target->store = store->store;
	if (!target->changed) {
		target->changed = GUARD_STEAL(store->changed);
		target->from = GUARD_STEAL(store->from);
	}
	for (uint32_t i = 0; i < target->ways.size; i++)
		if (!target->ways.at[i].to)
			target->ways.at[i].to =
				replacement_store_print(d->names, store, target->ways.at[i].value);
	replacement_store_deinit(store);
}

/* --- the run --- */

static struct angelic_target *target_at(const struct describing *d, uint32_t i)
{
	return &d->angelic->targets.at[d->order.at[i]];
}

static void on_begin(struct describing *d, struct execution *e, uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	/* Both executions are of the same program, but may have come to its functions in another
	   order. */
	struct execution *kept =
		(struct execution *)symbolic_execution(tree_symbolic(d->angelic->tree));

	d->function = a->function;
	d->pc = a->pc;
	/* The first point after a store. */
	for (; d->begun < d->order.size && target_at(d, d->begun)->instance < execution_next(e);
	     d->begun++) {
		struct angelic_target *target = target_at(d, d->begun);
		struct replacement_store store;
		uint32_t code;

		if (target->branch) {
			target->at = number;
			continue;
		}
		code = execution_code(kept, target->instance);
		if (!target->time || target->time == number) {
			/* A parameter was put in its place: no statement does that. */
			target->time = number;
			if (replacement_store_find_parameter(
				    d->names, e,
				    code - code_of(execution_code_table(kept), code)->first,
				    &store)) {
				set_place(&target->place,
				          cause_place(d->names, d->function, d->pc));
				describe_store(d, target, &store);
			}
		}
		target->at = number;
		set_place(&target->point, cause_place(d->names, d->function, d->pc));
	}
}

static void on_end(struct describing *d, struct execution *e, uint64_t number)
{
	uint32_t instance = describe_instance(e);
	const struct activation *a = execution_top(e, 0);
	struct replacement_way ways[BRANCH_WAYS];
	struct replacement_store store;
	struct angelic_target *target;

	while (d->ended < d->order.size && target_at(d, d->ended)->instance < instance)
		d->ended++;
	if (d->ended == d->order.size || target_at(d, d->ended)->instance != instance)
		return;
	target = target_at(d, d->ended);
	target->time = number;
	set_place(&target->place, names_place(d->names, a->function->first + a->pc - 1));
	if (!target->branch) {
		if (replacement_store_find(d->names, e, &store))
			describe_store(d, target, &store);
	} else if (!target->described) {
		uint32_t count = replacement_ways(d->sites, d->names, e, ways);

		set_place(&target->point, cause_place(d->names, d->function, d->pc));
		for (uint32_t i = 0; i < count; i++) {
			*vec_push(&target->ways) = (struct angelic_way){
				.value = ways[i].successor, .to = GUARD_STEAL(ways[i].words.other)};
			if (!i) {
				target->changed = GUARD_STEAL(ways[i].words.condition);
				target->from = GUARD_STEAL(ways[i].words.failing);
			}
			replacement_way_deinit(&ways[i]);
		}
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

/* Describes targets and ways that are not yet, and finds the ways of branches. */
static struct hence_error *angelic_describe(struct angelic *a)
{
	struct describing d = {.angelic = a};
	const struct execution_options options = {
		.table = a->run->table, .begins = true, .statement = on_statement, .context = &d};
	struct hence_error *error = NULL;
	VEC(uint64_t) times = VEC_INIT;
	struct execution *whole;

	for (uint32_t i = 0; i < a->targets.size; i++)
		if (is_wanted(&a->targets.at[i]))
			*vec_push(&d.order) = i;
	if (d.order.size) {
		qsort_r(d.order.at, d.order.size, sizeof(*d.order.at), by_instance, a);
		error = point_sites_create(a->run, &d.sites);
	}
	if (!error && d.order.size)
		error = history_whole(a->run, &whole);
	for (uint32_t i = 0; !error && i < d.order.size && whole; i++) {
		uint64_t time = history_statement(a->run, target_at(&d, i)->instance);

		/* The statement, and the point behind it. */
		*vec_push(&times) = time;
		*vec_push(&times) = time + 1;
	}
	if (!error && d.order.size)
		error = names_visit(a->run, times.at, times.size, &options, &d.names, NULL);
	vec_deinit(&times);
	for (uint32_t i = 0; i < d.order.size; i++)
		target_at(&d, i)->described = true;
	point_sites_destroy(d.sites);
	vec_deinit(&d.order);
	return error;
}

/* ------ what came of the attempts on a node, as its proofs ------ */

#define FAILING 4u /* experiments that do not count and are kept, of a node */
#define ALIKE   2u /* that count and change the same place */

/* --- the failed check --- */

/* Is what failed a check of the program, and nothing but its end judges? */
static bool has_check(const struct angelic *a)
{
	const struct violation *violation = &a->tree->violation;

	return violation->kind == VIOLATION_BRANCH &&
	       attempts_have_check(&a->attempts, violation->failure);
}

/* Finds the check that failed, if one did. */
static struct hence_error *angelic_find_check(struct angelic *a)
{
	uint64_t time = a->tree->violation.time;
	struct point point;
	struct hence_error *error;

	if (!has_check(a) || !time)
		return NULL;
	error = points_find(a->run, &time, 1, &point);
	a->has_check = !error;
	a->check = point.site;
	return error;
}

/* --- one proof --- */

static struct tree_proof make_proof(const struct angelic *a, uint32_t number)
{
	const struct angelic_attempt *attempt = &a->all.at[number];
	const struct angelic_target *target = &a->targets.at[attempt->target];
	bool passes = attempt->end.verdict == VERDICT_PASS;
	/* If the check itself was switched, the program continues in a wrong state; or it is not
	   executed any more. */
	bool switched =
		target->branch && has_check(a) && target->instance == a->tree->violation.instance;
	bool skipped = a->has_check && !attempt->end.reached &&
	               memcmp(&attempt->at.site, &a->check, sizeof(a->check)) != 0;
	bool avoids = passes && (switched || skipped);

	return (struct tree_proof){
		.experiment = a->before + number + 1,
		.instance = target->instance,
		.time = target->time,
		.occurrence = attempt->occurrence,
		.file = mem_strdup_or_null(target->place.file),
		.function = mem_strdup_or_null(target->place.function),
		.line = target->place.line,
		.column = target->place.column,
		.changed = mem_strdup(target->changed),
		.from = mem_strdup_or_null(target->from),
		.to = mem_strdup(target->ways.at[attempt->way].to),
		.branch = target->branch,
		.point = {mem_strdup_or_null(target->point.file),
	                  mem_strdup_or_null(target->point.function), target->point.line,
	                  target->point.column, attempt->at.count, attempt->at.time},
		.address = target->store.address,
		.size = target->store.size,
		.mask = target->store.mask,
		.value = target->ways.at[attempt->way].value,
		.outcome = attempt->end.verdict,
		.early = passes && attempt->end.early,
		.avoids = avoids,
		.counts = passes && !attempt->end.early && !avoids,
	};
}

/* Makes a proof of an attempt that has ended, unless the node has it. */
static void angelic_add_proof(struct angelic *a, const struct angelic_use *use, uint32_t way)
{
	struct tree_node *node = &a->tree->nodes.at[use->node];
	uint32_t number = a->targets.at[use->target].ways.at[way].attempt;

	if (!number || !a->all.at[number - 1].ended)
		return;
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (node->proofs.at[i].experiment == a->before + number)
			return;
	*vec_push(&node->proofs) = make_proof(a, number - 1);
	node->proven |= node->proofs.at[node->proofs.size - 1].counts;
}

/* --- those of a node --- */

static int order(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* What counts, then what passes; branches before values; the nearest first; of two values the
   rounder one. */
static int by_worth(const void *a, const void *b)
{
	const struct tree_proof *x = a, *y = b;

	if (x->counts != y->counts)
		return x->counts ? -1 : 1;
	if (x->outcome != y->outcome)
		return order(x->outcome, y->outcome);
	if (x->branch != y->branch)
		return x->branch ? -1 : 1;
	if (x->instance != y->instance)
		return order(y->instance, x->instance);
	if (strlen(x->to) != strlen(y->to))
		return order(strlen(x->to), strlen(y->to));
	return order(x->experiment, y->experiment);
}

/* Of many that say the same, the first are enough. */
static bool is_one_too_many(const struct tree_node *node, uint32_t kept,
                            const struct tree_proof *proof)
{
	uint32_t alike = 0;

	for (uint32_t i = 0; i < kept; i++) {
		const struct tree_proof *x = &node->proofs.at[i];
		bool same_place = x->branch == proof->branch && x->line == proof->line &&
		                  x->column == proof->column &&
		                  (x->branch || x->instance == proof->instance) && x->file &&
		                  proof->file && !strcmp(x->file, proof->file);

		alike += x->counts == proof->counts && (same_place || !proof->counts);
	}
	return alike >= (proof->counts ? ALIKE : FAILING);
}

/* Puts the proofs of a node in order, and drops what says the same as others. */
static void angelic_tidy(struct tree_node *node)
{
	uint32_t kept = 0;

	if (node->proofs.size)
		qsort(node->proofs.at, node->proofs.size, sizeof(*node->proofs.at), by_worth);
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (is_one_too_many(node, kept, &node->proofs.at[i]))
			tree_proof_deinit(&node->proofs.at[i]);
		else
			node->proofs.at[kept++] = node->proofs.at[i];
	node->proofs.size = kept;
}

/* --- one --- */

/* Attempts, as struct attempts wants them. */
static bool angelic_next(void *context, uint64_t id, struct experiment *out)
{
	struct angelic *a = context;
	const struct angelic_attempt *attempt;
	const struct angelic_target *target;

	if (id >= a->all.size)
		return false;
	attempt = &a->all.at[id];
	target = &a->targets.at[attempt->target];
	/* Is the check executed again? */
	*out = replacement_experiment(&attempt->at, target->branch ? NULL : &target->store,
	                              target->ways.at[attempt->way].value,
	                              a->has_check ? &a->check : NULL, &a->replacement);
	return true;
}

static void angelic_ended(void *context, uint64_t id, const struct attempt_end *end)
{
	struct angelic *a = context;

	a->all.at[id].ended = true;
	a->all.at[id].end = *end;
}

/* --- points --- */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static const struct point *find_point(const struct point *points, uint32_t count, uint64_t time)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (points[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return &points[low];
}

/* ------ the whole ------ */

#define MOST   60u
#define TOTAL  3000u
#define STEPS  500000 /* of the solver, for one value: about a tenth of a second */
#define FLOATS 3      /* operations in a question: what they take is not counted in steps */
#define SIZE   400    /* nodes of a question */

static void tell(void *context)
{
	const struct angelic *a = context;

	budget_show(a->attempts.pair->budget, a->attempts.done, "trying causes");
}

/* --- which are made --- */

/* Up to so many for each node; `give` is called for each way, in order. */
static void each_way(struct angelic *a,
                     void (*give)(struct angelic *a, const struct angelic_use *use, uint32_t way))
{
	uint32_t most = a->options->most ? a->options->most : MOST, count = 0;

	for (uint32_t i = 0; i < a->uses.size; i++) {
		const struct angelic_use *use = &a->uses.at[i];
		const struct angelic_target *target = &a->targets.at[use->target];

		if (!i || use->node != use[-1].node)
			count = 0;
		/* Of a store only the value that the node wants. */
		for (uint32_t k = 0; k < target->ways.size; k++)
			if ((target->branch || target->ways.at[k].value == use->value) &&
			    count++ < most)
				give(a, use, k);
	}
}

static void add_use(struct angelic *a, const struct angelic_use *use, uint32_t way)
{
	struct angelic_target *target = &a->targets.at[use->target];
	uint32_t total = a->options->total ? a->options->total : TOTAL;
	bool is_possible = target->time && target->changed && target->ways.at[way].to &&
	                   (target->branch || target->at);

	if (target->ways.at[way].attempt || a->all.size >= total || !is_possible)
		return;
	*vec_push(&a->all) = (struct angelic_attempt){.target = use->target, .way = way};
	target->ways.at[way].attempt = a->all.size;
}

/* --- level by level --- */

/* Finds the points where the attempts from number `first` on change something. */
static struct hence_error *find_points(struct angelic *a, uint32_t first)
{
	uint32_t count = 2 * (a->all.size - first);
	uint64_t *times GUARD_FREE = mem_alloc((count + 1) * sizeof(*times));
	struct point *points GUARD_FREE = mem_alloc((count + 1) * sizeof(*points));
	struct hence_error *error;

	for (uint32_t i = first; i < a->all.size; i++) {
		const struct angelic_target *target = &a->targets.at[a->all.at[i].target];

		times[2 * (i - first)] = target->time;
		times[2 * (i - first) + 1] = target->branch ? target->time : target->at;
	}
	qsort(times, count, sizeof(*times), by_number);
	error = count ? points_find(a->run, times, count, points) : NULL;
	for (uint32_t i = first; i < a->all.size && !error; i++) {
		struct angelic_attempt *attempt = &a->all.at[i];
		const struct angelic_target *target = &a->targets.at[attempt->target];

		attempt->at =
			*find_point(points, count, target->branch ? target->time : target->at);
		attempt->occurrence = find_point(points, count, target->time)->count;
	}
	return error;
}

static struct hence_error *check_level(struct angelic *a, uint32_t level)
{
	uint32_t first = a->all.size;
	struct hence_error *error;

	a->uses.size = 0;
	for (uint32_t i = 0; i < a->tree->nodes.size && !budget_is_over(a->attempts.pair->budget);
	     i++) {
		const struct tree_node *node = &a->tree->nodes.at[i];

		if (node->level == level && node->described && !node->tried) {
			/* Appends what can be tried for a node. */
			plan_branches(a, i);
			if (a->values)
				plan_values(a, i);
		}
	}
	error = angelic_describe(a);
	if (error || !a->uses.size)
		return error;
	each_way(a, add_use);
	error = find_points(a, first);
	if (!error)
		error = attempts_run(&a->attempts);
	each_way(a, angelic_add_proof);
	for (uint32_t i = 0; i < a->uses.size; i++)
		if (!i || a->uses.at[i].node != a->uses.at[i - 1].node) {
			angelic_tidy(&a->tree->nodes.at[a->uses.at[i].node]);
			tree_follow_proofs(a->tree, a->uses.at[i].node);
		}
	return error;
}

static struct hence_error *check_all(struct angelic *a)
{
	struct hence_error *error = NULL;
	uint32_t deepest = 0;

	for (uint32_t i = 0; i < a->tree->nodes.size; i++)
		if (a->tree->nodes.at[i].level > deepest)
			deepest = a->tree->nodes.at[i].level;
	for (uint32_t level = 0; level <= deepest && !error && !a->attempts.stopped; level++) {
		error = check_level(a, level);
		a->attempts.stopped |= budget_is_over(a->attempts.pair->budget);
		if (!error && !a->attempts.stopped)
			for (uint32_t i = 0; i < a->tree->nodes.size; i++)
				if (a->tree->nodes.at[i].level == level &&
				    a->tree->nodes.at[i].described)
					a->tree->nodes.at[i].tried = true;
	}
	return error;
}

/* --- the whole --- */

struct hence_error *angelic_check(const struct comparison *pair,
                                  const struct angelic_options *options, struct tree *tree,
                                  struct angelic_counts *out)
{
	const struct oracle *oracle = pair->oracle;
	struct angelic a = {.run = pair->runs[true].recording,
	                    .options = options,
	                    .tree = tree,
	                    .values = !oracle->options->test && !oracle->judge_patched,
	                    .attempts = {.pair = pair,
	                                 .next = angelic_next,
	                                 .ended = angelic_ended,
	                                 .tell = tell,
	                                 .context = &a}};
	const struct solver_options solver = {.steps = STEPS,
	                                      .floats = FLOATS,
	                                      .size = SIZE,
	                                      .stop = angelic_is_late,
	                                      .context = &a};
	struct hence_error *error = attempts_open(&a.attempts);

	/* Experiments of an earlier check of the same tree keep their numbers. */
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size; k++)
			if (tree->nodes.at[i].proofs.at[k].experiment > a.before)
				a.before = tree->nodes.at[i].proofs.at[k].experiment;
	a.solver = solver_create(symbolic_terms(tree_symbolic(tree)), &solver);
	a.cache = refute_cache_create();

	if (!error)
		error = attempts_find_printed(&a.attempts);
	if (!error)
		error = angelic_find_check(&a);
	if (!error && !a.attempts.stopped)
		error = check_all(&a);
	if (!error) {
		tree_sort(tree);
		if (!a.before && !a.values)
			*vec_push(&tree->notes) = mem_strdup(
				oracle->judge_patched
					? "only branches were tried, no values: whether a run "
					  "makes a memory error is seen only when it is recorded"
					: "only branches were tried, no values: where a test runs "
					  "the program, variables may lie elsewhere than in the "
					  "failing run");
		*out = (struct angelic_counts){.experiments = a.attempts.done,
		                               .stopped = a.attempts.stopped};
		for (uint32_t i = 0; i < a.all.size; i++)
			out->passed += a.all.at[i].ended && a.all.at[i].end.verdict == VERDICT_PASS;
		for (uint32_t i = 0; i < tree->nodes.size; i++)
			out->proven += tree->nodes.at[i].proven;
	}
	for (uint32_t i = 0; i < a.targets.size; i++) {
		struct angelic_target *target = &a.targets.at[i];

		for (uint32_t k = 0; k < target->ways.size; k++)
			free(target->ways.at[k].to);
		vec_deinit(&target->ways);
		explanation_place_deinit(&target->place);
		explanation_place_deinit(&target->point);
		free(target->changed);
		free(target->from);
	}
	vec_deinit(&a.targets);
	vec_deinit(&a.uses);
	vec_deinit(&a.all);
	angelic_map_deinit(&a.numbers);
	solver_destroy(a.solver);
	refute_cache_destroy(a.cache);
	attempts_close(&a.attempts);
	return error;
}
