/* What came of the attempts on a node, as its proofs: see angelic_work.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "causes/angelic_work.h"

#define FAILING 4u /* experiments that do not count and are kept, of a node */
#define ALIKE   2u /* that count and change the same place */

/* --- the failed check --- */

/* Is what failed a check of the program, and nothing but its end judges? */
static bool has_check(const struct angelic *a)
{
	const struct violation *violation = &a->tree->violation;
	const struct oracle_options *oracle = a->attempts.oracle->options;

	return !oracle->expected && !oracle->test && violation->kind == VIOLATION_BRANCH &&
	       violation->failure &&
	       (!strcmp(violation->failure, "assert") || !strcmp(violation->failure, "abort"));
}

struct hence_error *angelic_find_check(struct angelic *a)
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

/* It was turned round: the program goes on with what is wrong. */
static bool is_check(const struct angelic *a, const struct angelic_target *target)
{
	return target->branch && has_check(a) && target->instance == a->tree->violation.instance;
}

/* Whatever was to be checked is not any more. */
static bool avoids_check(const struct angelic *a, const struct angelic_attempt *attempt)
{
	return a->has_check && memcmp(&attempt->at.site, &a->check, sizeof(a->check)) &&
	       !attempt->end.reached;
}

/* --- one proof --- */

static char *copy(const char *text)
{
	return text ? mem_strdup(text) : NULL;
}

static struct tree_proof make_proof(const struct angelic *a, uint32_t number)
{
	const struct angelic_attempt *attempt = &a->all.at[number];
	const struct angelic_target *target = &a->targets.at[attempt->target];
	bool passes = attempt->end.verdict == VERDICT_PASS;
	bool avoids = passes && (is_check(a, target) || avoids_check(a, attempt));

	return (struct tree_proof){
		.experiment = a->before + number + 1,
		.instance = target->instance,
		.time = target->time,
		.occurrence = attempt->occurrence,
		.file = copy(target->place.file),
		.function = copy(target->place.function),
		.line = target->place.line,
		.column = target->place.column,
		.changed = mem_strdup(target->changed),
		.from = copy(target->from),
		.to = mem_strdup(target->ways.at[attempt->way].to),
		.branch = target->branch,
		.point = {copy(target->point.file), copy(target->point.function),
	                  target->point.line, target->point.column, attempt->at.count,
	                  attempt->at.time},
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

static bool has_proof(const struct tree_node *node, uint64_t experiment)
{
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (node->proofs.at[i].experiment == experiment)
			return true;
	return false;
}

void angelic_add_proof(struct angelic *a, const struct angelic_use *use, uint32_t way)
{
	struct tree_node *node = &a->tree->nodes.at[use->node];
	uint32_t number = a->targets.at[use->target].ways.at[way].attempt;

	if (!number || !a->all.at[number - 1].ended || has_proof(node, a->before + number))
		return;
	*vec_push(&node->proofs) = make_proof(a, number - 1);
	node->proven |= node->proofs.at[node->proofs.size - 1].counts;
}

/* --- those of a node --- */

static int order(uint64_t x, uint64_t y)
{
	return x < y ? -1 : x > y;
}

/* What counts, then what passes; branches before values; the nearest first; of two values the rounder one. */
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

static bool same_place(const struct tree_proof *x, const struct tree_proof *y)
{
	return x->branch == y->branch && x->line == y->line && x->column == y->column &&
	       (x->branch || x->instance == y->instance) && x->file && y->file &&
	       !strcmp(x->file, y->file);
}

/* Of many that say the same, the first are enough. */
static bool is_one_too_many(const struct tree_node *node, uint32_t kept,
                            const struct tree_proof *proof)
{
	uint32_t alike = 0;

	for (uint32_t i = 0; i < kept; i++) {
		const struct tree_proof *other = &node->proofs.at[i];

		if (other->counts == proof->counts)
			alike += !proof->counts || same_place(other, proof);
	}
	return alike >= (proof->counts ? ALIKE : FAILING);
}

void angelic_tidy(struct tree_node *node)
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
