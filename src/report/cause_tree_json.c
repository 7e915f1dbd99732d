/* A cause tree as JSON and as lines for editors: see cause_tree.h. */
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/json.h"

static void open(struct str *out, uint32_t index)
{
	str_add(out, index ? ",{" : "{");
}

static void add_numbers(struct str *out, const char *key, const uint32_t *numbers, uint32_t count)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++)
		str_printf(out, "%s%u", i ? "," : "", numbers[i]);
	str_add_char(out, ']');
}

static void add_statements(struct str *out, const struct cause_node *node)
{
	json_add_key(out, "cause");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < node->statements.size; i++) {
		const struct cause_statement *s = &node->statements.at[i];

		open(out, i);
		explanation_add_place_json(out, &s->at);
		json_add_known(out, "text", s->text);
		json_add_number(out, "count", s->count);
		json_add_nonzero(out, "time", s->time);
		json_add_flag(out, "condition", s->condition);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

/* Where it was changed, so that it can be tried again. */
static void add_point(struct str *out, const struct cause_proof *proof)
{
	if (!proof->point.file)
		return;
	json_add_key(out, "point");
	str_add_char(out, '{');
	explanation_add_place_json(out, &proof->point);
	json_add_nonzero(out, "instance", proof->point_instance);
	json_add_nonzero(out, "time", proof->point_time);
	str_add_char(out, '}');
}

/* As a text: not all readers of JSON have whole numbers of 64 bits. */
static void add_bits(struct str *out, uint64_t bits)
{
	json_add_key(out, "bits");
	str_printf(out, "\"0x%llx\"", (unsigned long long)bits);
}

static void add_proofs(struct str *out, const struct cause_node *node)
{
	json_add_key(out, "proof");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		open(out, i);
		json_add_number(out, "experiment", proof->experiment);
		json_add_member(out, "kind", proof->kind);
		json_add_known(out, "changed", proof->changed);
		json_add_known(out, "from", proof->from);
		json_add_known(out, "to", proof->to);
		add_bits(out, proof->bits);
		json_add_member(out, "outcome", proof->outcome);
		json_add_flag(out, "counts", proof->counts);
		if (proof->early)
			json_add_flag(out, "early", true);
		if (proof->avoids)
			json_add_flag(out, "avoids", true);
		explanation_add_place_json(out, &proof->at);
		json_add_nonzero(out, "instance", proof->instance);
		json_add_nonzero(out, "time", proof->time);
		add_point(out, proof);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

/* Where in the parent it matters, and that in words. */
static void add_why(struct str *out, const struct cause_tree *tree, const struct cause_node *node)
{
	struct str text = STR_INIT;

	json_add_member(out, "reason", node->reason);
	if (node->via.file) {
		json_add_key(out, "for");
		str_add_char(out, '{');
		explanation_add_place_json(out, &node->via);
		str_add_char(out, '}');
	}
	cause_node_add_why(tree, node, &text);
	json_add_member(out, "why", str_text(&text));
	str_deinit(&text);
}

static void add_node(struct str *out, const struct cause_tree *tree, const struct cause_node *node)
{
	json_add_number(out, "number", node->number);
	json_add_number(out, "parent", node->parent);
	json_add_number(out, "level", node->level);
	add_why(out, tree, node);
	explanation_add_place_json(out, &node->at);
	json_add_known(out, "source", node->at.source);
	json_add_nonzero(out, "instance", node->instance);
	json_add_number(out, "instances", node->instances);
	json_add_nonzero(out, "size", node->size);
	json_add_known(out, "wanted", node->wanted);
	json_add_known(out, "numbers", node->numbers);
	json_add_member(out, "how", node->how);
	json_add_flag(out, "minimal", node->minimal);
	json_add_flag(out, "limited", node->limited);
	add_statements(out, node);
	json_add_flag(out, "tried", node->tried);
	json_add_flag(out, "proven", node->proven);
	add_proofs(out, node);
	json_add_flag(out, "expanded", node->expanded);
	add_numbers(out, "children", node->children.at, node->children.size);
	add_numbers(out, "again", node->again.at, node->again.size);
}

static void add_stats(struct str *out, const struct cause_tree *t)
{
	json_add_key(out, "stats");
	str_add_char(out, '{');
	json_add_number(out, "nodes", t->nodes.size);
	json_add_number(out, "proven", t->stats.proven);
	json_add_number(out, "instances", t->stats.instances);
	json_add_number(out, "inside", t->stats.inside);
	json_add_number(out, "collapsed", t->stats.collapsed);
	json_add_number(out, "lines", t->stats.lines);
	json_add_number(out, "solver_calls", t->stats.solver_calls);
	json_add_number(out, "folded", t->stats.folded);
	json_add_number(out, "unknown", t->stats.unknown);
	json_add_number(out, "experiments", t->stats.experiments);
	json_add_fraction(out, "seconds", t->stats.seconds, EXPLANATION_SECONDS_DIGITS);
	json_add_fraction(out, "solver_seconds", t->stats.solver_seconds,
	                  EXPLANATION_SECONDS_DIGITS);
	str_add_char(out, '}');
}

/* The members of the tree's object; `alone`: what failed stands around it. */
static void add_tree(const struct cause_tree *tree, bool alone, struct str *out)
{
	str_add_char(out, '{');
	json_add_flag(out, "complete", tree->complete);
	if (!alone) {
		json_add_known(out, "failure", tree->failure);
		json_add_known(out, "what", tree->what);
	}
	json_add_key(out, "nodes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		open(out, i);
		add_node(out, tree, &tree->nodes.at[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
	json_add_texts(out, "notes", tree->notes.at, tree->notes.size);
	add_stats(out, tree);
	str_add_char(out, '}');
}

void cause_tree_add_json(const struct cause_tree *tree, struct str *out)
{
	add_tree(tree, false, out);
}

static const char *verdict(const struct cause_tree *tree)
{
	return tree->stats.proven ? "explained" : tree->complete ? "unproven" : "incomplete";
}

/* The way from the failure to the node. */
static void add_path(struct str *out, const struct cause_tree *tree, uint32_t chosen)
{
	struct cause_path path;

	cause_tree_path(tree, chosen, &path);
	json_add_number(out, "chosen", chosen);
	add_numbers(out, "path", path.numbers.at, path.numbers.size);
	vec_deinit(&path.numbers);
}

void cause_tree_print_json(const struct cause_tree *tree, uint32_t chosen, FILE *file)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", EXPLANATION_VERSION);
	json_add_member(&out, "verdict", verdict(tree));
	json_add_known(&out, "program", tree->program);
	json_add_texts(&out, "command", tree->command.at, tree->command.size);
	json_add_key(&out, "failure");
	str_add_char(&out, '{');
	json_add_known(&out, "kind", tree->failure);
	if (tree->nodes.size)
		explanation_add_place_json(&out, &tree->nodes.at[0].at);
	json_add_known(&out, "message", tree->what);
	str_add_char(&out, '}');
	if (chosen)
		add_path(&out, tree, chosen);
	json_add_key(&out, "tree");
	add_tree(tree, true, &out);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
	str_deinit(&out);
}

/* --- for editors --- */

void cause_tree_print_gcc(const struct cause_tree *tree, FILE *file)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];
		struct str text = STR_INIT;

		explanation_add_place(&text, &node->at);
		str_printf(&text, ": note: cause %u, level %u%s: ", node->number, node->level,
		           node->proven ? ", proven" : "");
		cause_node_add_condition(node, &text);
		str_add(&text, node->wanted ? "; " : "");
		cause_node_add_why(tree, node, &text);
		fprintf(file, "%s\n", str_text(&text));
		str_deinit(&text);
	}
}
