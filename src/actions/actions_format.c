/*
 * printf and its family: which arguments a format uses, how many bytes of each, and which strings it
 * reads. See format.h; formats of wide characters are not followed: their models say `reads`.
 */
#include "base/vec.h"
#include "actions/actions_work.h"
#include "actions/format.h"

static void use_argument(struct work *work, const struct format_argument *argument)
{
	struct action *action;

	if (!argument->size)
		return;
	if (!argument->number) {
		work_read(work, 0, argument->slot, argument->size, ACTIONS_ALL);
		return;
	}
	action = vec_push(&work->out->reads);
	action->kind = ACTION_USED;
	action->argument = (uint16_t)argument->number;
	action->size = argument->size;
}

static void use_string(struct work *work, const struct format_part *part)
{
	uint64_t address = part->value.known ? part->value.bits : 0, length;
	uint32_t unit = format_unit(part);

	if (part->value.known && (address < VIEW_LOWEST || !part->precision))
		return;
	if (address && !(part->precision_from.size && !part->precision_from.known) &&
	    view_length(&work->before, address, unit, part->precision, &length))
		work_read(work, part->value.number, address,
		          (length + (length < part->precision)) * unit, ACTIONS_ALL);
	else
		work_unknown_read(work, OUTSIDE_READS, part->value.number, address, 0);
}

static void use(struct work *work, const struct format_part *part)
{
	use_argument(work, &part->width_from);
	use_argument(work, &part->precision_from);
	use_argument(work, &part->value);
	if (part->value.size && (part->letter == 's' || part->letter == 'S'))
		use_string(work, part);
}

void work_formats(struct work *work, const struct outside_clause *clause)
{
	struct format format;
	struct format_part part;

	if (view_holds(&work->after, clause) == VIEW_NONE)
		return;
	format_open(&format, &work->before, clause);
	if (format.address)
		work_read(work, clause->argument, format.address, format.length + 1, ACTIONS_ALL);
	if (format.list)
		work_read(work, clause->extra + 1, format.list, 24, ACTIONS_ALL);
	while (format_next(&format, &part))
		use(work, &part);
	if (format.lost)
		work_unknown_read(work, OUTSIDE_FORMATS, format.culprit, 0, 0);
	format_close(&format);
}
