/* Lengths in metres: prog NUMBER UNIT ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long millimetres(const char *unit)
{
	if (!strcmp(unit, "mm"))
		return 1;
	if (!strcmp(unit, "cm"))
		return 10;
	if (!strcmp(unit, "dm"))
		return 50;
	return 1000;
}

int main(int argc, char **argv)
{
	long sum = 0;

	for (int i = 1; i + 1 < argc; i += 2)
		sum += strtol(argv[i], NULL, 10) * millimetres(argv[i + 1]);
	printf("%ld.%03ld m\n", sum / 1000, sum % 1000);
	return 0;
}
