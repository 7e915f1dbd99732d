/* Looks a key up in sorted numbers: prog KEY NUMBER... The key is known to be there. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int numbers[32];

static int find(int count, int key)
{
	int low = 0, high = count - 1;

	while (low < high) {
		int middle = (low + high) / 2;

		if (numbers[middle] == key)
			return middle;
		if (numbers[middle] < key)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return numbers[0] == key ? 0 : -1;
}

int main(int argc, char **argv)
{
	int key = atoi(argv[1]), place;

	for (int i = 2; i < argc && i < 34; i++)
		numbers[i - 2] = atoi(argv[i]);
	place = find(argc - 2, key);
	assert(place >= 0);
	printf("%d is at %d\n", key, place);
	return 0;
}
