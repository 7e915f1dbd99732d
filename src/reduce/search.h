/* Delta debugging of inputs: a mix (mix.h) is searched by src/dd, an asker (asker.h) answers. */
#ifndef HENCE_REDUCE_SEARCH_H
#define HENCE_REDUCE_SEARCH_H

#include "reduce/asker.h"
#include "reduce/levels.h"

/* Minimises the input at one level; *changed: it is smaller now; *stopped: somebody wanted the search
   to end. After an error `failing` is the best so far. */
MUST_USE struct hence_error *search_minimise(struct asker *asker, const struct level *level,
                                             struct input *failing, bool *changed, bool *stopped);

/* Minimises the difference at one level. Both ends move. */
MUST_USE struct hence_error *search_isolate(struct asker *asker, const struct level *level,
                                            struct input *passing, struct input *failing,
                                            bool *stopped);

/* Minimises the input at all levels, coarse to fine, until the result is 1-minimal at the finest. */
MUST_USE struct hence_error *search_minimise_all(struct asker *asker, const struct levels *levels,
                                                 struct input *failing, bool *stopped);

MUST_USE struct hence_error *search_isolate_all(struct asker *asker, const struct levels *levels,
                                                struct input *passing, struct input *failing,
                                                bool *stopped);

/* Looks for a passing input near a reduced failing one: without one of its units, the longest; else as
   much of it as can be had. *found: there is one. `complete`: the failing input is 1-minimal, so that
   few tests are needed; else only what is known is used. Caller frees *out. */
MUST_USE struct hence_error *search_neighbour(struct asker *asker, const struct levels *levels,
                                              const struct input *failing, bool complete,
                                              struct input *out, bool *found);

#endif
