/*
 * How a report was made: what ran, with which input, in which folder, what was taken for a failure. So that its experiments
 * can be made again (`hence verify`) and a debugger can go to the moment of a step (`hence gdb`).
 *
 * It is self-contained as far as input goes (arguments, standard input, input files, environment are in it, as they were after reducing);
 * programs are named by their path and by what was compiled into them, so that a program that was built anew is noticed.
 */
#ifndef HENCE_REPORT_RECIPE_H
#define HENCE_REPORT_RECIPE_H

#include <jansson.h>

#include "base/error.h"
#include "base/str.h"

struct recipe;

void recipe_destroy(struct recipe *recipe);

/* Appends it as an object of JSON: the value of "recipe" in a report. */
void recipe_add_json(const struct recipe *recipe, struct str *out);

/* The same backwards. Caller frees with recipe_destroy(). */
struct hence_error *recipe_read(const json_t *json, struct recipe **out);

#endif
