/* Where the first number is that is larger than a limit, and what it is. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int limit = atoi(argv[1]), place = 0, looked = 0;
	long value = 0;

	for (int i = 2; i < argc; i++) {
		looked++;
		if (atoi(argv[i]) > limit) {
			place = i - 1;
			value = atol(argv[i]);
		}
	}
	printf("%ld at %d, looked at %d\n", value, place, looked);
	return 0;
}
