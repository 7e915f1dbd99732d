/*
 * From a question to one explanation: finds the runs (references.h), compares them by all methods (schedule.h, assemble.h), looks at the
 * failing run alone (alone.h) and for edits (fixes.h), and keeps what is best supported.
 */
#ifndef HENCE_EXPLAIN_EXPLAIN_H
#define HENCE_EXPLAIN_EXPLAIN_H

#include "explain/question.h"
#include "report/explanation.h"

/* What the tests of question->tests execute, as far as there is time; *missed are those of which it is not known. Without tests
   nothing. `started` must be set. Caller frees with spectra_deinit(). */
MUST_USE struct hence_error *explain_find_spectra(const struct explain_question *question,
                                                  struct spectra *out, uint32_t *missed);

/* Without a verdict in `out`, `refused` says why there is no explanation. Caller frees both. */
MUST_USE struct hence_error *explain_find(const struct explain_question *question,
                                          struct explanation *out, struct refused *refused);

#endif
