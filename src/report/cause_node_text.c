/* One cause of a cause tree for a person: see cause_tree_layout.h. */
#include <string.h>

#include "report/cause_tree_layout.h"

#define MOST_STATEMENTS 14u /* of a node that are shown */
#define MOST_PROOFS     4u  /* of others than the best one whose numbers are told */

void cause_print_line(const struct cause_printer *p, struct str *text, unsigned indent)
{
	explanation_wrap_hanging(str_text(text), indent, indent + 2, p->width, p->file);
	str_deinit(text);
}

/* --- one node --- */

static void print_head(const struct cause_printer *p, const struct cause_node *node,
                       unsigned indent)
{
	struct str text = STR_INIT;

	str_printf(&text, "%s%u.%s %s", cause_colour(p, CELL_BOLD), node->number,
	           cause_colour(p, CELL_PLAIN), cause_colour(p, CELL_CYAN));
	explanation_add_place(&text, &node->at);
	str_add(&text, cause_colour(p, CELL_PLAIN));
	if (node->at.function) {
		str_add(&text, " in ");
		explanation_add_safe(&text, node->at.function);
		str_add(&text, "()");
	}
	if (node->instances > 1)
		str_printf(&text, ", %llu executions", (unsigned long long)node->instances);
	if (node->instance > 1)
		str_printf(&text,
		           node->instances > 1 ? ", the last is number %llu" : ", execution %llu",
		           (unsigned long long)node->instance);
	if (node->proven)
		str_printf(&text, " %sPROVEN%s", cause_colour(p, CAUSE_GREEN),
		           cause_colour(p, CELL_PLAIN));
	cause_print_line(p, &text, indent);
}

/* 'decides line 14'. */
static void add_short_why(const struct cause_node *node, struct str *out)
{
	static const char *const words[][2] = {{"direct", "decides"},
	                                       {"indirect", "could change"},
	                                       {"address", "address for"},
	                                       {"missed", "not written for"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(words[i][0], node->reason))
			str_printf(out, "%s ", words[i][1]);
	if (node->via.file && node->via.line)
		cause_node_add_via(node, out);
	else
		str_printf(out, "cause %u", node->parent);
}

void cause_print_short(const struct cause_printer *p, const struct cause_node *node,
                       unsigned indent)
{
	struct explanation_place at = node->at;
	struct str text = STR_INIT;

	at.column = 0;
	str_printf(&text, "%s%u.%s %s", cause_colour(p, CELL_BOLD), node->number,
	           cause_colour(p, CELL_PLAIN), cause_colour(p, CELL_CYAN));
	explanation_add_place(&text, &at);
	str_printf(&text, "%s  ", cause_colour(p, CELL_PLAIN));
	cause_node_add_condition(node, &text);
	str_add(&text, node->wanted ? "; " : "");
	add_short_why(node, &text);
	cause_print_line(p, &text, indent);
}

/* What was not so, and why that matters. */
static void print_condition(const struct cause_printer *p, const struct cause_node *node,
                            unsigned indent)
{
	struct str text = STR_INIT;

	str_add(&text, cause_colour(p, CELL_BOLD));
	cause_node_add_condition(node, &text);
	str_add(&text, cause_colour(p, CELL_PLAIN));
	if (node->wanted)
		cause_print_line(p, &text, indent);
	str_deinit(&text);
	if (node->level) {
		cause_node_add_why(p->tree, node, &text);
		cause_print_line(p, &text, indent);
	}
}

/* Does it say no more than the line and the condition, which are shown already? */
static bool is_own(const struct cause_node *node, const struct cause_statement *s)
{
	return s->condition && s->at.file && node->at.file && s->at.line == node->at.line &&
	       !strcmp(s->at.file, node->at.file);
}

static bool is_same_place(const struct cause_statement *a, const struct cause_statement *b)
{
	return a->at.line == b->at.line && a->at.column == b->at.column && a->at.file &&
	       b->at.file && !strcmp(a->at.file, b->at.file);
}

/* ' x3': it was executed so often. Where others stand for these executions as well: ' (first of 3)'. */
static void add_count(const struct cause_node *node, uint32_t index, struct str *out)
{
	const struct cause_statement *s = &node->statements.at[index];
	bool before = false, after = false;

	if (s->count < 2)
		return;
	for (uint32_t i = 0; i < node->statements.size; i++) {
		before |= i < index && is_same_place(&node->statements.at[i], s);
		after |= i > index && is_same_place(&node->statements.at[i], s);
	}
	if (before || after)
		str_printf(out, " (%s of %llu)",
		           !before  ? "first"
		           : !after ? "last"
		                    : "one",
		           (unsigned long long)s->count);
	else
		str_printf(out, " x%llu", (unsigned long long)s->count);
}

static void print_statement(const struct cause_printer *p, const struct cause_node *node,
                            uint32_t index, unsigned indent)
{
	const struct cause_statement *s = &node->statements.at[index];
	struct explanation_place at = s->at;
	struct str text = STR_INIT;

	at.column = 0;
	explanation_add_place(&text, &at);
	str_add(&text, "  ");
	explanation_add_safe(&text, s->text ? s->text : "");
	add_count(node, index, &text);
	cell_cut(&text, p->width > indent + CAUSE_NARROW ? p->width - indent : CAUSE_NARROW);
	fprintf(p->file, "%*s%s\n", (int)indent, "", str_text(&text));
	str_deinit(&text);
}

/* In the order of time; of many the first and the last. */
static void print_statements(const struct cause_printer *p, const struct cause_node *node,
                             unsigned indent)
{
	uint32_t count = 0, number = 0;

	for (uint32_t i = 0; i < node->statements.size; i++)
		count += !is_own(node, &node->statements.at[i]);
	if (count)
		fprintf(p->file, "%*smade so by\n", (int)indent, "");
	for (uint32_t i = 0; i < node->statements.size; i++) {
		if (is_own(node, &node->statements.at[i]))
			continue;
		number++;
		if (count > MOST_STATEMENTS && number == MOST_STATEMENTS / 2)
			fprintf(p->file, "%*s... %u more\n", (int)indent + 2, "",
			        count - MOST_STATEMENTS + 1);
		else if (count <= MOST_STATEMENTS || number < MOST_STATEMENTS / 2 ||
		         number > count - MOST_STATEMENTS / 2)
			print_statement(p, node, i, indent + 2);
	}
}

/* --- experiments --- */

static bool is_switch(const struct cause_proof *proof)
{
	return proof->to && strcmp(proof->to, "true") && strcmp(proof->to, "false");
}

void cause_proof_add_change(const struct cause_proof *proof, struct str *out)
{
	bool branch = !strcmp(proof->kind, "branch");

	str_add(out, branch && is_switch(proof) ? "with switch (" : "with ");
	explanation_add_safe(out, proof->changed ? proof->changed : "the condition");
	if (branch && is_switch(proof))
		str_add(out, ")");
	if (!proof->to)
		return;
	str_add(out, !branch ? " = " : is_switch(proof) ? " going to " : " ");
	explanation_add_safe(out, proof->to);
}

/* 'with class = 2 after triangle.c:14 the run passes [experiment 12]'. */
static void add_proof(const struct cause_proof *proof, struct str *out)
{
	bool branch = !strcmp(proof->kind, "branch");
	struct explanation_place at = proof->at;

	at.column = 0;
	cause_proof_add_change(proof, out);
	if (at.file) {
		str_add(out, branch ? " at " : " after ");
		explanation_add_place(out, &at);
	}
	if (proof->instance > 1)
		str_printf(out, ", execution %llu,", (unsigned long long)proof->instance);
	str_printf(out, " the run passes [experiment %llu]", (unsigned long long)proof->experiment);
}

/* The best one: a branch that went another way; else the first. NULL: none. */
static const struct cause_proof *best_proof(const struct cause_node *node)
{
	const struct cause_proof *best = NULL;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->counts &&
		    (!best || (!strcmp(proof->kind, "branch") && strcmp(best->kind, "branch"))))
			best = proof;
	}
	return best;
}

/* '; so do 2 other changes [experiments 3, 4]'. */
static void add_others(const struct cause_node *node, const struct cause_proof *best,
                       struct str *out)
{
	struct str list = STR_INIT;
	uint32_t count = 0;

	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof == best || !proof->counts || proof->experiment == best->experiment)
			continue;
		if (count++ < MOST_PROOFS)
			str_printf(&list, "%s%llu", count > 1 ? ", " : "",
			           (unsigned long long)proof->experiment);
	}
	if (count)
		str_printf(out, "; so %s %u other change%s [experiment%s %s%s]",
		           count == 1 ? "does" : "do", count, count == 1 ? "" : "s",
		           count == 1 ? "" : "s", str_text(&list),
		           count > MOST_PROOFS ? ", ..." : "");
	str_deinit(&list);
}

/* The first with which the run passes, though that proves nothing. NULL: none. */
static const struct cause_proof *first_evasion(const struct cause_node *node)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (!strcmp(proof->outcome, "pass") && (proof->avoids || proof->early))
			return proof;
	}
	return NULL;
}

static void print_proofs(const struct cause_printer *p, const struct cause_node *node,
                         unsigned indent)
{
	const struct cause_proof *best = node->proven ? best_proof(node) : NULL;
	const struct cause_proof *evasion = best ? NULL : first_evasion(node);
	struct str text = STR_INIT;

	if (best) {
		str_printf(&text, "%sproven: %s", cause_colour(p, CAUSE_GREEN),
		           cause_colour(p, CELL_PLAIN));
		add_proof(best, &text);
		add_others(node, best, &text);
	} else if (evasion) {
		str_add(&text, "no proof: ");
		add_proof(evasion, &text);
		str_add(&text, evasion->avoids ? ", but avoids the check" : ", but gives up early");
	}
	if (text.length)
		cause_print_line(p, &text, indent);
}

/* --- what is not known, and where else to look --- */

static void print_doubts(const struct cause_printer *p, const struct cause_node *node,
                         unsigned indent)
{
	struct str text = STR_INIT;

	if (!strcmp(node->how, "unknown"))
		str_add(&text, "the solver gave up: some of these statements may not matter");
	else if (node->limited)
		str_add(&text, "not all that it was made of could be followed");
	if (text.length)
		cause_print_line(p, &text, indent);
	for (uint32_t i = 0; i < node->again.size; i++)
		if (p->full || cause_tree_node(p->tree, node->again.at[i])->proven)
			str_printf(&text, "%s%u", text.length ? ", " : "see also ",
			           node->again.at[i]);
	if (text.length)
		cause_print_line(p, &text, indent);
}

void cause_print_node(const struct cause_printer *p, const struct cause_node *node, unsigned indent,
                      bool source)
{
	unsigned inner = indent + 3;

	print_head(p, node, indent);
	if (node->at.source && source)
		explanation_print_source(&node->at, inner + 2, p->width,
		                         cause_colour(p, CAUSE_GREEN), cause_colour(p, CELL_PLAIN),
		                         p->file);
	print_condition(p, node, inner);
	print_statements(p, node, inner);
	print_proofs(p, node, inner);
	print_doubts(p, node, inner);
}
