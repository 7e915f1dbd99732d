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

static inline int64_t leaf(const struct hence_choices *c, void *const *variables, uint8_t which,
                           int64_t constant)
{
	return which == HENCE_CHOICE_CONSTANT ? constant : fetch(c, variables, which);
}

static inline bool is_wide(const struct hence_choices *c, uint8_t which, int64_t constant)
{
	return which == HENCE_CHOICE_CONSTANT ? constant != (int32_t)constant
	                                      : c->types[which].size == 8;
}

/* What stands left of the comparison or of the second operation. False: it is undefined. */
static inline bool left(const struct hence_choices *c, const struct hence_choice *choice,
                        void *const *variables, int64_t *out)
{
	*out = fetch(c, variables, choice->a);
	return !choice->operation ||
	       hence_operate(choice->operation, *out,
	                     leaf(c, variables, choice->with, choice->with_constant),
	                     is_wide(c, choice->a, 0) ||
	                             is_wide(c, choice->with, choice->with_constant),
	                     out);
}

/* The new value of an operand. False: it is undefined. */
static inline bool value(const struct hence_choices *c, const struct hence_choice *choice,
                         void *const *variables, int64_t *out)
{
	bool wide = is_wide(c, choice->a, 0) || is_wide(c, choice->b, choice->constant) ||
	            (choice->operation && is_wide(c, choice->with, choice->with_constant));

	return left(c, choice, variables, out) &&
	       (!choice->predicate ||
	        hence_operate(choice->predicate, *out,
	                      leaf(c, variables, choice->b, choice->constant), wide, out));
}

static inline bool holds(const struct hence_choices *c, const struct hence_choice *choice,
                         int64_t a, int64_t b)
{
	/* As unsigned numbers: both change sign. */
	if (!choice->operation && (is_natural(c, choice->a) || is_natural(c, choice->b))) {
		a ^= INT64_MIN;
		b ^= INT64_MIN;
	}
	return hence_compare(choice->predicate, a, b);
}

/* What becomes of the original value with this choice in force. */
static inline uint64_t apply(const struct hence_choices *c, const struct hence_choice *choice,
                             void *const *variables, uint64_t original, bool scouts, bool *differs)
{
	int64_t a = 0, b = leaf(c, variables, choice->b, choice->constant);
	uint64_t result = original;

	if (choice->kind == HENCE_CHOICE_VALUE)
		value(c, choice, variables, &a);
	else
		left(c, choice, variables, &a);
	switch ((enum hence_choice_kind)choice->kind) {
	case HENCE_CHOICE_VALUE:
		result = (uint64_t)a & (c->bits < 64 ? (1ull << c->bits) - 1 : ~0ull);
		break;
	case HENCE_CHOICE_AND: result = original && holds(c, choice, a, b); break;
	case HENCE_CHOICE_OR: result = original || holds(c, choice, a, b); break;
	case HENCE_CHOICE_IS:
	case HENCE_CHOICE_IF: result = holds(c, choice, a, b); break;
	case HENCE_CHOICE_ADD: b = (int64_t)((uint64_t)a + (uint64_t)b); break;
	case HENCE_CHOICE_FILL: b = a ? a : b; break;
	case HENCE_CHOICE_WATCH:
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

/* Would the program die of it, or could it? */
static inline bool dies(const struct hence_choices *c, const struct hence_choice *choice,
                        void *const *variables)
{
	int64_t ignored;

	return variables[choice->a] == zeros ||
	       (choice->b != HENCE_CHOICE_CONSTANT && variables[choice->b] == zeros) ||
	       (choice->operation && choice->with != HENCE_CHOICE_CONSTANT &&
	        variables[choice->with] == zeros) ||
	       (choice->kind == HENCE_CHOICE_VALUE
	                ? !value(c, choice, variables, &ignored)
	                : choice->operation && !left(c, choice, variables, &ignored));
}

/* Logs a pass of the place. */
static inline void watch(const struct hence_choices *c, void *const *variables, uint64_t original,
                         struct hence_scout *seen)
{
	struct hence_watch *log;

	if (seen->executed++ >= HENCE_WATCH_PASSES)
		return;
	log = (struct hence_watch *)(hence_rt_edit_scouts + c->list[0].constant +
	                             (seen->executed - 1) * hence_watch_size(c->variables));
	log->original = original;
	log->readable = 0;
	for (uint8_t i = 0; i < c->variables; i++) {
		log->readable |= (uint64_t)(variables[i] != zeros) << i;
		log->variables[i] = fetch(c, variables, i);
	}
}

/* Which other choices would do something else here than the one that is in force? */
static inline void compare(struct hence_choices *c, const struct hence_choice *own,
                           void *const *variables, uint64_t original, struct hence_scout *seen)
{
	bool differs, known = ++c->passed <= HENCE_CHOICE_PASSES;
	uint64_t does;

	if (c->passed > HENCE_CHOICE_PASSES + 1)
		return;
	does = find(c, own, variables, original, &differs);
	for (uint32_t i = 0; i < c->count; i++)
		if (!seen[i].differs && &c->list[i] != own)
			seen[i].differs =
				!known || dies(c, &c->list[i], variables) ||
				find(c, &c->list[i], variables, original, &differs) != does;
}

uint64_t hence_rt_choose(struct hence_choices *c, void *const *variables, uint64_t original,
                         uint32_t selector)
{
	struct hence_scout *seen = hence_rt_edit_scouts + c->first;
	uint64_t does;
	bool differs;

	if (selector != HENCE_EDIT_SCOUT) {
		const struct hence_choice *own = &c->list[selector - c->first];

		compare(c, own, variables, original, seen);
		if (dies(c, own, variables))
			__builtin_trap();
		does = apply(c, own, variables, original, false, &differs);
		return own->kind >= HENCE_CHOICE_SET ? original : does;
	}
	if (c->list[0].kind == HENCE_CHOICE_WATCH) {
		watch(c, variables, original, seen);
		return original;
	}
	/* What comes now is not looked at: nobody knows whether it differs. */
	if (++c->passed > HENCE_CHOICE_PASSES) {
		for (uint32_t i = 0; i < c->count && c->passed == HENCE_CHOICE_PASSES + 1; i++)
			seen[i].differs += !seen[i].differs;
		return original;
	}
	for (uint32_t i = 0; i < c->count; i++) {
		does = find(c, &c->list[i], variables, original, &differs);
		seen[i].executed++;
		seen[i].differs += differs;
		seen[i].values = (seen[i].values ^ (does + 1)) * 0x9e3779b97f4a7c15ull;
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
