/*
 * Memory of the program at a stop: an address may lead anywhere, so memory is read and written by
 * the kernel, which says so when there is none.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/stops.h"
#include "runtime/system.h"

#define PAGE 4096ull

extern void *malloc(size_t size) __attribute__((weak));

static long copy(long call, void *own, uint64_t address, uint64_t size)
{
	struct iovec local = {own, size}, remote = {(void *)address, size};

	return HENCE_SYS6(call, HENCE_SYS3(SYS_getpid, 0, 0, 0), &local, 1, &remote, 1, 0);
}

bool hence_rt_stop_fetch(uint64_t address, void *to, uint64_t size)
{
	bool whole = true;

	while (size) {
		long done = copy(SYS_process_vm_readv, to, address, size);
		uint64_t part;

		if (done <= 0) {
			/* The rest of the page is not there. */
			part = PAGE - address % PAGE;
			part = part < size ? part : size;
			memset(to, 0, part);
			whole = false;
		} else {
			part = (uint64_t)done;
		}
		address += part;
		to = (char *)to + part;
		size -= part;
	}
	return whole;
}

static bool write_memory(uint64_t address, const void *bytes, uint64_t size)
{
	return copy(SYS_process_vm_writev, (void *)bytes, address, size) == (long)size;
}

/* --- changes --- */

struct changing {
	struct hence_orders *orders;
	uint64_t *objects; /* addresses of new ones */
	uint32_t count;
};

static bool change_masked(uint64_t address, const uint8_t *bytes, const uint8_t *mask,
                          uint64_t size)
{
	for (uint64_t i = 0; i < size; i++) {
		uint8_t byte;

		if (!mask[i])
			continue;
		if (!hence_rt_stop_fetch(address + i, &byte, 1))
			return false;
		byte = (uint8_t)((byte & ~mask[i]) | (bytes[i] & mask[i]));
		if (!write_memory(address + i, &byte, 1))
			return false;
	}
	return true;
}

/* By the program's own malloc(): it may free it. */
static bool make_object(struct changing *all, uint64_t size)
{
	void *object = malloc ? malloc(size) : NULL;

	if (!object)
		return false;
	memset(object, 0, size);
	all->objects[all->count++] = (uint64_t)object;
	return true;
}

static bool change(struct changing *all, const struct hence_order_change *c)
{
	uint64_t address = c->address, pointer;

	if (c->kind == HENCE_CHANGE_NEW)
		return make_object(all, c->size);
	if (c->object > all->count || (c->kind == HENCE_CHANGE_POINTER && c->target > all->count))
		return false;
	if (c->object)
		address += all->objects[c->object - 1];
	if (c->kind == HENCE_CHANGE_POINTER) {
		pointer = (c->target ? all->objects[c->target - 1] : 0) + (uint64_t)c->addend;
		return write_memory(address, &pointer, sizeof(pointer));
	}
	if (c->mask)
		return change_masked(address, hence_rt_order_at(all->orders, c->bytes),
		                     hence_rt_order_at(all->orders, c->mask), c->size);
	return write_memory(address, hence_rt_order_at(all->orders, c->bytes), c->size);
}

void hence_rt_stop_change(struct hence_orders *orders, const struct hence_order_stop *stop)
{
	static struct changing all; /* objects are counted over all stops */
	const struct hence_order_change *changes = hence_rt_order_at(orders, orders->changes);

	if (all.orders != orders || !all.objects) {
		all = (struct changing){.orders = orders};
		all.objects = hence_rt_memory(orders->change_count * sizeof(*all.objects));
	}
	for (uint32_t i = 0; i < stop->changes; i++)
		if (!all.objects || !change(&all, &changes[stop->change + i])) {
			orders->unwritable = 1;
			hence_rt_stops_end();
		}
}

/* --- reading --- */

void hence_rt_stop_read(struct hence_orders *orders, struct hence_order_stop *stop)
{
	const struct hence_order_reading *readings = hence_rt_order_at(orders, orders->readings);
	char *to = hence_rt_order_at(orders, stop->bytes);

	for (uint32_t i = 0; i < stop->readings; i++) {
		const struct hence_order_reading *reading = &readings[stop->reading + i];
		uint64_t address = reading->address;

		if (reading->through && hence_rt_stop_fetch(address, &address, sizeof(address)))
			address += (uint64_t)reading->offset;
		hence_rt_stop_fetch(address, to, reading->size);
		to += reading->size;
	}
}

bool hence_rt_stop_known(struct hence_orders *orders)
{
	const struct hence_order_reading *known = hence_rt_order_at(orders, orders->known);
	uint8_t bytes[256];

	for (uint32_t i = 0; i < orders->known_count; i++) {
		const uint8_t *right = hence_rt_order_at(orders, known[i].bytes);

		for (uint64_t at = 0; at < known[i].size; at += sizeof(bytes)) {
			uint64_t left = known[i].size - at;
			uint64_t part = left < sizeof(bytes) ? left : sizeof(bytes);

			if (!hence_rt_stop_fetch(known[i].address + at, bytes, part) ||
			    memcmp(bytes, right + at, part))
				return false;
		}
	}
	return true;
}
