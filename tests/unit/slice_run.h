/*
 * Programs for tests of slices: recorded runs, slices of them, and an independent way to find
 * slices, which is slow and simple: a worklist over execution_origins() of a run that is kept
 * whole. It shares no code with src/slice.
 */
#ifndef HENCE_TESTS_UNIT_SLICE_RUN_H
#define HENCE_TESTS_UNIT_SLICE_RUN_H

#include "trace_decoded.h"

#include "base/map.h"
#include "slice/slice.h"

static inline struct recording slice_run_of(const struct decoded *d, uint64_t memory)
{
	return (struct recording){.modules = d->modules,
	                          .folder = decoded_session.path,
	                          .table = decoded_models,
	                          .memory = memory};
}

static inline void slice_must(struct hence_error *error)
{
	if (error)
		fail_msg("%s", error->message);
}

/* A run that is kept whole, as slices see it; up to the instance, if that is not 0, and until that has
   returned if it is a call. */
static inline struct execution *slice_whole(struct decoded *d, uint32_t last)
{
	struct execution_options options = {
		.retain = true, .windows = true, .table = decoded_models};
	uint64_t until = last ? last + 1 : UINT64_MAX;
	bool ended = false;

	decoded_drop(d);
	assert_null(execution_create(d->modules, decoded_session.path, 0, &options, &d->e));
	while (!ended &&
	       (execution_next(d->e) <= last || !last || execution_is_under_way(d->e, last))) {
		slice_must(execution_advance(d->e, until, NULL, &ended));
		until = (uint64_t)execution_next(d->e) + 1024;
	}
	return d->e;
}

/* Is a statement of this line in the set? d->e has the whole run. */
static inline bool slice_has_line(const struct decoded *d, const roaring_bitmap_t *set,
                                  uint32_t line)
{
	uint32_t first, end;

	execution_kept(d->e, &first, &end);
	for (uint32_t i = first; i < end; i++)
		if (execution_insn(d->e, i)->flags & CODE_STATEMENT &&
		    decoded_line_of(d, i) == line && roaring_bitmap_contains(set, i))
			return true;
	return false;
}

/* --- the slow way --- */

struct naive_piece {
	uint64_t from, to;
	uint32_t next; /* 1 + index of the next piece of the same instance */
};

struct naive_visit {
	uint32_t instance;
	uint64_t from, to; /* bytes; 0: all */
};

MAP_DEFINE_U64(naive_map, uint32_t);

struct naive {
	const struct execution *e;
	bool control;
	uint32_t first, end;
	uint8_t *in, *whole; /* by instance */
	VEC(struct naive_visit) work;
	struct naive_map heads; /* of lists of pieces that were visited */
	VEC(struct naive_piece) pieces;
	uint32_t current;
};

static inline void naive_visit(struct naive *n, uint32_t instance, uint64_t from, uint64_t to);

static inline bool naive_is_call(const struct naive *n, uint32_t instance)
{
	return execution_insn(n->e, instance)->op == CODE_CALL;
}

/* The instance was executed, and that matters. */
static inline void naive_enter(struct naive *n, uint32_t instance)
{
	uint32_t parent, made;
	uint64_t value;

	if (instance < EXECUTION_FIRST || n->in[instance])
		return;
	n->in[instance] = 1;
	if (!n->control)
		return;
	if (naive_is_call(n, instance)) {
		const struct code_call *call = execution_insn(n->e, instance)->more;

		if (call->callee != CODE_NO_OPERAND &&
		    execution_operand(n->e, instance, call->callee, &value, &made))
			naive_visit(n, made, 0, 0);
	}
	parent = execution_segment(n->e, instance)->parent;
	if (parent && naive_is_call(n, parent))
		naive_enter(n, parent);
	else if (parent)
		naive_visit(n, parent, 0, 0);
}

static inline bool naive_was_there(struct naive *n, uint32_t instance, uint64_t from, uint64_t to)
{
	uint32_t *head = naive_map_put(&n->heads, instance);

	for (uint32_t i = *head; i; i = n->pieces.at[i - 1].next)
		if (n->pieces.at[i - 1].from <= from && to <= n->pieces.at[i - 1].to)
			return true;
	*vec_push(&n->pieces) = (struct naive_piece){from, to, *head};
	*head = n->pieces.size;
	return false;
}

static inline void naive_visit(struct naive *n, uint32_t instance, uint64_t from, uint64_t to)
{
	if (instance < EXECUTION_FIRST)
		return;
	assert_true(instance < n->end);
	if (n->whole[instance] || (to && naive_was_there(n, instance, from, to)))
		return;
	n->whole[instance] |= !to;
	*vec_push(&n->work) = (struct naive_visit){instance, from, to};
}

static inline bool naive_copies(const struct naive *n, uint32_t instance)
{
	uint8_t op = execution_insn(n->e, instance)->op;

	return op == CODE_COPY || op == CODE_VA_COPY || op == CODE_VA_START || op == CODE_CALL;
}

static inline void naive_follow(void *context, const struct execution_origin *o)
{
	struct naive *n = context;

	assert_int_not_equal(o->source, SOURCE_EARLIER);
	if (o->source < EXECUTION_FIRST || (o->chosen && !n->control))
		return;
	if (o->itself || (o->chosen && naive_is_call(n, o->source)))
		naive_enter(n, o->source);
	else if (o->size && o->written && naive_copies(n, o->source))
		naive_visit(n, o->source, o->written, o->written + o->size);
	else
		naive_visit(n, o->source, 0, 0);
}

/* n->in: the least set with the criterion that is closed. */
static inline void naive_backward(struct naive *n, const struct execution *e, uint32_t instance,
                                  bool control)
{
	*n = (struct naive){.e = e, .control = control};
	execution_kept(e, &n->first, &n->end);
	n->in = mem_alloc(n->end);
	n->whole = mem_alloc(n->end);
	naive_visit(n, instance, 0, 0);
	while (n->work.size) {
		struct naive_visit v = n->work.at[--n->work.size];

		naive_enter(n, v.instance);
		execution_origins(e, v.instance, v.from, v.to, naive_follow, n);
	}
}

static inline void naive_free(struct naive *n)
{
	free(n->in);
	free(n->whole);
	vec_deinit(&n->work);
	vec_deinit(&n->pieces);
	naive_map_deinit(&n->heads);
}

/* Has an outside call called back? */
static inline bool naive_calls_back(const struct naive *n)
{
	for (uint32_t i = 1; i <= execution_call_count(n->e); i++)
		if (execution_call(n->e, i)->until > execution_call(n->e, i)->instance + 1)
			return true;
	return false;
}

/* Is it inside of an outside call? */
static inline bool naive_is_within(const struct naive *n, uint32_t instance)
{
	uint32_t count;
	const struct execution_frame *f = execution_frames(n->e, &count);
	uint32_t k = execution_segment(n->e, instance)->frame + 1;

	while (k && !f[k - 1].within)
		k = f[k - 1].caller;
	return k;
}

/* Says what differs. What an outside call did while it called back is only known where it returns: if
   that is in another window, more is taken from before the call, and perhaps not all from within;
   and what it did at the end is no cause of what it called before. With `may` that is let pass. */
static inline uint32_t naive_compare(const struct naive *n, const struct decoded *d,
                                     const roaring_bitmap_t *slice, const char *what, bool may)
{
	bool lax = may && naive_calls_back(n);
	uint32_t wrong = 0;

	for (uint32_t i = n->first; i < n->end; i++) {
		bool there = roaring_bitmap_contains(slice, i);

		if (there == n->in[i] || (lax && (there || naive_is_within(n, i))))
			continue;
		if (wrong++ < 8)
			print_message("%s: instance %u (operation %u, line %u) is %s\n", what, i,
			              execution_insn(n->e, i)->op, decoded_line_of(d, i),
			              there ? "too much" : "missing");
	}
	return wrong;
}

#endif
