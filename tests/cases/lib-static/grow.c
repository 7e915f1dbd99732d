/* Second member. */
#include <stdlib.h>

#include "stack.h"

static int grown;

int *grow(int *values, int *room)
{
	grown++;
	*room *= 2;
	return realloc(values, (size_t)*room * sizeof(int));
}

int stack_grown(void)
{
	return grown;
}
