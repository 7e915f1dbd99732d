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

static void add_row(struct memory_frames *frames, const struct explanation_box *box)
{
	struct explanation_cell *cell = vec_push(&frame_of(frames, box->where)->cells);

	*cell = box->cells.at[0];
	cell->name = box->name;
}

/* Whoever made the memory may have put variables together as well; they go where others of the function are. Returns the
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
		moved[i] = add_copy(frames, &memory->boxes.at[i],
		                    is_frame(memory, &memory->boxes.at[i]));
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
}
