/* What a report shows beside its steps: the memory at each of them, and lines of source. */
#ifndef HENCE_EXPLAIN_ILLUSTRATIONS_H
#define HENCE_EXPLAIN_ILLUSTRATIONS_H

#include "align/align.h"
#include "base/budget.h"
#include "report/explanation.h"
#include "trace/recording.h"

/* ------ the memory graph of each step: explanation_step.memory ------ */

struct explain_memory_options {
	const struct recording *failing;
	const struct recording *reference; /* NULL: there is none, and cells have only one value */
	const struct alignment *alignment; /* of the two */
	/* Where the failure shows, which steps that were observed do not say; 0: not known. */
	uint64_t failing_time, reference_time;
	uint64_t most;               /* statements that may be decoded; 0: some millions */
	const struct budget *budget; /* NULL: no limit */
};

/*
 * Draws the memory at the points of all steps, around their variables, as the failing run has it, next to what the
 * reference has (state/picture.h says what is drawn). Each recording is decoded once, up to the last point. For runs that
 * are too long it only adds a note; when stopped, the steps that are left have none, and a note says so. Steps that have a graph already
 * keep it.
 */
MUST_USE struct hence_error *explain_memory(const struct explain_memory_options *options,
                                            struct explanation *out);

/* ------ lines of source, for a report that must be read without them ------ */

struct explain_sources;

/* Finds the files that the run's functions come from. When the budget is over, it has those of the
   modules that were loaded until then. Caller frees with explain_sources_destroy(). */
MUST_USE struct hence_error *explain_sources_create(const struct recording *run,
                                                    const struct budget *budget,
                                                    struct explain_sources **out);
void explain_sources_destroy(struct explain_sources *sources);

/* Statements that the run has; 0: it was stopped before it knew. */
uint64_t explain_sources_statements(const struct explain_sources *sources);

/* The place with the text of its line, if the file can be read and is no newer than the program. `file`
   is as the compiler was given it; it and `function` may be NULL. `sources` may be NULL: no text.
   Caller frees with explanation_place_deinit(). */
struct explanation_place explain_place(struct explain_sources *sources, const char *file,
                                       unsigned line, unsigned column, const char *function);

/* A file as the compiler was given it. NULL: it is none of the run's, cannot be read, or is newer than the program.
   Valid as long as `sources`. */
struct source;
const struct source *explain_source_of(struct explain_sources *sources, const char *file);

/* Fills explanation.sources, for printers that show more than single lines: the lines around all places of the
   explanation and its tree; of a file that is not long, all. In the order of files and lines. There is a limit, and a
   note if it was reached. What was there before is replaced; without `sources` it stays. */
void explain_add_sources(struct explain_sources *sources, struct explanation *out);

/* Adds a note for each file that was asked for and could not be shown. */
void explain_sources_note(const struct explain_sources *sources, struct explanation *out);

#endif
