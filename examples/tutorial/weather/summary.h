#ifndef SUMMARY_H
#define SUMMARY_H

struct summary {
	int count;
	int coldest, warmest;
};

/* Adds a temperature. A summary begins with a count of 0. */
void summary_add(struct summary *summary, int degrees);

#endif
