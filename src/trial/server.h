/*
 * A fork server: a program built with hence cc that was started once, has run up to where it is
 * about to see what is varied, and waits there. Each trial is a fork of it that goes on to its
 * end: no exec, no dynamic linking, no start-up code.
 *
 * WHERE IT WAITS. At the start of main when arguments or variables of the environment vary; else
 * before the first call from main on that may read or open anything (runtime/server.c). Until
 * then it has done nothing that a trial would not find as if it had done it itself.
 *
 * WHAT A TRIAL HAS. Its own standard input and output, from their beginning (what the program
 * printed before it waited is in the output of each trial); the arguments and environment of its
 * input; a process group of its own. Files are put in place by the caller. It is traced, so that
 * the place of a crash is known, and all processes that come from it end with it.
 *
 * WHAT DIFFERS FROM AN EXEC. The process ids and times that it sees, as always;
 * /proc/self/cmdline and /proc/self/environ are the server's; arguments and environment lie
 * elsewhere in memory.
 *
 * One trial runs at a time. All calls must come from the thread that started the server, since
 * that is the tracer. SIGCHLD is taken over from the first start to the last stop: blocked in
 * this thread, with a handler. The process becomes a subreaper.
 */
#ifndef HENCE_TRIAL_SERVER_H
#define HENCE_TRIAL_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "runtime/protocol.h"
#include "trial/input.h"
#include "trial/trial.h"

struct confine;
struct server;

struct server_options {
	const char *path;          /* of the program, to execute */
	const char *name;          /* argv[0] */
	const struct input *input; /* to start with; says what varies */
	char *const *environment;  /* without the input's variables; NULL: ours */
	const char *directory;     /* to run in; NULL: ours */
	/* Called between fork and exec, if not NULL: 0, or the errno of what failed. */
	int (*confine)(const struct confine *confine);
	const struct confine *confinement; /* handed to it */
	const sigset_t *mask;              /* signal mask of the program; NULL: this thread's */
	double seconds;                    /* for start-up; 0: 10 */
	int cancel;                        /* as in struct server_limits, but 0: none */
	/* For experiments: it waits before any code of its own, and the environment is used as it
	   is. `tape` is the number of the recorded run's. */
	bool experiments;
	uint32_t tape;
	/* Edited code that is loaded (runtime/edit_image.h): then it waits at the start of main. NULL:
	   none. */
	const char *image;
};

struct server_limits {
	double seconds; /* 0: none */
	uint64_t work;  /* see server_work(); 0: none */
	size_t output;  /* bytes of output that are kept; 0: all */
	int cancel; /* a descriptor: when it can be read or is hung up, the trial ends; -1: none */
};

/* Starts the program. *out is NULL when it cannot be a server, and *why then says why ('it ended
   before it read anything'): run it by exec. *why is static. Caller frees with server_stop(). */
MUST_USE struct hence_error *server_start(const struct server_options *options, struct server **out,
                                          const char **why);

/* Ends the program; NULL is fine. */
void server_stop(struct server *server);

/*
 * Runs one trial. The input has the parts of the one that the server was started with; arguments
 * may be more or fewer. Fills outcome, cut, output, pc and seconds of the result; the rest is
 * empty. The outcome is OUTCOME_UNKNOWN when the trial was cancelled. Caller frees with
 * trial_result_deinit().
 *
 * An error says that the server is gone (killed, or out of memory): stop it and start another.
 */
MUST_USE struct hence_error *server_try(struct server *server, const struct input *input,
                                        const struct server_limits *limits,
                                        struct trial_result *out);

/*
 * Experiments. The server was started for them; `orders` are a struct hence_orders and what belongs
 * to it (runtime/orders.h).
 *
 * server_snapshot() has the program run from where `from` waits to the first stop of the orders and
 * wait there: *out is a server like any other, to be stopped before the one that was started first.
 * NULL: it did not come there, or not alone.
 *
 * server_experiment() has it do what the orders say, and puts the answers into them. Else as
 * server_try().
 */
MUST_USE struct hence_error *server_snapshot(struct server *from, const struct str *orders,
                                             const struct server_limits *limits,
                                             struct server **out);
MUST_USE struct hence_error *server_experiment(struct server *from, struct str *orders,
                                               const struct server_limits *limits,
                                               struct trial_result *out);

/* The rails that experiments may ask for; copied, if the server has not got them yet. */
struct hence_rails;
void server_give_rails(struct server *server, const struct hence_rails *rails);

/* The edit that is in force in the next trial. A NULL server is fine. Then: what was seen of its range. */
void server_edit(struct server *server, const struct trial_edit *edit);
void server_scouts(const struct server *server, const struct trial_edit *edit, struct str *out);

/* Bytes of memory that the waiting process has for itself, about. */
uint64_t server_memory(const struct server *server);

/* The work that the last trial did after the fork: bytes that its hooks would have written to a
   tape, to some 16 KB. The same for the same execution. Of several processes, that of the
   busiest. */
uint64_t server_work(const struct server *server);

/*
 * The memory that hence shares with a program through HENCE_SERVER (runtime/protocol.h). A fork
 * server gets its orders there; a program that is executed anew only counts its work there
 * (HENCE_WAIT_NEVER), and ends itself when it has done too much.
 */

struct trial_edit;

struct server_page {
	int file; /* closed by exec, unless somebody says otherwise */
	size_t size;
	struct hence_server *at; /* NULL: there is none */
};

/* Makes one for a program that only counts; with room for `orders` (runtime/orders.h) if they are
   wanted. Caller frees with server_page_deinit(). */
MUST_USE struct hence_error *server_page_init(bool orders, struct server_page *out);
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
