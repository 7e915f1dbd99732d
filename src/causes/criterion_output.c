/* A byte that a program put out: see criterion.h. */
#include <string.h>

#include "causes/watch.h"

struct output_watch {
	struct watch watch;
	const char *stream; /* as the user named it; NULL: standard output */
	uint64_t offset;    /* UINT64_MAX: the end */
	bool found;
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

/* --- the byte --- */

static void add_call(struct output_watch *o, uint32_t instance, uint32_t code, bool itself)
{
	watch_add(&o->watch, &(struct slice_criterion){.instance = instance, .itself = itself});
	watch_mark(&o->watch, instance);
	watch_set_place(&o->watch, code);
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

	if (piece->argument && piece->argument <= call->count)
		watch_add_operand(&o->watch, a, call->arguments[piece->argument - 1].operand);
	if (piece->slot)
		watch_add_memory(&o->watch, piece->slot, 8, NULL);
	if (piece->exact && o->offset - piece->offset < length) {
		at += o->offset - piece->offset;
		length = 1;
	}
	if (at)
		watch_add_memory(&o->watch, at, length, NULL);
}

static void take_byte(struct output_watch *o, const struct outputs_stream *stream,
                      const struct outputs_piece *piece)
{
	bool precise = piece->known && (piece->argument || piece->address || piece->slot);

	o->found = true;
	o->watch.out->kind = CRITERION_OUTPUT;
	add_call(o, describe_instance(o->watch.e), watch_code(&o->watch), precise);
	add_byte(o, stream, piece);
	add_why(o);
	if (precise)
		add_sources(o, piece);
	watch_halt(&o->watch);
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct output_watch *o = (struct output_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct outputs_stream *stream;
	const struct outputs_piece *piece;

	o->last = describe_instance(watch->e);
	o->last_code = watch_code(watch);
	if (o->found || a->function->insns[a->pc - 1].op != CODE_CALL || event == EXECUTION_CALLS)
		return;
	stream = find_stream(o);
	if (!stream || stream->size == o->size)
		return;
	o->size = stream->size;
	o->call = o->last;
	o->code = o->last_code;
	piece = o->offset == UINT64_MAX ? NULL : outputs_at(stream, o->offset);
	if (piece)
		take_byte(o, stream, piece);
}

/* --- the end --- */

static void take_end(struct output_watch *o)
{
	struct criterion *out = o->watch.out;

	out->kind = CRITERION_OUTPUT;
	str_printf(&out->what, "the end of %s", stream_name(o));
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

	if (o->found)
		return NULL;
	if (o->offset == UINT64_MAX && o->last) {
		take_end(o);
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

struct hence_error *criterion_of_output(const struct slice_run *run, const char *stream,
                                        uint64_t offset, double until, struct criterion *out)
{
	struct criterion found = {0};
	struct output_watch o = {.watch = {.run = run,
	                                   .outputs = true,
	                                   .until = until,
	                                   .statement = on_statement,
	                                   .finish = finish,
	                                   .out = &found},
	                         .stream = stream,
	                         .offset = offset};
	struct hence_error *error = watch_run(&o.watch);

	if (error)
		criterion_deinit(&found);
	else
		*out = found;
	return error;
}
