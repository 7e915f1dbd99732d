/* Which day of the year is it? prog MONTH DAY ... */
#include <stdio.h>
#include <stdlib.h>

static const int lengths[] = {31, 27, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int day_of_year(int month, int day)
{
	for (int m = 1; m < month; m++)
		day += lengths[m - 1];
	return day;
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		printf("%d\n", day_of_year(atoi(argv[i]), atoi(argv[i + 1])));
	return 0;
}
