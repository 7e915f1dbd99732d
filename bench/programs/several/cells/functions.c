#include <string.h>

#include "cells.h"

static double sum_of(const struct summary *s)
{
	return s->sum;
}

static double mean_of(const struct summary *s)
{
	return s->count ? s->sum / s->count : 0;
}

static double least_of(const struct summary *s)
{
	return s->least;
}

static double most_of(const struct summary *s)
{
	return s->most;
}

static double count_of(const struct summary *s)
{
	return s->count;
}

static const struct function functions[] = {
	{"SUM", sum_of},  {"MEAN", mean_of},   {"MIN", least_of},
	{"MAX", most_of}, {"COUNT", count_of},
};

const struct function *function_find(const char *name)
{
	for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	return NULL;
}
