/*
 * Choices among variables: see edit_image.h. Called by edited code from the middle of anything, so all
 * registers but that of the result are kept, and no vector register is touched.
 */
#include "runtime/edits.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/system.h"

#define PAGE_BITS   12u
#define KNOWN_PAGES 256u

struct hence_scout *hence_rt_edit_scouts;

/* What is read where nothing can be read. */
static uint64_t zeros[4];

static inline int64_t fetch(const struct hence_choices *c, void *const *variables, uint8_t which)
{
	bool is_signed = c->types[which].is_signed;

	switch (c->types[which].size) {
	case 1:
		return is_signed ? *(const int8_t *)variables[which]
		                 : *(const uint8_t *)variables[which];
	case 2:
		return is_signed ? *(const int16_t *)variables[which]
		                 : *(const uint16_t *)variables[which];
	case 4:
		return is_signed ? (int64_t) * (const int32_t *)variables[which]
		                 : *(const uint32_t *)variables[which];
	default: return *(const int64_t *)variables[which];
	}
}

static inline bool is_natural(const struct hence_choices *c, uint8_t which)
{
	return which != HENCE_CHOICE_CONSTANT && !c->types[which].is_signed &&
	       c->types[which].size == 8;
}

static inline bool holds(const struct hence_choices *c, const struct hence_choice *choice,
                         int64_t a, int64_t b)
{
	bool naturally = is_natural(c, choice->a) || is_natural(c, choice->b);
	bool less = naturally ? (uint64_t)a < (uint64_t)b : a < b;

	switch ((enum hence_choice_predicate)choice->predicate) {
	case HENCE_CHOICE_EQ: return a == b;
	case HENCE_CHOICE_NE: return a != b;
	case HENCE_CHOICE_LT: return less;
	case HENCE_CHOICE_LE: return less || a == b;
	case HENCE_CHOICE_GT: return !less && a != b;
	case HENCE_CHOICE_GE: return !less;
	}
	return false;
}

/* What becomes of the original value with this choice in force. */
static inline uint64_t apply(const struct hence_choices *c, const struct hence_choice *choice,
                             void *const *variables, uint64_t original, bool scouts, bool *differs)
{
	int64_t a = fetch(c, variables, choice->a);
	int64_t b = choice->b == HENCE_CHOICE_CONSTANT ? choice->constant
	                                               : fetch(c, variables, choice->b);
	uint64_t result = original;

	switch ((enum hence_choice_kind)choice->kind) {
	case HENCE_CHOICE_AND: result = original && holds(c, choice, a, b); break;
	case HENCE_CHOICE_OR: result = original || holds(c, choice, a, b); break;
	case HENCE_CHOICE_IF: result = holds(c, choice, a, b); break;
	case HENCE_CHOICE_ADD: b = (int64_t)((uint64_t)a + (uint64_t)b); break;
	case HENCE_CHOICE_FILL: b = a ? a : b; break;
	case HENCE_CHOICE_SET: break;
	}
	if (choice->kind >= HENCE_CHOICE_SET) {
		*differs = a != b;
		for (uint8_t i = 0; i < c->types[choice->a].size && !scouts; i++)
			((volatile uint8_t *)variables[choice->a])[i] = (uint8_t)(b >> 8 * i);
		return (uint64_t)b;
	}
	*differs = result != original;
	return result;
}

/* The same without doing it. The same value for another variable is something else. */
static inline uint64_t find(const struct hence_choices *c, const struct hence_choice *choice,
                            void *const *variables, uint64_t original, bool *differs)
{
	uint64_t value = apply(c, choice, variables, original, true, differs);

	return choice->kind >= HENCE_CHOICE_SET ? value + ((uint64_t)(choice->a + 1) << 56) : value;
}

/* Would the program die of it? */
static inline bool dies(const struct hence_choice *choice, void *const *variables)
{
	return variables[choice->a] == zeros ||
	       (choice->b != HENCE_CHOICE_CONSTANT && variables[choice->b] == zeros);
}

/* Which other choices would do something else here than the one that is in force? */
static inline void compare(struct hence_choices *c, const struct hence_choice *own,
                           void *const *variables, uint64_t original, struct hence_scout *seen)
{
	bool differs, known = ++c->passed <= HENCE_CHOICE_PASSES;
	uint64_t value;

	if (c->passed > HENCE_CHOICE_PASSES + 1)
		return;
	value = find(c, own, variables, original, &differs);
	for (uint32_t i = 0; i < c->count; i++)
		if (!seen[i].differs && &c->list[i] != own)
			seen[i].differs =
				!known || dies(&c->list[i], variables) ||
				find(c, &c->list[i], variables, original, &differs) != value;
}

uint64_t hence_rt_choose(struct hence_choices *c, void *const *variables, uint64_t original,
                         uint32_t selector)
{
	struct hence_scout *seen = hence_rt_edit_scouts + c->first;
	uint64_t value;
	bool differs;

	if (selector != HENCE_EDIT_SCOUT) {
		const struct hence_choice *own = &c->list[selector - c->first];

		compare(c, own, variables, original, seen);
		if (dies(own, variables))
			__builtin_trap();
		value = apply(c, own, variables, original, false, &differs);
		return own->kind >= HENCE_CHOICE_SET ? original : value;
	}
	/* What comes now is not looked at: nobody knows whether it differs. */
	if (++c->passed > HENCE_CHOICE_PASSES) {
		for (uint32_t i = 0; i < c->count && c->passed == HENCE_CHOICE_PASSES + 1; i++)
			seen[i].differs += !seen[i].differs;
		return original;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		value = find(c, &c->list[i], variables, original, &differs);
		seen[i].executed++;
		seen[i].differs += differs;
		seen[i].values = (seen[i].values ^ (value + 1)) * 0x9e3779b97f4a7c15ull;
		seen[i].values += seen[i].values >> 29;
	}
	return original;
}

static inline bool is_mapped(uint64_t page)
{
	static uint64_t known[KNOWN_PAGES];
	uint64_t *entry = &known[page % KNOWN_PAGES];

	if (page < 16)
		return false;
	if (*entry == page)
		return true;
	if (HENCE_SYS3(SYS_msync, page << PAGE_BITS, 1ul << PAGE_BITS, MS_ASYNC))
		return false;
	*entry = page;
	return true;
}

void *hence_rt_safe(void *address, void *unused, uint64_t nothing, uint32_t selector)
{
	uint64_t at = (uint64_t)address;

	if (selector != HENCE_EDIT_SCOUT ||
	    (is_mapped(at >> PAGE_BITS) && is_mapped((at + 15) >> PAGE_BITS)))
		return address;
	return zeros;
}
