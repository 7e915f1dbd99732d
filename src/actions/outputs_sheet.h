/* Inside outputs*.c: what one call puts out, before its place in a stream is known. */
#ifndef HENCE_ACTIONS_OUTPUTS_SHEET_H
#define HENCE_ACTIONS_OUTPUTS_SHEET_H

#include "actions/actions_view.h"
#include "actions/outputs.h"

struct sheet {
	const struct outputs_call *call;
	struct view view;                 /* memory before the call */
	bool foreign;                     /* the locale is not C */
	uint64_t limit;                   /* bytes that it may have; nothing longer is rendered */
	VEC(struct outputs_piece) pieces; /* `offset` is not set, `bytes` counts from 0 */
	VEC(uint8_t) bytes;
	uint64_t size;    /* of the pieces that are known */
	uint32_t unsized; /* pieces of which not even the size is known */
	bool over;        /* it has more bytes than it may */
};

/* --- outputs_sheet.c --- */

void sheet_deinit(struct sheet *sheet);

/* Adds a piece of these bytes; none if it is empty. Gives it, to say more of it, or NULL. */
struct outputs_piece *sheet_put(struct sheet *sheet, const void *bytes, uint64_t size);

/* Adds a piece of which nothing is known. */
struct outputs_piece *sheet_put_unknown(struct sheet *sheet);

/* Adds bytes of memory as they are, as several pieces where some are not known. */
void sheet_put_memory(struct sheet *sheet, uint32_t argument, uint64_t address, uint64_t size);

/* Adds a string of memory, up to its end. */
void sheet_put_string(struct sheet *sheet, uint32_t argument, uint64_t address);

/* Brings the pieces to `size` bytes in all; 0: nobody knows. False: they do not fit, and the sheet
   has one piece instead that is not known. */
bool sheet_settle(struct sheet *sheet, uint64_t size);

/* --- outputs_call.c --- */

/* Renders what a call puts out by `action`. */
void sheet_render(struct sheet *sheet, const struct action *action);

/* --- outputs_format.c --- */

/* Renders a format and its arguments. */
void sheet_put_format(struct sheet *sheet, const struct outside_clause *clause);

#endif
