/* Input that a forward slice begins with: see inputs.h. */
#include "slice/inputs.h"

#include <string.h>

#define ENVIRONMENT (-2) /* as a stream (docs/models.md) */

void inputs_init(struct inputs *in, const struct slice_input *at, uint32_t count,
                 const struct outside_table *table)
{
	*in = (struct inputs){.at = at, .count = count, .table = table};
	for (uint32_t i = 0; i < count; i++) {
		in->any |= at[i].kind == SLICE_ANY;
		in->argc |= at[i].kind == SLICE_COUNT;
	}
}

void inputs_deinit(struct inputs *in)
{
	map_each(&in->streams, i) free(in->streams.at[i].value.name);
	inputs_streams_deinit(&in->streams);
	inputs_files_deinit(&in->files);
	inputs_files_deinit(&in->ends);
	vec_deinit(&in->given);
	vec_deinit(&in->arrays);
}

/* --- what the program was given --- */

/* Bytes `from` to `to` of a text of `size` bytes with its 0, which goes with the last one. */
static void add_text(struct inputs *in, const struct slice_input *input, uint64_t address,
                     uint64_t size)
{
	uint64_t to = input->to ? input->to : UINT64_MAX;

	if (to + 1 >= size || to + 1 == 0)
		to = size;
	if (input->from < to)
		*vec_push(&in->given) =
			(struct execution_range){address + input->from, address + to};
}

/* Does the text begin with the name and '='? */
static bool is_named(struct execution *e, const struct object *o, const char *name)
{
	size_t length = strlen(name);
	uint8_t text[256];

	if (length + 1 > sizeof(text) || o->size < length + 2)
		return false;
	return memory_read(execution_memory(e), o->address, length + 1, text) == length + 1 &&
	       !memcmp(text, name, length) && text[length] == '=';
}

static void add_given(struct inputs *in, struct execution *e, const struct slice_input *input,
                      const struct object *o)
{
	bool argument = o->owner == 0, array = o->index == OBJECT_ARRAY;
	uint64_t skip;

	switch (input->kind) {
	case SLICE_ARGUMENT:
		if (argument && !array && o->index == input->index)
			add_text(in, input, o->address, o->size);
		break;
	case SLICE_VARIABLE:
		skip = strlen(input->name) + 1;
		if (!argument && !array && is_named(e, o, input->name))
			add_text(in, input, o->address + skip, o->size - skip);
		break;
	case SLICE_COUNT:
		if (argument && array)
			*vec_push(&in->given) =
				(struct execution_range){o->address, o->address + o->size};
		break;
	default: break;
	}
}

void inputs_begin(struct inputs *in, struct execution *e)
{
	const struct objects *objects = execution_objects(e);

	in->begun = true;
	for (uint32_t n = 1; n <= objects->all.size; n++) {
		const struct object *o = objects_at(objects, n);

		if (o->kind != OBJECT_GIVEN)
			continue;
		if (o->index == OBJECT_ARRAY)
			*vec_push(&in->arrays) =
				(struct execution_range){o->address, o->address + o->size};
		for (uint32_t i = 0; i < in->count; i++)
			add_given(in, e, &in->at[i], o);
	}
}

bool inputs_is_given(const struct inputs *in, uint64_t at, uint64_t size)
{
	for (uint32_t i = 0; i < in->given.size; i++)
		if (at < in->given.at[i].to && in->given.at[i].from < at + size)
			return true;
	for (uint32_t i = 0; i < in->arrays.size; i++)
		if (at >= in->arrays.at[i].from && at + size <= in->arrays.at[i].to)
			return false;
	return in->any;
}

/* --- streams --- */

/* Descriptors that nobody touched are what they were at the beginning. */
static struct inputs_stream stream_of(const struct inputs *in, int32_t descriptor)
{
	const struct inputs_stream *s = inputs_streams_find(&in->streams, (uint32_t)descriptor);

	return s ? *s : (struct inputs_stream){.initial = descriptor + 1};
}

static void set_stream(struct inputs *in, int32_t descriptor, struct inputs_stream stream)
{
	struct inputs_stream *s = inputs_streams_put(&in->streams, (uint32_t)descriptor);

	free(s->name);
	*s = stream;
}

static void open_stream(struct inputs *in, const struct effect *effect)
{
	struct inputs_stream stream = {0};

	if (effect->bytes)
		stream.name = mem_strndup((const char *)effect->bytes, effect->head.size);
	else if (effect->head.offset)
		stream = stream_of(in, (int32_t)effect->head.offset - 1);
	if (!effect->bytes && stream.name)
		stream.name = mem_strdup(stream.name);
	set_stream(in, effect->head.stream, stream);
}

static bool is_stream(const struct inputs *in, const struct slice_input *input, int32_t descriptor)
{
	struct inputs_stream s = stream_of(in, descriptor);

	if (input->kind != SLICE_STREAM)
		return false;
	if (input->name)
		return s.name && !strcmp(s.name, input->name);
	return s.initial && (uint32_t)s.initial - 1 == input->index;
}

/* --- which stream a call reads --- */

/* The clause by which it does; NULL: it reads none. */
static const struct outside_clause *consumes(const struct inputs *in,
                                             const struct execution_call *call)
{
	const struct outside_clause *rows;

	if (!call->model || !in->table)
		return NULL;
	rows = outside_table_clauses(in->table, call->model);
	for (uint32_t i = 0; i < call->model->clause_count; i++)
		if ((rows[i].kind == OUTSIDE_CONSUMES || rows[i].kind == OUTSIDE_SCANS) &&
		    (rows[i].stream_kind == OUTSIDE_FILE || rows[i].stream_kind == OUTSIDE_FD))
			return &rows[i];
	return NULL;
}

static bool argument_of(const struct execution *e, const struct execution_call *call,
                        uint32_t index, uint64_t *value)
{
	const struct code_call *c;
	uint32_t first, end, made;

	execution_kept(e, &first, &end);
	if (call->instance < first)
		return false;
	c = execution_insn(e, call->instance)->more;
	return index < c->count &&
	       execution_operand(e, call->instance, c->arguments[index].operand, value, &made);
}

/* What a clause's stream is: an argument, or stdin, which counts as NULL. */
static bool file_of(const struct inputs *in, const struct execution *e,
                    const struct execution_call *call, const struct outside_clause *clause,
                    uint64_t *file)
{
	const struct outside_insn *code = outside_table_code(in->table, clause->stream);

	*file = 0;
	if (code->op == OUTSIDE_ARG)
		return argument_of(e, call, (uint32_t)code->value, file);
	return code->op == OUTSIDE_GLOBAL && code->value == OUTSIDE_STDIN;
}

/* A FILE that nobody saw being opened is taken for stdin. */
static int32_t descriptor_of(const struct inputs *in, const struct outside_clause *clause,
                             uint64_t file)
{
	const int32_t *descriptor = inputs_files_find(&in->files, file);

	if (clause->stream_kind == OUTSIDE_FD)
		return (int32_t)file;
	return descriptor ? *descriptor : 0;
}

static void note_file(struct inputs *in, uint64_t file, int32_t descriptor)
{
	if (file)
		*inputs_files_put(&in->files, file) = descriptor;
}

/* --- what was read --- */

static uint64_t end_of(const struct inputs *in, int32_t descriptor)
{
	const int32_t *end = inputs_files_find(&in->ends, (uint32_t)descriptor);

	return end ? (uint64_t)*end : 0;
}

static void note_end(struct inputs *in, const struct hence_effect *head)
{
	uint64_t end = head->offset + head->size;

	if (end > end_of(in, head->stream) && end < INT32_MAX)
		*inputs_files_put(&in->ends, (uint32_t)head->stream) = (int32_t)end;
}

static void add_range(struct inputs_read *read, uint64_t from, uint64_t to)
{
	if (from < to)
		*vec_push(&read->ranges) = (struct execution_range){from, to};
}

/* The part of an input that counts. `wrote`: bytes that it became; 0: the result. */
static void take_part(struct inputs_read *read, const struct hence_effect *head, uint64_t from,
                      uint64_t to, uint64_t wrote, bool exact)
{
	uint64_t end = head->offset + head->size;

	if (from >= end || to <= head->offset)
		return;
	if (!head->address) {
		read->value = true;
	} else if (!exact) {
		add_range(read, head->address, head->address + (wrote ? wrote : head->size));
	} else {
		uint64_t first = from > head->offset ? from - head->offset : 0;
		/* The 0 behind a string goes with its last byte. */
		uint64_t last = to < end ? to - head->offset : wrote;

		add_range(read, head->address + first, head->address + last);
	}
}

static void take_input(const struct inputs *in, struct inputs_read *read,
                       const struct hence_effect *head, uint64_t wrote, bool exact)
{
	if (in->any)
		take_part(read, head, 0, UINT64_MAX, wrote, exact);
	if (head->stream == ENVIRONMENT && inputs_is_given(in, head->offset, head->size))
		read->value = true;
	for (uint32_t i = 0; head->stream >= 0 && i < in->count; i++)
		if (is_stream(in, &in->at[i], head->stream))
			take_part(read, head, in->at[i].from,
			          in->at[i].to ? in->at[i].to : UINT64_MAX, wrote, exact);
}

/* The end of a stream was met after its first `end` bytes. */
static void take_end(const struct inputs *in, struct inputs_read *read, int32_t descriptor,
                     uint64_t end)
{
	for (uint32_t i = 0; i < in->count; i++) {
		const struct slice_input *input = &in->at[i];

		if (is_stream(in, input, descriptor) && (!input->to || input->to >= end) &&
		    (input->from < end || !end))
			read->value = true;
	}
	read->value |= in->any;
}

/* Do bytes come into memory as they are? */
static bool takes_bytes(const struct outside_clause *clause)
{
	return clause && clause->kind == OUTSIDE_CONSUMES && clause->region != OUTSIDE_WSTRING;
}

/* Goes through what the tape has of the call. Gives how many bytes were read in all. */
static uint64_t follow_effects(struct inputs *in, struct effects effects,
                               const struct outside_clause *clause, struct inputs_read *read,
                               int32_t *opened)
{
	struct effects next = effects;
	struct effect effect, behind;
	uint64_t size = 0;

	while (effects_next(&effects, &effect)) {
		uint64_t wrote = 0;

		effects_next(&next, &behind);
		if (effect.head.kind == HENCE_OPENED) {
			open_stream(in, &effect);
			*opened = effect.head.stream;
		} else if (effect.head.kind == HENCE_CLOSED) {
			set_stream(in, effect.head.stream, (struct inputs_stream){0});
		}
		if (effect.head.kind != HENCE_INPUT)
			continue;
		struct effects peek = next;

		if (effects_next(&peek, &behind) && behind.head.kind == HENCE_WROTE &&
		    behind.head.address == effect.head.address)
			wrote = behind.head.size;
		size += effect.head.size;
		take_input(in, read, &effect.head, wrote,
		           takes_bytes(clause) && wrote - effect.head.size <= 1);
		if (effect.head.stream >= 0)
			note_end(in, &effect.head);
	}
	return size;
}

/* How many bytes a call asked for, if it says so: read(fd, buf, n), fread(buf, size, n, file). */
static uint64_t asked_for(const struct execution *e, const struct execution_call *call)
{
	uint64_t a = 0, b = 0;

	if (!strncmp(call->name, "fread", 5) && argument_of(e, call, 1, &a) &&
	    argument_of(e, call, 2, &b))
		return a * b;
	if ((!strcmp(call->name, "read") || !strncmp(call->name, "pread", 5)) &&
	    argument_of(e, call, 2, &a))
		return a;
	return 0;
}

/* Does its answer differ from run to run? */
static bool varies(const struct inputs *in, const struct outside_function *model)
{
	return model->flags & OUTSIDE_VARIES ||
	       (model->identity && !strcmp(outside_table_text(in->table, model->identity), "pid"));
}

void inputs_of_call(struct inputs *in, const struct execution *e, const struct execution_call *call,
                    struct inputs_read *read)
{
	const struct outside_clause *clause = consumes(in, call);
	int32_t opened = -1, descriptor;
	uint64_t size, file = 0;
	uint32_t first, end;

	read->ranges.size = 0;
	read->value = read->all = in->any && (!call->model || varies(in, call->model));
	size = follow_effects(in, call->before, clause, read, &opened);
	size += follow_effects(in, call->after, clause, read, &opened);
	execution_kept(e, &first, &end);
	if (opened >= 0 && call->instance >= first)
		note_file(in, execution_value(e, call->instance), opened);
	if (!clause || !file_of(in, e, call, clause, &file))
		return;
	descriptor = descriptor_of(in, clause, file);
	if (!size || size < asked_for(e, call))
		take_end(in, read, descriptor, end_of(in, descriptor));
}
