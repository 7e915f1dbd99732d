/* Lays out a picture of memory: see html_memory.h. */
#include "report/html_memory.h"

#include "report/html.h"

uint32_t memory_target(const struct memory_picture *p, const struct explanation_cell *cell)
{
	return cell->target && cell->target <= p->boxes.size ? cell->target - 1 : UINT32_MAX;
}

/* --- which box is in which column --- */

static void place(struct memory_picture *p, uint32_t box, uint32_t level)
{
	p->boxes.at[box].placed = true;
	p->boxes.at[box].level = level;
	*vec_push(&p->order) = box;
	if (level >= p->levels)
		p->levels = level + 1;
}

/* The boxes that those already placed lead to, the nearest first. */
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

/* Marks the boxes that others point to. */
static void find_pointed(const struct memory_picture *p, bool *pointed)
{
	for (uint32_t i = 0; i < p->memory->boxes.size; i++)
		for (uint32_t j = 0; j < p->memory->boxes.at[i].cells.size; j++) {
			uint32_t target = memory_target(p, &p->memory->boxes.at[i].cells.at[j]);

			if (target != UINT32_MAX && target != i)
				pointed[target] = true;
		}
}

/* What nothing points to is in the first column; of boxes that only point to each other, the first. */
static void find_levels(struct memory_picture *p)
{
	bool *pointed = mem_alloc(p->boxes.size + 1);

	find_pointed(p, pointed);
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
}

/* --- sizes --- */

static unsigned shown_columns(const char *text)
{
	unsigned columns = text ? html_columns(text) : 0;

	return columns < MEMORY_MOST ? columns : MEMORY_MOST;
}

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

/* Of a value and, if the reference has another, that behind it: '0  not 7'. */
static unsigned value_columns(const struct explanation_cell *cell)
{
	unsigned columns = cell->target && !cell->value ? 1 : shown_columns(cell->value);

	return columns + (cell->reference ? strlen("  not ") + shown_columns(cell->reference) : 0);
}

int memory_head(const struct explanation_box *box)
{
	return box->type || box->where ? MEMORY_HEAD : MEMORY_LOW_HEAD;
}

static void measure(const struct explanation_box *box, struct memory_box *out)
{
	unsigned head = most(shown_columns(box->name),
	                     shown_columns(box->type) + shown_columns(box->where) + 3);
	unsigned columns;

	for (uint32_t i = 0; i < box->cells.size; i++) {
		out->names = most(out->names, shown_columns(box->cells.at[i].name));
		out->values = most(out->values, value_columns(&box->cells.at[i]));
	}
	columns = most(head, out->names + (out->names ? 2 : 0) + out->values + 2);
	columns = most(columns, box->more ? 14 : 8);
	out->width = (int)(columns * MEMORY_CHARACTER) + 2 * MEMORY_PAD;
	out->height = memory_head(box) + (int)(box->cells.size + !!box->more) * MEMORY_ROW;
}

/* --- positions --- */

static int column_width(const struct memory_picture *p, uint32_t level)
{
	int width = 0;

	for (uint32_t i = 0; i < p->boxes.size; i++)
		if (p->boxes.at[i].level == level && p->boxes.at[i].width > width)
			width = p->boxes.at[i].width;
	return width;
}

static void find_x(struct memory_picture *p)
{
	int x = MEMORY_PAD;

	for (uint32_t level = 0; level < p->levels; level++) {
		for (uint32_t i = 0; i < p->boxes.size; i++)
			if (p->boxes.at[i].level == level)
				p->boxes.at[i].x = x;
		x += column_width(p, level) + MEMORY_GAP;
	}
	p->width = x - MEMORY_GAP + MEMORY_PAD;
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

/* At the height of what points to it, or below what is there already. */
static void find_y(struct memory_picture *p)
{
	int *next = mem_alloc((p->levels + 1) * sizeof(*next));

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

int memory_cell_y(const struct memory_picture *p, uint32_t box, uint32_t cell)
{
	return p->boxes.at[box].y + memory_head(&p->memory->boxes.at[box]) +
	       (int)cell * MEMORY_ROW + MEMORY_ROW / 2;
}

void memory_picture_init(struct memory_picture *p, const struct explanation_memory *memory)
{
	*p = (struct memory_picture){.memory = memory};
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		measure(&memory->boxes.at[i], vec_push(&p->boxes));
	find_levels(p);
	find_x(p);
	if (p->levels && has_loop(p, p->levels - 1))
		p->width += MEMORY_GAP - MEMORY_PAD;
	find_y(p);
}

void memory_picture_deinit(struct memory_picture *p)
{
	vec_deinit(&p->boxes);
	vec_deinit(&p->order);
}
