/* What calls print, and where two of them differ: see symptom_text.h. */
#include "failure/symptom_text.h"

#include <ctype.h>

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
static void take_call(struct search *s, uint64_t time, uint64_t end,
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
		take_call(s, number, stream->size, stream, &place);
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
				take_call(&s, p->time, p->to, stream, &place);
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
