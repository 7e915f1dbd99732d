/*
 * Points of a run, where experiments stop.
 *
 * Time is counted in statements: point T of a run lies before its statement number T (counted from
 * 1, as execution.h does), after whatever the compiler put in front of it: the parameters of a
 * function that was just entered are in their places. In the program a statement is a *site*: the
 * machine code has a NOP of five bytes there, which the runtime turns into a call when somebody
 * wants to stop (runtime/stops.c). So a point is also 'the site is passed for the Nth time', which
 * the program can count for itself.
 */
#ifndef HENCE_EXPERIMENT_POINT_H
#define HENCE_EXPERIMENT_POINT_H

#include "base/error.h"
#include "base/vec.h"
#include "runtime/sites.h"
#include "trace/path.h"
#include "words/names.h"

struct point {
	uint64_t time; /* statement number */
	struct site site;
	uint64_t
		count; /* how often the site was passed up to here, with this time: 1 is the first */
};

/* Finds the points at these times, which are in order. The error says so when the run is shorter. */
MUST_USE struct hence_error *points_find(const struct recording *run, const uint64_t *times,
                                         uint32_t count, struct point *out);

/* How often a site had been passed before each of these times, which are in order. */
MUST_USE struct hence_error *points_count(const struct recording *run, const struct site *site,
                                          const uint64_t *times, uint32_t count, uint64_t *out);

/* A branch or switch that was executed (not a computed goto). */
struct point_branch {
	uint64_t time;    /* of its statement; or if it is none, of the next one */
	struct site site; /* that ends with it */
	bool loose;       /* it has no place in the source, and is no statement */
	uint32_t way;     /* successor of its block: plan_way(); POINTS_NO_WAY: not known */
};
#define POINTS_NO_WAY PATH_NO_WAY

/* A module that the run loaded. */
struct point_module {
	uint8_t hash[16];
	const struct plan *plan; /* NULL: none. Valid as long as the recording's modules */
};

struct point_branches {
	VEC(struct point_branch) all;
	VEC(struct point_module) modules; /* as sites number them */
};

/* Those of the run up to a time, in order. Caller frees with point_branches_deinit(). */
MUST_USE struct hence_error *points_branches(const struct recording *run, uint64_t until,
                                             struct point_branches *out);
void point_branches_deinit(struct point_branches *branches);

/* Which way the branches or switches at these times, which are in order, went. POINTS_NO_WAY: it is
   neither, or the run ended there. */
MUST_USE struct hence_error *points_ways(const struct recording *run, const uint64_t *times,
                                         uint32_t count, uint32_t *out);

/*
 * The sites of a recorded program in its memory: for stopping there.
 */
struct point_sites;

/* Finds those of all modules that the run loaded. Caller frees with point_sites_destroy(). */
MUST_USE struct hence_error *point_sites_create(const struct recording *run,
                                                struct point_sites **out);
void point_sites_destroy(struct point_sites *sites);

/* One place in the code. */
struct site_place {
	uint64_t address; /* of HENCE_SITE_NOP */
	struct site site;
};

/* Where a site is: up to `room` places go to `out`; gives how many there are. 0: nowhere, since the
   code is never executed. HENCE_SITE_BRANCH and HENCE_SITE_RESULT belong to the statement that ends
   with the branch or call. */
uint32_t point_sites_find(const struct point_sites *sites, const struct site *site,
                          enum hence_site_kind kind, uint64_t *out, uint32_t room);

/* The file whose code it is in: the program, or a shared library. Valid until point_sites_destroy(). */
const char *point_sites_file(const struct point_sites *sites, const struct site *site);

/* All places of a kind, in the order of their addresses. Valid until point_sites_destroy(). */
const struct site_place *point_sites_all(const struct point_sites *sites, enum hence_site_kind kind,
                                         uint32_t *count);

/* What the register at the branch site of this statement must hold so that its block goes to
   successor `successor` (an index as in struct plan_block). False: nothing does (the default of a
   switch that has all cases), or it is no branch. */
bool point_sites_value(const struct point_sites *sites, const struct site *site, uint32_t successor,
                       uint64_t *value);

/* The successor that the block goes to when the register holds this value. */
uint32_t point_sites_successor(const struct point_sites *sites, const struct site *site,
                               uint64_t value);

/* The same as a way: plan_way(). */
uint32_t point_sites_way(const struct point_sites *sites, const struct site *site, uint64_t value);

/* The block at whose end the site's branch is, counted over all that the run loaded. */
uint32_t point_sites_number(const struct point_sites *sites, const struct site *site);

/* The last time at which the program may be forked: the statement does what children would share or
   undo (it opens a file for writing, starts a process, makes a pipe or a socket). UINT64_MAX: it
   never does. */
MUST_USE struct hence_error *points_last_fork(const struct recording *run, uint64_t *out);

#define BRANCH_WAYS 9u /* of a switch: more are not tried */

struct branch {
	struct site site;
	uint32_t successors[BRANCH_WAYS]; /* that lead to different blocks */
	uint32_t blocks[BRANCH_WAYS];
	uint32_t ways;      /* 0: it cannot be made to go anywhere (a switch on 128 bits) */
	uint64_t instances; /* executions of it, counted by the caller */
};

/* The branch or switch that the function has just executed. */
void branch_find(const struct point_sites *sites, const struct activation *a, struct branch *out);

/* The block that it goes to; UINT32_MAX: by a value that was not defined. */
uint32_t branch_goes(const struct execution *execution, const struct activation *a);

/* As a C programmer says it. */
struct branch_words {
	char *condition; /* of a switch its value; NULL: not known */
	char *failing,
		*other; /* 'true', 'false', 'case 3', 'default': as it went, as it could go */
};

/* Of the branch or switch that the function on top has just executed; `successor` is the other way. Caller
   frees the texts. */
void branch_describe(struct names *names, struct execution *execution, uint32_t successor,
                     struct branch_words *out);

#endif
