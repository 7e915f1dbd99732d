/*
 * Sites: places in the code of a program built with hence cc where it can be stopped. Shared by the
 * instrumenter, which makes them, the reader of their table (run/sites.h) and the runtime.
 *
 * Each site is the five bytes of HENCE_SITE_NOP, which are replaced, to stop there, by a call of a
 * stub that keeps all registers and flags. Functions that have sites have no red zone. The code
 * generator may copy code, so one site can be in several places, or in none where it found the code
 * to be dead.
 */
#ifndef HENCE_RUNTIME_SITES_H
#define HENCE_RUNTIME_SITES_H

#include <stdint.h>

enum hence_site_kind {
	HENCE_SITE_STATEMENT, /* before a statement */
	/* rax: what the branch or switch that ends the statement goes by, zero extended to 64 bits;
	   a condition is 0 or 1. It may be changed: tape and branch follow it. */
	HENCE_SITE_BRANCH,
	/* rax: the result of the call that ends the statement; the low bits, if it is narrower. It
	   may be changed. */
	HENCE_SITE_RESULT,
	HENCE_SITE_KINDS,
};

#define HENCE_SITE_NOP      "\x0f\x1f\x44\x00\x00" /* nopl 0(%rax,%rax,1) */
#define HENCE_SITE_NOP_SIZE 5u

/* Not loaded; of each object a struct hence_points_header, then struct hence_site_entry. */
#define HENCE_POINTS_SECTION ".hence.points"
#define HENCE_POINTS_MAGIC   "HENCE_PT"

struct hence_points_header {
	char magic[8];
	uint32_t protocol;
	uint8_t hash[16]; /* of the module, as in struct hence_ir_header */
	uint32_t unused;
};

/* One place of a site. */
struct hence_site_entry {
	uint32_t site;   /* kind << 30 | number of the statement in the module: plan_site() */
	uint32_t offset; /* of the nop from the start of its function */
};

#endif
