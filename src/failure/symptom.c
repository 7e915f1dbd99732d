/* Finds the symptom: see symptom.h. */
#include "failure/symptom.h"

#include <ctype.h>

#include "align/versions.h"
#include "base/map.h"
#include "failure/criterion.h"
#include "model/ctype.h"
#include "trace/history.h"

/* ------ calls that print ------ */

struct search {
	const struct printed_wish *wish;
	struct printed *out;
	uint64_t size; /* printed so far */
};

static void call_deinit(struct printed_call *call)
{
	for (uint32_t i = 0; i < call->parts.size; i++)
		str_deinit(&call->parts.at[i].text);
	vec_deinit(&call->parts);
	free(call->file);
	free(call->function);
}

void printed_deinit(struct printed *printed)
{
	for (uint32_t i = 0; i < printed->calls.size; i++)
		call_deinit(&printed->calls.at[i]);
	vec_deinit(&printed->calls);
}

void printed_text(const struct printed_call *call, struct str *out)
{
	for (uint32_t i = 0; i < call->parts.size; i++)
		str_add_bytes(out, str_text(&call->parts.at[i].text),
		              call->parts.at[i].text.length);
}

/* --- the parts of a call --- */

/* Arguments have their numbers; those of a va_list follow, in their order. */
static uint32_t key_of(const struct outputs_piece *piece, uint64_t *slot, uint32_t *last)
{
	if (!piece->slot)
		return piece->argument;
	if (piece->slot != *slot)
		++*last;
	*slot = piece->slot;
	return 1000 + *last;
}

/* --- which calls --- */

static bool is_wanted(const struct printed_wish *wish, uint64_t time, uint64_t offset, uint64_t end)
{
	return wish->last || (offset < wish->to && end > wish->from) ||
	       (wish->begin && time >= wish->begin && time <= wish->end);
}

/* The call printed bytes from s->size up to `end`. */
static void add_call(struct search *s, uint64_t time, uint64_t end,
                     const struct outputs_stream *stream, const struct walk_place *place)
{
	struct printed_call *call;

	if (s->wish->last && s->out->calls.size)
		call_deinit(&s->out->calls.at[--s->out->calls.size]);
	call = vec_push(&s->out->calls);
	call->time = time;
	call->offset = s->size;
	call->size = end - s->size;

	/* The parts of the call: adjacent pieces of the same argument are one. */
	uint64_t slot = 0;
	uint32_t last = 0;
	const struct outputs_piece *piece;

	call->known = true;
	for (uint64_t at = call->offset; at < call->offset + call->size;
	     at = piece->offset + piece->size) {
		piece = outputs_at(stream, at);
		if (!piece || !piece->size) {
			call->known = false;
			break;
		}

		uint32_t key = key_of(piece, &slot, &last);
		const uint8_t *bytes = outputs_piece_bytes(stream, piece);
		struct printed_part *part =
			call->parts.size ? &call->parts.at[call->parts.size - 1] : NULL;

		if (!piece->known || !bytes) {
			call->known = false;
			continue;
		}
		if (!part || part->key != key) {
			part = vec_push(&call->parts);
			part->key = key;
			part->offset = piece->offset;
			part->literal = !key || piece->exact;
		}
		str_add_bytes(&part->text, bytes, piece->size);
	}

	/* If the text comes from several arguments, the first of them is the format. Any other
	   text that is copied from memory is a string. */
	uint32_t lowest = UINT32_MAX, highest = 0;

	for (uint32_t i = 0; i < call->parts.size; i++) {
		uint32_t key = call->parts.at[i].key;

		if (key && key < lowest)
			lowest = key;
		highest = key > highest ? key : highest;
	}
	for (uint32_t i = 0; i < call->parts.size; i++) {
		struct printed_part *part = &call->parts.at[i];

		part->literal &= !part->key || (part->key == lowest && lowest < highest);
	}

	call->file = place->file ? mem_strdup(place->file) : NULL;
	call->function = place->function ? mem_strdup(place->function) : NULL;
	call->line = place->line;
	call->column = place->column;
}

static bool is_enough(const struct search *s, uint64_t time)
{
	const struct printed_wish *wish = s->wish;

	if (wish->most && s->out->calls.size >= wish->most)
		return true;
	return !wish->last && s->size >= wish->to && time >= wish->end;
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct search *s = context;
	const struct activation *a = execution_top(e, 0);
	const struct outputs_stream *stream;
	struct walk_place place = {0};

	if (event != EXECUTION_ENDED || a->function->insns[a->pc - 1].op != CODE_CALL)
		return;
	stream = outputs_stream(execution_outputs(e), 1);
	if (!stream || stream->size == s->size)
		return;
	if (is_wanted(s->wish, number, s->size, stream->size)) {
		walk_where(execution_walk(e), 0, &place);
		add_call(s, number, stream->size, stream, &place);
	}
	s->size = stream->size;
	if (is_enough(s, number))
		walk_halt(execution_walk(e));
}

struct hence_error *printed_find(const struct recording *run, const struct printed_wish *wish,
                                 struct printed *out)
{
	struct printed found = {0};
	struct search s = {.wish = wish, .out = &found};
	struct execution_options options = {
		.table = run->table, .outputs = true, .statement = on_statement, .context = &s};
	struct execution *whole, *e;
	struct hence_error *error = history_whole(run, &whole);

	if (whole) {
		uint32_t count;
		const struct history_print *prints = history_prints(run, &count);
		const struct outputs_stream *stream = outputs_stream(execution_outputs(whole), 1);

		for (uint32_t i = 0; i < count; i++) {
			const struct history_print *p = &prints[i];
			struct walk_place place = execution_place(
				whole, execution_code(whole, history_end(run, p->time)));

			if (is_wanted(wish, p->time, p->from, p->to))
				add_call(&s, p->time, p->to, stream, &place);
			s.size = p->to;
			if (is_enough(&s, p->time))
				break;
		}
	} else if (!error) {
		error = execution_create(run->modules, run->folder, run->tape, &options, &e);
		if (error)
			return error;
		error = execution_run(e, run->death);
		execution_destroy(e);
	}
	if (error)
		printed_deinit(&found);
	else
		*out = found;
	return error;
}

/* ------ the part that differs ------ */

#define SHOWN 60u  /* characters of a text */
#define ANY   (-1) /* in a pattern: any text, also none */

struct pattern {
	VEC(int16_t) bytes;
};

void symptom_text_deinit(struct symptom_text *text)
{
	for (uint32_t i = 0; i < text->pieces.size; i++)
		str_deinit(&text->pieces.at[i].text);
	vec_deinit(&text->pieces);
	str_deinit(&text->failing);
	str_deinit(&text->reference);
	*text = (struct symptom_text){0};
}

static bool same_text(const struct str *a, const struct str *b)
{
	return a->length == b->length && !memcmp(str_text(a), str_text(b), a->length);
}

/* --- two calls --- */

/* Do they print the same arguments in the same order, with the same text between? */
static bool correspond(const struct printed_call *a, const struct printed_call *b)
{
	if (!a->known || !b->known || a->parts.size != b->parts.size)
		return false;
	for (uint32_t i = 0; i < a->parts.size; i++)
		if (a->parts.at[i].key != b->parts.at[i].key ||
		    a->parts.at[i].literal != b->parts.at[i].literal ||
		    (a->parts.at[i].literal &&
		     !same_text(&a->parts.at[i].text, &b->parts.at[i].text)))
			return false;
	return true;
}

static void add_text(struct str *to, const struct str *from)
{
	str_add_bytes(to, str_text(from), from->length);
}

static void take_part(const struct printed_call *failing, const struct printed_call *reference,
                      uint32_t target, struct symptom_text *out)
{
	out->target = target;
	add_text(&out->failing, &failing->parts.at[target].text);
	add_text(&out->reference, &reference->parts.at[target].text);
	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct printed_part *part = &failing->parts.at[i];
		struct symptom_piece *piece = vec_push(&out->pieces);

		piece->wild = !part->literal;
		if (part->literal)
			add_text(&piece->text, &part->text);
	}
}

bool symptom_text_compare(const struct printed_call *failing, const struct printed_call *reference,
                          uint64_t from, struct symptom_text *out)
{
	*out = (struct symptom_text){0};
	if (!reference || !correspond(failing, reference)) {
		printed_text(failing, &out->failing);
		if (reference)
			printed_text(reference, &out->reference);
		if (same_text(&out->failing, &out->reference)) {
			symptom_text_deinit(out);
			return false;
		}
		vec_push(&out->pieces);
		return true;
	}
	for (uint32_t i = 0; i < failing->parts.size; i++) {
		const struct printed_part *part = &failing->parts.at[i];

		if (part->literal || part->offset + part->text.length <= from ||
		    same_text(&part->text, &reference->parts.at[i].text))
			continue;
		take_part(failing, reference, i, out);
		return true;
	}
	return false;
}

/* --- a hybrid --- */

static void add_bytes(struct pattern *to, const struct str *text)
{
	for (size_t i = 0; i < text->length; i++)
		*vec_push(&to->bytes) = (uint8_t)text->text[i];
}

/* The last ANY takes one byte more each time that what follows it does not fit. If more may follow,
   the pattern must fit in the first line. */
static bool matches(const struct pattern *pattern, const char *text, size_t size, bool ended)
{
	const int16_t *bytes = pattern->bytes.at;
	uint32_t p = 0, any = UINT32_MAX, count = pattern->bytes.size;
	size_t at = 0, taken = 0;

	while (at < size && (ended || p < count)) {
		if (p < count && bytes[p] == (uint8_t)text[at]) {
			p++;
			at++;
		} else if (p < count && bytes[p] == ANY) {
			any = p++;
			taken = at;
		} else if (any != UINT32_MAX && (ended || text[taken] != '\n')) {
			p = any + 1;
			at = ++taken;
		} else {
			return false;
		}
	}
	while (p < count && bytes[p] == ANY)
		p++;
	return p == count;
}

static bool shows(const struct symptom_text *text, const struct str *value, const char *put,
                  size_t size, bool ended)
{
	struct pattern pattern = {0};
	bool found;

	for (uint32_t i = 0; i < text->pieces.size; i++) {
		const struct symptom_piece *piece = &text->pieces.at[i];

		if (i == text->target)
			add_bytes(&pattern, value);
		else if (piece->wild)
			*vec_push(&pattern.bytes) = ANY;
		else
			add_bytes(&pattern, &piece->text);
	}
	found = matches(&pattern, put, size, ended);
	vec_deinit(&pattern.bytes);
	return found;
}

enum verdict symptom_text_judge(const struct symptom_text *text, const char *put, size_t size,
                                bool ended)
{
	bool fails = shows(text, &text->failing, put, size, ended);
	bool passes = shows(text, &text->reference, put, size, ended);

	/* Where one value begins with the other, the longer one that is there counts. */
	if (fails && passes)
		return text->failing.length > text->reference.length ? VERDICT_FAIL : VERDICT_PASS;
	return fails ? VERDICT_FAIL : passes ? VERDICT_PASS : VERDICT_UNRESOLVED;
}

/* --- for a person --- */

void symptom_show(const struct str *text, struct str *out)
{
	size_t length = text->length;
	bool word;

	if (length > 1 && text->text[length - 1] == '\n')
		length--;
	word = length > 0 && length <= SHOWN;
	for (size_t i = 0; i < length && word; i++)
		word = isgraph((unsigned char)text->text[i]);
	if (word)
		str_add_bytes(out, text->text, length);
	else
		ctype_print_text((const uint8_t *)str_text(text), length, SHOWN, out);
}

/* ------ finding the symptom, and judging by it ------ */

/* A site whose passing tells something: the one that comes next after all those before `until`. */
struct symptom_site {
	struct site site;
	uint64_t until; /* time in the unchanged run */
};

/* What the sites of each kind of symptom are. */
enum {
	SITE_CALL = 0,  /* SYMPTOM_OUTPUT: the call */
	SITE_AFTER = 1, /* what is executed next: all is printed */
	SITE_BRANCH = 0,
	SITE_FAILING = 1,   /* SYMPTOM_BRANCH: the next call that prints something in the failing */
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
	/* Judges how experiments of each side end; what it holds is the caller's. The failing run
	   is 1. In another version of the program the failure has another place. */
	struct oracle oracles[2];
	struct oracle_options settings; /* their options, without a test and another build */
	struct symptom_side sides[2];   /* the failing run is 1: in_failing */
	struct symptom_text text;       /* SYMPTOM_OUTPUT; of a branch, what is printed next */
	bool by_text;                   /* SYMPTOM_BRANCH: both runs print by the same call next */
};

/* All that is used while the symptom is looked for. */
struct symptom_search {
	const struct symptom_run *failing, *reference;
	const struct alignment *alignment;
	const struct oracle *oracle;
	struct symptom *out;
};

/* ------ hybrid runs, judged at the symptom ------ */

/* See symptom.h. A call or branch is known by how often its site is passed since the experiment
   began; that this is the same execution of it is told by the stack, which must be where it is in
   the unchanged run. A hybrid may go the way of either run, so where the two runs pass the site a
   different number of times, both are looked at: one that fails does so where the failing run does,
   one that passes where the reference does. */

/* --- how often sites are passed --- */

static bool is_used(const struct symptom_side *side, uint32_t site)
{
	return side->used >> site & 1;
}

/* The symptom is the first stop itself. */
static bool is_itself(const struct symptom_side *side, uint32_t site, uint64_t time)
{
	return side->sites[site].until == time;
}

/* After `time` (the passing of the first stop's own site there not counted) and before the
   symptom. */
static struct hence_error *count_site(struct symptom_side *side, uint32_t site,
                                      const uint64_t *times, uint32_t count)
{
	uint64_t until = side->sites[site].until;
	uint64_t *asked = mem_alloc((count + 1) * sizeof(*asked));
	uint64_t *passed = mem_alloc((count + 1) * sizeof(*passed));
	struct hence_error *error;

	for (uint32_t i = 0; i < count; i++)
		asked[i] = times[i] + 1 < until ? times[i] + 1 : until;
	asked[count] = until;
	error = points_count(side->run.recording, &side->sites[site].site, asked, count + 1,
	                     passed);
	for (uint32_t i = 0; i < count && !error; i++)
		passes_map_put(&side->passes, times[i])->count[site] =
			passed[count] - passed[i] + 1;
	free(asked);
	free(passed);
	return error;
}

struct hence_error *symptom_expect(const struct symptom *symptom, bool in_failing,
                                   const uint64_t *times, uint32_t count)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	struct hence_error *error = NULL;

	for (uint32_t site = 0; site < SITES && !error; site++)
		if (is_used(side, site))
			error = count_site(side, site, times, count);
	return error;
}

/* How often the other run passes its sites after the same point. NULL: that is not known, or not to
   be looked at, or the same. */
static const struct symptom_passes *other_passes(const struct symptom_judge *judge, bool in_failing,
                                                 uint64_t time)
{
	const struct symptom_side *own = &judge->sides[in_failing];
	const struct symptom_side *other = &judge->sides[!in_failing];
	uint64_t aligned = in_failing ? alignment_of_a(judge->alignment, time)
	                              : alignment_of_b(judge->alignment, time);
	const struct symptom_passes *passes = passes_map_find(&other->passes, aligned);

	if (own->own_only || own->absent || other->absent || is_itself(own, 0, time) || !passes ||
	    !memcmp(passes, passes_map_find(&own->passes, time), sizeof(*passes)))
		return NULL;
	return passes;
}

static void add_stops(const struct symptom_side *side, const struct symptom_passes *passes,
                      uint64_t time, struct stop *stops, uint32_t *count)
{
	for (uint32_t site = 0; site < SITES; site++)
		if (is_used(side, site) && !is_itself(side, site, time))
			stops[(*count)++] = (struct stop){.site = side->sites[site].site,
			                                  .count = passes->count[site]};
}

struct hence_error *symptom_stops(const struct symptom *symptom, bool in_failing, uint64_t time,
                                  struct stop *stops, uint32_t *count)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	const struct symptom_passes *other;
	struct hence_error *error;

	if (!side->used)
		return NULL;
	if (!passes_map_find(&side->passes, time)) {
		error = symptom_expect(symptom, in_failing, &time, 1);
		if (error)
			return error;
	}
	add_stops(side, passes_map_find(&side->passes, time), time, stops, count);
	other = other_passes(symptom->judge, in_failing, time);
	if (other)
		add_stops(side, other, time, stops, count);
	return NULL;
}

/* --- judgement --- */

/* What was found at the sites. NULL: not reached, or there is no such site. */
struct found {
	const struct stopped *at[SITES];
};

static struct found find_stops(const struct symptom_side *side, uint64_t time,
                               const struct experiment_result *result, uint32_t *first)
{
	struct found found = {0};

	for (uint32_t site = 0; site < SITES; site++) {
		uint32_t at;

		if (!is_used(side, site))
			continue;
		at = is_itself(side, site, time) ? 0 : (*first)++;
		if (at < result->stops.size && result->stops.at[at].reached)
			found.at[site] = &result->stops.at[at];
	}
	return found;
}

static enum verdict judge_output(const struct symptom_judge *judge, const struct stopped *call,
                                 const struct stopped *after,
                                 const struct experiment_result *result)
{
	const struct str *output = &result->run.output;
	size_t end = output->length;

	if (call->printed > end)
		return VERDICT_UNRESOLVED;
	/* A stop that came before the call is that of another execution of it. */
	if (after && after->printed >= call->printed && after->printed <= end)
		end = after->printed;
	else
		after = NULL;
	return symptom_text_judge(&judge->text, str_text(output) + call->printed,
	                          end - call->printed, after);
}

/* Is it the call at that site that puts something out next after the branch? */
static bool comes_next(const struct symptom_side *side, uint32_t site, const struct found *found,
                       bool silent)
{
	const struct stopped *at = found->at[site];

	if (side->absent >> site & 1)
		return false;
	return is_used(side, site) ? at && at->printed == found->at[SITE_BRANCH]->printed : silent;
}

/* Which call prints something next? That which does so stops where the branch did; a way on
   which nothing more is printed is known by the end of the output. */
static enum verdict judge_branch(const struct symptom_judge *judge, const struct symptom_side *side,
                                 const struct found *found, const struct experiment_result *result)
{
	const struct stopped *branch = found->at[SITE_BRANCH];
	bool silent = result->run.output.length == branch->printed &&
	              result->run.outcome.kind == OUTCOME_EXITED;
	bool fails, passes;

	if (judge->by_text)
		return branch->printed > result->run.output.length
		               ? VERDICT_UNRESOLVED
		               : symptom_text_judge(&judge->text,
		                                    str_text(&result->run.output) + branch->printed,
		                                    result->run.output.length - branch->printed,
		                                    false);
	fails = comes_next(side, SITE_FAILING, found, silent);
	passes = comes_next(side, SITE_REFERENCE, found, silent);
	if (fails == passes)
		return VERDICT_UNRESOLVED;
	return fails ? VERDICT_FAIL : VERDICT_PASS;
}

static bool same_exit(const struct outcome *a, const struct outcome *b)
{
	return a->kind == OUTCOME_EXITED && b->kind == OUTCOME_EXITED && a->status == b->status;
}

static enum verdict judge_end(const struct symptom_judge *judge, bool in_failing,
                              const struct experiment_result *result)
{
	const struct oracle *oracle = &judge->oracles[in_failing];
	const struct outcome *outcome = &result->run.outcome;
	const struct outcome *reference = &judge->sides[false].run.result->outcome;
	enum failure_kind kind = oracle->failure.kind;

	/* Of what only the user's test or another build calls a failure the status is what can be
	   compared; it may be 0. */
	if ((kind == FAILURE_TEST || kind == FAILURE_EXIT) &&
	    same_exit(outcome, &oracle->failure.outcome))
		return VERDICT_FAIL;
	if (same_exit(outcome, reference))
		return VERDICT_PASS;
	return oracle_judge(oracle, &result->run) == VERDICT_FAIL ? VERDICT_FAIL
	                                                          : VERDICT_UNRESOLVED;
}

static enum verdict judge_found(const struct symptom *symptom, const struct symptom_side *side,
                                const struct found *found, const struct experiment_result *result)
{
	const struct stopped *at = found->at[0];

	if (!at || (side->stack && at->stack != side->stack))
		return VERDICT_UNRESOLVED;
	if (symptom->kind == SYMPTOM_OUTPUT)
		return judge_output(symptom->judge, at, found->at[SITE_AFTER], result);
	return judge_branch(symptom->judge, side, found, result);
}

enum verdict symptom_judge(const struct symptom *symptom, bool in_failing, uint64_t time,
                           const struct experiment_result *result, uint32_t first)
{
	const struct symptom_judge *judge = symptom->judge;
	const struct symptom_side *side = &judge->sides[in_failing];
	struct found found;
	enum verdict own;

	if (result->unreadable || result->diverged)
		return VERDICT_UNRESOLVED;
	if (symptom->kind == SYMPTOM_END)
		return judge_end(judge, in_failing, result);
	found = find_stops(side, time, result, &first);
	own = judge_found(symptom, side, &found, result);
	if (!other_passes(judge, in_failing, time))
		return own;
	found = find_stops(side, time, result, &first);

	/* The same experiment, judged as the way of its own run and as that of the other. */
	enum verdict other = judge_found(symptom, side, &found, result);
	enum verdict failing = in_failing ? own : other, reference = in_failing ? other : own;

	if (failing == VERDICT_FAIL && reference != VERDICT_PASS)
		return VERDICT_FAIL;
	if (reference == VERDICT_PASS && failing != VERDICT_FAIL)
		return VERDICT_PASS;
	return VERDICT_UNRESOLVED;
}

void symptom_learn(const struct symptom *symptom, bool in_failing, uint64_t time,
                   const struct experiment_result *result, uint32_t first)
{
	struct symptom_side *side = &symptom->judge->sides[in_failing];
	uint32_t next = first;
	struct found found;

	if (!side->used)
		return;
	found = find_stops(side, time, result, &next);
	if (found.at[0])
		side->stack = found.at[0]->stack;
	/* What the other run would show must not be there by chance. */
	side->own_only = symptom_judge(symptom, in_failing, time, result, first) !=
	                 (in_failing ? VERDICT_FAIL : VERDICT_PASS);
}

/* ------ the symptom of wrong output ------ */

/* See symptom.h. The call that printed the first wrong byte, and what its argument printed in the
   other run; or, if only one run makes the call, the branch that decides. */

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
	if (!error && !versions_site(judge->alignment->versions, !from_failing, programs[0],
	                             &from->sites[site].site, programs[1], &to->sites[site].site)) {
		to->absent |= 1u << site;
		to->used &= ~(1u << site);
	}
	for (uint32_t i = 0; i < 2; i++)
		walk_destroy(walks[i]);
	return error;
}

/* The same site in the other run; `known` is a site of the same statement, or its function, in
   both: modules may have other numbers there. */
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

static void symptom_set_place(struct symptom *symptom, const char *file, const char *function,
                              unsigned line, unsigned column);

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

/* The way of each run, by what it prints next. */
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
		                    "neither run prints anything after the branch that decides");
	judge->by_text = failing->calls.size && reference->calls.size && !a->absent &&
	                 same_site(&a->sites[SITE_FAILING].site, &a->sites[SITE_REFERENCE].site);
	if (judge->by_text &&
	    !symptom_text_compare(&failing->calls.at[0], &reference->calls.at[0], 0, &judge->text))
		return error_create(HENCE_ERROR_INPUT,
		                    "both runs print the same after the branch that decides");
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

/* The first call of the reference before that time that the failing run does not make; after
   `after`. */
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

/* Does the reference's call print what the failing run should have begun with? */
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

/* May the byte before the wrong one belong to it, as that of a text which is too short? What is
   expected tells, if somebody has said that. */
static bool may_be_short(const struct symptom_search *s, uint64_t wrong)
{
	const struct str *expected = s->oracle->options->expected;

	if (!expected || !wrong || wrong >= expected->length)
		return true;
	return is_word(expected->text[wrong - 1]) && is_word(expected->text[wrong]);
}

/* The first call whose output is another in the other run, or that only one of them makes. Those
   that print nothing from byte `right` on are right. */
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

/* Calls of the reference between the counterparts of these, which print byte `from` and more. */
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
		                     "which call printed byte %llu of the output is not known",
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

/* Something is missing at the end: what the reference prints next. */
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

/* Output is wrong from byte `wrong` on; at its length more should have come. */
static struct hence_error *symptom_find_output(struct symptom_search *s, uint64_t wrong)
{
	return wrong < s->failing->result->output.length ? find_wrong(s, wrong) : find_missing(s);
}

/* ------ the whole ------ */

static void symptom_set_place(struct symptom *symptom, const char *file, const char *function,
                              unsigned line, unsigned column)
{
	symptom->file = file ? mem_strdup(file) : NULL;
	symptom->function = function ? mem_strdup(function) : NULL;
	symptom->line = line;
	symptom->column = column;
}

/* --- how the run ends --- */

static void show_end(const struct outcome *outcome, struct str *out)
{
	switch (outcome->kind) {
	case OUTCOME_EXITED: str_printf(out, "exit status %d", outcome->status); break;
	case OUTCOME_SIGNALLED: str_add(out, outcome_signal_name(outcome->signal)); break;
	case OUTCOME_TIMED_OUT: str_add(out, "no end"); break;
	default: str_add(out, "an unknown end");
	}
}

static struct hence_error *find_end(struct symptom_search *s)
{
	const struct outcome *failing = &s->failing->result->outcome;
	const struct outcome *reference = &s->reference->result->outcome;
	struct criterion criterion = {0};
	struct hence_error *error;

	if (reference->kind != OUTCOME_EXITED)
		return error_create(HENCE_ERROR_INPUT, "the reference does not end as it should");
	error = criterion_of_failure(s->failing->recording, failing, 0, &criterion);
	if (error)
		return error;
	s->out->kind = SYMPTOM_END;
	/* What it died of has not ended. */
	s->out->failing_time =
		s->alignment->a_statements + (failing->kind == OUTCOME_SIGNALLED ? 1 : 0);
	s->out->reference_time = s->alignment->b_statements;
	show_end(failing, &s->out->failing);
	show_end(reference, &s->out->reference);
	str_add(&s->out->what, "the program ");
	if (s->oracle->failure.kind == FAILURE_TEST)
		str_printf(&s->out->what, "exits with %d", failing->status);
	else
		oracle_write_text(s->oracle, &s->out->what);
	symptom_set_place(s->out, criterion.file, criterion.function, criterion.line,
	                  criterion.column);
	criterion_deinit(&criterion);
	return NULL;
}

/* --- all --- */

static uint64_t first_difference(const struct str *a, const struct str *b)
{
	uint64_t at = 0;

	while (at < a->length && at < b->length && a->text[at] == b->text[at])
		at++;
	return at;
}

static bool same_output(const struct symptom_search *s)
{
	const struct str *a = &s->failing->result->output, *b = &s->reference->result->output;

	return a->length == b->length && first_difference(a, b) == a->length;
}

/* The oracle looks for the wrong line; in the run that it judged first, it knows which one. */
static uint64_t wrong_byte(const struct symptom_search *s)
{
	const struct failure *failure = &s->oracle->failure;
	const struct str *output = &s->failing->result->output, *line = &failure->line;
	uint64_t start = failure->wrong - failure->column;

	if (!failure->missing && !s->oracle->options->other &&
	    start + line->length <= output->length &&
	    !memcmp(str_text(output) + start, str_text(line), line->length))
		return failure->wrong;
	return oracle_wrong_byte(s->oracle, s->failing->result);
}

static struct hence_error *find(struct symptom_search *s)
{
	enum failure_kind kind = s->oracle->failure.kind;

	/* That the wrong line is somewhere in the output of another input says nothing. */
	if (kind == FAILURE_OUTPUT ? same_output(s)
	                           : oracle_judge(s->oracle, s->reference->result) == VERDICT_FAIL)
		return error_create(HENCE_ERROR_INPUT, "the reference fails as well");
	if (kind == FAILURE_OUTPUT)
		return symptom_find_output(s, wrong_byte(s));
	if (kind == FAILURE_TEST && !same_output(s))
		return symptom_find_output(s, first_difference(&s->failing->result->output,
		                                               &s->reference->result->output));
	if (kind == FAILURE_TEST && outcome_exit_code(&s->failing->result->outcome) ==
	                                    outcome_exit_code(&s->reference->result->outcome))
		return error_create(HENCE_ERROR_INPUT,
		                    "both runs print the same and end in the same way: only the "
		                    "test sees a difference");
	if (s->oracle->failure.message_only)
		return error_create(
			HENCE_ERROR_INPUT,
			"both runs print the same and end in the same way: only what they "
			"write to standard error differs");
	return find_end(s);
}

struct hence_error *symptom_find(const struct symptom_run *failing,
                                 const struct symptom_run *reference,
                                 const struct alignment *alignment, const struct oracle *oracle,
                                 struct symptom *out)
{
	struct symptom found = {0};
	struct symptom_search s = {failing, reference, alignment, oracle, &found};
	struct symptom_judge *judge = mem_alloc(sizeof(*judge));
	struct hence_error *error;

	judge->alignment = alignment;
	judge->settings = *oracle->options;
	judge->settings.other = judge->settings.test = false;
	for (uint32_t i = 0; i < 2; i++) {
		judge->oracles[i] = *oracle;
		judge->oracles[i].options = &judge->settings;
	}
	if (alignment->versions) {
		/* The place of the failure becomes that of the same statement in the other version
		   of the program, if it is there. */
		struct failure *failure = &judge->oracles[false].failure;
		struct place *place = &failure->outcome.place;
		struct outcome_assert *assertion = &failure->outcome.assertion;
		const char *file;
		unsigned line;

		if (place->function && versions_line(alignment->versions, place->function,
		                                     (unsigned)place->line, &file, &line)) {
			place->file = (char *)file;
			place->line = (int)line;
		}
		if (assertion->function && versions_line(alignment->versions, assertion->function,
		                                         (unsigned)assertion->line, &file, &line)) {
			assertion->file = (char *)file;
			assertion->line = (int)line;
		}
	}
	judge->sides[true].run = *failing;
	judge->sides[false].run = *reference;
	found.judge = judge;
	error = find(&s);
	if (error)
		symptom_deinit(&found);
	else
		*out = found;
	return error;
}

void symptom_deinit(struct symptom *symptom)
{
	if (!symptom->judge)
		return;
	for (uint32_t i = 0; i < 2; i++)
		passes_map_deinit(&symptom->judge->sides[i].passes);
	symptom_text_deinit(&symptom->judge->text);
	free(symptom->judge);
	str_deinit(&symptom->what);
	str_deinit(&symptom->failing);
	str_deinit(&symptom->reference);
	free(symptom->file);
	free(symptom->function);
	*symptom = (struct symptom){0};
}
