/* Branches of one run as the other run of a pair has them. Only rails*.c include this. */
#ifndef HENCE_ALIGN_RAILS_SITE_H
#define HENCE_ALIGN_RAILS_SITE_H

#include "align/align.h"
#include "experiment/point.h"

struct rails_sites {
	const struct versions *versions; /* NULL: both runs are of one program */
	bool second;                     /* the own run is the second */
	const struct point_branches *own, *other;
	uint32_t *modules; /* of the other run's modules, the number in the own; UINT32_MAX: none */
};

/* Both runs must outlive it. Caller frees with rails_sites_deinit(). */
void rails_sites_init(struct rails_sites *sites, const struct versions *versions, bool second,
                      const struct point_branches *own, const struct point_branches *other);
void rails_sites_deinit(struct rails_sites *sites);

/* The branch of the other run as one of the own: its site and way. False: the own program does not have
   it. */
bool rails_sites_find(const struct rails_sites *sites, const struct point_branch *branch,
                      struct site *site, uint32_t *way);

#endif
