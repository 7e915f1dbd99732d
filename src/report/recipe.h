/*
 * How a report was made: what ran, with which input, in which folder, what was taken for a failure. So that its experiments
 * can be made again (`hence verify`) and a debugger can go to the moment of a step (`hence gdb`).
 *
 * It is self-contained as far as input goes (arguments, standard input, input files, environment are in it, as they were after reducing);
 * programs are named by their path and by what was compiled into them, so that a program that was built anew is noticed.
 *
 * It is the member "recipe" of a report (recipe_fields of fields.h). When it is read, all must be there and of its kind, and
 * nothing else.
 */
#ifndef HENCE_REPORT_RECIPE_H
#define HENCE_REPORT_RECIPE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"
#include "trial/input.h"

struct recipe_program {
	char *name; /* as the command line has it: argv[0] */
	char *path; /* absolute; NULL: there is no such program, or it was compiled for the report only */
	char *build; /* names what was compiled into it: 32 hexadecimal digits */
};

/* What the failing run was compared with. */
enum recipe_reference {
	RECIPE_NONE,
	RECIPE_INPUT,   /* the program with another input */
	RECIPE_PROGRAM, /* another build with the same input */
	RECIPE_PATCHED, /* the failing run with a branch that goes another way */
	RECIPE_EDIT,    /* the program with its code edited */
};
extern const char *const recipe_reference_names[]; /* as a report has them, then NULL */

/* The branch of RECIPE_PATCHED. */
struct recipe_patch {
	char *file; /* NULL: its place is not known */
	unsigned line;
	uint64_t instance, instances; /* the nth time of so many */
	uint64_t time;                /* in statements of the failing run */
	uint32_t outcome;             /* the successor of its block that it goes to */
};

struct recipe {
	struct recipe_program program;
	VEC(char *) sources; /* words for the compiler that made the program; none: it was given */
	char *folder;        /* working directory */
	VEC(char *) locale;  /* LC_*, LANG, LANGUAGE and TZ as they were: 'LC_ALL=C' */
	struct input given;  /* as the user gave it: what the failure is was learnt from this one */
	struct input failing; /* what is explained: reduced, or the same */
	bool tree_of_given;   /* the cause tree is of `given` */
	bool fixes_of_given;  /* the changes of the code are */
	enum recipe_reference kind;
	struct input reference;      /* RECIPE_INPUT */
	struct recipe_program other; /* that judges: --pass-prog */
	struct recipe_patch patch;
	char *edit; /* RECIPE_EDIT: its name (edit/edit.h) */
	/* What is a failure. */
	bool has_expected;
	struct str expected;
	bool line;       /* `expected` is a line, whose end may be left out */
	bool has_status; /* the exit status that is right is known: */
	unsigned status;
	char *test; /* NULL: none */
	bool invert, any;
	bool unconfined;
	double timeout;     /* 0: chosen */
	VEC(char *) models; /* files with models of outside functions, absolute */
	uint64_t tape_limit;
};

/* Caller frees with recipe_destroy(), which takes NULL. */
struct recipe *recipe_create(void);
void recipe_destroy(struct recipe *recipe);

/* Keeps the variables that say how programs sort, write characters and tell the time; and makes them what they were. Others
   are left as they are. */
void recipe_take_locale(struct recipe *recipe);
void recipe_set_locale(const struct recipe *recipe);

/* What was compiled into the program at that path: 32 hexadecimal digits. Caller frees *out. */
MUST_USE struct hence_error *recipe_build_of(const char *path, char **out);

#endif
