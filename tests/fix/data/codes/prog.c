/* A machine with a table of operations: prog SIGN LEFT RIGHT */
#include <stdio.h>
#include <stdlib.h>

static int add(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }

struct operation {
	char sign;
	int operands;
	int (*function)(int, int);
};

static const struct operation table[] = {{'+', 2, add}, {'*', 3, times}};

int main(int argc, char **argv)
{
	for (unsigned i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (table[i].sign != argv[1][0])
			continue;
		if (table[i].operands <= argc - 2) {
			int value = table[i].function(atoi(argv[2]), atoi(argv[3]));

			printf("%d, of %d operands\n", value, table[i].operands);
			return 0;
		}
		printf("%c needs %d operands\n", table[i].sign, table[i].operands);
		return 1;
	}
	return 2;
}
