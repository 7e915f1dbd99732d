/* Numbers of an evaluation: see metrics.h. */
#include "research/metrics.h"

#include <assert.h>

const uint32_t metrics_tops[METRICS_TOPS] = {1, 3, 5, 10};

uint32_t metrics_class(double score)
{
	/* 0.9 is not quite nine tenths, and its class is that of nine tenths. */
	double percent = score * 100 + 1e-9;

	assert(score >= 0 && score <= 1);
	if (percent >= 99.5)
		return 0;
	return 10 - (uint32_t)(percent / 10);
}

const char *metrics_class_name(uint32_t class_)
{
	static const char *const names[METRICS_CLASSES] = {
		"100 %",   "90-99 %", "80-89 %", "70-79 %", "60-69 %", "50-59 %",
		"40-49 %", "30-39 %", "20-29 %", "10-19 %", "0-9 %",
	};

	assert(class_ < METRICS_CLASSES);
	return names[class_];
}

void metrics_mean_add(struct metrics_mean *mean, double number)
{
	if (!mean->count || number > mean->most)
		mean->most = number;
	mean->sum += number;
	mean->count++;
}

double metrics_mean_of(const struct metrics_mean *mean)
{
	return mean->count ? mean->sum / mean->count : 0;
}

double metrics_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}
