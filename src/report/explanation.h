/*
 * The explanation: why a program failed, as a chain of steps from the input to the failure. All methods
 * make the same steps; printers know no method. As JSON it is what a saved report holds.
 *
 * All texts are as the program has them; printers escape them. A text that is NULL is not known.
 */
#ifndef HENCE_REPORT_EXPLANATION_H
#define HENCE_REPORT_EXPLANATION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/recipe.h"
#include "trial/oracle.h"

#define EXPLANATION_VERSION 1

/* Was it explained? The names are those of the JSON; that of EXPLANATION_NONE is NULL, and NULL ends the list. */
enum explanation_verdict {
	EXPLANATION_NONE, /* there is no explanation (yet) */
	EXPLANATION_EXPLAINED,
	EXPLANATION_UNPROVEN,
	EXPLANATION_INCOMPLETE,
};
extern const char *const explanation_verdict_names[];

/* One of the two runs that are compared. */
enum explanation_run { EXPLANATION_FAILING, EXPLANATION_REFERENCE };
extern const char *const explanation_run_names[];

/*
 * What a step is, and how the program fails. Its name in the JSON is in the list, at whose start and end there is NULL. The
 * list is open, as is that of the evidence: where a report that was read has another word, of a hence that knows
 * more, the kind is 0 and the word is next to it.
 */
enum explanation_kind {
	EXPLANATION_NO_KIND, /* not known */
	EXPLANATION_VALUE,
	EXPLANATION_BRANCH,
	EXPLANATION_CALL,
	EXPLANATION_INPUT,
	EXPLANATION_OUTPUT,
	EXPLANATION_MEMORY,
	EXPLANATION_CRASH,
	EXPLANATION_ASSERT,
	EXPLANATION_EXIT,
	EXPLANATION_HANG,
	EXPLANATION_TEST,
	EXPLANATION_WRONG_OUTPUT,
	EXPLANATION_CHECK,
	EXPLANATION_ABORT,
};
extern const char *const explanation_kind_names[];

/* The kind with that name. */
enum explanation_kind explanation_kind_of(const char *name);

/* Its name, or the word that was read instead; NULL: it is not known. */
const char *explanation_kind_name(enum explanation_kind kind, const char *word);

/* A place in the source. */
struct explanation_place {
	char *file; /* as the compiler was given it; NULL: there is no place */
	unsigned line, column;
	char *function;
	char *source; /* text of the line */
};

/* A variable with its values in the two runs; NULL: it does not exist there. */
struct explanation_value {
	char *name, *failing, *reference;
	char *function; /* that it is local to; NULL: none, or not known */
};

/* What an experiment was to bring about: these variables at a later point have the values of the other run, or, without any, the
   branch there goes as in that run. */
struct explanation_aim {
	uint64_t time; /* in statements of the failing run */
	VEC(char *) names;
};

/* An experiment that tests a step. */
struct explanation_proof {
	uint64_t experiment;
	char *changed, *from, *to;
	enum explanation_run in; /* the run that was changed */
	enum verdict outcome;
	bool local;   /* judged by the values of the next step, not by the failure */
	bool guarded; /* the run was kept to ways that one of the two went */
	bool whole; /* judged as a run of its own, by what it prints and how it ends, not compared */
	/* Where it was changed: for the nth time of that run. */
	struct explanation_place at;
	uint64_t instance;
	uint64_t time; /* of that point, in statements of that run; 0: not known */
	VEC(struct explanation_aim) aims; /* of a local one */
};

/*
 * A part of the program's memory, as boxes with cells and arrows between them: what the variables of a step are and
 * lead to, in the failing run, and next to each cell what the reference has there.
 */
struct explanation_cell {
	char *name;      /* as it is called in its box: 'next', '[2]'; of a single value: NULL */
	char *value;     /* as C: '7', '"abc"'; NULL: it is not known, or an arrow says it all */
	char *reference; /* the same there, if it is another one; NULL: it is not */
	uint32_t target; /* 1 + index of the box that it points to; 0: it does not point to one */
	bool decides;    /* it belongs to a variable of the step */
};

struct explanation_box {
	char *name;  /* 'list', '*list->next' */
	char *type;  /* 'struct item'; NULL: not known */
	char *where; /* 'main()' whose local it is, 'global', 'heap'; NULL: not known */
	VEC(struct explanation_cell) cells;
	uint64_t more; /* cells that are left out */
};

struct explanation_memory {
	VEC(struct explanation_box)
	boxes;         /* none: it was not taken. Variables of the step come first */
	uint64_t more; /* boxes that are left out */
};

/* At a point of the runs these variables have values that decide between pass and failure. */
struct explanation_step {
	/* The point: values are so there, and experiments changed them there. */
	struct explanation_place at;
	uint64_t instance;           /* the failing run is there for the nth time; 0: not known */
	uint64_t reference_instance; /* the same for the reference */
	enum explanation_kind kind;
	const char *kind_word; /* if the kind has no name here; NULL */
	VEC(struct explanation_value) values;
	char *what; /* 'the program prints 0': told instead of values */
	char *when; /* 'main() starts', 'shell_sort() is called' */
	bool call;  /* it is a call */
	/* A transition: the statement that made them the cause. */
	bool transition;
	struct explanation_place cause;
	char *statement; /* as C: 'v = a[i]' */
	/* It may have been a later one: the last that may. No file: it is known. */
	struct explanation_place until;
	char *until_statement;
	const char *method;
	const char *also;        /* another method that found it; NULL: none */
	uint64_t time;           /* of the point, in statements of the failing run; 0: not known */
	uint64_t reference_time; /* the same of the reference */
	bool usual;              /* runs that pass differ in these variables there, too */
	bool proven;
	bool apart;    /* it is a cause as well, but does not follow from the step before */
	bool observed; /* it was seen, and needs no proof: the failure itself */
	VEC(struct explanation_proof) proofs;
	struct explanation_memory memory; /* at the point */
};

/* Reasons to look at a line: the rows of the table of weights (docs/explain.md). */
enum suspect_row {
	SUSPECT_NO_ROW,      /* not known */
	SUSPECT_ROOT,        /* where two runs of the same input part */
	SUSPECT_MAKES,       /* a transition to values that the step before does not have */
	SUSPECT_RECEIVES,    /* the first behind it that hands them on */
	SUSPECT_ALL_ALONG,   /* the failure shows here, and nothing lies between it and the input */
	SUSPECT_HANDS_ON,    /* a transition to the values of the step before */
	SUSPECT_SHOWS,       /* the failure shows here */
	SUSPECT_SWITCH,      /* a branch that, when switched, makes the run right */
	SUSPECT_TREE_BRANCH, /* a branch of the cause tree: when it is switched, the run passes */
	SUSPECT_TREE_VALUE,  /* a value of the cause tree: with another one, the run passes */
	SUSPECT_CHANGED,     /* only one of two builds has it */
	SUSPECT_TREE_OPEN,   /* a condition of the cause tree that was not proven */
	SUSPECT_DUAL,        /* in the dual slice */
	SUSPECT_CHOP,        /* between the input that decides and the failure */
	SUSPECT_SPECTRA,     /* by the tests that execute it */
	SUSPECT_EDIT, /* an edit makes the run right, and other runs, if there are any, stay as they are */
	SUSPECT_EDIT_LOOSE, /* an edit makes the run right, but others change */
	SUSPECT_MEMORY_CURED, /* an edit that all known runs agree with, and without the first memory error */
	SUSPECT_MEMORY_OBJECT, /* what the first memory error is about is declared or allocated here */
	SUSPECT_MEMORY_ACCESS, /* the first memory error is made here */
	SUSPECT_MEMORY_FREE,   /* the first memory error uses what is freed here */
	SUSPECT_MEMORY_INDEX,  /* the index or pointer of the first memory error was written here */
	SUSPECT_MEMORY_GIVEN, /* a call that did not initialise the variable whose address it was given */
	SUSPECT_MEMORY_ORIGIN, /* the bad value of the first memory error was made here */
	SUSPECT_CRASH_ORIGIN,  /* the bad value that the program dies of was made here */
	SUSPECT_CRASH, /* the program dies here, by an access or a division that a check would have avoided */
	SUSPECT_ROWS,
};
extern const char *const suspect_row_names[];

/* A reason to look there. */
struct explanation_evidence {
	enum suspect_row kind;
	const char *kind_word; /* if the kind has no name here; NULL */
	double weight;         /* what it contributes */
};

#define EXPLANATION_SHOWN_SUSPECTS 5u /* printers for people show no more, unless all is wanted */

struct explanation_suspect {
	struct explanation_place at;
	double score; /* above 0, at most 1 */
	char *why;
	VEC(struct explanation_evidence) evidence; /* the strongest first */
	VEC(char *)
	words; /* for each of these, for a person: 'in the chop'; none in a report that was read */
};

/* A small change of the code with which the failing run passes: an edit that was tried, and is plausible. */
struct explanation_fix {
	struct explanation_place at; /* the line as it is; column: where the changed text begins */
	char *edit; /* names the edit, so that it can be made again: 'main:27:relational:slt' */
	const char *class; /* one of explanation_fix_classes; in a report that was read, any word */
	/* The changed line without its indentation; where its text could not be found (a macro), the
	   expression as C. May be several lines; an empty `after` is a deleted line. */
	char *before, *after;
	unsigned mark,
		mark_length; /* the changed part of `after`, in bytes; length 0: nothing to mark */
	double score;        /* above 0, at most 1 */
	uint32_t failing, failing_of; /* failing tests that it makes right, of how many */
	uint32_t passing,
		passing_of; /* passing runs that stay as they were, of how many it was tried on */
	uint32_t agree;     /* other classes of plausible edits on the same line */
	bool fitted;        /* it was looked up by value, to fit the runs that it was tried on */
	uint64_t
		changed; /* executions of the place in the failing run that compute something else; 0: not known */
	uint64_t experiment; /* number of the failing run with it */
	char *patch; /* unified diff against the source that was compiled; NULL: none can be made */
	char *no_patch; /* why not, for a person; NULL */
};

/* operator, constant, variable, operand, condition, call, statement, data, width; then NULL. */
extern const char *const explanation_fix_classes[];

#define EXPLANATION_SHOWN_FIXES 5u /* of `hence fix`, unless all are wanted */

/* The first memory error of the failing run, if it made one before it failed or as its failure. */
struct explanation_memory_error {
	const char *kind; /* out-of-bounds, use-after-free, use-after-return, double-free, bad-free,
	                     uninitialised-branch, -address, -output; NULL: there is none */
	struct explanation_place at;
	char *object; /* 'x', 'a heap block of 40 bytes'; NULL: not known */
	/* Without a file: not known, or there is none. */
	struct explanation_place declared, allocated, freed; /* the object */
	/* Where the index, the pointer or the bad value was written last. */
	struct explanation_place index;
	/* The last call that was given the address of a variable, and did not initialise it. */
	struct explanation_place given;
	uint64_t time; /* of its statement, in statements of the failing run */
	bool writes;
	bool before; /* the access lies before the start of the object */
	bool usual;  /* a run that passes makes it, too */
	char *words; /* one sentence with its places */
};

/* Where the bad value of a crash or of the first memory error was made: a NULL pointer, an index, a divisor, what was never initialised. */
struct explanation_origin {
	const char *kind; /* constant, computed, call, initial, uninitialised; NULL: not known */
	struct explanation_place at;
	char *name;    /* of the bad value, where it is used */
	char *value;   /* NULL: not known */
	uint64_t time; /* of its statement, in statements of the failing run; 0: not known */
	char *words;   /* one sentence with its places */
};

/* A point that was looked at on the way to the steps. */
struct explanation_point {
	struct explanation_place at;
	uint64_t failing_time, reference_time; /* in statements; 0: that run does not get there */
	VEC(struct explanation_value) values;  /* none: nothing could be isolated */
	bool transition;                       /* they are others than at the point before */
};

/* Lines of a source file, for printers that show more of it than single lines. */
struct explanation_source {
	char *file;     /* as places have it */
	unsigned first; /* number of the first line */
	VEC(char *) lines;
};

/* A piece of JSON of its own in the report that printers need not understand: 'reduced_input', 'chop', 'references'. */
struct explanation_part {
	const char *key;
	struct str json;
};

struct cause_tree;

struct explanation {
	enum explanation_verdict verdict;
	char *program;
	VEC(char *) command;
	VEC(char *)
	invocation; /* of hence: the command line that it was made by; none: not known */
	struct {
		enum explanation_kind kind;
		const char *kind_word; /* if the kind has no name here; NULL */
		struct explanation_place at;
		char *message; /* 'dies of SIGSEGV', to follow the name of the program */
	} failure;
	struct {
		enum recipe_reference kind;
		char *text; /* for a person: "'./sort 9 8 7', given with --pass" */
		char *edit; /* of RECIPE_EDIT: the name of one of `fixes`; NULL */
		VEC(char *) command;
		char *stdin_file;
	} reference;
	struct explanation_memory_error memory_error;
	struct explanation_origin origin;
	VEC(struct explanation_step) steps;
	VEC(struct explanation_suspect) suspects; /* best first */
	VEC(struct explanation_fix) fixes;        /* best first */
	bool fixes_sought; /* edits were looked for; need not be set where stats.edits or `fixes` say so */
	bool fixes_only; /* the report of `hence fix`: there is no chain to be shown */
	VEC(struct explanation_point) points; /* --all-points */
	VEC(struct explanation_part) parts;
	VEC(struct explanation_source)
	sources;                 /* by file and line; whole files, or around the places */
	struct cause_tree *tree; /* of the failing run; NULL: none. report/cause_tree.h */
	struct recipe *recipe;   /* how to run it again; NULL: not known. report/recipe.h */
	VEC(char *) kept;        /* what constants point to, in a report that was read */
	VEC(char *) notes;       /* what could not be established */
	uint32_t
		doubt; /* 1 + index of the note that nobody knows whether the reference is right; 0: none */
	char *hint; /* what else could be tried */
	struct {
		uint64_t experiments;
		uint64_t confounded; /* of these: they went ways that neither run had */
		uint64_t runs, statements_failing, statements_reference;
		double seconds;
		uint64_t decodes;    /* of recordings, with values, in all processes */
		uint64_t resumed;    /* parts of a recording that were decoded again */
		uint64_t walks;      /* through recordings, without values */
		uint64_t edits;      /* candidates that were generated */
		uint64_t edits_idle; /* of these: recognised as idle, not run */
		uint64_t edits_run;  /* of these: run */
		uint64_t
			edits_plausible; /* of these: the failing run passes, and passing runs stay */
		uint64_t edit_places;    /* lines that have a plausible edit */
	} stats;
};

void explanation_deinit(struct explanation *explanation);
void explanation_step_deinit(struct explanation_step *step);
void explanation_place_deinit(struct explanation_place *place);
void explanation_suspect_deinit(struct explanation_suspect *suspect);
void explanation_fix_deinit(struct explanation_fix *fix);
void explanation_memory_error_deinit(struct explanation_memory_error *error);
void explanation_origin_deinit(struct explanation_origin *origin);
/* How many of the suspects printers for people show. */
uint32_t explanation_shown_suspects(const struct explanation *explanation, bool full);

/*
 * Reads a saved report: what explanation_print_json() wrote; printed again it is the same, byte for byte. Other JSON, another version and damaged files
 * are refused, by a message that says what is wrong. Caller frees with explanation_deinit().
 */
MUST_USE struct hence_error *explanation_read(const char *path, struct explanation *out);

/* Digits after the point, in a saved report. */
#define EXPLANATION_SCORE_DIGITS   2
#define EXPLANATION_WEIGHT_DIGITS  3
#define EXPLANATION_SECONDS_DIGITS 3
#define EXPLANATION_FIX_DIGITS     3 /* of the score of an edit */

/* Makes it what a saved report can hold, so that one that was read says the same in every format: numbers are rounded, bytes that are no
   UTF-8 become U+FFFD. */
void explanation_settle(struct explanation *explanation);

/* How it looks where it is printed. */
struct explanation_style {
	bool coloured;
	bool unicode;   /* characters other than ASCII may be used for marks and lines */
	bool full;      /* nothing is folded or shortened */
	bool all_fixes; /* all plausible edits are shown; `full` implies it */
	unsigned width; /* columns; 0: 80 */
};

/* A form that an explanation can be printed in. Printers know no method. */
struct explanation_format {
	const char *name; /* 'text' */
	void (*print)(const struct explanation *explanation, const struct explanation_style *style,
	              FILE *file);
};

/* All, in the order that --help has them: text, json, sarif, html, dot, gcc. */
extern const struct explanation_format explanation_formats[];
extern const unsigned explanation_format_count;

/* --- the printers --- */

/* For a person: 'argc is 3 (not 4) when main() starts; therefore ...'. */
void explanation_print_text(const struct explanation *explanation,
                            const struct explanation_style *style, FILE *file);

/* The table of points in it, with a dividing line where other variables become the cause; and the likely defect, for printers of
   something else than an explanation. */
void explanation_print_points(const struct explanation *explanation, unsigned width, FILE *file);
void explanation_print_text_defect(const struct explanation *explanation,
                                   const struct explanation_style *style, FILE *file);

/* The saved report; docs/report.schema.json describes it. */
void explanation_print_json(const struct explanation *explanation,
                            const struct explanation_style *style, FILE *file);

/* SARIF 2.1.0, for code review tools. */
void explanation_print_sarif(const struct explanation *explanation,
                             const struct explanation_style *style, FILE *file);

/* One page that needs nothing else. */
void explanation_print_html(const struct explanation *explanation,
                            const struct explanation_style *style, FILE *file);

/* The chain as a graph for graphviz. */
void explanation_print_dot(const struct explanation *explanation,
                           const struct explanation_style *style, FILE *file);

/* A line for each step, as compilers write messages. */
void explanation_print_gcc(const struct explanation *explanation,
                           const struct explanation_style *style, FILE *file);

#endif
