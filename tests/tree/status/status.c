/* Says by its exit status whether all numbers of cards are valid (Luhn). */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int doubled(int digit)
{
	int twice = digit * 2;
	return twice > 10 ? twice - 9 : twice;
}

static int is_valid(const char *number)
{
	int sum = 0, alternate = 0;
	for (int i = (int)strlen(number) - 1; i >= 0; i--) {
		if (number[i] == ' ')
			continue;
		if (!isdigit((unsigned char)number[i]))
			return 0;
		int digit = number[i] - '0';
		sum += alternate ? doubled(digit) : digit;
		alternate = !alternate;
	}
	return sum % 10 == 0;
}

int main(int argc, char **argv)
{
	int invalid = 0;
	for (int i = 1; i < argc; i++)
		if (!is_valid(argv[i]))
			invalid++;
	return invalid > 0;
}
