/* Forward slices: the run is decoded once, a window at a time. See slice.h. */

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/control.h"
#include "slice/slice.h"
#include "slice/marks.h"
#include "trace/history.h"

/* What a descriptor names. */
struct inputs_stream {
	char *name;      /* of the file that the program opened; NULL: none is known */
	int32_t initial; /* else 1 + the descriptor when the program began; 0: it was not open */
};

MAP_DEFINE_U64(inputs_streams, struct inputs_stream);
MAP_DEFINE_U64(inputs_files, int32_t);

struct inputs {
	const struct slice_input *at;
	uint32_t count;
	const struct outside_table *table;
	bool any, argc, begun;             /* any: all that is given, but for arrays of pointers */
	VEC(struct execution_range) given; /* addresses that count */
	VEC(struct execution_range)
	arrays; /* and those that do not count as any input: argv's, environ's */
	struct inputs_streams streams; /* descriptors that were opened or closed */
	struct inputs_files files;     /* FILE * to descriptor */
	struct inputs_files ends;      /* by stream: the end of what was read */
};

/* What a call read that counts. Valid until inputs_of_call() is called again. */
struct inputs_read {
	bool value;                         /* the result */
	bool all;                           /* and all that it wrote */
	VEC(struct execution_range) ranges; /* of what it wrote */
};

struct forward {
	const struct recording *run;
	const struct slice_criterion *criteria;
	uint32_t count;
	struct slice_options options;
	struct inputs inputs;
	struct inputs_read read;
	struct marks marks;
	uint32_t guesses;
	uint64_t peak;
};

/* ------ input that a forward slice begins with ------ */

/*
 * Which bytes of memory were given to the program, and which calls read what from which stream. Streams are
 * followed as the program opens, copies and closes them: what counts is which stream a descriptor was when the
 * program began, or the name of the file. A call that reads and gets nothing, or less than it asked for, has met
 * the end: that belongs to the last byte.
 */

#define ENVIRONMENT (-2) /* as a stream (docs/models.md) */

static void inputs_init(struct inputs *in, const struct slice_input *at, uint32_t count,
                        const struct outside_table *table)
{
	*in = (struct inputs){.at = at, .count = count, .table = table};
	for (uint32_t i = 0; i < count; i++) {
		in->any |= at[i].kind == SLICE_ANY;
		in->argc |= at[i].kind == SLICE_COUNT;
	}
}

static void inputs_deinit(struct inputs *in)
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

/* Finds what the program was given; as early as possible in the run. */
static void inputs_begin(struct inputs *in, struct execution *e)
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
		for (uint32_t i = 0; i < in->count; i++) {
			const struct slice_input *input = &in->at[i];
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
					*vec_push(&in->given) = (struct execution_range){
						o->address, o->address + o->size};
				break;
			default: break;
			}
		}
	}
}

/* Do bytes that the program was given count? */
static bool inputs_is_given(const struct inputs *in, uint64_t at, uint64_t size)
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
		/* The 0 that ends a string goes with its last byte. */
		uint64_t last = to < end ? to - head->offset : wrote;

		add_range(read, head->address + first, head->address + last);
	}
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
		bool exact;

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
		exact = takes_bytes(clause) && wrote - effect.head.size <= 1;
		if (in->any)
			take_part(read, &effect.head, 0, UINT64_MAX, wrote, exact);
		if (effect.head.stream == ENVIRONMENT &&
		    inputs_is_given(in, effect.head.offset, effect.head.size))
			read->value = true;
		for (uint32_t i = 0; effect.head.stream >= 0 && i < in->count; i++)
			if (is_stream(in, &in->at[i], effect.head.stream))
				take_part(read, &effect.head, in->at[i].from,
				          in->at[i].to ? in->at[i].to : UINT64_MAX, wrote, exact);
		if (effect.head.stream >= 0) {
			uint64_t end = effect.head.offset + effect.head.size;

			if (end > end_of(in, effect.head.stream) && end < INT32_MAX)
				*inputs_files_put(&in->ends, (uint32_t)effect.head.stream) =
					(int32_t)end;
		}
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

/* Follows an outside call that has returned, all of them in their order, and tells what it read. */
static void inputs_of_call(struct inputs *in, const struct execution *e,
                           const struct execution_call *call, struct inputs_read *read)
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

/* ------ marks of instances ------ */

struct forward_walker {
	struct forward *f;
	struct marks *m;
	const struct execution *e;
	const struct execution_frame *frames;
	struct code *code;
	const uint32_t *sources; /* of instances from `first` on */
	const uint64_t *copies;
	uint32_t first, end;
	uint32_t instance; /* whose origins are being told */
	bool control, edges;
	bool found;   /* one of them counts */
	bool all;     /* and for all that the instance wrote */
	bool partial; /* bytes that it wrote are marked one by one */
	struct slice_calls spanning;
	uint32_t passed; /* so many of them have returned */
};

struct forward_place {
	const struct code_function *function;
	uint32_t first; /* instance of the segment */
	uint32_t code;  /* of that, in the function */
};

enum forward_answer {
	FORWARD_NO,
	FORWARD_YES,
	FORWARD_NOT_SIMPLE, /* execution_origins() must be asked */
};

static inline bool forward_copies(const struct forward_walker *w, uint32_t instance)
{
	return w->copies && marks_has(w->copies, instance);
}

/* ------ the fast way through a forward slice ------ */

/* Instances whose operands were made in the same segment, and loads of what one instance stored. */

static inline enum forward_answer near(const struct forward_walker *w,
                                       const struct forward_place *p, uint32_t instance,
                                       uint32_t operand)
{
	uint32_t maker;

	if (operand & 1)
		return FORWARD_NO;
	maker = p->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return FORWARD_NOT_SIMPLE;
	if (p->function->insns[maker].op == CODE_LOCAL)
		return FORWARD_NO;
	if (maker - p->code >= instance - p->first)
		return FORWARD_NOT_SIMPLE;
	return marks_has(w->m->want, p->first + (maker - p->code)) ? FORWARD_YES : FORWARD_NO;
}

static inline enum forward_answer either(const struct forward_walker *w,
                                         const struct forward_place *p, uint32_t instance,
                                         const struct code_insn *insn)
{
	enum forward_answer a = near(w, p, instance, insn->a), b = near(w, p, instance, insn->b);

	if (a == FORWARD_YES || b == FORWARD_YES)
		return FORWARD_YES;
	return a == FORWARD_NO && b == FORWARD_NO ? FORWARD_NO : FORWARD_NOT_SIMPLE;
}

static enum forward_answer one_of(const struct forward_walker *w, const struct forward_place *p,
                                  uint32_t instance, const struct code_eval *eval)
{
	enum forward_answer found = FORWARD_NO;

	for (uint32_t i = 0; found != FORWARD_YES && i < eval->count; i++) {
		enum forward_answer a = near(w, p, instance, eval->in[i].operand);

		found = a > found || a == FORWARD_YES ? a : found;
	}
	return found;
}

static inline enum forward_answer stored(const struct forward_walker *w, uint32_t instance)
{
	uint32_t source = w->sources[instance - w->first];

	if (source & EXECUTION_GROUP || source < EXECUTION_FIRST || forward_copies(w, source))
		return FORWARD_NOT_SIMPLE;
	return marks_has(w->m->want, source) ? FORWARD_YES : FORWARD_NO;
}

/* Does an instance come from one that is marked? */
static enum forward_answer forward_simple(const struct forward_walker *w,
                                          const struct forward_place *p, uint32_t instance,
                                          const struct code_insn *insn)
{
	enum forward_answer a;

	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_GOTO: return FORWARD_NO;
	case CODE_EVAL: return one_of(w, p, instance, insn->more);
	case CODE_LOAD:
		a = near(w, p, instance, insn->a);
		return a == FORWARD_NO ? stored(w, instance) : a;
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_RETURN: return near(w, p, instance, insn->a);
	case CODE_STORE:
	case CODE_INDEX: return either(w, p, instance, insn);
	default:
		return insn->op >= CODE_ADD && insn->op <= CODE_SLE ? either(w, p, instance, insn)
		                                                    : FORWARD_NOT_SIMPLE;
	}
}

/* ------ the forward slice in a window ------ */

/* One way through its segments from the first to the last. marks.in: the instance is in the slice. marks.want: its value is, and all that it wrote; of a call: that it was executed. marks.values: the value of a call, which is settled when it returns. Of copies and outside calls of which only some bytes count, marks has the ranges. An outside call that called back is looked at where it stands, when a callback returns, and when it returns itself. */

/* --- what counts --- */

static bool is_operand(const struct forward_walker *w, const struct execution_origin *o)
{
	if (o->source == SOURCE_GIVEN)
		return w->f->inputs.argc;
	if (o->source < EXECUTION_FIRST)
		return false;
	return marks_has(w->m->want, o->source) || marks_has(w->m->values, o->source);
}

static bool are_bytes(struct forward_walker *w, const struct execution_origin *o)
{
	if (o->source < EXECUTION_FIRST) {
		/* Bytes from outside that nobody saw coming are input of any kind. */
		if (o->source == SOURCE_GIVEN)
			return inputs_is_given(&w->f->inputs, o->from, o->size);
		return w->f->inputs.any && (o->source == SOURCE_UNSEEN || o->source == SOURCE_NONE);
	}
	if (marks_has(w->m->want, o->source))
		return true;
	if (!forward_copies(w, o->source))
		return false;
	if (!o->written) /* not known which */
		return marks_ranges(w->m, o->source) != NULL;
	return marks_touch(w->m, o->source, o->written, o->size);
}

static bool counts(struct forward_walker *w, const struct execution_origin *o)
{
	if (o->chosen)
		return w->control && marks_has(w->m->want, o->source);
	if (o->itself)
		return marks_has(w->m->want, o->source);
	return o->size && !o->value ? are_bytes(w, o) : is_operand(w, o);
}

/* --- marking --- */

static void tell_edge(struct forward_walker *w, uint32_t from, bool control)
{
	struct slice_edge edge = {.from = from, .to = w->instance, .control = control};

	if (w->edges)
		w->f->options.edge(w->f->options.context, &edge);
}

static void take_origin(void *context, const struct execution_origin *o)
{
	struct forward_walker *w = context;

	if (!counts(w, o))
		return;
	tell_edge(w, o->source, o->chosen);
	w->found = true;
	if (!o->to || !w->partial)
		w->all = true;
	else if (o->source == SOURCE_GIVEN) {
		/* Given bytes may count in parts, too. */
		for (uint64_t i = 0; i < o->size; i++)
			if (inputs_is_given(&w->f->inputs, o->from + i, 1))
				marks_add_range(w->m, w->instance, o->to + i, 1);
	} else {
		const struct marks_ranges *r;
		VEC(struct execution_range) parts = VEC_INIT;

		/* Bytes of a copy, at `to`: those of a source that itself counts only in parts. */
		if (o->source < EXECUTION_FIRST || marks_has(w->m->want, o->source) ||
		    !o->written) {
			marks_add_range(w->m, w->instance, o->to, o->size);
			return;
		}
		r = marks_ranges(w->m, o->source);
		for (uint32_t i = 0; !r->whole && i < r->at.size; i++)
			if (r->at.at[i].to > o->written && r->at.at[i].from < o->written + o->size)
				*vec_push(&parts) = r->at.at[i];
		if (r->whole)
			*vec_push(&parts) = (struct execution_range){0, UINT64_MAX};
		for (uint32_t i = 0; i < parts.size; i++) {
			uint64_t from = parts.at[i].from, to = parts.at[i].to;

			from = from > o->written ? from - o->written : 0;
			to = to < o->written + o->size ? to - o->written : o->size;
			marks_add_range(w->m, w->instance, o->to + from, to - from);
		}
		vec_deinit(&parts);
	}
}

static void mark(struct forward_walker *w, uint32_t instance, uint32_t code)
{
	marks_set(w->m->in, instance);
	if (code != UINT32_MAX)
		marks_set(w->m->codes, code);
}

/* --- calls --- */

static void mark_value(struct forward_walker *w, uint32_t call, uint32_t code)
{
	mark(w, call, code);
	marks_set(w->m->values, call);
}

static void take_input(struct forward_walker *w, const struct execution_call *call)
{
	struct inputs_read *read = &w->f->read;

	if (!w->f->inputs.count || !call->returned)
		return;
	inputs_of_call(&w->f->inputs, w->e, call, read);
	if (read->value)
		mark_value(w, call->instance, call->code);
	if (read->all)
		marks_add_range(w->m, call->instance, 0, 0);
	for (uint32_t i = 0; i < read->ranges.size; i++) {
		mark(w, call->instance, call->code);
		marks_add_range(w->m, call->instance, read->ranges.at[i].from,
		                read->ranges.at[i].to - read->ranges.at[i].from);
	}
}

/* What an outside call read. */
static void take_flows(struct forward_walker *w, uint32_t call, uint32_t code)
{
	w->instance = call;
	w->found = w->all = false;
	w->partial = true;
	execution_origins(w->e, call, 0, 0, take_origin, w);
	w->partial = false;
	if (!w->found)
		return;
	mark_value(w, call, code);
	if (w->all && forward_copies(w, call))
		marks_add_range(w->m, call, 0, 0);
}

static bool is_callee_marked(struct forward_walker *w, uint32_t instance,
                             const struct code_call *call)
{
	struct execution_origin o = {0};
	uint64_t value;

	return call->callee != CODE_NO_OPERAND &&
	       execution_operand(w->e, instance, call->callee, &value, &o.source) &&
	       is_operand(w, &o);
}

static void do_call(struct forward_walker *w, uint32_t instance, uint32_t code,
                    const struct code_insn *insn, bool controlled)
{
	uint32_t source = w->sources[instance - w->first];
	bool executed = controlled || (w->control && is_callee_marked(w, instance, insn->more));

	if (executed) {
		marks_set(w->m->want, instance);
		mark_value(w, instance, code);
	}
	if (source & EXECUTION_GROUP) {
		uint32_t group = w->sources[instance - w->first];
		const struct execution_call *call =
			execution_call(w->e, execution_group(w->e, group)->call);

		if (executed)
			marks_add_range(w->m, instance, 0, 0);
		take_flows(w, instance, code);
		if (!call->returned || call->until == instance + 1)
			take_input(w, call);
		if (marks_has(w->m->in, instance))
			w->f->guesses += !call->modelled;
		return;
	}
	/* A return that comes after it marks it later. */
	if (!executed && (source < instance || !w->control))
		take_flows(w, instance, code);
}

/* --- returns --- */

static void do_return(struct forward_walker *w, const struct execution_segment *s,
                      uint32_t instance)
{
	const struct execution_frame *f = &w->frames[s->frame];
	uint32_t call = f->call ? f->call : f->within;

	if (!call)
		return;
	w->instance = call;
	tell_edge(w, instance, false);
	mark_value(w, call, execution_caller_code(w->e, s->frame));
	if (!f->call)
		marks_add_range(w->m, call, 0, 0);
}

/* Calls that called back and have returned before this instance. */
static void do_returned(struct forward_walker *w, uint32_t instance)
{
	while (w->passed < w->spanning.at.size) {
		const struct execution_call *call =
			execution_call(w->e, w->spanning.at.at[w->passed]);
		if (call->until > instance)
			return;
		w->passed++;
		take_flows(w, call->instance, call->code);
		take_input(w, call);
	}
}

/* --- one instance --- */

static bool asks(struct forward_walker *w, uint32_t instance, bool partial)
{
	w->instance = instance;
	w->found = w->all = false;
	w->partial = partial;
	execution_origins(w->e, instance, 0, 0, take_origin, w);
	w->partial = false;
	return w->found;
}

/* Copies whose addresses do not count have only the bytes that were marked. */
static void do_copy(struct forward_walker *w, uint32_t instance, uint32_t code, bool controlled)
{
	if (!asks(w, instance, true) && !controlled)
		return;
	mark(w, instance, code);
	if (controlled || w->all)
		marks_set(w->m->want, instance);
}

/* Does the function end where the sides of this branch meet again? clang gives a function with several
   returns a last block that only loads the result. */
static bool ends_early(const struct code_function *f, uint32_t number)
{
	uint32_t behind = f->postdominators[code_block(f, number)], first;

	if (behind == CONTROL_EXIT)
		return true;
	first = f->blocks[behind];
	return f->blocks[behind + 1] - first <= 2 &&
	       f->insns[f->blocks[behind + 1] - 1].op == CODE_RETURN;
}

/* A check with which main() ends early, and that nothing is to depend on. */
static bool is_guard(const struct forward_walker *w, const struct code_function *f, uint32_t number)
{
	return w->f->options.past_guards && f->insns[number].op == CODE_BRANCH &&
	       !strcmp(f->plan->name, "main") && ends_early(f, number);
}

static void do_instance(struct forward_walker *w, const struct forward_place *p,
                        const struct execution_segment *s, uint32_t instance, bool controlled)
{
	uint32_t number = p->code + (instance - p->first), code = p->function->first + number;
	const struct code_insn *insn = &p->function->insns[number];
	enum forward_answer answer = controlled ? FORWARD_YES : FORWARD_NOT_SIMPLE;

	if (insn->op == CODE_CALL) {
		do_call(w, instance, code, insn, controlled);
		return;
	}
	if (forward_copies(w, instance)) {
		do_copy(w, instance, code, controlled);
		return;
	}
	if (w->edges)
		answer = asks(w, instance, false) || controlled ? FORWARD_YES : FORWARD_NO;
	else if (!controlled)
		answer = forward_simple(w, p, instance, insn);
	if (answer == FORWARD_NOT_SIMPLE)
		answer = asks(w, instance, false) ? FORWARD_YES : FORWARD_NO;
	if (answer == FORWARD_NO && !marks_has(w->m->want, instance))
		return;
	if (!is_guard(w, p->function, number))
		marks_set(w->m->want, instance);
	mark(w, instance, code);
	if (insn->op == CODE_RETURN)
		do_return(w, s, instance);
}

static void do_segment(struct forward_walker *w, const struct execution_segment *s, uint32_t end)
{
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	struct forward_place p = {f, s->first, s->code - f->first};
	bool controlled = w->control && s->parent && marks_has(w->m->want, s->parent);

	for (uint32_t i = s->first; i < end; i++) {
		do_instance(w, &p, s, i, controlled);
		w->instance = i;
		if (controlled)
			tell_edge(w, s->parent, true);
	}
}

/* --- the way --- */

static void take_criterion(struct forward_walker *w, const struct slice_criterion *c)
{
	mark(w, c->instance, execution_code(w->e, c->instance));
	if (forward_copies(w, c->instance) && !c->itself) {
		marks_add_range(w->m, c->instance, c->from, c->to ? c->to - c->from : 0);
		if (!c->to && execution_insn(w->e, c->instance)->op == CODE_CALL)
			marks_set(w->m->values, c->instance);
		return;
	}
	if (execution_insn(w->e, c->instance)->op == CODE_CALL && !c->itself)
		marks_set(w->m->values, c->instance);
	else
		marks_set(w->m->want, c->instance);
}

/* Goes through what is kept, from the first instance to the last: marks what comes from instances
   that are marked, and from input. */
static void forward_walk(struct forward *f, const struct execution *e)
{
	struct forward_walker w = {.f = f,
	                           .m = &f->marks,
	                           .e = e,
	                           .code = execution_code_table((struct execution *)e),
	                           .sources = execution_sources(e),
	                           .copies = execution_copy_bits(e),
	                           .control = !f->options.data_only,
	                           .edges = f->options.edge != NULL};
	const struct execution_segment *segments;
	uint32_t count, frames;

	execution_kept(e, &w.first, &w.end);
	segments = execution_segments(e, &count);
	w.frames = execution_frames(e, &frames);
	slice_find_spanning(e, &w.spanning);
	for (uint32_t i = 0; i < f->count; i++)
		if (f->criteria[i].instance >= w.first && f->criteria[i].instance < w.end)
			take_criterion(&w, &f->criteria[i]);
	for (uint32_t i = 0; i < count; i++) {
		do_returned(&w, segments[i].first);
		do_segment(&w, &segments[i], i + 1 < count ? segments[i + 1].first : w.end);
	}
	do_returned(&w, UINT32_MAX);
	vec_deinit(&w.spanning.at);
	if (execution_bytes(e) > f->peak)
		f->peak = execution_bytes(e);
}

/* ------ the whole ------ */

static struct hence_error *do_run(struct forward *f, struct execution *e, struct slice *out)
{
	uint32_t window = slice_window(f->run);
	struct hence_error *error;
	bool ended = false;

	/* What the program was given is known when its first instance is. */
	error = execution_advance(e, EXECUTION_FIRST + 1, f->run->death, &ended);
	inputs_begin(&f->inputs, e);
	while (!error) {
		uint32_t first, end;

		execution_kept(e, &first, &end);
		if (!ended)
			error = execution_advance(e, (uint64_t)first + window, f->run->death,
			                          &ended);
		if (error)
			break;
		forward_walk(f, e);
		out->windows++;
		out->stopped = !ended && f->options.stop && f->options.stop(f->options.context);
		if (ended || out->stopped)
			break;
		execution_window(e, true);
	}
	return error;
}

static struct hence_error *check_reached(const struct forward *f, uint64_t total)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (f->criteria[i].instance < EXECUTION_FIRST ||
		    f->criteria[i].instance >= total + EXECUTION_FIRST)
			return error_create(HENCE_ERROR_INPUT,
			                    "there is nothing to slice from: the run has %llu "
			                    "instructions, and instance %u is none of them",
			                    (unsigned long long)total, f->criteria[i].instance);
	return NULL;
}

static void finish(struct forward *f, struct execution *e, struct slice *out)
{
	out->total = execution_instances(e);
	out->statements = execution_statements(e);
	out->guesses = f->guesses;
	out->peak = f->peak;
	slice_collect(&f->marks, (uint32_t)(out->total + EXECUTION_FIRST),
	              execution_code_table(e)->size, out);
}

struct hence_error *slice_forward(const struct recording *run,
                                  const struct slice_criterion *criteria, uint32_t count,
                                  const struct slice_input *inputs, uint32_t input_count,
                                  const struct slice_options *options, struct slice *out)
{
	struct forward f = {.run = run, .criteria = criteria, .count = count, .options = *options};
	struct execution_options decode = {.table = run->table, .windows = true, .retain = true};
	struct hence_error *error = marks_init(&f.marks);
	struct execution *whole, *e = NULL;
	struct slice slice = {0};

	if (!error)
		error = history_whole(run, &whole);
	if (error)
		return error;
	inputs_init(&f.inputs, inputs, input_count, run->table);
	if (whole) {
		e = whole;
		inputs_begin(&f.inputs, e);
		forward_walk(&f, e);
		slice.windows = 1;
	} else {
		error = execution_create(run->modules, run->folder, run->tape, &decode, &e);
		if (!error)
			error = do_run(&f, e, &slice);
	}
	if (!error && !slice.stopped)
		error = check_reached(&f, execution_instances(e));
	if (!error) {
		finish(&f, e, &slice);
		*out = slice;
	}
	if (!whole)
		execution_destroy(e);
	vec_deinit(&f.read.ranges);
	inputs_deinit(&f.inputs);
	marks_deinit(&f.marks);
	return error;
}
