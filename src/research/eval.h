/*
 * `hence eval`: methods of hence on programs whose faults are known, measured. Each case gives an object of the results (docs/eval.schema.json); the
 * tables are made from the results alone.
 *
 * Each method runs as a child process, `hence METHOD`: if it goes wrong, its row says so and the evaluation continues.
 */
#ifndef HENCE_RESEARCH_EVAL_H
#define HENCE_RESEARCH_EVAL_H

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/error.h"
#include "research/eval_manifest.h"
#include "trial/confine.h"

/* Those before EVAL_CHOSEN can be chosen with --methods; the others help them. */
enum eval_method {
	EVAL_EXPLAIN,
	EVAL_TRANSITIONS,
	EVAL_CHAIN,
	EVAL_PATCHED,
	EVAL_COMPARE,
	EVAL_TREE,
	EVAL_CHOP,
	EVAL_SLICE,
	EVAL_RELEVANT,
	EVAL_SWITCH,
	EVAL_FIX,
	EVAL_CHOSEN,
	EVAL_IDEAL = EVAL_CHOSEN,
	EVAL_DUAL,
	EVAL_METHODS,
};

extern const char *const eval_method_names[EVAL_METHODS];

struct eval_setup {
	bool methods[EVAL_METHODS];
	double time, build_time; /* seconds, for a method and for a build */
	const char *reports;     /* folder that keeps the methods' reports; NULL: none does */
	const char *scratch;     /* folder for everything else */
	atomic_uint done;        /* methods and builds, for the progress */
};

/* Where the programs of a case are, once they are built. */
struct eval_work {
	char *folder;    /* of all files of the case */
	char *reports;   /* folder with the methods' reports */
	char *faulty;    /* folder that the program runs in */
	char *corrected; /* the corrected program; NULL: there is none */
	bool has_ideal;  /* there is a report of the ideal chain */
};

/* Runs everything about a case, and gives its object of the results. */
json_t *eval_case_run(struct eval_setup *setup, const struct eval_case *c, uint32_t number);

/* --- programs --- */

/* Builds a program in the folder `name` of the case's files, unless it is there or is built in place. `patch`: a diff that is applied before, so that it is
   always a copy; NULL: none. *folder is where it is, *path that of the program; caller frees both with free(), after an error too. */
MUST_USE struct hence_error *eval_work_build(struct eval_setup *setup,
                                             const struct eval_program *program,
                                             const struct eval_work *work, const char *name,
                                             const char *patch, char **folder, char **path);

/* What a file of messages says: its first line that hence wrote, else its first. Never NULL; caller frees with free(). */
char *eval_message(const char *path);

/* A text of whatever bytes as JSON: what is no UTF-8, and what a terminal obeys, becomes '?'. */
json_t *eval_json_text(const char *text);

/* --- methods --- */

/* Runs one, and gives its row: "state", "code", "seconds", "cpu", "answered", "message". *report is what it printed, NULL if that is of no use. Caller
   frees both with json_decref(). */
json_t *eval_method_run(struct eval_setup *setup, const struct eval_case *c,
                        const struct eval_work *work, enum eval_method method, json_t **report);

/* The path of a method's report. Caller frees with free(). */
char *eval_report_path(const struct eval_work *work, enum eval_method method);

/* --- measures --- */

/* Puts what a report says about the faults into the method's row. `lines`: executable lines of the program; 0: not known. */
void eval_measure(const struct eval_case *c, enum eval_method method, const json_t *report,
                  uint32_t lines, json_t *row);

/* Puts "repairs" into the row of EVAL_FIX: whether the first fixes of its report, applied to the source, make the corrected program of it. `report` is NULL: it has no fixes. Nothing if
   the case has no corrected program, or no build. */
void eval_repair(struct eval_setup *setup, const struct eval_case *c, const struct eval_work *work,
                 const json_t *report, json_t *row);

/* Is an object's "file" and "line" a place of the fault? */
bool eval_is_fault(const struct eval_fault *fault, const json_t *object);
bool eval_is_faulty(const struct eval_case *c, const json_t *object);

/* The scores (M2) of a report of `hence transitions` over the graph that `hence eval --pdg` printed. `dual`: the dual slice against the corrected program; NULL: there is
   none. Caller frees with json_decref(). */
json_t *eval_score(const struct eval_case *c, const json_t *graph, const json_t *transitions,
                   const json_t *dual);

/* --- what is printed --- */

/* The program dependence graph of a program, as JSON. */
MUST_USE struct hence_error *eval_print_graph(const char *program, FILE *file);

/* The tables of results, as Markdown. */
void eval_print_tables(const json_t *results, FILE *file);

/* --- child processes: each in a group of its own, with a time limit, and nothing left when it is over --- */

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
MUST_USE struct hence_error *eval_child_run(const struct eval_child *child, struct eval_ended *out);

/* From now on SIGINT, SIGTERM and SIGHUP end all children, and keep new ones from being started; a second one ends hence at once. */
MUST_USE struct hence_error *eval_child_catch_signals(void);
bool eval_child_interrupted(void);

/* Waits for such a signal, at most so many milliseconds. */
void eval_child_wait(int milliseconds);

#endif
