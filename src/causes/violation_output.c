/* Standard output is not as expected: see violation_output.h. */
#include "causes/violation_output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_expected(const struct violation_output *o, uint64_t offset)
{
	return offset < o->work->question->expected_size;
}

static char expected_at(const struct violation_output *o, uint64_t offset)
{
	return o->work->question->expected[offset];
}

/* --- in words --- */

static void add_char(char c, struct str *out)
{
	ctype_print_text((const uint8_t *)&c, 1, 0, out);
}

static void say(struct violation_output *o)
{
	const struct str *output = o->work->question->output;
	struct str *what = &o->work->out->what;

	str_printf(what, "byte %llu of standard output ", (unsigned long long)o->offset);
	if (o->offset < output->length) {
		str_add(what, "is ");
		add_char(output->text[o->offset], what);
		str_add(what,
		        is_expected(o, o->offset) ? ", not " : ", and nothing more is expected");
	} else {
		str_add(what, "is missing: ");
	}
	if (is_expected(o, o->offset))
		add_char(expected_at(o, o->offset), what);
}

/* --- text --- */

/* `buf[2] == 'c'`, `'a' == 'c'` */
static void want_byte(struct violation_output *o, uint64_t address, uint8_t is, uint8_t should)
{
	struct violation *out = o->work->out;
	struct names_use use = {.size = 1};
	struct name name = {0};
	char text[2][8];

	for (int i = 0; i < 2; i++) {
		uint8_t c = i ? should : is;

		if (isprint(c) && c != '\'' && c != '\\')
			snprintf(text[i], sizeof(text[i]), "'%c'", c);
		else
			snprintf(text[i], sizeof(text[i]), "%u", c);
	}
	names_of_address(o->watch.names, address, &use, &name);
	if (name.known) {
		str_printf(&out->wanted, "%s == %s", str_text(&name.text), text[1]);
		str_printf(&out->numbers, "%s == %s", text[0], text[1]);
	}
	name_deinit(&name);
}

/* The byte of memory, unless another place was printed. */
static void claim_byte(struct violation_output *o, const struct violation_piece *p,
                       uint64_t address, uint8_t should)
{
	struct violation_work *w = o->work;
	term byte = violation_memory(w, o->watch.e, address, 1), claim;
	term pointer = p->piece->argument || p->piece->slot ? violation_argument(o, p, 8) : 0;
	uint64_t is = byte ? term_evaluate(w->terms, byte, symbolic_actual, w->symbolic) : should;

	if (is == should) {
		violation_set_event(w, p->call);
		return;
	}
	claim = term_equals(w->terms, byte, should);
	if (pointer)
		claim = violation_or(w->terms, claim, violation_has_changed(w, pointer));
	want_byte(o, address, (uint8_t)is, should);
	violation_set_claim(w, p->call, claim);
	if (w->out->kind != VIOLATION_CHECK) {
		str_deinit(&w->out->wanted);
		str_deinit(&w->out->numbers);
	}
}

/* Does a 0 end what is printed, so that it could be shorter or longer? */
static bool is_string(struct violation_output *o, const struct violation_piece *p)
{
	uint8_t end;

	return memory_read(execution_memory(o->watch.e), p->piece->address + p->piece->length, 1,
	                   &end) &&
	       !end;
}

static void take_text(struct violation_output *o, const struct violation_piece *p)
{
	uint64_t at = o->offset - p->piece->offset;
	bool ends = !is_expected(o, o->offset) ||
	            (at > 0 && p->has_next && expected_at(o, o->offset) == p->next);

	if (ends && !is_string(o, p))
		violation_set_event(o->work, p->call);
	else
		claim_byte(o, p, p->piece->address + at,
		           ends ? 0 : (uint8_t)expected_at(o, o->offset));
}

/* --- the piece --- */

static void take_differs(struct violation_output *o, const struct violation_piece *p,
                         const struct format_part *part)
{
	struct violation_work *w = o->work;
	term argument = part->value.size <= 8 ? violation_argument(o, p, part->value.size) : 0;
	const char *printed = (const char *)outputs_piece_bytes(p->stream, p->piece);

	if (argument) {
		violation_add_argument(o, p, &w->out->wanted);
		if (printed)
			str_printf(&w->out->wanted, " != %.*s", (int)p->piece->size, printed);
	}
	violation_set_claim(w, p->call,
	                    argument
	                            ? violation_differs(w->terms, argument,
	                                                term_evaluate(w->terms, argument,
	                                                              symbolic_actual, w->symbolic))
	                            : 0);
}

/* The character that a function puts out. */
static void take_character(struct violation_output *o, const struct violation_piece *p)
{
	term argument = violation_argument(o, p, 1);
	const uint8_t *printed = outputs_piece_bytes(p->stream, p->piece);
	struct violation *out = o->work->out;
	uint8_t should;

	if (!argument || !is_expected(o, o->offset) || !printed) {
		violation_set_event(o->work, p->call);
		return;
	}
	should = (uint8_t)expected_at(o, o->offset);
	violation_add_argument(o, p, &out->wanted);
	if (isprint(should) && isprint(*printed)) {
		str_printf(&out->wanted, " == '%c'", should);
		str_printf(&out->numbers, "'%c' == '%c'", *printed, should);
	} else {
		str_printf(&out->wanted, " == %u", should);
		str_printf(&out->numbers, "%u == %u", *printed, should);
	}
	violation_set_claim(o->work, p->call, term_equals(o->work->terms, argument, should));
}

static void take_piece(struct violation_output *o, const struct violation_piece *p)
{
	struct format_part part;
	bool converted =
		(p->piece->argument || p->piece->slot) && violation_conversion(o, p, &part);

	if (converted && strchr("sS", part.letter))
		converted = false;
	if (!p->piece->known)
		violation_set_event(o->work, p->call);
	else if (converted) {
		if (!violation_of_number(o, p, &part))
			take_differs(o, p, &part);
	} else if (p->piece->exact && p->piece->address)
		take_text(o, p);
	else if (p->piece->argument && p->piece->size == 1 && !p->piece->address)
		take_character(o, p);
	else
		violation_set_event(o->work, p->call);
}

/* What is right so far may be the beginning of what was expected: 2 of 20. */
static bool take_before(struct violation_output *o, const struct violation_piece *p)
{
	struct format_part part;
	bool converted =
		(p->piece->argument || p->piece->slot) && violation_conversion(o, p, &part);
	const struct violation_question *q = o->work->question;

	if (!p->piece->known || p->piece->offset + p->piece->size != o->offset)
		return false;
	if (converted && !strchr("sS", part.letter)) {
		char c = expected_at(o, o->offset);

		return (isalnum((unsigned char)c) || c == '.') &&
		       violation_of_number(o, p, &part) && o->work->out->kind == VIOLATION_CHECK;
	}
	/* A string should have been longer: what is printed behind it comes later in the line. */
	if (!p->piece->exact || !p->piece->address || !p->has_next || !is_string(o, p))
		return false;
	for (uint64_t at = o->offset + 1; at < q->expected_size && q->expected[at - 1] != '\n';
	     at++)
		if (q->expected[at] == p->next) {
			claim_byte(o, p, p->piece->address + p->piece->length,
			           (uint8_t)expected_at(o, o->offset));
			return o->work->out->kind == VIOLATION_CHECK;
		}
	return false;
}

/* --- the call --- */

static void take_call(struct violation_output *o, const struct outputs_stream *stream)
{
	struct violation_piece p = {.stream = stream,
	                            .piece = outputs_at(stream, o->target),
	                            .a = execution_top(o->watch.e, 0),
	                            .call = describe_instance(o->watch.e)};
	const struct outputs_piece *next =
		p.piece ? outputs_at(stream, p.piece->offset + p.piece->size) : NULL;
	const uint8_t *bytes = next ? outputs_piece_bytes(stream, next) : NULL;

	o->found = true;
	if (!violation_is_kept(o->work, p.call))
		return;
	p.has_next = bytes && next->size;
	p.next = p.has_next ? (char)bytes[0] : 0;
	describe_stand_at(o->watch.names, o->watch.e);
	if (!p.piece || !p.piece->size)
		violation_set_event(o->work, p.call);
	else if (o->target == o->offset)
		take_piece(o, &p);
	o->done = o->target == o->offset || (p.piece && p.piece->size && take_before(o, &p));
	names_at(o->watch.names, 0, 0, 0, 0);
	if (o->done)
		violation_set_place(o->work->out, o->watch.names, watch_code(&o->watch),
		                    execution_statements(o->watch.e));
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct violation_output *o = (struct violation_output *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct outputs_stream *stream;

	if (a->function->insns[a->pc - 1].op != CODE_CALL || event == EXECUTION_CALLS || o->found)
		return;
	stream = outputs_stream(execution_outputs(watch->e), 1);
	if (!stream || stream->size == o->size)
		return;
	o->size = stream->size;
	if (o->size <= o->target)
		return;
	take_call(o, stream);
	watch_halt(watch);
}

static struct hence_error *finish(struct watch *watch)
{
	return NULL;
}

static void forget(struct violation *out)
{
	str_deinit(&out->wanted);
	str_deinit(&out->numbers);
	for (uint32_t i = 0; i < out->notes.size; i++)
		free(out->notes.at[i]);
	out->notes.size = 0;
}

static struct hence_error *look(struct violation_output *o, uint64_t target)
{
	struct criterion unused = {0};
	struct hence_error *error;

	forget(o->work->out);
	o->watch = (struct watch){.run = o->work->run,
	                          .outputs = true,
	                          .until = o->work->question->until,
	                          .statement = on_statement,
	                          .finish = finish,
	                          .out = &unused};
	o->target = target;
	o->size = 0;
	o->found = o->done = false;
	error = watch_run(&o->watch);
	criterion_deinit(&unused);
	return error;
}

/* --- output that is missing --- */

static struct hence_error *of_end(struct violation_work *w)
{
	struct criterion c = {0};
	struct hence_error *error =
		criterion_of_output(w->run, NULL, UINT64_MAX, w->question->until, &c);

	if (error)
		return error;
	violation_set_event(w, c.marks.at[0]);
	for (uint32_t i = 0; i < c.at.size; i++)
		if (c.at.at[i].instance != c.marks.at[0] &&
		    violation_is_kept(w, c.at.at[i].instance))
			*vec_push(&w->out->also) = c.at.at[i].instance;
	free(w->out->file);
	free(w->out->function);
	w->out->file = c.file;
	w->out->function = c.function;
	w->out->line = c.line;
	w->out->column = c.column;
	c.file = c.function = NULL;
	criterion_deinit(&c);
	return NULL;
}

struct hence_error *violation_of_output(struct violation_work *w, uint64_t offset)
{
	struct violation_output o = {.work = w, .offset = offset};
	struct hence_error *error = NULL;

	w->out->failure = "wrong-output";
	say(&o);
	if (offset && is_expected(&o, offset))
		error = look(&o, offset - 1);
	if (!error && !o.done && offset < w->question->output->length)
		error = look(&o, offset);
	if (error || o.done)
		return error;
	if (offset < w->question->output->length)
		return error_create(
			HENCE_ERROR_INPUT, "byte %llu of standard output is wrong, but %s",
			(unsigned long long)offset,
			o.found ? "it was put out in a part of the run that could not be "
				  "kept"
				: "no call of the program that was seen put it out");
	forget(w->out);
	return of_end(w);
}
