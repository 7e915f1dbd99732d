/* The cause tree in the page: nested parts that fold. See html_page.h. */
#include <string.h>

#include "report/cause_tree.h"
#include "report/html_page.h"

#define OPEN_LEVELS    2u /* that are unfolded at first; as is all that leads to a proven cause */
#define FEW_STATEMENTS 3u /* of a cause that are not folded */
#define FEW_PROOFS     1u /* that prove nothing, likewise */

/* That are nested: browsers stop nesting at some depth, so deeper causes stand side by side. */
#define MOST_LEVELS 80u

/* For each node, by its number: is a proven cause below it, or is it one? */
struct leads {
	VEC(bool) on;
};

static void find_leads(const struct cause_tree *tree, struct leads *out)
{
	vec_reserve(&out->on, tree->nodes.size + 1);
	memset(out->on.at, 0, tree->nodes.size + 1);
	for (uint32_t i = 0; i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		if (!node->proven)
			continue;
		while (node && !out->on.at[node->number]) {
			out->on.at[node->number] = true;
			node = cause_tree_node(tree, node->parent);
		}
	}
}

/* --- one node --- */

static void add_summary(struct html_page *page, const struct cause_node *node)
{
	struct str text = STR_INIT, *out = &page->out;

	str_printf(out, "<summary><span class=\"number\">%u</span>", node->number);
	cause_node_add_condition(node, &text);
	html_add_element(out, "code", "condition", node->wanted ? str_text(&text) : NULL);
	str_add_char(out, ' ');
	html_add_place_in(page, &node->at, 0);
	if (node->instances > 1)
		str_printf(out, ", %llu executions", (unsigned long long)node->instances);
	else if (node->instance > 1)
		str_printf(out, ", execution %llu", (unsigned long long)node->instance);
	if (node->proven)
		str_add(out, " <span class=\"state proven\">proven</span>");
	else if (node->tried)
		str_add(out, " <span class=\"state unproven\">tried</span>");
	str_add(out, "</summary>");
	str_deinit(&text);
}

static void add_why(struct html_page *page, const struct cause_node *node)
{
	struct str text = STR_INIT;

	cause_node_add_why(page->e->tree, node, &text);
	html_add_element(&page->out, "p", "why", str_text(&text));
	str_deinit(&text);
}

/* Opens and closes what is folded if there is much of it, so that the causes below are not far away. */
static void open_list(struct str *out, bool folded, const char *label)
{
	str_add(out, folded ? "<details class=\"part\"><summary>" : "<p class=\"label\">");
	str_add(out, label);
	str_add(out, folded ? "</summary>" : "</p>");
}

static void close_list(struct str *out, bool folded)
{
	str_add(out, folded ? "</ul></details>" : "</ul>");
}

static void add_statements(struct html_page *page, const struct cause_node *node)
{
	struct str *out = &page->out, label = STR_INIT;
	bool folded = node->statements.size > FEW_STATEMENTS;

	if (!node->statements.size)
		return;
	str_add(&label, "made so by");
	if (folded)
		str_printf(&label, " %u statements", node->statements.size);
	open_list(out, folded, str_text(&label));
	str_deinit(&label);
	str_add(out, "<ul class=\"statements\">");
	for (uint32_t i = 0; i < node->statements.size; i++) {
		const struct cause_statement *s = &node->statements.at[i];

		str_printf(out, "<li%s>", s->condition ? " class=\"condition\"" : "");
		html_add_place(page, &s->at);
		str_add_char(out, ' ');
		html_add_element(out, "code", NULL, s->text);
		if (s->count > 1)
			str_printf(out, " \xc3\x97%llu", (unsigned long long)s->count);
		str_add(out, "</li>");
	}
	close_list(out, folded);
}

static const char *proof_words(const struct cause_proof *proof)
{
	if (!strcmp(proof->outcome, "pass"))
		return proof->avoids  ? "passes, but avoids the check"
		       : proof->early ? "passes, but gives up early"
		                      : "passes";
	return strcmp(proof->outcome, "fail") ? "neither passes nor fails" : "still fails";
}

static void add_proof(struct html_page *page, const struct cause_proof *proof)
{
	struct str text = STR_INIT, *out = &page->out;

	str_printf(out, "<li class=\"%s\">", proof->counts ? "proves" : "proves-not");
	cause_proof_add_change(proof, &text);
	html_add(out, str_text(&text));
	str_deinit(&text);
	if (proof->at.file)
		str_add(out, strcmp(proof->kind, "branch") ? " after " : " at ");
	html_add_place(page, &proof->at);
	if (proof->instance > 1)
		str_printf(out, ", execution %llu,", (unsigned long long)proof->instance);
	str_printf(out, " the run %s <small>[experiment %llu]</small></li>", proof_words(proof),
	           (unsigned long long)proof->experiment);
}

/* Experiments that prove it, or those that do not. */
static void add_some_proofs(struct html_page *page, const struct cause_node *node, bool counts)
{
	struct str label = STR_INIT;
	uint32_t count = 0;
	bool folded;

	for (uint32_t i = 0; i < node->proofs.size; i++)
		count += node->proofs.at[i].counts == counts;
	folded = !counts && count > FEW_PROOFS;
	if (!count)
		return;
	if (folded) {
		html_add_count(&label, count, "experiment");
		str_add(&label, " in vain");
		open_list(&page->out, true, str_text(&label));
		str_deinit(&label);
	}
	str_add(&page->out, "<ul class=\"proofs\">");
	for (uint32_t i = 0; i < node->proofs.size; i++)
		if (node->proofs.at[i].counts == counts)
			add_proof(page, &node->proofs.at[i]);
	close_list(&page->out, folded);
}

static void add_doubts(struct html_page *page, const struct cause_node *node)
{
	struct str *out = &page->out;

	if (!strcmp(node->how, "unknown"))
		str_add(out, "<p class=\"doubt\">The solver gave up: some of these statements may "
		             "not matter.</p>");
	else if (node->limited)
		str_add(out, "<p class=\"doubt\">Not all that it was made of could be "
		             "followed.</p>");
	if (!node->expanded)
		str_add(out, "<p class=\"doubt\">Its own causes were not looked for.</p>");
	for (uint32_t i = 0; i < node->again.size; i++)
		str_printf(out, "%s<a href=\"#cause-%u\">%u</a>%s",
		           i ? ", " : "<p class=\"again\">see also ", node->again.at[i],
		           node->again.at[i], i + 1 == node->again.size ? "</p>" : "");
}

/* --- the tree --- */

static void add_node(struct html_page *page, const struct cause_node *node,
                     const struct leads *leads);

static void add_children(struct html_page *page, const struct cause_node *node,
                         const struct leads *leads)
{
	for (uint32_t i = 0; i < node->children.size; i++) {
		const struct cause_node *child =
			cause_tree_node(page->e->tree, node->children.at[i]);

		if (child && child->level > node->level)
			add_node(page, child, leads);
	}
}

static void add_node(struct html_page *page, const struct cause_node *node,
                     const struct leads *leads)
{
	struct str *out = &page->out;
	bool lead = leads->on.at[node->number], nested = node->level < MOST_LEVELS;

	str_printf(out, "<li id=\"cause-%u\" class=\"cause%s\" data-level=\"%u\"><details%s>",
	           node->number, lead ? " lead" : "", node->level,
	           lead || node->level < OPEN_LEVELS ? " open" : "");
	add_summary(page, node);
	str_add(out, "<div class=\"body\">");
	html_add_line_of(page, &node->at);
	add_why(page, node);
	add_statements(page, node);
	add_some_proofs(page, node, true);
	add_some_proofs(page, node, false);
	add_doubts(page, node);
	str_add(out, "</div>");
	if (node->children.size && nested) {
		str_add(out, "<ul class=\"causes\">");
		add_children(page, node, leads);
		str_add(out, "</ul>");
	}
	str_add(out, "</details></li>\n");
	if (!nested)
		add_children(page, node, leads);
}

void html_add_tree(struct html_page *page)
{
	const struct cause_tree *tree = page->e->tree;
	struct leads leads = {VEC_INIT};
	struct str *out = &page->out;

	if (!tree || !tree->nodes.size)
		return;
	find_leads(tree, &leads);
	str_add(out, "<section id=\"tree\" aria-labelledby=\"tree-title\">"
	             "<h2 id=\"tree-title\">Cause tree</h2>\n<p class=\"intro\">");
	html_add_count(out, tree->nodes.size, "cause");
	str_printf(out,
	           ", %llu proven%s. Each cause is a condition of the failing run that was not "
	           "so; below it is what made it so.</p>\n",
	           (unsigned long long)tree->stats.proven, tree->complete ? "" : "; not complete");
	str_add(out, "<div class=\"tools\" hidden>"
	             "<button type=\"button\" data-tree=\"all\">unfold all</button>"
	             "<button type=\"button\" data-tree=\"proven\">to the proven</button>"
	             "<button type=\"button\" data-tree=\"none\">fold all</button></div>\n"
	             "<ul class=\"tree\">\n");
	add_node(page, &tree->nodes.at[0], &leads);
	str_add(out, "</ul>");
	for (uint32_t i = 0; i < tree->notes.size; i++)
		html_add_element(out, "p", "note", tree->notes.at[i]);
	str_add(out, "</section>\n");
	vec_deinit(&leads.on);
}
