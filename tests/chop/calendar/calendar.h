/* Days, weeks and months. */
#ifndef CALENDAR_H
#define CALENDAR_H

struct date {
	unsigned day : 5;
	unsigned month : 4;
	unsigned year : 12;
};

int is_leap(int year, int month);
int days_of_month(int year, int month);
const char *name_of_month(int month);

/* 0 is Monday. */
int weekday(struct date date);

/* Some days later. */
struct date later(struct date date, int days);

#endif
