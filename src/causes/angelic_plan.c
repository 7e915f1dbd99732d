/* What can be tried for a node of the cause tree: see angelic_work.h. */
#include <stdlib.h>
#include <time.h>

#include "causes/angelic_work.h"
#include "causes/branch.h"
#include "model/ir.h"

#define ALL      30u /* executions of a branch that are all tried */
#define STORES   40u /* of a node, the nearest to its condition */
#define FIRST    16u /* of these the solver is asked about, for the failure itself */
#define SOLVED   4u  /* the same for other nodes */
#define UNKNOWN  6u  /* questions that it could not answer: then it is not asked any more */
#define VALUES   3u  /* of a store */
#define PATIENCE 1.0 /* seconds for all of these questions */
#define QUESTION 0.3 /* for one */

/* --- what is to be changed --- */

static uint32_t target_of(struct angelic *a, uint32_t instance, bool branch)
{
	uint32_t *number = angelic_map_put(&a->numbers, instance);
	struct angelic_target *target;

	if (!*number) {
		target = vec_push(&a->targets);
		target->instance = instance;
		target->branch = branch;
		*number = a->targets.size;
	}
	return *number - 1;
}

static void add_way(struct angelic_target *target, uint64_t value)
{
	for (uint32_t i = 0; i < target->ways.size; i++)
		if (target->ways.at[i].value == value)
			return;
	vec_push(&target->ways)->value = value;
}

static void use(struct angelic *a, uint32_t node, uint32_t instance, bool branch, uint64_t value)
{
	uint32_t target = target_of(a, instance, branch);

	if (!branch)
		add_way(&a->targets.at[target], value);
	*vec_push(&a->uses) = (struct angelic_use){node, target, value};
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

/* Of a few all; of many the last, the first, and those 1, 2, 4, 8, ... before the last: others are much like them. */
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

static void find_claims(const struct angelic *a, const struct tree_node *node, struct claims *out)
{
	struct symbolic *symbolic = tree_symbolic(a->tree);
	LLVMValueRef instruction =
		execution_instruction(symbolic_execution(symbolic), node->condition);
	unsigned ways;

	*out = (struct claims){.at = {node->claim}, .count = node->claim != 0};
	if (insn_of(a, node->condition)->op != CODE_SWITCH)
		return;
	ways = LLVMGetNumSuccessors(instruction);
	out->count = 0;
	for (unsigned i = 1; i <= ways && out->count < BRANCH_WAYS; i++) {
		term claim = is_again(instruction, i % ways)
		                     ? 0
		                     : symbolic_branch(symbolic, node->condition, i % ways);

		if (claim && !held(symbolic, claim))
			out->at[out->count++] = claim;
	}
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

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool angelic_is_late(void *context)
{
	const struct angelic *a = context;

	return angelic_is_over(context) || now() > a->answer_by;
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
	a->answer_by = now() + QUESTION;
	return refute_propose(symbolic, a->solver, question, store, values, 1);
}

/*
 * What the claim compares was copied in ways that have no formula (a function of a library): a store of the very value
 * that is wrong is worth a try with the one that would be right.
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

/* The nearest first, but of each statement the last execution before others: in a loop they are much alike. */
static void find_stores(const struct angelic *a, const struct tree_node *node, struct stores *out)
{
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
		*vec_push(has_code(a, out, cause.at[i]) ? &again.all : &out->all) = cause.at[i];
	for (uint32_t i = 0; i < again.all.size; i++)
		*vec_push(&out->all) = again.all.at[i];
	vec_deinit(&again.all);
	vec_deinit(&cause);
}

/* All stores have their turn before a second value of one. */
static void plan_values(struct angelic *a, uint32_t number)
{
	const struct tree_node *node = &a->tree->nodes.at[number];
	VEC(struct proposals) all = VEC_INIT;
	struct stores stores = {VEC_INIT};
	struct claims claims;

	find_claims(a, node, &claims);
	if (claims.count)
		find_stores(a, node, &stores);
	for (uint32_t i = 0; i < stores.all.size && i < STORES && !angelic_is_over(a); i++) {
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

void angelic_plan(struct angelic *a, uint32_t node)
{
	plan_branches(a, node);
	if (a->values)
		plan_values(a, node);
}
