/* Where to look first, in the page: see html_page.h. */
#include "report/html_page.h"

#define BAR_WIDTH 96 /* of the bar of a score of 1 */

/* A bar, drawn: its length cannot be a style, since the page obeys no styles but its own. */
static void add_score(struct str *out, double score)
{
	unsigned percent = (unsigned)(score * 100 + 0.5);

	str_printf(out,
	           "<svg class=\"bar\" width=\"%d\" height=\"8\" aria-hidden=\"true\"><rect "
	           "class=\"rail\" width=\"%d\" height=\"8\" rx=\"4\"/><rect class=\"fill\" "
	           "width=\"%u\" height=\"8\" rx=\"4\"/></svg><span class=\"score\">%u.%02u</span>",
	           BAR_WIDTH, BAR_WIDTH, BAR_WIDTH * (percent > 100 ? 100 : percent) / 100,
	           percent / 100, percent % 100);
}

static void add_evidence(struct str *out, const struct explanation_suspect *s)
{
	if (!s->evidence.size)
		return;
	str_add(out, "<ul class=\"evidence\">");
	for (uint32_t i = 0; i < s->evidence.size; i++) {
		double weight = s->evidence.at[i].weight;
		int hundredths = (int)(weight * 100 + (weight < 0 ? -0.5 : 0.5));

		str_add(out, "<li>");
		html_add(out, s->evidence.at[i].kind ? s->evidence.at[i].kind : "?");
		str_printf(out, " <span class=\"score\">%s%d.%02d</span></li>",
		           hundredths < 0 ? "\xe2\x88\x92" : "+", abs(hundredths) / 100,
		           abs(hundredths) % 100);
	}
	str_add(out, "</ul>");
}

void html_add_suspects(struct html_page *page)
{
	struct str *out = &page->out;

	if (!page->e->suspects.size)
		return;
	str_add(out, "<section id=\"suspects\" aria-labelledby=\"suspects-title\">"
	             "<h2 id=\"suspects-title\">Look first at</h2>\n<ol class=\"suspects\">\n");
	for (uint32_t i = 0; i < explanation_shown_suspects(page->e, page->style->full); i++) {
		const struct explanation_suspect *s = &page->e->suspects.at[i];

		str_printf(out,
		           "<li class=\"suspect\" id=\"suspect-%u\"><p class=\"head\"><span "
		           "class=\"number\">%u</span>",
		           i + 1, i + 1);
		html_add_place_in(page, &s->at, 0);
		str_add(out, " <span class=\"weight\">");
		add_score(out, s->score);
		str_add(out, "</span></p>");
		html_add_line_of(page, &s->at);
		html_add_element(out, "p", "why", s->why);
		add_evidence(out, s);
		str_add(out, "</li>\n");
	}
	str_add(out, "</ol></section>\n");
}
