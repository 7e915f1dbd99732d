/*
 * The symptom of wrong output: see symptom.h. The call that put out the first wrong byte, and what its
 * argument put out in the other run; or, if only one run makes the call, the branch that decides.
 */
#include <ctype.h>

#include "align/versions.h"

#include "causes/symptom_work.h"

#define FAR        4096u  /* bytes of a line that are looked at */
#define MOST_CALLS 10000u /* of the reference that are compared with them */

/* --- sites --- */

/* The site of statement `time` tells something when it is passed next after `until`. */
static struct hence_error *set_site(struct symptom_side *side, uint32_t site, uint64_t time,
                                    uint64_t until)
{
	struct point point;
	struct hence_error *error = points_find(side->run.recording, &time, 1, &point);

	if (error)
		return error;
	side->sites[site] = (struct symptom_site){.site = point.site, .until = until};
	side->used |= 1u << site;
	return NULL;
}

/* The same site in the other version of the program. */
static struct hence_error *translate_site(struct symptom_judge *judge, bool from_failing,
                                          uint32_t site)
{
	const struct symptom_side *from = &judge->sides[from_failing];
	struct symptom_side *to = &judge->sides[!from_failing];
	const struct recording *runs[] = {from->run.recording, to->run.recording};
	const struct program *programs[2] = {NULL, NULL};
	struct walk *walks[2] = {NULL, NULL};
	struct hence_error *error = NULL;
	uint64_t statements;

	for (uint32_t i = 0; i < 2 && !error; i++) {
		error = path_program(runs[i], &programs[i], &statements);
		if (error || programs[i])
			continue;
		error = walk_create(runs[i]->modules, runs[i]->folder, runs[i]->tape, &walks[i]);
		if (!error)
			error = walk_to_end(walks[i], runs[i]->death);
		if (!error)
			programs[i] = walk_program(walks[i]);
	}
	if (!error &&
	    !versions_site(judge->alignment->versions, !from_failing, programs[0],
	                   &from->sites[site].site, programs[1], &to->sites[site].site)) {
		to->absent |= 1u << site;
		to->used &= ~(1u << site);
	}
	for (uint32_t i = 0; i < 2; i++)
		walk_destroy(walks[i]);
	return error;
}

/* The same site in the other run; `known` is a site of the same statement, or its function, in both:
   modules may have other numbers there. */
static struct hence_error *copy_site(struct symptom_judge *judge, bool from_failing, uint32_t site,
                                     uint32_t known, uint64_t until)
{
	const struct symptom_side *from = &judge->sides[from_failing];
	struct symptom_side *to = &judge->sides[!from_failing];

	to->sites[site] = from->sites[site];
	to->sites[site].until = until;
	to->used |= 1u << site;
	if (judge->alignment->versions)
		return translate_site(judge, from_failing, site);
	if (from->sites[site].site.module == from->sites[known].site.module)
		to->sites[site].site.module = to->sites[known].site.module;
	return NULL;
}

/* --- wrong output: both runs make the call --- */

static struct hence_error *set_call(struct symptom_side *side, uint64_t time, uint64_t statements)
{
	struct hence_error *error = set_site(side, SITE_CALL, time, time);

	if (!error && time < statements)
		error = set_site(side, SITE_AFTER, time + 1, time + 1);
	return error;
}

static struct hence_error *take_call(struct symptom_search *s, const struct printed_call *place,
                                     uint64_t failing, uint64_t reference)
{
	struct symptom_judge *judge = s->out->judge;
	struct hence_error *error;

	s->out->kind = SYMPTOM_OUTPUT;
	s->out->failing_time = failing;
	s->out->reference_time = reference;
	symptom_show(&judge->text.failing, &s->out->failing);
	symptom_show(&judge->text.reference, &s->out->reference);
	str_printf(&s->out->what, "the program prints %s", str_text(&s->out->failing));
	symptom_set_place(s->out, place->file, place->function, place->line, place->column);
	error = set_call(&judge->sides[true], failing, s->alignment->a_statements);
	if (!error)
		error = set_call(&judge->sides[false], reference, s->alignment->b_statements);
	return error;
}

/* --- a call that only one run makes --- */

/* The first call after that time that puts something out. */
static struct hence_error *find_next(const struct symptom_run *run, uint64_t time,
                                     struct printed *out)
{
	struct printed_wish wish = {.begin = time + 1, .end = UINT64_MAX, .most = 1};

	return printed_find(run->recording, &wish, out);
}

static struct hence_error *set_branch(struct symptom_search *s, const struct align_fork *fork,
                                      const struct printed *failing,
                                      const struct printed *reference)
{
	struct symptom_judge *judge = s->out->judge;
	struct symptom_side *a = &judge->sides[true], *b = &judge->sides[false];
	struct hence_error *error = set_site(a, SITE_BRANCH, fork->a, fork->a);

	if (!error)
		error = set_site(b, SITE_BRANCH, fork->b, fork->b);
	if (!error && failing->calls.size)
		error = set_site(a, SITE_FAILING, failing->calls.at[0].time, fork->a + 1);
	if (!error && reference->calls.size)
		error = set_site(b, SITE_REFERENCE, reference->calls.at[0].time, fork->b + 1);
	if (!error && failing->calls.size)
		error = copy_site(judge, true, SITE_FAILING, SITE_BRANCH, fork->b + 1);
	if (!error && reference->calls.size)
		error = copy_site(judge, false, SITE_REFERENCE, SITE_BRANCH, fork->a + 1);
	return error;
}

static bool same_site(const struct site *a, const struct site *b)
{
	return a->module == b->module && a->function == b->function && a->block == b->block &&
	       a->statement == b->statement;
}

/* The way of each run, by what it puts out next. */
static struct hence_error *take_ways(struct symptom_search *s, const struct align_fork *fork,
                                     const struct printed *failing, const struct printed *reference)
{
	struct symptom_judge *judge = s->out->judge;
	struct symptom_side *a = &judge->sides[true];
	struct hence_error *error = set_branch(s, fork, failing, reference);

	if (error)
		return error;
	if (!failing->calls.size && !reference->calls.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "neither run puts out anything after the branch that decides");
	judge->by_text = failing->calls.size && reference->calls.size && !a->absent &&
	                 same_site(&a->sites[SITE_FAILING].site, &a->sites[SITE_REFERENCE].site);
	if (judge->by_text &&
	    !symptom_text_compare(&failing->calls.at[0], &reference->calls.at[0], 0, &judge->text))
		return error_create(HENCE_ERROR_INPUT,
		                    "both runs put out the same after the branch that decides");
	if (failing->calls.size)
		printed_text(&failing->calls.at[0], &s->out->failing);
	if (reference->calls.size)
		printed_text(&reference->calls.at[0], &s->out->reference);
	return NULL;
}

/* Replaces a text by what is shown of it. */
static void show_next(struct str *text)
{
	struct str shown = STR_INIT;

	if (text->length) {
		str_add(&shown, "prints ");
		symptom_show(text, &shown);
		str_add(&shown, " next");
	} else {
		str_add(&shown, "prints nothing more");
	}
	str_deinit(text);
	*text = shown;
}

/* `call` was made by one run only. */
static struct hence_error *take_branch(struct symptom_search *s, bool in_failing,
                                       const struct printed_call *call)
{
	const struct align_fork *fork = alignment_decided(s->alignment, in_failing, call->time);
	struct printed failing = {0}, reference = {0};
	struct str text = STR_INIT;
	struct hence_error *error;

	if (!fork)
		return error_create(HENCE_ERROR_INPUT,
		                    "no branch that both runs have decides about the output at "
		                    "%s:%u",
		                    call->file ? call->file : "?", call->line);
	s->out->kind = SYMPTOM_BRANCH;
	s->out->failing_time = fork->a;
	s->out->reference_time = fork->b;
	error = find_next(s->failing, fork->a, &failing);
	if (!error)
		error = find_next(s->reference, fork->b, &reference);
	if (!error)
		error = take_ways(s, fork, &failing, &reference);
	printed_text(call, &text);
	str_add(&s->out->what, in_failing ? "the program prints " : "the program does not print ");
	symptom_show(&text, &s->out->what);
	show_next(&s->out->failing);
	show_next(&s->out->reference);
	symptom_set_place(s->out, call->file, call->function, call->line, call->column);
	str_deinit(&text);
	printed_deinit(&failing);
	printed_deinit(&reference);
	return error;
}

/* --- wrong output --- */

static const struct printed_call *call_at(const struct printed *printed, uint64_t time)
{
	for (uint32_t i = 0; i < printed->calls.size; i++)
		if (printed->calls.at[i].time == time)
			return &printed->calls.at[i];
	return NULL;
}

/* The first call of the reference before that time that the failing run does not make; after `after`. */
static const struct printed_call *missing_call(const struct symptom_search *s,
                                               const struct printed *calls, uint64_t after,
                                               uint64_t before)
{
	for (uint32_t i = 0; i < calls->calls.size; i++) {
		uint64_t time = calls->calls.at[i].time;

		if (time > after && time < before && !alignment_of_b(s->alignment, time))
			return &calls->calls.at[i];
	}
	return NULL;
}

/* Does the reference's call put out what the failing run should have begun with? */
static bool is_expected(const struct symptom_search *s, const struct printed_call *call)
{
	const struct str *expected = s->oracle->options->expected;
	struct str text = STR_INIT;
	bool is;

	if (!expected || !call)
		return false;
	printed_text(call, &text);
	is = text.length && text.length <= expected->length &&
	     !memcmp(str_text(&text), str_text(expected), text.length);
	str_deinit(&text);
	return is;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || strchr("._-+", c);
}

/* May the byte before the wrong one belong to it, as that of a text which is too short? What is expected tells,
   if somebody has said that. */
static bool may_be_short(const struct symptom_search *s, uint64_t wrong)
{
	const struct str *expected = s->oracle->options->expected;

	if (!expected || !wrong || wrong >= expected->length)
		return true;
	return is_word(expected->text[wrong - 1]) && is_word(expected->text[wrong]);
}

/* The first call whose output is another in the other run, or that only one of them makes. Those that put out
   nothing from byte `right` on are right. */
static struct hence_error *compare_calls(struct symptom_search *s, uint64_t from, uint64_t right,
                                         const struct printed *failing,
                                         const struct printed *reference)
{
	uint64_t after = from ? UINT64_MAX : 0; /* nothing comes before the first byte */

	for (uint32_t i = 0; i < failing->calls.size; i++) {
		const struct printed_call *call = &failing->calls.at[i], *missing;
		uint64_t other = alignment_of_a(s->alignment, call->time);

		if (call->offset + call->size <= right) {
			after = other ? other : UINT64_MAX;
			continue;
		}
		if (!other)
			return take_branch(s, true, call);
		missing = after == UINT64_MAX ? NULL : missing_call(s, reference, after, other);
		/* At the very beginning either may be meant: what is expected tells. */
		if (!after && is_expected(s, call_at(reference, other)))
			missing = NULL;
		if (missing)
			return take_branch(s, false, missing);
		if (symptom_text_compare(call, call_at(reference, other), from,
		                         &s->out->judge->text))
			return take_call(s, call, call->time, other);
		after = other;
	}
	return error_create(
		HENCE_ERROR_INPUT,
		"the reference prints the same as the failing run in the wrong line, so "
		"there is nothing to compare; choose another --pass");
}

/* Calls of the reference between the counterparts of these, which put out byte `from` and more. */
static struct hence_error *find_counterparts(struct symptom_search *s, uint64_t from,
                                             const struct printed *failing, struct printed *out)
{
	struct printed_wish wish = {.begin = from ? UINT64_MAX : 1, .most = MOST_CALLS};

	for (uint32_t i = 0; i < failing->calls.size; i++) {
		uint64_t other = alignment_of_a(s->alignment, failing->calls.at[i].time);

		if (!other)
			continue;
		wish.begin = other < wish.begin ? other : wish.begin;
		wish.end = other > wish.end ? other : wish.end;
	}
	if (!wish.end)
		return NULL;
	return printed_find(s->reference->recording, &wish, out);
}

/* From the byte before the wrong one, which may only be moved by a shorter text, to the end of its
   line. */
static struct hence_error *find_wrong(struct symptom_search *s, uint64_t wrong)
{
	const struct str *output = &s->failing->result->output;
	struct printed_wish wish = {.from = wrong ? wrong - 1 : 0, .to = wrong};
	struct printed failing = {0}, reference = {0};
	struct hence_error *error;

	while (wish.to < output->length && wish.to - wrong < FAR && output->text[wish.to] != '\n')
		wish.to++;
	wish.to += wish.to < output->length;
	error = printed_find(s->failing->recording, &wish, &failing);
	if (!error && !failing.calls.size)
		error = error_create(HENCE_ERROR_INPUT,
		                     "which call put out byte %llu of the output is not known",
		                     (unsigned long long)wrong);
	if (!error)
		error = find_counterparts(s, wish.from, &failing, &reference);
	if (!error)
		error = compare_calls(s, wish.from, may_be_short(s, wrong) ? wish.from : wrong,
		                      &failing, &reference);
	printed_deinit(&failing);
	printed_deinit(&reference);
	return error;
}

/* Where calls of the reference begin that the failing run should have made. */
static uint64_t missing_from(const struct symptom_search *s, const struct printed *last)
{
	uint64_t time = last->calls.size ? last->calls.at[0].time : 0, other;
	const struct align_fork *fork;

	if (!time)
		return 0;
	other = alignment_of_a(s->alignment, time);
	if (other)
		return other;
	fork = alignment_decided(s->alignment, true, time);
	return fork ? fork->b : 0;
}

static struct hence_error *take_missing(struct symptom_search *s, const struct printed_call *call)
{
	static const struct printed_call nothing = {.known = true};
	uint64_t other = alignment_of_b(s->alignment, call->time);

	if (!other)
		return take_branch(s, false, call);
	symptom_text_compare(&nothing, call, 0, &s->out->judge->text);
	return take_call(s, call, other, call->time);
}

/* Something is missing at the end: what the reference puts out next. */
static struct hence_error *find_missing(struct symptom_search *s)
{
	struct printed_wish wish = {.last = true};
	struct printed last = {0}, next = {0};
	struct hence_error *error = printed_find(s->failing->recording, &wish, &last);

	if (!error)
		error = find_next(s->reference, missing_from(s, &last), &next);
	if (!error && !next.calls.size)
		error = error_create(HENCE_ERROR_INPUT,
		                     "the failing run prints too little, but the reference "
		                     "prints no more after the same point, so there is nothing to "
		                     "compare; choose another --pass");
	if (!error)
		error = take_missing(s, &next.calls.at[0]);
	printed_deinit(&last);
	printed_deinit(&next);
	return error;
}

struct hence_error *symptom_find_output(struct symptom_search *s, uint64_t wrong)
{
	return wrong < s->failing->result->output.length ? find_wrong(s, wrong) : find_missing(s);
}
