/*
 * The search for edits that make a failing run right: generated for the functions that it executed,
 * recognised as idle by scouts, and tried, the likeliest first.
 *
 * An edit is plausible when the failing run passes with it, by the whole oracle, and no passing run
 * that is known prints or ends otherwise. Edits at one place that compute the same values in the
 * failing run are tried once; the others only if that one is plausible.
 *
 * At last come edits by value (value.h): they are looked up in the values that scouts log, and then tried as others are.
 */
#ifndef HENCE_EDIT_SEARCH_H
#define HENCE_EDIT_SEARCH_H

#include "edit/edit.h"
#include "trace/recording.h"
#include "trial/oracle.h"

/* A run besides the failing one under study. What is known to be right of it; if nothing is, it passes as
   it is. */
struct edit_test {
	struct input input;
	bool has_output, has_status;
	struct str output;
	bool line; /* the end of its last line may be left out */
	int status;
};

struct edit_search_options {
	const struct recording *run; /* the failing one */
	const char *program;         /* path */
	const char *name;            /* argv[0] */
	const struct input *failing;
	const struct str *printed; /* what it printed */
	const struct oracle *oracle;
	const char *test; /* the user's test; NULL: none */
	const struct edit_test *tests;
	uint32_t test_count;
	uint32_t workers;
	double timeout;
	bool unconfined;
	struct trials_known *known; /* as pools of trials have it; NULL: nothing is */
	/* The search ends when the edits that are left are unlikely beside those that all known runs agree with, and has few of
	   one line and kind. */
	bool thrifty;
	/* As struct edit_wish has it. */
	char *(*read_source)(const char *directory, const char *name, const char *elf);
	/* How suspicious a line is, from 0 to 1; NULL: all are the same. */
	double (*suspicion)(void *context, const char *file, unsigned line);
	bool (*stop)(void *context);
	void (*progress)(void *context, uint64_t edits, const char *phase);
	void *context;
};

/* An edit with which the failing run passes. */
struct edit_found {
	char *name; /* edit_name() */
	enum edit_kind kind;
	char *file, *function;
	unsigned line, column, condition; /* as struct edit has them */
	char *was, *is;
	uint32_t operand, part;
	uint32_t passing, passing_of; /* passing runs that stay as they were */
	uint32_t failing,
		failing_of; /* failing ones that are right, the one under study among them */
	uint64_t class
		; /* the same for edits of one place with the same values in the failing run; 0: none */
	uint32_t changed; /* executions in the failing run that compute something else */
	uint32_t
		tier; /* 2: all known runs are right; 1: the passing ones are; 0: it is not plausible */
	double score; /* of the edit, and of its line: from 0 to 1 */
	double line_score;
	uint32_t agree; /* other kinds of plausible edits on its line, of its tier */
	bool fitted;    /* it was made by value, to fit the known runs: that they agree says less */
	bool quiet;     /* on no passing run anything else is computed */
	bool less;      /* the run did much less than the failing one: it may skip its work */
	uint64_t experiment;
};

struct edit_search {
	VEC(struct edit_found) found;        /* in the order that they were found */
	uint64_t generated, idle, run, runs; /* edits; and runs of the program for them */
	uint32_t lines;                      /* of which edits were run */
	bool stopped;                        /* before all were tried */
	double walk;                         /* seconds that it took to walk over the failing run */
	double first;                        /* seconds until the first plausible one; 0: none */
	char *note;                          /* why there is nothing, or not all; NULL */
	uint32_t passing, failing;           /* tests that pass and that fail as the program is */
};

/* The error is one of the machine; what makes a search impossible is a note. Caller frees with
   edit_search_deinit(). */
MUST_USE struct hence_error *edit_search(const struct edit_search_options *options,
                                         struct edit_search *out);
void edit_search_deinit(struct edit_search *search);

/* rank.c: sets tiers and scores, and puts the best first. */
void edit_rank(struct edit_search *search);

/* --- edits that a report names --- */

/* A report is data from elsewhere: what it calls an edit is only compared with the names of those that the program
   has. */
struct edit_repeat {
	/* The edit: edit_name(), and where it is. Two edits may have the same name, even at one line. */
	const char *name, *file;
	unsigned line;
	/* Filled in. */
	uint32_t edits; /* of the program that it may be; 0: there is none */
	bool tried;
	enum verdict outcome; /* of one that passes, if one does */
};

/* Runs the failing input with each of them in force, and judges it as a search does; `options` as for a search, without tests.
   Those that are left when options->stop ends it are not tried. The error says why none can be. */
MUST_USE struct hence_error *edit_repeat(const struct edit_search_options *options,
                                         struct edit_repeat *items, uint32_t count);

#endif
