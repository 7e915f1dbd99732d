/*
 * One explanation from what the methods have found: the steps of each in its own file, then the
 * suspects and the verdict, which are the same for all.
 */
#ifndef HENCE_EXPLAIN_STEPS_H
#define HENCE_EXPLAIN_STEPS_H

#include "explain/illustrations.h"
#include "failure/symptom.h"
#include "methods/transitions.h"
#include "report/explanation.h"

/* What the failure is. `sources` may be NULL, as everywhere here. */
void explain_failure(const struct oracle *oracle, struct explain_sources *sources,
                     struct explanation *out);

/* Takes the steps and notes that a method has found. */
void explain_add_causes(struct causes *causes, const char *method, struct explain_sources *sources,
                        struct explanation *out);

/* Takes all points that were looked at for transitions. */
void explain_add_points(struct transitions *transitions, struct explain_sources *sources,
                        struct explanation *out);

/*
 * Makes one chain of what another method has found, whose steps `from` has; it is empty afterwards. A step
 * that both have (the same variables with the same values) has the proofs of both, and is a transition if it
 * is one in either. What `from` has before that comes in front, where the chain did not reach so far back, if
 * any of it is proven. Other steps of it are left out: they belong to another chain.
 */
void explain_merge(struct explanation *from, struct explanation *to);

/*
 * Marks the steps whose variables all differ between the reference and another run that passes as well: what
 * they tell is what other input does (explanation_step.usual). `stop` may be NULL.
 */
MUST_USE struct hence_error *explain_usual(const struct recording *reference,
                                           const struct recording *other,
                                           const struct align_options *options,
                                           struct explanation *out);

/*
 * Where the failure shows in only one of the runs: adds the branch that decides about it, which is what hybrid runs are
 * judged by, unless the chain ends with it. After all other steps, before what it shows.
 */
MUST_USE struct hence_error *explain_add_decision(const struct recording *failing,
                                                  const struct symptom *symptom,
                                                  struct explain_sources *sources,
                                                  struct explanation *out);

/* Adds the last step: what the failure shows. After all others. */
void explain_add_symptom(const struct symptom *symptom, const struct oracle *oracle,
                         struct explain_sources *sources, struct explanation *out);

/*
 * Finds the suspects among the steps, best first, at most five. Each transition is one: the statement
 * that made other variables the cause. Those whose values are new come before those that only hand on
 * the values of the step before; among equals, what is nearer to the failure, or if both runs had the
 * same input, what is nearer to the beginning. docs/explain.md says why. The statement that shows the
 * failure comes last.
 */
void explain_suspects(struct explanation *out);

/*
 * Of two versions of the program: adds the first statements that one of them executed and the other does not have to
 * the suspects. For where nothing could be proven.
 */
MUST_USE struct hence_error *explain_changed(const struct recording *failing,
                                             const struct alignment *alignment,
                                             struct explain_sources *sources,
                                             struct explanation *out);

/* The same: adds all lines of the failing run that the other build has otherwise or does not have. */
MUST_USE struct hence_error *explain_changed_lines(const struct versions *versions,
                                                   const struct recording *failing,
                                                   struct explain_sources *sources,
                                                   struct explanation *out);

/* --- for other files that make steps --- */

bool explain_same_text(const char *a, const char *b);

/* Are they the same variable, whatever function names it? */
bool explain_same_variable(const struct explanation_value *a, const struct explanation_value *b);

/* Caller frees with explanation_place_deinit(). */
struct explanation_place explain_copy_place(const struct explanation_place *place);

/* Sets the verdict: explained when a step is proven; `stopped`: the search was ended early. */
void explain_verdict(bool stopped, struct explanation *out);

#endif
