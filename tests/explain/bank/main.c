/*
 * A bank, by lines of words:
 *	open NAME		a new account
 *	pay NAME AMOUNT		money from outside
 *	move NAME NAME AMOUNT	from the first to the second
 *	undo			the last pay or move
 *	show NAME		its balance
 *	total			of all
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bank.h"

#define MOST_WORDS 4

static struct bank bank;
static int line_number;

static void refuse(const char *why)
{
	printf("line %d: %s\n", line_number, why);
}

static int split(char *line, char *words[])
{
	int count = 0;
	char *at = line;
	while (count < MOST_WORDS) {
		while (isspace((unsigned char)*at))
			at++;
		if (!*at)
			break;
		words[count++] = at;
		while (*at && !isspace((unsigned char)*at))
			at++;
		if (*at)
			*at++ = '\0';
	}
	return count;
}

static struct account *account_named(const char *name)
{
	struct account *account = bank_find(&bank, name);
	if (!account)
		refuse("no such account");
	return account;
}

static long amount_in(const char *word)
{
	long amount = atol(word);
	if (amount <= 0) {
		refuse("no amount");
		return 0;
	}
	return amount;
}

static void do_open(char *words[])
{
	if (!bank_open(&bank, words[1]))
		refuse("it cannot be opened");
}

static void do_pay(char *words[])
{
	struct account *to = account_named(words[1]);
	long amount = amount_in(words[2]);
	if (to && amount)
		bank_pay(&bank, to, amount);
}

static void do_move(char *words[])
{
	struct account *from = account_named(words[1]);
	struct account *to = account_named(words[2]);
	long amount = amount_in(words[3]);
	if (!from || !to || !amount)
		return;
	if (!bank_transfer(&bank, from, to, amount))
		refuse("there is not so much");
}

static void do_undo(char *words[])
{
	if (!bank_undo(&bank))
		refuse("nothing to undo");
}

static void do_show(char *words[])
{
	struct account *account = account_named(words[1]);
	if (account)
		printf("%s has %ld\n", account->name, account->balance);
}

static void do_total(char *words[])
{
	printf("%ld in all\n", bank_total(&bank));
}

struct command {
	const char *name;
	int words;
	void (*run)(char *words[]);
};

static const struct command commands[] = {
	{"open", 2, do_open}, {"pay", 3, do_pay},   {"move", 4, do_move},
	{"undo", 1, do_undo}, {"show", 2, do_show}, {"total", 1, do_total},
};

static const struct command *command_named(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	}
	return NULL;
}

static void do_line(char *line)
{
	char *words[MOST_WORDS];
	int count = split(line, words);
	if (count == 0)
		return;
	const struct command *command = command_named(words[0]);
	if (!command)
		refuse("no such command");
	else if (count != command->words)
		refuse("not the right number of words");
	else
		command->run(words);
}

int main(void)
{
	char line[80];
	while (fgets(line, sizeof line, stdin)) {
		line_number++;
		do_line(line);
	}
	bank_close(&bank);
	return 0;
}
