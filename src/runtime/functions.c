/* What is instrumented: the registered modules' functions by address, and their globals. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/calls.h"

/* An open-addressing hash table of addresses, kept at most half full. */
struct table {
	struct slot {
		const void *address;
		struct hence_rt_import *import; /* for outside functions; NULL: instrumented */
	} * slots;
	size_t room, size;
};

static struct table functions;

#define MODULES 8192
static struct hence_rt_module **known;
static uint32_t known_count;

static struct slot *find(struct table *t, const void *address)
{
	size_t i = ((uint64_t)address * 0x9e3779b97f4a7c15ull >> 20) & (t->room - 1);

	while (t->slots[i].address && t->slots[i].address != address)
		i = (i + 1) & (t->room - 1);
	return &t->slots[i];
}

static bool grow(struct table *t)
{
	struct table larger = {.room = t->room ? 2 * t->room : 4096, .size = t->size};

	if (2 * t->size < t->room)
		return true;
	larger.slots = hence_rt_memory(larger.room * sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < t->room; i++)
		if (t->slots[i].address)
			*find(&larger, t->slots[i].address) = t->slots[i];
	*t = larger;
	return true;
}

static struct slot *insert(const void *address)
{
	struct slot *slot;

	if (!grow(&functions))
		return NULL;
	slot = find(&functions, address);
	functions.size += !slot->address;
	slot->address = address;
	return slot;
}

void hence_rt_functions_add(struct hence_rt_module *module)
{
	if (!known)
		known = hence_rt_memory(MODULES * sizeof(*known));
	if (known && known_count < MODULES)
		known[known_count++] = module;
	for (uint32_t i = 0; i < module->functions; i++) {
		struct slot *slot = insert(module->addresses[i]);

		if (slot)
			slot->import = NULL;
	}
}

bool hence_rt_is_instrumented(const void *address)
{
	struct slot *slot = functions.room ? find(&functions, address) : NULL;

	return slot && slot->address && !slot->import;
}

/* The name that some module calls the function by; the loader's may be another of its names, such
   as __open64 for open. NULL: none. */
static const char *imported_name(const void *address)
{
	for (uint32_t m = 0; m < known_count; m++)
		for (uint32_t i = 0; i < known[m]->imports; i++)
			if (known[m]->import[i].address == address)
				return known[m]->import[i].name;
	return NULL;
}

struct hence_rt_import *hence_rt_import_at(const void *address)
{
	static struct hence_rt_import unknown = {.state = HENCE_OUTSIDE};
	struct slot *slot = insert(address);
	Dl_info info;

	if (!slot)
		return &unknown;
	if (!slot->import) {
		slot->import = hence_rt_memory(sizeof(*slot->import));
		if (!slot->import)
			return &unknown;
		slot->import->address = address;
		slot->import->state = HENCE_OUTSIDE;
		slot->import->name = imported_name(address);
		if (!slot->import->name && dladdr(address, &info) && info.dli_saddr == address)
			slot->import->name = info.dli_sname;
		if (slot->import->name)
			slot->import->special = hence_rt_special(slot->import->name);
		hence_rt_outside_resolve(slot->import);
	}
	return slot->import;
}

bool hence_rt_global_at(const void *address, const void **start, size_t *size)
{
	uint64_t a = (uint64_t)address;

	for (uint32_t m = 0; m < known_count; m++)
		for (uint32_t g = 0; g < known[m]->globals; g++) {
			uint64_t at = (uint64_t)known[m]->addresses[known[m]->functions + g];

			if (at <= a && a < at + known[m]->sizes[g]) {
				*start = (const void *)at;
				*size = known[m]->sizes[g];
				return true;
			}
		}
	return false;
}
