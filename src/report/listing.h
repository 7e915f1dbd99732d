/*
 * Lines of source with the values that their statements computed. A listing does not know why its lines were
 * chosen: the caller of listing_collect() names the statements, and printers print them.
 *
 * A line is in it when one of its statements is: by the instruction that ends the statement, or by
 * one that computes something for it. Lines without a statement of their own (a side of ?: on a line
 * of its own) have no instances.
 */
#ifndef HENCE_REPORT_LISTING_H
#define HENCE_REPORT_LISTING_H

#include <roaring/roaring.h>
#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"
#include "slice/slice.h"

/* One execution of a statement. */
struct listing_instance {
	uint64_t statement; /* its number, as `hence trace` counts */
	uint64_t number;    /* it is the nth execution of this statement */
	uint32_t instance;  /* of the run */
	char *text;         /* `a[2] = 7` */
};

/* A statement, with its first and last executions that are in the listing. */
struct listing_statement {
	uint32_t code;
	unsigned column;
	uint64_t executed; /* times */
	uint64_t count;    /* of these, in the listing */
	bool potential;    /* all of them */
	bool criterion;
	bool varied;                            /* executions had different texts */
	VEC(struct listing_instance) instances; /* in their order */
};

struct listing_line {
	uint32_t file; /* index */
	unsigned line;
	char *function;
	uint64_t count;                           /* of the statement with most */
	bool chosen;                              /* false: only shown because it is marked */
	bool criterion;                           /* marked */
	bool potential;                           /* all of its statements are */
	bool independent;                         /* by `special` codes only; see listing_choice */
	VEC(struct listing_statement) statements; /* in the order of their first executions */
};

struct listing_file {
	char *name;      /* as the compiler was given it */
	char *directory; /* that a relative name is from */
	char *elf;       /* program or library */
};

struct listing {
	VEC(struct listing_file) files;
	VEC(struct listing_line) lines; /* by file, function and line, as in the source */
	uint64_t program;               /* lines with statements */
	uint64_t executed;              /* of these */
	uint64_t chosen;                /* of these */
};

void listing_deinit(struct listing *listing);

/* A further set of instructions, whose lines are counted. */
struct listing_set {
	const roaring_bitmap_t *codes;
	uint64_t lines;
};

/* Which statements. A statement is chosen when its instruction is in `codes` and, unless it is NULL,
   the execution is in `instances`. */
struct listing_choice {
	const roaring_bitmap_t *codes;
	const roaring_bitmap_t *instances; /* NULL: any */
	const roaring_bitmap_t *potential; /* instances; NULL: none */
	const roaring_bitmap_t *special;   /* codes that make a line `independent`; NULL: none */
	const uint32_t *marks;             /* instances to be shown as the criterion */
	uint32_t mark_count;
	struct listing_set *sets; /* lines in them are counted */
	uint32_t set_count;
	bool only_lines; /* no statements are wanted, nor the numbers of lines in sets */
	uint64_t end;    /* statement: what comes later is not read, nor counted; 0: to the end */
	double until;    /* of CLOCK_MONOTONIC, in seconds; 0: no limit */
	/* Told of each instance in `instances` that belongs to an execution of a statement: `part`
	   is one of `whole`'s, whose instruction is `code`. May be NULL. */
	void (*member)(void *context, uint32_t part, uint32_t whole, uint32_t code);
	void *context;
};

/* Decodes the run, and describes the statements that are chosen; for lines alone its history knows enough. Caller frees with
   listing_deinit(). */
MUST_USE struct hence_error *listing_collect(const struct recording *run,
                                             const struct listing_choice *choice,
                                             struct listing *out);

/* How text is printed. */
struct listing_style {
	bool colour;
	unsigned width; /* columns; 0: any number */
};

/* Annotated source. Returns notes about sources that are missing or newer than the program in
   `notes` (appended, a line each, without 'hence:'). */
void listing_print_text(const struct listing *listing, const struct listing_style *style,
                        FILE *file, struct str *notes);

/* The lines in the order in which they are, each with its place. The same for `notes`. */
void listing_print_sequence(const struct listing *listing, const struct listing_style *style,
                            FILE *file, struct str *notes);

/* `file:line:column: note: a[2] = 0 [in sort, 3 of 5]`, one for each first and last execution. */
void listing_print_gcc(const struct listing *listing, FILE *file);

/* Appends the lines as an array of JSON. */
void listing_add_json(const struct listing *listing, struct str *out);

#endif
