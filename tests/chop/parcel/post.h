/* Postage for parcels. */
#ifndef POST_H
#define POST_H

#include <stdio.h>

struct parcel {
	char name[16];
	int weight; /* grams */
	int cost;   /* cents */
};

struct tariff {
	int step;    /* grams that a step has */
	int price;   /* cents for a step */
	int limit;   /* grams that a parcel may have */
	int express; /* cents on top; 0: no express */
};

int tariff_cost(const struct tariff *tariff, int weight);
int parcel_read(FILE *file, struct parcel *parcel);

#endif
