/* Memory by phase: see arena.h. */
#include "base/arena.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"

/* Chunks double in size up to a limit, so that a small arena stays small and a large one has few.
 */
#define FIRST_CHUNK   ((size_t)4096)
#define LARGEST_CHUNK ((size_t)1 << 20)
#define ALIGNMENT     ((size_t)16)

struct arena_chunk {
	struct arena_chunk *older;
	size_t room;
	size_t used;
	max_align_t bytes[];
};

static_assert(offsetof(struct arena_chunk, bytes) % 16 == 0, "pieces are aligned to 16");

void arena_deinit(struct arena *arena)
{
	struct arena_chunk *older;

	for (struct arena_chunk *chunk = arena->chunk; chunk; chunk = older) {
		older = chunk->older;
		free(chunk);
	}
	*arena = (struct arena)ARENA_INIT;
}

static struct arena_chunk *create_chunk(size_t room)
{
	const size_t limit = PTRDIFF_MAX - sizeof(struct arena_chunk);
	struct arena_chunk *chunk;

	/* An impossible size is left to mem_alloc() to complain about. */
	if (room > limit)
		room = limit;
	chunk = mem_alloc(sizeof(*chunk) + room);
	chunk->room = room;
	return chunk;
}

static void add_chunk(struct arena *arena)
{
	struct arena_chunk *chunk;

	if (!arena->next)
		arena->next = FIRST_CHUNK;
	chunk = create_chunk(arena->next);
	if (arena->next < LARGEST_CHUNK)
		arena->next *= 2;
	chunk->older = arena->chunk;
	arena->chunk = chunk;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	size_t need;
	void *piece;

	if (size > FIRST_CHUNK / 2) {
		/* A large piece gets a chunk of its own, behind the newest, whose free room stays
		   in use. */
		struct arena_chunk *chunk = create_chunk(size);

		chunk->used = size;
		if (!arena->chunk)
			add_chunk(arena);
		chunk->older = arena->chunk->older;
		arena->chunk->older = chunk;
		return chunk->bytes;
	}
	need = size ? (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1) : ALIGNMENT;
	if (!arena->chunk || arena->chunk->room - arena->chunk->used < need)
		add_chunk(arena);
	piece = (char *)arena->chunk->bytes + arena->chunk->used;
	arena->chunk->used += need;
	return piece;
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
	size_t bytes;

	return arena_alloc(arena, __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes);
}

char *arena_strndup(struct arena *arena, const char *text, size_t size)
{
	char *copy = arena_alloc(arena, size + 1);

	memcpy(copy, text, size);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;
	char *copy;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	copy = arena_strndup(arena, str_text(&text), text.length);
	str_deinit(&text);
	return copy;
}
