/* The graph of terms: nodes in one vector, and a table that finds a node that is there already. */
#include <assert.h>

#include "base/map.h"
#include "solve/term_work.h"

#define FIRST_ROOM 1024

struct terms *terms_create(void)
{
	struct terms *terms = mem_alloc(sizeof(*terms));

	terms->walk = mem_alloc(sizeof(*terms->walk));
	terms->replaced = mem_alloc(sizeof(*terms->replaced));
	terms->room = FIRST_ROOM;
	terms->slots = mem_alloc(terms->room * sizeof(*terms->slots));
	vec_push(&terms->nodes);
	return terms;
}

static void free_walk(struct term_walk *walk)
{
	vec_deinit(&walk->marks);
	vec_deinit(&walk->stack);
	free(walk);
}

void terms_destroy(struct terms *terms)
{
	if (!terms)
		return;
	free_walk(terms->walk);
	free_walk(terms->replaced);
	vec_deinit(&terms->nodes);
	free(terms->slots);
	free(terms);
}

const struct term_node *term_at(const struct terms *terms, term t)
{
	assert(t && t < terms->nodes.size);
	return &terms->nodes.at[t];
}

static uint64_t hash_of(const struct term_node *n)
{
	uint64_t hash =
		n->op | (uint64_t)n->bits << 8 | (uint64_t)n->low << 16 | (uint64_t)n->c << 32;

	return map_hash_u64(map_hash_u64(hash ^ n->value * 0x9e3779b97f4a7c15u) ^
	                    ((uint64_t)n->a << 32 | n->b));
}

static bool is_same(const struct term_node *x, const struct term_node *y)
{
	return x->op == y->op && x->bits == y->bits && x->low == y->low && x->value == y->value &&
	       x->a == y->a && x->b == y->b && x->c == y->c;
}

/* The slot of a node like it, or the free one where it belongs. */
static uint32_t slot_of(const struct terms *terms, const struct term_node *node)
{
	uint32_t i = (uint32_t)hash_of(node) & (terms->room - 1);

	while (terms->slots[i] && !is_same(&terms->nodes.at[terms->slots[i]], node))
		i = (i + 1) & (terms->room - 1);
	return i;
}

/* Nodes are put in by age, so terms_release() can take them out in the other order. */
static void grow(struct terms *terms)
{
	terms->room *= 2;
	free(terms->slots);
	terms->slots = mem_alloc((size_t)terms->room * sizeof(*terms->slots));
	for (uint32_t t = 1; t < terms->nodes.size; t++)
		terms->slots[slot_of(terms, &terms->nodes.at[t])] = t;
}

static uint32_t size_of(const struct terms *terms, const struct term_node *node)
{
	uint64_t size = 1;

	size += terms->nodes.at[node->a].size;
	size += terms->nodes.at[node->b].size;
	size += terms->nodes.at[node->c].size;
	return size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
}

term term_intern(struct terms *terms, const struct term_node *node)
{
	uint32_t slot;

	if (terms->nodes.size >= terms->room / 2)
		grow(terms);
	slot = slot_of(terms, node);
	if (!terms->slots[slot]) {
		terms->slots[slot] = terms->nodes.size;
		*vec_push(&terms->nodes) = *node;
		terms->nodes.at[terms->slots[slot]].size = size_of(terms, node);
	}
	return terms->slots[slot];
}

uint32_t terms_count(const struct terms *terms)
{
	return terms->nodes.size - 1;
}

void terms_release(struct terms *terms, uint32_t count)
{
	assert(count < terms->nodes.size);
	for (; terms->nodes.size > count + 1; terms->nodes.size--)
		terms->slots[slot_of(terms, &terms->nodes.at[terms->nodes.size - 1])] = 0;
	if (terms->replaced->marks.size > terms->nodes.size)
		terms->replaced->marks.size = terms->nodes.size;
	if (terms->walk->marks.size > terms->nodes.size)
		terms->walk->marks.size = terms->nodes.size;
}

term term_constant(struct terms *terms, uint32_t bits, uint64_t value)
{
	struct term_node node = {
		.op = TERM_CONSTANT, .bits = (uint8_t)bits, .value = value & term_mask(bits)};

	assert(bits >= 1 && bits <= 64);
	return term_intern(terms, &node);
}

term term_variable(struct terms *terms, uint32_t bits, uint64_t number)
{
	struct term_node node = {.op = TERM_VARIABLE, .bits = (uint8_t)bits, .value = number};

	assert(bits >= 1 && bits <= 64);
	return term_intern(terms, &node);
}

term term_any(struct terms *terms, uint32_t bits)
{
	return term_variable(terms, bits, TERM_ANY + terms->anys++);
}

bool term_is_constant(const struct terms *terms, term t, uint64_t *value)
{
	const struct term_node *node = term_at(terms, t);

	if (node->op != TERM_CONSTANT)
		return false;
	if (value)
		*value = node->value;
	return true;
}

/* --- operations --- */

static void check_widths(const struct terms *terms, const struct term_node *n)
{
	uint32_t a = terms->nodes.at[n->a].bits, b = terms->nodes.at[n->b].bits;

	assert(n->a && n->bits >= 1 && n->bits <= 64);
	if (n->op == TERM_CONCAT)
		assert(n->bits == a + b);
	else if (n->op == TERM_CHOICE)
		assert(a == 1 && b == n->bits && b == terms->nodes.at[n->c].bits);
	else if (n->op >= TERM_EQ && n->op <= TERM_SLE)
		assert(a == b && n->bits == 1);
	else if (n->op >= TERM_ADD && n->op <= TERM_ASHR)
		assert(a == b && n->bits == a);
	else if (n->op == TERM_EXTRACT)
		assert(n->low + n->bits <= a);
	else if (n->op == TERM_ZEXT || n->op == TERM_SEXT)
		assert(n->bits >= a);
}

/* With constants as operands; 0: it stays. */
static term fold(struct terms *terms, const struct term_node *n)
{
	const struct term_node *nodes = terms->nodes.at;
	uint64_t operands[3] = {nodes[n->a].value, nodes[n->b].value, nodes[n->c].value}, value;

	if (nodes[n->a].op != TERM_CONSTANT || (n->b && nodes[n->b].op != TERM_CONSTANT) ||
	    (n->c && nodes[n->c].op != TERM_CONSTANT))
		return 0;
	if (!term_compute(n, nodes[n->a].bits, operands, &value))
		return 0;
	return term_constant(terms, n->bits, value);
}

static term make(struct terms *terms, struct term_node *node)
{
	term t;

	check_widths(terms, node);
	t = fold(terms, node);
	if (!t)
		t = term_simplify(terms, node);
	return t ? t : term_intern(terms, node);
}

/* The width of a result that follows from the operands. */
static uint32_t own_width(const struct terms *terms, enum term_op op, uint32_t bits, term a, term b)
{
	if (op == TERM_CONCAT)
		return term_at(terms, a)->bits + term_at(terms, b)->bits;
	if ((op >= TERM_EQ && op <= TERM_SLE) || (op >= TERM_FEQ && op <= TERM_FNAN))
		return 1;
	if (op == TERM_CHOICE)
		return term_at(terms, b)->bits;
	if ((op >= TERM_ADD && op <= TERM_ASHR) || (op >= TERM_FADD && op <= TERM_FSQRT))
		return term_at(terms, a)->bits;
	return bits;
}

term term_make(struct terms *terms, enum term_op op, uint32_t bits, term a, term b, term c)
{
	struct term_node node = {.op = (uint8_t)op, .a = a, .b = b, .c = c};

	assert(op > TERM_VARIABLE && op < TERM_OPS && op != TERM_EXTRACT);
	node.bits = (uint8_t)own_width(terms, op, bits, a, b);
	return make(terms, &node);
}

term term_extract(struct terms *terms, term a, uint32_t low, uint32_t bits)
{
	struct term_node node = {
		.op = TERM_EXTRACT, .bits = (uint8_t)bits, .low = (uint8_t)low, .a = a};

	return make(terms, &node);
}

term term_not(struct terms *terms, term a)
{
	uint32_t bits = term_at(terms, a)->bits;

	return term_make(terms, TERM_XOR, bits, a, term_constant(terms, bits, UINT64_MAX), 0);
}

term term_equals(struct terms *terms, term a, uint64_t value)
{
	uint32_t bits = term_at(terms, a)->bits;

	return term_make(terms, TERM_EQ, 1, a, term_constant(terms, bits, value), 0);
}
