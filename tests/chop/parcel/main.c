#include <stdlib.h>
#include <string.h>

#include "post.h"

static int total;

static void send(const struct tariff *tariff, struct parcel *parcel)
{
	parcel->cost = tariff_cost(tariff, parcel->weight);
	if (parcel->cost < 0) {
		fprintf(stderr, "%s is too heavy\n", parcel->name);
		exit(3);
	}
	total += parcel->cost;
}

int main(int argc, char **argv)
{
	struct tariff tariff = {0};
	struct parcel parcel;
	int steps, count = 0;
	FILE *file;

	if (argc != 3) {
		fputs("usage: prog FILE slow|express\n", stderr);
		return 2;
	}
	file = fopen(argv[1], "r");
	if (!file) {
		perror(argv[1]);
		return 2;
	}
	steps = 10;
	tariff.step = 250;
	tariff.price = 120;
	tariff.limit = steps * tariff.step - 1000;
	if (!strcmp(argv[2], "express"))
		tariff.express = 500;
	while (parcel_read(file, &parcel)) {
		send(&tariff, &parcel);
		count++;
	}
	fclose(file);
	printf("%d parcels, %d.%02d\n", count, total / 100, total % 100);
	return 0;
}
