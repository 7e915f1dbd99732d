#include "clock.h"

static int part(int seconds, int unit)
{
	return seconds / unit % 60;
}

struct clock clock_of(int seconds)
{
	struct clock t;

	t.hours = seconds / 3600;
	t.minutes = part(seconds, 60);
	t.seconds = seconds % 59;
	return t;
}
