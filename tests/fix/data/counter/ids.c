#include "ids.h"

static int next_id = 2;

int ids_next(void)
{
	return next_id++;
}
