/* Prints degrees of Celsius, in Fahrenheit with the argument f. */
#include <stdio.h>
#include <stdlib.h>

#include "convert.h"

int main(int argc, char *argv[])
{
	if (argc < 2)
		return 2;
	if (argc > 2 && argv[2][0] == 'f')
		shown = FAHRENHEIT;
	int given = atoi(argv[1]);
	int degrees = convert(given);
	printf("%d degrees\n", degrees);
	return 0;
}
