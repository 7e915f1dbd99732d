/*
 * One command of a trial: started in its confinement, followed to its end, and nothing of it left
 * alive. It is traced, so that the place of a crash is known; the user's test is not, since it may
 * itself run a debugger.
 *
 * The caller is a worker: a process whose only children are those that are started here, with
 * SIGCHLD blocked and handled, that is a child subreaper and has switched off address
 * randomisation.
 */
#ifndef HENCE_TRIAL_EXEC_H
#define HENCE_TRIAL_EXEC_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "trial/confine.h"
#include "run/outcome.h"
#include "trial/server.h"
#include "trial/trial_crash.h"

struct exec_command {
	const char *path;
	char *const *argv;
	char *const *environment;
	const char *folder; /* to run in */
	int streams[3];
	const struct confine *confine;
	const sigset_t *mask; /* signals that the program finds blocked */
	bool traced;
	double timeout; /* seconds */
	/* Seconds of processor time without reading or writing of the first three streams, after which it seems endless
	   and is stopped; 0: never. */
	double patience;
	int control; /* when it can be read, `interrupted` is called; -1: none */
	bool (*interrupted)(void *context); /* true: stop it, nobody wants the result */
	void *context;
	struct crash_cache *crashes; /* may be NULL */
	bool watched;                /* a system call that confinement refuses is told */
	/* Where a program built with hence cc counts its work; without `at`: nowhere. The caller
	   names its file in the environment. A program that has done too much is stopped with all
	   that it has started, and has timed out. */
	struct server_page page;
};

struct exec_result {
	struct outcome outcome;
	uint64_t pc;   /* where a deadly signal struck; 0: not known */
	uint64_t peak; /* bytes of address space that the traced program had at its end; 0: not
	                  known */
	double seconds;
	bool interrupted;
	enum trial_limit limit; /* that stopped it */
	bool endless;           /* by its patience */
	struct str
		refused; /* the first system call that confinement refused: 'open(\"/etc/x\") for writing' */
};

/* What is needed again and again. */
struct exec {
	void *stack; /* of a child before its exec */
	int go[2];
};

/* Caller frees with exec_deinit(). */
MUST_USE struct hence_error *exec_init(struct exec *out);
void exec_deinit(struct exec *exec);

/* Runs it to its end. The error says that it could not be started. Caller frees out->outcome. */
MUST_USE struct hence_error *exec_run(struct exec *exec, const struct exec_command *command,
                                      struct exec_result *out);

#endif
