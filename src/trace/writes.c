/* What a run wrote: see writes.h. */
#include "trace/writes.h"

void writes_deinit(struct writes *w)
{
	vec_deinit(&w->all);
	free(w->bytes);
	*w = (struct writes){0};
}

void writes_note(struct writes *w, struct execution *e, uint32_t instance, uint64_t address,
                 uint64_t size)
{
	struct memory *memory = execution_memory(e);
	bool partly = memory_find_undefined(memory, address, size) < size;
	uint64_t need = w->byte_count + size * (partly ? 2 : 1);

	if (!size)
		return;
	if (need > w->most || w->full) {
		w->full = true;
		return;
	}
	if (need > w->byte_room) {
		w->byte_room = need + need / 2;
		w->bytes = mem_resize(w->bytes, w->byte_room);
	}
	*vec_push(&w->all) = (struct write){address, size, w->byte_count, instance, partly};
	memory_read(memory, address, size, w->bytes + w->byte_count);
	if (partly)
		memory_read_undefined(memory, address, size, w->bytes + w->byte_count + size);
	w->byte_count = need;
}

void writes_note_given(struct writes *w, struct execution *e)
{
	const struct objects *objects = execution_objects(e);

	for (uint32_t i = 1; i <= objects->all.size; i++) {
		const struct object *o = objects_at(objects, i);

		if (o->kind == OBJECT_GIVEN)
			writes_note(w, e, SOURCE_GIVEN, o->address, o->size);
	}
}

static int by_instance(const void *a, const void *b)
{
	const struct write *x = a, *y = b;

	if (x->instance != y->instance)
		return x->instance < y->instance ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void writes_sort(struct writes *w)
{
	if (w->all.size)
		qsort(w->all.at, w->all.size, sizeof(*w->all.at), by_instance);
}
