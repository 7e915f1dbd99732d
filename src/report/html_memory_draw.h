/* The picture of the memory at a step as SVG; html_memory.h lays it out. */
#ifndef HENCE_REPORT_HTML_MEMORY_DRAW_H
#define HENCE_REPORT_HTML_MEMORY_DRAW_H

#include "report/html_memory.h"

/* Appends the picture. `before`: the memory at an earlier step, whose cells are compared; NULL: none. */
void memory_draw(const struct memory_picture *picture, const struct explanation_memory *before,
                 uint32_t step, struct str *out);

/* What a cell of this name in a box of this name was there. NULL: there was none. */
const struct explanation_cell *memory_find(const struct explanation_memory *memory,
                                           const struct explanation_box *box,
                                           const struct explanation_cell *cell);

/* Does it hold something else than it did at an earlier step? */
bool memory_changed(const struct explanation_memory *memory, const struct explanation_cell *cell,
                    const struct explanation_memory *before, const struct explanation_cell *old);

#endif
