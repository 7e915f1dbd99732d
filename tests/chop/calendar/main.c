/* calendar YEAR MONTH [DAY DAYS]: a month, or the date some days later. */
#include <stdio.h>
#include <stdlib.h>
#include "calendar.h"

static void print_month(int year, int month)
{
	struct date first = {1, month, year};
	int column = weekday(first), days = days_of_month(year, month);
	printf("%s %d, %d days\n", name_of_month(month), year, days);
	printf("Mo Tu We Th Fr Sa Su\n%*s", 3 * column, "");
	for (int day = 1; day <= days; day++) {
		printf("%2d", day);
		putchar(++column % 7 && day < days ? ' ' : '\n');
	}
}

static void print_later(struct date date, int days)
{
	static const char *const names[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
	                                    "Friday", "Saturday", "Sunday"};
	struct date end = later(date, days);
	printf("%s, %d %s %d\n", names[weekday(end)], end.day, name_of_month(end.month), end.year);
}

int main(int argc, char **argv)
{
	int year = 0, month = 0;
	if (argc > 2) {
		year = atoi(argv[1]);
		month = atoi(argv[2]);
	}
	if (year < 1600 || year > 3999 || month < 1 || month > 12) {
		fprintf(stderr, "usage: calendar YEAR MONTH [DAY DAYS]\n");
		return 2;
	}
	if (argc > 4)
		print_later((struct date){atoi(argv[3]), month, year}, atoi(argv[4]));
	else
		print_month(year, month);
	return 0;
}
