/* Inside the fork server: what its files share. */
#ifndef HENCE_TRIAL_SERVER_WORK_H
#define HENCE_TRIAL_SERVER_WORK_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "run/processes.h"
#include "trial/server.h"
#include "trial/server_page.h"
#include "trial/trial_crash.h"

struct server {
	struct server *next;         /* of all that live in this process */
	struct server *root;         /* that was started; has page and streams. Itself, or NULL */
	uint32_t number;             /* of the orders that it waits for */
	uint64_t numbers;            /* of a root: those that snapshots have, as bits */
	pid_t pid;                   /* of the waiting program; 0: it has ended */
	struct server_page shared;   /* with it */
	struct hence_server *page;   /* the same */
	uint64_t rails;              /* serial of those that are there; 0: none */
	int input;                   /* standard input as we write it; -1: there is none */
	int given;                   /* and as the program reads it: the offset is shared */
	int output;                  /* standard output */
	int nothing;                 /* /dev/null */
	bool words;                  /* trials get arguments and environment from us */
	bool edits;                  /* it has edited code */
	bool fixed;                  /* the environment is to be used as it is */
	struct str prefix;           /* what it put out before it waited */
	struct crash_cache *crashes; /* places of crashes that were seen */
	struct str name;             /* argv[0] */
	VEC(char *) environment;     /* without variables of the input */
	sigset_t mask;               /* signal mask of the program */
	sigset_t waiting;            /* signal mask to wait with */
};

/* One wait: for the start of the server, or for a trial. */
struct server_watch {
	struct server *server;
	struct processes processes; /* that are traced; the first is the one waited for */
	double deadline;            /* 0: none */
	int cancel;
	bool late;              /* the deadline has come */
	bool stuck;             /* and long ago */
	bool stopped;           /* the first process ended after the deadline */
	bool snapshot;          /* the first process is to become a server */
	bool cancelled;         /* somebody wants it to end */
	bool ready;             /* the server told something */
	struct crash_last last; /* signal of the first process */
};

/* --- server_words.c --- */

/* Is there a variable in the input that only takes effect when a program starts? */
bool server_input_needs_exec(const struct input *input);

/* Is this entry of an environment a variable of the input? */
bool server_input_has(const struct input *input, const char *entry);

/* argv and environ of an input, as an array that ends with NULL; `extra` is one more entry for
   the environment, NULL: none. Caller frees the array and its strings with server_free_words().
   */
char **server_argv(const struct server *server, const struct input *input);
char **server_environment(const struct server *server, const struct input *input,
                          const char *extra);
void server_free_words(char **words);

/* Puts both where the next trial finds them. */
struct hence_error *server_give_words(struct server *server, const struct input *input);

/* --- server.c --- */

/* What is in the output, up to `limit` bytes (0: all). */
void server_read_output(const struct server *server, size_t limit, struct str *out);

/* Puts the streams as a process finds them that goes on where the server waits. `bytes` are its
   standard input, NULL: as it is. */
struct hence_error *server_rewind(struct server *server, const struct str *bytes);

/* Tells the server to do something. */
void server_order(struct server *server, enum hence_command command, uint64_t work);

/* How a trial went, from what was seen; an error if the server is gone. */
struct hence_error *server_result(struct server_watch *watch, const struct server_limits *limits,
                                  double begin, struct trial_result *out);

/* --- server_launch.c --- */

/* Forks and executes the program, traced. Gives a pipe that brings the reason of a failed exec.
   *traced is false when that is not permitted; nothing runs then. */
struct hence_error *server_launch(struct server *server, const struct server_options *options,
                                  int *failed, bool *traced);

/* --- server_wait.c --- */

double server_now(void);

/* Servers that live in this process: what waitpid() tells of one may come while another is waited
   for. SIGCHLD is ours from the first to the last. */
void server_enlist(struct server *server);
void server_delist(struct server *server);

/* Waits until the first process has ended or the server has told something; at the deadline, or
   when somebody wants so, ends everything first. Then no process of the watch lives, but a
   server that is ready. */
void server_wait(struct server_watch *watch);

#endif
