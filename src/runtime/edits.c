/* Edited code: see edits.h. */
#include "runtime/edits.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/runtime.h"
#include "runtime/server.h"
#include "runtime/system.h"

#define PAGE  4096ull
#define PARTS 256u
#define JUMP  13u /* bytes: movabs $address, %r11; jmp *%r11 */

static struct hence_server *server;
static const struct hence_image *image; /* NULL: none */
static uint64_t image_size;
static const struct hence_image_part *loaded[PARTS];
static uint32_t loaded_count;

void hence_rt_edits_find(struct hence_server *page)
{
	struct stat info;
	long fd;

	server = page;
	hence_rt_edit_scouts = (struct hence_scout *)((char *)page + HENCE_SCOUTS);
	if (!page->image[0])
		return;
	page->edits = HENCE_EDITS_FAILED;
	fd = HENCE_SYS3(SYS_open, page->image, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (!HENCE_SYS3(SYS_fstat, fd, &info, 0) && (uint64_t)info.st_size >= sizeof(*image)) {
		image_size = (uint64_t)info.st_size;
		image = hence_rt_map(image_size, PROT_READ, MAP_PRIVATE, fd);
	}
	HENCE_SYS3(SYS_close, fd, 0, 0);
	if (!image || memcmp(image->magic, HENCE_IMAGE_MAGIC, 8) ||
	    image->protocol != HENCE_PROTOCOL ||
	    image_size < sizeof(*image) + image->parts * sizeof(struct hence_image_part))
		image = NULL;
	else
		page->edits = 0;
}

static const void *at(uint64_t offset)
{
	return (const char *)image + offset;
}

/* --- symbols --- */

extern void hence_rt_full(void), hence_rt_enter(void), hence_rt_leave(void), hence_rt_before(void),
	hence_rt_before_indirect(void), hence_rt_after(void), hence_rt_again(void),
	hence_rt_main_count(void), hence_rt_main_words(void), hence_rt_main_environment(void),
	hence_rt_sigaction(void), hence_rt_signal(void), hence_rt_tmpfile(void);

extern void *memmove(void *to, const void *from, size_t size) __attribute__((weak));

/* NULL where the program has none, and so needs none. */
#define X(name) extern void program_##name(void) __asm__(#name) __attribute__((weak));
HENCE_IMAGE_FUNCTIONS(X)
#undef X

static uint64_t thread_offset(const void *variable)
{
	uint64_t thread;

	__asm__("mov %%fs:0, %0" : "=r"(thread));
	return (uint64_t)variable - thread;
}

static uint64_t symbol(uint32_t number, const struct hence_rt_module *module)
{
	switch ((enum hence_image_symbol)number) {
	case HENCE_SYMBOL_head: return (uint64_t)&hence_rt_head;
	case HENCE_SYMBOL_args: return thread_offset(hence_rt_args);
	case HENCE_SYMBOL_result: return thread_offset(hence_rt_result);
	case HENCE_SYMBOL_full: return (uint64_t)hence_rt_full;
	case HENCE_SYMBOL_enter: return (uint64_t)hence_rt_enter;
	case HENCE_SYMBOL_leave: return (uint64_t)hence_rt_leave;
	case HENCE_SYMBOL_before: return (uint64_t)hence_rt_before;
	case HENCE_SYMBOL_before_indirect: return (uint64_t)hence_rt_before_indirect;
	case HENCE_SYMBOL_after: return (uint64_t)hence_rt_after;
	case HENCE_SYMBOL_again: return (uint64_t)hence_rt_again;
	case HENCE_SYMBOL_main_count: return (uint64_t)hence_rt_main_count;
	case HENCE_SYMBOL_main_words: return (uint64_t)hence_rt_main_words;
	case HENCE_SYMBOL_main_environment: return (uint64_t)hence_rt_main_environment;
	case HENCE_SYMBOL_sigaction: return (uint64_t)hence_rt_sigaction;
	case HENCE_SYMBOL_signal: return (uint64_t)hence_rt_signal;
	case HENCE_SYMBOL_tmpfile: return (uint64_t)hence_rt_tmpfile;
	case HENCE_SYMBOL_memcpy: return (uint64_t)memcpy;
	case HENCE_SYMBOL_memmove: return (uint64_t)memmove;
	case HENCE_SYMBOL_memset: return (uint64_t)memset;
	case HENCE_SYMBOL_module: return (uint64_t)module;
	case HENCE_SYMBOL_imports: return (uint64_t)module->import;
	case HENCE_SYMBOL_scouts: return (uint64_t)server + HENCE_SCOUTS;
	case HENCE_SYMBOL_choose: return (uint64_t)hence_rt_choose;
	case HENCE_SYMBOL_safe: return (uint64_t)hence_rt_safe;
#define X(name)                                                                                    \
	case HENCE_SYMBOL_##name: return (uint64_t)program_##name;
		HENCE_IMAGE_FUNCTIONS(X)
#undef X
	case HENCE_SYMBOLS: break;
	}
	return 0;
}

/* --- loading --- */

/* The old function begins with a jump to its new code. */
static bool redirect(uint64_t from, uint64_t to)
{
	uint64_t first = from & ~(PAGE - 1), end = (from + JUMP + PAGE - 1) & ~(PAGE - 1);
	uint8_t *code = (uint8_t *)from;

	if (HENCE_SYS3(SYS_mprotect, first, end - first, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	memcpy(code, "\x49\xbb", 2);
	memcpy(code + 2, &to, 8);
	memcpy(code + 10, "\x41\xff\xe3", 3);
	HENCE_SYS3(SYS_mprotect, first, end - first, PROT_READ | PROT_EXEC);
	return true;
}

static bool load(const struct hence_image_part *part, const struct hence_rt_module *module)
{
	const struct hence_image_fixup *fixups = at(part->fixups);
	const struct hence_image_entry *entries = at(part->entries);

	if (part->first_function >= module->functions ||
	    (uint64_t)module->addresses[part->first_function] != part->first_address ||
	    !hence_rt_map_at(part->base, part->size))
		return false;
	memcpy((void *)part->base, at(part->bytes), part->byte_size);
	for (uint32_t i = 0; i < part->fixup_count; i++) {
		uint64_t value = symbol(fixups[i].symbol, module) + (uint64_t)fixups[i].addend;

		memcpy((void *)fixups[i].at, &value, sizeof(value));
	}
	if (HENCE_SYS3(SYS_mprotect, part->base, part->size, PROT_READ | PROT_WRITE | PROT_EXEC))
		return false;
	for (uint32_t i = 0; i < part->entry_count; i++)
		if (!redirect((uint64_t)module->addresses[entries[i].function], entries[i].address))
			return false;
	return true;
}

void hence_rt_edits_add(struct hence_rt_module *module)
{
	const struct hence_image_part *parts = image ? at(sizeof(*image)) : NULL;

	for (uint32_t i = 0; image && i < image->parts; i++) {
		if (memcmp(parts[i].hash, module->hash, 16) || loaded_count == PARTS)
			continue;
		if (!load(&parts[i], module)) {
			server->edits = HENCE_EDITS_FAILED;
			return;
		}
		loaded[loaded_count++] = &parts[i];
		if (server->edits != HENCE_EDITS_FAILED)
			server->edits++;
		/* Who is going to wait is told later which one it is to be. */
		if (hence_rt_server_experiments()
		            ? hence_rt_server_repeats()
		            : server->wait != HENCE_WAIT_MAIN && server->wait != HENCE_WAIT_INPUT)
			hence_rt_edits_select();
	}
}

void hence_rt_edits_select(void)
{
	for (uint32_t i = 0; i < loaded_count; i++) {
		const struct hence_image_poke *pokes = at(loaded[i]->pokes);

		*(volatile uint32_t *)loaded[i]->selector = server->edit;
		for (uint32_t k = 0; k < loaded[i]->poke_count; k++) {
			uint64_t address = pokes[k].address & ~(PAGE - 1);
			uint64_t size = (pokes[k].address + pokes[k].size - address + PAGE - 1) &
			                ~(PAGE - 1);

			if (pokes[k].edit != server->edit)
				continue;
			/* It may be constant, and lie beside code. */
			HENCE_SYS3(SYS_mprotect, address, size, PROT_READ | PROT_WRITE | PROT_EXEC);
			memcpy((void *)pokes[k].address, pokes[k].bytes, pokes[k].size);
		}
	}
}
