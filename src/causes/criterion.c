/* What all criteria share: see criterion.h. */
#include "causes/criterion.h"

#include <stdlib.h>

void criterion_deinit(struct criterion *c)
{
	for (uint32_t i = 0; i < c->notes.size; i++)
		free(c->notes.at[i]);
	vec_deinit(&c->notes);
	vec_deinit(&c->at);
	vec_deinit(&c->marks);
	str_deinit(&c->what);
	str_deinit(&c->why);
	free(c->file);
	free(c->function);
	*c = (struct criterion){0};
}

const char *criterion_kind_name(enum criterion_kind kind)
{
	static const char *const names[] = {
		[CRITERION_NONE] = "none",     [CRITERION_CRASH] = "crash",
		[CRITERION_ABORT] = "abort",   [CRITERION_ASSERT] = "assert",
		[CRITERION_EXIT] = "exit",     [CRITERION_HANG] = "hang",
		[CRITERION_MEMORY] = "memory", [CRITERION_OUTPUT] = "output",
		[CRITERION_PLACE] = "place",
	};

	return names[kind];
}

void criterion_add_place(const struct criterion *c, struct str *out)
{
	if (c->file && c->line)
		str_printf(out, " at %s:%u", c->file, c->line);
	if (c->function)
		str_printf(out, " in %s()", c->function);
}
