/*
 * A cause tree made by hand, for tests that print it or walk through it:
 *
 *	1 the failure
 *	|- 2 direct
 *	|  |- 4 address, proven
 *	|- 3 indirect, would also have 4
 *	   |- 5 missed, not expanded
 */
#ifndef HENCE_TESTS_CAUSE_TREE_MADE_H
#define HENCE_TESTS_CAUSE_TREE_MADE_H

#include "report/cause_tree.h"

static struct explanation_place made_place(const char *file, unsigned line, const char *source)
{
	return (struct explanation_place){.file = mem_strdup(file),
	                                  .line = line,
	                                  .column = source ? 2 : 0,
	                                  .function = mem_strdup("main"),
	                                  .source = source ? mem_strdup(source) : NULL};
}

static struct cause_node *made_node(struct cause_tree *t, uint32_t parent, enum cause_reason reason,
                                    unsigned line, const char *wanted, const char *numbers)
{
	struct cause_node *node = vec_push(&t->nodes);

	*node = (struct cause_node){
		.number = t->nodes.size,
		.parent = parent,
		.level = parent ? t->nodes.at[parent - 1].level + 1 : 0,
		.reason = reason,
		.at = made_place("a.c", line, NULL),
		.instances = 1,
		.wanted = wanted ? mem_strdup(wanted) : NULL,
		.numbers = numbers ? mem_strdup(numbers) : NULL,
		.how = CAUSE_FOLDED,
		.minimal = true,
		.expanded = true,
	};
	if (parent)
		*vec_push(&t->nodes.at[parent - 1].children) = node->number;
	return node;
}

static void made_statement(struct cause_node *node, unsigned line, const char *text, uint64_t count,
                           bool condition)
{
	*vec_push(&node->statements) = (struct cause_statement){.at = made_place("a.c", line, NULL),
	                                                        .text = mem_strdup(text),
	                                                        .count = count,
	                                                        .time = line,
	                                                        .condition = condition};
}

static void made_proof(struct cause_node *node, enum cause_change kind, const char *changed,
                       const char *to, bool counts)
{
	uint64_t number = 12 + node->proofs.size;

	node->tried = true;
	node->proven |= counts;
	*vec_push(&node->proofs) =
		(struct cause_proof){.experiment = number,
	                             .at = made_place("a.c", 4, NULL),
	                             .instance = 3,
	                             .changed = mem_strdup(changed),
	                             .from = mem_strdup("1"),
	                             .to = mem_strdup(to),
	                             .kind = kind,
	                             .outcome = counts ? VERDICT_PASS : VERDICT_FAIL,
	                             .counts = counts};
}

/* Caller frees with cause_tree_deinit(). */
static void made_tree(struct cause_tree *t)
{
	struct cause_node *node;

	*t = (struct cause_tree){.program = mem_strdup("./a"),
	                         .failure = EXPLANATION_ASSERT,
	                         .what = mem_strdup("assertion d == 5 fails"),
	                         .complete = true};
	*vec_push(&t->command) = mem_strdup("./a");
	*vec_push(&t->command) = mem_strdup("6");
	node = made_node(t, 0, CAUSE_FAILURE, 20, "d == 5", "4 == 5");
	explanation_place_deinit(&node->at);
	node->at = made_place("a.c", 20, "\tassert(d == 5);");
	made_statement(node, 9, "d = c + 3 = 4", 1, false);
	made_statement(node, 20, "assert(d == 5)", 1, true);
	node = made_node(t, 1, CAUSE_DIRECT, 8, "a <= 0", "2 <= 0");
	node->via = made_place("a.c", 9, NULL);
	node->tried = true;
	node = made_node(t, 1, CAUSE_INDIRECT, 6, "b < 0", NULL);
	node->via = made_place("b.c", 9, NULL);
	node->instance = 7;
	node->instances = 3;
	*vec_push(&node->again) = 4;
	node = made_node(t, 2, CAUSE_ADDRESS, 4, NULL, NULL);
	node->how = CAUSE_UNKNOWN;
	made_proof(node, CAUSE_VALUE, "i", "2", true);
	made_proof(node, CAUSE_BRANCH, "i > 3", "false", true);
	made_proof(node, CAUSE_BRANCH, "kind", "case 2", true);
	made_proof(node, CAUSE_VALUE, "i", "9", true);
	made_proof(node, CAUSE_VALUE, "j", "1", true);
	made_proof(node, CAUSE_VALUE, "i", "8", false);
	node = made_node(t, 3, CAUSE_MISSED, 5, "p == &x", NULL);
	node->expanded = false;
	t->stats.nodes = 5;
	t->stats.proven = 1;
	t->stats.instances = 200;
	t->stats.inside = 9;
	t->stats.lines = 6;
	t->stats.solver_calls = 1;
	t->stats.experiments = 40;
	t->stats.seconds = 0.25;
}

#endif
