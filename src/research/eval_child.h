/* Child processes of an evaluation: each in a group of its own, with a time limit, and nothing left when it is over. */
#ifndef HENCE_RESEARCH_EVAL_CHILD_H
#define HENCE_RESEARCH_EVAL_CHILD_H

#include <stdbool.h>

#include "base/error.h"
#include "trial/confine.h"

enum eval_end { EVAL_EXITED, EVAL_KILLED, EVAL_TIMED_OUT, EVAL_INTERRUPTED };

struct eval_child {
	char *const *argv;
	const char *folder;            /* that it works in */
	const char *out, *err;         /* files that its output goes to */
	const char *path;              /* put in front of PATH; NULL: nothing */
	double limit;                  /* seconds; then it gets SIGTERM, and SIGKILL soon after */
	const char *program;           /* its path; NULL: argv[0] */
	const char *in;                /* file for standard input; NULL: nothing */
	const struct confine *confine; /* NULL: it may do what we may */
};

struct eval_ended {
	enum eval_end end;
	int code; /* exit code, or the signal that killed it */
	double seconds, cpu;
};

/* Runs it to its end. The error says that it could not be started. May be called by several threads at once. */
struct hence_error *eval_child_run(const struct eval_child *child, struct eval_ended *out);

/* From now on SIGINT, SIGTERM and SIGHUP end all children, and keep new ones from being started; a second one ends hence at once. */
struct hence_error *eval_child_catch_signals(void);
bool eval_child_interrupted(void);

/* Waits for such a signal, at most so many milliseconds. */
void eval_child_wait(int milliseconds);

#endif
