/* Compares two lists of file names: [-i] [-I] NAME... - NAME...   -i ignores case in the files (which are
   not read here), -I in their names. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

struct names {
	const char *all[MOST];
	int count;
};

static int ignore_case;
static int ignore_name_case;

static int compare_text(const char *a, const char *b, int fold)
{
	for (;; a++, b++) {
		int x = (unsigned char)*a, y = (unsigned char)*b;
		if (fold) {
			x = tolower(x);
			y = tolower(y);
		}
		if (x != y || !x)
			return x - y;
	}
}

static int compare_names(const char *a, const char *b)
{
	int fold = ignore_case;
	return compare_text(a, b, fold);
}

static int by_name(const void *a, const void *b)
{
	return compare_names(*(const char *const *)a, *(const char *const *)b);
}

static void compare_lists(struct names *left, struct names *right)
{
	int i = 0, j = 0;
	qsort(left->all, left->count, sizeof left->all[0], by_name);
	qsort(right->all, right->count, sizeof right->all[0], by_name);
	while (i < left->count || j < right->count) {
		int order;
		if (i == left->count)
			order = 1;
		else if (j == right->count)
			order = -1;
		else
			order = compare_names(left->all[i], right->all[j]);
		if (order < 0)
			printf("only on the left: %s\n", left->all[i++]);
		else if (order > 0)
			printf("only on the right: %s\n", right->all[j++]);
		else
			printf("both: %s %s\n", left->all[i++], right->all[j++]);
	}
}

int main(int argc, char *argv[])
{
	static struct names lists[2];
	int side = 0;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-i") == 0)
			ignore_case = 1;
		else if (strcmp(argv[i], "-I") == 0)
			ignore_name_case = 1;
		else if (strcmp(argv[i], "-") == 0)
			side = 1;
		else if (lists[side].count < MOST)
			lists[side].all[lists[side].count++] = argv[i];
	}
	compare_lists(&lists[0], &lists[1]);
	return 0;
}
