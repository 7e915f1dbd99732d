/* A cause tree: its fields, its shape, and the words that its printers share. See cause_tree.h. */
#include "report/cause_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/explanation_words.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/saved.h"

#define DEEPEST 2000u /* levels; printers call themselves for each */
#define LONGEST 1e12  /* seconds */

/* --- its shape --- */

const struct cause_node *cause_tree_node(const struct cause_tree *tree, uint32_t number)
{
	return number && number <= tree->nodes.size ? &tree->nodes.at[number - 1] : NULL;
}

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
		const char *before, *after;
	} words[] = {
		[CAUSE_DIRECT] = {"decides whether ", " is executed"},
		[CAUSE_INDIRECT] = {"could have changed what ", " reads, had it gone another way"},
		[CAUSE_ADDRESS] = {"chose the place in memory that ", " uses"},
		[CAUSE_MISSED] = {"could have written what ", " reads, but wrote elsewhere"},
	};

	if (node->reason == CAUSE_FAILURE) {
		explanation_add_safe(out, tree->what ? tree->what : "the failure");
		return;
	}
	str_add(out, words[node->reason].before);
	if (node->via.file && node->via.line)
		cause_node_add_via(node, out);
	else
		str_printf(out, "cause %u", node->parent);
	str_add(out, words[node->reason].after);
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

/* --- its fields, and its JSON --- */

static const struct field statement_rows[] = {
	FIELD_MEMBERS(struct cause_statement, at, &explanation_place_fields),
	FIELD_TEXT(struct cause_statement, text, "text"),
	FIELD_COUNT(struct cause_statement, count, "count", .always = true),
	FIELD_COUNT(struct cause_statement, time, "time"),
	FIELD_FLAG(struct cause_statement, condition, "condition", .always = true),
	FIELD_END,
};
static const struct fields statement_fields = FIELDS(struct cause_statement, statement_rows);

/* As a text: not all readers of JSON have whole numbers of 64 bits. */
static void write_bits(struct str *out, const void *object, const void *root)
{
	json_add_key(out, "bits");
	str_printf(out, "\"0x%llx\"",
	           (unsigned long long)((const struct cause_proof *)object)->bits);
}

static void read_bits(struct reader *r, const json_t *json, void *object)
{
	const char *text = reader_text(r, json, "bits");

	if (text && (strncmp(text, "0x", 2) || strlen(text) > 18 || strlen(text) < 3 ||
	             strspn(text + 2, "0123456789abcdef") != strlen(text + 2)))
		reader_fail(r, "bits", "is '%s', not a number like 0x2a", text);
	else if (text)
		((struct cause_proof *)object)->bits = strtoull(text, NULL, 16);
}

/* Where it was changed, so that it can be tried again. */
static const struct field point_rows[] = {
	FIELD_MEMBERS(struct cause_proof, point, &explanation_place_fields),
	FIELD_COUNT(struct cause_proof, point_instance, "instance"),
	FIELD_COUNT(struct cause_proof, point_time, "time"),
	FIELD_END,
};
static const struct fields point_fields = FIELDS(struct cause_proof, point_rows);

static bool has_point(const void *object, const void *member)
{
	return ((const struct cause_proof *)object)->point.file;
}

const char *const cause_reason_names[] = {"failure", "direct", "indirect",
                                          "address", "missed", NULL};
const char *const cause_how_names[] = {"folded", "solved", "unknown", "none", NULL};
const char *const cause_change_names[] = {"branch", "value", NULL};

static const struct field proof_rows[] = {
	FIELD_COUNT(struct cause_proof, experiment, "experiment", .needed = true, .always = true),
	FIELD_ENUM(struct cause_proof, kind, "kind", cause_change_names, .needed = true),
	FIELD_TEXT(struct cause_proof, changed, "changed"),
	FIELD_TEXT(struct cause_proof, from, "from"),
	FIELD_TEXT(struct cause_proof, to, "to"),
	FIELD_HOOK("bits", .write = write_bits, .read = read_bits),
	FIELD_ENUM(struct cause_proof, outcome, "outcome", verdict_names, .needed = true),
	FIELD_FLAG(struct cause_proof, counts, "counts", .always = true),
	FIELD_FLAG(struct cause_proof, early, "early"),
	FIELD_FLAG(struct cause_proof, avoids, "avoids"),
	FIELD_MEMBERS(struct cause_proof, at, &explanation_place_fields),
	FIELD_COUNT(struct cause_proof, instance, "instance"),
	FIELD_COUNT(struct cause_proof, time, "time"),
	FIELD_OBJECT_OF_SAME("point", &point_fields, .when = has_point),
	FIELD_END,
};
static const struct fields proof_fields = FIELDS(struct cause_proof, proof_rows);

static bool has_via(const void *object, const void *member)
{
	return ((const struct cause_node *)object)->via.file;
}

static void write_why(struct str *out, const void *object, const void *root)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	cause_node_add_why(root, object, &text);
	json_add_member(out, "why", str_text(&text));
}

static const struct field node_rows[] = {
	FIELD_NUMBER(struct cause_node, number, "number", .needed = true, .always = true),
	FIELD_NUMBER(struct cause_node, parent, "parent", .needed = true, .always = true),
	FIELD_NUMBER(struct cause_node, level, "level", .needed = true, .always = true,
                     .most = DEEPEST),
	FIELD_ENUM(struct cause_node, reason, "reason", cause_reason_names, .needed = true),
	FIELD_OBJECT(struct cause_node, via, "for", &explanation_place_fields, .when = has_via),
	FIELD_HOOK("why", .write = write_why),
	FIELD_MEMBERS(struct cause_node, at, &explanation_place_fields),
	FIELD_TEXT(struct cause_node, at.source, "source", .only_written = true),
	FIELD_COUNT(struct cause_node, instance, "instance"),
	FIELD_COUNT(struct cause_node, instances, "instances", .always = true),
	FIELD_COUNT(struct cause_node, size, "size"),
	FIELD_TEXT(struct cause_node, wanted, "wanted"),
	FIELD_TEXT(struct cause_node, numbers, "numbers"),
	FIELD_ENUM(struct cause_node, how, "how", cause_how_names, .needed = true),
	FIELD_FLAG(struct cause_node, minimal, "minimal", .always = true),
	FIELD_FLAG(struct cause_node, limited, "limited", .always = true),
	FIELD_LIST(struct cause_node, statements, "cause", &statement_fields, .always = true),
	FIELD_FLAG(struct cause_node, tried, "tried", .always = true),
	FIELD_FLAG(struct cause_node, proven, "proven", .always = true),
	FIELD_LIST(struct cause_node, proofs, "proof", &proof_fields, .always = true),
	FIELD_FLAG(struct cause_node, expanded, "expanded", .always = true),
	FIELD_NUMBERS(struct cause_node, children, "children", .always = true),
	FIELD_NUMBERS(struct cause_node, again, "again", .always = true),
	FIELD_END,
};
static const struct fields node_fields = FIELDS(struct cause_node, node_rows);

static void write_node_count(struct str *out, const void *object, const void *root)
{
	json_add_number(out, "nodes", ((const struct cause_tree *)object)->nodes.size);
}

static const struct field stats_rows[] = {
	FIELD_HOOK("nodes", .write = write_node_count),
	FIELD_COUNT(struct cause_tree, stats.proven, "proven", .always = true),
	FIELD_COUNT(struct cause_tree, stats.instances, "instances", .always = true),
	FIELD_COUNT(struct cause_tree, stats.inside, "inside", .always = true),
	FIELD_COUNT(struct cause_tree, stats.collapsed, "collapsed", .always = true),
	FIELD_COUNT(struct cause_tree, stats.lines, "lines", .always = true),
	FIELD_COUNT(struct cause_tree, stats.solver_calls, "solver_calls", .always = true),
	FIELD_COUNT(struct cause_tree, stats.folded, "folded", .always = true),
	FIELD_COUNT(struct cause_tree, stats.unknown, "unknown", .always = true),
	FIELD_COUNT(struct cause_tree, stats.experiments, "experiments", .always = true),
	FIELD_FRACTION(struct cause_tree, stats.seconds, "seconds", .to = LONGEST,
                       .digits = EXPLANATION_SECONDS_DIGITS, .always = true),
	FIELD_FRACTION(struct cause_tree, stats.solver_seconds, "solver_seconds", .to = LONGEST,
                       .digits = EXPLANATION_SECONDS_DIGITS, .always = true),
	FIELD_END,
};
static const struct fields stats_fields = FIELDS(struct cause_tree, stats_rows);

/* --- what nodes say about each other: printers rely on it --- */

static void fail_at(struct reader *r, uint32_t node, const char *key, uint32_t index,
                    uint32_t number, const char *why)
{
	char *path GUARD_FREE = str_format("nodes[%u].%s[%u]", node, key, index);

	reader_fail(r, path, "is %u, %s", number, why);
}

/* Each node is the child of its parent, once. */
static void check_children(struct reader *r, const struct cause_tree *tree)
{
	bool *seen = mem_alloc(tree->nodes.size + 1);

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].children.size; k++) {
			uint32_t child = tree->nodes.at[i].children.at[k];
			const struct cause_node *node = cause_tree_node(tree, child);

			if (!node || node->parent != i + 1)
				fail_at(r, i, "children", k, child,
				        node ? "a node with another parent" : "which is no node");
			else if (seen[child])
				fail_at(r, i, "children", k, child, "which is there twice");
			else
				seen[child] = true;
		}
	for (uint32_t i = 1; i < tree->nodes.size && !r->error; i++)
		if (!seen[i + 1])
			fail_at(r, tree->nodes.at[i].parent - 1, "children",
			        tree->nodes.at[tree->nodes.at[i].parent - 1].children.size, i + 1,
			        "which is missing");
	free(seen);
}

static void check_nodes(struct reader *r, const json_t *json, void *object)
{
	struct cause_tree *tree = object;

	if (!tree->nodes.size)
		reader_fail(r, "nodes", "is empty, but a tree has a root");
	for (uint32_t i = 0; i < tree->nodes.size && !r->error; i++) {
		size_t mark = reader_enter_item(r, "nodes", i);
		const struct cause_node *node = &tree->nodes.at[i];

		/* Does it come after its parent, one level below it? */
		if (node->number != i + 1)
			reader_fail(r, "number", "is %u, but it is node %u", node->number, i + 1);
		else if (!i && (node->parent || node->level))
			reader_fail(r, "parent", "is %u, but it is the root", node->parent);
		else if (i && (!node->parent || node->parent > i))
			reader_fail(r, "parent", "is %u, which is no node before it", node->parent);
		else if (i && node->level != tree->nodes.at[node->parent - 1].level + 1)
			reader_fail(r, "level", "is %u, but its parent has level %u", node->level,
			            tree->nodes.at[node->parent - 1].level);
		else if ((node->reason == CAUSE_FAILURE) != !i)
			reader_fail(r, "reason", "is '%s', which %s",
			            cause_reason_names[node->reason],
			            i ? "only the root has" : "the root has not");
		reader_leave(r, mark);
	}
	if (!r->error)
		check_children(r, tree);
	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].again.size; k++)
			if (!cause_tree_node(tree, tree->nodes.at[i].again.at[k]))
				fail_at(r, i, "again", k, tree->nodes.at[i].again.at[k],
				        "which is no node");
	tree->stats.nodes = tree->nodes.size;
}

/* --- the tree, in an explanation and as a report of its own --- */

static const struct field inner_rows[] = {
	FIELD_LIST(struct cause_tree, nodes, "nodes", &node_fields, .needed = true, .always = true),
	FIELD_TEXTS(struct cause_tree, notes, "notes", .always = true),
	FIELD_OBJECT_OF_SAME("stats", &stats_fields),
	FIELD_END,
};
static const struct fields inner_fields =
	FIELDS(struct cause_tree, inner_rows, .check = check_nodes);

static const struct field tree_rows[] = {
	FIELD_FLAG(struct cause_tree, complete, "complete", .always = true),
	FIELD_OPEN(struct cause_tree, failure, failure_word, "failure", explanation_kind_names),
	FIELD_TEXT(struct cause_tree, what, "what"),
	FIELD_MEMBERS_OF_SAME(&inner_fields),
	FIELD_TEXT(struct cause_tree, program, NULL),
	FIELD_TEXTS(struct cause_tree, command, NULL),
	FIELD_END,
};
const struct fields cause_tree_fields = FIELDS(struct cause_tree, tree_rows);

static void write_verdict(struct str *out, const void *object, const void *root)
{
	const struct cause_tree *tree = object;

	json_add_member(out, "verdict",
	                tree->stats.proven ? "explained"
	                : tree->complete   ? "unproven"
	                                   : "incomplete");
}

static void write_failure_place(struct str *out, const void *object, const void *root)
{
	const struct cause_tree *tree = object;

	if (tree->nodes.size)
		fields_write(&explanation_place_fields, &tree->nodes.at[0].at, out);
}

static const struct field failure_rows[] = {
	FIELD_OPEN(struct cause_tree, failure, failure_word, "kind", explanation_kind_names),
	FIELD_HOOK(NULL, .write = write_failure_place),
	FIELD_TEXT(struct cause_tree, what, "message"),
	FIELD_END,
};
static const struct fields failure_fields = FIELDS(struct cause_tree, failure_rows);

/* What failed stands around it. */
static const struct field alone_rows[] = {
	FIELD_FLAG(struct cause_tree, complete, "complete", .always = true),
	FIELD_MEMBERS_OF_SAME(&inner_fields),
	FIELD_END,
};
static const struct fields alone_fields = FIELDS(struct cause_tree, alone_rows);

/* The verdict, the place of the failure and the path to the chosen cause follow from the tree. */
static const struct field around_rows[] = {
	FIELD_HOOK("verdict", .write = write_verdict),
	FIELD_TEXT(struct cause_tree, program, "program"),
	FIELD_TEXTS(struct cause_tree, command, "command", .always = true),
	FIELD_OBJECT_OF_SAME("failure", &failure_fields),
	FIELD_END,
};
static const struct fields around_fields = FIELDS(struct cause_tree, around_rows);

static const struct field tree_object_rows[] = {
	FIELD_OBJECT_OF_SAME("tree", &alone_fields, .needed = true),
	FIELD_END,
};
static const struct fields tree_object_fields = FIELDS(struct cause_tree, tree_object_rows);

void cause_tree_print_json(const struct cause_tree *tree, uint32_t chosen, FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", EXPLANATION_VERSION);
	fields_write(&around_fields, tree, &out);
	if (chosen) {
		struct cause_path path;

		cause_tree_path(tree, chosen, &path);
		json_add_number(&out, "chosen", chosen);
		json_add_key(&out, "path");
		str_add_char(&out, '[');
		for (uint32_t i = 0; i < path.numbers.size; i++)
			str_printf(&out, "%s%u", i ? "," : "", path.numbers.at[i]);
		str_add_char(&out, ']');
		vec_deinit(&path.numbers);
	}
	fields_write(&tree_object_fields, tree, &out);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
}

struct hence_error *cause_tree_read_saved(const struct saved *saved, struct explanation *kept,
                                          struct cause_tree *out, uint32_t *chosen)
{
	struct cause_tree tree = {0};
	struct reader r = {.kept = kept};
	struct hence_error *error;

	fields_read(&r, &tree_object_fields, saved->root, &tree);
	fields_read(&r, &around_fields, saved->root, &tree);
	*chosen = (uint32_t)reader_number(&r, saved->root, "chosen", tree.nodes.size);
	error = reader_finish(&r);
	if (error)
		cause_tree_deinit(&tree);
	else
		*out = tree;
	return saved_damaged(saved, error);
}

void cause_tree_settle(struct cause_tree *tree)
{
	fields_settle(&cause_tree_fields, tree);
	fields_settle(&around_fields, tree);
}

void cause_tree_deinit(struct cause_tree *tree)
{
	fields_free(&cause_tree_fields, tree);
	*tree = (struct cause_tree){0};
}

void cause_node_deinit(struct cause_node *node)
{
	fields_free(&node_fields, node);
	*node = (struct cause_node){0};
}
