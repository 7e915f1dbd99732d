/* Renders a conversion: see format.h. */
#include <stdio.h>

#include "actions/format.h"

/* The conversion as a format of its own that takes width and precision from arguments. */
static void own_format(const struct format_part *part, char *out)
{
	char modifier[3] = {part->modifier, part->twice ? part->modifier : 0, 0};

	sprintf(out, "%%%s*.*%s%c", part->flags, modifier, part->letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
int format_render(const struct format_part *part, const union format_value *value, char *out,
                  size_t room)
{
	int precision = part->precision == FORMAT_UNLIMITED ? -1 : (int)part->precision;
	char format[24];

	own_format(part, format);
	if (format_is_real(part) && part->modifier == 'L')
		return snprintf(out, room, format, part->width, precision, value->precise);
	if (format_is_real(part))
		return snprintf(out, room, format, part->width, precision, value->real);
	if (part->value.size == 8)
		return snprintf(out, room, format, part->width, precision, value->bits);
	return snprintf(out, room, format, part->width, precision, (int)value->bits);
}
#pragma GCC diagnostic pop
