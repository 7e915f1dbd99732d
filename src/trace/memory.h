/*
 * The program's memory as the decoder knows it, byte by byte: its value, which of its bits were
 * never given a value, and the instance (execution.h) that wrote it. For each aligned word also the
 * object that a pointer stored there was made from.
 *
 * A page comes into being when it is first touched; `fresh` then puts in what objects have from
 * birth on. Pages are never taken back.
 */
#ifndef HENCE_TRACE_MEMORY_H
#define HENCE_TRACE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

#define MEMORY_PAGE 4096u
#define MEMORY_WORD 8u

struct memory_page {
	uint64_t address;
	uint32_t users; /* memories that have it: more than one after memory_share() */
	uint8_t bytes[MEMORY_PAGE];
	uint8_t undefined[MEMORY_PAGE]; /* 1 bits have no value yet */
	uint32_t source[MEMORY_PAGE];   /* 0: nothing is known of the byte */
	uint32_t object[MEMORY_PAGE / MEMORY_WORD];
};

MAP_DEFINE_U64(page_map, struct memory_page *);

#define MEMORY_CACHE 512u

struct memory {
	struct page_map pages;
	struct memory_page *cache[MEMORY_CACHE];
	void (*fresh)(void *context, struct memory_page *page);
	void *context;
	uint64_t most;            /* pages that there may be; 0: any number */
	struct memory_page *none; /* stands for pages that there may not be */
	bool exhausted;           /* it was asked for */
};

void memory_init(struct memory *memory, void (*fresh)(void *context, struct memory_page *page),
                 void *context);
void memory_deinit(struct memory *memory);

/* `out` becomes a second memory with the same contents. They share each page until one of them looks at it; that one
   gets a copy of its own then. For `out` free with memory_deinit(). */
void memory_share(struct memory *memory, struct memory *out,
                  void (*fresh)(void *context, struct memory_page *page), void *context);

/* The page with this address, made if it is not there. Valid until memory_share() or memory_deinit(). */
struct memory_page *memory_find_page(struct memory *memory, uint64_t address);

static inline struct memory_page *memory_page(struct memory *memory, uint64_t address)
{
	uint64_t page = address & ~(uint64_t)(MEMORY_PAGE - 1);
	struct memory_page *p = memory->cache[page / MEMORY_PAGE % MEMORY_CACHE];

	return p && p->address == page ? p : memory_find_page(memory, page);
}

/* Is the page with this address there? */
bool memory_has_page(struct memory *memory, uint64_t address);

/* Has a range more pages than there are? Then it is quicker to look at all of those: a damaged tape
   tells of objects of any size. */
static inline bool memory_is_sparse(const struct memory *memory, uint64_t size)
{
	return size / MEMORY_PAGE > memory->pages.size;
}

/* Part of a range that lies on one page: what memory_next() gives. */
struct memory_part {
	struct memory_page *page;
	uint32_t at;   /* in the page */
	uint32_t size; /* of this part */
	uint64_t done; /* bytes of the range before it */
	uint64_t address, left;
};

/* Goes through a range page by page:
	struct memory_part part = memory_range(address, size);
	while (memory_next(memory, &part)) ... */
static inline struct memory_part memory_range(uint64_t address, uint64_t size)
{
	return (struct memory_part){.address = address, .left = size};
}

bool memory_next(struct memory *memory, struct memory_part *part);

/* How a value lies in memory. */
struct memory_value {
	uint64_t bits;
	uint64_t undefined;
	uint32_t source; /* of all bytes; MEMORY_MIXED: they have several */
	uint32_t object; /* of a pointer */
	bool known;      /* all bytes are */
};

#define MEMORY_MIXED UINT32_MAX

/* `size` is 1 to 8. */
struct memory_value memory_load(struct memory *memory, uint64_t address, uint32_t size);
void memory_store(struct memory *memory, uint64_t address, uint32_t size,
                  const struct memory_value *value);

/* Writes defined bytes. */
void memory_write(struct memory *memory, uint64_t address, const uint8_t *bytes, uint64_t size,
                  uint32_t source);
void memory_fill(struct memory *memory, uint64_t address, uint8_t byte, uint64_t size,
                 uint32_t source);

/* Writes words (eval.h) with their undefined bits. */
void memory_write_words(struct memory *memory, uint64_t address, const uint64_t *bits,
                        const uint64_t *undefined, uint32_t size, uint32_t source);

/* The bytes lose their value: nothing is in them yet. Unless `all`, only on pages that are there. */
void memory_forget(struct memory *memory, uint64_t address, uint64_t size, uint32_t source,
                   bool all);

/* Nobody knows any more what the bytes are; their last values stay. Unless `all`, only on pages that
   are there. */
void memory_lose(struct memory *memory, uint64_t address, uint64_t size, bool all);

/* Copies values with their undefined bits and pointers, as memmove() does. Sources become `source`. */
void memory_copy(struct memory *memory, uint64_t to, uint64_t from, uint64_t size, uint32_t source);

/* A copy of a range, to be put in elsewhere later. Caller frees with free(). */
struct memory_block *memory_take(struct memory *memory, uint64_t from, uint64_t size);
void memory_put(struct memory *memory, uint64_t to, const struct memory_block *block,
                uint32_t source);

/* Reads values only. Gives how many of the first bytes are known; the rest of *out is 0. */
uint64_t memory_read(struct memory *memory, uint64_t address, uint64_t size, uint8_t *out);

/* Reads undefined bits. */
void memory_read_undefined(struct memory *memory, uint64_t address, uint64_t size, uint8_t *out);

/* The first byte of the range with undefined bits; `size`: none. */
uint64_t memory_find_undefined(struct memory *memory, uint64_t address, uint64_t size);

/* The source of the byte and how many bytes of the range from it on have the same. */
uint64_t memory_source_run(struct memory *memory, uint64_t address, uint64_t size,
                           uint32_t *source);

#endif
