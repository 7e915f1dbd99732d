/* Values of scalar types as text, for ctype_print.c. */
#ifndef HENCE_MODEL_CTYPE_SCALAR_H
#define HENCE_MODEL_CTYPE_SCALAR_H

#include "model/ctype.h"

/* Appends the value of a stripped type (NULL: unknown) that has exactly these bytes. False, and
   nothing is appended: it is not a scalar, or the size is not its. */
bool ctype_print_scalar(const struct ctype *type, const uint8_t *bytes, size_t size,
                        struct str *out);

/* Appends a floating-point number: the shortest text that reads back (ctype_float.c). */
void ctype_print_float(const struct ctype *type, const uint8_t *bytes, struct str *out);

/* Appends a character between quotes as C writes it: 'a', '\n'. False, and nothing is appended: it
   has no such form. */
bool ctype_print_char(uint8_t c, struct str *out);

#endif
