/* All experiments behind the steps and causes, as a table in the page. See html_page.h. */
#include <string.h>

#include "report/cause_tree.h"
#include "report/html_page.h"

/* A row, whatever it stands behind. */
struct row {
	uint64_t number;
	const char *owner; /* 'step' or 'cause' */
	uint32_t owner_number;
	const char *changed, *from, *to, *in, *outcome;
	const struct explanation_place *at;
	uint64_t instance;
	const char *remark;
	bool proves;
};

bool html_has_experiments(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].proofs.size)
			return true;
	for (uint32_t i = 0; e->tree && i < e->tree->nodes.size; i++)
		if (e->tree->nodes.at[i].proofs.size)
			return true;
	return false;
}

static void add_value(struct str *out, const char *text)
{
	str_add(out, "<td>");
	html_add_element(out, "code", NULL, text);
	str_add(out, "</td>");
}

static void add_row(struct html_page *page, const struct row *row)
{
	struct str *out = &page->out;

	str_add(out, "<tr");
	html_add_attribute(out, "data-outcome", row->outcome);
	str_printf(out, "><td class=\"count\">%llu</td>", (unsigned long long)row->number);
	str_printf(out,
	           "<td data-key=\"%s %06u\"><a class=\"owner\" href=\"#%s-%u\">%s %u</a></td>",
	           row->owner, row->owner_number, row->owner, row->owner_number, row->owner,
	           row->owner_number);
	add_value(out, row->changed);
	add_value(out, row->from);
	add_value(out, row->to);
	html_add_element(out, "td", NULL, row->in);
	str_add(out, "<td>");
	html_add_place(page, row->at);
	if (row->instance > 1)
		str_printf(out, " <small>time %llu</small>", (unsigned long long)row->instance);
	str_printf(out, "</td><td><span class=\"outcome%s\">", row->proves ? " proves" : "");
	html_add(out, row->outcome);
	str_add(out, "</span>");
	if (row->remark)
		html_add_element(out, "small", NULL, row->remark);
	str_add(out, "</td></tr>\n");
}

static const char *step_remark(const struct explanation_proof *proof)
{
	if (proof->local)
		return proof->guarded ? " judged by the next step, guarded"
		                      : " judged by the next step";
	return proof->guarded ? " guarded" : NULL;
}

static void add_of_step(struct html_page *page, uint32_t index)
{
	const struct explanation_step *step = &page->e->steps.at[index];

	for (uint32_t i = 0; i < step->proofs.size; i++) {
		const struct explanation_proof *p = &step->proofs.at[i];
		const struct row row = {
			.number = p->experiment,
			.owner = "step",
			.owner_number = index + 1,
			.changed = p->changed,
			.from = p->from,
			.to = p->to,
			.in = p->in,
			.outcome = p->outcome,
			.at = &p->at,
			.instance = p->instance,
			.remark = step_remark(p),
			.proves = !strcmp(p->outcome, strcmp(p->in, "failing") ? "fail" : "pass"),
		};

		add_row(page, &row);
	}
}

static void add_of_cause(struct html_page *page, const struct cause_node *node)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		const struct cause_proof *p = &node->proofs.at[i];
		const struct row row = {
			.number = p->experiment,
			.owner = "cause",
			.owner_number = node->number,
			.changed = p->changed,
			.from = p->from,
			.to = p->to,
			.in = "failing",
			.outcome = p->outcome,
			.at = &p->at,
			.instance = p->instance,
			.remark = p->avoids  ? " avoids the check"
		                  : p->early ? " gives up early"
		                             : NULL,
			.proves = p->counts,
		};

		add_row(page, &row);
	}
}

static void add_head(struct str *out)
{
	static const char *const heads[] = {"number", "for", "changed", "from",
	                                    "to",     "run", "place",   "outcome"};

	str_add(out, "<div class=\"tools\" hidden><label>find <input type=\"search\" "
	             "id=\"find\" autocomplete=\"off\" spellcheck=\"false\"></label><label>outcome "
	             "<select id=\"outcome\"><option value=\"\">any</option><option>pass</option>"
	             "<option>fail</option><option>unresolved</option></select></label>"
	             "<span id=\"shown\" role=\"status\"></span></div>\n"
	             "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	             "aria-labelledby=\"experiments-title\"><table class=\"experiments\">"
	             "<thead><tr>");
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		str_printf(out, "<th scope=\"col\">%s</th>", heads[i]);
	str_add(out, "</tr></thead><tbody>\n");
}

void html_add_experiments(struct html_page *page)
{
	const struct cause_tree *tree = page->e->tree;
	struct str *out = &page->out;

	if (!html_has_experiments(page->e))
		return;
	str_add(out, "<section id=\"experiments\" aria-labelledby=\"experiments-title\">"
	             "<h2 id=\"experiments-title\">Experiments</h2>\n"
	             "<p class=\"intro\">Each ran the program again with one thing changed. A "
	             "failing run that passes then, or a reference that fails, proves a "
	             "cause.</p>\n");
	add_head(out);
	for (uint32_t i = 0; i < page->e->steps.size; i++)
		add_of_step(page, i);
	for (uint32_t i = 0; tree && i < tree->nodes.size; i++)
		add_of_cause(page, &tree->nodes.at[i]);
	str_add(out, "</tbody></table></div></section>\n");
}
