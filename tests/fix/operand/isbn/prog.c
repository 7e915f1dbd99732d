/* Check digits: each digit has its place, from 1 on, as weight. */
#include <stdio.h>

static int check(const char *text)
{
	int sum = 0;

	for (int i = 0; text[i]; i++) {
		int weight = i + 1, digit = text[i] - '0';

		sum += digit * weight + i;
	}
	return sum % 11;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int digit = check(argv[i]);

		if (digit == 10)
			printf("%sX\n", argv[i]);
		else
			printf("%s%d\n", argv[i], digit);
	}
	return 0;
}
