/*
 * Calls of functions without a model: memory that they could reach is copied before the call and
 * compared after it. Reached are the objects that pointer arguments point into, and what pointers
 * found in those point into, and so on for a few levels. Only memory that is known to be there is
 * read: live heap objects, globals of instrumented modules, and the stack above us.
 *
 * A library may free an object that was handed to it, so heap objects are read through the kernel,
 * which answers with an error where a load would crash.
 *
 * A string that is returned from elsewhere is recorded too. And models ask for comparisons where
 * they cannot say what will change.
 */
#include <errno.h>

#include "runtime/objects.h"
#include "runtime/outside.h"
#include "runtime/plain.h"
#include "runtime/system.h"

#define LEVELS     3u
#define ALL_BYTES  (256u << 10) /* copied in one call */
#define STACK_PART 256u         /* of a stack object, whose end is not known */
#define LOOKUPS    256u         /* words that may be looked up among the globals */
#define TEXT       256u         /* of a string that is returned */
#define APART      8u           /* changed runs closer than this are one */

/* A copy of memory, in the order in which they were found; the bytes follow. */
struct hence_rt_seen {
	struct hence_rt_seen *next;
	uint64_t address;
	uint32_t size;
	uint16_t argument; /* 1 + index of the argument that led there */
	uint8_t level;
	uint8_t heap;
};

struct search {
	struct hence_rt_frame *frame;
	struct hence_rt_seen **last;
	uint64_t stack; /* lowest address of the program's own frames */
	uint32_t left;  /* bytes that may still be copied */
	uint32_t lookups;
};

/* --- reading --- */

/* Where the kernel's way is forbidden: only pages that are mapped are read. */
static bool careful_read(void *to, uint64_t from, uint64_t size)
{
	uint64_t page = from & ~4095ull;
	uint8_t pages[ALL_BYTES / 4096 + 2];

	if (HENCE_SYS3(SYS_mincore, page, from + size - page, pages) < 0)
		return false;
	plain_copy(to, (const void *)from, size);
	return true;
}

bool hence_rt_read(void *to, uint64_t from, uint64_t size)
{
	uint64_t mine[2] = {(uint64_t)to, size}, theirs[2] = {from, size};
	long n = HENCE_SYS6(SYS_process_vm_readv, hence_rt_head.pid, mine, 1, theirs, 1, 0);

	if (n == -EPERM || n == -ENOSYS)
		return careful_read(to, from, size);
	return n == (long)size;
}

bool hence_rt_readable(uint64_t address)
{
	uint8_t byte;

	return hence_rt_read(&byte, address, 1);
}

static bool read_memory(void *to, uint64_t from, uint64_t size, bool heap)
{
	if (heap)
		return hence_rt_read(to, from, size);
	plain_copy(to, (const void *)from, size);
	return true;
}

/* --- finding --- */

static bool find_on_stack(const struct search *search, uint64_t address, uint64_t *size)
{
	uint64_t base = hence_rt_head.stack_base;

	if (address < search->stack || address >= base)
		return false;
	*size = base - address < STACK_PART ? base - address : STACK_PART;
	return true;
}

static bool find_global(struct search *search, uint64_t address, uint64_t *start, uint64_t *size)
{
	const void *found;
	size_t found_size;

	if (!search->lookups)
		return false;
	search->lookups--;
	if (!hence_rt_global_at((const void *)address, &found, &found_size))
		return false;
	*start = (uint64_t)found;
	*size = found_size;
	return true;
}

/* The object around the address; false: not memory that we know. */
static bool find_object(struct search *search, uint64_t address, struct hence_rt_seen *found)
{
	uint64_t start = address, size = 0;

	if (address < 4096 || address >> 47)
		return false;
	found->heap = hence_rt_objects_find(address, &start, &size);
	if (!found->heap && !find_on_stack(search, address, &size) &&
	    !find_global(search, address, &start, &size))
		return false;
	found->address = start;
	found->size = size < search->left ? (uint32_t)size : search->left;
	return found->size;
}

static bool already_seen(const struct search *search, uint64_t address, uint32_t size)
{
	const struct hence_rt_seen *seen = search->frame->seen;

	for (; seen; seen = seen->next)
		if (address >= seen->address && address + size <= seen->address + seen->size)
			return true;
	return false;
}

static void see(struct search *search, uint64_t address, uint32_t argument, uint32_t level)
{
	struct hence_rt_seen found = {.argument = (uint16_t)argument, .level = (uint8_t)level};
	struct hence_rt_seen *seen;

	if (!find_object(search, address, &found) ||
	    already_seen(search, found.address, found.size))
		return;
	seen = hence_rt_frame_room(search->frame, sizeof(*seen) + found.size);
	if (!seen || !read_memory(seen + 1, found.address, found.size, found.heap))
		return;
	*seen = found;
	search->left -= found.size;
	*search->last = seen;
	search->last = &seen->next;
}

/* Pointers in an object that was found. */
static void follow(struct search *search, const struct hence_rt_seen *seen)
{
	const uint8_t *bytes = (const uint8_t *)(seen + 1);
	uint32_t at = (uint32_t)(-seen->address & 7);

	for (; at + 8 <= seen->size && search->left; at += 8)
		see(search, *(const uint64_t *)(bytes + at), seen->argument, seen->level + 1u);
}

void hence_rt_observe_before(struct hence_rt_frame *frame)
{
	struct search search = {.frame = frame,
	                        .last = &frame->seen,
	                        .stack = (uint64_t)__builtin_frame_address(0),
	                        .left = ALL_BYTES,
	                        .lookups = LOOKUPS};
	const char *letters = frame->call->site->signature + 1;

	for (uint32_t i = 0; i < frame->call->argc && letters[i]; i++)
		if (letters[i] == 'p' || letters[i] == 'S')
			see(&search, frame->call->args[i].u64, i + 1, 1);
	for (struct hence_rt_seen *seen = frame->seen; seen; seen = seen->next)
		if (seen->level < LEVELS)
			follow(&search, seen);
}

void hence_rt_observe_bytes(struct hence_rt_frame *frame, uint64_t address, uint64_t size)
{
	struct hence_rt_seen *seen;

	if (!address || !size)
		return;
	if (size > ALL_BYTES)
		size = ALL_BYTES;
	seen = hence_rt_frame_room(frame, sizeof(*seen) + size);
	if (!seen || !hence_rt_read(seen + 1, address, size))
		return;
	*seen = (struct hence_rt_seen){.next = frame->seen,
	                               .address = address,
	                               .size = (uint32_t)size,
	                               .level = LEVELS,
	                               .heap = 1};
	frame->seen = seen;
}

/* --- comparing --- */

/* First byte from `at` on that differs; `size`: none. */
static uint32_t next_change(const uint8_t *old, const uint8_t *new, uint32_t at, uint32_t size)
{
	while (at + 8 <= size && *(const uint64_t *)(old + at) == *(const uint64_t *)(new + at))
		at += 8;
	while (at < size && old[at] == new[at])
		at++;
	return at;
}

static void put_changes(const struct hence_rt_seen *seen, const uint8_t *new)
{
	const uint8_t *old = (const uint8_t *)(seen + 1);
	uint32_t start = next_change(old, new, 0, seen->size);

	while (start < seen->size) {
		uint32_t end = start + 1, more = next_change(old, new, end, seen->size);

		while (more < seen->size && more - end < APART) {
			end = more + 1;
			more = next_change(old, new, end, seen->size);
		}
		hence_rt_effect_bytes(HENCE_SEEN, seen->argument, -1, seen->address + start,
		                      end - start);
		start = more;
	}
}

static void compare(struct hence_rt_frame *frame, const struct hence_rt_seen *seen)
{
	uint8_t *end = frame->end;
	uint8_t *now = (uint8_t *)seen->address;

	if (seen->heap) {
		now = hence_rt_frame_room(frame, seen->size);
		if (!now || !hence_rt_read(now, seen->address, seen->size)) {
			hence_rt_objects_remove(seen->address);
			now = NULL;
		}
	}
	if (now)
		put_changes(seen, now);
	frame->end = end;
}

/* --- the result --- */

/* Up to TEXT bytes, as far as they can be read. */
static uint32_t read_text(char *to, uint64_t from)
{
	uint32_t size = (uint32_t)(4096 - (from & 4095));

	size = size < TEXT ? size : TEXT;
	if (!hence_rt_read(to, from, size))
		return 0;
	if (size < TEXT && hence_rt_read(to + size, from + size, TEXT - size))
		size = TEXT;
	return size;
}

/* Letters, spaces, and what terminals are told with. */
static bool is_text(const char *bytes, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++) {
		uint8_t byte = (uint8_t)bytes[i];

		if (byte == 127 || (byte < 32 && byte != 27 && (byte < 7 || byte > 15)))
			return false;
	}
	return length;
}

/* A string from memory of the library would stay unknown until each byte is loaded, and what is
   copied from it for good. Other things there are left alone: the library may change them at any
   time. A structure that begins with a pointer can look like a short string. */
static void put_result(struct hence_rt_frame *frame)
{
	struct search search = {.stack = (uint64_t)__builtin_frame_address(0),
	                        .left = ALL_BYTES,
	                        .lookups = LOOKUPS};
	struct hence_rt_seen ignored;
	uint64_t address = (uint64_t)frame->ret;
	char text[TEXT];
	uint32_t size, length;

	if (frame->call->site->signature[0] != 'p' || address < 4096 || address >> 47 ||
	    find_object(&search, address, &ignored))
		return;
	size = read_text(text, address);
	length = (uint32_t)plain_length_to(text, size);
	if (!is_text(text, length) || (length < size && length == 6 && size >= 8 && !text[7] &&
	                               hence_rt_readable(*(const uint64_t *)text)))
		return;
	hence_rt_effect_bytes(HENCE_SEEN, 0, -1, address, length + (length < size));
}

void hence_rt_observe_after(struct hence_rt_frame *frame)
{
	for (const struct hence_rt_seen *seen = frame->seen; seen; seen = seen->next)
		compare(frame, seen);
	if (!frame->function)
		put_result(frame);
}
