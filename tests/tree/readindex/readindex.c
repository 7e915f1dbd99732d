/* Postage: by weight class and zone. */
#include <stdio.h>
#include <stdlib.h>

static const int limits[] = {20, 50, 500, 1000};
static const int prices[][3] = {
	{85, 110, 170},
	{100, 170, 260},
	{160, 370, 480},
	{275, 550, 740},
};

static int weight_class(int grams)
{
	int class = 0;
	while (class < 4 && grams > limits[class])
		class++;
	return class;
}

static int zone_of(const char *country)
{
	if (country[0] == 'D')
		return 0;
	return country[0] == 'F' || country[0] == 'I' ? 1 : 2;
}

static int postage(int grams, const char *country)
{
	int class = weight_class(grams);
	if (class == 4)
		return -1;
	return prices[class][zone_of(country) + 1];
}

int main(int argc, char **argv)
{
	int total = 0;
	for (int i = 1; i + 1 < argc; i += 2) {
		int price = postage(atoi(argv[i]), argv[i + 1]);
		if (price < 0) {
			printf("too heavy\n");
			continue;
		}
		total += price;
	}
	printf("%d\n", total);
	return 0;
}
