/* The values of a step in both runs, and what is new of them since the step before. See html_page.h. */
#include <string.h>

#include "report/html_page.h"

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_variable(const struct explanation_value *a, const struct explanation_value *b)
{
	return a->name && b->name && !strcmp(a->name, b->name) &&
	       same_text(a->function, b->function);
}

static const struct explanation_value *find(const struct explanation_step *step,
                                            const struct explanation_value *value)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (same_variable(&step->values.at[i], value))
			return &step->values.at[i];
	return NULL;
}

static void add_value(struct str *out, const char *class, const char *text)
{
	str_printf(out, "<td class=\"%s\">", class);
	if (text) {
		str_add(out, "<code>");
		html_add(out, text);
		str_add(out, "</code>");
	} else {
		str_add(out, "<span class=\"none\">does not exist</span>");
	}
	str_add(out, "</td>");
}

static void add_old(struct str *out, const char *text)
{
	if (!text) {
		str_add(out, "nothing");
		return;
	}
	str_add(out, "<code>");
	html_add(out, text);
	str_add(out, "</code>");
}

/* 'new', 'as at step 2', 'was 3 (not 4) at step 2'. */
static void add_change(struct str *out, const struct explanation *e, uint32_t step,
                       const struct explanation_value *v)
{
	const struct explanation_value *old = NULL;

	while (step && !old)
		old = find(&e->steps.at[--step], v);
	if (!old) {
		str_add(out, "<td class=\"change new\">new</td>");
		return;
	}
	if (same_text(old->failing, v->failing) && same_text(old->reference, v->reference)) {
		str_printf(out, "<td class=\"change\">as at step %u</td>", step + 1);
		return;
	}
	str_add(out, "<td class=\"change changed\">was ");
	add_old(out, old->failing);
	str_add(out, " (not ");
	add_old(out, old->reference);
	str_printf(out, ") at step %u</td>", step + 1);
}

static void add_row(struct str *out, const struct explanation *e, uint32_t step,
                    const struct explanation_value *v)
{
	const char *kind = e->steps.at[step].kind;

	str_add(out, "<tr><th scope=\"row\">");
	if (v->name)
		html_add_element(out, "code", NULL, v->name);
	else
		html_add(out, kind ? kind : "it");
	if (v->function) {
		str_add(out, " <small>of ");
		html_add(out, v->function);
		str_add(out, "()</small>");
	}
	str_add(out, "</th>");
	add_value(out, "failing", v->failing);
	add_value(out, "reference", v->reference);
	add_change(out, e, step, v);
	str_add(out, "</tr>\n");
}

/* What decided at the step before, and is no longer in the table. */
static void add_gone(struct str *out, const struct explanation *e, uint32_t step)
{
	const char *between = "<p class=\"gone\">no longer what decides: ";
	bool any = false;

	for (uint32_t i = 0; step && i < e->steps.at[step - 1].values.size; i++) {
		const struct explanation_value *v = &e->steps.at[step - 1].values.at[i];

		if (!v->name || find(&e->steps.at[step], v))
			continue;
		str_add(out, between);
		html_add_element(out, "code", NULL, v->name);
		between = ", ";
		any = true;
	}
	if (any)
		str_add(out, "</p>\n");
}

void html_add_values(struct html_page *page, uint32_t step)
{
	const struct explanation *e = page->e;
	struct str *out = &page->out;

	if (e->steps.at[step].values.size) {
		str_printf(out,
		           "<div class=\"wide\"><table class=\"values\"><caption>Values at step "
		           "%u</caption><thead><tr><th scope=\"col\">variable</th><th "
		           "scope=\"col\">failing run</th><th scope=\"col\">reference</th><th "
		           "scope=\"col\">since before</th></tr></thead><tbody>\n",
		           step + 1);
		for (uint32_t i = 0; i < e->steps.at[step].values.size; i++)
			add_row(out, e, step, &e->steps.at[step].values.at[i]);
		str_add(out, "</tbody></table></div>\n");
	}
	add_gone(out, e, step);
}
