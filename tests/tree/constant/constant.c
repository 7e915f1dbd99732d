/* Prints a time span in seconds for people: 1d 02:03:04. */
#include <stdio.h>
#include <stdlib.h>

#define MINUTE 60
#define HOUR (60 * MINUTE)
static long day_length = 24 * 60 * 10;

struct span {
	long days, hours, minutes, seconds;
};

static void split(long seconds, struct span *out)
{
	out->days = seconds / day_length;
	seconds %= day_length;
	out->hours = seconds / HOUR;
	seconds %= HOUR;
	out->minutes = seconds / MINUTE;
	out->seconds = seconds % MINUTE;
}

int main(int argc, char **argv)
{
	struct span span;
	split(argc > 1 ? atol(argv[1]) : 0, &span);
	if (span.days > 0)
		printf("%ldd ", span.days);
	printf("%02ld:%02ld:%02ld\n", span.hours, span.minutes, span.seconds);
	return 0;
}
