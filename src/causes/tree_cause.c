/* Causes of the nodes of a tree: why a condition was false. See tree.h. */
#include "causes/tree_work.h"

#define FOLDS       8u      /* conditions of a node that are looked at, at a time */
#define ALL_FOLDS   32u     /* and in all */
#define ASSUMPTIONS 256u    /* branches that a solver is told of */
#define SYMBOLS     300000u /* that are followed for one question */
#define CALLS       16u     /* questions that a solver is asked */
#define FEW         8u      /* instances: a cause that is small enough without it */
#define UNKNOWN     2u      /* of these that it may fail to answer */
#define POINTERS    4u      /* of an outside call that are looked at */
#define MOST        4096u   /* instances that are followed without terms */

enum tree_kind tree_kind(enum tree_reason reason)
{
	switch (reason) {
	case TREE_FAILURE: return TREE_OF_FAILURE;
	case TREE_ADDRESS: return TREE_OF_ADDRESS;
	case TREE_MISSED: return TREE_OF_MISSED;
	default: return TREE_OF_BRANCH;
	}
}

/* --- claims --- */

/* The function that was called through a pointer, as a term, and its address; 0: it was called by its name. */
static term find_callee(struct tree_work *w, uint32_t instance, uint64_t *value)
{
	const struct code_insn *insn = execution_insn(w->e, instance);
	const struct code_call *call = insn->op == CODE_CALL ? insn->more : NULL;
	uint32_t made;

	if (!call || call->name || !execution_operand(w->e, instance, call->callee, value, &made))
		return 0;
	return symbolic_operand(w->symbolic, instance, call->count);
}

term tree_pointer(struct tree_work *w, uint32_t instance, uint64_t *value)
{
	term pointer = find_callee(w, instance, value);

	for (uint32_t i = 0; !pointer && i < POINTERS; i++)
		if (!symbolic_address(w->symbolic, instance, i, &pointer, value))
			pointer = 0;
	return pointer;
}

/* Any of the pointers should have been another; 0: there is none. */
static term claim_elsewhere(struct tree_work *w, uint32_t instance)
{
	uint64_t value;
	term pointer = find_callee(w, instance, &value), claim = 0;

	if (pointer)
		return term_not(w->terms, term_equals(w->terms, pointer, value));
	for (uint32_t i = 0; i < POINTERS; i++) {
		term other;

		if (!symbolic_address(w->symbolic, instance, i, &pointer, &value))
			continue;
		other = term_not(w->terms, term_equals(w->terms, pointer, value));
		claim = claim ? term_make(w->terms, TERM_OR, 1, claim, other, 0) : other;
	}
	return claim;
}

term tree_claim(struct tree_work *w, const struct tree_condition *c)
{
	uint64_t value;
	term t;

	if (tree_kind(c->reason) == TREE_OF_BRANCH) {
		t = symbolic_branch(w->symbolic, c->instance, UINT32_MAX);
		return t ? term_not(w->terms, t) : 0;
	}
	if (c->reason != TREE_MISSED)
		return claim_elsewhere(w, c->instance);
	t = tree_pointer(w, c->instance, &value);
	return t ? term_equals(w->terms, t, c->address) : 0;
}

/* --- what the solver may assume --- */

struct assumptions {
	uint32_t at[ASSUMPTIONS];
	uint32_t size;
};

static bool has(const struct assumptions *a, uint32_t branch)
{
	for (uint32_t i = 0; i < a->size; i++)
		if (a->at[i] == branch)
			return true;
	return false;
}

/* The branches that an instance hangs on, up to one that is there already. */
static void assume(const struct tree_work *w, uint32_t instance, struct assumptions *a)
{
	for (uint32_t at = tree_branch_of(w, instance); at && a->size < ASSUMPTIONS && !has(a, at);
	     at = tree_branch_of(w, at))
		a->at[a->size++] = at;
}

static int descending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Those of the condition, then those of what made it false. The nearest are first. */
static void find_assumptions(const struct tree_work *w, uint32_t condition,
                             const struct refutation *folded, struct assumptions *out)
{
	uint32_t near;

	assume(w, condition, out);
	near = out->size;
	for (uint32_t i = 0; i < folded->transforming.size; i++)
		assume(w, folded->transforming.at[i], out);
	if (out->size > near)
		qsort(out->at + near, out->size - near, sizeof(*out->at), descending);
}

/* --- without terms --- */

struct follower {
	struct tree_work *w;
	roaring_bitmap_t *found;
	VEC(uint32_t) next;
};

static void follow(void *context, const struct execution_origin *origin)
{
	struct follower *f = context;

	if (origin->chosen || !tree_keeps(f->w, origin->source) ||
	    !roaring_bitmap_add_checked(f->found, origin->source) || origin->itself)
		return;
	*vec_push(&f->next) = origin->source;
}

/* The instance whose value decides; 0: nobody knows. */
static uint32_t decider(const struct tree_work *w, const struct tree_condition *c)
{
	const struct code_insn *insn = execution_insn(w->e, c->instance);
	uint64_t value;
	uint32_t made;

	if (tree_kind(c->reason) == TREE_OF_BRANCH || tree_pointer_operand(insn) == CODE_NO_OPERAND)
		return c->instance;
	execution_operand(w->e, c->instance, tree_pointer_operand(insn), &value, &made);
	return tree_keeps(w, made) ? made : 0;
}

/* All that a value came from, the nearest first, as far as that is not too much. */
static void follow_data(struct tree_work *w, uint32_t instance, roaring_bitmap_t *out)
{
	struct follower f = {.w = w, .found = out};

	roaring_bitmap_add(out, instance);
	*vec_push(&f.next) = instance;
	for (uint32_t i = 0; i < f.next.size && i < MOST; i++)
		execution_origins(w->e, f.next.at[i], 0, 0, follow, &f);
	vec_deinit(&f.next);
}

/* --- one condition --- */

struct taker {
	struct tree_work *w;
	struct tree_more *more;
};

static void take(struct tree_more *more, uint32_t instance)
{
	if (roaring_bitmap_add_checked(more->full, instance))
		roaring_bitmap_add(more->fresh, instance);
}

static void take_refutation(struct tree_work *w, struct tree_more *more, const struct refutation *r)
{
	for (uint32_t i = 0; i < r->transforming.size; i++)
		if (tree_keeps(w, r->transforming.at[i]))
			take(more, r->transforming.at[i]);
	for (uint32_t i = 0; i < r->core.size; i++)
		take(more, r->core.at[i]);
}

/* A claim may be false whatever was read: a bit-field of three bits is not 9. */
static bool needs_nothing(const struct tree_work *w, const struct refutation *r)
{
	for (uint32_t i = 0; i < r->transforming.size; i++) {
		const struct code_insn *insn = execution_insn(w->e, r->transforming.at[i]);

		if (!insn->words || insn->op == CODE_CALL || insn->op == CODE_LOAD)
			return false;
	}
	return r->transforming.size > 0;
}

/* Does a refutation not tell enough? What has no term, or no contradiction that could be found, is followed by its data;
   and so is what nothing could have made true. */
static bool is_weak(const struct tree_work *w, const struct refutation *r)
{
	return r->how == REFUTED_NOT || r->limited || needs_nothing(w, r);
}

static void take_data(struct tree_work *w, struct tree_more *more, const struct tree_condition *c)
{
	roaring_bitmap_t *found = roaring_bitmap_create(), *new;
	uint32_t instance = decider(w, c);

	if (instance)
		follow_data(w, instance, found);
	new = roaring_bitmap_andnot(found, more->full);
	roaring_bitmap_or_inplace(more->full, new);
	roaring_bitmap_or_inplace(more->fresh, new);
	roaring_bitmap_free(new);
	roaring_bitmap_free(found);
}

static struct refute_question ask(const struct tree_work *w, const struct tree_condition *c,
                                  term claim, bool after)
{
	return (struct refute_question){
		.claim = claim, .before = c->instance + after, .most = SYMBOLS, .cache = w->cache};
}

static void refute_folded(struct tree_work *w, struct tree_more *more,
                          const struct tree_condition *c)
{
	term claim = tree_claim(w, c);
	struct refute_question question = ask(w, c, claim, false);
	struct refutation r = {.how = REFUTED_NOT};

	take(more, c->instance);
	if (claim)
		refute(w->symbolic, NULL, &question, &r);
	take_refutation(w, more, &r);
	if (is_weak(w, &r))
		take_data(w, more, c);
	refutation_deinit(&r);
}

/* Many questions, or several that it could not answer, cost more time than the causes they make smaller are worth. */
static bool may_ask(const struct tree_work *w)
{
	struct solver_counts counts = solver_counts(w->solver);

	return !w->options->no_solver && counts.calls < CALLS && counts.unknown < UNKNOWN;
}

/* Folds first: that tells which branches the solver may need. */
static void refute_solved(struct tree *tree, uint32_t node, const struct tree_condition *c,
                          bool after)
{
	struct tree_work *w = tree->work;
	struct tree_node *n = &tree->nodes.at[node];
	struct refute_question question = ask(w, c, n->claim, after);
	struct refutation r = {.how = REFUTED_NOT};
	struct assumptions assumptions = {.size = 0};

	take(&w->more.at[node], c->instance);
	if (n->claim)
		refute(w->symbolic, NULL, &question, &r);
	if (n->claim && (r.how == REFUTED_NOT || r.transforming.size > FEW) && may_ask(w)) {
		find_assumptions(w, c->instance, &r, &assumptions);
		question.assumptions = assumptions.at;
		question.assumption_count = assumptions.size;
		refutation_deinit(&r);
		refute(w->symbolic, w->solver, &question, &r);
	}
	take_refutation(w, &w->more.at[node], &r);
	if (is_weak(w, &r))
		take_data(w, &w->more.at[node], c);
	n->how = r.how;
	n->certain = r.certain;
	n->limited = r.limited;
	for (uint32_t i = 0; i < r.core.size; i++)
		*vec_push(&n->core) = r.core.at[i];
	for (uint32_t i = 0; i < r.conjuncts.size; i++)
		*vec_push(&n->conjuncts) = r.conjuncts.at[i];
	refutation_deinit(&r);
}

/* --- the node --- */

struct ends {
	uint32_t first, last;
};

MAP_DEFINE_U64(ends_map, struct ends);

/* Of each instruction the first and the last execution are told; the others they stand for. */
static void choose_cause(struct tree_work *w, struct tree_more *more, struct tree_node *node)
{
	struct ends_map all = MAP_INIT;
	roaring_uint32_iterator_t i;
	uint64_t inside = 0;

	tree_index_deinit(&more->counts);
	roaring_init_iterator(more->full, &i);
	for (; i.has_value; roaring_advance_uint32_iterator(&i)) {
		struct ends *e;
		uint32_t code;

		if (tree_outside_correct(w, i.current_value) != i.current_value)
			continue;
		inside++;
		code = execution_code(w->e, i.current_value);
		++*tree_index_put(&more->counts, code);
		e = ends_map_put(&all, code);
		if (!e->first)
			e->first = i.current_value;
		e->last = i.current_value;
	}
	node->cause.size = 0;
	map_each(&all, k)
	{
		*vec_push(&node->cause) = all.at[k].value.last;
		if (all.at[k].value.first != all.at[k].value.last)
			*vec_push(&node->cause) = all.at[k].value.first;
	}
	if (node->cause.size)
		qsort(node->cause.at, node->cause.size, sizeof(*node->cause.at), descending);
	node->collapsed = inside - node->cause.size;
	if (node->conditions.size > more->folded)
		node->collapsed += node->conditions.size - more->folded;
	ends_map_deinit(&all);
}

static int latest_first(const void *a, const void *b)
{
	const struct tree_condition *x = a, *y = b;

	return descending(&x->instance, &y->instance);
}

/* The last of them stands for the node; it alone is given to the solver. */
static void begin(struct tree *tree, uint32_t node)
{
	struct tree_work *w = tree->work;
	struct tree_node *n = &tree->nodes.at[node];
	const struct tree_condition *c = &w->more.at[node].pending.at[0];

	n->condition = c->instance;
	n->reason = c->reason;
	n->via = c->via;
	n->claim = tree_claim(w, c);
	w->more.at[node].address = c->address;
	refute_solved(tree, node, c, false);
}

void tree_find_cause(struct tree *tree, uint32_t node)
{
	struct tree_work *w = tree->work;
	struct tree_more *more = &w->more.at[node];
	struct tree_node *n = &tree->nodes.at[node];
	uint32_t count = more->pending.size, taken = 0, picks;

	if (!count)
		return;
	qsort(more->pending.at, count, sizeof(*more->pending.at), latest_first);
	if (!n->condition) {
		begin(tree, node);
		more->folded++;
		taken = 1;
	}
	/* Evenly spread, with the last and the first. */
	picks = count - taken < FOLDS ? count - taken : FOLDS;
	for (uint32_t i = 0; i < picks && more->folded < ALL_FOLDS; i++, more->folded++) {
		uint32_t at = picks > 1 ? i * (count - 1 - taken) / (picks - 1) : 0;

		refute_folded(w, more, &more->pending.at[taken + at]);
	}
	more->pending.size = 0;
	if (n->conditions.size)
		qsort(n->conditions.at, n->conditions.size, sizeof(*n->conditions.at), descending);
	choose_cause(w, more, n);
	tree_forget_words(n);
}

/* What is violated is not a condition of its own cause. */
static void claim_root(struct tree_work *w, const struct tree_node *root)
{
	*tree_index_put(&w->index, tree_key(root->code, TREE_OF_BRANCH)) = 1;
	if (execution_insn(w->e, root->condition)->op != CODE_CALL)
		*tree_index_put(&w->index, tree_key(root->code, TREE_OF_ADDRESS)) = 1;
	roaring_bitmap_add(w->more.at[0].conditions, root->condition);
}

static void take_choice(void *context, const struct execution_origin *origin)
{
	struct taker *c = context;

	if (!origin->size && tree_keeps(c->w, origin->source) &&
	    execution_insn(c->w->e, origin->source)->op == CODE_PHI)
		take(c->more, origin->source);
}

/* What a call was given by ?: belongs to it, whatever is claimed of the call. */
static void take_choices(struct tree_work *w, struct tree_more *more, uint32_t instance)
{
	struct taker c = {w, more};

	if (execution_insn(w->e, instance)->op == CODE_CALL)
		execution_origins(w->e, instance, 0, 0, take_choice, &c);
}

void tree_find_root(struct tree *tree)
{
	struct tree_work *w = tree->work;
	struct tree_node *root = &tree->nodes.at[0];
	const struct violation *v = &tree->violation;
	struct tree_condition c = {.reason = TREE_DIRECT, .instance = v->instance};

	root->condition = v->instance;
	root->code = execution_code(w->e, v->instance);
	*vec_push(&root->conditions) = v->instance;
	root->how = REFUTED_NOT;
	w->more.at[0].folded = 1;
	claim_root(w, root);
	take(&w->more.at[0], v->instance);
	take_choices(w, &w->more.at[0], v->instance);
	for (uint32_t i = 0; i < v->also.size; i++)
		if (tree_keeps(w, v->also.at[i]))
			take(&w->more.at[0], v->also.at[i]);
	if (v->kind != VIOLATION_EVENT) {
		root->claim = v->kind == VIOLATION_BRANCH ? tree_claim(w, &c) : v->claim;
		refute_solved(tree, 0, &c, v->after);
	} else if (execution_insn(w->e, v->instance)->op == CODE_CALL) {
		take_data(w, &w->more.at[0], &c);
	}
	choose_cause(w, &w->more.at[0], root);
}
