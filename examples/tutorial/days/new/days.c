/* Prints which day of the year a date is: days 2000 3 1 */
#include <stdio.h>
#include <stdlib.h>

static const int lengths[2][12] = {
	{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
	{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31},
};

static int is_leap(int year)
{
	int leap = year % 4 == 0;

	if (year % 100 == 0)
		leap = 0;
	return leap;
}

static int day_of_year(int year, int month, int day)
{
	int leap = is_leap(year);
	int sum = day;

	for (int i = 0; i < month - 1; i++)
		sum += lengths[leap][i];
	return sum;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	printf("day %d\n", day_of_year(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
	return 0;
}
