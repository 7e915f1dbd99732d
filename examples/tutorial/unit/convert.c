/* Converts lengths to metres: convert 5 km */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	double metres;
};

static const struct unit units[] = {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"km", 1000}};

static const struct unit *find_unit(const char *name)
{
	const struct unit *found = NULL;

	for (int i = 0; i < 4; i++)
		if (!strcmp(units[i].name, name))
			found = &units[i];
	return found;
}

static double convert(double amount, const char *name)
{
	const struct unit *unit = find_unit(name);

	return amount * unit->metres;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: convert AMOUNT UNIT\n");
		return 2;
	}
	printf("%g m\n", convert(atof(argv[1]), argv[2]));
	return 0;
}
