/* Draws a picture of memory: see html_memory_draw.h. Its colours are in page.css. */
#include "report/html_memory_draw.h"

#include <string.h>

#include "report/html.h"

/* --- what has changed --- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

const struct explanation_cell *memory_find(const struct explanation_memory *memory,
                                           const struct explanation_box *box,
                                           const struct explanation_cell *cell)
{
	for (uint32_t i = 0; memory && i < memory->boxes.size; i++) {
		const struct explanation_box *old = &memory->boxes.at[i];

		if (!same_text(old->name, box->name) || !same_text(old->where, box->where))
			continue;
		for (uint32_t j = 0; j < old->cells.size; j++)
			if (same_text(old->cells.at[j].name, cell->name))
				return &old->cells.at[j];
	}
	return NULL;
}

static const char *target_name(const struct explanation_memory *memory,
                               const struct explanation_cell *cell)
{
	return cell->target && cell->target <= memory->boxes.size
	               ? memory->boxes.at[cell->target - 1].name
	               : NULL;
}

bool memory_changed(const struct explanation_memory *memory, const struct explanation_cell *cell,
                    const struct explanation_memory *before, const struct explanation_cell *old)
{
	return !same_text(old->value, cell->value) ||
	       !same_text(target_name(before, old), target_name(memory, cell));
}

/* --- arrows --- */

/* Where the boxes of a column end. */
static int column_end(const struct memory_picture *p, uint32_t level)
{
	int end = 0;

	for (uint32_t i = 0; i < p->boxes.size; i++)
		if (p->boxes.at[i].level == level && p->boxes.at[i].x + p->boxes.at[i].width > end)
			end = p->boxes.at[i].x + p->boxes.at[i].width;
	return end;
}

static void draw_head(struct str *out, int x, int y, int dx, int dy)
{
	str_printf(out, "<path class=\"head\" d=\"M%d %dl%d %dl%d %dz\"/>", x, y, -7 * dx - 4 * dy,
	           -7 * dy - 4 * dx, 8 * dy, 8 * dx);
}

/* To a box of the next column. */
static void draw_on(const struct memory_picture *p, const struct memory_box *from, int y,
                    const struct memory_box *to, struct str *out)
{
	int end = column_end(p, from->level), ty = to->y + 13;

	str_printf(out, "<path d=\"M%d %dH%dC%d %d %d %d %d %d\"/>", from->x + from->width - 8, y,
	           end, end + MEMORY_GAP / 2, y, to->x - MEMORY_GAP / 2, ty, to->x - 6, ty);
	draw_head(out, to->x - 1, ty, 1, 0);
}

/* To a box of the same column. Several of them do not lie on each other: `number` tells them apart. */
static void draw_beside(const struct memory_picture *p, const struct memory_box *from, int y,
                        const struct memory_box *to, uint32_t number, struct str *out)
{
	int end = column_end(p, from->level), ty = to->y + 21;
	int out_x = end + 18 + 8 * (int)(number % 5);

	str_printf(out, "<path d=\"M%d %dH%dC%d %d %d %d %d %dH%d\"/>", from->x + from->width - 8,
	           y, end, out_x, y, out_x, ty, end, ty, to->x + to->width + 6);
	draw_head(out, to->x + to->width + 1, ty, -1, 0);
}

/* To a box of the column before. */
static void draw_back(const struct memory_picture *p, const struct memory_box *from, int y,
                      const struct memory_box *to, struct str *out)
{
	int end = column_end(p, to->level), ty = to->y + 27;

	str_printf(out, "<path d=\"M%d %dC%d %d %d %d %d %dH%d\"/>", from->x, y,
	           from->x - MEMORY_GAP / 2, y, end + MEMORY_GAP / 2, ty, end, ty,
	           to->x + to->width + 6);
	draw_head(out, to->x + to->width + 1, ty, -1, 0);
}

/* To a box further back, below all boxes. */
static void draw_below(const struct memory_picture *p, const struct memory_box *from, int y,
                       const struct memory_box *to, int lane, struct str *out)
{
	int end = column_end(p, from->level) + 14, tx = to->x + to->width / 2;
	int bottom = to->y + to->height;

	str_printf(out,
	           "<path class=\"below\" d=\"M%d %dH%dQ%d %d %d %dV%dQ%d %d %d %dH%dQ%d %d %d "
	           "%dV%d\"/>",
	           from->x + from->width - 8, y, end - 6, end, y, end, y + 6, lane - 6, end, lane,
	           end - 6, lane, tx + 6, tx, lane, tx, lane - 6, bottom + 6);
	draw_head(out, tx, bottom + 1, 0, -1);
}

/* Appends the arrows, and tells how high the picture is with them. */
static int draw_arrows(const struct memory_picture *p, struct str *below, struct str *above)
{
	int lane = p->height;
	uint32_t beside = 0;

	for (uint32_t i = 0; i < p->boxes.size; i++) {
		const struct memory_box *from = &p->boxes.at[i];
		const struct explanation_box *box = &p->memory->boxes.at[i];

		for (uint32_t j = 0; j < box->cells.size; j++) {
			uint32_t target = memory_target(p, &box->cells.at[j]);
			int y = memory_cell_y(p, i, j);
			const struct memory_box *to;

			if (target == UINT32_MAX)
				continue;
			to = &p->boxes.at[target];
			if (to->level > from->level)
				draw_on(p, from, y, to, above);
			else if (to->level == from->level)
				draw_beside(p, from, y, to, beside++, above);
			else if (to->level + 1 == from->level)
				draw_back(p, from, y, to, above);
			else
				draw_below(p, from, y, to, lane += MEMORY_LANE, below);
		}
	}
	return lane > p->height ? lane + MEMORY_PAD : lane;
}

/* --- boxes --- */

static void draw_head_of(const struct explanation_box *box, const struct memory_box *at,
                         struct str *out)
{
	str_printf(out, "<text class=\"name\" x=\"%d\" y=\"%d\">", at->x + MEMORY_PAD, at->y + 16);
	html_add_short(out, box->name ? box->name : "?", MEMORY_MOST);
	if (!box->type && !box->where) {
		str_add(out, "</text>");
		return;
	}
	str_printf(out, "</text><text class=\"type\" x=\"%d\" y=\"%d\">", at->x + MEMORY_PAD,
	           at->y + 31);
	if (box->type)
		html_add_short(out, box->type, MEMORY_MOST);
	if (box->type && box->where)
		str_add(out, " \xc2\xb7 ");
	if (box->where)
		html_add_short(out, box->where, MEMORY_MOST);
	str_add(out, "</text>");
}

/* What a pointer shows: all of a text that is cut, and what it was before. */
static void add_title(const struct explanation_box *box, const struct explanation_cell *cell,
                      const struct explanation_cell *old, bool changed, struct str *out)
{
	str_add(out, "<title>");
	html_add(out, box->name ? box->name : "?");
	if (cell->name) {
		str_add(out, ": ");
		html_add(out, cell->name);
	}
	if (cell->value) {
		str_add(out, " = ");
		html_add(out, cell->value);
	}
	if (cell->reference) {
		str_add(out, "; in the reference ");
		html_add(out, cell->reference);
	}
	if (changed) {
		str_add(out, "; before ");
		html_add(out, old && old->value ? old->value : "something else");
	}
	str_add(out, "</title>");
}

static void draw_value(const struct explanation_cell *cell, int x, int y, struct str *out)
{
	str_printf(out, "<text class=\"value\" x=\"%d\" y=\"%d\">", x, y);
	if (cell->value)
		html_add_short(out, cell->value, MEMORY_MOST);
	else if (!cell->target)
		str_add(out, "?");
	if (cell->reference) {
		str_add(out, "<tspan class=\"word\" dx=\"8\">not</tspan><tspan class=\"other\" "
		             "dx=\"7\">");
		html_add_short(out, cell->reference, MEMORY_MOST);
		str_add(out, "</tspan>");
	}
	str_add(out, "</text>");
}

/* Does its arrow leave on the left side? */
static bool goes_back(const struct memory_picture *p, uint32_t box, uint32_t target)
{
	return target != UINT32_MAX && p->boxes.at[target].level + 1 == p->boxes.at[box].level;
}

static void draw_cell(const struct memory_picture *p, const struct explanation_memory *before,
                      uint32_t number, uint32_t index, struct str *out)
{
	const struct explanation_box *box = &p->memory->boxes.at[number];
	const struct explanation_cell *cell = &box->cells.at[index];
	const struct explanation_cell *old = memory_find(before, box, cell);
	const struct memory_box *at = &p->boxes.at[number];
	bool changed = old && memory_changed(p->memory, cell, before, old);
	uint32_t target = memory_target(p, cell);
	int y = memory_cell_y(p, number, index), indent = 0;

	str_printf(out, "<g class=\"cell%s%s%s\">", cell->decides ? " decides" : "",
	           cell->reference ? " differs" : "", changed ? " changed" : "");
	add_title(box, cell, old, changed, out);
	str_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", at->x + 1,
	           y - MEMORY_ROW / 2, at->width - 2, MEMORY_ROW);
	if (cell->name) {
		str_printf(out, "<text class=\"field\" x=\"%d\" y=\"%d\">", at->x + MEMORY_PAD,
		           y + 4);
		html_add_short(out, cell->name, MEMORY_MOST);
		str_add(out, "</text>");
	}
	if (at->names)
		indent = (int)((at->names + 2) * MEMORY_CHARACTER);
	draw_value(cell, at->x + MEMORY_PAD + indent, y + 4, out);
	if (target != UINT32_MAX)
		str_printf(out, "<circle class=\"tail\" cx=\"%d\" cy=\"%d\" r=\"3\"/>",
		           goes_back(p, number, target) ? at->x : at->x + at->width - 8, y);
	if (changed && goes_back(p, number, target))
		str_printf(out, "<path class=\"flag\" d=\"M%d %dl-5 5l5 5z\"/>",
		           at->x + at->width - 1, y - 5);
	else if (changed)
		str_printf(out, "<path class=\"flag\" d=\"M%d %dl5 5l-5 5z\"/>", at->x + 1, y - 5);
	str_add(out, "</g>");
}

static void draw_box(const struct memory_picture *p, const struct explanation_memory *before,
                     uint32_t number, struct str *out)
{
	const struct explanation_box *box = &p->memory->boxes.at[number];
	const struct memory_box *at = &p->boxes.at[number];

	str_printf(out,
	           "<g class=\"box\"><rect class=\"back\" x=\"%d\" y=\"%d\" width=\"%d\" "
	           "height=\"%d\" rx=\"4\"/>",
	           at->x, at->y, at->width, at->height);
	draw_head_of(box, at, out);
	for (uint32_t i = 0; i < box->cells.size; i++)
		draw_cell(p, before, number, i, out);
	if (box->more)
		str_printf(out, "<text class=\"type\" x=\"%d\" y=\"%d\">%llu more</text>",
		           at->x + MEMORY_PAD, memory_cell_y(p, number, box->cells.size) + 4,
		           (unsigned long long)box->more);
	str_printf(out,
	           "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
	           "rx=\"4\"/></g>\n",
	           at->x, at->y, at->width, at->height);
}

void memory_draw(const struct memory_picture *p, const struct explanation_memory *before,
                 uint32_t step, struct str *out)
{
	struct str below = STR_INIT, above = STR_INIT;
	int height = draw_arrows(p, &below, &above);

	str_printf(out,
	           "<svg class=\"memory\" role=\"img\" aria-label=\"memory at step %u; the table "
	           "below it says the same\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">"
	           "<g class=\"arrows\">",
	           step, p->width, height, p->width, height);
	str_add(out, str_text(&below));
	str_add(out, "</g>\n");
	for (uint32_t i = 0; i < p->order.size; i++)
		draw_box(p, before, p->order.at[i], out);
	str_add(out, "<g class=\"arrows\">");
	str_add(out, str_text(&above));
	str_add(out, "</g></svg>\n");
	str_deinit(&below);
	str_deinit(&above);
}
