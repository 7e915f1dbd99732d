/* A byte that a program put out: see criterion.h. */
#include <string.h>

#include "causes/watch_errors.h"

#define WORD 64u /* bytes of a word that are taken on each side of the wrong one */

struct output_watch {
	struct watch watch;
	const char *stream; /* as the user named it; NULL: standard output */
	uint64_t offset;    /* UINT64_MAX: the end */
	uint64_t from, to;  /* what is taken: that byte, or the word that it is in or behind */
	const char *output; /* all of it, of wrong output; NULL: that is not asked */
	struct watch_errors errors; /* of wrong output */
	bool found;                 /* the byte */
	/* of the last call that put something out, and of the last statement */
	uint64_t size;
	uint32_t call, code;
	uint32_t last, last_code;
};

/* --- streams --- */

static bool is_stream(const struct outputs_stream *stream, const char *name)
{
	int descriptor = !name || !strcmp(name, "stdout") ? 1 : !strcmp(name, "stderr") ? 2 : -1;

	if (descriptor >= 0)
		return stream->given && stream->descriptor == descriptor;
	return stream->name && describe_is_file(stream->name, name);
}

static const struct outputs_stream *find_stream(const struct output_watch *o)
{
	uint32_t count;
	const struct outputs_stream *const *all =
		outputs_streams(execution_outputs(o->watch.e), &count);

	for (uint32_t i = 0; i < count; i++)
		if (is_stream(all[i], o->stream))
			return all[i];
	return NULL;
}

static const char *stream_name(const struct output_watch *o)
{
	if (!o->stream || !strcmp(o->stream, "stdout"))
		return "standard output";
	return strcmp(o->stream, "stderr") ? o->stream : "standard error";
}

/* --- the word --- */

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* One byte says little: of `2` instead of `20` the end of the line is the first that is wrong. So all
   of the word counts that the byte is in, or right behind. */
static void find_word(struct output_watch *o, uint64_t length)
{
	uint64_t at = o->offset < length ? o->offset : length;

	o->from = at;
	o->to = at < length ? at + 1 : at;
	while (o->from && at - o->from < WORD && !is_space(o->output[o->from - 1]))
		o->from--;
	if (at == length || is_space(o->output[at]))
		return;
	while (o->to < length && o->to - at < WORD && !is_space(o->output[o->to]))
		o->to++;
}

/* --- the byte --- */

static void add_call(struct output_watch *o, uint32_t instance, uint32_t code, bool itself)
{
	watch_add(&o->watch, &(struct slice_criterion){.instance = instance, .itself = itself});
	watch_mark(&o->watch, instance);
	watch_set_place(&o->watch, code);
}

/* ` in "135"`, or ` after "2"` if the byte is right behind it. */
static void add_word(const struct output_watch *o, struct str *out)
{
	uint64_t end = o->to;
	bool behind = o->offset == UINT64_MAX || is_space(o->output[o->offset]);

	if (behind && o->offset != UINT64_MAX)
		end = o->offset;
	str_add(out, behind ? " after " : " in ");
	ctype_print_text((const uint8_t *)o->output + o->from, end - o->from, 0, out);
}

/* `byte 4 of standard output, '7'`. */
static void add_byte(struct output_watch *o, const struct outputs_stream *stream,
                     const struct outputs_piece *piece)
{
	const uint8_t *bytes = outputs_piece_bytes(stream, piece);
	struct str *what = &o->watch.out->what;

	str_printf(what, "byte %llu of %s", (unsigned long long)o->offset, stream_name(o));
	if (!bytes)
		return;
	str_add(what, ", ");
	ctype_print_text(&bytes[o->offset - piece->offset], 1, 0, what);
	if (o->to - o->from > 1)
		add_word(o, what);
}

static void add_why(struct output_watch *o)
{
	struct described described = {0};

	describe_statement(o->watch.names, o->watch.e, false, &described);
	str_printf(&o->watch.out->why, "it was put out by %s", str_text(&described.text));
	described_deinit(&described);
}

/* The argument that the byte was printed from, and the memory. */
static void add_sources(struct output_watch *o, const struct outputs_piece *piece)
{
	const struct activation *a = execution_top(o->watch.e, 0);
	const struct code_call *call = a->function->insns[a->pc - 1].more;
	uint64_t at = piece->address, length = piece->length;
	uint64_t skip = o->from > piece->offset ? o->from - piece->offset : 0;
	uint64_t end = o->to - piece->offset < length ? o->to - piece->offset : length;

	if (piece->argument && piece->argument <= call->count)
		watch_add_operand(&o->watch, a, call->arguments[piece->argument - 1].operand);
	if (piece->slot)
		watch_add_memory(&o->watch, piece->slot, 8, NULL);
	if (piece->exact && skip < end) {
		at += skip;
		length = end - skip;
	}
	if (at)
		watch_add_memory(&o->watch, at, length, NULL);
}

static void take_piece(struct output_watch *o, const struct outputs_stream *stream,
                       const struct outputs_piece *piece)
{
	bool precise = piece->known && (piece->argument || piece->address || piece->slot);
	uint32_t instance = describe_instance(o->watch.e);

	watch_add(&o->watch, &(struct slice_criterion){.instance = instance, .itself = precise});
	watch_mark(&o->watch, instance);
	if (precise)
		add_sources(o, piece);
	if (o->found || piece != outputs_at(stream, o->offset))
		return;
	o->found = true;
	watch_set_place(&o->watch, watch_code(&o->watch));
	add_byte(o, stream, piece);
	add_why(o);
}

/* What a call put out, from `at` on. */
static void take_pieces(struct output_watch *o, const struct outputs_stream *stream, uint64_t at)
{
	const struct outputs_piece *piece;

	for (at = at < o->from ? o->from : at; at < o->to && at < stream->size;
	     at = piece->offset + piece->size) {
		piece = outputs_at(stream, at);
		if (!piece || !piece->size)
			return;
		take_piece(o, stream, piece);
	}
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct output_watch *o = (struct output_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct outputs_stream *stream;
	uint64_t before = o->size;

	if (o->output)
		watch_errors_see(&o->errors, watch);
	o->last = describe_instance(watch->e);
	o->last_code = watch_code(watch);
	if (a->function->insns[a->pc - 1].op != CODE_CALL || event == EXECUTION_CALLS)
		return;
	stream = find_stream(o);
	if (!stream || stream->size == o->size)
		return;
	o->size = stream->size;
	o->call = o->last;
	o->code = o->last_code;
	take_pieces(o, stream, before);
	if (o->found && o->size >= o->to)
		watch_halt(watch);
}

/* --- the end --- */

static void take_end(struct output_watch *o)
{
	struct criterion *out = o->watch.out;

	out->kind = CRITERION_OUTPUT;
	str_printf(&out->what, "the end of %s", stream_name(o));
	if (o->output && o->to > o->from)
		add_word(o, &out->what);
	if (o->call)
		add_call(o, o->call, o->code, true);
	if (o->last != o->call)
		watch_add(&o->watch, &(struct slice_criterion){.instance = o->last});
	if (!o->call) {
		watch_mark(&o->watch, o->last);
		watch_set_place(&o->watch, o->last_code);
	}
	str_printf(&out->why,
	           "after %llu bytes more was expected; the slice is of the last call "
	           "that put something out, and of how the program ended",
	           (unsigned long long)o->size);
}

static void list_streams(const struct output_watch *o, struct str *out)
{
	uint32_t count;
	const struct outputs_stream *const *all =
		outputs_streams(execution_outputs(o->watch.e), &count);

	for (uint32_t i = 0; i < count && i < 8; i++) {
		if (!all[i]->size)
			continue;
		str_add(out, out->length ? ", " : "");
		if (all[i]->given)
			str_printf(out,
			           all[i]->descriptor == 1   ? "stdout"
			           : all[i]->descriptor == 2 ? "stderr"
			                                     : "descriptor %d",
			           all[i]->descriptor);
		else
			str_add(out, all[i]->name ? all[i]->name : "a file without a name");
		str_printf(out, " (%llu bytes)", (unsigned long long)all[i]->size);
	}
	if (!out->length)
		str_add(out, "nothing");
}

static struct hence_error *finish(struct watch *watch)
{
	struct output_watch *o = (struct output_watch *)watch;
	struct hence_error *error;
	struct str list = STR_INIT;

	if (o->offset == UINT64_MAX && o->last)
		take_end(o);
	if (o->found || watch->out->kind == CRITERION_OUTPUT) {
		watch->out->kind = CRITERION_OUTPUT;
		if (o->output)
			watch_errors_add_earlier(&o->errors, watch, true);
		return NULL;
	}
	list_streams(o, &list);
	error = error_create(HENCE_ERROR_INPUT,
	                     "--output: %s has no byte %llu (the first is 0); the program put out: "
	                     "%s",
	                     stream_name(o), (unsigned long long)o->offset, str_text(&list));
	str_deinit(&list);
	return error;
}

static struct hence_error *look(struct output_watch *o, const struct recording *run, double until,
                                struct criterion *out)
{
	struct criterion found = {0};
	struct hence_error *error;

	o->watch = (struct watch){.run = run,
	                          .outputs = true,
	                          .until = until,
	                          .statement = on_statement,
	                          .finish = finish,
	                          .out = &found};
	error = watch_run(&o->watch);
	watch_errors_deinit(&o->errors);
	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}

struct hence_error *criterion_of_output(const struct recording *run, const char *stream,
                                        uint64_t offset, double until, struct criterion *out)
{
	struct output_watch o = {.stream = stream, .offset = offset, .from = offset, .to = offset};

	if (offset != UINT64_MAX)
		o.to++;
	return look(&o, run, until, out);
}

struct hence_error *criterion_of_wrong_output(const struct recording *run, const struct str *output,
                                              uint64_t offset, double until, struct criterion *out)
{
	struct output_watch o = {.offset = offset, .output = str_text(output)};

	if (offset >= output->length)
		o.offset = UINT64_MAX;
	find_word(&o, output->length);
	return look(&o, run, until, out);
}
