/* Roman numbers: prog NUMBER ... */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	const int values[] = {
		1000, 900, 500,
		400, 100, 90,
		50, 40, 10,
		8, 5, 4, 1,
	};
	const char *const names[] = {
		"M", "CM", "D", "CD", "C", "XC",
		"L", "XL", "X", "IX", "V", "IV", "I",
	};

	for (int i = 1; i < argc; i++) {
		int number = atoi(argv[i]);

		for (int k = 0; k < 13; k++)
			for (; number >= values[k]; number -= values[k])
				printf("%s", names[k]);
		printf("\n");
	}
	return 0;
}
