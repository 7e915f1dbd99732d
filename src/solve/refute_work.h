/* Inside of refutations: where terms become constants, and what a claim is followed through. */
#ifndef HENCE_SOLVE_REFUTE_WORK_H
#define HENCE_SOLVE_REFUTE_WORK_H

#include "base/map.h"
#include "solve/refute.h"

/* Where a term becomes a constant: an instance plus one, so that later is more. */
#define REFUTE_NEVER  0u
#define REFUTE_ALWAYS UINT32_MAX

struct refute_known {
	uint64_t value; /* in the run */
	uint32_t since; /* the latest cut, plus one, at which it is a constant */
	uint32_t last;  /* position of its last symbol */
	uint8_t done;
};

struct refute_cache {
	struct symbolic *symbolic;
	bool (*is_fixed)(void *context, uint32_t instance);
	void *context;
	VEC(struct refute_known) known; /* by term */
	VEC(uint32_t) positions;        /* by symbol; 0: not known */
	VEC(term) stack;
	uint64_t defined; /* symbols */
	bool limited;
	/* Nodes and symbols that a walk has met. */
	VEC(uint32_t) met; /* by term: the walk */
	uint32_t walk;
};

/* Takes the cache of the question, emptied if it was about something else, or a new one. The caller
   destroys it if the question had none. */
struct refute_cache *refute_cache_for(struct symbolic *symbolic,
                                      const struct refute_question *question);

/* What is known of a term; follows all that it comes from, as far as that was not done. Defines at most `most`
   further symbols. */
struct refute_known refute_know(struct refute_cache *cache, term t, uint32_t most);

/* Releases terms that were made for a moment (terms_release()), unless definitions were made since then
   (symbolic_made()): these need theirs. */
void refute_forget(struct refute_cache *cache, uint32_t count, uint64_t made);

/* Where in the run a symbol is there: at its instance, or behind all that it is made from; what a function returns is there
   later than its call. Only for symbols of terms that are known. */
uint32_t refute_position(const struct refute_cache *cache, uint64_t number);

/* Is a symbol as it is, whatever the cut? */
bool refute_is_fixed(const struct refute_cache *cache, uint64_t number);

/* A symbol's term as a term over earlier ones: its definition, or a constant. */
term refute_definition(struct refute_cache *cache, uint64_t number);

/* Symbols at a cut or behind it that matter for a term: those that it is followed through until it is constant or the cut is
   reached. `more`: what earlier calls have met is left out. */
struct refute_symbols {
	VEC(uint64_t) at; /* numbers */
};
void refute_follow(struct refute_cache *cache, term t, uint32_t cut, bool more,
                   struct refute_symbols *out);

/* Replaces symbols from a cut on, in place. */
void refute_replace(struct refute_cache *cache, term *all, uint32_t count, uint32_t cut);

/* --- later than where the claim folds --- */

struct refute_branch {
	uint32_t instance;
	uint32_t order; /* in the question */
	term term;
};

struct refute_later {
	enum { LATER_NONE, LATER_FOLDED, LATER_SOLVED, LATER_UNKNOWN } how;
	uint32_t cut;
	VEC(struct refute_branch) core;
	bool certain;
};

/* Looks for a contradiction at a cut later than `fold` (as in refute_known.since). Caller frees out->core. */
void refute_search(struct refute_cache *cache, struct solver *solver,
                   const struct refute_question *question, uint32_t fold, struct refute_later *out);

#endif
