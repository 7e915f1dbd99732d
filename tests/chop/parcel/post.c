#include "post.h"

/* What a parcel of this weight costs; -1: it is too heavy. */
int tariff_cost(const struct tariff *tariff, int weight)
{
	int steps = (weight + tariff->step - 1) / tariff->step;

	if (weight > tariff->limit)
		return -1;
	return steps * tariff->price + tariff->express;
}

/* Reads a line 'NAME GRAMS'. */
int parcel_read(FILE *file, struct parcel *parcel)
{
	return fscanf(file, "%15s %d", parcel->name, &parcel->weight) == 2 && parcel->weight > 0;
}
