#ifndef PLAN_H
#define PLAN_H

struct entry {
	char path[64];
	int mode;
};

struct plan {
	struct entry entries[32];
	int count;
};

/* path.c */
int plan_path(struct plan *plan, const char *path, int mode, int mask);

/* entries.c */
int plan_parent(struct plan *plan, const char *path, int length, int mode, int mask);
int plan_leaf(struct plan *plan, const char *path, int length, int mode, int mask);

#endif
