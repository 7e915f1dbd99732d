/* Inside explanation_read(): the parts of an explanation that have a file of their own. */
#ifndef HENCE_REPORT_EXPLANATION_READ_H
#define HENCE_REPORT_EXPLANATION_READ_H

#include "report/reader.h"

/* A step of the chain is appended to *out, which is a struct explanation. */
void explanation_read_step(struct reader *reader, const json_t *item, void *out);

/* The members of a variable. */
void explanation_read_value(struct reader *reader, const json_t *item,
                            struct explanation_value *out);

#endif
