/* Reads commands, one in a line, and prints what is in stock afterwards. */
#include <stdio.h>
#include <string.h>

#include "stock.h"

int main(void)
{
	struct stock stock;
	char line[200];
	int number = 0;

	stock_init(&stock);
	while (fgets(line, sizeof line, stdin)) {
		const char *why = NULL;

		number++;
		if (!command_execute(&stock, line, &why))
			printf("line %d: %s\n", number, why);
	}
	report_print(&stock);
	stock_free(&stock);
	return 0;
}
