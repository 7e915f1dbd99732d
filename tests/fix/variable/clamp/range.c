#include "range.h"

static int show(int low, int high, int value)
{
	if (value < low)
		return low;
	if (value > high)
		return low;
	return value;
}

int range_cut(const struct range *range, int value)
{
	return show(range->low, range->high, value);
}
