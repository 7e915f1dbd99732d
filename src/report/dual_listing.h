/*
 * The statements of a dual slice, for a person: those of both runs in the order of time, aligned ones
 * beside each other, with what each did in either run.
 */
#ifndef HENCE_REPORT_DUAL_LISTING_H
#define HENCE_REPORT_DUAL_LISTING_H

#include <stdio.h>

#include "base/str.h"
#include "slice/dual.h"

struct dual_listing_entry {
	uint64_t times[2]; /* statements; 0: that run does not have it */
	char *texts[2];    /* `n = 3`; NULL: likewise */
	char *file, *function;
	unsigned line, column;
};

struct dual_listing {
	VEC(struct dual_listing_entry) entries;
	uint64_t left_out; /* statements, when there are too many to be described */
};

/* Decodes both runs. Caller frees with dual_listing_deinit(). */
MUST_USE struct hence_error *dual_listing_collect(const struct recording *a,
                                                  const struct recording *b,
                                                  const struct alignment *alignment,
                                                  const struct dual *dual,
                                                  struct dual_listing *out);
void dual_listing_deinit(struct dual_listing *listing);

/* `names`: what the runs are called, in a word each. */
void dual_listing_print(const struct dual_listing *listing, const char *const names[2], FILE *file);

/* Appends them as an array of JSON; `names` are the keys of what each run did. */
void dual_listing_add_json(const struct dual_listing *listing, const char *const names[2],
                           struct str *out);

#endif
