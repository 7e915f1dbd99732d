#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stock.h"

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct item *const *)a)->name, (*(struct item *const *)b)->name);
}

static void print_amount(const char *what, long cents)
{
	printf("%-12s %6ld.%02ld\n", what, cents / 100, cents % 100);
}

static long value_of(const struct item *item)
{
	return item->price * item_units(item);
}

static void print_items(const struct stock *s)
{
	const struct item **sorted = malloc(s->count * sizeof(const struct item *) + 1);

	if (!sorted)
		abort();
	for (size_t i = 0; i < s->count; i++)
		sorted[i] = &s->items[i];
	qsort(sorted, s->count, sizeof *sorted, by_name);
	for (size_t i = 0; i < s->count; i++) {
		const struct item *item = sorted[i];

		printf("%-12s", item->name);
		for (int k = 0; k < WAREHOUSES; k++)
			printf(" %4d", item->units[k]);
		printf(" %5d", item->sold);
		if (item_units(item) < 5)
			printf(" low");
		printf("\n");
	}
	free(sorted);
}

void report_print(const struct stock *s)
{
	long value = 0;
	int units = 0;

	print_items(s);
	for (size_t i = 0; i < s->count; i++) {
		value += value_of(&s->items[i]);
		units += item_units(&s->items[i]);
	}
	printf("%zu items, %d units\n", s->count, units);
	print_amount("value", value);
	print_amount("revenue", s->revenue);
}
