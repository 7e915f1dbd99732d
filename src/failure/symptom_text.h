/*
 * Inside symptom.h: what calls of a run print on standard output, part by part; and the text of one
 * call, of which the failing run and the reference print one part differently. Other arguments of
 * the call may print anything; the text between them stays the same.
 */
#ifndef HENCE_FAILURE_SYMPTOM_TEXT_H
#define HENCE_FAILURE_SYMPTOM_TEXT_H

#include "base/str.h"
#include "base/vec.h"
#include "trace/recording.h"
#include "trial/oracle.h"

/* --- calls that print --- */

/* What one argument printed. */
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

/* Which calls: those that printed a byte in [from, to), at times in [begin, end], at most `most` of
   them; or only the last call of the run. */
struct printed_wish {
	uint64_t from, to;
	uint64_t begin, end;
	uint32_t most;
	bool last;
};

/* Decodes the run. Caller frees with printed_deinit(). */
MUST_USE struct hence_error *printed_find(const struct recording *run,
                                          const struct printed_wish *wish, struct printed *out);
void printed_deinit(struct printed *printed);

/* Appends all that the call printed. */
void printed_text(const struct printed_call *call, struct str *out);

/* --- the part that differs --- */

struct symptom_piece {
	bool wild; /* any text */
	struct str text;
};

struct symptom_text {
	VEC(struct symptom_piece) pieces; /* that at `target` stands for a value */
	uint32_t target;
	struct str failing, reference; /* values of the target */
};

/* The first argument of the call, from byte `from` of the failing run's output on, that the two
   runs print differently; the whole text of the call, where the parts of the calls do not
   correspond. False: there is no difference. `reference` NULL: that call printed nothing. Caller
   frees with symptom_text_deinit(). */
bool symptom_text_compare(const struct printed_call *failing, const struct printed_call *reference,
                          uint64_t from, struct symptom_text *out);
void symptom_text_deinit(struct symptom_text *text);

/* Which of the two values a hybrid printed; `ended`: the call has printed no more than `put`. */
enum verdict symptom_text_judge(const struct symptom_text *text, const char *put, size_t size,
                                bool ended);

/* Appends a text, without the end of its last line: as it is if it is a word, else in quotes. */
void symptom_show(const struct str *text, struct str *out);

#endif
