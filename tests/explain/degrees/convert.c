#include "convert.h"

enum unit shown = CELSIUS;

static int to_fahrenheit(int celsius)
{
	int scaled = celsius * (9 / 5);
	return scaled + 32;
}

int convert(int celsius)
{
	if (shown == FAHRENHEIT)
		return to_fahrenheit(celsius);
	return celsius;
}
