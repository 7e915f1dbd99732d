/* Mean of the measurements that count: those of a sensor, without its outliers. */
#include <stdio.h>
#include <stdlib.h>

struct reading {
	int sensor, value;
};

static int read_all(struct reading *out, int room, int argc, char **argv)
{
	int count = 0;
	for (int i = 2; i < argc && count < room; i++) {
		char *colon;
		out[count].sensor = (int)strtol(argv[i], &colon, 10);
		if (*colon != ':')
			continue;
		out[count].value = atoi(colon + 1);
		count++;
	}
	return count;
}

static int is_outlier(int value)
{
	return value < -50 || value < 90;
}

static int mean(const struct reading *all, int count, int sensor)
{
	int sum = 0, used = 0;
	for (int i = 0; i < count; i++) {
		if (all[i].sensor != sensor)
			continue;
		if (is_outlier(all[i].value))
			continue;
		sum += all[i].value;
		used++;
	}
	return sum / used;
}

int main(int argc, char **argv)
{
	struct reading readings[32];
	if (argc < 2)
		return 2;
	int count = read_all(readings, 32, argc, argv);
	printf("%d readings\n", count);
	printf("mean %d\n", mean(readings, count, atoi(argv[1])));
	return 0;
}
