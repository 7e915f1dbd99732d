/* Inside predicates.h: the branches of a run that could go another way, and their description. */
#ifndef HENCE_CAUSES_PREDICATES_WORK_H
#define HENCE_CAUSES_PREDICATES_WORK_H

#include <roaring/roaring.h>

#include "causes/branch.h"
#include "causes/predicates.h"

struct branch_instance {
	uint64_t time, count;
	uint32_t branch; /* index */
	uint32_t block;  /* that it went to; UINT32_MAX: by a value that was not defined */
	uint32_t instance;
	bool in_slice;
};

/* A way that an instance could have gone. */
struct branch_way {
	uint32_t instance; /* index */
	uint32_t successor;
};

struct branches {
	VEC(struct branch) all;
	VEC(struct branch_instance) instances;
	VEC(struct branch_way) ways; /* in the order in which they are to be tried */
	uint64_t
		printed; /* bytes on standard output, with those that were lost in stdio's buffer */
	bool cut;        /* there are more than can be kept */
};

/* Those of the run up to where byte `wrong` of standard output is put out, which nothing can mend after
   that (UINT64_MAX: all); `slice` has instances. Caller frees with branches_deinit(). */
struct hence_error *branches_find(const struct recording *run, const roaring_bitmap_t *slice,
                                  uint64_t wrong, const struct predicates_options *options,
                                  struct branches *out);
void branches_deinit(struct branches *branches);

/* Fills place, condition and ways of predicates. Decodes the run. */
struct hence_error *predicates_describe(const struct recording *run, struct predicates *predicates);

#endif
