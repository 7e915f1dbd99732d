/* How it was established, and the points that were looked at, in the page. See html_page.h. */
#include "report/explanation_fixes.h"
#include "report/html_page.h"

/* --- points --- */

static void add_time(struct str *out, uint64_t time)
{
	if (time)
		str_printf(out, "<td class=\"count\">%llu</td>", (unsigned long long)time);
	else
		str_add(out, "<td class=\"none\">never</td>");
}

static void add_point(struct html_page *page, const struct explanation_point *point)
{
	struct str *out = &page->out;

	str_printf(out, "<tr%s><td>", point->transition ? " class=\"transition\"" : "");
	html_add_place(page, &point->at);
	str_add(out, "</td>");
	add_time(out, point->failing_time);
	add_time(out, point->reference_time);
	str_add(out, "<td>");
	if (!point->values.size)
		str_add(out, "<span class=\"none\">nothing could be isolated</span>");
	for (uint32_t i = 0; i < point->values.size; i++) {
		const struct explanation_value *v = &point->values.at[i];

		str_add(out, i ? ", <code>" : "<code>");
		html_add(out, v->name ? v->name : "?");
		str_add(out, " = ");
		html_add(out, v->failing ? v->failing : "(none)");
		str_add(out, "</code>");
	}
	str_add(out, "</td></tr>\n");
}

void html_add_points(struct html_page *page)
{
	struct str *out = &page->out;

	if (!page->e->points.size)
		return;
	str_add(out,
	        "<section id=\"points\" aria-labelledby=\"points-title\">"
	        "<h2 id=\"points-title\">Points that were looked at</h2>\n"
	        "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
	        "aria-labelledby=\"points-title\"><table><thead><tr><th scope=\"col\">place</th>"
	        "<th scope=\"col\">failing time</th><th scope=\"col\">reference time</th>"
	        "<th scope=\"col\">what decides</th></tr></thead><tbody>\n");
	for (uint32_t i = 0; i < page->e->points.size; i++)
		add_point(page, &page->e->points.at[i]);
	str_add(out, "</tbody></table></div></section>\n");
}

/* --- how it was established --- */

static void add_experiments(struct str *out, const struct explanation *e)
{
	str_add(out, "<dt>experiments</dt><dd>");
	str_printf(out, "%llu", (unsigned long long)e->stats.experiments);
	if (e->stats.confounded)
		str_printf(out, " (%llu went ways that neither run had, and %s not counted)",
		           (unsigned long long)e->stats.confounded,
		           e->stats.confounded == 1 ? "was" : "were");
	if (e->stats.runs) {
		str_add(out, ", and ");
		html_add_count(out, e->stats.runs, "run");
		str_add(out, " on other input");
	}
	str_add(out, "</dd>");
}

static void add_stats(struct html_page *page)
{
	const struct explanation *e = page->e;
	unsigned long long hundredths = (unsigned long long)(e->stats.seconds * 100 + 0.5);
	struct str *out = &page->out;

	str_add(out, "<dl class=\"facts\">");
	if (e->reference.text) {
		str_add(out, "<dt>compared with</dt><dd>");
		html_add(out, e->reference.text);
		str_add(out, "</dd>");
	}
	add_experiments(out, e);
	if (explanation_sought_fixes(e)) {
		struct str counts = STR_INIT;

		explanation_add_edit_counts(&counts, e);
		str_add(out, "<dt>edits of the code</dt><dd>");
		html_add(out, str_text(&counts));
		str_add(out, "</dd>");
		str_deinit(&counts);
	}
	str_printf(out, "<dt>time</dt><dd>%llu.%02llu seconds</dd>", hundredths / 100,
	           hundredths % 100);
	if (e->stats.statements_failing) {
		str_add(out, "<dt>failing run</dt><dd>");
		html_add_count(out, e->stats.statements_failing, "statement");
		str_add(out, "</dd>");
	}
	if (e->stats.statements_reference) {
		str_add(out, "<dt>reference</dt><dd>");
		html_add_count(out, e->stats.statements_reference, "statement");
		str_add(out, "</dd>");
	}
	str_add(out, "</dl>\n");
}

void html_add_account(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out, none = STR_INIT;

	if (!e->fixes_only)
		explanation_add_no_fix(&none, e);
	str_add(out, "<section id=\"account\" aria-labelledby=\"account-title\">"
	             "<h2 id=\"account-title\">How it was established</h2>\n");
	add_stats(page);
	if (e->recipe && !e->fixes_only)
		str_add(out,
		        "<p class=\"intro\">If the report is saved (<code>--json</code>), "
		        "<code>hence "
		        "verify REPORT</code> makes its experiments again, and <code>hence gdb "
		        "REPORT N</code> stops in gdb at the moment of step N.</p>\n");
	if (e->notes.size || none.length)
		str_add(out, "<h3>To be known</h3><ul class=\"notes\">");
	for (uint32_t i = 0; i < e->notes.size; i++)
		html_add_element(out, "li", NULL, e->notes.at[i]);
	if (none.length)
		html_add_element(out, "li", NULL, str_text(&none));
	if (e->notes.size || none.length)
		str_add(out, "</ul>\n");
	str_deinit(&none);
	if (e->hint)
		str_add(out, "<h3>What else could be tried</h3>");
	html_add_element(out, "p", "hint", e->hint);
	str_add(out, "</section>\n");
}
