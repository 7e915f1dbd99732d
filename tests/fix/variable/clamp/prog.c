/* Numbers, cut to a range: prog LOW HIGH NUMBER... */
#include <stdio.h>
#include <stdlib.h>

#include "range.h"

static int show(int value)
{
	return printf("%d\n", value);
}

int main(int argc, char **argv)
{
	struct range range = {atoi(argv[1]), atoi(argv[2])};

	for (int i = 3; i < argc; i++)
		show(range_cut(&range, atoi(argv[i])));
	return 0;
}
