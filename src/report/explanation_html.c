/*
 * An explanation as a page: one file that needs nothing else. Nothing of the program is inside its script or style, and
 * the browser is told to obey only these two, by their hashes: html_page.h.
 */
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/html_page.h"

/* --- the head --- */

static void add_bytes(struct str *out, const char *begin, const char *end)
{
	str_add_bytes(out, begin, (size_t)(end - begin));
}

static void add_head(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	str_printf(out,
	           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	           "style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n",
	           html_style_hash, html_script_hash);
	str_add(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	             "<meta name=\"color-scheme\" content=\"light dark\">\n"
	             "<meta name=\"generator\" content=\"hence\">\n"
	             "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	html_add(out, e->program ? e->program : "the program");
	str_add_char(out, ' ');
	html_add(out, e->failure.message ? e->failure.message : "fails");
	str_add(out, "</title>\n<style>");
	add_bytes(out, html_style, html_style_end);
	str_add(out, "</style>\n</head>\n");
}

/* --- what failed --- */

static bool is(const char *text, const char *other)
{
	return text && !strcmp(text, other);
}

/* The text without what it may begin with. */
static const char *without(const char *text, const char *beginning)
{
	size_t length = strlen(beginning);

	return strncmp(text, beginning, length) ? text : text + length;
}

static void add_verdict(struct str *out, const struct explanation *e)
{
	bool explained = is(e->verdict, "explained"), incomplete = is(e->verdict, "incomplete");
	struct str text = STR_INIT;

	str_printf(out, "<span class=\"verdict %s\">%s</span> ",
	           explained ? "explained" : "unproven",
	           e->fixes_only && explained     ? "found"
	           : e->fixes_only && !incomplete ? "not found"
	           : explained                    ? "explained"
	           : incomplete                   ? "incomplete"
	                                          : "unproven");
	if (!explained)
		explanation_add_verdict(&text, e);
	html_add(out, without(str_text(&text), "incomplete: "));
	str_deinit(&text);
}

static void add_facts(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_add(out, "<dl class=\"facts\">");
	if (e->command.size) {
		str_add(out, "<dt>command</dt><dd>");
		html_add_command(out, e->command.at, e->command.size);
		str_add(out, "</dd>");
	}
	if (e->failure.at.file) {
		str_add(out, "<dt>failure</dt><dd>");
		html_add_place_in(page, &e->failure.at, 0);
		str_add(out, "</dd>");
	}
	if (e->memory_error.words) {
		str_add(out, "<dt>memory error</dt><dd>");
		html_add(out, e->memory_error.words);
		str_add(out,
		        e->memory_error.usual ? "; a run that passes makes it, too</dd>" : "</dd>");
	}
	if (!e->fixes_only) {
		str_add(out, "<dt>compared with</dt><dd>");
		html_add(out, e->reference.text ? e->reference.text
		                                : "nothing: there is no run that passes");
		str_add(out, "</dd>");
	}
	str_add(out, "<dt>verdict</dt><dd>");
	add_verdict(out, e);
	str_add(out, "</dd></dl>\n");
}

static void add_link(struct str *out, const char *id, const char *text)
{
	str_printf(out, "<a href=\"#%s\">%s</a>", id, text);
}

/* To the sections that are there. */
static void add_links(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_add(out, "<nav aria-label=\"sections\">");
	if (e->fixes.size)
		add_link(out, "fixes", e->fixes_only ? "Changes" : "Defect");
	if (!e->fixes_only)
		add_link(out, "chain", "Chain");
	if (html_has_source(page))
		add_link(out, "source", "Source");
	if (html_has_memory(e))
		add_link(out, "memory", "Memory");
	if (e->suspects.size)
		add_link(out, "suspects", "Look first at");
	if (e->tree && e->tree->nodes.size)
		add_link(out, "tree", "Cause tree");
	if (html_has_experiments(e))
		add_link(out, "experiments", "Experiments");
	add_link(out, "account", "How it was established");
	str_add(out, "</nav>\n<div class=\"buttons\" hidden><button type=\"button\" id=\"theme\">"
	             "dark</button><button type=\"button\" id=\"help\" aria-haspopup=\"dialog\" "
	             "aria-label=\"keys\">?</button></div>\n");
}

static void add_header(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	str_printf(out, "<body>\n<a class=\"skip\" href=\"#%s\">to the %s</a>\n<header>\n",
	           e->fixes_only ? "fixes" : "chain", e->fixes_only ? "changes" : "chain");
	str_add(out, "<div class=\"top\"><span class=\"brand\">hence</span>");
	add_links(page);
	str_add(out, "</div>\n<h1><code>");
	html_add(out, e->program ? e->program : "the program");
	str_add(out, "</code> ");
	html_add(out, e->failure.message ? e->failure.message : "fails");
	str_add(out, "</h1>\n");
	add_facts(page);
	str_add(out, "</header>\n");
}

/* --- the keys, which the script shows --- */

static void add_keys(struct str *out)
{
	static const char *const keys[][2] = {
		{"j", "next step (in the chain also \xe2\x86\x93)"},
		{"k", "step before (in the chain also \xe2\x86\x91)"},
		{"g G", "first step, last step"},
		{"Enter", "from a step to its line in the source"},
		{"Esc", "back to the step"},
		{"s m", "source, memory"},
		{"l", "where to look first"},
		{"t", "cause tree: \xe2\x86\x93 \xe2\x86\x91 go, \xe2\x86\x92 \xe2\x86\x90 unfold "
	              "and fold"},
		{"e /", "experiments, find an experiment"},
		{"d", "dark or light"},
		{"?", "these keys"},
	};

	str_add(out, "<dialog id=\"keys\" aria-labelledby=\"keys-title\"><h2 id=\"keys-title\">Keys"
	             "</h2><table><tbody>");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		str_add(out, "<tr><th scope=\"row\">");
		for (const char *at = keys[i][0]; *at;) {
			size_t length = strcspn(at, " ");

			str_add(out, "<kbd>");
			html_add_code(out, at, length);
			str_add(out, "</kbd> ");
			at += length + (at[length] == ' ');
		}
		str_printf(out, "</th><td>%s</td></tr>", keys[i][1]);
	}
	str_add(out,
	        "</tbody></table><button type=\"button\" id=\"close\">close</button></dialog>\n");
}

/* The chain, and beside it what goes along with the step that is chosen. */
static void add_bench(struct html_page *page)
{
	struct str *out = &page->out;
	bool alone = !html_has_source(page) && !html_has_memory(page->e);

	str_printf(out, "<div class=\"bench%s\">\n<div class=\"tale\">\n", alone ? " alone" : "");
	html_add_fixes(page);
	if (!page->e->fixes_only)
		html_add_chain(page);
	html_add_suspects(page);
	str_add(out, "</div>\n");
	if (!alone) {
		str_add(out, "<div class=\"stage\">\n");
		html_add_source(page);
		html_add_memory(page);
		str_add(out, "</div>\n");
	}
	str_add(out, "</div>\n");
}

void explanation_print_html(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	struct html_page page = {.e = e, .style = style};
	struct str *out = &page.out;

	html_lines_init(&page);
	add_head(&page);
	add_header(&page);
	str_add(out, "<main>\n");
	add_bench(&page);
	html_add_tree(&page);
	html_add_experiments(&page);
	html_add_points(&page);
	html_add_account(&page);
	str_add(out, "</main>\n<p id=\"status\" class=\"quiet\" role=\"status\"></p>\n");
	add_keys(out);
	str_add(out, "<script>");
	add_bytes(out, html_script, html_script_end);
	str_add(out, "</script>\n</body>\n</html>\n");
	fwrite(str_text(out), 1, out->length, file);
	html_lines_deinit(&page);
	str_deinit(out);
}
