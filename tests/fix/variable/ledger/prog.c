/* Reads amounts of income and of expenses, and prints the balance of each month. */
#include <stdio.h>
#include <stdlib.h>

#define MONTHS 12

int main(int argc, char **argv)
{
	int income[MONTHS] = {0}, expenses[MONTHS] = {0}, balance[MONTHS] = {0};
	int months = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		income[months] = atoi(argv[i]);
		expenses[months] = atoi(argv[i + 1]);
		months++;
	}
	for (int i = 0; i < months; i++) {
		balance[i] = income[i] - expenses[i];
		if (i > 0)
			balance[i] += income[i - 1]; /* should be the balance */
	}
	for (int i = 0; i < months; i++)
		printf("%d: %d\n", i + 1, balance[i]);
	return 0;
}
