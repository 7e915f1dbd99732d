/* Small changes of the code with which the failing run passes, as printers for people tell of them. What was shown is that a change is
   plausible: it is never called correct, nor 'the fix'. */
#ifndef HENCE_REPORT_EXPLANATION_FIXES_H
#define HENCE_REPORT_EXPLANATION_FIXES_H

#include "report/explanation_steps.h"

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

/* Appends 'no small change of the code was found: 12 edits tried of 40' if edits were looked for in vain; else nothing. */
void explanation_add_no_fix(struct str *out, const struct explanation *e);

/* Appends '40 edits: 20 change nothing in the failing run, 12 were run, 3 are plausible, on 2 lines'. */
void explanation_add_edit_counts(struct str *out, const struct explanation *e);

/* Prints where the defect is likely to be: the best edit, and where others are. Nothing without one. */
void explanation_print_defect(const struct text_printer *p);

/* The same, for printers of something else than an explanation. */
void explanation_print_text_defect(const struct explanation *e,
                                   const struct explanation_style *style, FILE *file);

/* Appends `fixes` as the JSON of a report has them. */
void explanation_add_fixes_json(struct str *out, const struct explanation *e);

/* Prints the edits that are shown, one below the other: the text of `hence fix`. */
void explanation_print_fixes(const struct text_printer *p);

#endif
