/* The memory at each step, as a picture and as a table, in the page. See html_page.h. */
#include "report/html_memory_draw.h"
#include "report/html_page.h"

bool html_has_memory(const struct explanation *e)
{
	for (uint32_t i = 0; i < e->steps.size; i++)
		if (e->steps.at[i].memory.boxes.size)
			return true;
	return false;
}

/* The last memory before a step. NULL: none. */
static const struct explanation_memory *memory_before(const struct explanation *e, uint32_t step)
{
	while (step)
		if (e->steps.at[--step].memory.boxes.size)
			return &e->steps.at[step].memory;
	return NULL;
}

/* --- the table --- */

static void add_code_cell(struct str *out, const char *class, const char *text)
{
	str_printf(out, "<td class=\"%s\">", class);
	html_add_element(out, "code", NULL, text);
	str_add(out, "</td>");
}

static void add_row(struct str *out, const struct explanation_memory *memory,
                    const struct explanation_box *box, const struct explanation_cell *cell)
{
	str_printf(out, "<tr%s><th scope=\"row\">", cell->decides ? " class=\"decides\"" : "");
	html_add_element(out, "code", NULL, box->name ? box->name : "?");
	if (box->where) {
		str_add(out, " <small>");
		html_add(out, box->where);
		str_add(out, "</small>");
	}
	str_add(out, "</th>");
	add_code_cell(out, "type", box->type);
	add_code_cell(out, "field", cell->name);
	add_code_cell(out, cell->reference ? "failing" : "value", cell->value);
	add_code_cell(out, "reference", cell->reference);
	add_code_cell(out, "target",
	              cell->target && cell->target <= memory->boxes.size
	                      ? memory->boxes.at[cell->target - 1].name
	                      : NULL);
	str_add(out, "</tr>\n");
}

static void add_table(struct str *out, const struct explanation_memory *memory)
{
	str_add(out, "<details class=\"as-table\"><summary>the same as a table</summary><div "
	             "class=\"wide\"><table><thead><tr><th scope=\"col\">where</th><th "
	             "scope=\"col\">type</th><th scope=\"col\">part</th><th "
	             "scope=\"col\">failing run</th><th scope=\"col\">reference, if "
	             "other</th><th scope=\"col\">points to</th></tr></thead><tbody>\n");
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t j = 0; j < memory->boxes.at[i].cells.size; j++)
			add_row(out, memory, &memory->boxes.at[i],
			        &memory->boxes.at[i].cells.at[j]);
	str_add(out, "</tbody></table></div></details>\n");
}

/* --- a step --- */

static void add_picture(struct str *out, const struct explanation_memory *memory,
                        const struct explanation_memory *before, uint32_t step)
{
	struct memory_frames now, old = {0};
	struct memory_picture picture;

	memory_frames_init(&now, memory);
	if (before)
		memory_frames_init(&old, before);
	memory_picture_init(&picture, &now.memory);
	memory_draw(&picture, before ? &old.memory : NULL, step, out);
	memory_picture_deinit(&picture);
	memory_frames_deinit(&now);
	memory_frames_deinit(&old);
}

static void add_figure(struct html_page *page, uint32_t step)
{
	const struct explanation_memory *memory = &page->e->steps.at[step].memory;
	struct str *out = &page->out;

	str_printf(out, "<figure id=\"memory-%u\" data-step=\"%u\"><figcaption>Memory at step %u",
	           step + 1, step + 1, step + 1);
	if (page->e->steps.at[step].at.file) {
		str_add(out, ", before ");
		html_add_place(page, &page->e->steps.at[step].at);
	}
	str_add(out, "</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	             "aria-label=\"picture\">");
	add_picture(out, memory, memory_before(page->e, step), step + 1);
	str_add(out, "</div>\n");
	if (memory->more) {
		str_add(out, "<p class=\"gone\">");
		html_add_count(out, memory->more, "more object");
		str_add(out, " left out</p>");
	}
	add_table(out, memory);
	str_add(out, "</figure>\n");
}

void html_add_memory(struct html_page *page)
{
	struct str *out = &page->out;

	if (!html_has_memory(page->e))
		return;
	str_add(out,
	        "<section id=\"memory\" class=\"panel\" aria-labelledby=\"memory-title\">"
	        "<div class=\"titled\"><h2 id=\"memory-title\">Memory</h2>"
	        "<p class=\"legend\"><span class=\"key decides\">decides</span> <span class=\"key "
	        "differs\">differs from the reference</span> <span class=\"key changed\">changed "
	        "since the step before</span></p></div>\n"
	        "<p class=\"none\" id=\"no-memory\" hidden>None was taken at this step.</p>\n");
	for (uint32_t i = 0; i < page->e->steps.size; i++)
		if (page->e->steps.at[i].memory.boxes.size)
			add_figure(page, i);
	str_add(out, "</section>\n");
}
