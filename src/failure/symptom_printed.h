/* Inside symptom.h: what calls of a run put out on standard output, each with its time. */
#ifndef HENCE_FAILURE_SYMPTOM_PRINTED_H
#define HENCE_FAILURE_SYMPTOM_PRINTED_H

#include "base/str.h"
#include "base/vec.h"
#include "trace/recording.h"

/* What one argument put out. */
struct printed_part {
	uint32_t key; /* which argument; 0: none */
	bool literal; /* text of a format, or what the function adds by itself */
	uint64_t offset;
	struct str text;
};

struct printed_call {
	uint64_t time; /* statement number */
	uint64_t offset, size;
	bool known; /* all of it; else `parts` are not complete */
	VEC(struct printed_part) parts;
	char *file, *function; /* NULL: not known */
	unsigned line, column;
};

struct printed {
	VEC(struct printed_call) calls;
};

/* Which calls: those that put out a byte from `from` up to, but not with, `to`; those at times from
   `begin` up to and with `end`; at most `most`; or the last of all. */
struct printed_wish {
	uint64_t from, to;
	uint64_t begin, end;
	uint32_t most;
	bool last;
};

/* Decodes the run. Caller frees with printed_deinit(). */
struct hence_error *printed_find(const struct recording *run, const struct printed_wish *wish,
                                 struct printed *out);
void printed_deinit(struct printed *printed);

/* Appends all that the call put out. */
void printed_text(const struct printed_call *call, struct str *out);

#endif
