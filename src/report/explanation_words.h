/* The words of an explanation, as its printers for people share them. */
#ifndef HENCE_REPORT_EXPLANATION_WORDS_H
#define HENCE_REPORT_EXPLANATION_WORDS_H

#include "report/explanation.h"

/* Appends a text that is from the program, so that a terminal shows it and does nothing else:
   control characters, what is no UTF-8, and characters that override the direction of writing are
   written as escapes. */
void explanation_add_safe(struct str *out, const char *text);

/* Appends a character that is not to be obeyed, as C writes it: `\n`, `\x1b`. */
void explanation_add_control(struct str *out, unsigned char c);

/* Are both the same, or neither there (NULL)? */
bool explanation_same_text(const char *a, const char *b);

/* Appends `3rd`. */
void explanation_add_ordinal(struct str *out, uint64_t number);

/* What is put around parts of a sentence; all empty without colours. */
struct explanation_marks {
	const char *name, *failing, *reference, *end;
};

/* No marks. */
extern const struct explanation_marks explanation_unmarked;

/* Appends a value in at most `longest` columns (0: any number), safe to show. Of a longer one that differs from `other` (may be
   NULL) in the middle, the place where it does is kept. */
void explanation_add_short(struct str *out, const char *value, const char *other, unsigned longest);

/* Appends 'a[2] is 0 (not 7) and n is 3 (not 4)'; of many only some, and long values shortened. */
void explanation_add_values(struct str *out, const struct explanation_value *values, uint32_t count,
                            const struct explanation_marks *marks);

/* Appends the sentence of a step: 'a[2] is 0 (not 7) when shell_sort() is called'. */
void explanation_add_step(struct str *out, const struct explanation_step *step,
                          const struct explanation_marks *marks);

/* The same with values of at most `longest` columns, shortened in the middle; 0: any number. */
void explanation_add_step_short(struct str *out, const struct explanation_step *step,
                                const struct explanation_marks *marks, unsigned longest);

/* Columns of a value in sentences that stand beside the whole values, or that must be short. */
#define EXPLANATION_SHORT_VALUE 44u

/* Does the statement only repeat the step, as `v = 0`? One that assigns a pointer, or a structure that contains the variable,
   counts as well. */
bool explanation_is_told(const struct explanation_step *step);

/* Does the experiment prove the step? The failing run passes, or the reference fails. */
bool explanation_proves(const struct explanation_proof *proof);

/* Are the variables that were changed those of the step, several, and no others, in any order? */
bool explanation_changed_all(const struct explanation_step *step,
                             const struct explanation_proof *proof);

/* Did it give the variables of the step the values that they have in the other run, and nothing else? */
bool explanation_changed_these(const struct explanation_step *step,
                               const struct explanation_proof *proof);

/* Appends how an experiment about a step went: 'with a[2] = 7 the failing run passes [experiment 12]'. */
void explanation_add_proof(struct str *out, const struct explanation_step *step,
                           const struct explanation_proof *proof);

/* The same in one short sentence without values that the step has told: 'with the values in brackets the failing run
   passes'; the number of the experiment is left out. */
void explanation_add_proof_short(struct str *out, const struct explanation_step *step,
                                 const struct explanation_proof *proof, unsigned longest);

/* Appends what later steps call this one: 'a[2] is 0', 'n and m'; nothing that has more than `longest` columns.
   False: it has no such name. */
bool explanation_add_reason(struct str *out, const struct explanation_step *step, unsigned longest);

/* Appends `sort.c:17:3`; numbers that are not known are left out. */
void explanation_add_place(struct str *out, const struct explanation_place *place);

/* The same with ' in sort()'; `colour` and `plain` are put around the place. */
void explanation_add_place_in(struct str *out, const struct explanation_place *place,
                              const char *colour, const char *plain);

/* Are both known, and in the same line? In the same column of it, too? */
bool explanation_same_line(const struct explanation_place *a, const struct explanation_place *b);
bool explanation_same_place(const struct explanation_place *a, const struct explanation_place *b);

/* Appends the place as members of an object of JSON, without the text of its line. */
void explanation_add_place_json(struct str *out, const struct explanation_place *place);

/* The place that a person should look at: the statement that made it so, if it is known, unless the
   step tells a moment ('when main() starts') and the statement does not assign the variable. */
const struct explanation_place *explanation_step_place(const struct explanation_step *step);

/* The place of the failure; of one without a place, that of the last step that has one. NULL: it is not known. */
const struct explanation_place *explanation_failure_place(const struct explanation *e);

/* Appends './sort dies of SIGSEGV'. */
void explanation_add_failure(struct str *out, const struct explanation *e);

/* Appends ' [experiment 4, 5]' and ' (not proven)', what of it is so: for printers that have a line for a step. */
void explanation_add_proven(struct str *out, const struct explanation_step *step);

/* Appends which statement made it the cause, if explanation_step_place() does not show it: 'it became the cause at
   sort.c:32:14: i < n is false'. Nothing is appended otherwise. */
void explanation_add_cause(struct str *out, const struct explanation_step *step);

/* Appends what is missing in the explanation: 'no cause could be proven'; nothing if the verdict is 'explained'. */
void explanation_add_verdict(struct str *out, const struct explanation *e);

/* --- lines of source --- */

/* Appends the line of source without its own indentation and, if it has more than `room` columns, only its part
   around the marked column; a tab is one space. `*mark` is how many columns stand before the mark; UINT_MAX: none. */
void explanation_add_source(const struct explanation_place *place, unsigned room, struct str *line,
                            unsigned *mark);

/* Prints the line of source after `indent` spaces, without its own indentation, and below it a mark
   at the column; `colour` and `plain` are put around the mark. */
void explanation_print_source(const struct explanation_place *place, unsigned indent,
                              unsigned width, const char *colour, const char *plain, FILE *file);

/* --- plausible edits: what was shown is that a change is plausible; it is never called correct, nor 'the fix' --- */

/* Were edits looked for? */
bool explanation_sought_fixes(const struct explanation *e);

/* The one of that name; NULL: there is none. */
const struct explanation_fix *explanation_find_fix(const struct explanation *e, const char *edit);

/* Keeps its mark inside of its text. */
void explanation_fix_clamp(struct explanation_fix *fix);

/* How many printers show, each with its lines: of `hence fix` the best few, else the best. */
uint32_t explanation_shown_fixes(const struct explanation *e,
                                 const struct explanation_style *style);

/* Is the best one weakly supported: tried on one failing run and no passing one, or one of many lines? */
bool explanation_is_doubtful(const struct explanation *e);

/* Appends 'with this change the program prints what is expected, and the 3 passing runs stay as they were'. */
void explanation_add_tried(struct str *out, const struct explanation *e,
                           const struct explanation_fix *fix);

/* Appends '2 other kinds of change of this line make it pass, too'; nothing if there are none. */
void explanation_add_agree(struct str *out, const struct explanation_fix *fix);

/* Appends why the best one should not be trusted much, if it was tried on one failing run and no passing one. */
void explanation_add_doubt(struct str *out, const struct explanation *e);

/* Appends that many lines have a plausible edit, if that is so. */
void explanation_add_many(struct str *out, const struct explanation *e);

/* Appends which lines other than the best one's have a plausible edit: at most `most`; nothing if there are none. */
void explanation_add_other_fixes(struct str *out, const struct explanation *e, uint32_t most);

/* Appends 'no small change of the code was found: 12 edits tried of 40' if edits were tried and none was found; else nothing. */
void explanation_add_no_fix(struct str *out, const struct explanation *e);

/* Appends '40 edits: 20 change nothing in the failing run, 12 were run, 3 are plausible, on 2 lines'. */
void explanation_add_edit_counts(struct str *out, const struct explanation *e);

/* Appends `fixes` as the JSON of a report has them. */
void explanation_add_fixes_json(struct str *out, const struct explanation *e);

#endif
