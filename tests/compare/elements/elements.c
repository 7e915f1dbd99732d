/* Where an element is written and read depends on the same number: a run in which only a part is changed
   reads what was never written there. */
#include <stdio.h>
#include <stdlib.h>

static int a[8];
static int base, slot, key, value;

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	base = atoi(argv[1]) + 1;
	slot = base;
	key = base;
	value = base * 10;
	a[slot] = value;
	int result = a[key];
	printf("%d\n", result);
	return 0;
}
