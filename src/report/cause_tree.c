/* What a cause tree holds, and the words that its printers share: see cause_tree.h. */
#include "report/cause_tree.h"

#include <stdlib.h>
#include <string.h>

#include "report/explanation_words.h"

/* --- what it holds --- */

static void proof_deinit(struct cause_proof *proof)
{
	explanation_place_deinit(&proof->at);
	explanation_place_deinit(&proof->point);
	free(proof->changed);
	free(proof->from);
	free(proof->to);
}

void cause_node_deinit(struct cause_node *node)
{
	for (uint32_t i = 0; i < node->statements.size; i++) {
		explanation_place_deinit(&node->statements.at[i].at);
		free(node->statements.at[i].text);
	}
	for (uint32_t i = 0; i < node->proofs.size; i++)
		proof_deinit(&node->proofs.at[i]);
	vec_deinit(&node->statements);
	vec_deinit(&node->proofs);
	vec_deinit(&node->children);
	vec_deinit(&node->again);
	explanation_place_deinit(&node->at);
	explanation_place_deinit(&node->via);
	free(node->wanted);
	free(node->numbers);
	*node = (struct cause_node){0};
}

void cause_tree_deinit(struct cause_tree *tree)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		cause_node_deinit(&tree->nodes.at[i]);
	for (uint32_t i = 0; i < tree->command.size; i++)
		free(tree->command.at[i]);
	for (uint32_t i = 0; i < tree->notes.size; i++)
		free(tree->notes.at[i]);
	vec_deinit(&tree->nodes);
	vec_deinit(&tree->command);
	vec_deinit(&tree->notes);
	free(tree->program);
	free(tree->what);
	*tree = (struct cause_tree){0};
}

const struct cause_node *cause_tree_node(const struct cause_tree *tree, uint32_t number)
{
	return number && number <= tree->nodes.size ? &tree->nodes.at[number - 1] : NULL;
}

/* --- its shape --- */

void cause_tree_path(const struct cause_tree *tree, uint32_t number, struct cause_path *out)
{
	uint32_t count = 0;

	*out = (struct cause_path){VEC_INIT};
	for (uint32_t at = number; at; at = cause_tree_node(tree, at)->parent)
		count++;
	vec_reserve(&out->numbers, count);
	out->numbers.size = count;
	for (; number; number = cause_tree_node(tree, number)->parent)
		out->numbers.at[--count] = number;
}

/* Parents come before their children, so one pass is enough. */
uint32_t cause_tree_below(const struct cause_tree *tree, uint32_t number)
{
	bool *below = mem_alloc(tree->nodes.size + 1);
	uint32_t count = 0;

	below[number] = true;
	for (uint32_t i = number; i < tree->nodes.size; i++) {
		below[i + 1] = below[tree->nodes.at[i].parent];
		count += below[i + 1];
	}
	free(below);
	return count;
}

uint32_t cause_tree_deepest(const struct cause_tree *tree, uint32_t most)
{
	uint32_t level = 0;

	for (;; level++) {
		uint32_t count = 0, deeper = 0;

		for (uint32_t i = 0; i < tree->nodes.size; i++) {
			count += tree->nodes.at[i].level <= level + 1;
			deeper += tree->nodes.at[i].level > level;
		}
		if (!deeper || count > most)
			return level;
	}
}

/* --- words --- */

void cause_node_add_via(const struct cause_node *node, struct str *out)
{
	if (node->at.file && !strcmp(node->at.file, node->via.file)) {
		str_printf(out, "line %u", node->via.line);
		return;
	}
	explanation_add_safe(out, node->via.file);
	str_printf(out, ":%u", node->via.line);
}

void cause_node_add_why(const struct cause_tree *tree, const struct cause_node *node,
                        struct str *out)
{
	static const struct {
		const char *reason, *before, *after;
	} words[] = {
		{"direct", "decides whether ", " is executed"},
		{"indirect", "could have changed what ", " reads, had it gone another way"},
		{"address", "chose the place in memory that ", " uses"},
		{"missed", "could have written what ", " reads, but wrote elsewhere"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i].reason, node->reason))
			continue;
		str_add(out, words[i].before);
		if (node->via.file && node->via.line)
			cause_node_add_via(node, out);
		else
			str_printf(out, "cause %u", node->parent);
		str_add(out, words[i].after);
		return;
	}
	explanation_add_safe(out, tree->what ? tree->what : "the failure");
}

void cause_node_add_condition(const struct cause_node *node, struct str *out)
{
	if (!node->wanted)
		return;
	explanation_add_safe(out, node->wanted);
	str_add(out, " is false");
	if (!node->numbers || !strcmp(node->numbers, node->wanted))
		return;
	str_add(out, ": ");
	explanation_add_safe(out, node->numbers);
}
