/*
 * An inventory: items with a price and a number of units in each warehouse.
 */
#ifndef STOCK_H
#define STOCK_H

#include <stdbool.h>
#include <stddef.h>

enum { WAREHOUSES = 4, NAME_SIZE = 24 };

struct item {
	char name[NAME_SIZE];
	long price; /* of one unit, in cents */
	int units[WAREHOUSES];
	int sold;
};

/*
 * Items stand one after the other in an array; a hash table with open addressing has their
 * positions. Removing an item moves the last one into its place.
 */
struct stock {
	struct item *items;
	size_t count, room;
	int *slots; /* position in items, EMPTY or GONE */
	size_t slot_count, slots_used;
	long revenue;
};

/* stock.c */
void stock_init(struct stock *s);
void stock_free(struct stock *s);
struct item *stock_find(const struct stock *s, const char *name);
/* The item of that name, which is a new one if there was none. Valid until the next change. */
struct item *stock_get(struct stock *s, const char *name);
bool stock_remove(struct stock *s, const char *name);
int item_units(const struct item *item);

/* commands.c: executes one line. On false, *why says what is wrong with it. */
bool command_execute(struct stock *s, char *line, const char **why);

/* report.c */
void report_print(const struct stock *s);

/* words.c: splits a line at white space, in place; returns the number of words, at most `most`. */
int words_split(char *line, char *words[], int most);
/* A decimal number that is not negative and at most `most`. */
bool words_number(const char *word, long most, long *number);
/* An amount such as 12.50, in cents. */
bool words_amount(const char *word, long *cents);

#endif
