/* The exact model: judges a hybrid by evaluating instances of the dual slice. See exact.h. */
#include "methods/exact.h"

#include "base/map.h"

/* An instance of the slice; or two, one of each run, that are aligned. */
struct exact_event {
	uint32_t instances[2]; /* 0: that run does not have it */
	uint64_t statements[2];
	uint32_t fork;   /* 1 + index in the alignment: it is the branch or call; 0: none */
	uint32_t region; /* 1 + index: it lies in the part that one run has alone */
	uint32_t behind; /* 1 + index: its statement is where the ways meet again */
};

/* How well a value is known. Larger is worse. */
enum exact_taint {
	EXACT_KNOWN,
	EXACT_UNKNOWN,
	EXACT_CONFOUNDED,
};

/* --- addresses of both runs in one space --- */

/*
 * Addresses are those of the first run. Places of the second that correspond to some in the first
 * have those; others have EXACT_ALONE added.
 */
#define EXACT_ALONE (1ull << 62)

/* Memory by such addresses. Each byte has the event that wrote it, counted from EXACT_FIRST. */
enum exact_writer {
	EXACT_NOBODY,
	EXACT_BEFORE, /* it is as it was at the point */
	EXACT_FIRST,
};

struct exact_byte {
	uint8_t byte;
	uint8_t taint;
	uint32_t writer;
};

struct exact_word {
	struct exact_byte at[8];
};

MAP_DEFINE_U64(exact_words, struct exact_word);

/* --- bytes of memory at given times --- */

/* Bytes of a run before a statement, or after it. */
struct exact_request {
	uint64_t statement;
	bool behind;
	uint64_t address, size;
	uint32_t instance; /* that they are read or written by, for places */
	uint32_t at;       /* where they go in the result */
};

struct exact_requests {
	VEC(struct exact_request) at;
	uint32_t size; /* of the result */
};

/* Reads all of them in one decoding, with pointers in the space above. Sorts them. `unknown` has a
   byte for each that is 0 where it has a value, EXACT_LOST where there is no object any more. The
   caller frees both with free(), also after an error. */
#define EXACT_LOST 0xffu
#define EXACT_NONE UINT32_MAX

MAP_DEFINE_U64(exact_offsets, uint32_t);

struct exact_side {
	const struct recording *run;
	const struct execution *execution;
	const struct dual_edge *edges; /* of the slice, by `to` */
	uint32_t edge_count;
	uint64_t *written; /* of each: where the bytes were put that it goes through */
	uint32_t *before;  /* of each: these bytes as they were read, and as they were put; */
	uint32_t *after;   /* indices in `bytes`; EXACT_NONE: they are not kept */
	struct exact_offsets wide; /* what wide loads read, by instance; in `bytes` as well */
	uint8_t *bytes;
	uint32_t *from; /* edges with `after`, by their `from` */
	uint32_t from_count;
	uint32_t *instances; /* of the slice, in order, and the event of each */
	uint32_t *events;
	uint32_t count;
};

/* Memory of both runs at a point that was asked about. */
struct exact_moment {
	const struct hybrid_point *point;
	uint64_t times[2];
	uint32_t instances[2];        /* first ones of the slice after it */
	struct exact_words memory[2]; /* of its differences, and what the slice reads after it */
};

struct exact {
	const struct alignment *alignment;
	const struct dual *dual;
	const struct dual_seed *seeds;
	uint32_t seed_count;
	struct exact_side sides[2];
	VEC(struct exact_event) events;
	VEC(struct exact_moment *) moments;
};

/* --- a judgement --- */

struct exact_value {
	uint64_t word;
	uint32_t more; /* 1 + index of all words of a wide value; 0: it is not wide */
	uint8_t words;
	uint8_t taint;
	bool done; /* it was executed */
};

struct exact_run {
	struct exact *x;
	unsigned base; /* the run that is changed */
	uint64_t times[2];
	const struct exact_moment *moment;
	struct exact_words memory; /* what was replaced, and what events wrote */
	struct exact_value *values;
	uint32_t next;      /* event */
	VEC(uint32_t) open; /* outside calls that call back: they are executed when they return */
	int8_t *ways;       /* of each fork: the run that it goes with; -1: not decided */
	VEC(uint64_t) wide;
	struct arena arena;
	uint8_t lost; /* enum exact_taint: it cannot go on */
};

/* Operands by what they are for: the letters of struct code_insn; the callee of a call; those in
   lists. */
enum exact_role {
	EXACT_A,
	EXACT_B,
	EXACT_C,
	EXACT_CALLEE,
	EXACT_LIST, /* and following */
};

/* --- bytes that events read --- */

/* Where a byte is from. */
enum exact_origin {
	EXACT_TRACE_0, /* not from the slice: it is as in that run */
	EXACT_TRACE_1,
	EXACT_SLICE,
	EXACT_NOWHERE, /* from where it was in neither run */
};

/* ------ one space of addresses for both runs, and memory in it ------ */

static uint64_t exact_place(const struct exact *x, unsigned side, uint32_t instance,
                            uint64_t address)
{
	uint64_t other;

	if (side == 0 || !address)
		return address;
	other = dual_place(x->dual, side, instance, address);
	return other ? other : address | EXACT_ALONE;
}

/* --- values --- */

static bool is_address(const struct code_function *f, uint32_t code)
{
	return f->insns[code].flags & CODE_POINTER ||
	       LLVMGetInstructionOpcode(f->instructions[code]) == LLVMPtrToInt;
}

static const struct code_function *function_of(const struct execution *e, uint32_t instance)
{
	return code_of(execution_code_table((struct execution *)e), execution_code(e, instance));
}

/* The value that an instance made, or an operand of it was, with pointers in this space. */
static uint64_t exact_made(const struct exact *x, unsigned side, uint32_t instance)
{
	const struct execution *e = x->sides[side].execution;
	const struct code_function *f = function_of(e, instance);
	uint64_t value = execution_value(e, instance);

	if (is_address(f, execution_code(e, instance) - f->first))
		return exact_place(x, side, instance, value);
	return value;
}

static uint64_t exact_operand(const struct exact *x, unsigned side, uint32_t instance,
                              uint32_t operand, uint32_t *made)
{
	const struct execution *e = x->sides[side].execution;
	const struct code_function *f = function_of(e, instance);
	uint32_t maker;
	uint64_t value;
	bool pointer;

	if (!execution_operand(e, instance, operand, &value, made))
		return 0;
	if (operand & 1) {
		pointer = f->constants[operand >> 1].object != 0;
	} else {
		maker = f->makers[operand >> 1];
		pointer = maker & CODE_PARAMETER
		                  ? f->parameters[maker & ~CODE_PARAMETER].letter == 'p'
		                  : is_address(f, maker);
	}
	return pointer ? exact_place(x, side, instance, value) : value;
}

/* --- memory --- */

static struct exact_byte exact_get(const struct exact_words *memory, uint64_t place)
{
	const struct exact_word *word = exact_words_find(memory, place & ~7ull);

	return word ? word->at[place & 7] : (struct exact_byte){0};
}

static void exact_put(struct exact_words *memory, uint64_t place, struct exact_byte byte)
{
	exact_words_put(memory, place & ~7ull)->at[place & 7] = byte;
}

/* ------ finding events and edges ------ */

#define MOST 2000000u /* instances of a slice in both runs */

/* --- finding --- */

/* The event of an instance of the slice; EXACT_NONE: it is not in it. */
static uint32_t exact_event_of(const struct exact *x, unsigned side, uint32_t instance)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->instances[middle] < instance)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->count && s->instances[low] == instance ? s->events[low] : EXACT_NONE;
}

/* The edges that lead to an instance. */
static const struct dual_edge *exact_edges_to(const struct exact *x, unsigned side,
                                              uint32_t instance, uint32_t *count)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->edge_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges[middle].to < instance)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < s->edge_count && s->edges[end].to == instance)
		end++;
	*count = end - low;
	return s->edges + low;
}

/* Edges of bytes that a copy or an opaque instance put somewhere: indices, `count` of them. */
static const uint32_t *exact_edges_from(const struct exact *x, unsigned side, uint32_t instance,
                                        uint32_t *count)
{
	const struct exact_side *s = &x->sides[side];
	uint32_t low = 0, high = s->from_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->edges[s->from[middle]].from < instance)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < s->from_count && s->edges[s->from[end]].from == instance)
		end++;
	*count = end - low;
	return s->from + low;
}

/* Does it do what only a trace tells: an outside call, assembly? */
static bool exact_is_opaque(const struct execution *e, uint32_t instance)
{
	switch (execution_insn(e, instance)->op) {
	case CODE_CALL: return (execution_source(e, instance) & EXECUTION_GROUP) != 0;
	case CODE_ATOMIC:
	case CODE_ASM:
	case CODE_VA_START:
	case CODE_VA_COPY: return true;
	default: return false;
	}
}

/* The instance after the last one that an outside call has called back; 0: it is no such call. */
static uint32_t exact_until(const struct execution *e, uint32_t instance)
{
	uint32_t source = execution_source(e, instance);
	const struct execution_group *group = NULL;

	if (execution_insn(e, instance)->op == CODE_CALL && source & EXECUTION_GROUP)
		group = execution_group(e, source);
	return group && group->call ? execution_call(e, group->call)->until : 0;
}

/* Was it executed before that point? A call that has not returned there was not. */
static bool exact_is_before(const struct exact *x, unsigned side, uint32_t instance, uint64_t time)
{
	uint32_t until;

	if (!dual_is_before(x->dual, side, instance, time))
		return false;
	until = exact_until(x->sides[side].execution, instance);
	return until <= instance + 1 || dual_is_before(x->dual, side, until - 1, time);
}

/* ------ the instances of a dual slice in the order of both runs ------ */

/* The instances of one run; then the events of both. */
static void exact_list(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	uint32_t first, end;

	s->execution = dual_execution(x->dual, side);
	execution_kept(s->execution, &first, &end);
	for (uint32_t i = first; i < end; i++)
		s->count += dual_has(x->dual, side, i);
	s->instances = mem_alloc((s->count + 1ull) * sizeof(*s->instances));
	s->events = mem_alloc((s->count + 1ull) * sizeof(*s->events));
	s->count = 0;
	for (uint32_t i = first; i < end; i++)
		if (dual_has(x->dual, side, i))
			s->instances[s->count++] = i;
}

/* Both runs, each at the next of its instances. */
struct joining {
	struct exact *x;
	uint32_t next[2];
};

static uint32_t coming(const struct joining *j, unsigned side)
{
	const struct exact_side *s = &j->x->sides[side];

	return j->next[side] < s->count ? s->instances[j->next[side]] : 0;
}

static uint64_t coming_statement(const struct joining *j, unsigned side)
{
	uint32_t instance = coming(j, side);

	return instance ? dual_statement(j->x->dual, side, instance) : UINT64_MAX;
}

static void take(struct joining *j, const uint32_t instances[2])
{
	struct exact_event *event = vec_push(&j->x->events);

	for (unsigned side = 0; side < 2; side++) {
		if (!instances[side])
			continue;
		event->instances[side] = instances[side];
		event->statements[side] = dual_statement(j->x->dual, side, instances[side]);
		if (coming(j, side) == instances[side])
			j->x->sides[side].events[j->next[side]++] = j->x->events.size - 1;
	}
}

/* What one run has alone, up to that statement. */
static void take_alone(struct joining *j, unsigned side, uint64_t until)
{
	while (coming_statement(j, side) < until) {
		uint32_t instances[2] = {0};

		instances[side] = coming(j, side);
		take(j, instances);
	}
}

static void take_span(struct joining *j, const struct align_span *span)
{
	for (;;) {
		bool first = coming_statement(j, 0) < span->a + span->count;
		bool second = coming_statement(j, 1) < span->b + span->count;

		if (!first && !second)
			return;
		/* The next of two runs that are in aligned statements. */
		uint32_t a = first ? coming(j, 0) : 0, b = second ? coming(j, 1) : 0;
		uint32_t of_a = a ? dual_counterpart(j->x->dual, 0, a) : 0;
		uint32_t of_b = b ? dual_counterpart(j->x->dual, 1, b) : 0;

		if (a && (!b || !of_a || (of_b && of_a <= b)))
			take(j, (uint32_t[]){a, of_a});
		else
			take(j, (uint32_t[]){of_b, b});
	}
}

/* --- forks --- */

/* The last fork at or before the event, 1 + its index; 0: none. */
static uint32_t fork_before(const struct exact *x, const struct exact_event *event)
{
	unsigned side = event->instances[0] ? 0 : 1;
	uint32_t low = 0, high = x->alignment->forks.size;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct align_fork *fork = &x->alignment->forks.at[middle];

		if ((side ? fork->b : fork->a) <= event->statements[side])
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool decides(const struct exact *x, const struct exact_event *event,
                    const struct align_fork *fork)
{
	uint8_t op = execution_insn(x->sides[0].execution, event->instances[0])->op;

	if (event->statements[0] != fork->a || event->statements[1] != fork->b)
		return false;
	return fork->kind == FORK_CALL ? op == CODE_CALL
	                               : op == CODE_BRANCH || op == CODE_SWITCH || op == CODE_JUMP;
}

/* ------ reads bytes of a run's memory at given times: decodes it once more ------ */

struct taking {
	const struct exact *x;
	unsigned side;
	const struct exact_request *requests; /* by statement, those after it last */
	uint32_t count, left;
	uint8_t *bytes, *unknown;
};

static uint32_t first_of(const struct taking *t, uint64_t statement, bool behind)
{
	uint32_t low = 0, high = t->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct exact_request *r = &t->requests[middle];

		if (r->statement < statement || (r->statement == statement && r->behind < behind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void follow(void *context, struct execution *e, enum execution_event event, uint64_t number)
{
	struct taking *t = context;
	struct memory *memory = execution_memory(e);
	bool behind = event == EXECUTION_ENDED || event == EXECUTION_LEFT;

	if (!t->left || (!behind && event != EXECUTION_BEGINS))
		return;
	for (uint32_t i = first_of(t, number, behind);
	     i < t->count && t->requests[i].statement == number && t->requests[i].behind == behind;
	     i++) {
		const struct exact_request *r = &t->requests[i];

		memory_read(memory, r->address, r->size, t->bytes + r->at);
		memory_read_undefined(memory, r->address, r->size, t->unknown + r->at);
		/* Bytes that nobody knows, such as those of a block that was freed. */
		for (uint64_t done = 0; done < r->size;) {
			uint32_t source;
			uint64_t run = memory_source_run(memory, r->address + done, r->size - done,
			                                 &source);

			if (!source)
				memset(t->unknown + r->at + done, EXACT_LOST, run);
			done += run;
		}
		/* Pointers among the bytes, in the space of both runs. */
		for (uint64_t at = (r->address + 7) & ~7ull; at + 8 <= r->address + r->size;
		     at += 8) {
			struct memory_value word = memory_load(memory, at, 8);
			uint64_t place;

			/* What the program was given has no marks. */
			if (!word.object && !(word.bits >> 32))
				continue;
			place = exact_place(t->x, t->side, r->instance, word.bits);
			memcpy(t->bytes + r->at + (at - r->address), &place, sizeof(place));
		}
		t->left--;
	}
	if (!t->left)
		walk_halt(execution_walk(e));
}

static int by_time(const void *a, const void *b)
{
	const struct exact_request *x = a, *y = b;

	if (x->statement != y->statement)
		return x->statement < y->statement ? -1 : 1;
	if (x->behind != y->behind)
		return x->behind ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Where the bytes will be. */
static uint32_t exact_ask(struct exact_requests *requests, const struct exact_request *request)
{
	struct exact_request *added = vec_push(&requests->at);

	*added = *request;
	added->at = requests->size;
	requests->size += (uint32_t)request->size;
	return added->at;
}

static struct hence_error *exact_take(const struct exact *x, unsigned side,
                                      struct exact_requests *requests, uint8_t **bytes,
                                      uint8_t **unknown)
{
	const struct recording *run = x->sides[side].run;
	uint32_t count = requests->at.size;
	struct taking t = {x, side, requests->at.at, count, count, NULL, NULL};
	struct execution_options options = {.table = run->table,
	                                    .windows = true,
	                                    .begins = true,
	                                    .statement = follow,
	                                    .context = &t};
	struct hence_error *error;
	struct execution *e;
	bool ended = false;

	*bytes = t.bytes = mem_alloc(requests->size + 1);
	*unknown = t.unknown = mem_alloc(requests->size + 1);
	if (!count)
		return NULL;
	qsort(requests->at.at, count, sizeof(*requests->at.at), by_time);
	error = execution_create(run->modules, run->folder, run->tape, &options, &e);
	if (error)
		return error;
	while (!error && !ended && t.left)
		error = execution_advance(e, UINT64_MAX, run->death, &ended);
	execution_destroy(e);
	return error;
}

/* --- what is wide --- */

static LLVMTargetDataRef layout_of(LLVMValueRef instruction)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));

	return LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
}

/* Words of what a return or store gives. */
static uint32_t exact_operand_words(const struct execution *e, uint32_t instance)
{
	LLVMValueRef instruction = execution_instruction(e, instance);

	return eval_type_words(layout_of(instruction), LLVMTypeOf(LLVMGetOperand(instruction, 0)));
}

/* Calls `tell` for each operand of more than one word. */
static void each_wide(const struct execution *e, uint32_t instance,
                      void (*tell)(void *context, uint32_t operand), void *context)
{
	const struct code_insn *insn = execution_insn(e, instance);
	const struct code_eval *more = insn->more;

	if (insn->op == CODE_STORE_WIDE || (insn->op == CODE_RETURN && insn->a != CODE_NO_OPERAND &&
	                                    exact_operand_words(e, instance) > 1))
		tell(context, insn->a);
	for (uint32_t k = 0; insn->op == CODE_EVAL && k < more->count; k++)
		if (more->in[k].words > 1)
			tell(context, more->in[k].operand);
}

/* --- asking --- */

struct asking {
	struct exact *x;
	unsigned side;
	uint32_t instance;
	struct exact_requests *requests;
};

static void ask_maker(struct asking *a, uint32_t instance);

static void ask_operand(void *context, uint32_t operand)
{
	struct asking *a = context;
	uint64_t value;
	uint32_t made;

	if (!(operand & 1) &&
	    execution_operand(a->x->sides[a->side].execution, a->instance, operand, &value,
	                      &made) &&
	    made >= EXECUTION_FIRST)
		ask_maker(a, made);
}

static void ask_maker(struct asking *a, uint32_t instance)
{
	struct exact_side *s = &a->x->sides[a->side];
	const struct code_insn *insn = execution_insn(s->execution, instance);
	struct asking deeper = {a->x, a->side, instance, a->requests};
	uint64_t address;
	uint32_t made;

	if (insn->op == CODE_EVAL)
		each_wide(s->execution, instance, ask_operand, &deeper);
	if (insn->op != CODE_LOAD_WIDE || exact_offsets_find(&s->wide, instance))
		return;
	execution_operand(s->execution, instance, insn->a, &address, &made);
	*exact_offsets_put(&s->wide, instance) = exact_ask(
		a->requests,
		&(struct exact_request){.statement = dual_statement(a->x->dual, a->side, instance),
	                                .address = address,
	                                .size = insn->bytes,
	                                .instance = instance});
}

/* --- what they were --- */

static bool exact_wide(const struct exact *x, unsigned side, uint32_t instance, uint64_t *out);

/* All words of a wide operand. */
static bool exact_wide_operand(const struct exact *x, unsigned side, uint32_t instance,
                               uint32_t operand, uint32_t words, uint64_t *out)
{
	const struct execution *e = x->sides[side].execution;
	const struct code_function *f =
		code_of(execution_code_table((struct execution *)e), execution_code(e, instance));
	uint32_t made;

	if (operand & 1) {
		for (uint32_t w = 0; w < words; w++)
			out[w] = f->constants[(operand >> 1) + w].bits;
		return true;
	}
	out[0] = exact_operand(x, side, instance, operand, &made);
	return words == 1 || (made >= EXECUTION_FIRST && exact_wide(x, side, made, out));
}

/* All words that an instance made, which traces keep only the first of. False: they are not
   known. */
static bool exact_wide(const struct exact *x, unsigned side, uint32_t instance, uint64_t *out)
{
	const struct exact_side *s = &x->sides[side];
	const struct code_insn *insn = execution_insn(s->execution, instance);
	const struct code_eval *more = insn->more;
	const uint32_t *at = exact_offsets_find(&s->wide, instance);
	uint64_t in[CODE_OPERANDS][CODE_WORDS] = {{0}}, none[CODE_WORDS] = {0};
	struct eval_value operands[CODE_OPERANDS], result = {out, (uint64_t[CODE_WORDS]){0}};

	if (insn->words <= 1)
		out[0] = exact_made(x, side, instance);
	else if (insn->op == CODE_LOAD_WIDE && at)
		memcpy(out, s->bytes + *at, insn->bytes);
	if (insn->op != CODE_EVAL || insn->words <= 1)
		return insn->words <= 1 || (insn->op == CODE_LOAD_WIDE && at);
	for (uint32_t k = 0; k < more->count; k++) {
		if (!exact_wide_operand(x, side, instance, more->in[k].operand, more->in[k].words,
		                        in[k]))
			return false;
		operands[k] = (struct eval_value){in[k], none};
	}
	return eval_run(more->eval, operands, &result);
}

/* ------ memory of both runs at a point ------ */

/* Bytes of the same place in both runs. */
struct spot {
	uint64_t place;
	uint64_t addresses[2]; /* 0: that run does not have it */
	uint64_t size;
	uint32_t readers[2]; /* who reads it after the point; 0: not known */
};

struct gathering {
	struct exact *x;
	struct exact_moment *moment;
	VEC(struct spot) spots;
};

/* --- which places --- */

/* The bits of a difference that go from the first run to the second, or `back`; NULL: all. */
static const uint8_t *exact_mask(const struct hybrid_point *point, uint32_t index, bool back)
{
	uint32_t count;
	const struct change *changes = state_diff_changes(point->diff, &index, 1, back, &count);

	return count == 1 && changes->size == point->differences[index].size ? changes->mask : NULL;
}

/* Where byte `k` of it lies. */
static uint64_t exact_place_of(const struct exact *x, const struct exact_moment *moment,
                               const struct difference *d, uint64_t k)
{
	/* A text may be longer in the second run. */
	if (k >= d->size)
		return exact_place(x, 1, moment->instances[1], d->b_address + k);
	return d->a_address + k;
}

/* What the slice reads after the point, of what was there before. */
static void add_crossing(struct gathering *r, unsigned side)
{
	const struct exact *x = r->x;
	const struct exact_side *s = &x->sides[side];

	for (uint32_t i = 0; i < s->edge_count; i++) {
		const struct dual_edge *edge = &s->edges[i];
		uint32_t instance = edge->from < EXECUTION_FIRST ? edge->to : edge->from;
		struct spot spot = {.size = edge->size};

		if (!edge->size || exact_is_before(x, side, edge->to, r->moment->times[side]) ||
		    (edge->from >= EXECUTION_FIRST &&
		     !exact_is_before(x, side, edge->from, r->moment->times[side])))
			continue;
		spot.readers[side] = edge->to;
		spot.addresses[side] = s->written[i];
		spot.addresses[!side] = dual_place(x->dual, side, instance, s->written[i]);
		spot.place = exact_place(x, side, instance, s->written[i]);
		*vec_push(&r->spots) = spot;
	}
}

/* --- their bytes --- */

static struct hence_error *read_side(struct gathering *r, unsigned side)
{
	struct exact_requests requests = {0};
	struct hence_error *error;
	uint8_t *bytes, *unknown;
	uint32_t at = 0;

	for (uint32_t i = 0; i < r->spots.size; i++)
		if (r->spots.at[i].addresses[side])
			exact_ask(&requests,
			          &(struct exact_request){.statement = r->moment->times[side],
			                                  .address = r->spots.at[i].addresses[side],
			                                  .size = r->spots.at[i].size,
			                                  .instance = r->moment->instances[side]});
	error = exact_take(r->x, side, &requests, &bytes, &unknown);
	for (uint32_t i = 0; i < r->spots.size && !error; i++) {
		const struct spot *spot = &r->spots.at[i];

		if (!spot->addresses[side])
			continue;
		for (uint64_t k = 0; k < spot->size; k++, at++) {
			struct exact_byte byte = {
				bytes[at], unknown[at] ? EXACT_UNKNOWN : EXACT_KNOWN, EXACT_BEFORE};

			if (unknown[at] != EXACT_LOST)
				exact_put(&r->moment->memory[side], spot->place + k, byte);
		}
	}
	for (uint32_t i = 0; i < r->spots.size && !error; i++) {
		/* What a load read is known, also if memory had no value as far as anybody had
		   seen. */
		const struct spot *spot = &r->spots.at[i];
		const struct execution *e = r->x->sides[side].execution;
		uint64_t value;

		if (!spot->readers[side] ||
		    execution_insn(e, spot->readers[side])->op != CODE_LOAD ||
		    spot->size != execution_insn(e, spot->readers[side])->bytes)
			continue;
		value = exact_made(r->x, side, spot->readers[side]);
		for (uint64_t k = 0; k < spot->size; k++)
			exact_put(&r->moment->memory[side], spot->place + k,
			          (struct exact_byte){.byte = (uint8_t)(value >> 8 * k),
			                              .writer = EXACT_BEFORE});
	}
	vec_deinit(&requests.at);
	free(bytes);
	free(unknown);
	return error;
}

/* The same for the same point. Decodes both runs. Valid as long as `x`. */
static struct hence_error *exact_moment(struct exact *x, const struct hybrid_point *point,
                                        const struct exact_moment **out)
{
	struct gathering r = {.x = x};
	struct hence_error *error;

	for (uint32_t i = 0; i < x->moments.size; i++)
		if (x->moments.at[i]->point == point &&
		    x->moments.at[i]->times[0] == point->times[true]) {
			*out = x->moments.at[i];
			return NULL;
		}
	r.moment = mem_alloc(sizeof(*r.moment));
	r.moment->point = point;
	for (unsigned side = 0; side < 2; side++) {
		const struct exact_side *s = &x->sides[side];
		uint32_t i = 0;

		r.moment->times[side] = point->times[!side];
		/* The first instance of the slice after the point; the last, if there is none. */
		while (i + 1 < s->count &&
		       exact_is_before(x, side, s->instances[i], r.moment->times[side]))
			i++;
		r.moment->instances[side] = s->count ? s->instances[i] : EXECUTION_FIRST;
	}
	add_crossing(&r, 0);
	add_crossing(&r, 1);
	for (uint32_t i = 0; i < point->count; i++) {
		const struct difference *d = &point->differences[i];

		*vec_push(&r.spots) = (struct spot){.place = d->a_address,
		                                    .addresses = {d->a_address, d->b_address},
		                                    .size = d->size};
		if (d->b_size > d->size)
			*vec_push(&r.spots) =
				(struct spot){.place = exact_place_of(r.x, r.moment, d, d->size),
			                      .addresses = {0, d->b_address + d->size},
			                      .size = d->b_size - d->size};
	}
	error = read_side(&r, 0);
	if (!error)
		error = read_side(&r, 1);
	*vec_push(&x->moments) = r.moment;
	vec_deinit(&r.spots);
	if (!error)
		*out = r.moment;
	return error;
}

/* ------ what events get ------ */

/* What one run has of an input: its value there, and who made it if that is from the slice. */
struct seen {
	bool there;
	uint64_t value;
	uint32_t made; /* 0: it is not followed */
};

/* The run whose instance is looked at first: the changed one, if it has it. */
static unsigned exact_first(const struct exact_run *r, const struct exact_event *event)
{
	return event->instances[r->base] ? r->base : !r->base;
}

static const struct code_insn *exact_insn(const struct exact_run *r,
                                          const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return execution_insn(r->x->sides[side].execution, event->instances[side]);
}

/* The operand of an instruction for that; CODE_NO_OPERAND: none. */
static uint32_t exact_operand_of(const struct code_insn *insn, uint32_t role)
{
	uint32_t index = role - EXACT_LIST;

	switch (role) {
	case EXACT_A: return insn->a;
	case EXACT_B: return insn->b;
	case EXACT_C: return insn->c;
	case EXACT_CALLEE: return ((const struct code_call *)insn->more)->callee;
	default: break;
	}
	if (insn->op == CODE_EVAL)
		return ((const struct code_eval *)insn->more)->in[index].operand;
	if (insn->op == CODE_INDICES)
		return ((const struct code_indices *)insn->more)->at[index].operand;
	return ((const struct code_call *)insn->more)->arguments[index].operand;
}

/* --- values of the slice --- */

static bool is_followed(const struct exact *x, unsigned side, uint32_t to, uint32_t from)
{
	uint32_t count;
	const struct dual_edge *edges = exact_edges_to(x, side, to, &count);

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].from == from && !edges[i].size && !edges[i].control)
			return true;
	return false;
}

/* A call has the value that its callee returned. */
static uint32_t maker_of(const struct execution *e, uint32_t made)
{
	while (execution_insn(e, made)->op == CODE_CALL) {
		uint32_t source = execution_source(e, made);

		if (source & EXECUTION_GROUP || source < EXECUTION_FIRST)
			break;
		made = source;
	}
	return made;
}

static struct exact_value known(uint64_t word)
{
	return (struct exact_value){.word = word, .words = 1, .done = true};
}

/* What an instance of the slice made now. Not `done`: it was not executed. */
static struct exact_value made_now(const struct exact_run *r, unsigned side, uint32_t made)
{
	uint32_t maker = maker_of(r->x->sides[side].execution, made);
	uint32_t event = exact_event_of(r->x, side, maker), base;

	if (event == EXACT_NONE)
		return known(exact_made(r->x, side, made));
	if (r->values[event].done || !exact_is_before(r->x, side, maker, r->times[side]))
		return r->values[event];
	/* It waits in a register, and is what the changed run has there. */
	base = side == r->base ? made : dual_counterpart(r->x->dual, side, made);
	return base ? known(exact_made(r->x, r->base, base))
	            : (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
}

/* --- operands --- */

/* Is it a call that the instance's function, or a caller of it, was called by? Such a call only
   passed something on: a constant. */
static bool is_caller(const struct execution *e, uint32_t instance, uint32_t call)
{
	uint32_t count;
	const struct execution_frame *frames = execution_frames(e, &count);
	const struct execution_frame *frame = &frames[execution_segment(e, instance)->frame];

	while (frame->call > call && frame->caller)
		frame = &frames[frame->caller - 1];
	return frame->call == call || frame->within == call;
}

static struct seen look(const struct exact_run *r, unsigned side, uint32_t instance, uint32_t role)
{
	const struct execution *e = r->x->sides[side].execution;
	struct seen seen = {.there = instance != 0};
	uint32_t operand;

	if (!instance)
		return seen;
	operand = exact_operand_of(execution_insn(e, instance), role);
	seen.value = exact_operand(r->x, side, instance, operand, &seen.made);
	if (seen.made < EXECUTION_FIRST || is_caller(e, instance, seen.made) ||
	    !is_followed(r->x, side, instance, seen.made))
		seen.made = 0;
	return seen;
}

/* Words of a value: kept, and read again. */
static void exact_keep(struct exact_run *r, struct exact_value *value, const uint64_t *bits,
                       uint32_t words)
{
	value->word = bits[0];
	value->words = (uint8_t)words;
	if (words > 1)
		value->more = r->wide.size + 1;
	for (uint32_t w = 0; words > 1 && w < words; w++)
		*vec_push(&r->wide) = bits[w];
}

/* An operand. `words`: how many it has. */
static struct exact_value exact_input(struct exact_run *r, const struct exact_event *event,
                                      uint32_t role, uint32_t words)
{
	unsigned first = exact_first(r, event);
	struct seen seen[2];

	for (unsigned side = 0; side < 2; side++)
		seen[side] = look(r, side, event->instances[side], role);
	for (unsigned n = 0; n < 2; n++) {
		unsigned side = n ? !first : first;
		struct exact_value value;

		if (!seen[side].there || !seen[side].made)
			continue;
		value = made_now(r, side, seen[side].made);
		if (value.done)
			return value;
	}
	/* Neither run made it on this way. */
	if (seen[first].made && (!seen[!first].there || seen[!first].made))
		return (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
	if (seen[first].made)
		first = !first;
	if (words > 1) {
		/* All words as they were in that run. */
		uint32_t instance = event->instances[first];
		const struct code_insn *insn =
			execution_insn(r->x->sides[first].execution, instance);
		uint64_t bits[CODE_WORDS] = {0};
		struct exact_value value = {.done = true};

		if (!exact_wide_operand(r->x, first, instance, exact_operand_of(insn, role), words,
		                        bits))
			value.taint = EXACT_UNKNOWN;
		exact_keep(r, &value, bits, words);
		return value;
	}
	return known(seen[first].value);
}

static uint64_t exact_word(const struct exact_run *r, const struct exact_value *value,
                           uint32_t index)
{
	if (value->more)
		return index < value->words ? r->wide.at[value->more - 1 + index] : 0;
	return index ? 0 : value->word;
}

/* What a phi takes. */
static struct exact_value exact_chosen(struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);
	uint32_t instance, source;

	if (event->behind && r->ways[event->behind - 1] >= 0 &&
	    event->instances[r->ways[event->behind - 1]])
		side = (unsigned)r->ways[event->behind - 1];
	instance = event->instances[side];
	source = execution_source(r->x->sides[side].execution, instance);
	if (source >= EXECUTION_FIRST && is_followed(r->x, side, instance, source)) {
		struct exact_value value = made_now(r, side, source);

		value.taint = value.done ? value.taint : EXACT_UNKNOWN;
		return value;
	}
	if (exact_insn(r, event)->words > 1)
		return (struct exact_value){.taint = EXACT_UNKNOWN, .done = true};
	return known(exact_made(r->x, side, instance));
}

/* --- all inputs --- */

/* Was it written before the point, or is it from outside the program? */
static bool is_before(const struct exact_run *r, unsigned side, uint32_t instance)
{
	return instance < EXECUTION_FIRST || exact_is_before(r->x, side, instance, r->times[side]);
}

static bool read_at(struct exact_run *r, unsigned side, const struct dual_edge *edge,
                    uint64_t place, struct exact_byte *out)
{
	uint32_t event;

	if (is_before(r, side, edge->from)) {
		/* As it was at the point: replaced, as the changed run has it, or where that has
		   nothing, the other. */
		*out = exact_get(&r->memory, place);
		if (out->writer == EXACT_NOBODY)
			*out = exact_get(&r->moment->memory[r->base], place);
		if (out->writer == EXACT_NOBODY)
			*out = exact_get(&r->moment->memory[!r->base], place);
		if (out->writer == EXACT_NOBODY)
			*out = (struct exact_byte){.taint = EXACT_UNKNOWN, .writer = EXACT_BEFORE};
		return out->writer == EXACT_BEFORE;
	}
	event = exact_event_of(r->x, side, edge->from);
	/* A call that has not returned: what it has done so far nobody knows. */
	for (uint32_t i = 0; event != EXACT_NONE && i < r->open.size; i++)
		if (r->open.at[i] == event) {
			*out = (struct exact_byte){.taint = EXACT_UNKNOWN,
			                           .writer = EXACT_FIRST + event};
			return true;
		}
	*out = exact_get(&r->memory, place);
	return event != EXACT_NONE && out->writer == EXACT_FIRST + event;
}

/* The byte that an edge goes through, if it is from where it was in that run; else false. */
static bool exact_read_edge(struct exact_run *r, unsigned side, const struct dual_edge *edge,
                            uint64_t k, struct exact_byte *out)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t instance = edge->from >= EXECUTION_FIRST ? edge->from : edge->to;
	uint64_t place = exact_place(r->x, side, instance, s->written[edge - s->edges]);

	return read_at(r, side, edge, place + k, out);
}

static bool same_bytes(struct exact_run *r, unsigned side, const struct dual_edge *edge,
                       uint8_t *taint)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t before = s->before[edge - s->edges];

	for (uint64_t k = 0; k < edge->size; k++) {
		struct exact_byte byte;

		if (!exact_read_edge(r, side, edge, k, &byte))
			return false;
		if (byte.taint > *taint)
			*taint = byte.taint;
		if (byte.taint || before == EXACT_NONE || byte.byte != s->bytes[before + k])
			return false;
	}
	return true;
}

/* Has all that the event gets from the slice the values that it had in that run? `taint` becomes
   that of what it got, if that is worse. */
static bool exact_same(struct exact_run *r, const struct exact_event *event, unsigned side,
                       uint8_t *taint)
{
	uint32_t instance = event->instances[side], count;
	const struct dual_edge *edges;

	if (!instance)
		return false;
	edges = exact_edges_to(r->x, side, instance, &count);
	for (uint32_t i = 0; i < count; i++) {
		struct exact_value value;

		if (edges[i].control)
			continue;
		if (!edges[i].size &&
		    (edges[i].from < EXECUTION_FIRST ||
		     is_caller(r->x->sides[side].execution, instance, edges[i].from)))
			continue;
		if (edges[i].size) {
			if (!same_bytes(r, side, &edges[i], taint))
				return false;
			continue;
		}
		value = made_now(r, side, edges[i].from);
		if (value.taint > *taint)
			*taint = value.taint;
		if (!value.done || value.taint || value.more ||
		    value.word != exact_made(r->x, side, edges[i].from))
			return false;
	}
	return true;
}

/* ------ bytes that events read ------ */

/* The edge through a byte that the instance read. */
static const struct dual_edge *edge_at(const struct exact_run *r, unsigned side, uint32_t instance,
                                       uint64_t address)
{
	uint32_t count;
	const struct dual_edge *edges = exact_edges_to(r->x, side, instance, &count);

	for (uint32_t i = 0; i < count; i++)
		if (edges[i].size && address >= edges[i].address &&
		    address - edges[i].address < edges[i].size)
			return &edges[i];
	return NULL;
}

/* As in that run: from the same place, or at least written by the same event. */
static bool read_as(struct exact_run *r, unsigned side, const struct dual_edge *edge, uint64_t k,
                    uint64_t was, uint64_t is, struct exact_byte *out)
{
	if (was == is)
		return exact_read_edge(r, side, edge, k, out);
	return !is_before(r, side, edge->from) && read_at(r, side, edge, is, out);
}

/* --- what is not from the slice --- */

struct finding {
	uint64_t address;
	uint32_t source;
};

static void note_source(void *context, const struct execution_origin *origin)
{
	struct finding *f = context;

	if (origin->size && f->address >= origin->from && f->address - origin->from < origin->size)
		f->source = origin->source;
}

/* Has an event written there what the instance did not read in that run, though it was there before
   it? */
static bool is_in_between(const struct exact_run *r, unsigned side, uint32_t instance,
                          uint64_t address, uint64_t place)
{
	struct exact_byte byte = exact_get(&r->memory, place);
	struct finding f = {.address = address};
	uint32_t writer;

	if (byte.writer < EXACT_FIRST)
		return false;
	writer = r->x->events.at[byte.writer - EXACT_FIRST].instances[side];
	execution_origins(r->x->sides[side].execution, instance, 0, 0, note_source, &f);
	return !writer || f.source < writer;
}

/* --- all --- */

/* Byte `k` from `place` on, which the event reads by way of the operand. *out is written for
   EXACT_SLICE. */
static enum exact_origin exact_read(struct exact_run *r, const struct exact_event *event,
                                    uint32_t role, uint64_t place, uint64_t k,
                                    struct exact_byte *out)
{
	enum exact_origin origin = EXACT_NOWHERE;

	for (unsigned n = 0; n < 2; n++) {
		unsigned side = n ? !r->base : r->base;
		uint32_t instance = event->instances[side], made;
		const struct execution *e = r->x->sides[side].execution;
		const struct dual_edge *edge;
		/* Where the instance read by way of the operand, in its run and in the space of
		   both. */
		uint64_t address, was;

		if (!instance)
			continue;
		execution_operand(e, instance, exact_operand_of(execution_insn(e, instance), role),
		                  &address, &made);
		was = exact_place(r->x, side, instance, address);
		edge = edge_at(r, side, instance, address + k);
		if (edge &&
		    read_as(r, side, edge, address + k - edge->address, was + k, place + k, out))
			return EXACT_SLICE;
		if (!edge && was == place && origin == EXACT_NOWHERE &&
		    !is_in_between(r, side, instance, address + k, place + k))
			origin = side ? EXACT_TRACE_1 : EXACT_TRACE_0;
	}
	return origin;
}

/* ------ executes events of a dual slice ------ */

static uint8_t worse(uint8_t a, uint8_t b)
{
	return a > b ? a : b;
}

static struct exact_value as_traced(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return (struct exact_value){.word = exact_made(r->x, side, event->instances[side]),
	                            .words = 1};
}

/* --- computing --- */

static const struct eval *prepare(struct exact_run *r, const struct exact_event *event,
                                  const struct code_insn *insn)
{
	unsigned side = exact_first(r, event);
	LLVMValueRef instruction =
		execution_instruction(r->x->sides[side].execution, event->instances[side]);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	const struct eval *eval;

	if (insn->op == CODE_EVAL)
		return ((const struct code_eval *)insn->more)->eval;
	return eval_prepare(LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)), instruction,
	                    &r->arena, &eval)
	               ? NULL
	               : eval;
}

static int64_t sign_extend(uint64_t value, uint32_t bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* --- memory --- */

static struct exact_value load(struct exact_run *r, const struct exact_event *event,
                               const struct code_insn *insn)
{
	struct exact_value pointer = exact_input(r, event, EXACT_A, 1);
	struct exact_value out = {.taint = pointer.taint};
	uint64_t bits[CODE_WORDS] = {0}, traced[2][CODE_WORDS] = {{0}};
	bool known[2];

	for (unsigned side = 0; side < 2; side++)
		known[side] = event->instances[side] &&
		              exact_wide(r->x, side, event->instances[side], traced[side]);
	for (uint32_t k = 0; k < insn->bytes && k < sizeof(bits); k++) {
		struct exact_byte byte = {.taint = EXACT_CONFOUNDED};
		enum exact_origin from = exact_read(r, event, EXACT_A, pointer.word, k, &byte);

		if (from <= EXACT_TRACE_1) {
			byte.byte = ((const uint8_t *)traced[from])[k];
			byte.taint = known[from] ? EXACT_KNOWN : EXACT_UNKNOWN;
		}
		((uint8_t *)bits)[k] = byte.byte;
		out.taint = worse(out.taint, byte.taint);
	}
	if (insn->bytes <= 8 && insn->bits && insn->bits < 8 * insn->bytes)
		bits[0] &= (1ull << insn->bits) - 1;
	exact_keep(r, &out, bits, (insn->bytes + 7) / 8);
	return out;
}

/* Where nobody knows what was written, nothing is known any more. */
static bool can_write(struct exact_run *r, const struct exact_value *place)
{
	r->lost = worse(r->lost, place->taint);
	return !place->taint;
}

static struct exact_value store(struct exact_run *r, uint32_t number, const struct code_insn *insn)
{
	const struct exact_event *event = &r->x->events.at[number];
	uint32_t words = (insn->bytes + 7) / 8;
	struct exact_value value = exact_input(r, event, EXACT_A, words);
	struct exact_value place = exact_input(r, event, EXACT_B, 1);

	for (uint32_t k = 0; can_write(r, &place) && k < insn->bytes; k++) {
		struct exact_byte byte = {(uint8_t)(exact_word(r, &value, k / 8) >> k % 8 * 8),
		                          value.taint, EXACT_FIRST + number};

		exact_put(&r->memory, place.word + k, byte);
	}
	return value;
}

static struct exact_value fill(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	struct exact_value place = exact_input(r, event, EXACT_A, 1);
	struct exact_value value = exact_input(r, event, EXACT_B, 1);
	struct exact_value size = exact_input(r, event, EXACT_C, 1);

	r->lost = worse(r->lost, size.taint);
	for (uint64_t k = 0; can_write(r, &place) && !size.taint && k < size.word; k++)
		exact_put(&r->memory, place.word + k,
		          (struct exact_byte){(uint8_t)value.word, value.taint,
		                              EXACT_FIRST + number});
	return size;
}

/* What an instance of that run put somewhere, as far as the slice needs it. */
static void put_traced(struct exact_run *r, uint32_t number, unsigned side, uint8_t taint)
{
	const struct exact_side *s = &r->x->sides[side];
	uint32_t instance = r->x->events.at[number].instances[side], count;
	const uint32_t *edges = exact_edges_from(r->x, side, instance, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct dual_edge *edge = &s->edges[edges[i]];
		uint64_t place = exact_place(r->x, side, instance, s->written[edges[i]]);

		for (uint64_t k = 0; k < edge->size; k++)
			exact_put(&r->memory, place + k,
			          (struct exact_byte){s->bytes[s->after[edges[i]] + k], taint,
			                              EXACT_FIRST + number});
	}
}

static struct exact_value copy(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	struct exact_value to = exact_input(r, event, EXACT_A, 1);
	struct exact_value from = exact_input(r, event, EXACT_B, 1);
	struct exact_value size = exact_input(r, event, EXACT_C, 1);

	r->lost = worse(r->lost, size.taint);
	if (!can_write(r, &to) || size.taint)
		return size;
	/* What is not from the slice is as in the trace, as far as anybody reads it. */
	put_traced(r, number, !exact_first(r, event), from.taint);
	put_traced(r, number, exact_first(r, event), from.taint);
	for (uint64_t k = 0; k < size.word; k++) {
		struct exact_byte byte = {.taint = EXACT_CONFOUNDED};

		if (exact_read(r, event, EXACT_B, from.word, k, &byte) <= EXACT_TRACE_1)
			continue;
		byte.taint = worse(byte.taint, from.taint);
		byte.writer = EXACT_FIRST + number;
		exact_put(&r->memory, to.word + k, byte);
	}
	return size;
}

/* --- what only a trace tells --- */

/* Does what it did in the runs in which it got the same; what only one of them needs is put as
   well. */
static struct exact_value repeat(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	unsigned first = exact_first(r, event), side = first;
	struct exact_value out = {.words = 1, .taint = EXACT_UNKNOWN};
	uint8_t taint = EXACT_UNKNOWN;

	for (unsigned n = 0; n < 2; n++) {
		unsigned tried = n ? first : !first;

		if (!exact_same(r, event, tried, &taint))
			continue;
		put_traced(r, number, tried, EXACT_KNOWN);
		side = tried;
		out.taint = EXACT_KNOWN;
	}
	if (out.taint) {
		out.taint = taint;
		put_traced(r, number, first, taint);
	}
	out.word = exact_made(r->x, side, event->instances[side]);
	if (execution_insn(r->x->sides[side].execution, event->instances[side])->words > 1)
		out.taint = worse(out.taint, EXACT_UNKNOWN);
	return out;
}

/* --- ways --- */

/* Would the branch of that run go as it went there? */
static bool goes_as(const struct exact_run *r, const struct exact_event *event, unsigned side,
                    const struct exact_value *value)
{
	const struct execution *e = r->x->sides[side].execution;
	uint32_t instance = event->instances[side], code, block;
	const struct code_function *f;

	if (execution_insn(e, instance)->op == CODE_JUMP)
		return value->word == exact_made(r->x, side, instance);
	code = execution_code(e, instance);
	f = code_of(execution_code_table((struct execution *)e), code);
	block = code_block(f, code - f->first);
	return plan_branch_successor(f->plan, block, value->word) ==
	       plan_branch_successor(f->plan, block, execution_value(e, instance));
}

static bool calls_as(const struct exact_run *r, const struct exact_event *event, unsigned side,
                     const struct exact_value *callee)
{
	const struct code_insn *insn =
		execution_insn(r->x->sides[side].execution, event->instances[side]);
	uint32_t made;

	return callee->word == exact_operand(r->x, side, event->instances[side],
	                                     exact_operand_of(insn, EXACT_CALLEE), &made);
}

static struct exact_value decide(struct exact_run *r, const struct exact_event *event)
{
	bool calls = exact_insn(r, event)->op == CODE_CALL;
	struct exact_value value = exact_input(r, event, calls ? EXACT_CALLEE : EXACT_A, 1);
	bool found = false;

	r->lost = worse(r->lost, value.taint);
	for (unsigned side = 0; side < 2 && !value.taint; side++)
		if (event->instances[side] &&
		    (calls ? calls_as(r, event, side, &value) : goes_as(r, event, side, &value))) {
			found = true;
			if (event->fork)
				r->ways[event->fork - 1] = (int8_t)side;
		}
	if (!found && !value.taint)
		r->lost = EXACT_CONFOUNDED;
	return value;
}

/* --- all --- */

static uint32_t returned_words(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	return exact_operand_words(r->x->sides[side].execution, event->instances[side]);
}

static struct exact_value execute(struct exact_run *r, uint32_t number)
{
	const struct exact_event *event = &r->x->events.at[number];
	const struct code_insn *insn = exact_insn(r, event);
	unsigned side = exact_first(r, event);

	switch ((enum code_op)insn->op) {
	case CODE_MOVE: return exact_input(r, event, EXACT_A, 1);
	case CODE_STEP:
	case CODE_INDEX:
	case CODE_INDICES: {
		const struct code_indices *more = insn->more;
		struct exact_value out = exact_input(r, event, EXACT_A, 1);

		out.word += (uint64_t)insn->imm;
		if (insn->op == CODE_INDEX) {
			struct exact_value index = exact_input(r, event, EXACT_B, 1);

			out.word += (uint64_t)sign_extend(index.word, insn->from) * insn->scale;
			out.taint = worse(out.taint, index.taint);
		}
		for (uint32_t k = 0; insn->op == CODE_INDICES && k < more->count; k++) {
			struct exact_value index = exact_input(r, event, EXACT_LIST + k, 1);

			out.word += (uint64_t)(sign_extend(index.word, more->at[k].bits) *
			                       more->at[k].scale);
			out.taint = worse(out.taint, index.taint);
		}
		return out;
	}
	case CODE_PHI: return exact_chosen(r, event);
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return load(r, event, insn);
	case CODE_STORE:
	case CODE_STORE_WIDE: return store(r, number, insn);
	case CODE_COPY: return copy(r, number);
	case CODE_FILL: return fill(r, number);
	case CODE_RETURN:
		return insn->a == CODE_NO_OPERAND
		               ? (struct exact_value){0}
		               : exact_input(r, event, EXACT_A, returned_words(r, event));
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_JUMP: return decide(r, event);
	case CODE_CALL:
		if (event->fork)
			return decide(r, event);
		break;
	default:
		if ((insn->op >= CODE_ADD && insn->op <= CODE_SEXT) || insn->op == CODE_EVAL) {
			const struct code_eval *more = insn->op == CODE_EVAL ? insn->more : NULL;
			const struct eval *eval = prepare(r, event, insn);
			uint32_t count = more ? more->count : insn->op >= CODE_TRUNC ? 1 : 2;
			uint64_t in[CODE_OPERANDS][CODE_WORDS] = {{0}}, none[CODE_WORDS] = {0};
			uint64_t bits[CODE_WORDS] = {0}, undefined[CODE_WORDS] = {0};
			struct eval_value operands[CODE_OPERANDS], result = {bits, undefined};
			struct exact_value out = {.words = insn->words,
			                          .taint = eval ? 0 : EXACT_UNKNOWN};

			for (uint32_t k = 0; k < count; k++) {
				uint32_t words = more ? more->in[k].words : 1;
				struct exact_value value = exact_input(
					r, event, more ? EXACT_LIST + k : EXACT_A + k, words);

				for (uint32_t w = 0; w < words; w++)
					in[k][w] = exact_word(r, &value, w);
				operands[k] = (struct eval_value){in[k], none};
				out.taint = worse(out.taint, value.taint);
			}
			if (out.taint)
				return out;
			/* A division that traps: the run would end here. */
			if (!eval_run(eval, operands, &result))
				out.taint = EXACT_CONFOUNDED;
			exact_keep(r, &out, bits, insn->words);
			return out;
		}
	}
	if (exact_is_opaque(r->x->sides[side].execution, event->instances[side]))
		return repeat(r, number);
	return as_traced(r, event);
}

/* Executes an event. */
static void exact_execute(struct exact_run *r, uint32_t number)
{
	struct exact_value value = execute(r, number);

	value.done = true;
	r->values[number] = value;
}

/* ------ a question to the exact model ------ */

/* What is replaced, what is executed, what the goal shows. */

/* --- what is executed --- */

static bool is_executed(const struct exact_run *r, const struct exact_event *event)
{
	unsigned side = exact_first(r, event);

	if (exact_is_before(r->x, side, event->instances[side], r->times[side]))
		return false;
	if (event->instances[!side])
		return true;
	if (event->region && r->ways[event->region - 1] >= 0)
		return side == (unsigned)r->ways[event->region - 1];
	return side == r->base;
}

/* Is it at or after these times? */
static bool is_after(const struct exact *x, const struct exact_event *event,
                     const uint64_t times[2])
{
	unsigned side = event->instances[0] ? 0 : 1;

	return !exact_is_before(x, side, event->instances[side], times[side]);
}

/* Do callbacks belong to it? */
static bool calls_back(const struct exact *x, const struct exact_event *event)
{
	for (unsigned side = 0; side < 2; side++)
		if (event->instances[side] &&
		    exact_until(x->sides[side].execution, event->instances[side]) >
		            event->instances[side] + 1)
			return true;
	return false;
}

/* Does the call return before the event, where NULL comes after all? */
static bool is_over(const struct exact *x, const struct exact_event *call,
                    const struct exact_event *event)
{
	for (unsigned side = 0; event && side < 2; side++)
		if (call->instances[side] && event->instances[side])
			return event->instances[side] >=
			       exact_until(x->sides[side].execution, call->instances[side]);
	return !event;
}

static void close_calls(struct exact_run *r, const struct exact_event *event)
{
	while (r->open.size && !r->lost) {
		uint32_t last = r->open.at[r->open.size - 1];

		if (!is_over(r->x, &r->x->events.at[last], event))
			return;
		exact_execute(r, last);
		r->open.size--;
	}
}

/* Executes what comes next, up to that point; NULL: all. */
static void run(struct exact_run *r, const uint64_t until[2])
{
	for (; r->next < r->x->events.size && !r->lost; r->next++) {
		const struct exact_event *event = &r->x->events.at[r->next];

		close_calls(r, event);
		if (until && is_after(r->x, event, until))
			return;
		if (!is_executed(r, event))
			continue;
		if (calls_back(r->x, event))
			*vec_push(&r->open) = r->next;
		else
			exact_execute(r, r->next);
	}
	close_calls(r, NULL);
}

/* --- what is shown --- */

/* Which of the runs it is like so far, and what that is worth. */
struct likeness {
	bool like[2];
	uint8_t taint;
};

static void note(struct likeness *l, bool like_failing, bool like_reference, uint8_t taint)
{
	l->like[0] &= like_failing;
	l->like[1] &= like_reference;
	l->taint = taint > l->taint ? taint : l->taint;
}

/* --- what the slice began with --- */

/* Does the event that ends the statement show what it showed in that run? */
static bool shows_event(struct exact_run *r, uint32_t number, unsigned side, uint8_t *taint)
{
	const struct exact_event *event = &r->x->events.at[number];
	const struct exact_value *value = &r->values[number];

	if (!event->instances[side])
		return false;
	if (event->fork)
		return r->ways[event->fork - 1] == (int)side;
	if (exact_is_opaque(r->x->sides[side].execution, event->instances[side]))
		return exact_same(r, event, side, taint);
	*taint = value->taint > *taint ? value->taint : *taint;
	return value->word == exact_made(r->x, side, event->instances[side]);
}

/* Is the statement executed? */
static bool is_reached(const struct exact_run *r, unsigned side, uint64_t time)
{
	const struct alignment *a = r->x->alignment;
	const struct align_fork *fork = alignment_decided(a, side == 0, time);
	int way;

	if (!fork)
		return true;
	way = r->ways[fork - a->forks.at];
	return (way < 0 ? (int)r->base : way) == (int)side;
}

static bool shows_seed(struct exact_run *r, const struct dual_seed *seed, unsigned side,
                       uint8_t *taint)
{
	uint32_t last = EXACT_NONE; /* the others only compute something for it */

	if (!seed->times[side])
		return !is_reached(r, !side, seed->times[!side]);
	if (!is_reached(r, side, seed->times[side]))
		return false;
	for (uint32_t i = 0; i < r->x->events.size; i++)
		if (r->x->events.at[i].statements[side] == seed->times[side] &&
		    r->x->events.at[i].instances[side] && r->values[i].done)
			last = i;
	return last == EXACT_NONE || shows_event(r, last, side, taint);
}

/* In which run does it come first, when both have it, but not at the same point? */
static unsigned earlier(const struct exact *x, const struct dual_seed *seed)
{
	for (uint32_t i = 0; i < x->events.size; i++)
		for (unsigned side = 0; side < 2; side++)
			if (seed->times[side] &&
			    x->events.at[i].statements[side] == seed->times[side])
				return side;
	return 0;
}

/* --- all --- */

struct hence_error *exact_judge(struct exact *x, const struct hybrid_point *point, bool in_failing,
                                const struct dd_set *set, const struct hybrid_wanted *goal,
                                struct exact_judgement *out)
{
	const struct exact_moment *moment, *later = NULL;
	struct hence_error *error = exact_moment(x, point, &moment);
	struct likeness l = {.like = {true, true}};
	struct exact_run r;

	if (!error && goal && goal->later)
		error = exact_moment(x, goal->later, &later);
	if (error)
		return error;
	r = (struct exact_run){.x = x,
	                       .base = in_failing ? 0 : 1,
	                       .times = {moment->times[0], moment->times[1]},
	                       .moment = moment,
	                       .values = mem_alloc((x->events.size + 1) * sizeof(*r.values)),
	                       .ways = mem_alloc(x->alignment->forks.size + 1)};
	memset(r.ways, -1, x->alignment->forks.size);
	for (uint32_t i = 0; i < set->size; i++) {
		/* Gives the changed run what the other has, just the bits that an experiment would
		   change. */
		uint32_t index = dd_set_nth(set, i);
		const struct difference *d = &point->differences[index];
		const uint8_t *mask = exact_mask(point, index, r.base == 0);
		uint64_t size = r.base == 0 ? d->b_size : d->size;

		for (uint64_t k = 0; k < size; k++) {
			uint64_t place = exact_place_of(r.x, r.moment, d, k);
			struct exact_byte byte = exact_get(&r.moment->memory[!r.base], place);
			struct exact_byte old = exact_get(&r.memory, place);

			if (!old.writer)
				old = exact_get(&r.moment->memory[r.base], place);
			if (!byte.writer)
				continue;
			if (mask)
				byte.byte =
					(uint8_t)((byte.byte & mask[k]) | (old.byte & ~mask[k]));
			exact_put(&r.memory, place, byte);
		}
	}
	if (later) {
		run(&r, later->times);
		/* The values of differences at a later point, which is now. */
		for (uint32_t i = 0; i < goal->set->size; i++) {
			const struct difference *d =
				&goal->later->differences[dd_set_nth(goal->set, i)];

			for (uint64_t place = d->a_address; place < d->a_address + d->size;
			     place++) {
				struct exact_byte byte = exact_get(&r.memory, place);

				if (!byte.writer)
					byte = exact_get(&later->memory[r.base], place);
				note(&l, exact_get(&later->memory[0], place).byte == byte.byte,
				     exact_get(&later->memory[1], place).byte == byte.byte,
				     byte.taint);
			}
		}
	}
	if (!later || goal->fork_count)
		run(&r, NULL);
	if (goal) {
		for (uint32_t i = 0; i < goal->fork_count; i++) {
			int way = r.ways[goal->forks[i] - r.x->alignment->forks.at];

			note(&l, way == 0, way == 1, way < 0 ? EXACT_UNKNOWN : EXACT_KNOWN);
		}
	} else {
		/* Where one run ends, as it does in a crash, the other goes on. */
		for (uint32_t i = 0; i < r.x->seed_count; i++) {
			const struct dual_seed *seed = &r.x->seeds[i];
			unsigned first = earlier(r.x, seed);
			uint8_t taint = EXACT_KNOWN;
			bool shows[2];

			shows[first] = shows_seed(&r, seed, first, &taint);
			shows[!first] = shows_seed(&r, seed, !first, &taint);
			if (shows[first] && seed->times[0] && seed->times[1] &&
			    alignment_of_a(r.x->alignment, seed->times[0]) != seed->times[1])
				shows[!first] = false;
			note(&l, shows[0], shows[1], taint);
		}
	}
	note(&l, true, true, r.lost);
	*out = (struct exact_judgement){VERDICT_UNRESOLVED, l.taint == EXACT_CONFOUNDED,
	                                l.taint == EXACT_UNKNOWN};
	if (!l.taint && l.like[0] != l.like[1])
		out->verdict = l.like[0] ? VERDICT_FAIL : VERDICT_PASS;
	exact_words_deinit(&r.memory);
	free(r.values);
	free(r.ways);
	vec_deinit(&r.wide);
	vec_deinit(&r.open);
	arena_deinit(&r.arena);
	return NULL;
}

/* --- bytes that traces do not keep --- */

struct finding_causes {
	const struct exact_side *side;
	const struct dual_edge *edges;
	uint32_t count;
};

static void note_written(void *context, const struct execution_origin *origin)
{
	const struct finding_causes *f = context;

	for (uint32_t i = 0; origin->size && i < f->count; i++) {
		const struct dual_edge *edge = &f->edges[i];

		if (edge->size && edge->from == origin->source && origin->written &&
		    edge->address >= origin->from && edge->address - origin->from < origin->size)
			f->side->written[edge - f->side->edges] =
				origin->written + (edge->address - origin->from);
	}
}

static void find_written(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	struct finding_causes f = {.side = s};

	for (uint32_t i = 0; i < s->edge_count; i++)
		s->written[i] = s->edges[i].address;
	for (uint32_t i = 0; i < s->edge_count; i += f.count) {
		f.edges = exact_edges_to(x, side, s->edges[i].to, &f.count);
		execution_origins(s->execution, s->edges[i].to, 0, 0, note_written, &f);
	}
}

static int by_from(const void *a, const void *b, void *edges)
{
	const struct dual_edge *e = edges;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (e[x].from != e[y].from)
		return e[x].from < e[y].from ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct hence_error *take_bytes(struct exact *x, unsigned side)
{
	struct exact_side *s = &x->sides[side];
	struct exact_requests requests = {0};
	struct hence_error *error;
	uint8_t *unknown;

	for (uint32_t i = 0; i < s->edge_count; i++) {
		const struct dual_edge *edge = &s->edges[i];

		s->before[i] = s->after[i] = EXACT_NONE;
		if (!edge->size)
			continue;
		if (exact_is_opaque(s->execution, edge->to))
			s->before[i] = exact_ask(
				&requests, &(struct exact_request){
						   dual_statement(x->dual, side, edge->to), false,
						   edge->address, edge->size, edge->to, 0});
		/* Does an instance put bytes somewhere that do not follow from its value? */
		if (edge->from < EXECUTION_FIRST ||
		    !(execution_insn(s->execution, edge->from)->op == CODE_COPY ||
		      exact_is_opaque(s->execution, edge->from)))
			continue;
		s->after[i] = exact_ask(
			&requests,
			&(struct exact_request){dual_statement(x->dual, side, edge->from), true,
		                                s->written[i], edge->size, edge->from, 0});
		s->from[s->from_count++] = i;
	}
	for (uint32_t i = 0; i < s->count; i++) {
		/* Asks for what wide loads read whose values this instance of the slice may need.
		   */
		uint32_t instance = s->instances[i];
		struct asking a = {x, side, instance, &requests};

		ask_maker(&a, instance);
		each_wide(x->sides[side].execution, instance, ask_operand, &a);
	}
	qsort_r(s->from, s->from_count, sizeof(*s->from), by_from, (void *)s->edges);
	error = exact_take(x, side, &requests, &s->bytes, &unknown);
	free(unknown);
	vec_deinit(&requests.at);
	return error;
}

/* --- all --- */

static struct hence_error *check_size(const struct exact *x)
{
	uint32_t size = x->sides[0].count + x->sides[1].count;

	if (size <= MOST)
		return NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "the dual slice has %u instructions, more than the %u that the exact "
	                    "model can evaluate; leave --exact out",
	                    size, MOST);
}

void exact_destroy(struct exact *x)
{
	if (!x)
		return;
	for (uint32_t i = 0; i < x->moments.size; i++) {
		exact_words_deinit(&x->moments.at[i]->memory[0]);
		exact_words_deinit(&x->moments.at[i]->memory[1]);
		free(x->moments.at[i]);
	}
	for (unsigned side = 0; side < 2; side++) {
		free(x->sides[side].written);
		free(x->sides[side].before);
		free(x->sides[side].after);
		free(x->sides[side].bytes);
		exact_offsets_deinit(&x->sides[side].wide);
		free(x->sides[side].from);
		free(x->sides[side].instances);
		free(x->sides[side].events);
	}
	vec_deinit(&x->moments);
	vec_deinit(&x->events);
	free(x);
}

/* Makes events of the instances: those of both runs at aligned statements are one. */
static void join(struct exact *x)
{
	struct joining j = {.x = x};

	for (uint32_t i = 0; i < x->alignment->spans.size; i++) {
		const struct align_span *span = &x->alignment->spans.at[i];

		take_alone(&j, 0, span->a);
		take_alone(&j, 1, span->b);
		take_span(&j, span);
	}
	take_alone(&j, 0, UINT64_MAX);
	take_alone(&j, 1, UINT64_MAX);
}

/* Notes which fork an event decides, comes after, or lies in a region of. An instance of one run alone may belong to
   the statement at which the ways meet again: its block has none of its own. */
static void note_forks(struct exact *x)
{
	for (uint32_t i = 0; i < x->events.size; i++) {
		struct exact_event *event = &x->events.at[i];
		bool both = event->instances[0] && event->instances[1];
		unsigned side = event->instances[0] ? 0 : 1;
		uint64_t time = event->statements[side];

		for (uint32_t index = fork_before(x, event), n = 0; index && n < 2; index--, n++) {
			const struct align_fork *fork = &x->alignment->forks.at[index - 1];
			uint64_t begin = side ? fork->b : fork->a,
				 end = side ? fork->b_end : fork->a_end;

			if (both && decides(x, event, fork))
				event->fork = index;
			if (both && time == end)
				event->behind = index;
			if (!both && time > begin && time <= end)
				event->region = index;
		}
	}
}

struct hence_error *exact_create(const struct recording *failing, const struct recording *reference,
                                 const struct alignment *alignment, const struct dual *dual,
                                 const struct dual_seed *seeds, uint32_t count, struct exact **out)
{
	struct exact *x = mem_alloc(sizeof(*x));
	struct hence_error *error;

	x->alignment = alignment;
	x->dual = dual;
	x->seeds = seeds;
	x->seed_count = count;
	x->sides[0].run = failing;
	x->sides[1].run = reference;
	exact_list(x, 0);
	exact_list(x, 1);
	error = check_size(x);
	for (unsigned side = 0; side < 2 && !error; side++) {
		struct exact_side *s = &x->sides[side];

		s->edges = dual_edges(x->dual, side, &s->edge_count);
		s->written = mem_alloc((s->edge_count + 1ull) * sizeof(*s->written));
		s->before = mem_alloc((s->edge_count + 1ull) * sizeof(*s->before));
		s->after = mem_alloc((s->edge_count + 1ull) * sizeof(*s->after));
		s->from = mem_alloc((s->edge_count + 1ull) * sizeof(*s->from));
		find_written(x, side);
		error = take_bytes(x, side);
	}
	if (error) {
		exact_destroy(x);
		return error;
	}
	join(x);
	note_forks(x);
	*out = x;
	return NULL;
}
