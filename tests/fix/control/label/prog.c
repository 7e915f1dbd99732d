/* Times with a unit, in seconds. */
#include <stdio.h>
#include <stdlib.h>

static long seconds(const char *text)
{
	char *unit;
	long value = strtol(text, &unit, 10);

	switch (*unit) {
	case 'd':
		value *= 24;
	case 'h':
		value *= 3600;
		break;
	case 'n':
		value *= 60;
		break;
	default:
		break;
	}
	return value;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s: %ld\n", argv[i], seconds(argv[i]));
	return 0;
}
