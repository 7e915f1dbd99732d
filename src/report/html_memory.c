/* The memory at each step, as a picture and as a table, in the page. See html_page.h. */
#include "report/html_memory.h"

#include <string.h>

#include "base/guard.h"
#include "report/explanation_words.h"
#include "report/html.h"
#include "report/html_page.h"

#define MEMORY_CHARACTER 7.25 /* width of one in the font of the picture */
#define MEMORY_ROW       20   /* height of a cell */
#define MEMORY_HEAD      38   /* and of what stands above the cells: name; type and where */
#define MEMORY_LOW_HEAD  24   /* the same if there is only a name */
#define MEMORY_GAP       52   /* between columns */
#define MEMORY_BETWEEN   18   /* between boxes of a column */
#define MEMORY_MOST      26   /* columns of a name or value; more are cut in the middle */
#define MEMORY_LANE      10   /* between arrows that go back below all boxes */

uint32_t memory_target(const struct memory_picture *p, const struct explanation_cell *cell)
{
	return cell->target && cell->target <= p->boxes.size ? cell->target - 1 : UINT32_MAX;
}

/* --- layout: which box is in which column --- */

static void place(struct memory_picture *p, uint32_t box, uint32_t level)
{
	p->boxes.at[box].placed = true;
	p->boxes.at[box].level = level;
	*vec_push(&p->order) = box;
	if (level >= p->levels)
		p->levels = level + 1;
}

/* Places the boxes that the placed ones point to, breadth first. */
static void follow(struct memory_picture *p, uint32_t from)
{
	for (uint32_t i = from; i < p->order.size; i++) {
		const struct explanation_box *box = &p->memory->boxes.at[p->order.at[i]];
		uint32_t level = p->boxes.at[p->order.at[i]].level;

		for (uint32_t j = 0; j < box->cells.size; j++) {
			uint32_t target = memory_target(p, &box->cells.at[j]);

			if (target != UINT32_MAX && !p->boxes.at[target].placed)
				place(p, target, level + 1);
		}
	}
}

/* --- layout: sizes and positions --- */

static unsigned shown_columns(const char *text)
{
	unsigned columns = text ? html_columns(text) : 0;

	return columns < MEMORY_MOST ? columns : MEMORY_MOST;
}

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* The height of what stands above the cells of a box. */
static int memory_head(const struct explanation_box *box)
{
	return box->type || box->where ? MEMORY_HEAD : MEMORY_LOW_HEAD;
}

/* Arrows to the same column, and to those further back, leave on the right side: there they need room. */
static bool has_loop(const struct memory_picture *p, uint32_t level)
{
	for (uint32_t i = 0; i < p->boxes.size; i++)
		for (uint32_t j = 0; j < p->memory->boxes.at[i].cells.size; j++) {
			uint32_t target = memory_target(p, &p->memory->boxes.at[i].cells.at[j]);

			if (p->boxes.at[i].level == level && target != UINT32_MAX &&
			    p->boxes.at[target].level <= level &&
			    p->boxes.at[target].level + 1 != level)
				return true;
		}
	return false;
}

/* The first box, in the order of the picture, that points to one; UINT32_MAX: none that lies left of it. */
static uint32_t pointed_by(const struct memory_picture *p, uint32_t box)
{
	for (uint32_t i = 0; i < p->order.size; i++) {
		const struct explanation_box *from = &p->memory->boxes.at[p->order.at[i]];

		if (p->boxes.at[p->order.at[i]].level >= p->boxes.at[box].level)
			continue;
		for (uint32_t j = 0; j < from->cells.size; j++)
			if (memory_target(p, &from->cells.at[j]) == box)
				return p->order.at[i];
	}
	return UINT32_MAX;
}

/* Of the middle of a cell. */
static int memory_cell_y(const struct memory_picture *p, uint32_t box, uint32_t cell)
{
	return p->boxes.at[box].y + memory_head(&p->memory->boxes.at[box]) +
	       (int)cell * MEMORY_ROW + MEMORY_ROW / 2;
}

void memory_picture_init(struct memory_picture *p, const struct explanation_memory *memory)
{
	int x = MEMORY_PAD, *next;
	bool *pointed;

	*p = (struct memory_picture){.memory = memory};
	/* Sizes. */
	for (uint32_t i = 0; i < memory->boxes.size; i++) {
		const struct explanation_box *box = &memory->boxes.at[i];
		struct memory_box *out = vec_push(&p->boxes);
		unsigned head = most(shown_columns(box->name),
		                     shown_columns(box->type) + shown_columns(box->where) + 3);
		unsigned columns;

		for (uint32_t k = 0; k < box->cells.size; k++) {
			const struct explanation_cell *cell = &box->cells.at[k];
			unsigned values =
				cell->target && !cell->value ? 1 : shown_columns(cell->value);

			/* If the reference has another value, it comes after this one: '0  not 7'. */
			if (cell->reference)
				values += strlen("  not ") + shown_columns(cell->reference);
			out->names = most(out->names, shown_columns(cell->name));
			out->values = most(out->values, values);
		}
		columns = most(head, out->names + (out->names ? 2 : 0) + out->values + 2);
		columns = most(columns, box->more ? 14 : 8);
		out->width = (int)(columns * MEMORY_CHARACTER) + 2 * MEMORY_PAD;
		out->height = memory_head(box) + (int)(box->cells.size + !!box->more) * MEMORY_ROW;
	}
	/* Columns: what nothing points to is in the first column; of boxes that only point to each other, the first. */
	pointed = mem_alloc(p->boxes.size + 1);
	for (uint32_t i = 0; i < p->memory->boxes.size; i++)
		for (uint32_t j = 0; j < p->memory->boxes.at[i].cells.size; j++) {
			uint32_t target = memory_target(p, &p->memory->boxes.at[i].cells.at[j]);

			if (target != UINT32_MAX && target != i)
				pointed[target] = true;
		}
	for (uint32_t i = 0; i < p->boxes.size; i++)
		if (!pointed[i])
			place(p, i, 0);
	follow(p, 0);
	for (uint32_t i = 0; i < p->boxes.size; i++)
		if (!p->boxes.at[i].placed) {
			place(p, i, 0);
			follow(p, p->order.size - 1);
		}
	free(pointed);
	/* Positions from left to right. */
	for (uint32_t level = 0; level < p->levels; level++) {
		int width = 0;

		for (uint32_t i = 0; i < p->boxes.size; i++) {
			struct memory_box *box = &p->boxes.at[i];

			if (box->level != level)
				continue;
			box->x = x;
			width = box->width > width ? box->width : width;
		}
		x += width + MEMORY_GAP;
	}
	p->width = x - MEMORY_GAP + MEMORY_PAD;
	if (p->levels && has_loop(p, p->levels - 1))
		p->width += MEMORY_GAP - MEMORY_PAD;
	/* Positions from above: at the height of what points to the box, or below what is there already. */
	next = mem_alloc((p->levels + 1) * sizeof(*next));
	for (uint32_t i = 0; i < p->levels; i++)
		next[i] = MEMORY_PAD;
	for (uint32_t i = 0; i < p->order.size; i++) {
		struct memory_box *box = &p->boxes.at[p->order.at[i]];
		uint32_t from = pointed_by(p, p->order.at[i]);

		box->y = next[box->level];
		if (from != UINT32_MAX && p->boxes.at[from].y > box->y)
			box->y = p->boxes.at[from].y;
		next[box->level] = box->y + box->height + MEMORY_BETWEEN;
		if (box->y + box->height + MEMORY_PAD > p->height)
			p->height = box->y + box->height + MEMORY_PAD;
	}
	free(next);
}

void memory_picture_deinit(struct memory_picture *p)
{
	vec_deinit(&p->boxes);
	vec_deinit(&p->order);
}

/* --- what has changed since an earlier step --- */

/* What a cell of this name in a box of this name was there. NULL: there was none. */
static const struct explanation_cell *memory_find(const struct explanation_memory *memory,
                                                  const struct explanation_box *box,
                                                  const struct explanation_cell *cell)
{
	for (uint32_t i = 0; memory && i < memory->boxes.size; i++) {
		const struct explanation_box *old = &memory->boxes.at[i];

		if (!explanation_same_text(old->name, box->name) ||
		    !explanation_same_text(old->where, box->where))
			continue;
		for (uint32_t j = 0; j < old->cells.size; j++)
			if (explanation_same_text(old->cells.at[j].name, cell->name))
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

/* --- drawing; colours are in page.css: arrows --- */

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
			if (to->level > from->level) {
				/* To a box of the next column. */
				int end = column_end(p, from->level), ty = to->y + 13;

				str_printf(above, "<path d=\"M%d %dH%dC%d %d %d %d %d %d\"/>",
				           from->x + from->width - 8, y, end, end + MEMORY_GAP / 2,
				           y, to->x - MEMORY_GAP / 2, ty, to->x - 6, ty);
				draw_head(above, to->x - 1, ty, 1, 0);
			} else if (to->level == from->level) {
				/* To a box of the same column. Several of them do not lie on each other: `number` tells them apart. */
				int end = column_end(p, from->level), ty = to->y + 21;
				int out_x = end + 18 + 8 * (int)(beside++ % 5);

				str_printf(above, "<path d=\"M%d %dH%dC%d %d %d %d %d %dH%d\"/>",
				           from->x + from->width - 8, y, end, out_x, y, out_x, ty,
				           end, ty, to->x + to->width + 6);
				draw_head(above, to->x + to->width + 1, ty, -1, 0);
			} else if (to->level + 1 == from->level) {
				/* To a box of the column before. */
				int end = column_end(p, to->level), ty = to->y + 27;

				str_printf(above, "<path d=\"M%d %dC%d %d %d %d %d %dH%d\"/>",
				           from->x, y, from->x - MEMORY_GAP / 2, y,
				           end + MEMORY_GAP / 2, ty, end, ty,
				           to->x + to->width + 6);
				draw_head(above, to->x + to->width + 1, ty, -1, 0);
			} else
				draw_below(p, from, y, to, lane += MEMORY_LANE, below);
		}
	}
	return lane > p->height ? lane + MEMORY_PAD : lane;
}

/* --- drawing: boxes --- */

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
	bool changed = old && (!explanation_same_text(old->value, cell->value) ||
	                       !explanation_same_text(target_name(before, old),
	                                              target_name(p->memory, cell)));
	uint32_t target = memory_target(p, cell);
	int y = memory_cell_y(p, number, index), indent = 0;

	str_printf(out, "<g class=\"cell%s%s%s\">", cell->decides ? " decides" : "",
	           cell->reference ? " differs" : "", changed ? " changed" : "");
	/* What a pointer shows: all of a text that is cut, and what it was before. */
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
	str_printf(out, "<text class=\"value\" x=\"%d\" y=\"%d\">", at->x + MEMORY_PAD + indent,
	           y + 4);
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

/* Appends the picture. `before`: the memory at an earlier step, whose cells are compared; NULL: none. */
static void memory_draw(const struct memory_picture *p, const struct explanation_memory *before,
                        uint32_t step, struct str *out)
{
	struct str below GUARD(str_deinit) = STR_INIT, above GUARD(str_deinit) = STR_INIT;
	int height = draw_arrows(p, &below, &above);

	str_printf(out,
	           "<svg class=\"memory\" role=\"img\" aria-label=\"memory at step %u; the table "
	           "below it says the same\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">"
	           "<g class=\"arrows\">",
	           step, p->width, height, p->width, height);
	str_add(out, str_text(&below));
	str_add(out, "</g>\n");
	for (uint32_t i = 0; i < p->order.size; i++) {
		const struct explanation_box *box = &p->memory->boxes.at[p->order.at[i]];
		const struct memory_box *at = &p->boxes.at[p->order.at[i]];

		str_printf(out,
		           "<g class=\"box\"><rect class=\"back\" x=\"%d\" y=\"%d\" width=\"%d\" "
		           "height=\"%d\" rx=\"4\"/>",
		           at->x, at->y, at->width, at->height);
		draw_head_of(box, at, out);
		for (uint32_t j = 0; j < box->cells.size; j++)
			draw_cell(p, before, p->order.at[i], j, out);
		if (box->more)
			str_printf(out, "<text class=\"type\" x=\"%d\" y=\"%d\">%llu more</text>",
			           at->x + MEMORY_PAD,
			           memory_cell_y(p, p->order.at[i], box->cells.size) + 4,
			           (unsigned long long)box->more);
		str_printf(out,
		           "<rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
		           "rx=\"4\"/></g>\n",
		           at->x, at->y, at->width, at->height);
	}
	str_add(out, "<g class=\"arrows\">");
	str_add(out, str_text(&above));
	str_add(out, "</g></svg>\n");
}

/* --- frames: single variables that belong together are put into one box --- */

/* A value alone, which nothing points to: it can be shown as a row of its function. */
static bool is_single(const struct explanation_box *box)
{
	return box->cells.size == 1 && !box->cells.at[0].name && !box->more && box->name &&
	       box->where;
}

/* The box of a function's or of the global variables. NULL: it is not there. */
static struct explanation_box *find_frame(struct memory_frames *frames, const char *name)
{
	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		if (frames->memory.boxes.at[i].name &&
		    !strcmp(frames->memory.boxes.at[i].name, name))
			return &frames->memory.boxes.at[i];
	return NULL;
}

static struct explanation_box *frame_of(struct memory_frames *frames, const char *where)
{
	struct explanation_box *box = find_frame(frames, where);

	if (!box) {
		box = vec_push(&frames->memory.boxes);
		box->name = (char *)where;
	}
	return box;
}

/* The memory may have come with boxes of several variables; those are added to the box of their function. Returns the
   number of the box, from 1. */
static uint32_t add_copy(struct memory_frames *frames, const struct explanation_box *box,
                         bool frame)
{
	struct explanation_box *copy = frame ? find_frame(frames, box->name) : NULL;

	if (!copy)
		copy = vec_push(&frames->memory.boxes);
	copy->name = box->name;
	copy->type = box->type;
	copy->where = box->where;
	copy->more += box->more;
	for (uint32_t i = 0; i < box->cells.size; i++)
		*vec_push(&copy->cells) = box->cells.at[i];
	return (uint32_t)(copy - frames->memory.boxes.at) + 1;
}

/* Is some single variable at a place of this name? */
static bool is_frame(const struct explanation_memory *memory, const struct explanation_box *box)
{
	for (uint32_t i = 0; box->name && i < memory->boxes.size; i++)
		if (is_single(&memory->boxes.at[i]) &&
		    !strcmp(memory->boxes.at[i].where, box->name))
			return true;
	return false;
}

void memory_frames_init(struct memory_frames *frames, const struct explanation_memory *memory)
{
	uint32_t count = memory->boxes.size;
	uint32_t *moved = mem_alloc((count + 1) * sizeof(*moved));
	bool *pointed = mem_alloc(count + 1);

	*frames = (struct memory_frames){.memory.more = memory->more};
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t j = 0; j < memory->boxes.at[i].cells.size; j++) {
			uint32_t target = memory->boxes.at[i].cells.at[j].target;

			if (target && target <= memory->boxes.size)
				pointed[target - 1] = true;
		}
	for (uint32_t i = 0; i < count; i++) {
		if (is_single(&memory->boxes.at[i]) && !pointed[i]) {
			const struct explanation_box *box = &memory->boxes.at[i];
			struct explanation_cell *cell =
				vec_push(&frame_of(frames, box->where)->cells);

			*cell = box->cells.at[0];
			cell->name = box->name;
			continue;
		}
		moved[i] = add_copy(frames, &memory->boxes.at[i],
		                    is_frame(memory, &memory->boxes.at[i]));
	}
	/* Targets are numbers of boxes of the memory: `moved` says which these are now. */
	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		for (uint32_t j = 0; j < frames->memory.boxes.at[i].cells.size; j++) {
			uint32_t *target = &frames->memory.boxes.at[i].cells.at[j].target;

			*target = *target && *target <= count ? moved[*target - 1] : 0;
		}
	free(moved);
	free(pointed);
}

void memory_frames_deinit(struct memory_frames *frames)
{
	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		vec_deinit(&frames->memory.boxes.at[i].cells);
	vec_deinit(&frames->memory.boxes);
}

/* --- the picture --- */

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

/* --- a step --- */

static void add_figure(struct html_page *page, uint32_t step)
{
	const struct explanation_memory *memory = &page->e->steps.at[step].memory;
	struct str *out = &page->out;
	const struct explanation_memory *before;
	struct memory_frames now, old = {0};
	struct memory_picture picture;

	str_printf(out, "<figure id=\"memory-%u\" data-step=\"%u\"><figcaption>Memory at step %u",
	           step + 1, step + 1, step + 1);
	if (page->e->steps.at[step].at.file) {
		str_add(out, ", before ");
		html_add_place(page, &page->e->steps.at[step].at);
	}
	str_add(out, "</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	             "aria-label=\"picture\">");
	before = memory_before(page->e, step);
	memory_frames_init(&now, memory);
	if (before)
		memory_frames_init(&old, before);
	memory_picture_init(&picture, &now.memory);
	memory_draw(&picture, before ? &old.memory : NULL, step + 1, out);
	memory_picture_deinit(&picture);
	memory_frames_deinit(&now);
	memory_frames_deinit(&old);
	str_add(out, "</div>\n");
	if (memory->more) {
		str_add(out, "<p class=\"gone\">");
		html_add_count(out, memory->more, "more object");
		str_add(out, " left out</p>");
	}
	str_add(out, "<details class=\"as-table\"><summary>the same as a table</summary><div "
	             "class=\"wide\"><table><thead><tr><th scope=\"col\">where</th><th "
	             "scope=\"col\">type</th><th scope=\"col\">part</th><th "
	             "scope=\"col\">failing run</th><th scope=\"col\">reference, if "
	             "other</th><th scope=\"col\">points to</th></tr></thead><tbody>\n");
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t j = 0; j < memory->boxes.at[i].cells.size; j++) {
			const struct explanation_box *box = &memory->boxes.at[i];
			const struct explanation_cell *cell = &memory->boxes.at[i].cells.at[j];

			str_printf(out, "<tr%s><th scope=\"row\">",
			           cell->decides ? " class=\"decides\"" : "");
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
	str_add(out, "</tbody></table></div></details>\n");
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
