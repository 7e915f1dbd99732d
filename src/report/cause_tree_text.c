/* A cause tree for a person: a paragraph for each node, indented by its level. */
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/cause_tree.h"
#include "report/columns.h"
#include "report/explanation_words.h"

#define CAUSE_NARROW 40u /* columns that are left for a node at least */
#define TEXT_GREEN   "\x1b[32m"

struct cause_printer {
	const struct cause_tree *tree;
	const struct explanation_style *style;
	unsigned width;
	uint32_t deepest;
	bool full;   /* nothing is left out of a node */
	bool *leads; /* by number: it is proven, or a node below it is */
	FILE *file;
};

static inline const char *cause_colour(const struct cause_printer *p, const char *code)
{
	return p->style->coloured ? code : "";
}

#define MOST_STATEMENTS 14u /* of a node that are shown */
#define MOST_PROOFS     4u  /* other proofs than the best one whose numbers are printed */

/* Prints a paragraph whose later lines are indented more, and empties the text. */
static void cause_print_line(const struct cause_printer *p, struct str *text, unsigned indent)
{
	columns_wrap_hanging(str_text(text), indent, indent + 2, p->width, p->file);
	str_deinit(text);
}

/* --- one node --- */

/* Does it only repeat the line and the condition, which are printed already? */
static bool is_own(const struct cause_node *node, const struct cause_statement *s)
{
	return s->condition && explanation_same_line(&s->at, &node->at);
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
		         number > count - MOST_STATEMENTS / 2) {
			const struct cause_statement *s = &node->statements.at[i];
			struct explanation_place at = s->at;
			struct str text GUARD(str_deinit) = STR_INIT;
			bool before = false, after = false;

			at.column = 0;
			explanation_add_place(&text, &at);
			str_add(&text, "  ");
			explanation_add_safe(&text, s->text ? s->text : "");
			/* ' x3': it was executed so often. Where others stand for these executions as well: ' (first of 3)'. */
			if (s->count >= 2) {
				for (uint32_t j = 0; j < node->statements.size; j++) {
					before |= j < i &&
					          explanation_same_place(&node->statements.at[j].at,
					                                 &s->at);
					after |= j > i &&
					         explanation_same_place(&node->statements.at[j].at,
					                                &s->at);
				}
				if (before || after)
					str_printf(&text, " (%s of %llu)",
					           !before  ? "first"
					           : !after ? "last"
					                    : "one",
					           (unsigned long long)s->count);
				else
					str_printf(&text, " x%llu", (unsigned long long)s->count);
			}
			columns_cut(&text, p->width > (indent + 2) + CAUSE_NARROW
			                           ? p->width - (indent + 2)
			                           : CAUSE_NARROW);
			fprintf(p->file, "%*s%s\n", (int)(indent + 2), "", str_text(&text));
		}
	}
}

/* --- one node: experiments --- */

static bool is_switch(const struct cause_proof *proof)
{
	return proof->to && strcmp(proof->to, "true") && strcmp(proof->to, "false");
}

void cause_proof_add_change(const struct cause_proof *proof, struct str *out)
{
	bool branch = proof->kind == CAUSE_BRANCH;

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
	bool branch = proof->kind == CAUSE_BRANCH;
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
		    (!best || (proof->kind == CAUSE_BRANCH && best->kind != CAUSE_BRANCH)))
			best = proof;
	}
	return best;
}

/* The first with which the run passes, though that proves nothing. NULL: none. */
static const struct cause_proof *first_evasion(const struct cause_node *node)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *proof = &node->proofs.at[i];

		if (proof->outcome == VERDICT_PASS && (proof->avoids || proof->early))
			return proof;
	}
	return NULL;
}

/* --- one node: what is not known, and where else to look --- */

/* `source`: with its line of source. */
static void cause_print_node(const struct cause_printer *p, const struct cause_node *node,
                             unsigned indent, bool source)
{
	unsigned inner = indent + 3;
	struct str text = STR_INIT;
	const struct cause_proof *best, *evasion;

	str_printf(&text, "%s%u.%s ", cause_colour(p, TEXT_BOLD), node->number,
	           cause_colour(p, TEXT_PLAIN));
	explanation_add_place_in(&text, &node->at, cause_colour(p, TEXT_CYAN),
	                         cause_colour(p, TEXT_PLAIN));
	if (node->instances > 1)
		str_printf(&text, ", %llu executions", (unsigned long long)node->instances);
	if (node->instance > 1)
		str_printf(&text,
		           node->instances > 1 ? ", the last is number %llu" : ", execution %llu",
		           (unsigned long long)node->instance);
	if (node->proven)
		str_printf(&text, " %sPROVEN%s", cause_colour(p, TEXT_GREEN),
		           cause_colour(p, TEXT_PLAIN));
	cause_print_line(p, &text, indent);
	if (node->at.source && source)
		explanation_print_source(&node->at, inner + 2, p->width,
		                         cause_colour(p, TEXT_GREEN), cause_colour(p, TEXT_PLAIN),
		                         p->file);
	/* What was not so, and why that matters. */
	str_add(&text, cause_colour(p, TEXT_BOLD));
	cause_node_add_condition(node, &text);
	str_add(&text, cause_colour(p, TEXT_PLAIN));
	if (node->wanted)
		cause_print_line(p, &text, inner);
	str_deinit(&text);
	if (node->level) {
		cause_node_add_why(p->tree, node, &text);
		cause_print_line(p, &text, inner);
	}
	print_statements(p, node, inner);
	best = node->proven ? best_proof(node) : NULL;
	evasion = best ? NULL : first_evasion(node);
	if (best) {
		struct str list GUARD(str_deinit) = STR_INIT;
		uint32_t count = 0;

		str_printf(&text, "%sproven: %s", cause_colour(p, TEXT_GREEN),
		           cause_colour(p, TEXT_PLAIN));
		add_proof(best, &text);
		/* '; so do 2 other changes [experiments 3, 4]'. */
		for (uint32_t i = 0; i < node->proofs.size; i++) {
			const struct cause_proof *proof = &node->proofs.at[i];

			if (proof == best || !proof->counts ||
			    proof->experiment == best->experiment)
				continue;
			if (count++ < MOST_PROOFS)
				str_printf(&list, "%s%llu", count > 1 ? ", " : "",
				           (unsigned long long)proof->experiment);
		}
		if (count)
			str_printf(&text, "; so %s %u other change%s [experiment%s %s%s]",
			           count == 1 ? "does" : "do", count, count == 1 ? "" : "s",
			           count == 1 ? "" : "s", str_text(&list),
			           count > MOST_PROOFS ? ", ..." : "");
	} else if (evasion) {
		str_add(&text, "no proof: ");
		add_proof(evasion, &text);
		str_add(&text, evasion->avoids ? ", but avoids the check" : ", but gives up early");
	}
	if (text.length)
		cause_print_line(p, &text, inner);
	if (node->how == CAUSE_UNKNOWN)
		str_add(&text, "the solver gave up: some of these statements may not matter");
	else if (node->limited)
		str_add(&text, "not all that it was made of could be followed");
	if (text.length)
		cause_print_line(p, &text, inner);
	for (uint32_t i = 0; i < node->again.size; i++)
		if (p->full || cause_tree_node(p->tree, node->again.at[i])->proven)
			str_printf(&text, "%s%u", text.length ? ", " : "see also ",
			           node->again.at[i]);
	if (text.length)
		cause_print_line(p, &text, inner);
}

#define STEP          3u  /* columns that a level is indented by */
#define MOST_CHILDREN 12u /* of a node that are shown, unless they lead to a proven one */
#define MOST_ADVICE   5u  /* values that are named in the end; the same for branches */

/* --- the tree --- */

/* Deep levels stay readable. */
static unsigned indent_of(const struct cause_printer *p, uint32_t level)
{
	unsigned most = p->width > CAUSE_NARROW ? p->width - CAUSE_NARROW : 0;

	return level * STEP < most ? level * STEP : most;
}

/* Is it printed in one line: unproven like all below it, and others are proven, or it is deep in the tree? */
static bool is_short(const struct cause_printer *p, const struct cause_node *node)
{
	if (p->full || !node->level || p->leads[node->number])
		return false;
	return p->leads[0] ? node->tried : node->level > 1;
}

/* Short ones stand line by line; `short_before`: so does the one before. */
static void print_subtree(const struct cause_printer *p, const struct cause_node *node,
                          bool short_before)
{
	bool brief = is_short(p, node), before = brief;
	uint32_t shown = 0, hidden = 0;

	if (!brief || !short_before)
		fputc('\n', p->file);
	if (brief) {
		/* In a line or two: where it is, what was not so, and why that matters. */
		struct explanation_place at = node->at;
		struct str text = STR_INIT;
		static const char *const words[] = {[CAUSE_DIRECT] = "decides",
		                                    [CAUSE_INDIRECT] = "could change",
		                                    [CAUSE_ADDRESS] = "address for",
		                                    [CAUSE_MISSED] = "not written for"};

		at.column = 0;
		str_printf(&text, "%s%u.%s %s", cause_colour(p, TEXT_BOLD), node->number,
		           cause_colour(p, TEXT_PLAIN), cause_colour(p, TEXT_CYAN));
		explanation_add_place(&text, &at);
		str_printf(&text, "%s  ", cause_colour(p, TEXT_PLAIN));
		cause_node_add_condition(node, &text);
		str_add(&text, node->wanted ? "; " : "");
		/* 'decides line 14'. */
		if (words[node->reason])
			str_printf(&text, "%s ", words[node->reason]);
		if (node->via.file && node->via.line)
			cause_node_add_via(node, &text);
		else
			str_printf(&text, "cause %u", node->parent);
		cause_print_line(p, &text, indent_of(p, node->level));
	} else
		cause_print_node(p, node, indent_of(p, node->level), true);
	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child = cause_tree_node(p->tree, node->children.at[i]);

		if (!p->leads[child->number] &&
		    !(child->level <= p->deepest && (p->full || shown < MOST_CHILDREN))) {
			hidden += 1 + cause_tree_below(p->tree, child->number);
			continue;
		}
		print_subtree(p, child, before);
		before = is_short(p, child);
		shown++;
	}
	if (hidden)
		fprintf(p->file, "%s%*s... %u more cause%s below %u (--full)\n",
		        is_short(p, node) ? "" : "\n", (int)indent_of(p, node->level + 1), "",
		        hidden, hidden == 1 ? "" : "s", node->number);
}

/* --- around it --- */

static void print_failure(const struct cause_printer *p)
{
	struct str text = STR_INIT;

	str_add(&text, cause_colour(p, TEXT_BOLD));
	explanation_add_safe(&text, p->tree->program ? p->tree->program : "the program");
	str_add(&text, ": ");
	explanation_add_safe(&text, p->tree->what ? p->tree->what : "it fails");
	str_add(&text, cause_colour(p, TEXT_PLAIN));
	cause_print_line(p, &text, 0);
}

static void add_number(struct str *out, uint64_t number, const char *what)
{
	str_printf(out, "%llu %s%s", (unsigned long long)number, what, number == 1 ? "" : "s");
}

/* --- where to look --- */

/* A change with which the run passes. */
struct change {
	const struct cause_proof *proof;
	uint32_t order; /* among all of them: of one statement, the best first */
};

struct advice {
	VEC(struct change) all;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->proof->time != y->proof->time)
		return x->proof->time < y->proof->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_told(const struct advice *told, const struct cause_proof *proof)
{
	for (uint32_t i = 0; i < told->all.size; i++)
		if (told->all.at[i].proof->at.line == proof->at.line &&
		    !strcmp(told->all.at[i].proof->at.file, proof->at.file))
			return true;
	return false;
}

static void add_change(struct advice *advice, const struct cause_proof *proof)
{
	struct change *change = vec_push(&advice->all);

	change->proof = proof;
	change->order = advice->all.size;
}

/* Those of a kind, the earliest first, each place once. */
static void find_changes(const struct cause_tree *tree, enum cause_change kind, struct advice *out)
{
	struct advice found = {VEC_INIT};

	for (uint32_t i = 0; i < tree->nodes.size; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size; k++) {
			const struct cause_proof *proof = &tree->nodes.at[i].proofs.at[k];

			if (tree->nodes.at[i].proven && proof->counts && proof->at.file &&
			    proof->kind == kind)
				add_change(&found, proof);
		}
	if (found.all.size)
		qsort(found.all.at, found.all.size, sizeof(*found.all.at), by_time);
	for (uint32_t i = 0; i < found.all.size; i++)
		if (!is_told(out, found.all.at[i].proof))
			add_change(out, found.all.at[i].proof);
	vec_deinit(&found.all);
}

/* Of many, the first and the last. */
static void print_changes(const struct cause_printer *p, const struct change *changes,
                          uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (count <= MOST_ADVICE || i < MOST_ADVICE - 2 || i >= count - 2) {
			struct explanation_place at = changes[i].proof->at;
			struct str text = STR_INIT;

			at.column = 0;
			explanation_add_place(&text, &at);
			str_add(&text, "  ");
			cause_proof_add_change(changes[i].proof, &text);
			cause_print_line(p, &text, 2);
		}
}

/* Branches, then values: a branch has only one other way, but near the failure some value can mostly be found with
   which the run passes. */
static void print_advice(const struct cause_printer *p)
{
	struct advice changes = {VEC_INIT};
	uint32_t branches;

	find_changes(p->tree, CAUSE_BRANCH, &changes);
	branches = changes.all.size;
	find_changes(p->tree, CAUSE_VALUE, &changes);
	if (changes.all.size)
		fprintf(p->file, "\n%slook first at%s\n", cause_colour(p, TEXT_BOLD),
		        cause_colour(p, TEXT_PLAIN));
	print_changes(p, changes.all.at, branches);
	if (changes.all.size > branches)
		print_changes(p, changes.all.at + branches, changes.all.size - branches);
	vec_deinit(&changes.all);
}

/* --- the whole --- */

static void begin(struct cause_printer *p)
{
	const struct cause_tree *t = p->tree;

	p->width = p->style->width ? p->style->width : 80;
	p->leads = mem_alloc(t->nodes.size + 1);
	for (uint32_t i = t->nodes.size; i > 0; i--) {
		const struct cause_node *node = &t->nodes.at[i - 1];

		p->leads[i] |= node->proven;
		p->leads[node->parent] |= p->leads[i];
	}
}

void cause_tree_print_text(const struct cause_tree *tree, const struct explanation_style *style,
                           uint32_t deepest, bool full, FILE *file)
{
	struct cause_printer p = {
		.tree = tree, .style = style, .deepest = deepest, .full = full, .file = file};
	uint32_t count = 0;
	const struct cause_tree *t;
	struct str line GUARD(str_deinit) = STR_INIT;

	begin(&p);
	print_failure(&p);
	if (tree->nodes.size)
		print_subtree(&p, &tree->nodes.at[0], false);
	print_advice(&p);
	t = p.tree;
	add_number(&line, t->nodes.size, "cause");
	str_printf(&line, ", %llu proven; ", (unsigned long long)t->stats.proven);
	add_number(&line, t->stats.inside, "instance");
	str_printf(&line, " of %llu in the tree (%.2f %%), ",
	           (unsigned long long)t->stats.instances,
	           t->stats.instances ? 100.0 * (double)t->stats.inside / (double)t->stats.instances
	                              : 0.0);
	add_number(&line, t->stats.lines, "line");
	str_add(&line, "; ");
	add_number(&line, t->stats.solver_calls, "solver call");
	if (t->stats.unknown)
		str_printf(&line, " (%llu unanswered)", (unsigned long long)t->stats.unknown);
	str_add(&line, ", ");
	add_number(&line, t->stats.experiments, "experiment");
	str_printf(&line, ", %.2f seconds", t->stats.seconds);
	fputc('\n', p.file);
	columns_wrap(str_text(&line), 0, p.width, p.file);
	for (uint32_t i = 0; i < p.tree->nodes.size; i++)
		count += !p.tree->nodes.at[i].expanded;
	if (count)
		fprintf(p.file,
		        "what led to %u of the causes was not computed; --levels says how "
		        "deep\n",
		        count);
	if (!p.tree->complete || p.tree->notes.size)
		fputc('\n', p.file);
	if (!p.tree->complete)
		fputs("the tree is not complete\n", p.file);
	for (uint32_t i = 0; i < p.tree->notes.size; i++) {
		struct str text = STR_INIT;

		str_add(&text, "note: ");
		explanation_add_safe(&text, p.tree->notes.at[i]);
		cause_print_line(&p, &text, 0);
	}
	free(p.leads);
}

void cause_node_print_text(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct cause_printer p = {.tree = tree, .style = style, .full = true, .file = file};

	begin(&p);
	cause_print_node(&p, cause_tree_node(tree, number), 0, false);
	free(p.leads);
}

void cause_tree_print_path(const struct cause_tree *tree, uint32_t number,
                           const struct explanation_style *style, FILE *file)
{
	struct cause_printer p = {.tree = tree, .style = style, .full = true, .file = file};
	struct cause_path path;

	begin(&p);
	print_failure(&p);
	cause_tree_path(tree, number, &path);
	for (uint32_t i = 0; i < path.numbers.size; i++) {
		fputc('\n', file);
		cause_print_node(&p, cause_tree_node(tree, path.numbers.at[i]), 0, true);
	}
	vec_deinit(&path.numbers);
	free(p.leads);
}

/* --- for editors --- */

void cause_tree_print_gcc(const struct cause_tree *tree, FILE *file)
{
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];
		struct str text GUARD(str_deinit) = STR_INIT;

		explanation_add_place(&text, &node->at);
		str_printf(&text, ": note: cause %u, level %u%s: ", node->number, node->level,
		           node->proven ? ", proven" : "");
		cause_node_add_condition(node, &text);
		str_add(&text, node->wanted ? "; " : "");
		cause_node_add_why(tree, node, &text);
		fprintf(file, "%s\n", str_text(&text));
	}
}
