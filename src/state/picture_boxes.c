/* Which objects become boxes, and which of their parts cells: see picture_work.h. */
#include "state/picture_work.h"

/* --- cells --- */

/* What must not be left out comes first. */
static unsigned worth(const struct picture_part *part)
{
	return part->decides ? 3 : part->leaf ? 2 : part->edge ? 1 : 0;
}

/* Keeps as many as there may be, in their order. */
static void cut(struct picture_draft *draft)
{
	uint32_t room = PICTURE_CELLS, kept = 0, counts[4] = {0};

	for (uint32_t i = 0; i < draft->parts.size; i++)
		counts[worth(&draft->parts.at[i])]++;
	for (unsigned k = 4; k-- > 0;) {
		counts[k] = counts[k] < room ? counts[k] : room;
		room -= counts[k];
	}
	for (uint32_t i = 0; i < draft->parts.size; i++) {
		const struct picture_part *part = &draft->parts.at[i];

		if (!counts[worth(part)]) {
			draft->more++;
			continue;
		}
		counts[worth(part)]--;
		draft->parts.at[kept++] = *part;
	}
	draft->parts.size = kept;
}

/* --- boxes --- */

/* A new box; NULL: there is no room. */
static struct picture_draft *add(struct drawing *w)
{
	return w->boxes.size < PICTURE_BOXES ? vec_push(&w->boxes) : NULL;
}

static void fill(struct drawing *w, struct picture_draft *draft)
{
	drawing_add_parts(w, draft);
	cut(draft);
}

static void add_frame(struct drawing *w, uint32_t frame)
{
	struct picture_draft *draft;

	if (w->frame_of[frame - 1] || !(draft = add(w)))
		return;
	w->frame_of[frame - 1] = w->boxes.size;
	draft->frame = frame;
	fill(w, draft);
	for (uint32_t i = 0; i < draft->parts.size; i++)
		w->box_of[draft->parts.at[i].object] = w->boxes.size;
}

static void add_object(struct drawing *w, uint32_t object)
{
	const struct state_object *o = &w->s->objects.at[object];
	struct picture_draft *draft;

	if (w->box_of[object] || w->left[object] || drawing_is_inline(o))
		return;
	if (drawing_is_in_frame(o)) {
		add_frame(w, o->frame);
		w->box_of[object] = w->frame_of[o->frame - 1];
	} else if ((draft = add(w))) {
		w->box_of[object] = w->boxes.size;
		draft->object = object;
		fill(w, draft);
	}
	w->left[object] = !w->box_of[object];
	w->more += w->left[object];
}

/* --- which --- */

/* The way to an object, from the variable on. */
static void add_way(struct drawing *w, uint32_t object)
{
	uint32_t pair = drawing_pair(w, object), from = w->self->pairs.at[pair].from;

	if (from && w->self->pairs.at[pair].depth <= PICTURE_BOXES)
		add_way(w, w->self->pairs.at[from - 1].a);
	add_object(w, object);
}

/* Breadth first; boxes are added at the end. */
static uint32_t follow(struct drawing *w, uint32_t done)
{
	for (; done < w->boxes.size; done++)
		for (uint32_t i = 0; i < w->boxes.at[done].parts.size; i++) {
			const struct state_edge *edge = w->boxes.at[done].parts.at[i].edge;

			if (edge)
				add_object(w, edge->target);
		}
	return done;
}

/* Does the function have a scalar to show? */
static bool has_scalar(const struct drawing *w, const struct state_frame *frame)
{
	for (uint32_t i = frame->first; i < frame->first + frame->count; i++)
		if (w->s->objects.at[i].variable && drawing_is_in_frame(&w->s->objects.at[i]))
			return true;
	return false;
}

/* Arrays and structures to which nothing points are drawn once they have a value. */
static bool is_worth(const struct drawing *w, uint32_t object)
{
	const struct state_object *o = &w->s->objects.at[object];

	return o->variable &&
	       (!drawing_is_empty(o, 0, o->size) || drawing_leaf(w, object, 0, o->size));
}

void drawing_choose(struct drawing *w)
{
	uint32_t top = w->s->frames.size, done;
	const struct state_frame *frame = top ? &w->s->frames.at[top - 1] : NULL;

	for (uint32_t i = 0; i < w->places.size; i++)
		add_object(w, w->places.at[i].object);
	for (uint32_t i = 0; i < w->places.size; i++)
		add_way(w, w->places.at[i].object);
	if (frame && has_scalar(w, frame))
		add_frame(w, top);
	done = follow(w, 0);
	for (uint32_t i = 0; frame && i < frame->count; i++)
		if (is_worth(w, frame->first + i))
			add_object(w, frame->first + i);
	follow(w, done);
}
