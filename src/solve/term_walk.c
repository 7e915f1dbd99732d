/*
 * Walks over terms: each node once, operands before what is made from them, with a stack of our own. What a walk
 * knows of a node is in a mark with the walk's stamp, so nothing is cleared between walks.
 */
#include <assert.h>

#include "solve/term_work.h"

struct term_mark *term_walk_mark(struct term_walk *walk, term t)
{
	struct term_mark *mark;

	if (t >= walk->marks.size) {
		uint32_t was = walk->marks.size;

		vec_reserve(&walk->marks, t + 1);
		memset(&walk->marks.at[was], 0, (t + 1 - was) * sizeof(*mark));
		walk->marks.size = t + 1;
	}
	mark = &walk->marks.at[t];
	if (mark->stamp != walk->stamp)
		*mark = (struct term_mark){.stamp = walk->stamp};
	return mark;
}

void term_walk_begin(struct term_walk *walk)
{
	walk->stack.size = 0;
	if (++walk->stamp)
		return;
	walk->marks.size = 0; /* once in four billion walks: marks of old walks would count */
	walk->stamp = 1;
}

/* What was computed of a node; false: nothing yet. */
static bool is_done(struct term_walk *walk, term t, uint64_t *value)
{
	struct term_mark *mark = term_walk_mark(walk, t);

	*value = mark->value;
	return mark->done;
}

static void finish(struct term_walk *walk, term t, uint64_t value)
{
	struct term_mark *mark = term_walk_mark(walk, t);

	mark->done = 1;
	mark->value = value;
	walk->stack.size--;
}

static void descend(struct term_walk *walk, term t)
{
	*vec_push(&walk->stack) = t;
}

/* The constant that decides an operation whatever the other operand is. */
static bool is_absorbing(const struct term_node *n, uint64_t value)
{
	if (n->op == TERM_AND || n->op == TERM_MUL)
		return !value;
	return n->op == TERM_OR && value == term_mask(n->bits);
}

/* --- replacing --- */

struct replacing {
	struct terms *terms;
	struct term_walk *walk;
	term (*replace)(void *context, uint64_t number);
	void *context;
};

/* A variable becomes what its definition does. */
static void replace_variable(struct replacing *r, term t)
{
	struct term_mark *mark = term_walk_mark(r->walk, t);
	uint64_t result;
	term by;

	if (mark->value) { /* asked before: its definition is done now */
		bool done = is_done(r->walk, (term)mark->value, &result);

		assert(done);
		finish(r->walk, t, result);
		return;
	}
	by = r->replace(r->context, term_at(r->terms, t)->value);
	if (!by || by == t) {
		finish(r->walk, t, t);
		return;
	}
	assert(term_at(r->terms, by)->bits == term_at(r->terms, t)->bits);
	if (is_done(r->walk, by, &result)) {
		finish(r->walk, t, result);
		return;
	}
	term_walk_mark(r->walk, t)->value = by;
	descend(r->walk, by);
}

/* The next operand that is not done; 0: all that is needed is there, in `operands`. *same: none has changed. */
static term next_operand(struct replacing *r, const struct term_node *n, term operands[3],
                         bool *same, term *instead)
{
	const term all[3] = {n->a, n->b, n->c};
	uint64_t value, constant;

	*same = true;
	*instead = 0;
	for (int i = 0; i < 3 && all[i]; i++) {
		if (!is_done(r->walk, all[i], &value))
			return all[i];
		operands[i] = (term)value;
		*same &= operands[i] == all[i];
		if (i || !term_is_constant(r->terms, operands[0], &constant))
			continue;
		if (n->op == TERM_CHOICE) {
			term arm = constant ? n->b : n->c;

			if (!is_done(r->walk, arm, &value))
				return arm;
			*instead = (term)value;
			return 0;
		}
		if (is_absorbing(n, constant)) {
			*instead = operands[0];
			return 0;
		}
	}
	return 0;
}

static void replace_operation(struct replacing *r, term t, struct term_node n)
{
	term operands[3] = {0}, result, next, instead;
	bool same;

	next = next_operand(r, &n, operands, &same, &instead);
	if (next) {
		descend(r->walk, next);
		return;
	}
	if (instead)
		result = instead;
	else if (same)
		result = t;
	else if (n.op == TERM_EXTRACT)
		result = term_extract(r->terms, operands[0], n.low, n.bits);
	else
		result = term_make(r->terms, n.op, n.bits, operands[0], operands[1], operands[2]);
	finish(r->walk, t, result);
}

static term replace_one(struct replacing *r, term root)
{
	uint64_t result;

	descend(r->walk, root);
	while (r->walk->stack.size) {
		term t = r->walk->stack.at[r->walk->stack.size - 1];
		struct term_node n = *term_at(r->terms, t);

		if (is_done(r->walk, t, &result))
			r->walk->stack.size--;
		else if (n.op == TERM_CONSTANT)
			finish(r->walk, t, t);
		else if (n.op == TERM_VARIABLE)
			replace_variable(r, t);
		else
			replace_operation(r, t, n);
	}
	is_done(r->walk, root, &result);
	return (term)result;
}

void term_replace_all(struct terms *terms, term *all, uint32_t count,
                      term (*replace)(void *context, uint64_t number), void *context)
{
	struct replacing r = {terms, terms->replaced, replace, context};

	term_walk_begin(r.walk);
	for (uint32_t i = 0; i < count; i++)
		all[i] = replace_one(&r, all[i]);
}

term term_replace(struct terms *terms, term t, term (*replace)(void *context, uint64_t number),
                  void *context)
{
	term_replace_all(terms, &t, 1, replace, context);
	return t;
}

term term_replaced(const struct terms *terms, term t)
{
	const struct term_walk *walk = terms->replaced;

	if (t >= walk->marks.size || walk->marks.at[t].stamp != walk->stamp ||
	    !walk->marks.at[t].done)
		return 0;
	return (term)walk->marks.at[t].value;
}

/* --- evaluating --- */

struct evaluating {
	const struct terms *terms;
	struct term_walk *walk;
	uint64_t (*value)(void *context, uint64_t number);
	void *context;
};

/* As next_operand() above. */
static term next_value(struct evaluating *e, const struct term_node *n, uint64_t operands[3])
{
	const term all[3] = {n->a, n->b, n->c};

	for (int i = 0; i < 3 && all[i]; i++) {
		if (n->op == TERM_CHOICE && i && (i == 1) != (operands[0] != 0))
			continue;
		if (i && is_absorbing(n, operands[0]))
			break;
		if (!is_done(e->walk, all[i], &operands[i]))
			return all[i];
	}
	return 0;
}

static void evaluate_top(struct evaluating *e, term t)
{
	const struct term_node *n = term_at(e->terms, t);
	uint64_t operands[3] = {0}, result;
	term next;

	if (n->op == TERM_CONSTANT) {
		finish(e->walk, t, n->value);
	} else if (n->op == TERM_VARIABLE) {
		finish(e->walk, t, e->value(e->context, n->value) & term_mask(n->bits));
	} else if ((next = next_value(e, n, operands))) {
		descend(e->walk, next);
	} else {
		term_compute(n, term_at(e->terms, n->a)->bits, operands, &result);
		finish(e->walk, t, result);
	}
}

static uint64_t evaluate_one(struct evaluating *e, term root)
{
	uint64_t result;

	descend(e->walk, root);
	while (e->walk->stack.size) {
		term t = e->walk->stack.at[e->walk->stack.size - 1];

		if (is_done(e->walk, t, &result))
			e->walk->stack.size--;
		else
			evaluate_top(e, t);
	}
	is_done(e->walk, root, &result);
	return result;
}

uint64_t term_evaluate(const struct terms *terms, term t,
                       uint64_t (*value)(void *context, uint64_t number), void *context)
{
	struct evaluating e = {terms, terms->walk, value, context};

	term_walk_begin(e.walk);
	return evaluate_one(&e, t);
}

bool term_all_true(const struct terms *terms, const term *all, uint32_t count,
                   uint64_t (*value)(void *context, uint64_t number), void *context)
{
	struct evaluating e = {terms, terms->walk, value, context};

	term_walk_begin(e.walk);
	for (uint32_t i = 0; i < count; i++)
		if (!evaluate_one(&e, all[i]))
			return false;
	return true;
}

/* --- variables --- */

void term_variables(const struct terms *terms, term t, void (*tell)(void *context, uint64_t number),
                    void *context)
{
	struct term_walk *walk = terms->walk;

	term_walk_begin(walk);
	term_walk_mark(walk, t)->done = 1;
	descend(walk, t);
	while (walk->stack.size) {
		struct term_node n = *term_at(terms, walk->stack.at[--walk->stack.size]);
		const term operands[3] = {n.c, n.b, n.a};

		if (n.op == TERM_VARIABLE)
			tell(context, n.value);
		for (int i = 0; i < 3; i++)
			if (operands[i] && !term_walk_mark(walk, operands[i])->done) {
				term_walk_mark(walk, operands[i])->done = 1;
				descend(walk, operands[i]);
			}
	}
}
