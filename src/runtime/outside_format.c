/*
 * printf and its family. What they print follows from arguments that the decoder knows; left for
 * the runtime are what %n writes, and a va_list that was used up.
 */
#include "runtime/outside.h"
#include "runtime/va_lists.h"

static bool is_one_of(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return true;
	return false;
}

/* One conversion, from behind the %; gives what follows it. */
static const char *pass_conversion(const char *at, struct hence_rt_arguments *arguments)
{
	char modifier = 0;
	bool twice = false;
	uint32_t which;
	uint64_t value;

	for (; is_one_of(*at, "0123456789-+ #'I.*"); at++)
		if (*at == '*')
			hence_rt_arguments_next(arguments, &which);
	for (; is_one_of(*at, "hlqjztL"); at++) {
		twice = modifier == *at;
		modifier = *at;
	}
	if (!*at || *at == '%' || *at == 'm')
		return *at ? at + 1 : at;
	if (is_one_of(*at, "aAeEfFgG")) {
		hence_rt_arguments_skip(arguments, modifier == 'L');
		return at + 1;
	}
	value = hence_rt_arguments_next(arguments, &which);
	if (*at == 'n' && value)
		hence_rt_effect_bytes(HENCE_WROTE, which, -1, value,
		                      hence_rt_integer_size(modifier, twice));
	return at + 1;
}

/* Positions such as %2$n are not followed: then only a plain count is lost. */
static void pass_format(const char *at, struct hence_rt_arguments *arguments)
{
	while (*at) {
		if (*at++ == '%')
			at = pass_conversion(at, arguments);
	}
}

/* Is there a %n at all? Nearly never; so this is all that a usual printf() costs. */
static bool has_count(const char *at)
{
	while (*at) {
		if (*at++ != '%')
			continue;
		while (*at && !is_one_of(*at, "n%cCdisSuoxXpaAeEfFgGm"))
			at++;
		if (*at == 'n')
			return true;
		if (*at)
			at++;
	}
	return false;
}

void hence_rt_formatted(struct hence_rt_frame *frame, const struct outside_clause *clause)
{
	const char *format = (const char *)hence_rt_value(frame, clause->at);
	struct hence_rt_arguments arguments;

	if (!format)
		return;
	if (has_count(format)) {
		hence_rt_arguments_init(&arguments, frame, clause);
		pass_format(format, &arguments);
	}
	hence_rt_arguments_used(frame, clause);
}
