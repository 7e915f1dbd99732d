/*
 * Guard rails: every branch goes as a list says, one entry after the other (orders.h). All branch
 * sites call one stub, or one for each area of the address space that has code.
 */
#include <string.h>

#include "runtime/memory.h"
#include "runtime/runtime.h"
#include "runtime/sites.h"
#include "runtime/stops.h"

#define STUBS 64u
#define REACH 0x10000000ull /* sites that far apart share a stub */

#define NEVER (1ull << 62)

static uint64_t *counters[STUBS];
static uint32_t counter_count;
static uint32_t at; /* the next entry */

static const struct hence_order_branch *branches_of(const struct hence_orders *orders)
{
	return hence_rt_order_at(orders, orders->branches);
}

/* Sites from `first` on that share a stub; gives the end of them. */
static uint32_t take(struct hence_orders *orders, uint32_t first, uint32_t number)
{
	const struct hence_order_branch *branches = branches_of(orders);
	uint64_t start = branches[first].address, *addresses;
	uint32_t end = first;

	while (end < orders->branch_count && branches[end].address - start < REACH)
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

void hence_rt_rails_begin(struct hence_orders *orders, uint32_t number)
{
	uint32_t i = 0;

	at = counter_count = 0;
	while (i < orders->branch_count && counter_count < STUBS)
		i = take(orders, i, number);
}

static const struct hence_order_branch *find(const struct hence_orders *orders, uint64_t address)
{
	const struct hence_order_branch *branches = branches_of(orders);
	uint32_t low = 0, high = orders->branch_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (branches[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < orders->branch_count && branches[low].address == address ? &branches[low]
	                                                                      : NULL;
}

static uint32_t successor_of(const struct hence_orders *orders,
                             const struct hence_order_branch *branch, uint64_t value)
{
	const struct hence_order_case *cases = hence_rt_order_at(orders, branch->cases);

	for (uint64_t i = 0; i < branch->case_count; i++)
		if (cases[i].value == value)
			return (uint32_t)cases[i].successor;
	return 0;
}

/* False: no value leads there. */
static bool value_for(const struct hence_orders *orders, const struct hence_order_branch *branch,
                      uint32_t successor, uint64_t *value)
{
	const struct hence_order_case *cases = hence_rt_order_at(orders, branch->cases);

	for (uint64_t i = 0; i < branch->case_count; i++)
		if (cases[i].successor == successor) {
			*value = cases[i].value;
			return true;
		}
	return false;
}

static void leave_rails(struct hence_orders *orders)
{
	orders->off_rails = 1;
	hence_rt_stops_end();
}

/* One branch of the program, with an entry that is none to skip. */
static void follow(struct hence_orders *orders, const struct hence_order_rail *rail,
                   struct hence_rt_registers *registers)
{
	const struct hence_order_branch *branch =
		find(orders, registers->site - HENCE_SITE_NOP_SIZE);
	uint32_t natural;

	if (!branch)
		leave_rails(orders);
	natural = successor_of(orders, branch, registers->rax);
	if (rail->kind == HENCE_RAIL_EVALUATE && natural == rail->other &&
	    natural != rail->successor)
		at += rail->skip;
	else if (rail->kind == HENCE_RAIL_EVALUATE && natural != rail->successor)
		leave_rails(orders);
	else if (natural != rail->successor &&
	         !value_for(orders, branch, rail->successor, &registers->rax))
		leave_rails(orders);
	at++;
}

void hence_rt_rails_hit(struct hence_orders *orders, struct hence_rt_registers *registers)
{
	const struct hence_order_rail *rails = hence_rt_order_at(orders, orders->rails);
	bool patch = hence_rt_stops_patch(registers);

	while (at < orders->rail_count && rails[at].kind == HENCE_RAIL_SKIP)
		at += 1 + rails[at].skip;
	if (at < orders->rail_count)
		follow(orders, &rails[at], registers);
	/* At the end of the list the program is on its own. */
	for (uint32_t i = 0; i < counter_count; i++)
		*counters[i] = at < orders->rail_count || patch ? 1 : NEVER;
}
