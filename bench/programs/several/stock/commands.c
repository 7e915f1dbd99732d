#include <string.h>

#include "stock.h"

enum { MOST_WORDS = 6, MOST_UNITS = 100000 };

static const char *const warehouses[WAREHOUSES] = {"north", "east", "south", "west"};

static bool take_warehouse(const char *word, int *warehouse)
{
	for (int i = 0; i < WAREHOUSES; i++)
		if (strcmp(warehouses[i], word) == 0) {
			*warehouse = i;
			return true;
		}
	return false;
}

/* add NAME UNITS WAREHOUSE */
static const char *add(struct stock *s, char *words[])
{
	long units;
	int where;

	if (!words_number(words[2], MOST_UNITS, &units))
		return "not a number of units";
	if (!take_warehouse(words[3], &where))
		return "no such warehouse";
	stock_get(s, words[1])->units[where] += (int)units;
	return NULL;
}

/* price NAME AMOUNT */
static const char *price(struct stock *s, char *words[])
{
	struct item *item = stock_find(s, words[1]);
	long cents;

	if (!item)
		return "no such item";
	if (!words_amount(words[2], &cents))
		return "not an amount";
	item->price = cents;
	return NULL;
}

/* move NAME UNITS FROM TO */
static const char *move(struct stock *s, char *words[])
{
	struct item *item = stock_find(s, words[1]);
	long units;
	int from, to;

	if (!item)
		return "no such item";
	if (!words_number(words[2], MOST_UNITS, &units))
		return "not a number of units";
	if (!take_warehouse(words[3], &from) || !take_warehouse(words[4], &to))
		return "no such warehouse";
	if (item->units[from] < units)
		return "not so many units there";
	item->units[from] -= (int)units;
	item->units[to] += (int)units;
	return NULL;
}

/* sell NAME UNITS: from the first warehouses that have some */
static const char *sell(struct stock *s, char *words[])
{
	struct item *item = stock_find(s, words[1]);
	long units;

	if (!item)
		return "no such item";
	if (!words_number(words[2], MOST_UNITS, &units))
		return "not a number of units";
	if (item_units(item) < units)
		return "not so many units";
	s->revenue += units * item->price;
	item->sold += (int)units;
	for (int i = 0; i < WAREHOUSES && units > 0; i++) {
		int taken = item->units[i] < units ? item->units[i] : (int)units;

		item->units[i] -= taken;
		units -= taken;
	}
	return NULL;
}

/* drop NAME */
static const char *drop(struct stock *s, char *words[])
{
	return stock_remove(s, words[1]) ? NULL : "no such item";
}

static const struct command {
	const char *name;
	int words;
	const char *(*execute)(struct stock *, char *[]);
} commands[] = {
	{"add", 4, add},   {"price", 3, price}, {"move", 5, move},
	{"sell", 3, sell}, {"drop", 2, drop},
};

bool command_execute(struct stock *s, char *line, const char **why)
{
	char *words[MOST_WORDS];
	int count = words_split(line, words, MOST_WORDS);

	if (count == 0 || words[0][0] == '#')
		return true;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strcmp(commands[i].name, words[0]) != 0)
			continue;
		*why = commands[i].words == count ? commands[i].execute(s, words)
		                                  : "wrong number of words";
		return !*why;
	}
	*why = "no such command";
	return false;
}
