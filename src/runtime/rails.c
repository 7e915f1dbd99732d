/*
 * Guard rails: every branch goes as a list says, one entry after the other (orders.h). All branch
 * sites call one stub, or one for each area of the address space that has code. Most branches are just
 * forced: that takes no vector registers (this file is compiled so), which need not be saved then.
 */
#include <string.h>
#include <sys/mman.h>

#include "runtime/memory.h"
#include "runtime/protocol.h"
#include "runtime/runtime.h"
#include "runtime/sites.h"
#include "runtime/stops.h"
#include "runtime/system.h"

#define STUBS 64u
#define REACH 0x10000000ull /* sites that far apart share a stub */
#define PAGE  4096u
#define HINTS 256u

#define NEVER (1ull << 62)

static uint64_t *counters[STUBS];
static uint32_t counter_count;
static uint32_t number; /* of the stubs */
static uint32_t at;     /* the next entry */
static const struct hence_rails *rails;
static const struct hence_rails_branch *branches;
static const struct hence_order_rail *entries;
static bool alone;    /* nobody else wants to know of branches */
static uint32_t *own; /* 1; but 0 in children that the program makes: they go their own way */

/* Sites from `first` on that share a stub; gives the end of them. */
static uint32_t take(uint32_t first)
{
	uint64_t start = branches[first].address, *addresses;
	uint32_t end = first;

	while (end < rails->branch_count && branches[end].address - start < REACH)
		end++;
	addresses = hence_rt_memory((end - first) * sizeof(*addresses));
	counters[counter_count] = addresses ? hence_rt_stub_make(number, start) : NULL;
	if (!counters[counter_count])
		return end;
	for (uint32_t i = first; i < end; i++)
		addresses[i - first] = branches[i].address;
	*counters[counter_count] = 1;
	hence_rt_stub_patch(addresses, end - first, counters[counter_count++]);
	return end;
}

void hence_rt_rails_begin(struct hence_orders *orders, uint32_t stub)
{
	uint32_t i = 0;

	number = stub;

	rails = (const void *)((char *)orders + (HENCE_RAILS - HENCE_ORDERS));
	branches = (const void *)((char *)rails + rails->branches);
	entries = (const void *)((char *)rails + rails->rails);
	at = orders->rail;
	counter_count = 0;
	alone = false;
	own = hence_rt_memory(PAGE);
	if (!own)
		hence_rt_stops_end();
	HENCE_SYS3(SYS_madvise, own, PAGE, MADV_WIPEONFORK);
	*own = 1;
	while (i < rails->branch_count && counter_count < STUBS)
		i = take(i);
}

static const struct hence_rails_branch *find(uint64_t address)
{
	static uint32_t hints[HINTS]; /* where branches were found before */
	uint32_t *hint = &hints[address % HINTS];
	uint32_t low = 0, high = rails->branch_count;

	if (*hint < high && branches[*hint].address == address)
		return &branches[*hint];

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (branches[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	*hint = low;
	return low < rails->branch_count && branches[low].address == address ? &branches[low]
	                                                                     : NULL;
}

static const struct hence_rails_case *cases_of(const struct hence_rails_branch *branch)
{
	return (const struct hence_rails_case *)((char *)rails + rails->cases) + branch->first;
}

static uint32_t way_of(const struct hence_rails_branch *branch, uint64_t value)
{
	const struct hence_rails_case *cases = cases_of(branch);

	for (uint32_t i = 0; i < branch->count; i++)
		if (cases[i].value == (value & branch->mask))
			return (uint32_t)cases[i].way;
	return branch->way;
}

/* False: no value leads there. */
static bool value_for(const struct hence_rails_branch *branch, uint32_t way, uint64_t *value)
{
	const struct hence_rails_case *cases = cases_of(branch);

	for (uint32_t i = 0; i < branch->count; i++)
		if (cases[i].way == way) {
			*value = cases[i].value;
			return true;
		}
	return false;
}

/* The entry for the branch: entries that are none of their own are passed. */
static const struct hence_order_rail *next_for(uint32_t branch)
{
	while (at < rails->rail_count) {
		const struct hence_order_rail *entry = &entries[at];

		if (entry->kind == HENCE_RAIL_SKIP)
			at += 1 + entry->skip;
		else if (entry->kind != HENCE_RAIL_CHOOSE)
			return entry;
		else if (at + 1 < rails->rail_count && entry[1].branch == branch)
			at++;
		else
			at += 1 + entry->skip;
	}
	return NULL;
}

/* False: it has left the rails. */
static bool follow(struct hence_rt_registers *registers)
{
	const struct hence_rails_branch *branch = find(registers->site - HENCE_SITE_NOP_SIZE);
	const struct hence_order_rail *entry = branch ? next_for(branch->number) : NULL;
	uint32_t natural;

	if (!entry)
		return branch;
	if (entry->branch != branch->number)
		return false;
	natural = way_of(branch, registers->rax);
	if (natural == entry->way) {
		at++;
		return true;
	}
	if (entry->kind == HENCE_RAIL_EVALUATE) {
		at += 1 + entry->skip;
		return natural == entry->other;
	}
	at++;
	return value_for(branch, entry->way, &registers->rax);
}

void hence_rt_rails_ready(bool more)
{
	/* At the end of the list the program is on its own. */
	for (uint32_t i = 0; i < counter_count; i++)
		*counters[i] = at < rails->rail_count || more ? 1 : NEVER;
	alone = !more;
}

bool hence_rt_rails_pass(struct hence_rt_registers *registers)
{
	uint64_t rax = registers->rax;
	uint32_t before = at;

	if (!alone || registers->number != number || !*own || at >= rails->rail_count)
		return false;
	if (follow(registers)) {
		hence_rt_rails_ready(false);
		return true;
	}
	registers->rax = rax;
	at = before;
	return false;
}

void hence_rt_rails_hit(struct hence_orders *orders, struct hence_rt_registers *registers)
{
	if (!*own) {
		for (uint32_t i = 0; i < counter_count; i++)
			*counters[i] = NEVER;
		return;
	}
	hence_rt_stops_before_branch(registers);
	if (at < rails->rail_count && !follow(registers)) {
		orders->off_rails = 1;
		hence_rt_stops_end();
	}
	hence_rt_rails_ready(hence_rt_stops_after_branch(registers));
}
