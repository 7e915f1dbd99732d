/*
 * What the text of an output call would have to be so that the output is as expected where it is first wrong: one piece of
 * a format between its directives is another one, or one directive is.
 */
#ifndef HENCE_EDIT_FORMATS_H
#define HENCE_EDIT_FORMATS_H

#include "base/str.h"

/* Calls `tell` for each text that fits, the likeliest first; perhaps more than once for the same. */
void formats_expected(const char *format, const struct str *printed, const struct str *expected,
                      void (*tell)(void *context, const char *text), void *context);

#endif
