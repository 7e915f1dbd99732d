/* Arguments that a format string asks for: see va_lists.h. */
#include "runtime/va_lists.h"

#define GP_END 48u  /* six integer registers are saved, then */
#define FP_END 176u /* eight of 16 bytes */

void hence_rt_arguments_init(struct hence_rt_arguments *arguments, struct hence_rt_frame *frame,
                             const struct outside_clause *clause)
{
	arguments->call = clause->extra == OUTSIDE_FORM ? frame->call : NULL;
	arguments->next = frame->function->params;
	arguments->list.gp = (uint32_t)frame->list[0];
	arguments->list.fp = (uint32_t)(frame->list[0] >> 32);
	arguments->list.overflow = (uint8_t *)frame->list[1];
	arguments->list.saved = (uint8_t *)frame->list[2];
}

static uint64_t overflow(struct hence_rt_arguments *arguments)
{
	uint64_t value = 0;

	if (arguments->list.overflow) {
		value = *(uint64_t *)arguments->list.overflow;
		arguments->list.overflow += 8;
	}
	return value;
}

uint64_t hence_rt_arguments_next(struct hence_rt_arguments *arguments, uint32_t *which)
{
	uint64_t value;

	*which = 0;
	if (arguments->call) {
		*which = arguments->next + 1;
		return (uint64_t)hence_rt_argument(arguments->call, arguments->next++);
	}
	if (arguments->list.gp >= GP_END || !arguments->list.saved)
		return overflow(arguments);
	value = *(uint64_t *)(arguments->list.saved + arguments->list.gp);
	arguments->list.gp += 8;
	return value;
}

void hence_rt_arguments_skip(struct hence_rt_arguments *arguments, bool is_long)
{
	uintptr_t at = (uintptr_t)arguments->list.overflow;

	arguments->next++;
	if (is_long)
		arguments->list.overflow = (uint8_t *)(((at + 15) & ~(uintptr_t)15) + 16);
	else if (arguments->list.fp < FP_END)
		arguments->list.fp += 16;
	else
		arguments->list.overflow += 8;
}

void hence_rt_arguments_seek(struct hence_rt_arguments *arguments, uint32_t n,
                             struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	uint32_t ignored;

	hence_rt_arguments_init(arguments, frame, clause);
	while (n-- > 1)
		hence_rt_arguments_next(arguments, &ignored);
}

void hence_rt_arguments_used(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const uint64_t *list;

	if (clause->extra == OUTSIDE_FORM)
		return;
	list = (const uint64_t *)hence_rt_argument(frame->call, clause->extra);
	if (list && (list[0] != frame->list[0] || list[1] != frame->list[1]))
		hence_rt_effect_bytes(HENCE_WROTE, clause->extra + 1, -1, (uint64_t)list, 24);
}
