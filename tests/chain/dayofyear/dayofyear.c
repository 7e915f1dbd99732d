/* The number of a day in its year: YEAR MONTH DAY. */
#include <stdio.h>
#include <stdlib.h>

static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int day_of_year(int year, int month, int day)
{
	int leap = year % 4 == 0 && year % 100 != 0;
	int total = day;
	for (int i = 1; i < month; i++) {
		int days = lengths[i - 1];
		if (i == 2 && leap)
			days++;
		total += days;
	}
	return total;
}

int main(int argc, char *argv[])
{
	if (argc != 4)
		return 2;
	int number = day_of_year(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	printf("%d\n", number);
	return 0;
}
