/* Objects of a run by address and time: see dual_objects.h. */
#include "slice/dual_objects.h"

static int by_place(const void *a, const void *b, void *context)
{
	const struct objects *all = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	const struct object *x = objects_at(all, m), *y = objects_at(all, n);

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->birth != y->birth)
		return x->birth < y->birth ? -1 : 1;
	return m < n ? -1 : 1;
}

static int by_birth(const void *a, const void *b, void *context)
{
	const struct objects *all = context;
	uint32_t m = *(const uint32_t *)a, n = *(const uint32_t *)b;
	uint32_t x = objects_at(all, m)->birth, y = objects_at(all, n)->birth;

	return x != y ? (x < y ? -1 : 1) : m < n ? -1 : 1;
}

static void index_births(struct dual_objects *o)
{
	for (uint32_t i = 1; i <= o->all->all.size; i++)
		if (dual_objects_has_birth(objects_at(o->all, i)))
			o->births[o->birth_count++] = i;
	qsort_r(o->births, o->birth_count, sizeof(*o->births), by_birth, (void *)o->all);
}

void dual_objects_init(struct dual_objects *o, const struct objects *all)
{
	uint32_t count = all->all.size;
	uint64_t far = 0;

	*o = (struct dual_objects){.all = all,
	                           .numbers = mem_alloc((count + 1) * sizeof(*o->numbers)),
	                           .births = mem_alloc((count + 1) * sizeof(*o->births)),
	                           .starts = mem_alloc((count + 1) * sizeof(*o->starts))};
	for (uint32_t i = 0; i < count; i++)
		o->numbers[i] = i + 1;
	qsort_r(o->numbers, count, sizeof(*o->numbers), by_place, (void *)all);
	for (uint32_t i = 0; i < count; i++) {
		const struct object *object = objects_at(all, o->numbers[i]);
		struct dual_start *s = o->count ? &o->starts[o->count - 1] : NULL;

		if (!s || s->address != object->address) {
			s = &o->starts[o->count++];
			*s = (struct dual_start){.address = object->address, .first = i};
		}
		s->count++;
		if (object->address + object->size > s->end)
			s->end = object->address + object->size;
		far = s->end > far ? s->end : far;
		s->far = far;
	}
	index_births(o);
}

void dual_objects_deinit(struct dual_objects *objects)
{
	free(objects->numbers);
	free(objects->births);
	free(objects->starts);
}

/* The last of them that was born by then; 0: none. */
static uint32_t last_born(const struct dual_objects *o, const struct dual_start *s,
                          uint32_t instance)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects_at(o->all, o->numbers[s->first + middle])->birth <= instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? o->numbers[s->first + low - 1] : 0;
}

uint32_t dual_objects_at(const struct dual_objects *o, uint64_t address, uint32_t instance)
{
	uint32_t low = 0, high = o->count, dead = 0;

	if (!o->count || address < o->starts[0].address || address >= o->starts[o->count - 1].far)
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (o->starts[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low-- > 0 && o->starts[low].far > address;) {
		uint32_t number = last_born(o, &o->starts[low], instance);
		const struct object *found = number ? objects_at(o->all, number) : NULL;

		if (!found || address - found->address >= found->size)
			continue;
		if (!found->death || found->death > instance)
			return number;
		if (!dead || found->birth > objects_at(o->all, dead)->birth)
			dead = number;
	}
	return dead;
}

/* The first of `births` that was born by this instance or a later one. */
static uint32_t first_born(const struct dual_objects *o, uint32_t birth)
{
	uint32_t low = 0, high = o->birth_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (objects_at(o->all, o->births[middle])->birth < birth)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t dual_objects_born(const struct dual_objects *o, uint32_t birth, uint32_t nth)
{
	uint32_t at = first_born(o, birth) + nth;

	if (at >= o->birth_count || objects_at(o->all, o->births[at])->birth != birth)
		return 0;
	return o->births[at];
}

uint32_t dual_objects_nth(const struct dual_objects *o, uint32_t number)
{
	uint32_t first = first_born(o, objects_at(o->all, number)->birth), at = first;

	while (o->births[at] != number)
		at++;
	return at - first;
}
