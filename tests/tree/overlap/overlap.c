/* Lays two rows of signs over each other and prints them; what is strong covers what is weak. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 16

static int strength(int sign)
{
	const char *order = " _-|/";
	const char *found = strchr(order, sign);

	return found ? (int)(found - order) : 0;
}

static int stronger(int left, int right)
{
	if (strength(right) >= strength(left))
		return right;
	if (left == '|' && right == '_')
		return right;
	return left;
}

static void lay(const char *below, const char *above, int *row)
{
	for (int i = 0; i < WIDTH && below[i] && above[i]; i++)
		row[i] = stronger(below[i], above[i]);
}

/* One sign at a time, as text. */
static void print_sign(int sign)
{
	char text[8];

	snprintf(text, sizeof(text), "%c", sign);
	printf("%s", text);
}

int main(int argc, char **argv)
{
	int row[WIDTH] = {0};

	if (argc != 3)
		return 2;
	lay(argv[1], argv[2], row);
	for (int i = 0; row[i]; i++)
		print_sign(row[i]);
	printf("\n");
	return 0;
}
