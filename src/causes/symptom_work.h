/* Inside symptom.h: how hybrid runs are judged. */
#ifndef HENCE_CAUSES_SYMPTOM_WORK_H
#define HENCE_CAUSES_SYMPTOM_WORK_H

#include "base/map.h"
#include "causes/symptom.h"
#include "causes/symptom_text.h"

/* A site whose passing tells something: the one that comes next after all those before `until`. */
struct symptom_site {
	struct site site;
	uint64_t until; /* time in the unchanged run */
};

/* What the sites of each kind of symptom are. */
enum {
	SITE_CALL = 0,  /* SYMPTOM_OUTPUT: the call */
	SITE_AFTER = 1, /* what is executed next: all is put out */
	SITE_BRANCH = 0,
	SITE_FAILING = 1, /* SYMPTOM_BRANCH: the next call that puts something out in the failing */
	SITE_REFERENCE = 2, /* and in the reference run */
	SITES = 3,
};

struct symptom_passes {
	uint64_t count[SITES];
};

MAP_DEFINE_U64(passes_map, struct symptom_passes);

/* One of the two runs, as experiments see it. */
struct symptom_side {
	struct symptom_run run;
	struct symptom_site sites[SITES];
	uint32_t used;            /* a bit for each site that there is */
	uint32_t absent;          /* and for each that only the other version of the program has */
	struct passes_map passes; /* by time of the first stop */
	uint64_t stack;           /* at the symptom; 0: not known */
	bool own_only; /* what the other run passes as often in this one is taken for the symptom */
};

struct symptom_judge {
	const struct alignment *alignment;
	/* Judges how experiments of each side end; what it holds is the caller's. The failing run is 1.
	   In another version of the program the failure has another place. */
	struct oracle oracles[2];
	struct oracle_options settings; /* their options, without a test and another build */
	struct symptom_side sides[2];   /* the failing run is 1: in_failing */
	struct symptom_text text;       /* SYMPTOM_OUTPUT; of a branch, what is put out next */
	bool by_text; /* SYMPTOM_BRANCH: both runs put out by the same call next */
};

/* All that is used while the symptom is looked for. */
struct symptom_search {
	const struct symptom_run *failing, *reference;
	const struct alignment *alignment;
	const struct oracle *oracle;
	struct symptom *out;
};

void symptom_set_place(struct symptom *symptom, const char *file, const char *function,
                       unsigned line, unsigned column);

/* --- symptom_output.c --- */

/* Output is wrong from byte `wrong` on; at its length more should have come. */
struct hence_error *symptom_find_output(struct symptom_search *s, uint64_t wrong);

#endif
