/*
 * The variables that say how programs sort, write characters and tell the time: see recipe.h. Other variables are not kept: a
 * report may be shown to others, and nobody would expect secrets in it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/recipe.h"

static bool begins(const char *text, const char *name)
{
	return !strncmp(text, name, strlen(name));
}

bool recipe_is_locale(const char *variable)
{
	return (begins(variable, "LC_") && strchr(variable, '=')) || begins(variable, "LANG=") ||
	       begins(variable, "LANGUAGE=") || begins(variable, "TZ=");
}

void recipe_take_locale(struct recipe *recipe)
{
	for (char **at = environ; *at; at++)
		if (recipe_is_locale(*at))
			*vec_push(&recipe->locale) = mem_strdup(*at);
}

/* The first variable of ours that is one of these; NULL: none is. Caller frees. */
static char *find_own(void)
{
	for (char **at = environ; *at; at++)
		if (recipe_is_locale(*at))
			return mem_strndup(*at, strcspn(*at, "="));
	return NULL;
}

void recipe_set_locale(const struct recipe *recipe)
{
	char *name;

	while ((name = find_own())) {
		unsetenv(name);
		free(name);
	}
	for (uint32_t i = 0; i < recipe->locale.size; i++) {
		const char *variable = recipe->locale.at[i];

		name = mem_strndup(variable, strcspn(variable, "="));
		setenv(name, strchr(variable, '=') + 1, 1);
		free(name);
	}
}
