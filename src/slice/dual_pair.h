/*
 * Two runs side by side: which instances and objects correspond, and which values are equal. Inside the
 * dual slice (dual.h).
 */
#ifndef HENCE_SLICE_DUAL_PAIR_H
#define HENCE_SLICE_DUAL_PAIR_H

#include "align/align.h"
#include "names/names.h"
#include "slice/dual_objects.h"
#include "slice/dual_run.h"

MAP_DEFINE_U64(dual_word_map, uint64_t);

struct dual_pair {
	struct dual_run runs[2];
	struct dual_objects objects[2];
	uint32_t *others
		[2]; /* of each object 1 + the number of that which corresponds; 0: not known yet */
	uint32_t *
		known[2]; /* of each instance 1 + the one that is aligned, or 1; 0: not known yet */
	const struct alignment *alignment;
	struct names *names[2]; /* of two versions; NULL: not asked for yet */
	/* Pointers to what is not the program's, of the first run, that corresponding calls returned:
	   what those of the second are. */
	struct dual_word_map foreign;
};

/* To be called when both runs are decoded. */
void dual_pair_init(struct dual_pair *pair, const struct alignment *alignment);
void dual_pair_deinit(struct dual_pair *pair);

/* --- dual_pair.c --- */

/* The instance of the other run that is aligned with this one of run `side`; 0: none. */
uint32_t dual_pair_counterpart(const struct dual_pair *pair, unsigned side, uint32_t instance);

/* Did the branch or call, which is aligned, go another way in the other run? */
bool dual_pair_parts(const struct dual_pair *pair, unsigned side, uint32_t instance,
                     uint32_t other);

/* --- dual_match.c --- */

/* Has the other run this module, too? Of two versions of a program only those that did not change. */
bool dual_pair_has_module(const struct dual_pair *pair, unsigned side, uint32_t module);

/* The object of the other run that corresponds to this one of run `side`; 0: none. */
uint32_t dual_pair_object(const struct dual_pair *pair, unsigned side, uint32_t number);

/* The other run's address of the same byte of the corresponding object, as they were when these
   instances, one of each run, were executed. False: there is none. */
bool dual_pair_translate(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                         uint64_t address, uint64_t *out);

/* The call of the other run that is aligned with that of this frame of run `side`: its frame; UINT32_MAX:
   none. */
uint32_t dual_pair_frame(const struct dual_pair *pair, unsigned side, uint32_t frame);

/* The same, also of locals that are no objects: see dual_place(). */
uint64_t dual_pair_place(const struct dual_pair *pair, unsigned side, uint32_t instance,
                         uint64_t address);

/* --- dual_values.c --- */

/* Are these words, pointers perhaps, equal as the instances of each run had them? */
bool dual_pair_same_word(const struct dual_pair *pair, const uint32_t instances[2],
                         const uint64_t words[2]);

/* Is the value of an instance the same in both runs? */
bool dual_pair_same_value(const struct dual_pair *pair, const uint32_t instances[2]);

/* Where an instance of a run wrote these bytes, the aligned one of the other run did so, too: the address.
   False: nobody knows where. */
bool dual_pair_written(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                       uint64_t address, uint64_t *out);

/* Did aligned instances write the same to these bytes, whose address is that of run `side`? */
bool dual_pair_same_bytes(const struct dual_pair *pair, unsigned side, const uint32_t instances[2],
                          uint64_t address, uint64_t size);

/* Was the program given the same bytes at this address of run `side`? */
bool dual_pair_same_given(const struct dual_pair *pair, unsigned side, uint64_t address,
                          uint64_t size);

#endif
