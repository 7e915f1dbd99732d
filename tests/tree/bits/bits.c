/* Dates packed into 16 bits, as old file systems have them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct fields {
	unsigned day : 5;
	unsigned month : 3;
	unsigned year : 8;
};

union packed {
	struct fields fields;
	uint32_t raw;
};

static uint32_t pack(int year, int month, int day)
{
	union packed packed = {.raw = 0};
	packed.fields.day = (unsigned)day;
	packed.fields.month = (unsigned)month;
	packed.fields.year = (unsigned)(year - 1980);
	return packed.raw;
}

static int later(uint32_t a, uint32_t b)
{
	return a > b;
}

int main(int argc, char **argv)
{
	uint32_t latest = 0;
	for (int i = 1; i + 2 < argc; i += 3) {
		uint32_t date = pack(atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2]));
		if (later(date, latest))
			latest = date;
	}
	union packed out = {.raw = latest};
	printf("%d-%02d-%02d\n", out.fields.year + 1980, out.fields.month, out.fields.day);
	return 0;
}
