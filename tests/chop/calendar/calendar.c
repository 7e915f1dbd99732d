#include "calendar.h"

/* Only February asks; other months have the same days in all years. */
int is_leap(int year, int month)
{
	if (month != 2)
		return 0;
	return year % 4 == 0 && (month % 100 != 0 || year % 400 == 0);
}

int days_of_month(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return days[month - 1] + is_leap(year, month);
}

const char *name_of_month(int month)
{
	static const char *const names[] = {
		"January", "February", "March",     "April",   "May",      "June",
		"July",    "August",   "September", "October", "November", "December",
	};
	return names[month - 1];
}

int weekday(struct date date)
{
	int month = date.month < 3 ? date.month + 12 : date.month;
	int year = date.month < 3 ? date.year - 1 : date.year;
	int sum = date.day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400;
	return (sum + 5) % 7;
}

struct date later(struct date date, int days)
{
	while (days--) {
		if (date.day < days_of_month(date.year, date.month)) {
			date.day++;
			continue;
		}
		date.day = 1;
		if (date.month < 12) {
			date.month++;
		} else {
			date.month = 1;
			date.year++;
		}
	}
	return date;
}
