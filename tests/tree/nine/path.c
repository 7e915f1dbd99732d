#include <string.h>

#include "plan.h"

/* Parents can always be entered and written to by who makes them. */
static int parent_mode(int mode)
{
	return mode | 0300;
}

static int make_parts(struct plan *plan, const char *path, int length, int mode, int mask)
{
	for (int i = 1; i < length; i++) {
		if (path[i] != '/')
			continue;
		if (plan_parent(plan, path, i, parent_mode(mode), mask))
			return -1;
	}
	return plan_leaf(plan, path, length, mode, mask);
}

static int trimmed_length(const char *path)
{
	int length = (int)strlen(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

static int make_all(struct plan *plan, const char *path, int mode, int mask)
{
	return make_parts(plan, path, trimmed_length(path), mode, mask);
}

int plan_path(struct plan *plan, const char *path, int mode, int mask)
{
	if (!*path)
		return -1;
	return make_all(plan, path, mode, mask);
}
