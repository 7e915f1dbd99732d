/*
 * The static program dependence graph of a program that was built with hence cc, from its IR. Nodes are the executable lines of its
 * source: those on which a statement ends (a write, a call, a branch, a return). Lines of declarations and of initial values are none. docs/eval.md
 * says what the edges are, and what they leave out.
 */
#ifndef HENCE_RESEARCH_PDG_H
#define HENCE_RESEARCH_PDG_H

#include "model/plan.h"
#include "outside/table.h"
#include "research/score_graph.h"

/* The graph of a program of `count` modules. `models` say what outside functions write; NULL: all that they can. Caller frees with
   score_graph_deinit(). */
void pdg_build(const struct plan *const *plans, uint32_t count, const struct outside_table *models,
               struct score_graph *out);

/* The same for an executable. The error says why it has no IR. */
MUST_USE struct hence_error *pdg_read(const char *path, const struct outside_table *models,
                                      struct score_graph *out);

#endif
