#include <stdlib.h>
int main(int argc, char **argv)
{
	int table[4] = {1, 2, 3, 4}, i;
	if (argc > 3)
		i = 2;
	return table[i & 3] == 77;
}
