/* Numbers its arguments from 1 on. */
#include <stdio.h>

#include "ids.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%d %s\n", ids_next(), argv[i]);
	if (argc > 1)
		printf("next is %d\n", ids_next());
	return 0;
}
