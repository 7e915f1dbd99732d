/*
 * The memory that hence shares with a program through HENCE_SERVER (runtime/protocol.h). A fork
 * server gets its orders there; a program that is executed anew only counts its work there
 * (HENCE_WAIT_NEVER), and ends itself when it has done too much.
 */
#ifndef HENCE_TRIAL_SERVER_PAGE_H
#define HENCE_TRIAL_SERVER_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "runtime/protocol.h"

struct trial_edit;

struct server_page {
	int file; /* closed by exec, unless somebody says otherwise */
	size_t size;
	struct hence_server *at; /* NULL: there is none */
};

/* Makes one for a program that only counts; with room for `orders` (runtime/orders.h) if they are
   wanted. Caller frees with server_page_deinit(). */
struct hence_error *server_page_init(bool orders, struct server_page *out);
void server_page_deinit(struct server_page *page);

/* The program is not to wait, but to do what these orders say: how it is patched. */
void server_page_patch(struct server_page *page, const struct str *orders);

/* The program is to load edited code (runtime/edit_image.h), if the page has room for orders. */
void server_page_load(struct server_page *page, const char *image);

/* Which edit is in force in the next run; then what was seen of the edits of its range. */
void server_page_edit(struct server_page *page, const struct trial_edit *edit);
void server_page_scouts(const struct server_page *page, const struct trial_edit *edit,
                        struct str *out);

/* Before a run: nothing is done yet, and `limit` may be (0: any). */
void server_page_reset(struct server_page *page, uint64_t limit);

#endif
