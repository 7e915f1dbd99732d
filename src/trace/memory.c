/* The program's memory as the decoder knows it: see memory.h. */
#include "trace/memory.h"

#include <string.h>

void memory_init(struct memory *m, void (*fresh)(void *, struct memory_page *), void *context)
{
	memset(m, 0, sizeof(*m));
	m->fresh = fresh;
	m->context = context;
}

void memory_deinit(struct memory *m)
{
	map_each(&m->pages, i) if (!--m->pages.at[i].value->users) free(m->pages.at[i].value);
	page_map_deinit(&m->pages);
	free(m->none);
}

void memory_share(struct memory *m, struct memory *out, void (*fresh)(void *, struct memory_page *),
                  void *context)
{
	memset(m->cache, 0,
	       sizeof(m->cache)); /* so that memory_find_page() sees each page that is used */
	*out = *m;
	out->fresh = fresh;
	out->context = context;
	out->none = NULL;
	page_map_own(&out->pages);
	map_each(&out->pages, i) out->pages.at[i].value->users++;
}

/* What is written to it is lost: who uses the memory looks at `exhausted` soon. */
static struct memory_page *no_page(struct memory *m, uint64_t address)
{
	m->exhausted = true;
	if (!m->none)
		m->none = mem_alloc(sizeof(*m->none));
	m->none->address = address;
	return m->none;
}

struct memory_page *memory_find_page(struct memory *m, uint64_t address)
{
	struct memory_page **found, *page;

	if (m->most && m->pages.size >= m->most && !page_map_find(&m->pages, address))
		return no_page(m, address);
	found = page_map_put(&m->pages, address);
	page = *found;

	if (!page) {
		page = mem_alloc(sizeof(*page));
		page->address = address;
		page->users = 1;
		*found = page;
		m->fresh(m->context, page);
	} else if (page->users > 1) {
		page->users--;
		page = memcpy(mem_resize(NULL, sizeof(*page)), page, sizeof(*page));
		page->users = 1;
		*found = page;
	}
	m->cache[address / MEMORY_PAGE % MEMORY_CACHE] = page;
	return page;
}

bool memory_has_page(struct memory *m, uint64_t address)
{
	return page_map_find(&m->pages, address & ~(uint64_t)(MEMORY_PAGE - 1)) != NULL;
}

bool memory_next(struct memory *m, struct memory_part *part)
{
	uint64_t room;

	part->address += part->size;
	part->left -= part->size;
	part->done += part->size;
	part->size = 0;
	if (!part->left)
		return false;
	part->page = memory_page(m, part->address);
	part->at = part->address % MEMORY_PAGE;
	room = MEMORY_PAGE - part->at;
	part->size = (uint32_t)(part->left < room ? part->left : room);
	return true;
}

/* Pointers in words that a write touches are pointers no more. */
static void drop_objects(const struct memory_part *part)
{
	uint32_t first = part->at / MEMORY_WORD, last = (part->at + part->size - 1) / MEMORY_WORD;

	memset(&part->page->object[first], 0, (last - first + 1) * sizeof(part->page->object[0]));
}

static void set_sources(const struct memory_part *part, uint32_t source)
{
	uint32_t *to = &part->page->source[part->at];

	for (uint32_t i = 0; i < part->size; i++)
		to[i] = source;
}

struct memory_value memory_load(struct memory *m, uint64_t address, uint32_t size)
{
	struct memory_part part = memory_range(address, size);
	struct memory_value v = {.known = true};

	while (memory_next(m, &part))
		for (uint32_t i = 0; i < part.size; i++) {
			uint32_t at = part.at + i, shift = 8 * (uint32_t)(part.done + i);
			uint32_t source = part.page->source[at];

			v.bits |= (uint64_t)part.page->bytes[at] << shift;
			v.undefined |= (uint64_t)part.page->undefined[at] << shift;
			v.known = v.known && source;
			if (!shift)
				v.source = source;
			else if (v.source != source)
				v.source = MEMORY_MIXED;
		}
	if (size == MEMORY_WORD && address % MEMORY_WORD == 0)
		v.object = part.page->object[address % MEMORY_PAGE / MEMORY_WORD];
	return v;
}

void memory_store(struct memory *m, uint64_t address, uint32_t size, const struct memory_value *v)
{
	memory_write_words(m, address, &v->bits, &v->undefined, size, v->source);
	if (size == MEMORY_WORD && address % MEMORY_WORD == 0)
		memory_page(m, address)->object[address % MEMORY_PAGE / MEMORY_WORD] = v->object;
}

void memory_write(struct memory *m, uint64_t address, const uint8_t *bytes, uint64_t size,
                  uint32_t source)
{
	struct memory_part part = memory_range(address, size);

	while (memory_next(m, &part)) {
		memcpy(&part.page->bytes[part.at], bytes + part.done, part.size);
		memset(&part.page->undefined[part.at], 0, part.size);
		set_sources(&part, source);
		drop_objects(&part);
	}
}

void memory_fill(struct memory *m, uint64_t address, uint8_t byte, uint64_t size, uint32_t source)
{
	struct memory_part part = memory_range(address, size);

	while (memory_next(m, &part)) {
		memset(&part.page->bytes[part.at], byte, part.size);
		memset(&part.page->undefined[part.at], 0, part.size);
		set_sources(&part, source);
		drop_objects(&part);
	}
}

void memory_write_words(struct memory *m, uint64_t address, const uint64_t *bits,
                        const uint64_t *undefined, uint32_t size, uint32_t source)
{
	struct memory_part part = memory_range(address, size);

	while (memory_next(m, &part)) {
		memcpy(&part.page->bytes[part.at], (const uint8_t *)bits + part.done, part.size);
		memcpy(&part.page->undefined[part.at], (const uint8_t *)undefined + part.done,
		       part.size);
		set_sources(&part, source);
		drop_objects(&part);
	}
}

/* The next part of a range on a page that is there, unless `all`. */
static bool next_there(struct memory *m, struct memory_part *part, bool all)
{
	part->address += part->size;
	part->left -= part->size;
	part->size = 0;
	while (part->left && !all && !memory_has_page(m, part->address)) {
		uint64_t room = MEMORY_PAGE - part->address % MEMORY_PAGE;

		room = room < part->left ? room : part->left;
		part->address += room;
		part->left -= room;
	}
	return memory_next(m, part);
}

/* The part of a range that lies on a page; false: there is none. */
static bool find_part(struct memory_page *page, uint64_t address, uint64_t size,
                      struct memory_part *out)
{
	uint64_t from = address > page->address ? address - page->address : 0;
	uint64_t before = page->address > address ? page->address - address : 0;

	if (from >= MEMORY_PAGE || before >= size)
		return false;
	size -= before;
	*out = (struct memory_part){
		.page = page,
		.at = (uint32_t)from,
		.size = (uint32_t)(size < MEMORY_PAGE - from ? size : MEMORY_PAGE - from)};
	return true;
}

static void clear_part(const struct memory_part *part, uint8_t undefined, uint32_t source)
{
	memset(&part->page->undefined[part->at], undefined, part->size);
	set_sources(part, source);
	drop_objects(part);
}

static void clear(struct memory *m, uint64_t address, uint64_t size, uint8_t undefined,
                  uint32_t source, bool all)
{
	struct memory_part part = memory_range(address, size);

	if (all || !memory_is_sparse(m, size)) {
		while (next_there(m, &part, all))
			clear_part(&part, undefined, source);
		return;
	}
	map_each(&m->pages, i)
	{
		struct memory_page *page = m->pages.at[i].value;

		if (find_part(page, address, size, &part)) {
			part.page = memory_page(m, page->address);
			clear_part(&part, undefined, source);
		}
	}
}

void memory_forget(struct memory *m, uint64_t address, uint64_t size, uint32_t source, bool all)
{
	clear(m, address, size, 0xff, source, all);
}

void memory_lose(struct memory *m, uint64_t address, uint64_t size, bool all)
{
	clear(m, address, size, 0, 0, all);
}

/* What was taken out of a range: bytes, undefined bits, whether they are known, objects. */
struct memory_block {
	uint64_t size;
	bool aligned;   /* it began at a word */
	bool all_known; /* then `known` is not filled in */
	uint32_t *objects;
	uint8_t *bytes, *undefined, *known;
};

static struct memory_block *block_create(uint64_t size)
{
	uint64_t words = size / MEMORY_WORD + 1;
	struct memory_block *block =
		mem_resize(NULL, sizeof(*block) + words * sizeof(*block->objects) + 3 * size);

	block->size = size;
	block->all_known = true;
	block->objects = (uint32_t *)(block + 1);
	block->bytes = (uint8_t *)(block->objects + words);
	block->undefined = block->bytes + size;
	block->known = block->undefined + size;
	return block;
}

static bool is_part_known(const struct memory_part *part)
{
	const uint32_t *source = &part->page->source[part->at];
	bool known = true;

	for (uint32_t i = 0; i < part->size; i++)
		known &= source[i] != 0;
	return known;
}

static void take_known(struct memory *m, uint64_t from, struct memory_block *block)
{
	struct memory_part part = memory_range(from, block->size);

	while (memory_next(m, &part))
		for (uint32_t i = 0; i < part.size; i++)
			block->known[part.done + i] = part.page->source[part.at + i] != 0;
}

struct memory_block *memory_take(struct memory *m, uint64_t from, uint64_t size)
{
	struct memory_block *block = block_create(size);
	struct memory_part part = memory_range(from, size);

	block->aligned = from % MEMORY_WORD == 0;
	while (memory_next(m, &part)) {
		memcpy(block->bytes + part.done, &part.page->bytes[part.at], part.size);
		memcpy(block->undefined + part.done, &part.page->undefined[part.at], part.size);
		block->all_known = block->all_known && is_part_known(&part);
		if (block->aligned)
			memcpy(&block->objects[part.done / MEMORY_WORD],
			       &part.page->object[part.at / MEMORY_WORD],
			       part.size / MEMORY_WORD * sizeof(*block->objects));
	}
	if (!block->all_known)
		take_known(m, from, block);
	return block;
}

void memory_put(struct memory *m, uint64_t to, const struct memory_block *block, uint32_t source)
{
	struct memory_part part = memory_range(to, block->size);

	while (memory_next(m, &part)) {
		memcpy(&part.page->bytes[part.at], block->bytes + part.done, part.size);
		memcpy(&part.page->undefined[part.at], block->undefined + part.done, part.size);
		set_sources(&part, source);
		for (uint32_t i = 0; !block->all_known && i < part.size; i++)
			if (!block->known[part.done + i])
				part.page->source[part.at + i] = 0;
		drop_objects(&part);
		if (block->aligned && to % MEMORY_WORD == 0)
			memcpy(&part.page->object[part.at / MEMORY_WORD],
			       &block->objects[part.done / MEMORY_WORD],
			       part.size / MEMORY_WORD * sizeof(*block->objects));
	}
}

void memory_copy(struct memory *m, uint64_t to, uint64_t from, uint64_t size, uint32_t source)
{
	struct memory_block *block = memory_take(m, from, size);

	memory_put(m, to, block, source);
	free(block);
}

uint64_t memory_read(struct memory *m, uint64_t address, uint64_t size, uint8_t *out)
{
	struct memory_part part = memory_range(address, size);
	uint64_t known = 0;

	memset(out, 0, size);
	while (memory_next(m, &part)) {
		uint32_t i = 0;

		while (i < part.size && part.page->source[part.at + i])
			i++;
		memcpy(out + part.done, &part.page->bytes[part.at], i);
		known += i;
		if (i < part.size)
			break;
	}
	return known;
}

void memory_read_undefined(struct memory *m, uint64_t address, uint64_t size, uint8_t *out)
{
	struct memory_part part = memory_range(address, size);

	while (memory_next(m, &part))
		memcpy(out + part.done, &part.page->undefined[part.at], part.size);
}

uint64_t memory_find_undefined(struct memory *m, uint64_t address, uint64_t size)
{
	struct memory_part part = memory_range(address, size);

	while (memory_next(m, &part))
		for (uint32_t i = 0; i < part.size; i++)
			if (part.page->undefined[part.at + i])
				return part.done + i;
	return size;
}

uint64_t memory_source_run(struct memory *m, uint64_t address, uint64_t size, uint32_t *source)
{
	struct memory_part part = memory_range(address, size);

	*source = 0;
	while (memory_next(m, &part)) {
		uint32_t i = 0;

		if (!part.done)
			*source = part.page->source[part.at];
		while (i < part.size && part.page->source[part.at + i] == *source)
			i++;
		if (i < part.size)
			return part.done + i;
	}
	return size;
}
