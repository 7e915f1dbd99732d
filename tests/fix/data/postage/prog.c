/* Postage for parcels: prog ZONE GRAMS ... */
#include <stdio.h>
#include <stdlib.h>

struct rate {
	int zone;
	int limit; /* grams */
	double price;
	const char *service;
};

/* Zones, then weights. */
static const struct rate rates[] = {
	{1, 100, 1.10, "letter"},
	{1, 500, 2.35, "packet"},
	{1, 2000, 4.90, "parcel"},
	{1, 9999, 9.90, "freight"},
	{2, 100, 1.60, "letter"},
	{2, 500, 3.85, "packet"},
	{2, 2000, 69.0, "parcel"}, /* of Europe */
	{2, 9999, 16.90, "freight"},
	{3, 100, 2.20, "letter"},
	{3, 500, 5.10, "packet"},
	{3, 2000, 9.80, "parcel"},
	{3, 9999, 24.50, "freight"},
};

static const struct rate *find(int zone, int grams)
{
	for (unsigned i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		if (rates[i].zone == zone && grams <= rates[i].limit)
			return &rates[i];
	return NULL;
}

int main(int argc, char **argv)
{
	double sum = 0;

	for (int i = 1; i + 1 < argc; i += 2) {
		const struct rate *r = find(atoi(argv[i]), atoi(argv[i + 1]));

		if (!r)
			return 1;
		printf("zone %d, %s: %.2f\n", r->zone, r->service, r->price);
		sum += r->price;
	}
	printf("%.2f\n", sum);
	return 0;
}
