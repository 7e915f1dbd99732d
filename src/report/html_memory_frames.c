/* Puts single variables that belong together into one box: see html_memory.h. */
#include <string.h>

#include "report/html_memory.h"

/* A value alone, which nothing points to: it can be shown as a row of its function. */
static bool is_single(const struct explanation_box *box)
{
	return box->cells.size == 1 && !box->cells.at[0].name && !box->more && box->name &&
	       box->where;
}

static void find_pointed(const struct explanation_memory *memory, bool *pointed)
{
	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t j = 0; j < memory->boxes.at[i].cells.size; j++) {
			uint32_t target = memory->boxes.at[i].cells.at[j].target;

			if (target && target <= memory->boxes.size)
				pointed[target - 1] = true;
		}
}

/* The box of a function's or of the global variables; it is made if it is not there. */
static struct explanation_box *frame_of(struct memory_frames *frames, const char *where)
{
	struct explanation_box *box;

	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		if (frames->made.at[i] && !strcmp(frames->memory.boxes.at[i].name, where))
			return &frames->memory.boxes.at[i];
	box = vec_push(&frames->memory.boxes);
	box->name = (char *)where;
	*vec_push(&frames->made) = true;
	return box;
}

static void add_row(struct memory_frames *frames, const struct explanation_box *box)
{
	struct explanation_cell *cell = vec_push(&frame_of(frames, box->where)->cells);

	*cell = box->cells.at[0];
	cell->name = box->name;
}

static void add_copy(struct memory_frames *frames, const struct explanation_box *box)
{
	struct explanation_box *copy = vec_push(&frames->memory.boxes);

	*copy = *box;
	copy->cells.at = NULL;
	copy->cells.size = copy->cells.room = 0;
	for (uint32_t i = 0; i < box->cells.size; i++)
		*vec_push(&copy->cells) = box->cells.at[i];
	*vec_push(&frames->made) = false;
}

/* Targets are numbers of boxes of the memory: `moved` says which these are now. */
static void move_targets(struct memory_frames *frames, const uint32_t *moved, uint32_t count)
{
	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		for (uint32_t j = 0; j < frames->memory.boxes.at[i].cells.size; j++) {
			uint32_t *target = &frames->memory.boxes.at[i].cells.at[j].target;

			*target = *target && *target <= count ? moved[*target - 1] : 0;
		}
}

void memory_frames_init(struct memory_frames *frames, const struct explanation_memory *memory)
{
	uint32_t count = memory->boxes.size;
	uint32_t *moved = mem_alloc((count + 1) * sizeof(*moved));
	bool *pointed = mem_alloc(count + 1);

	*frames = (struct memory_frames){.memory.more = memory->more};
	find_pointed(memory, pointed);
	for (uint32_t i = 0; i < count; i++) {
		if (is_single(&memory->boxes.at[i]) && !pointed[i]) {
			add_row(frames, &memory->boxes.at[i]);
			continue;
		}
		add_copy(frames, &memory->boxes.at[i]);
		moved[i] = frames->memory.boxes.size;
	}
	move_targets(frames, moved, count);
	free(moved);
	free(pointed);
}

void memory_frames_deinit(struct memory_frames *frames)
{
	for (uint32_t i = 0; i < frames->memory.boxes.size; i++)
		vec_deinit(&frames->memory.boxes.at[i].cells);
	vec_deinit(&frames->memory.boxes);
	vec_deinit(&frames->made);
}
