/*
 * Memory by phase: an arena hands out pieces that live as long as it does and are freed all at
 * once.
 *
 *	struct arena arena = ARENA_INIT;
 *	struct node *node = arena_new(&arena, struct node);
 *	char *name = arena_strdup(&arena, "x");
 *	arena_deinit(&arena);
 *
 * Pieces are zeroed, aligned for any type, and never move. Out of memory ends the tool (mem.h).
 */
#ifndef HENCE_BASE_ARENA_H
#define HENCE_BASE_ARENA_H

#include <stddef.h>

struct arena {
	struct arena_chunk *chunk; /* the newest; linked to older ones */
	size_t next;               /* size of the next chunk; 0: not one yet */
};

#define ARENA_INIT                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

/* Frees every piece; the arena is empty and usable again. */
void arena_deinit(struct arena *arena);

/* A zeroed piece. Valid until arena_deinit(), like all that follows. */
void *arena_alloc(struct arena *arena, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2)));

/* A zeroed array; a size that does not fit size_t counts as out of memory. */
void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
	__attribute__((returns_nonnull, malloc, alloc_size(2, 3)));

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_new_array(arena, type, count)                                                        \
	((type *)arena_alloc_array((arena), (count), sizeof(type)))

/* A copy of a string. */
char *arena_strdup(struct arena *arena, const char *text) __attribute__((returns_nonnull, malloc));

/* A copy of the first `size` bytes, with a 0 behind them. */
char *arena_strndup(struct arena *arena, const char *text, size_t size)
	__attribute__((returns_nonnull, malloc));

/* Printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((returns_nonnull, format(printf, 2, 3)));

#endif
