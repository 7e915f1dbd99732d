/* One decoding of a run: see watch.h. */
#include "base/budget.h"
#include "failure/watch.h"

#include <assert.h>

/* ------ memory errors ------ */

void watch_errors_deinit(struct watch_errors *s)
{
	describe_errors_destroy(s->errors);
	vec_deinit(&s->seen);
}

uint32_t watch_pointer_operand(const struct code_insn *insn)
{
	switch (insn->op) {
	case CODE_LOAD:
	case CODE_LOAD_WIDE: return insn->a;
	case CODE_STORE:
	case CODE_STORE_WIDE: return insn->b;
	default: return CODE_NO_OPERAND;
	}
}

static void see_error(struct watch_errors *s, struct watch *w, const struct execution_error *error)
{
	struct execution *e = w->e;
	const struct activation *a = execution_top(e, 0);
	const struct object *object =
		error->object ? objects_at(execution_objects(e), error->object) : NULL;
	struct watch_error *seen = vec_push(&s->seen);
	const struct code_insn *insn;
	const struct code_slot *slot;

	seen->instance = error->outside && a ? a->call : error->instance;
	if ((error->kind == ERROR_AFTER_FREE || error->kind == ERROR_DOUBLE_FREE) && object)
		seen->freed = object->death;
	if (!a || error->outside || code_of(execution_code_table(e), error->code) != a->function)
		return;
	insn = &a->function->insns[error->code - a->function->first];
	slot = execution_slot(e, a, watch_pointer_operand(insn));
	seen->pointer = slot ? slot->made : 0;
}

void watch_errors_see(struct watch_errors *s, struct watch *w)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(w->e, &count);

	if (!s->errors)
		s->errors = describe_errors_create(w->names, w->e);
	for (uint32_t i = s->seen.size; i < count; i++)
		see_error(s, w, &errors[i]);
	describe_errors_follow(s->errors);
}

static bool destroys(const struct execution_error *error)
{
	switch (error->kind) {
	case ERROR_OUT_OF_BOUNDS:
	case ERROR_OUT_OF_MEMBER:
	case ERROR_AFTER_FREE:
	case ERROR_AFTER_RETURN: return error->writes;
	case ERROR_DOUBLE_FREE:
	case ERROR_BAD_FREE: return true;
	default: return false;
	}
}

int64_t watch_errors_first(const struct execution *e, bool destroying)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(e, &count);

	for (uint32_t i = 0; i < count; i++)
		if (errors[i].kind != ERROR_FAULT && (!destroying || destroys(&errors[i])))
			return i;
	return -1;
}

void watch_errors_add(const struct watch_errors *s, struct watch *w, uint32_t index)
{
	const struct watch_error *seen = &s->seen.at[index];
	struct slice_criterion at = {.instance = seen->instance,
	                             .itself = seen->pointer >= EXECUTION_FIRST};

	watch_add(w, &at);
	watch_mark(w, seen->instance);
	if (at.itself)
		watch_add(w, &(struct slice_criterion){.instance = seen->pointer});
	if (seen->freed >= EXECUTION_FIRST)
		watch_add(w, &(struct slice_criterion){.instance = seen->freed, .itself = true});
}

static void note_earlier(const struct watch_errors *s, struct watch *w, uint32_t index,
                         uint32_t code)
{
	struct walk_place place = names_place(w->names, code);
	struct str text = STR_INIT;

	describe_error(s->errors, index, &text);
	if (place.file)
		watch_note(w, "before that, at %s:%u in %s(): %s", place.file, place.line,
		           place.function, str_text(&text));
	else
		watch_note(w, "before that, in %s(): %s", place.function, str_text(&text));
	str_deinit(&text);
}

void watch_errors_add_earlier(const struct watch_errors *s, struct watch *w, bool any)
{
	int64_t index = watch_errors_first(w->e, true);
	const struct execution_error *error;
	uint32_t count;

	if (index < 0 && any)
		index = watch_errors_first(w->e, false);
	if (index < 0)
		return;
	error = &execution_errors(w->e, &count)[index];
	if (destroys(error) || error->kind == ERROR_AFTER_FREE)
		watch_errors_add(s, w, (uint32_t)index);
	note_earlier(s, w, (uint32_t)index, error->code);
}

/* ------ the whole ------ */

#define LOOK 0xffffu /* statements between looks at the clock, less 1 */

void watch_halt(struct watch *w)
{
	walk_halt(execution_walk(w->e));
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct watch *w = context;

	w->number = number;
	if (event != EXECUTION_BEGINS)
		names_follow(w->names);
	w->statement(w, event);
	if (number & LOOK)
		return;
	w->late = w->until > 0 && budget_clock() > w->until;
	if (w->late || execution_renumbered(e))
		watch_halt(w);
}

/* Another execution of the run goes on. */
static void on_moved(void *context, struct execution *e)
{
	struct watch *w = context;
	uint32_t count;

	w->e = e;
	if (w->names)
		names_move(w->names, e);
	else
		w->names = names_create(e);
	if (!w->errors || !w->whole)
		return;
	if (!w->errors->errors)
		w->errors->errors = describe_errors_create(w->names, e);
	describe_errors_move(w->errors->errors, e);
	execution_errors(e, &count);
	while (w->errors->seen.size < count)
		vec_push(&w->errors->seen);
}

static struct hence_error *finish(struct watch *w)
{
	if (w->late)
		return error_create(HENCE_ERROR_INPUT,
		                    "the run is too long to be read in time (it was read up to "
		                    "statement %llu); --time SECONDS allows more, and a "
		                    "smaller --timeout or --tape-limit makes it shorter",
		                    (unsigned long long)execution_statements(w->e));
	if (execution_renumbered(w->e))
		return error_create(HENCE_ERROR_INPUT,
		                    "the run is too long: it has more than 2,147,483,648 "
		                    "instructions after %llu statements; give the program less to "
		                    "do, or record less of it with --tape-limit SIZE",
		                    (unsigned long long)execution_statements(w->e));
	return w->finish(w);
}

struct hence_error *watch_ask(struct watch *w)
{
	return history_whole(w->run, &w->whole);
}

void watch_want(struct watch *w, uint64_t time)
{
	*vec_push(&w->times) = time ? time : 1;
}

void watch_want_end(struct watch *w)
{
	watch_want(w, execution_statements(w->whole));
	watch_want(w, UINT64_MAX);
}

void watch_want_error(struct watch *w, uint32_t index)
{
	uint32_t count;
	const struct execution_error *error = &execution_errors(w->whole, &count)[index];

	/* An instruction belongs to the statement that ends next; a call is counted when it begins. */
	watch_want(w, error->statement);
	watch_want(w, error->statement + 1);
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct hence_error *watch_run(struct watch *w)
{
	struct execution_options options = {.table = w->run->table,
	                                    .outputs = w->outputs && !w->whole,
	                                    .begins = w->begins,
	                                    .statement = on_statement,
	                                    .context = w};
	struct hence_error *error;

	assert(!w->whole == !w->times.size);
	w->e = NULL;
	if (w->whole) {
		qsort(w->times.at, w->times.size, sizeof(*w->times.at), by_time);
		error = history_visit(w->run, w->times.at, w->times.size, &options, on_moved,
		                      &w->e);
	} else {
		error = execution_create(w->run->modules, w->run->folder, w->run->tape, &options,
		                         &w->e);
		if (!error)
			on_moved(w, w->e);
		if (!error)
			error = execution_run(w->e, w->run->death);
	}
	if (!error)
		error = finish(w);
	names_destroy(w->names);
	execution_destroy(w->e);
	vec_deinit(&w->times);
	w->names = NULL;
	w->e = NULL;
	return error;
}

const struct outputs_stream *watch_output(const struct watch *w)
{
	return outputs_stream(execution_outputs(w->whole ? w->whole : w->e), 1);
}

/* What a statement of `whole` printed; NULL: nothing. */
static const struct history_print *find_print(const struct watch *w)
{
	uint32_t low = 0, high, count;
	const struct history_print *prints = history_prints(w->run, &count);

	for (high = count; low < high;) {
		uint32_t middle = low + (high - low) / 2;

		if (prints[middle].time < w->number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && prints[low].time == w->number ? &prints[low] : NULL;
}

bool watch_prints(struct watch *w, enum execution_event event, const struct outputs_stream *stream,
                  uint64_t *from, uint64_t *to)
{
	const struct activation *a = execution_top(w->e, 0);
	const struct history_print *print;

	if (!stream || a->function->insns[a->pc - 1].op != CODE_CALL || event == EXECUTION_CALLS)
		return false;
	*from = w->printed;
	*to = stream->size;
	if (w->whole) {
		print = find_print(w);
		if (!print)
			return false;
		*from = print->from;
		*to = print->to;
	}
	if (*to <= w->printed)
		return false;
	w->printed = *to;
	return true;
}

uint32_t watch_code(const struct watch *w)
{
	const struct activation *a = execution_top(w->e, 0);

	return a->function->first + a->pc - 1;
}

uint32_t watch_dying(const struct watch *w, uint32_t told)
{
	uint32_t last = (uint32_t)(EXECUTION_FIRST + execution_instances(w->e) - 1);

	/* A call that could not be made is an instance, but not under way. */
	return last > told ? last : describe_instance(w->e);
}

void watch_set_place(struct watch *w, uint32_t code)
{
	struct walk_place place = names_place(w->names, code);
	struct criterion *c = w->out;

	free(c->file);
	free(c->function);
	c->file = place.file ? mem_strdup(place.file) : NULL;
	c->function = mem_strdup(place.function);
	c->line = place.line;
	c->column = place.column;
}

void watch_add(struct watch *w, const struct slice_criterion *at)
{
	assert(at->instance >= EXECUTION_FIRST);
	*vec_push(&w->out->at) = *at;
}

void watch_add_operand(struct watch *w, const struct activation *a, uint32_t operand)
{
	const struct code_slot *slot = execution_slot(w->e, a, operand);
	bool parameter = !(operand & 1) && a->function->makers[operand >> 1] & CODE_PARAMETER;

	/* What made a parameter is the call that passed it. */
	if (slot && slot->made >= EXECUTION_FIRST)
		watch_add(w,
		          &(struct slice_criterion){.instance = slot->made, .itself = parameter});
}

static void note_source(struct watch *w, uint32_t source, const char *name)
{
	switch (source) {
	case SOURCE_INITIAL:
		watch_note(w, "%s has the value it was initialised with: no statement wrote it",
		           name);
		break;
	case SOURCE_GIVEN:
		watch_note(w, "%s is as the program was given it: arguments or environment", name);
		break;
	case SOURCE_UNDEFINED: watch_note(w, "%s was never written", name); break;
	case SOURCE_NONE:
	case SOURCE_UNSEEN:
		watch_note(w, "%s was written by code that was not built with hence cc", name);
		break;
	default: break;
	}
}

/* Bytes of a structure that was passed by value have the writers of the original, elsewhere. */
static bool is_passed(struct watch *w, uint64_t address)
{
	uint32_t object = execution_object_at(w->e, address);

	return object && objects_at(execution_objects(w->e), object)->kind == OBJECT_BYVAL;
}

void watch_add_memory(struct watch *w, uint64_t address, uint64_t size, const char *name)
{
	bool passed = is_passed(w, address);
	uint32_t last = EXECUTION_FIRST;

	for (uint64_t done = 0, run; done < size; done += run) {
		struct slice_criterion at = {0};

		run = memory_source_run(execution_memory(w->e), address + done, size - done,
		                        &at.instance);
		if (at.instance < EXECUTION_FIRST) {
			if (name && at.instance != last)
				note_source(w, at.instance, name);
			last = at.instance;
			continue;
		}
		if (!passed) {
			at.from = address + done;
			at.to = at.from + run;
		}
		watch_add(w, &at);
	}
}

void watch_mark(struct watch *w, uint32_t instance)
{
	*vec_push(&w->out->marks) = instance;
}

void watch_note(struct watch *w, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&w->out->notes) = str_steal(&text);
}
