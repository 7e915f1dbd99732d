#include <stdio.h>

union value {
	char small[2];
	int number;
	char large[8];
};

int main(void)
{
	union value v = {.number = 0x01020304};
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += v.large[i];
	v.large[7] = 1;
	printf("%d\n", sum + v.small[1]);
	return 0;
}
