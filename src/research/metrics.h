/* The numbers that the tables of an evaluation are made of: classes of scores, ranks, averages. */
#ifndef HENCE_RESEARCH_METRICS_H
#define HENCE_RESEARCH_METRICS_H

#include <stdbool.h>
#include <stdint.h>

/* Classes of scores as in the paper: 100 %, 90-99 %, 80-89 % ... 0-9 %. A score counts as 100 % from 99.5 % on, as it is printed; it
   never is 1, since what is blamed is looked at, too. */
#define METRICS_CLASSES 11

/* The class of a score from 0 to 1; 0 is 100 %, 10 is 0-9 %. */
uint32_t metrics_class(double score);

/* '90-99 %'. Valid for ever. */
const char *metrics_class_name(uint32_t class_);

/* The numbers that ranks are compared with: top 1, 3, 5, 10. */
#define METRICS_TOPS 4
extern const uint32_t metrics_tops[METRICS_TOPS];

/* An average that is not known before there is a number. */
struct metrics_mean {
	double sum, most;
	uint32_t count;
};

void metrics_mean_add(struct metrics_mean *mean, double number);

/* 0 when there is none. */
double metrics_mean_of(const struct metrics_mean *mean);

/* Part of a whole in percent; 0 if the whole is 0. */
double metrics_percent(double part, double whole);

#endif
