/*
 * Stops: see stops.h. On the way to the first stop only its site is taken; what comes after it is
 * counted from there, so all other sites are taken when it is reached.
 */
#include "runtime/stops.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/sites.h"
#include "runtime/system.h"

/* ------ memory at a stop ------ */

/*
 * An address may lead anywhere, so memory is read and written by the kernel, which says so when
 * there is none.
 */

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

static void hence_rt_stop_change(struct hence_orders *orders, const struct hence_order_stop *stop)
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

static void hence_rt_stop_read(struct hence_orders *orders, struct hence_order_stop *stop)
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

static bool hence_rt_stop_known(struct hence_orders *orders)
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

/* ------ stops ------ */

/* A place in the code, taken or not. */
struct place {
	uint64_t *counter;     /* of its stub; NULL: it has none yet */
	uint64_t armed;        /* what that was set to */
	uint64_t passed;       /* before that */
	uint64_t value, stack; /* of the branch or result that is forced */
	uint32_t force;        /* enum hence_order_force */
	uint32_t teller;       /* 1 + the stop that wants to know how the branch goes; 0: none */
	bool same_stack;
	bool taken;
	bool wanted;   /* to be taken when its code is loaded */
	uint64_t kept; /* the counter, while the program's code may run that must not count */
};

#define NEVER (1ull << 62)

static struct hence_orders *orders; /* NULL: none */
static struct place *places;
static uint64_t few[256]; /* for most, both of these: */
static uint64_t *due;     /* for each stop: the passing of its place when it comes; 0: not yet */
static struct hence_order_stop *stops;
static bool begun;            /* the first stop is behind us */
static bool on_rails;         /* branch sites are taken by rails.c */
static uint32_t wanted;       /* things that are to be known yet */
static uint32_t waiting;      /* branches that are forced or told next */
static bool snapshot;         /* it is to be waited at */
static long process;          /* children that the program makes go their own way */
static uint64_t patch_due;    /* the passing of its place, by these orders; 0: it is behind us */
static uint64_t patch_before; /* passings of that place before these orders */

extern FILE *stdout __attribute__((weak));

static long process_id(void)
{
	return HENCE_SYS3(SYS_getpid, 0, 0, 0);
}

void hence_rt_stops_end(void)
{
	for (;;)
		HENCE_SYS3(SYS_kill, process_id(), SIGKILL, 0);
}

/* --- places --- */

static bool is_branch(uint32_t number)
{
	const struct hence_order_place *list = hence_rt_order_at(orders, orders->places);

	return list[number].branch;
}

static const uint64_t *addresses_of(uint32_t number, uint64_t *count)
{
	const struct hence_order_place *list = hence_rt_order_at(orders, orders->places);

	*count = list[number].count;
	return hence_rt_order_at(orders, list[number].addresses);
}

static void give_back(uint32_t number)
{
	const uint64_t *addresses;
	uint64_t count;

	if (!places[number].taken)
		return;
	addresses = addresses_of(number, &count);
	hence_rt_stub_patch(addresses, count, NULL);
	places[number].taken = false;
}

/* Code that is not loaded yet is taken later. */
static void take(uint32_t number)
{
	struct place *place = &places[number];
	const uint64_t *addresses;
	uint64_t count;

	place->wanted = true;
	addresses = addresses_of(number, &count);
	if (place->taken || !count)
		return;
	if (!place->counter)
		place->counter = hence_rt_stub_make(number, addresses[0]);
	place->taken = place->counter && hence_rt_stub_patch(addresses, count, place->counter);
	if (!place->taken)
		orders->missing = number + 1;
	else if (orders->missing == number + 1)
		orders->missing = 0;
}

static uint64_t passed_so_far(const struct place *place)
{
	return place->passed + (place->taken ? place->armed - *place->counter : 0);
}

/* Sets the counter to what comes next; without anything the site is given back. */
static void arm(uint32_t number)
{
	struct place *place = &places[number];
	uint64_t next = place->force || place->teller ? 1 : NEVER;

	if (on_rails && is_branch(number))
		return;
	place->passed = passed_so_far(place);
	if (number == orders->patch_place && patch_due > place->passed &&
	    patch_due - place->passed < next)
		next = patch_due - place->passed;
	for (uint32_t i = 0; i < orders->stop_count; i++)
		if (stops[i].place == number && due[i] > place->passed &&
		    due[i] - place->passed < next)
			next = due[i] - place->passed;
	if (next == NEVER) {
		place->wanted = false;
		give_back(number);
		return;
	}
	take(number);
	place->armed = next;
	if (place->taken)
		*place->counter = next;
}

/* --- what is done --- */

/* On standard output so far: where the file stands, and what stdio has not written yet. */
static uint64_t count_printed(void)
{
	long at = HENCE_SYS3(SYS_lseek, 1, 0, SEEK_CUR);
	uint64_t printed = at > 0 ? (uint64_t)at : 0;

	if (&stdout && stdout && stdout->_fileno == 1 &&
	    stdout->_IO_write_ptr > stdout->_IO_write_base)
		printed += (uint64_t)(stdout->_IO_write_ptr - stdout->_IO_write_base);
	return printed;
}

/* The program's own malloc() may be instrumented. */
static void keep_counters(bool keep)
{
	for (uint32_t i = 0; i < orders->place_count; i++)
		if (places[i].taken && keep)
			places[i].kept = *places[i].counter;
		else if (places[i].taken)
			*places[i].counter = places[i].kept;
}

/* What was to be known is known, or a part of it. */
static void know(void)
{
	if (!--wanted && orders->ends)
		hence_rt_stops_end();
}

static void make_changes(const struct hence_order_stop *stop)
{
	keep_counters(true);
	hence_rt_stop_change(orders, stop);
	keep_counters(false);
	if (on_rails && stop != stops)
		hence_rt_rails_ready(true);
}

/* The next passing of its branch, or of the result of its call, is of interest. */
static void expect(const struct hence_order_stop *stop)
{
	struct place *place = &places[stop->forced_place];

	waiting += !place->force && !place->teller;
	place->force = stop->force;
	place->value = stop->value;
	place->stack = stop->stack;
	place->same_stack = stop->same_stack;
	place->teller = stop->tell ? (uint32_t)(stop - stops) + 1 : 0;
	arm(stop->forced_place);
	if (on_rails && stop != stops)
		hence_rt_rails_ready(true);
}

static void perform(struct hence_order_stop *stop, struct hence_rt_registers *registers)
{
	if (stop->changes)
		make_changes(stop);
	hence_rt_stop_read(orders, stop);
	stop->stack = (uint64_t)(registers + 1);
	stop->printed = count_printed();
	stop->reached = 1;
	if (stop->force || stop->tell)
		expect(stop);
	know();
}

static void first_stop(struct hence_rt_registers *registers)
{
	begun = true;
	due[0] = 0;
	if (!hence_rt_stop_known(orders)) {
		orders->diverged = 1;
		hence_rt_stops_end();
	}
	on_rails = orders->on_rails;
	wanted = orders->stop_count;
	for (uint32_t i = 0; i < orders->stop_count; i++)
		wanted += stops[i].tell;
	for (uint32_t i = 1; i < orders->stop_count; i++)
		due[i] = passed_so_far(&places[stops[i].place]) + stops[i].count;
	perform(&stops[0], registers);
	for (uint32_t i = 0; i < orders->place_count; i++)
		arm(i);
	if (on_rails)
		hence_rt_rails_begin(orders, orders->place_count);
}

/* The value in rax is the condition of a branch or the result of a call. */
static void force(struct place *place, struct hence_rt_registers *registers)
{
	/* The same call in another instance of the function is not meant. */
	if (place->same_stack && place->stack != (uint64_t)(registers + 1))
		return;
	registers->rax = place->force == HENCE_FORCE_VALUE ? place->value : !registers->rax;
	place->force = HENCE_FORCE_NOTHING;
	waiting -= !place->teller;
}

static void tell(struct place *place, const struct hence_rt_registers *registers)
{
	struct hence_order_stop *stop = &stops[place->teller - 1];

	stop->outcome = registers->rax;
	stop->told = 1;
	place->teller = 0;
	waiting -= !place->force;
	know();
}

/* --- the patch of the run --- */

static void begin_patch(void)
{
	patch_due = orders->patch_count > patch_before ? orders->patch_count - patch_before : 0;
	orders->patched = orders->patch_count && !patch_due;
	if (patch_due)
		arm(orders->patch_place);
}

/* The branch is being passed for that time. */
static void patch(uint64_t passed, struct hence_rt_registers *registers)
{
	if (!patch_due || passed != patch_due)
		return;
	registers->rax = orders->patch_value;
	patch_before = orders->patch_count;
	patch_due = 0;
	orders->patched = 1;
}

/* Who goes on with other orders counts on. */
static void leave_patch(void)
{
	if (!patch_due)
		return;
	patch_before += passed_so_far(&places[orders->patch_place]);
	give_back(orders->patch_place);
}

/* --- branches on rails --- */

static bool is_at(uint32_t number, const struct hence_rt_registers *registers)
{
	const uint64_t *addresses;
	uint64_t count;

	addresses = addresses_of(number, &count);
	for (uint64_t i = 0; i < count; i++)
		if (addresses[i] == registers->site - HENCE_SITE_NOP_SIZE)
			return true;
	return false;
}

void hence_rt_stops_before_branch(struct hence_rt_registers *registers)
{
	struct place *patched = &places[orders->patch_place];

	if (patch_due && is_at(orders->patch_place, registers)) {
		patched->passed++;
		patch(passed_so_far(patched), registers);
	}
	for (uint32_t i = 0; i < orders->place_count && waiting; i++)
		if (places[i].force && is_branch(i) && is_at(i, registers))
			force(&places[i], registers);
}

bool hence_rt_stops_after_branch(struct hence_rt_registers *registers)
{
	for (uint32_t i = 0; i < orders->place_count && waiting; i++)
		if (places[i].teller && is_branch(i) && is_at(i, registers))
			tell(&places[i], registers);
	return patch_due || waiting;
}

/* --- all --- */

void hence_rt_hit(struct hence_rt_registers *registers)
{
	uint32_t number = (uint32_t)registers->number;
	struct place *place = &places[number];

	if (number == orders->place_count) {
		hence_rt_rails_hit(orders, registers);
		return;
	}
	if (process_id() != process) {
		*place->counter = NEVER;
		return;
	}
	if (number == orders->patch_place)
		patch(passed_so_far(place), registers);
	if (place->force)
		force(place, registers);
	if (place->teller)
		tell(place, registers);
	if (!begun && number != stops[0].place) {
		arm(number);
		return;
	}
	if (!begun && snapshot) {
		give_back(number);
		leave_patch();
		hence_rt_stub_reset();
		hence_rt_server_snapshot();
		hence_rt_server_obey(registers);
		return;
	}
	if (!begun) {
		first_stop(registers);
		return;
	}
	for (uint32_t i = 1; i < orders->stop_count; i++)
		if (stops[i].place == number && due[i] == passed_so_far(place))
			perform(&stops[i], registers);
	arm(number);
}

/* --- start --- */

void hence_rt_stops_begin(struct hence_orders *given, struct hence_rt_registers *registers,
                          bool wait)
{
	uint64_t size = given->place_count * sizeof(*places) + given->stop_count * sizeof(*due);

	orders = given;
	places = size <= sizeof(few) ? (void *)few : hence_rt_memory(size);
	if (!places)
		hence_rt_stops_end();
	memset(places, 0, size);
	due = (uint64_t *)(places + given->place_count);
	stops = hence_rt_order_at(given, given->stops);
	snapshot = wait;
	begun = !given->stop_count;
	on_rails = false;
	waiting = 0;
	process = process_id();
	hence_rt_stub_reset();
	begin_patch();
	if (registers) {
		first_stop(registers);
		return;
	}
	if (begun)
		return;
	due[0] = stops[0].count;
	arm(stops[0].place);
}

void hence_rt_stops_loaded(void)
{
	if (!orders)
		return;
	for (uint32_t i = 0; i < orders->place_count; i++)
		if (places[i].wanted && !places[i].taken)
			arm(i);
}
