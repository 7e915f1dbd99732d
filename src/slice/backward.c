/*
 * Backward slices: which parts of a run are decoded and kept when. See slice.h.
 *
 * A run that fits is kept whole. Else it is decoded once without keeping, and each WINDOW instances
 * a copy of the process is left behind. When there are too many copies every
 * second one is dropped, so the one before it has two windows to do; what has more than one window
 * is done in the same way, by copies of that copy. So the time is that of two decodings, and for
 * each doubling a part of a third.
 */

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slice/relevant.h"
#include "slice/marks.h"
#include "trace/history.h"

struct checkpoint {
	pid_t process;
	int to, from;   /* pipes; the copy reads from `to` */
	uint32_t first; /* instance that it begins with */
};

/* The work that a copy gets. */
struct checkpoint_work {
	uint64_t end; /* instance up to which it is to work */
	bool split;   /* that is more than one window */
};

/* What is found beside the bits. */
struct backward_found {
	VEC(struct slice_edge) edges; /* to be told */
	bool given, unseen;
	uint32_t guesses, windows;
	uint64_t peak;
};

struct backward {
	const struct recording *run;
	const struct slice_criterion *criteria;
	uint32_t count;
	struct slice_options options;
	uint32_t window; /* instances of one */
	struct marks marks;
	struct relevant relevant; /* only with options.relevant */
	struct backward_found found;
	uint32_t last; /* instance of a criterion */
	uint64_t total, statements;
	uint32_t codes; /* instructions of the functions that were executed */
	roaring_bitmap_t *ends, *constants;
	bool stopped;
};

/* ------ copies of the process that wait for work ------ */

/*
 * They are made in the middle of a decoding and wait until they are asked to work on from there. A copy shares
 * the marks' bits with the others (marks.h); the rest of what it is given and of what it finds goes through a
 * pipe. It ends when it has answered, or when its parent ends or drops it. It prints nothing, and touches no
 * file but the tape that it reads.
 */

/* --- bytes through pipes --- */

static bool put(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static bool get(int fd, void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

/* --- ranges --- */

/* One range of an instance; `to` 0: it is whole. */
struct sent_range {
	uint64_t from, to;
	uint32_t instance;
};

static bool put_ranges(int fd, const struct marks_map *map)
{
	VEC(struct sent_range) all = VEC_INIT;
	bool ok;

	map_each(map, i)
	{
		const struct marks_ranges *r = &map->at[i].value;

		if (r->whole)
			*vec_push(&all) = (struct sent_range){.instance = (uint32_t)map->at[i].key};
		for (uint32_t k = 0; !r->whole && k < r->at.size; k++)
			*vec_push(&all) = (struct sent_range){r->at.at[k].from, r->at.at[k].to,
			                                      (uint32_t)map->at[i].key};
	}
	ok = put(fd, &all.size, sizeof(all.size)) &&
	     put(fd, all.at, (size_t)all.size * sizeof(*all.at));
	vec_deinit(&all);
	return ok;
}

static bool get_ranges(int fd, struct marks *marks)
{
	struct sent_range range;
	uint32_t count;

	marks_drop_ranges(marks, 0);
	if (!get(fd, &count, sizeof(count)))
		return false;
	while (count--) {
		if (!get(fd, &range, sizeof(range)))
			return false;
		marks_add_range(marks, range.instance, range.from,
		                range.to ? range.to - range.from : 0);
	}
	return true;
}

/* --- open memory --- */

struct sent_open {
	uint64_t key;
	struct relevant_open open;
};

static bool put_open(int fd, const struct relevant *r)
{
	uint64_t count = r->open.size;
	bool ok = put(fd, r->classes, sizeof(r->classes)) && put(fd, &count, sizeof(count));

	map_each(&r->open, i)
	{
		struct sent_open open = {r->open.at[i].key, r->open.at[i].value};

		ok = ok && put(fd, &open, sizeof(open));
	}
	return ok;
}

static bool get_open(int fd, struct relevant *r)
{
	struct sent_open open;
	uint64_t count;

	relevant_deinit(r);
	if (!get(fd, r->classes, sizeof(r->classes)) || !get(fd, &count, sizeof(count)))
		return false;
	while (count--) {
		if (!get(fd, &open, sizeof(open)))
			return false;
		*relevant_map_put(&r->open, open.key) = open.open;
	}
	return true;
}

/* --- what was found --- */

static bool put_found(int fd, const struct backward_found *f)
{
	return put(fd, f, sizeof(*f)) &&
	       put(fd, f->edges.at, (size_t)f->edges.size * sizeof(*f->edges.at));
}

static bool get_found(int fd, struct backward *b)
{
	struct backward_found found, *f = &b->found;
	uint32_t had = f->edges.size;

	if (!get(fd, &found, sizeof(found)))
		return false;
	f->given |= found.given;
	f->unseen |= found.unseen;
	f->guesses += found.guesses;
	f->windows += found.windows;
	f->peak = found.peak > f->peak ? found.peak : f->peak;
	vec_reserve(&f->edges, had + found.edges.size);
	f->edges.size += found.edges.size;
	return get(fd, f->edges.at + had, (size_t)found.edges.size * sizeof(*f->edges.at));
}

static bool put_error(int fd, const struct hence_error *error)
{
	uint32_t size = error ? (uint32_t)strlen(error->message) + 1 : 0;
	uint32_t kind = error ? (uint32_t)error->kind : 0;

	return put(fd, &size, sizeof(size)) && put(fd, &kind, sizeof(kind)) &&
	       (!error || put(fd, error->message, size));
}

static bool get_error(int fd, struct hence_error **error)
{
	uint32_t size, kind;
	char *message;

	if (!get(fd, &size, sizeof(size)) || !get(fd, &kind, sizeof(kind)))
		return false;
	if (!size)
		return true;
	message = mem_alloc(size);
	if (get(fd, message, size))
		*error = error_create((enum hence_error_kind)kind, "%s", message);
	free(message);
	return *error != NULL;
}

/* --- the copy --- */

/* Handlers are the parent's; an interrupt from the terminal is its business, too. */
static void reset_signals(void)
{
	static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};

	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
		signal(deadly[i], SIG_DFL);
	signal(SIGINT, SIG_IGN);
}

static void wait_for_work(struct backward *b, const struct checkpoint *c, pid_t parent,
                          struct checkpoint_work *work)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	if (getppid() != parent || !get(c->to, work, sizeof(*work)) ||
	    !get_ranges(c->to, &b->marks) || !get_open(c->to, &b->relevant))
		_exit(0);
	vec_deinit(&b->found.edges);
	memset(&b->found, 0, sizeof(b->found));
}

/* Ends this process, which is a copy. Takes the error, NULL: it went well. */
static void checkpoint_answer(struct backward *b, struct checkpoint *c, struct hence_error *error)
{
	bool ok = put_error(c->from, error);

	if (ok && !error)
		ok = put_ranges(c->from, &b->marks.ranges) && put_open(c->from, &b->relevant) &&
		     put_found(c->from, &b->found);
	_exit(ok ? 0 : 1);
}

/* --- its parent --- */

/* Makes one. *copy: this is the copy, and it has been asked for *work; answer with
   checkpoint_answer(). */
static struct hence_error *checkpoint_create(struct backward *b, uint32_t first,
                                             struct checkpoint *out, bool *copy,
                                             struct checkpoint_work *work)
{
	int pipes[4] = {-1, -1, -1, -1};
	pid_t parent = getpid(), process = -1;

	if (!pipe2(pipes, O_CLOEXEC) && !pipe2(pipes + 2, O_CLOEXEC))
		process = fork();
	if (process < 0) {
		for (int i = 0; i < 4; i++)
			if (pipes[i] >= 0)
				close(pipes[i]);
		return error_from_errno(HENCE_ERROR_INPUT, "cannot start a process to slice in");
	}
	*out = (struct checkpoint){.process = process, .first = first};
	out->to = pipes[process ? 1 : 0];
	out->from = pipes[process ? 2 : 3];
	close(pipes[process ? 0 : 1]);
	close(pipes[process ? 3 : 2]);
	*copy = !process;
	if (!process)
		wait_for_work(b, out, parent, work);
	return NULL;
}

static void end_copy(struct checkpoint *c, int *status)
{
	close(c->to);
	close(c->from);
	while (waitpid(c->process, status, 0) < 0 && errno == EINTR)
		;
}

/* Has a copy work, with the marks as they are; they and what is found take up its answer. The
   checkpoint is gone then. */
static struct hence_error *checkpoint_ask(struct checkpoint *c, struct backward *b,
                                          struct checkpoint_work work)
{
	struct hence_error *error = NULL;
	void (*old)(int) = signal(SIGPIPE, SIG_IGN);
	int status = 0;
	bool ok = put(c->to, &work, sizeof(work)) && put_ranges(c->to, &b->marks.ranges) &&
	          put_open(c->to, &b->relevant) && get_error(c->from, &error) &&
	          (error || (get_ranges(c->from, &b->marks) && get_open(c->from, &b->relevant) &&
	                     get_found(c->from, b)));

	signal(SIGPIPE, old);
	end_copy(c, &status);
	if (ok)
		return error;
	if (WIFSIGNALED(status))
		return error_create(HENCE_ERROR_INTERNAL,
		                    "a process that sliced a part of the run died of signal %d%s",
		                    WTERMSIG(status),
		                    WTERMSIG(status) == SIGKILL ? "; is memory short?" : "");
	return error_create(HENCE_ERROR_INTERNAL,
	                    "a process that sliced a part of the run ended early");
}

/* Ends a copy that is not needed. */
static void checkpoint_drop(struct checkpoint *c)
{
	int status;

	/* Younger copies have the pipe open, too: it would not see the end. */
	kill(c->process, SIGKILL);
	end_copy(c, &status);
}

/* ------ what was found ------ */

/* Outside calls that called back: when they returned, and the youngest of the instances within that
   want something of the call. */
struct span {
	uint32_t until;
	bool early;
};

MAP_DEFINE_U64(span_map, struct span);

struct backward_walker {
	struct backward *b;
	struct marks *m;
	const struct execution *e;
	const struct execution_segment *segments;
	uint32_t segment_count;
	const struct execution_frame *frames;
	struct code *code;
	const uint32_t *sources; /* of instances from `first` on */
	const uint64_t *copies;
	uint32_t first, end;
	uint32_t instance; /* whose origins are being told */
	uint32_t limit;    /* origins from this instance on do not count */
	bool control, edges;
	bool slow; /* all origins must be seen */
	struct sides_table sides;
	struct slice_calls spanning; /* those that have not been passed yet */
	struct span_map spans;       /* the same, by instance */
};

static inline bool backward_keeps(const struct backward_walker *w, uint32_t instance)
{
	return instance >= w->first && instance < w->end;
}

static inline bool backward_copies(const struct backward_walker *w, uint32_t instance)
{
	return w->copies && marks_has(w->copies, instance);
}

/* ------ potential dependences in a backward slice ------ */

/* --- potential dependences --- */

/* Memory that was read: see relevant.h. */
static void backward_open(struct backward_walker *w, const struct execution_origin *o)
{
	uint32_t since = o->source < EXECUTION_FIRST ? 0 : o->source;

	relevant_add(&w->b->relevant, o->from, o->size, since, w->instance,
	             backward_keeps(w, w->instance) ? relevant_classes(w->e, w->instance)
	                                            : SIDES_ALL);
}

/* Takes up the branch that ends a segment if, gone another way, it could have changed what was read
   later. */
static void backward_try_branch(struct backward_walker *w, const struct execution_segment *s,
                                const struct code_function *f, uint32_t branch)
{
	uint32_t load;

	if (marks_has(w->m->want, branch))
		return;
	load = relevant_try(&w->b->relevant, &w->sides, w->e, s, f, branch);
	if (!load)
		return;
	marks_set(w->m->want, branch);
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = branch, .to = load, .potential = true};
}

/* ------ what an instance in a backward slice came from, and what that means ------ */

/* --- wanting --- */

/* A source that is no instance. */
static void backward_note_source(struct backward_walker *w, uint32_t source)
{
	if (source == SOURCE_GIVEN)
		w->b->found.given = true;
	else if (source == SOURCE_UNSEEN || source == SOURCE_NONE)
		w->b->found.unseen = true;
}

static void backward_want_value(struct backward_walker *w, uint32_t instance);
static void backward_want_origin(void *context, const struct execution_origin *origin);

/* What is to be done for the value of a call that is not an outside one. */
static void backward_want_returned(struct backward_walker *w, uint32_t call, uint32_t source)
{
	if (!source || source & EXECUTION_GROUP)
		return;
	if (w->edges)
		*vec_push(&w->b->found.edges) = (struct slice_edge){.from = source, .to = call};
	backward_want_value(w, source);
}

/* The value of an instance is wanted. */
static void backward_want_value(struct backward_walker *w, uint32_t instance)
{
	if (instance < EXECUTION_FIRST) {
		backward_note_source(w, instance);
	} else if (!backward_keeps(w, instance)) {
		marks_set(w->m->in, instance);
		marks_set(w->m->values, instance);
		backward_want_returned(w, instance, execution_late(w->e, instance));
	} else if (execution_insn(w->e, instance)->op != CODE_CALL) {
		marks_set(w->m->want, instance);
	} else if (!marks_has(w->m->values, instance)) {
		marks_set(w->m->values, instance);
		marks_set(w->m->want, instance);
		backward_want_returned(w, instance, w->sources[instance - w->first]);
	}
}

static void want_bytes(struct backward_walker *w, const struct execution_origin *origin)
{
	uint64_t size = origin->size;
	struct span *span;
	uint32_t instance = w->instance, limit = w->limit;

	if (origin->source < EXECUTION_FIRST) {
		backward_note_source(w, origin->source);
		return;
	}
	marks_set(w->m->want, origin->source);
	if (!backward_copies(w, origin->source))
		return;
	if (!origin->written)
		size = 0;
	marks_add_range(w->m, origin->source, origin->written, size);
	/* The instance, in a callback, read what the call under way had written by then: that depends on what
	   callbacks returned before. The first that is found is the youngest, so it does for all. */
	span = w->spans.size ? span_map_find(&w->spans, origin->source) : NULL;
	if (!span || span->early || instance >= span->until || instance <= origin->source)
		return;
	span->early = true;
	w->limit = instance;
	w->instance = origin->source;
	execution_origins(w->e, origin->source, 0, 0, backward_want_origin, w);
	w->limit = limit;
	w->instance = instance;
}

/* A branch or call that decided that the instances of this frame were executed. */
static void backward_want_control(struct backward_walker *w, uint32_t frame, uint32_t parent)
{
	const struct execution_frame *f = &w->frames[frame];

	if (parent < EXECUTION_FIRST)
		return;
	if (parent == f->call || parent == f->within)
		marks_set(w->m->in, parent);
	else
		marks_set(w->m->want, parent);
}

/* `from` is needed by the instance that the walk is at. */
static void backward_tell_edge(struct backward_walker *w, uint32_t from, bool control)
{
	if (w->edges)
		*vec_push(&w->b->found.edges) =
			(struct slice_edge){.from = from, .to = w->instance, .control = control};
}

/* For execution_origins(). */
static void backward_want_origin(void *context, const struct execution_origin *origin)
{
	struct backward_walker *w = context;

	assert(origin->source != SOURCE_EARLIER); /* windows know what came before */
	if ((origin->chosen && !w->control) || origin->source >= w->limit)
		return;
	backward_tell_edge(w, origin->source, origin->chosen);
	if (origin->chosen)
		backward_want_control(w, execution_segment(w->e, w->instance)->frame,
		                      origin->source);
	else if (origin->itself)
		marks_set(w->m->in, origin->source);
	else if (origin->size && !origin->value) {
		want_bytes(w, origin);
		if (w->b->options.relevant)
			backward_open(w, origin);
	} else
		backward_want_value(w, origin->source);
}

/* --- one instance --- */

/* All that an instance came from; of a copy or an outside call, as far as its ranges say. */
static void backward_want_origins(struct backward_walker *w, uint32_t instance)
{
	w->instance = instance;
	execution_origins(w->e, instance, 0, 0, backward_want_origin, w);
}

static void backward_want_ranges(struct backward_walker *w, uint32_t instance)
{
	const struct marks_ranges *r = marks_ranges(w->m, instance);
	VEC(struct execution_range) ranges = VEC_INIT;

	w->instance = instance;
	if (!r || r->whole) {
		execution_origins(w->e, instance, 0, 0, backward_want_origin, w);
		return;
	}
	/* New ranges may move these; and where a copy did not write, it is not known what is meant. */
	for (uint32_t i = 0; i < r->at.size; i++) {
		struct execution_range range = r->at.at[i];

		*vec_push(&ranges) = range;
		if (!execution_wrote(w->e, instance, range.from, range.to - range.from)) {
			ranges.size = 0;
			break;
		}
	}
	execution_origins_of(w->e, instance, ranges.at, ranges.size, backward_want_origin, w);
	vec_deinit(&ranges);
}

/* ------ the backward slice in a window ------ */

/* One way through its segments from the last to the first. Whatever an instance came from is older than it, so that all who want something of an instance are known when the walk gets there. Two things are not where their number says: - The value of a call of a function that we see comes from the return in it, which is younger than the call. The return is wanted as soon as the call's value is. - An outside call that called back did what it did when it returned, and may have read what the callbacks wrote. It is done when the walk passes its return. marks.in: the instance is in the slice. marks.want: so is what it came from; of a copy or an outside call, of the bytes in its ranges. marks.values: somebody wants the value of an instance that may be a call; what that means is settled where the call returned and where it began. */

/* Which function was called is why all in it was executed; and its value depends on that. */
static void want_callee(struct backward_walker *w, uint32_t instance, const struct code_insn *insn)
{
	if (w->control || marks_has(w->m->values, instance)) {
		uint32_t operand = ((const struct code_call *)insn->more)->callee;
		uint64_t value;
		uint32_t made;

		w->instance = instance;
		if (operand == CODE_NO_OPERAND ||
		    !execution_operand(w->e, instance, operand, &value, &made) || !made)
			return;
		backward_tell_edge(w, made, true);
		backward_want_value(w, made);
	}
}

static void do_call(struct backward_walker *w, uint32_t call, const struct code_insn *insn)
{
	const struct execution_group *group;

	want_callee(w, call, insn);
	if (!(w->sources[call - w->first] & EXECUTION_GROUP))
		return;
	group = execution_group(w->e, w->sources[call - w->first]);
	w->b->found.guesses += !execution_call(w->e, group->call)->modelled;
	w->limit = call; /* what is younger was done when it returned */
	if (marks_has(w->m->values, call))
		backward_want_origins(w, call);
	else if (marks_has(w->m->want, call))
		backward_want_ranges(w, call);
	w->limit = UINT32_MAX;
}

/* --- the fast way: operands made in the same segment --- */

struct place {
	const struct code_function *function;
	uint32_t first; /* instance of the segment */
	uint32_t code;  /* of that, in the function */
};

/* False: it is not that simple. */
static inline bool want_near(struct backward_walker *w, const struct place *p, uint32_t instance,
                             uint32_t operand)
{
	uint32_t maker;

	if (operand & 1)
		return true;
	maker = p->function->makers[operand >> 1];
	if (maker & CODE_PARAMETER)
		return false;
	if (p->function->insns[maker].op == CODE_LOCAL)
		return true;
	if (maker - p->code >= instance - p->first)
		return false;
	marks_set(w->m->want, p->first + (maker - p->code));
	return true;
}

/* Of what is loaded; false: it is not just what one instance stored. */
static inline bool want_stored(struct backward_walker *w, uint32_t instance)
{
	uint32_t source = w->sources[instance - w->first];

	if (source & EXECUTION_GROUP)
		return false;
	if (source < EXECUTION_FIRST)
		backward_note_source(w, source);
	else if (backward_copies(w, source))
		return false;
	else
		marks_set(w->m->want, source);
	return true;
}

static inline bool do_simple(struct backward_walker *w, const struct place *p, uint32_t instance,
                             const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_LOCAL:
	case CODE_GOTO: return true;
	case CODE_EVAL:
	case CODE_INDICES: {
		const struct code_eval *eval = insn->more;
		const struct code_indices *indices = insn->more;
		bool near = true;

		if (insn->op == CODE_EVAL)
			for (uint32_t i = 0; near && i < eval->count; i++)
				near = want_near(w, p, instance, eval->in[i].operand);
		else
			for (uint32_t i = 0; near && i < indices->count; i++)
				near = want_near(w, p, instance, indices->at[i].operand);
		return near && (insn->op == CODE_EVAL || want_near(w, p, instance, insn->a));
	}
	case CODE_LOAD: return want_near(w, p, instance, insn->a) && want_stored(w, instance);
	case CODE_TRUNC:
	case CODE_SEXT:
	case CODE_MOVE:
	case CODE_STEP:
	case CODE_BRANCH:
	case CODE_SWITCH:
	case CODE_RETURN: return want_near(w, p, instance, insn->a);
	case CODE_STORE:
	case CODE_INDEX:
		return want_near(w, p, instance, insn->a) && want_near(w, p, instance, insn->b);
	default:
		return insn->op >= CODE_ADD && insn->op <= CODE_SLE &&
		       want_near(w, p, instance, insn->a) && want_near(w, p, instance, insn->b);
	}
}

static inline void do_instance(struct backward_walker *w, const struct place *p, uint32_t instance)
{
	uint32_t number = p->code + (instance - p->first);
	const struct code_insn *insn = &p->function->insns[number];

	marks_set(w->m->codes, p->function->first + number);
	if (insn->op == CODE_CALL) {
		do_call(w, instance, insn);
	} else if (!marks_has(w->m->want, instance)) {
		return;
	} else if (!w->slow && do_simple(w, p, instance, insn)) {
		return;
	} else if (backward_copies(w, instance)) {
		backward_want_ranges(w, instance);
	} else {
		backward_want_origins(w, instance);
	}
}

/* --- the way --- */

static bool is_in(const struct backward_walker *w, uint32_t instance)
{
	return marks_has(w->m->in, instance) || marks_has(w->m->want, instance);
}

static void do_segment(struct backward_walker *w, const struct execution_segment *s, uint32_t end)
{
	const struct code_function *f = w->code->functions.at[w->frames[s->frame].function];
	struct place p = {f, s->first, s->code - f->first};
	bool any = false;

	if (w->b->options.relevant)
		backward_try_branch(w, s, f, end - 1);
	for (uint32_t i = end; i-- > s->first;) {
		if (!is_in(w, i))
			continue;
		any = true;
		do_instance(w, &p, i);
		w->instance = i;
		if (w->control && s->parent)
			backward_tell_edge(w, s->parent, true);
	}
	if (any && w->control)
		backward_want_control(w, s->frame, s->parent);
}

/* Calls that called back, and returned after the segment that ends here. */
static void do_returned(struct backward_walker *w, uint32_t end)
{
	while (w->spanning.at.size) {
		const struct execution_call *call =
			execution_call(w->e, w->spanning.at.at[w->spanning.at.size - 1]);

		if (call->until < end)
			return;
		w->spanning.at.size--;
		if (marks_has(w->m->values, call->instance))
			backward_want_origins(w, call->instance);
		else if (marks_has(w->m->want, call->instance))
			backward_want_ranges(w, call->instance);
	}
}

static void find_spanning(struct backward_walker *w)
{
	slice_find_spanning(w->e, &w->spanning);
	for (uint32_t i = 0; i < w->spanning.at.size; i++) {
		const struct execution_call *call = execution_call(w->e, w->spanning.at.at[i]);

		span_map_put(&w->spans, call->instance)->until = call->until;
	}
}

/* --- what later windows and the user want of this one --- */

static void take_wanted(struct backward_walker *w)
{
	uint32_t call;

	for (uint32_t i = marks_next(w->m->values, w->first, w->end); i < w->end;
	     i = marks_next(w->m->values, i + 1, w->end)) {
		marks_set(w->m->want, i);
		if (execution_insn(w->e, i)->op == CODE_CALL)
			backward_want_returned(w, i, w->sources[i - w->first]);
	}
	for (uint32_t i = 0; (call = execution_late_call(w->e, i)) != UINT32_MAX; i++)
		if (marks_has(w->m->values, call))
			backward_want_returned(w, call, execution_late(w->e, call));
}

/* Those of bytes; others are marked when all begins. */
static void take_criterion(struct backward_walker *w, const struct slice_criterion *c)
{
	if (c->itself || !c->to)
		return;
	if (backward_copies(w, c->instance)) {
		marks_set(w->m->want, c->instance);
		marks_add_range(w->m, c->instance, c->from, c->to - c->from);
	} else {
		w->instance = c->instance;
		execution_origins(w->e, c->instance, c->from, c->to, backward_want_origin, w);
	}
}

/* Goes through what is kept, from the last instance to the first: adds to the marks what those in
   the slice came from. */
static void backward_walk(struct backward *b, const struct execution *e)
{
	struct backward_walker w = {.b = b,
	                            .m = &b->marks,
	                            .e = e,
	                            .code = execution_code_table((struct execution *)e),
	                            .sources = execution_sources(e),
	                            .copies = execution_copy_bits(e),
	                            .control = !b->options.data_only,
	                            .edges = b->options.edge != NULL,
	                            .limit = UINT32_MAX};
	uint32_t count, end;

	w.slow = w.edges || b->options.relevant;
	sides_table_init(&w.sides, w.code->program);

	execution_kept(e, &w.first, &w.end);
	w.segments = execution_segments(e, &w.segment_count);
	w.frames = execution_frames(e, &count);
	find_spanning(&w);
	take_wanted(&w);
	for (uint32_t i = 0; i < b->count; i++)
		if (backward_keeps(&w, b->criteria[i].instance))
			take_criterion(&w, &b->criteria[i]);
	end = w.end;
	for (uint32_t i = w.segment_count; i-- > 0; end = w.segments[i].first) {
		do_returned(&w, end);
		do_segment(&w, &w.segments[i], end);
	}
	do_returned(&w, 0);
	marks_drop_ranges(w.m, w.first);
	relevant_drop(&b->relevant, w.first);
	sides_table_deinit(&w.sides);
	vec_deinit(&w.spanning.at);
	span_map_deinit(&w.spans);
	b->found.windows++;
	if (execution_bytes(e) > b->found.peak)
		b->found.peak = execution_bytes(e);
}

/* ------ the whole ------ */

#define MOST_COPIES 64u

/* Copies that wait, the oldest first. `fresh`: the first part is done by a new decoding. */
struct copies {
	VEC(struct checkpoint) at;
	bool fresh;
	uint32_t step; /* instances between two */
};

static bool is_stopped(struct backward *b)
{
	b->stopped |= b->options.stop && b->options.stop(b->options.context);
	return b->stopped;
}

/* --- decoding --- */

static struct hence_error *create(const struct backward *b, struct execution **out)
{
	struct execution_options options = {
		.table = b->run->table, .windows = true, .retain = true};

	return execution_create(b->run->modules, b->run->folder, b->run->tape, &options, out);
}

/* Has all that can matter been decoded? The value of a call comes when it returns. */
static bool is_complete(const struct backward *b, const struct execution *e)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->criteria[i].instance >= execution_next(e) ||
		    execution_is_under_way(e, b->criteria[i].instance))
			return false;
	return true;
}

/* Decodes on to `until`, or to where all is complete. */
static struct hence_error *advance(struct backward *b, struct execution *e, uint64_t until,
                                   bool *ended)
{
	struct hence_error *error = NULL;
	uint64_t next = execution_next(e);

	while (!error && !*ended && next < until) {
		/* Behind the last criterion in short steps: a call may return soon. */
		uint64_t step = next <= b->last ? b->last + 1 : next + 1024;

		error = execution_advance(e, step < until ? step : until, b->run->death, ended);
		next = execution_next(e);
		*ended |= is_complete(b, e);
	}
	return error;
}

/* --- one part of the run --- */

/* Keeps from here to `end`, and goes back through it. */
static struct hence_error *do_window(struct backward *b, struct execution *e, uint64_t end)
{
	struct hence_error *error;
	bool ended = false;

	execution_window(e, true);
	error = advance(b, e, end, &ended);
	if (!error)
		backward_walk(b, e);
	return error;
}

static struct hence_error *do_part(struct backward *b, struct execution *e,
                                   struct checkpoint_work work);

static void drop_copies(struct copies *all)
{
	for (uint32_t i = 0; i < all->at.size; i++)
		checkpoint_drop(&all->at.at[i]);
	vec_deinit(&all->at);
}

static void thin_out(struct copies *all)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < all->at.size; i++)
		if (i % 2 == all->fresh) /* the part before it is the first that stays */
			all->at.at[kept++] = all->at.at[i];
		else
			checkpoint_drop(&all->at.at[i]);
	all->at.size = kept;
	all->step *= 2;
}

/* How many copies may wait: each has a memory of its own of what changes after it was made. */
static uint32_t most_copies(struct execution *e)
{
	uint64_t each = execution_memory(e)->pages.size * sizeof(struct memory_page) + (4u << 20);
	uint64_t most = mem_available() / 4 / each;

	return most < 4 ? 4 : most > MOST_COPIES ? MOST_COPIES : (uint32_t)most;
}

/* Decodes to `end`, leaving copies behind. */
static struct hence_error *leave_copies(struct backward *b, struct execution *e, uint64_t end,
                                        struct copies *all)
{
	struct hence_error *error = NULL;
	bool ended = false, copy = false;

	while (!error && !ended && execution_next(e) < end && !is_stopped(b)) {
		uint32_t first = execution_next(e);
		struct checkpoint c;
		struct checkpoint_work work;

		if (all->at.size >= most_copies(e))
			thin_out(all);
		error = checkpoint_create(b, first, &c, &copy, &work);
		if (error)
			break;
		if (copy)
			checkpoint_answer(b, &c, do_part(b, e, work));
		*vec_push(&all->at) = c;
		error = advance(b, e, (uint64_t)first + all->step, &ended);
	}
	return error;
}

/* From the last to the first. */
static struct hence_error *ask_copies(struct backward *b, uint64_t end, struct copies *all)
{
	struct checkpoint_work work = {.end = end, .split = all->step > b->window};
	struct hence_error *error = NULL;

	while (!error && all->at.size && !is_stopped(b)) {
		struct checkpoint c = all->at.at[--all->at.size];

		error = checkpoint_ask(&c, b, work);
		work.end = c.first;
	}
	if (!error && all->fresh && !b->stopped) {
		struct execution *e;

		error = create(b, &e);
		if (!error) {
			execution_window(e, false);
			error = do_part(b, e, work);
			execution_destroy(e);
		}
	}
	return error;
}

static struct hence_error *do_part(struct backward *b, struct execution *e,
                                   struct checkpoint_work work)
{
	struct copies all = {.step = b->window};
	struct hence_error *error;

	if (!work.split)
		return do_window(b, e, work.end);
	error = leave_copies(b, e, work.end, &all);
	if (!error)
		error = ask_copies(b, work.end, &all);
	drop_copies(&all);
	return error;
}

/* --- all --- */

static struct hence_error *do_run(struct backward *b)
{
	struct copies all = {.step = b->window, .fresh = true};
	struct execution *whole, *e;
	struct hence_error *error = history_whole(b->run, &whole);
	bool ended = false;

	if (error)
		return error;
	e = whole;
	if (whole) {
		backward_walk(b, whole);
	} else {
		error = create(b, &e);
		if (error)
			return error;
		error = advance(b, e, (uint64_t)EXECUTION_FIRST + b->window, &ended);
		if (!error && ended)
			backward_walk(b, e);
	}
	if (!error && !ended && !whole) {
		execution_window(e, false);
		error = leave_copies(b, e, UINT64_MAX, &all);
		if (!error)
			error = ask_copies(b, execution_next(e), &all);
		drop_copies(&all);
	}
	b->total = execution_instances(e);
	b->statements = execution_statements(e);
	b->codes = execution_code_table(e)->size;
	slice_classify(execution_code_table(e), &b->marks, b->ends, b->constants);
	if (!whole)
		execution_destroy(e);
	return error;
}

static struct hence_error *check_reached(const struct backward *b)
{
	uint64_t end = b->total + EXECUTION_FIRST;

	for (uint32_t i = 0; i < b->count; i++)
		if (b->criteria[i].instance < EXECUTION_FIRST || b->criteria[i].instance >= end)
			return error_create(HENCE_ERROR_INPUT,
			                    "there is nothing to slice from: the run has %llu "
			                    "instructions, and instance %u is none of them",
			                    (unsigned long long)b->total, b->criteria[i].instance);
	return NULL;
}

static void tell_edges(const struct backward *b)
{
	for (uint32_t i = 0; i < b->found.edges.size; i++)
		b->options.edge(b->options.context, &b->found.edges.at[i]);
}

static void begin_with(struct backward *b, const struct slice_criterion *c)
{
	if (c->instance > b->last)
		b->last = c->instance;
	if (c->instance < EXECUTION_FIRST || c->instance >> 31)
		return; /* see check_reached() */
	marks_set(b->marks.in, c->instance);
	if (!c->itself && !c->to)
		marks_set(b->marks.values, c->instance);
}

static struct hence_error *slice_once(const struct recording *run,
                                      const struct slice_criterion *criteria, uint32_t count,
                                      const struct slice_options *options, struct slice *out)
{
	struct backward b = {.run = run,
	                     .criteria = criteria,
	                     .count = count,
	                     .options = *options,
	                     .window = slice_window(run),
	                     .ends = roaring_bitmap_create(),
	                     .constants = roaring_bitmap_create()};
	struct hence_error *error = marks_init(&b.marks);

	if (error)
		return error;
	for (uint32_t i = 0; i < count; i++)
		begin_with(&b, &criteria[i]);
	error = do_run(&b);
	if (!error && !b.stopped)
		error = check_reached(&b);
	if (!error) {
		tell_edges(&b);
		*out = (struct slice){.total = b.total,
		                      .statements = b.statements,
		                      .windows = b.found.windows,
		                      .peak = b.found.peak,
		                      .given = b.found.given,
		                      .unseen = b.found.unseen,
		                      .guesses = b.found.guesses,
		                      .stopped = b.stopped};
		slice_collect(&b.marks, (uint32_t)(b.total + EXECUTION_FIRST), b.codes, out);
		out->ends = b.ends;
		out->constants = b.constants;
	} else {
		roaring_bitmap_free(b.ends);
		roaring_bitmap_free(b.constants);
	}
	vec_deinit(&b.found.edges);
	relevant_deinit(&b.relevant);
	marks_deinit(&b.marks);
	return error;
}

/* What is in the slice for potential dependences only, a slice without them tells. */
struct hence_error *slice_backward(const struct recording *run,
                                   const struct slice_criterion *criteria, uint32_t count,
                                   const struct slice_options *options, struct slice *out)
{
	struct slice_options plain = *options;
	struct hence_error *error;
	struct slice first;

	if (!options->relevant)
		return slice_once(run, criteria, count, options, out);
	plain.relevant = false;
	plain.edge = NULL;
	error = slice_once(run, criteria, count, &plain, &first);
	if (error)
		return error;
	error = slice_once(run, criteria, count, options, out);
	if (!error) {
		roaring_bitmap_free(out->potential);
		out->potential = roaring_bitmap_andnot(out->instances, first.instances);
	}
	slice_deinit(&first);
	return error;
}
