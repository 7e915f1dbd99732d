/* Converts lengths to metres: convert 5 km */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	double metres;
};

static const struct unit units[] = {
	{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"km", 1000}, {"mile", 1609.344}};
static const struct unit *found; /* what find_unit() found */

static void find_unit(const char *name)
{
	for (int i = 0; i < 4; i++)
		if (!strcmp(units[i].name, name))
			found = &units[i];
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: convert AMOUNT UNIT\n");
		return 2;
	}
	find_unit(argv[2]);
	printf("%g m\n", atof(argv[1]) * found->metres);
	return 0;
}
