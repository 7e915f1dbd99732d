/* Small changes of the code with which the failing run passes, in the page: see html_page.h. */
#include <string.h>

#include "report/explanation_fixes.h"
#include "report/html_page.h"

/* A line of the change, of which [from, to) is marked. */
static void add_line(struct str *out, const char *tag, const char *sign, const char *line,
                     size_t length, size_t from, size_t to)
{
	str_printf(out, "<%s>%s ", tag, sign);
	html_add_code(out, line, from);
	if (to > from) {
		str_add(out, "<mark>");
		html_add_code(out, line + from, to - from);
		str_add(out, "</mark>");
	}
	html_add_code(out, line + to, length - to);
	str_printf(out, "</%s>", tag);
}

static void add_change(struct str *out, const struct explanation_fix *fix)
{
	struct explanation_fix clamped = *fix;
	const char *texts[] = {fix->before ? fix->before : "", fix->after ? fix->after : ""};

	explanation_fix_clamp(&clamped);
	str_add(out, "<pre class=\"diff\">");
	for (int i = 0; i < 2; i++)
		for (size_t begin = 0, length; texts[i][begin];
		     begin += length + (texts[i][begin + length] == '\n')) {
			size_t from = clamped.mark > begin ? clamped.mark - begin : 0;
			size_t end = clamped.mark + clamped.mark_length;
			size_t to = end > begin ? end - begin : 0;

			length = strcspn(texts[i] + begin, "\n");
			from = i && from < length ? from : length;
			to = i && to < length ? to : length;
			add_line(out, i ? "ins" : "del", i ? "+" : "-", texts[i] + begin, length,
			         from, to > from ? to : from);
		}
	str_add(out, "</pre>");
}

static void add_sentence(struct str *out, const char *class, struct str *text)
{
	html_add_element(out, "p", class, text->length ? str_text(text) : NULL);
	str_deinit(text);
}

static void add_fix(struct html_page *page, uint32_t index)
{
	const struct explanation_fix *fix = &page->e->fixes.at[index];
	struct str *out = &page->out, text = STR_INIT;

	str_printf(out, "<li class=\"fix\" id=\"fix-%u\"><p class=\"head\">", index + 1);
	if (page->e->fixes_only)
		str_printf(out, "<span class=\"number\">%u</span>", index + 1);
	html_add_place_in(page, &fix->at, 0);
	str_add(out, "</p>");
	add_change(out, fix);
	explanation_add_tried(&text, page->e, fix);
	add_sentence(out, "tried", &text);
	explanation_add_agree(&text, fix);
	add_sentence(out, "agree", &text);
	if (fix->no_patch && page->e->fixes_only)
		str_printf(&text, "no patch: %s", fix->no_patch);
	add_sentence(out, "agree", &text);
	str_add(out, "</li>\n");
}

void html_add_fixes(struct html_page *page)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out, text = STR_INIT;

	if (!e->fixes.size && !e->fixes_only)
		return;
	str_printf(out,
	           "<section id=\"fixes\" aria-labelledby=\"fixes-title\"><h2 id=\"fixes-title\">"
	           "%s</h2>\n",
	           e->fixes_only ? "Small changes with which it passes"
	           : explanation_is_doubtful(e) || e->fixes.at[0].fitted ? "Possible defect"
	                                                                 : "Likely defect");
	explanation_add_no_fix(&text, e);
	add_sentence(out, "none", &text);
	explanation_add_doubt(&text, e);
	add_sentence(out, "doubt", &text);
	if (e->fixes_only)
		explanation_add_many(&text, e);
	add_sentence(out, "doubt", &text);
	str_add(out, "<ol class=\"fixes\">\n");
	for (uint32_t i = 0; i < explanation_shown_fixes(e, page->style); i++)
		add_fix(page, i);
	str_add(out, "</ol>");
	if (!e->fixes_only && explanation_shown_fixes(e, page->style) < e->fixes.size)
		explanation_add_other_fixes(&text, e, EXPLANATION_SHOWN_FIXES);
	else if (explanation_shown_fixes(e, page->style) < e->fixes.size)
		str_printf(&text, "and %u more (--all shows them)",
		           e->fixes.size - explanation_shown_fixes(e, page->style));
	add_sentence(out, "others", &text);
	str_add(out, "</section>\n");
}
