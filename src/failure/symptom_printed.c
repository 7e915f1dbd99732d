/* What calls put out: see symptom_printed.h. */
#include "failure/symptom_printed.h"

#include "trace/history.h"

struct search {
	const struct printed_wish *wish;
	struct printed *out;
	uint64_t size; /* of what was put out so far */
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

/* Arguments have their numbers; those of a va_list come behind them, as they come. */
static uint32_t key_of(const struct outputs_piece *piece, uint64_t *slot, uint32_t *last)
{
	if (!piece->slot)
		return piece->argument;
	if (piece->slot != *slot)
		++*last;
	*slot = piece->slot;
	return 1000 + *last;
}

static void add_piece(struct printed_call *call, const struct outputs_stream *stream,
                      const struct outputs_piece *piece, uint32_t key)
{
	const uint8_t *bytes = outputs_piece_bytes(stream, piece);
	struct printed_part *part = call->parts.size ? &call->parts.at[call->parts.size - 1] : NULL;

	if (!piece->known || !bytes) {
		call->known = false;
		return;
	}
	if (!part || part->key != key) {
		part = vec_push(&call->parts);
		part->key = key;
		part->offset = piece->offset;
		part->literal = !key || piece->exact;
	}
	str_add_bytes(&part->text, bytes, piece->size);
}

/* The format is the first argument that something comes from, if something comes from others, too. What
   else is copied from memory is a string. */
static void mark_literals(struct printed_call *call)
{
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
}

static void take_parts(struct printed_call *call, const struct outputs_stream *stream)
{
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
		add_piece(call, stream, piece, key_of(piece, &slot, &last));
	}
	mark_literals(call);
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
	take_parts(call, stream);
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
