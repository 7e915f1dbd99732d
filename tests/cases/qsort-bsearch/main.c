/* Callbacks from libc: qsort, bsearch, qsort_r, a qsort inside a comparison, lfind, tsearch. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person {
	char name[12];
	int age;
	int friends[4];
};

static long compared;

static int by_int(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	compared++;
	return (x > y) - (x < y);
}

static int by_int_down(const void *a, const void *b)
{
	return by_int(b, a);
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_age_then_name(const void *a, const void *b)
{
	const struct person *p = a, *q = b;

	return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}

/* Sorts copies of both lists of friends to compare the medians: qsort within qsort. */
static int by_median(const void *a, const void *b)
{
	int x[4], y[4];

	memcpy(x, ((const struct person *)a)->friends, sizeof(x));
	memcpy(y, ((const struct person *)b)->friends, sizeof(y));
	qsort(x, 4, sizeof(int), by_int);
	qsort(y, 4, sizeof(int), by_int_down);
	return x[2] != y[1]
	               ? x[2] - y[1]
	               : strcmp(((const struct person *)a)->name, ((const struct person *)b)->name);
}

static int by_modulus(const void *a, const void *b, void *data)
{
	int m = *(int *)data, x = *(const int *)a, y = *(const int *)b;

	return x % m != y % m ? x % m - y % m : by_int(a, b);
}

static void visit(const void *node, VISIT order, int depth)
{
	if (order == postorder || order == leaf)
		printf("%d@%d ", **(int *const *)node, depth);
}

static void forget(void *key)
{
	compared += *(int *)key;
}

static void integers(void)
{
	int v[200], m = 17, key, *found;
	unsigned sum = 0;
	size_t n = 200;

	for (int i = 0; i < 200; i++)
		v[i] = (int)((unsigned)i * 2654435761u >> 20);
	qsort(v, 200, sizeof(int), by_int);
	for (int i = 0; i < 200; i++)
		sum = sum * 31 + (unsigned)v[i];
	printf("sorted %u\n", sum);
	for (key = v[77] - 1; key <= v[77] + 1; key++) {
		found = bsearch(&key, v, 200, sizeof(int), by_int);
		printf("%d ", found ? *found : -1);
	}
	qsort_r(v, 200, sizeof(int), by_modulus, &m);
	for (int i = 0; i < 200; i++)
		sum = sum * 31 + (unsigned)v[i];
	key = 12345;
	found = lfind(&key, v, &n, sizeof(int), by_int);
	printf("%u %s\n", sum, found ? "found" : "missing");
	qsort(v, 0, sizeof(int), by_int);
	qsort(v, 1, sizeof(int), by_int);
}

static void people(void)
{
	struct person p[12];
	char *names[12];

	for (int i = 0; i < 12; i++) {
		snprintf(p[i].name, sizeof(p[i].name), "p%d", i * 7 % 12);
		names[i] = p[i].name;
		p[i].age = 20 + i % 5;
		for (int j = 0; j < 4; j++)
			p[i].friends[j] = (i * 11 + j * 17) % 13;
	}
	qsort(names, 12, sizeof(names[0]), by_string);
	for (int i = 0; i < 12; i++)
		printf("%s ", names[i]);
	qsort(p, 12, sizeof(p[0]), by_age_then_name);
	for (int i = 0; i < 12; i++)
		printf("%s/%d ", p[i].name, p[i].age);
	qsort(p, 12, sizeof(p[0]), by_median);
	for (int i = 0; i < 12; i++)
		printf("%s ", p[i].name);
	printf("\n");
}

static void trees(void)
{
	static int keys[] = {5, 2, 8, 1, 9, 3, 5, 2};
	void *root = NULL;
	int nine = 9;

	for (int i = 0; i < 8; i++)
		tsearch(&keys[i], &root, by_int);
	printf("%d\n", tfind(&nine, &root, by_int) != NULL);
	tdelete(&nine, &root, by_int);
	twalk(root, visit);
	tdestroy(root, forget);
	printf("\n");
}

int main(void)
{
	integers();
	people();
	trees();
	printf("compared %ld\n", compared);
	return 0;
}
