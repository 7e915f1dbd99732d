/* Plausible edits as part of an explanation: what is shown of them, and what they say about lines. */
#ifndef HENCE_EXPLAIN_EXPLAIN_FIXES_H
#define HENCE_EXPLAIN_EXPLAIN_FIXES_H

#include "explain/explain_source.h"
#include "edit/search.h"
#include "report/explanation.h"

/* Adds the edits of a search, which were ranked, as fixes. */
void explain_add_fixes(const struct edit_search *search, struct explain_sources *sources,
                       struct explanation *out);

/* Adds what they say as evidence, and ranks the suspects anew. */
void explain_suspect_fixes(const struct edit_search *search, struct explain_sources *sources,
                           struct explanation *out);

/* After all evidence: the fixes of the likeliest line first. */
void explain_order_fixes(struct explanation *e);

#endif
