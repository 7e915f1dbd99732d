/* Experiments of a fork server: snapshots, and runs that are told to change something. See server.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "run/process_memory.h"
#include "runtime/orders.h"
#include "trial/server_work.h"

#define MOST_PREFIX (64u << 20) /* bytes of output that a snapshot may have before it */

static void *orders_of(const struct server *server)
{
	return (char *)server->page + HENCE_ORDERS;
}

/* Puts everything in place and lets the server fork. */
static struct hence_error *command(struct server_watch *watch, enum hence_command what,
                                   const struct str *orders, const struct server_limits *limits)
{
	struct server *server = watch->server;
	struct hence_error *error;

	if (orders->length > HENCE_ORDERS_ROOM)
		return error_create(HENCE_ERROR_INPUT,
		                    "an experiment needs %zu MB for its changes and readings; "
		                    "there is room for %u MB",
		                    orders->length >> 20, HENCE_ORDERS_ROOM >> 20);
	error = server_rewind(server, NULL);
	if (error)
		return error;
	memcpy(orders_of(server), orders->text, orders->length);
	watch->deadline = limits->seconds > 0 ? server_now() + limits->seconds : 0;
	watch->cancel = limits->cancel;
	if (!server->pid)
		return NULL;
	server_order(server, what, limits->work);
	server_wait(watch);
	return NULL;
}

struct hence_error *server_experiment(struct server *from, struct str *orders,
                                      const struct server_limits *limits, struct trial_result *out)
{
	struct server_watch watch = {.server = from};
	double begin = server_now();
	struct hence_error *error = command(&watch, HENCE_COMMAND_EXPERIMENT, orders, limits);

	if (!error)
		error = server_result(&watch, limits, begin, out);
	if (!error)
		memcpy(orders->text, orders_of(from), orders->length);
	processes_deinit(&watch.processes);
	return error;
}

void server_give_rails(struct server *server, const struct hence_rails *rails)
{
	if (server->rails == rails->serial)
		return;
	memcpy((char *)server->page + HENCE_RAILS, rails, rails->size);
	server->rails = rails->serial;
}

/* A number that no other snapshot of the same program has; 0: there are too many. */
static uint32_t free_number(const struct server *root)
{
	for (uint32_t number = 1; number < HENCE_SNAPSHOTS; number++)
		if (!(root->numbers >> number & 1))
			return number;
	return 0;
}

/* The process that has come to the point becomes a server of its own. */
static struct server *adopt(struct server *from, struct server_watch *watch)
{
	struct server *root = from->root, *server = mem_alloc(sizeof(*server));

	*server = (struct server){.root = root,
	                          .number = root->page->snapshot,
	                          .pid = watch->processes.list.at[0].pid,
	                          .page = root->page,
	                          .crashes = root->crashes};
	server_enlist(server);
	root->numbers |= 1ull << server->number;
	server_read_output(server, 0, &server->prefix);
	return server;
}

static bool is_too_long(const struct server *server)
{
	struct stat info;

	return fstat(server->root->output, &info) || info.st_size > MOST_PREFIX;
}

struct hence_error *server_snapshot(struct server *from, const struct str *orders,
                                    const struct server_limits *limits, struct server **out)
{
	struct server_watch watch = {.server = from, .snapshot = true};
	struct server *server = NULL;
	struct hence_error *error;

	from->page->snapshot = free_number(from->root);
	from->page->state = HENCE_SERVER_STARTED;
	error = from->page->snapshot ? command(&watch, HENCE_COMMAND_SNAPSHOT, orders, limits)
	                             : NULL;
	if (!error && watch.ready && watch.processes.list.size == 1 &&
	    !watch.processes.list.at[0].ended)
		server = adopt(from, &watch);
	from->page->state = HENCE_SERVER_WAITING;
	processes_deinit(&watch.processes);
	if (server && is_too_long(server)) {
		server_stop(server);
		server = NULL;
	}
	if (!error)
		*out = server;
	return error;
}

uint64_t server_memory(const struct server *server)
{
	char text[4096];
	const char *at;

	process_memory_text(server->pid, "smaps_rollup", text, sizeof(text));
	at = strstr(text, "\nPss:");
	return at ? strtoull(at + 5, NULL, 10) << 10 : 0;
}
