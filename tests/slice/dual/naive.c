/*
 * naive MODELS FOLDER A B: the dual slice of tapes A and B of the session, by the definition and slowly, compared
 * with what src/slice says; from the last statements of the runs and from some in between. All that is known about an
 * instance is written into tables first, then the definition is a recursion over pairs (instance, bytes). Shares no
 * code with src/slice. Linked with hence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "outside/table.h"
#include "slice/dual.h"

#define SEEDS 5  /* of each run */
#define CALLS 12 /* the last ones */

/* Bytes that something other than a store wrote, with those that are undefined. */
struct written {
	uint32_t instance;
	uint64_t at, size;
	uint8_t *bytes, *undefined;
};

struct side {
	struct recording run;
	struct execution *e;
	const struct execution_segment *segments;
	const struct execution_frame *frames;
	uint32_t first, end, frame_count;
	uint64_t statements;
	uint32_t *ends;          /* of each statement its last instance */
	uint64_t *times;         /* of each instance */
	uint8_t *again;          /* a call that returned once more */
	uint32_t *pairs;         /* of each instance the aligned one */
	uint32_t *pcs, *segment; /* of each instance */
	VEC(struct written) writes;
	uint32_t *in; /* of each instance: 1 + index of the last visit; 0: it is not in the slice */
	bool given;
};

static struct side sides[2];
static struct alignment al;

static void must(struct hence_error *error)
{
	if (!error)
		return;
	fprintf(stderr, "naive: %s\n", error->message);
	exit(1);
}

/* --- tables --- */

static void on_write(void *context, struct execution *e, uint32_t instance, uint64_t at,
                     uint64_t size)
{
	struct side *s = context;
	struct written *w;

	if (!size)
		return;
	w = vec_push(&s->writes);
	*w = (struct written){instance, at, size, mem_alloc(size), mem_alloc(size)};
	memory_read(execution_memory(e), at, size, w->bytes);
	memory_read_undefined(execution_memory(e), at, size, w->undefined);
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct side *s = context;
	const struct activation *a = execution_top(e, 0);
	bool call = a->function->insns[a->pc - 1].op == CODE_CALL;

	(void)event;
	if (!s->given)
		for (uint32_t i = 1; i <= execution_objects(e)->all.size; i++) {
			const struct object *o = objects_at(execution_objects(e), i);

			if (o->kind == OBJECT_GIVEN)
				on_write(s, e, SOURCE_GIVEN, o->address, o->size);
		}
	s->given = true;
	if (number > s->statements) {
		s->ends = mem_resize(s->ends, (number + 1) * sizeof(*s->ends));
		memset(s->ends + s->statements + 1, 0, (number - s->statements) * sizeof(*s->ends));
		s->statements = number;
	}
	if (!s->ends[number])
		s->ends[number] = call ? a->call : execution_next(e) - 1;
}

static const struct code_function *function_of(const struct side *s, uint32_t i)
{
	return execution_code_table(s->e)
	        ->functions.at[s->frames[s->segments[s->segment[i]].frame].function];
}

static const struct code_insn *insn_of(const struct side *s, uint32_t i)
{
	return &function_of(s, i)->insns[s->pcs[i]];
}

/* An instance waits until its frame ends a statement. */
static void find_times(struct side *s)
{
	uint32_t *waiting = mem_alloc(s->frame_count * sizeof(*waiting));
	uint32_t *before = mem_alloc(s->end * sizeof(*before));
	uint64_t next = 1;

	for (uint32_t i = s->first; i < s->end; i++) {
		uint32_t frame = s->segments[s->segment[i]].frame;
		bool ends = insn_of(s, i)->flags & CODE_STATEMENT;
		uint64_t time = 0;

		before[i] = waiting[frame];
		waiting[frame] = i;
		if (!ends)
			continue;
		while (next <= s->statements && s->ends[next] < i)
			next++;
		if (next <= s->statements && s->ends[next] == i)
			time = next;
		else
			s->again[i] = 1;
		for (uint32_t k = i; k; k = before[k])
			s->times[k] = time;
		waiting[frame] = 0;
	}
	for (uint32_t frame = 0; frame < s->frame_count; frame++)
		for (uint32_t k = waiting[frame]; k; k = before[k])
			s->times[k] = execution_died(s->e) ? s->statements + 1 : 0;
	free(waiting);
	free(before);
}

static void decode(struct side *s)
{
	struct execution_options options = {.table = s->run.table,
	                                    .retain = true,
	                                    .windows = true,
	                                    .statement = on_statement,
	                                    .wrote = on_write,
	                                    .context = s};
	uint32_t count;

	must(execution_create(s->run.modules, s->run.folder, s->run.tape, &options, &s->e));
	must(execution_run(s->e, NULL));
	execution_kept(s->e, &s->first, &s->end);
	s->segments = execution_segments(s->e, &count);
	s->frames = execution_frames(s->e, &s->frame_count);
	s->times = mem_alloc((s->end + 1) * sizeof(*s->times));
	s->again = mem_alloc(s->end + 1);
	s->pairs = mem_alloc((s->end + 1) * sizeof(*s->pairs));
	s->pcs = mem_alloc((s->end + 1) * sizeof(*s->pcs));
	s->segment = mem_alloc((s->end + 1) * sizeof(*s->segment));
	s->in = mem_alloc((s->end + 1) * sizeof(*s->in));
	for (uint32_t k = 0; k < count; k++)
		for (uint32_t i = s->segments[k].first;
		     i < (k + 1 < count ? s->segments[k + 1].first : s->end); i++) {
			s->segment[i] = k;
			s->pcs[i] = s->segments[k].code - function_of(s, i)->first +
			            (i - s->segments[k].first);
		}
	find_times(s);
}

/* The same instruction in the aligned statement. */
static void pair_up(struct side *a, struct side *b, bool first)
{
	VEC(uint32_t) *lists = mem_alloc((b->statements + 2) * sizeof(*lists));

	for (uint32_t i = b->first; i < b->end; i++)
		if (b->times[i])
			*vec_push(&lists[b->times[i]]) = i;
	for (uint32_t i = a->first; i < a->end; i++) {
		uint64_t time =
			first ? alignment_of_a(&al, a->times[i]) : alignment_of_b(&al, a->times[i]);

		for (uint32_t k = 0;
		     a->times[i] && time && time <= b->statements + 1 && k < lists[time].size;
		     k++) {
			uint32_t j = lists[time].at[k];

			if (function_of(a, i)->plan == function_of(b, j)->plan &&
			    a->pcs[i] == b->pcs[j])
				a->pairs[i] = j;
		}
		if (a->again[i] && execution_source(a->e, i) == i - 1 && a->pairs[i - 1]) {
			uint32_t j = a->pairs[i - 1] + 1;

			if (j < b->end && function_of(a, i)->plan == function_of(b, j)->plan &&
			    a->pcs[i] == b->pcs[j])
				a->pairs[i] = j;
		}
	}
	for (uint64_t t = 0; t < b->statements + 2; t++)
		vec_deinit(&lists[t]);
	free(lists);
}

/* --- objects --- */

static uint32_t object_at(const struct side *s, uint64_t address, uint32_t instance)
{
	const struct objects *all = execution_objects(s->e);
	uint32_t dead = 0;

	for (uint32_t n = all->all.size; n; n--) {
		const struct object *o = objects_at(all, n);

		if (address < o->address || address - o->address >= o->size || o->birth > instance)
			continue;
		if (!o->death || o->death > instance)
			return n;
		if (!dead || o->birth > objects_at(all, dead)->birth)
			dead = n;
	}
	return dead;
}

static uint32_t rank_of(const struct side *s, uint32_t number)
{
	const struct object *o = objects_at(execution_objects(s->e), number);
	uint32_t rank = 0;

	for (uint32_t n = 1; n < number; n++)
		if (objects_at(execution_objects(s->e), n)->birth == o->birth &&
		    (objects_at(execution_objects(s->e), n)->kind == OBJECT_HEAP ||
		     objects_at(execution_objects(s->e), n)->kind == OBJECT_DYNAMIC))
			rank++;
	return rank;
}

static bool correspond(uint32_t m, uint32_t n)
{
	const struct object *a = objects_at(execution_objects(sides[0].e), m);
	const struct object *b = objects_at(execution_objects(sides[1].e), n);

	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case OBJECT_HEAP:
	case OBJECT_DYNAMIC:
		return sides[0].pairs[a->birth] == b->birth &&
		       rank_of(&sides[0], m) == rank_of(&sides[1], n);
	case OBJECT_LOCAL:
	case OBJECT_BYVAL:
		return a->index == b->index && sides[0].frames[a->owner].first < sides[0].end &&
		       sides[0].pairs[sides[0].frames[a->owner].first] ==
		               sides[1].frames[b->owner].first;
	default: return a->owner == b->owner && a->index == b->index;
	}
}

static bool leads_to_same(const uint32_t at[2], const uint64_t words[2], unsigned back, bool *any)
{
	uint32_t m = object_at(&sides[0], words[0] - back, at[0]);
	uint32_t n = object_at(&sides[1], words[1] - back, at[1]);

	*any |= m || n;
	return m && n && correspond(m, n) &&
	       words[0] - objects_at(execution_objects(sides[0].e), m)->address ==
	               words[1] - objects_at(execution_objects(sides[1].e), n)->address;
}

/* Pointers that aligned outside calls returned. */
static bool are_returned(const uint64_t words[2])
{
	bool last = false;

	for (uint32_t k = 1; words[0] && words[1] && k <= execution_call_count(sides[0].e); k++) {
		uint32_t call = execution_call(sides[0].e, k)->instance,
			 other = sides[0].pairs[call];

		if (execution_insn(sides[0].e, call)->flags & CODE_POINTER && other &&
		    execution_value(sides[0].e, call) == words[0] &&
		    execution_value(sides[1].e, other))
			last = execution_value(sides[1].e, other) == words[1];
	}
	return last;
}

static bool same_word(const uint32_t at[2], const uint64_t words[2])
{
	bool any = false;

	if (leads_to_same(at, words, 0, &any) || leads_to_same(at, words, 1, &any))
		return true;
	return !any && (words[0] == words[1] || are_returned(words));
}

/* --- values --- */

static uint64_t address_of(unsigned side, uint32_t i)
{
	const struct code_insn *insn = insn_of(&sides[side], i);
	uint64_t value = 0;
	uint32_t made;

	execution_operand(sides[side].e, i,
	                  insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE ? insn->b : insn->a,
	                  &value, &made);
	return value;
}

static bool has_address(const struct code_insn *insn)
{
	return insn->op == CODE_STORE || insn->op == CODE_STORE_WIDE || insn->op == CODE_COPY ||
	       insn->op == CODE_FILL || insn->op == CODE_ATOMIC || insn->op == CODE_VA_START ||
	       insn->op == CODE_VA_COPY;
}

/* The last that an instance wrote to a byte; -1: nothing. Undefined bits are above. */
static int byte_of(const struct side *s, uint32_t instance, uint64_t at)
{
	int found = -1;

	for (uint32_t k = 0; k < s->writes.size; k++) {
		const struct written *w = &s->writes.at[k];

		if (w->instance == instance && at >= w->at && at - w->at < w->size)
			found = w->bytes[at - w->at] | w->undefined[at - w->at] << 8;
	}
	return found;
}

static bool is_zero(const struct side *s, uint32_t instance, uint64_t at)
{
	uint32_t n = object_at(s, at, instance);
	const struct object *o = n ? objects_at(execution_objects(s->e), n) : NULL;

	return o && o->kind == OBJECT_HEAP && o->zeroed && o->birth == instance;
}

/* Byte by byte, but for words that may be pointers. */
static bool same_written(const uint32_t i[2], const uint64_t at[2], uint64_t size)
{
	for (uint64_t k = 0; k < size; k++) {
		uint64_t words[2] = {0};
		int bytes[2] = {0};
		bool word = (at[0] + k) % 8 == 0 && (at[1] + k) % 8 == 0 && size - k >= 8;

		for (unsigned side = 0; side < 2; side++)
			for (unsigned n = 0; n < (word ? 8 : 1); n++) {
				int byte = byte_of(&sides[side], i[side], at[side] + k + n);

				bytes[side] = byte < 0               ? byte
				              : n && bytes[side] < 0 ? -1
				                                     : bytes[side] | byte >> 8;
				words[side] |= (uint64_t)(byte & 255) << 8 * n;
			}
		if (bytes[0] < 0 || bytes[1] < 0) {
			if (bytes[0] != bytes[1] || !is_zero(&sides[0], i[0], at[0] + k) ||
			    !is_zero(&sides[1], i[1], at[1] + k))
				return false;
		} else if (bytes[0] != bytes[1] ||
		           (word ? !same_word(i, words) : words[0] != words[1])) {
			return false;
		}
		k += word ? 7 : 0;
	}
	return true;
}

static bool translate(unsigned side, const uint32_t i[2], uint64_t at, uint64_t *out)
{
	uint32_t n = object_at(&sides[side], at, i[side]);
	const struct objects *all = execution_objects(sides[!side].e);

	for (uint32_t k = 1; n && k <= all->all.size; k++)
		if (side ? correspond(k, n) : correspond(n, k)) {
			*out = objects_at(all, k)->address + at -
			       objects_at(execution_objects(sides[side].e), n)->address;
			return true;
		}
	return false;
}

static bool elsewhere(unsigned side, const uint32_t i[2], uint64_t at, uint64_t *out)
{
	if (!has_address(insn_of(&sides[side], i[side])))
		return translate(side, i, at, out);
	*out = at - address_of(side, i[side]) + address_of(!side, i[!side]);
	return true;
}

static bool same_bytes(unsigned side, const uint32_t i[2], uint64_t at, uint64_t size);

struct list {
	VEC(struct execution_origin) at;
};

static void collect(void *context, const struct execution_origin *o)
{
	struct list *list = context;

	*vec_push(&list->at) = *o;
}

static struct list origins(unsigned side, uint32_t i, uint64_t from, uint64_t to)
{
	struct list list = {VEC_INIT};

	execution_origins(sides[side].e, i, from, to, collect, &list);
	return list;
}

static bool same_value(const uint32_t i[2], unsigned depth)
{
	const struct code_insn *insn = insn_of(&sides[0], i[0]);
	uint64_t words[2] = {execution_value(sides[0].e, i[0]), execution_value(sides[1].e, i[1])};
	struct list lists[2];
	bool same;

	if (!same_word(i, words))
		return false;
	if (insn->words <= 1 && !(insn->op == CODE_RETURN && insn->bytes > 8))
		return true;
	for (unsigned side = 0; side < 2; side++)
		lists[side] = origins(side, i[side], 0, 0);
	same = depth < 16 && lists[0].at.size == lists[1].at.size;
	for (uint32_t k = 0; same && k < lists[0].at.size; k++) {
		const struct execution_origin *a = &lists[0].at.at[k], *b = &lists[1].at.at[k];
		uint32_t from[2] = {a->source, b->source};

		if (a->source < EXECUTION_FIRST || b->source < EXECUTION_FIRST)
			same = a->source == b->source;
		else if (sides[0].pairs[a->source] != b->source)
			same = false;
		else if (a->size && !a->value)
			same = a->size == b->size && same_bytes(0, from, a->written, a->size);
		else
			same = same_value(from, depth + 1);
	}
	vec_deinit(&lists[0].at);
	vec_deinit(&lists[1].at);
	return same;
}

static bool same_bytes(unsigned side, const uint32_t i[2], uint64_t at, uint64_t size)
{
	const struct code_insn *insn = insn_of(&sides[side], i[side]);
	uint64_t where[2];

	/* The same place has another definition in the other run. */
	if (has_address(insn) && !(insn->flags & CODE_DIRECT)) {
		if (!translate(side, i, address_of(side, i[side]), &where[0]))
			where[0] = address_of(side, i[side]);
		if (where[0] != address_of(!side, i[!side]))
			return false;
	}
	if (insn->op == CODE_STORE) {
		uint64_t offset = at - address_of(side, i[side]);
		uint64_t a = execution_value(sides[0].e, i[0]),
			 b = execution_value(sides[1].e, i[1]);

		if (offset >= 8 || offset + size > 8 || size == 8)
			return same_value(i, 0);
		return !((a ^ b) >> 8 * offset << (64 - 8 * size));
	}
	if (insn->op != CODE_CALL && !has_address(insn))
		return same_value(i, 0);
	where[side] = at;
	return at && elsewhere(side, i, at, &where[!side]) && same_written(i, where, size);
}

/* --- the definition --- */

enum mode { ITSELF, VALUE, BYTES, EARLY };

struct visit {
	unsigned side;
	uint32_t i;
	enum mode mode;
	uint64_t from, to;
	uint32_t limit;
	uint32_t next; /* 1 + index of an earlier visit of the same instance */
};

static VEC(struct visit) visits; /* all that were made; those from `done` on are to be followed */

static void visit(unsigned side, uint32_t i, enum mode mode, uint64_t from, uint64_t to,
                  uint32_t limit)
{
	uint32_t other = sides[side].pairs[i], both[2];
	uint64_t there;

	if (mode == BYTES && (!from || !execution_copies(sides[side].e, i)))
		mode = VALUE;
	if (mode != BYTES)
		from = to = 0;
	for (uint32_t k = sides[side].in[i]; k; k = visits.at[k - 1].next) {
		const struct visit *v = &visits.at[k - 1];

		if (v->mode == mode && v->from == from && v->to == to && v->limit == limit)
			return;
	}
	*vec_push(&visits) = (struct visit){side, i, mode, from, to, limit, sides[side].in[i]};
	sides[side].in[i] = visits.size;
	if (!other)
		return;
	both[side] = i;
	both[!side] = other;
	if (mode == BYTES && !elsewhere(side, both, from, &there))
		visit(!side, other, VALUE, 0, 0, limit);
	else if (mode == EARLY)
		visit(!side, other, EARLY, 0, 0, sides[side].pairs[limit]);
	else
		visit(!side, other, mode, mode == BYTES ? there : 0,
		      mode == BYTES ? there + (to - from) : 0, limit);
}

/* The address that a load or a copy reads from; 0: it is none. */
static uint64_t reads_at(unsigned side, uint32_t i)
{
	const struct code_insn *insn = insn_of(&sides[side], i);
	bool loads = insn->op == CODE_LOAD || insn->op == CODE_LOAD_WIDE || insn->op == CODE_ATOMIC;
	uint64_t value = 0;
	uint32_t made;

	if (loads || insn->op == CODE_COPY || insn->op == CODE_VA_COPY)
		execution_operand(sides[side].e, i, loads ? insn->a : insn->b, &value, &made);
	return value;
}

/* Each byte of it from that source? */
static bool other_reads(unsigned side, uint32_t i, const struct execution_origin *o,
                        const struct list *others, uint32_t source)
{
	uint64_t here = reads_at(side, i), there = reads_at(!side, sides[side].pairs[i]), done = 0;
	uint32_t both[2];

	both[side] = i;
	both[!side] = sides[side].pairs[i];
	/* A call reads at the place that corresponds. */
	if (!here || !there) {
		here = there = o->from;
		if (object_at(&sides[side], o->from, i) && !translate(side, both, o->from, &there))
			there = 0;
	}
	for (uint32_t k = 0; k < others->at.size; k++) {
		const struct execution_origin *p = &others->at.at[k];

		if (p->source != source || p->chosen || (p->size != 0) != (o->size != 0))
			continue;
		if (!o->size || o->value)
			return true;
		for (uint64_t byte = o->from - here; byte < o->from - here + o->size; byte++)
			done += there && byte + there >= p->from &&
			        byte + there < p->from + p->size;
	}
	return o->size && done >= o->size;
}

static bool is_different(unsigned side, uint32_t i, const struct execution_origin *o,
                         const struct list *others)
{
	struct side *s = &sides[side];
	uint32_t other = s->pairs[i], both[2];
	uint64_t at[2];

	if (other && !other_reads(side, i, o, others,
	                          o->source < EXECUTION_FIRST ? o->source : s->pairs[o->source]))
		return true;
	both[side] = o->source;
	both[!side] = o->source < EXECUTION_FIRST ? o->source : s->pairs[o->source];
	if (o->source == SOURCE_GIVEN && o->size) {
		at[side] = o->from;
		return !translate(side, both, o->from, &at[!side]) ||
		       !same_written(both, at, o->size);
	}
	if (o->source < EXECUTION_FIRST) {
		both[side] = i;
		both[!side] = other;
		if (other && (insn_of(s, i)->op == CODE_LOAD || o->source == SOURCE_GIVEN))
			return !same_value(both, 0);
		return o->source != SOURCE_INITIAL && o->source != SOURCE_UNDEFINED;
	}
	if (!both[!side])
		return true;
	if (o->itself)
		return false;
	if (o->size && !o->value)
		return !o->written || !same_bytes(side, both, o->written, o->size);
	return !same_value(both, 0);
}

/* The first instruction of the block that the function went on with. */
static uint32_t way(const struct side *s, uint32_t branch)
{
	uint32_t frame = s->segments[s->segment[branch]].frame;

	for (uint32_t i = branch + 1; i < s->end; i++)
		if (s->segments[s->segment[i]].frame == frame)
			return s->pcs[i];
	return UINT32_MAX;
}

static const struct plan_function *called(const struct side *s, uint32_t call)
{
	for (uint32_t k = 0; k < s->frame_count; k++)
		if (s->frames[k].call == call)
			return execution_code_table(s->e)
			        ->functions.at[s->frames[k].function]
			        ->plan;
	return NULL;
}

static bool decides(unsigned side, uint32_t by)
{
	struct side *s = &sides[side], *t = &sides[!side];
	uint32_t other = s->pairs[by];

	if (!other)
		return true;
	if (insn_of(s, by)->op == CODE_CALL)
		return called(s, by) != called(t, other);
	if (insn_of(s, by)->op == CODE_BRANCH)
		return execution_value(s->e, by) != execution_value(t->e, other);
	return way(s, by) != way(t, other);
}

static void control(unsigned side, uint32_t by)
{
	visit(side, by, insn_of(&sides[side], by)->op == CODE_CALL ? ITSELF : VALUE, 0, 0,
	      UINT32_MAX);
}

static void why(unsigned side, uint32_t i)
{
	struct side *s = &sides[side];
	uint32_t parent = s->segments[s->segment[i]].parent;
	uint64_t time = 0;

	if (parent && decides(side, parent)) {
		control(side, parent);
		return;
	}
	for (uint32_t k = 0; k < al.forks.size; k++) {
		const struct align_fork *f = &al.forks.at[k];
		uint64_t at = side ? f->b : f->a, end = side ? f->b_end : f->a_end;

		if (at < s->times[i] && s->times[i] < end)
			time = at;
	}
	if (time)
		control(side, s->ends[time]);
}

/* Has the outside call not returned yet when the instance is executed? */
static bool is_open(const struct side *s, uint32_t call, uint32_t i)
{
	for (uint32_t k = 1; k <= execution_call_count(s->e); k++)
		if (execution_call(s->e, k)->instance == call)
			return i > call && i < execution_call(s->e, k)->until;
	return false;
}

static void follow(const struct visit *v, const struct execution_origin *o,
                   const struct list *others)
{
	if (o->source >= v->limit)
		return;
	if (o->chosen) {
		if (o->source >= EXECUTION_FIRST && decides(v->side, o->source))
			control(v->side, o->source);
		return;
	}
	if (!is_different(v->side, v->i, o, others) || o->source < EXECUTION_FIRST)
		return;
	if (o->itself)
		visit(v->side, o->source, ITSELF, 0, 0, UINT32_MAX);
	else if (!o->size || o->value)
		visit(v->side, o->source, VALUE, 0, 0, UINT32_MAX);
	else if (is_open(&sides[v->side], o->source, v->i))
		visit(v->side, o->source, EARLY, 0, 0, v->i);
	else
		visit(v->side, o->source, BYTES, o->written, o->written + o->size, UINT32_MAX);
}

static void expand(struct visit v)
{
	struct side *s = &sides[v.side];
	struct list list = {VEC_INIT}, others = {VEC_INIT};
	uint32_t other = s->pairs[v.i], both[2];
	uint64_t there = 0;
	bool exact;

	both[v.side] = v.i;
	both[!v.side] = other;
	if (!other)
		why(v.side, v.i);
	if (v.mode == ITSELF && insn_of(s, v.i)->op == CODE_CALL) {
		const struct code_call *call = insn_of(s, v.i)->more;
		struct execution_origin o = {0};
		uint64_t value;

		if (call->callee != CODE_NO_OPERAND &&
		    execution_operand(s->e, v.i, call->callee, &value, &o.source) && o.source)
			*vec_push(&list.at) = o;
		if (list.at.size && other &&
		    execution_operand(sides[!v.side].e, other, call->callee, &value, &o.source))
			*vec_push(&others.at) = o;
	}
	if (v.mode != ITSELF) {
		exact = v.to && other && elsewhere(v.side, both, v.from, &there);
		list = origins(v.side, v.i, v.from, v.to);
		if (other)
			others = origins(!v.side, other, exact ? there : 0,
			                 exact ? there + (v.to - v.from) : 0);
	}
	for (uint32_t k = 0; k < list.at.size; k++)
		follow(&v, &list.at.at[k], &others);
	vec_deinit(&list.at);
	vec_deinit(&others.at);
}

static void slice_from(uint64_t a, uint64_t b)
{
	visits.size = 0;
	for (unsigned side = 0; side < 2; side++)
		memset(sides[side].in, 0, (sides[side].end + 1) * sizeof(*sides[side].in));
	for (unsigned side = 0; side < 2; side++) {
		uint64_t time = side ? b : a;

		if (time)
			visit(side, sides[side].ends[time], VALUE, 0, 0, UINT32_MAX);
	}
	for (uint32_t done = 0; done < visits.size; done++)
		expand(visits.at[done]);
}

/* --- comparison --- */

/* Where the runs were decoded to their ends: else what is aligned may not have been. */
static bool is_wrong_pair(const struct dual *dual, unsigned side, uint32_t i)
{
	const struct side *s = &sides[side];
	uint32_t first, ends[2];

	for (unsigned k = 0; k < 2; k++)
		execution_kept(dual_execution(dual, k), &first, &ends[k]);
	if (ends[0] != sides[0].end || ends[1] != sides[1].end || !s->times[i])
		return false;
	return dual_statement(dual, side, i) != s->times[i] ||
	       dual_counterpart(dual, side, i) != s->pairs[i];
}

/* The youngest is where they part. */
static uint32_t compare(const struct dual *dual, unsigned side)
{
	const struct side *s = &sides[side];
	uint32_t first, end, wrong = 0;

	execution_kept(dual_execution(dual, side), &first, &end);
	for (uint32_t i = s->end; i-- > s->first;) {
		bool there = i < end && dual_has(dual, side, i);
		bool pair = i < end && is_wrong_pair(dual, side, i);

		wrong += pair || there != !!s->in[i];
		if (pair && wrong < 8)
			printf("run %u: instance %u is of statement %llu, not %llu, aligned with "
			       "%u, not %u\n",
			       side, i, (unsigned long long)dual_statement(dual, side, i),
			       (unsigned long long)s->times[i], dual_counterpart(dual, side, i),
			       s->pairs[i]);
		if (there != !!s->in[i] && wrong < 8)
			printf("run %u: instance %u (operation %u, line %u) is %s\n", side, i,
			       insn_of(s, i)->op,
			       LLVMGetDebugLocLine(execution_instruction(s->e, i)),
			       there ? "too much" : "missing");
	}
	return wrong;
}

static uint64_t found;
static uint32_t checked;

static uint32_t check(uint64_t a, uint64_t b)
{
	struct dual_seed seed = {{a, b}, {0}, {0}};
	struct dual *dual;
	uint32_t wrong;

	/* A call of a function that we see is followed by its arguments, which is another rule. */
	for (unsigned side = 0; side < 2; side++) {
		uint32_t end = seed.times[side] ? sides[side].ends[seed.times[side]] : 0;

		if (end && insn_of(&sides[side], end)->op == CODE_CALL &&
		    !(execution_source(sides[side].e, end) & EXECUTION_GROUP))
			return 0;
	}
	must(dual_find(&sides[0].run, &sides[1].run, &al, &seed, 1, NULL, &dual));
	slice_from(a, b);
	wrong = compare(dual, 0) + compare(dual, 1);
	if (wrong)
		printf("from statements %llu and %llu\n", (unsigned long long)a,
		       (unsigned long long)b);
	checked++;
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t i = sides[side].first; i < sides[side].end; i++)
			found += sides[side].in[i] != 0;
	dual_destroy(dual);
	return wrong;
}

int main(int argc, char **argv)
{
	uint32_t wrong = 0;
	size_t size;
	void *table;

	if (argc != 5)
		return 2;
	must(outside_table_load(argv[1], NULL, 0, &table, &size));
	for (int i = 0; i < 2; i++) {
		sides[i].run =
			(struct recording){.modules = i ? sides[0].run.modules : modules_create(),
		                           .folder = argv[2],
		                           .tape = (uint32_t)atoi(argv[3 + i]),
		                           .table = table};
		decode(&sides[i]);
	}
	must(align_runs(&sides[0].run, &sides[1].run, NULL, &al));
	pair_up(&sides[0], &sides[1], true);
	pair_up(&sides[1], &sides[0], false);
	for (uint64_t k = 1; k <= SEEDS; k++) {
		uint64_t a = sides[0].statements * k / SEEDS;

		wrong += check(a, alignment_of_a(&al, a));
		wrong += check(0, sides[1].statements * k / SEEDS);
	}
	for (uint32_t k = execution_call_count(sides[0].e);
	     k > 0 && k + CALLS > execution_call_count(sides[0].e); k--) {
		uint64_t a = sides[0].times[execution_call(sides[0].e, k)->instance];

		if (a && a <= sides[0].statements)
			wrong += check(a, alignment_of_a(&al, a));
	}
	printf("%s: %llu instances in %u slices\n", wrong ? "different" : "the same",
	       (unsigned long long)found, checked);
	return wrong != 0;
}
