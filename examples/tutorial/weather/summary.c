#include "summary.h"

void summary_add(struct summary *summary, int degrees)
{
	if (summary->count == 0)
		summary->coldest = degrees;
	summary->count++;
	if (degrees < summary->coldest)
		summary->coldest = degrees;
	if (degrees > summary->warmest)
		summary->warmest = degrees;
}
