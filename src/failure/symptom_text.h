/*
 * Inside symptom.h: the text that a call puts out, of which one part is looked at. Other arguments of
 * the call may put out what they like; the text between them is as it was.
 */
#ifndef HENCE_FAILURE_SYMPTOM_TEXT_H
#define HENCE_FAILURE_SYMPTOM_TEXT_H

#include "failure/symptom_printed.h"
#include "trial/oracle.h"

struct symptom_piece {
	bool wild; /* any text */
	struct str text;
};

struct symptom_text {
	VEC(struct symptom_piece) pieces; /* that at `target` stands for a value */
	uint32_t target;
	struct str failing, reference; /* values of the target */
};

/* The first argument of the call, from byte `from` of the failing run's output on, that put out
   something else in the two runs; all that was put out, where the parts of the calls do not
   correspond. False: there is no difference. `reference` NULL: that call put out nothing. Caller frees
   with symptom_text_deinit(). */
bool symptom_text_compare(const struct printed_call *failing, const struct printed_call *reference,
                          uint64_t from, struct symptom_text *out);
void symptom_text_deinit(struct symptom_text *text);

/* Which value a hybrid put out; `ended`: the call has put out no more than `text`. */
enum verdict symptom_text_judge(const struct symptom_text *text, const char *put, size_t size,
                                bool ended);

/* Appends a text, without the end of its last line: as it is if it is a word, else in quotes. */
void symptom_show(const struct str *text, struct str *out);

#endif
