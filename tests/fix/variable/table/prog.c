/* The widest row of a table; the numbers of the rows lie in an array of variable length. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct row {
	int first, size, width;
};

static int widest(const struct row *rows, int count)
{
	int order[count], best = 0;

	for (int i = 0; i < count; i++)
		order[i] = rows[i].first + rows[i].size;
	for (int i = 1; i < count; i++)
		if (rows[i].width > rows[best].size) /* should be the width */
			best = i;
	return order[best] > 0 ? best : -1;
}

int main(int argc, char **argv)
{
	struct row rows[16];
	int count = 0;

	for (int i = 1; i + 1 < argc && count < 16; i += 2) {
		rows[count].first = count;
		rows[count].size = atoi(argv[i]);
		rows[count].width = (int)floor(rows[count].size * 10.0 / atoi(argv[i + 1]));
		count++;
	}
	for (int i = 0; i < count; i++)
		printf("%d %d, ", rows[i].size, rows[i].width);
	printf("%d\n", count ? widest(rows, count) : -1);
	return 0;
}
