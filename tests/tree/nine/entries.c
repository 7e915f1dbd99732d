#include <string.h>

#include "plan.h"

static struct entry *find(struct plan *plan, const char *path, int length)
{
	for (int i = 0; i < plan->count; i++)
		if (!strncmp(plan->entries[i].path, path, length) && !plan->entries[i].path[length])
			return &plan->entries[i];
	return NULL;
}

static int apply_mask(int mode, int mask)
{
	return mode & ~mask;
}

static void fill(struct entry *entry, const char *path, int length, int mode)
{
	memcpy(entry->path, path, length);
	entry->path[length] = '\0';
	entry->mode = mode;
}

static int append(struct plan *plan, const char *path, int length, int mode)
{
	if (plan->count == 32 || length >= (int)sizeof plan->entries[0].path)
		return -1;
	fill(&plan->entries[plan->count++], path, length, mode);
	return 0;
}

static int add_masked(struct plan *plan, const char *path, int length, int mode, int mask)
{
	return append(plan, path, length, apply_mask(mode, mask));
}

static int add(struct plan *plan, const char *path, int length, int mode, int mask)
{
	if (find(plan, path, length))
		return 0;
	return add_masked(plan, path, length, mode, mask);
}

int plan_parent(struct plan *plan, const char *path, int length, int mode, int mask)
{
	return add(plan, path, length, mode, mask);
}

int plan_leaf(struct plan *plan, const char *path, int length, int mode, int mask)
{
	return add(plan, path, length, mode, mask);
}
