/* The first memory error of a run: see memory_error.h. */
#include "explain/memory_error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "explain/steps.h"
#include "explain/suspects.h"
#include "failure/watch.h"

#define LONGEST_LINE 60u /* columns of a line of source in a sentence */

struct error_watch {
	struct watch watch;
	struct watch_errors errors;
	uint64_t printed; /* bytes of standard output after which errors do not count */
	struct explain_sources *sources;
	const struct explanation_memory_error *same; /* that is looked for; NULL: the first */
	struct explanation_memory_error *out;
	bool found;
	bool ended; /* enough is known */
	/* What the index, the pointer or the value was when the error happened: who wrote it, where it lies. */
	uint64_t maker;
	uint32_t writer; /* instance; 0: not known */
	bool is_parameter;
	uint64_t
		given; /* address of a variable that was never initialised; 0: it is not about one */
	uint32_t called; /* 1 + the instruction that has just called a function; 0: none has */
};

static struct explanation_place take_place(const struct error_watch *w,
                                           const struct walk_place *place)
{
	return explain_place(w->sources, place->file, place->line, place->column, place->function);
}

/* --- the sentence --- */

/* 'prog.c:5: int x[10001];', as far as it is known. */
static void add_line(const struct explanation_place *place, struct str *out)
{
	const char *line = place->source;
	size_t length;

	str_printf(out, "%s:%u", place->file, place->line);
	while (line && isspace((unsigned char)*line))
		line++;
	length = line ? strlen(line) : 0;
	while (length && isspace((unsigned char)line[length - 1]))
		length--;
	if (!length)
		return;
	str_add(out, ": ");
	str_add_bytes(out, line, length < LONGEST_LINE ? length : LONGEST_LINE);
	if (length > LONGEST_LINE)
		str_add(out, "...");
}

/* '(declared at ...)', '(allocated at ..., freed at ...)'. */
static void add_life(const struct explanation_memory_error *e, struct str *out)
{
	const struct {
		const char *verb;
		const struct explanation_place *place;
	} all[] = {{"declared", &e->declared}, {"allocated", &e->allocated}, {"freed", &e->freed}};
	const char *before = " (";

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!all[i].place->file)
			continue;
		str_printf(out, "%s%s at ", before, all[i].verb);
		add_line(all[i].place, out);
		before = "; ";
	}
	if (*before == ';')
		str_add_char(out, ')');
}

/* How far from the object it is: in elements, where an element of an array was used. */
static void add_distance(const struct execution_error *error, const struct object *o,
                         const char *name, struct str *out)
{
	bool elements = name && name[strlen(name) - 1] == ']' && error->size;
	uint64_t end = o->address + o->size, bytes, unit;
	const char *where, *what;

	if (error->address >= o->address && error->address < end) {
		bytes = error->address + error->size - end;
		where = "past the end of";
		elements = false;
	} else if (error->address >= end) {
		bytes = error->address - end + error->size;
		where = "past the end of";
	} else {
		bytes = o->address - error->address;
		where = "before the start of";
	}
	unit = elements && bytes % error->size == 0 ? error->size : 1;
	what = unit == error->size && elements ? "element" : "byte";
	if (bytes / unit == 1)
		str_printf(out, ", one %s %s ", what, where);
	else
		str_printf(out, ", %llu %ss %s ", (unsigned long long)(bytes / unit), what, where);
}

static void add_object(const struct explanation_memory_error *e, struct str *out)
{
	str_add(out, e->object ? e->object : "its object");
}

static void write_sentence(const struct error_watch *w, const struct execution_error *error,
                           const struct described_error *parts, struct explanation_memory_error *e)
{
	const struct object *o =
		error->object ? objects_at(execution_objects(w->watch.e), error->object) : NULL;
	const char *name = parts->name, *end;
	struct str text = STR_INIT;

	str_printf(&text, e->at.file ? "%s:%u" : "%s()", e->at.file ? e->at.file : e->at.function,
	           e->at.line);
	str_add(&text, error->outside ? ": " : " ");
	if (error->outside)
		str_printf(&text, "%s() ", error->outside);
	switch (error->kind) {
	case ERROR_OUT_OF_BOUNDS:
	case ERROR_AFTER_FREE:
	case ERROR_AFTER_RETURN:
		str_add(&text, error->writes ? "writes " : "reads ");
		if (name)
			str_add(&text, name);
		else
			str_printf(&text, "%llu byte%s", (unsigned long long)error->size,
			           error->size == 1 ? "" : "s");
		if (error->kind == ERROR_OUT_OF_BOUNDS && o) {
			add_distance(error, o, name, &text);
			add_object(e, &text);
		} else {
			str_add(&text, " in ");
			add_object(e, &text);
			str_add(&text, error->kind == ERROR_AFTER_FREE
			                       ? ", which is freed"
			                       : ", a local of a function that has returned");
		}
		break;
	case ERROR_OUT_OF_MEMBER:
		str_printf(&text, "%s ", error->writes ? "writes" : "reads");
		end = name ? strrchr(name, '[') : NULL;
		if (name)
			str_add(&text, name);
		else
			str_printf(&text, "%llu bytes", (unsigned long long)error->size);
		if (end)
			str_printf(&text, ", outside of %.*s (%llu elements), a member of ",
			           (int)(end - name), name, (unsigned long long)error->elements);
		else
			str_printf(&text, ", outside of an array of %llu elements in ",
			           (unsigned long long)error->elements);
		add_object(e, &text);
		break;
	case ERROR_DOUBLE_FREE:
	case ERROR_BAD_FREE:
		str_add(&text, "is given ");
		add_object(e, &text);
		str_add(&text, error->kind == ERROR_DOUBLE_FREE ? ", which is freed already"
		                                                : ", which was not allocated");
		break;
	case ERROR_UNINITIALISED_OUTPUT: str_add(&text, "prints "); break;
	case ERROR_UNINITIALISED_ADDRESS:
		str_printf(&text, "%s memory at an address computed from ",
		           error->writes ? "writes" : "reads");
		break;
	default: str_add(&text, "branches on ");
	}
	if (error->kind >= ERROR_UNINITIALISED_BRANCH && error->kind <= ERROR_UNINITIALISED_OUTPUT)
		str_printf(&text, "%s, which %s never initialised", name ? name : "a value",
		           parts->derived ? "comes from something that was" : "was");
	add_life(e, &text);
	if (parts->there)
		str_printf(&text, "; %s lies there", parts->there);
	e->words = str_steal(&text);
}

/* --- the error --- */

/* The declaration of the variable that a value without initialisation is, or is a part of: s, a[3], t.x; not *p and p->x. */
static void find_declaration(struct error_watch *w, const struct execution_error *error,
                             const char *name, struct explanation_memory_error *e)
{
	const struct code_function *f = code_of(execution_code_table(w->watch.e), error->code);
	size_t length =
		strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	const struct variable *variable;
	struct walk_place place;
	char *root;

	if (!length || strstr(name, "->"))
		return;
	root = str_format("%.*s", (int)length, name);
	variable = variables_at(names_variables(w->watch.names, f->place.module),
	                        f->instructions[error->code - f->first], root);
	if (variable && variable->file) {
		place = (struct walk_place){.function = f->plan->name,
		                            .file = variable->file,
		                            .line = variable->line,
		                            .column = variable->column};
		e->declared = take_place(w, &place);
		e->object = mem_strdup(variable->name);
	}
	free(root);
}

static void find_object(struct error_watch *w, const struct execution_error *error,
                        const struct described_error *parts, struct explanation_memory_error *e)
{
	uint32_t number = error->object;
	const struct object *o;
	struct names_object object;

	if (!number && parts->address)
		number = execution_object_at(w->watch.e, parts->address);
	if (!number && parts->name)
		find_declaration(w, error, parts->name, e);
	if (!number)
		return;
	o = objects_at(execution_objects(w->watch.e), number);
	names_object(w->watch.names, number, &object);
	e->before = error->kind == ERROR_OUT_OF_BOUNDS && error->address < o->address;
	e->declared = take_place(w, &object.declared);
	e->allocated = take_place(w, &object.allocated);
	if (error->kind == ERROR_AFTER_FREE || error->kind == ERROR_DOUBLE_FREE)
		e->freed = take_place(w, &object.freed);
	if (object.name)
		e->object = mem_strdup(object.name);
	else if (o->kind == OBJECT_HEAP)
		e->object = str_format("a heap block of %llu bytes", (unsigned long long)o->size);
	else if (o->kind == OBJECT_DYNAMIC && parts->name)
		find_declaration(w, error, parts->name, e);
	if (!e->object && o->kind == OBJECT_DYNAMIC)
		e->object = str_format("an array of %llu bytes", (unsigned long long)o->size);
	if (o->kind == OBJECT_GIVEN)
		e->object = o->index == OBJECT_ARRAY
		                    ? str_format("%s", o->owner ? "environ" : "argv")
		                    : str_format("%s[%u]", o->owner ? "environ" : "argv", o->index);
}

/* Who wrote the index or the pointer that the access used, or the value that depends on something that was never initialised. */
static void find_writer(struct error_watch *w, const struct described_error *parts)
{
	w->maker = parts->maker_size ? parts->maker : parts->derived ? parts->address : 0;
	w->is_parameter = parts->maker_size && parts->maker_is_parameter;
	w->given = parts->derived ? 0 : parts->start;
	if (w->maker)
		memory_source_run(execution_memory(w->watch.e), w->maker, 1, &w->writer);
	if (w->writer < EXECUTION_FIRST)
		w->writer = 0;
}

static bool is_same(const struct error_watch *w, const struct execution *e,
                    const struct execution_error *error)
{
	struct walk_place place = execution_place(e, error->code);

	return !strcmp(describe_error_kind(error->kind), w->same->kind) && place.file &&
	       w->same->at.file && !strcmp(place.file, w->same->at.file) &&
	       place.line == w->same->at.line && place.column == w->same->at.column;
}

static void take_error(struct error_watch *w, uint32_t index)
{
	uint32_t count;
	const struct execution_error *error = &execution_errors(w->watch.e, &count)[index];
	const struct described_error *parts = describe_error_parts(w->errors.errors, index);
	struct walk_place place = names_place(w->watch.names, error->code);
	struct explanation_memory_error *e = w->out;

	/* Without them there is no text of lines. */
	error_destroy(explain_sources_create(w->watch.run, NULL, &w->sources));
	e->kind = describe_error_kind(error->kind);
	e->at = take_place(w, &place);
	/* An instruction belongs to the statement that ends next; a call is counted when it begins. */
	e->time = error->outside ? error->statement : error->statement + 1;
	e->writes = error->writes;
	find_object(w, error, parts, e);
	write_sentence(w, error, parts, e);
	find_writer(w, parts);
}

/* What is new. */
static void see_errors(struct error_watch *w)
{
	uint32_t seen = w->errors.seen.size, count;
	const struct execution_error *errors;

	watch_errors_see(&w->errors, &w->watch);
	errors = execution_errors(w->watch.e, &count);
	for (; seen < count && !w->found; seen++) {
		if (errors[seen].kind == ERROR_FAULT ||
		    (w->same && !is_same(w, w->watch.e, &errors[seen])))
			continue;
		w->found = true;
		if (!w->same)
			take_error(w, seen);
	}
}

static void on_statement(struct watch *watch, enum execution_event event)
{
	struct error_watch *w = (struct error_watch *)watch;
	uint64_t from, to;
	uint32_t count;

	/* The decoder halts only at the end of the block. */
	if (w->ended)
		return;
	execution_errors(watch->e, &count);
	if (count > w->errors.seen.size)
		see_errors(w);
	w->ended = w->found ||
	           (w->printed != UINT64_MAX &&
	            watch_prints(watch, event, watch_output(watch), &from, &to) && to > w->printed);
	if (w->ended)
		watch_halt(watch);
}

static struct hence_error *finish(struct watch *watch)
{
	struct error_watch *w = (struct error_watch *)watch;

	/* The program may have died within a statement. */
	if (!w->ended)
		see_errors(w);
	return NULL;
}

/* --- where the index came from --- */

static void take_given(struct error_watch *w, const struct execution *e, uint32_t code)
{
	const struct walk_place place = execution_place(e, code);

	explanation_place_deinit(&w->out->given);
	w->out->given = take_place(w, &place);
}

/* The last call of a run that is kept, up to the statement `until`, that was given the address. */
static void find_given(struct error_watch *w, const struct execution *whole, uint64_t until)
{
	uint32_t count, end, first;
	const struct execution_segment *segments = execution_segments(whole, &count);

	execution_kept(whole, &first, &end);
	while (count--) {
		const struct execution_segment *s = &segments[count];
		uint32_t i = end;

		while (i-- > s->first) {
			const struct code_insn *insn = execution_insn(whole, i);
			const struct code_call *call = insn->more;
			uint64_t value;
			uint32_t made;

			if (insn->op != CODE_CALL || history_statement(w->watch.run, i) > until)
				continue;
			for (uint32_t k = 0; k < call->count; k++) {
				if (!execution_operand(whole, i, call->arguments[k].operand, &value,
				                       &made) ||
				    value != w->given)
					continue;
				take_given(w, whole, s->code + (i - s->first));
				return;
			}
		}
		end = s->first;
	}
}

static void on_write(struct watch *watch, enum execution_event event)
{
	struct error_watch *w = (struct error_watch *)watch;
	const struct activation *a = execution_top(watch->e, 0);
	const struct code_insn *insn = &a->function->insns[a->pc - 1];
	const struct code_call *call = insn->more;
	uint32_t writer = 0, code = watch_code(watch);
	struct walk_place place;

	if (w->ended)
		return;
	for (uint32_t i = 0; w->given && insn->op == CODE_CALL && i < call->count; i++) {
		const struct code_slot *slot =
			execution_slot(watch->e, a, call->arguments[i].operand);

		if (slot && slot->bits == w->given)
			take_given(w, watch->e, code);
	}
	if (w->writer)
		memory_source_run(execution_memory(watch->e), w->maker, 1, &writer);
	if (w->writer && writer == w->writer) {
		/* A parameter is written before the first statement of its function: the call counts. */
		if (w->is_parameter && w->called)
			code = w->called - 1;
		place = names_place(watch->names, code);
		w->out->index = take_place(w, &place);
	}
	/* The decoder halts only at the end of the block. */
	w->ended = w->out->index.file || execution_statements(watch->e) >= w->out->time;
	if (w->ended)
		watch_halt(watch);
	w->called = event == EXECUTION_CALLS ? code + 1 : 0;
}

static struct hence_error *finish_write(struct watch *watch)
{
	return NULL;
}

/* --- all --- */

/* Which statements of a run that is kept tell it. False: there is nothing to be found. */
static bool want(struct error_watch *w)
{
	const struct history_print *print =
		w->printed < UINT64_MAX ? history_print_of(w->watch.run, w->printed) : NULL;
	int64_t index = watch_errors_first(w->watch.whole, false);
	uint32_t count;

	if (index < 0 ||
	    (print && execution_errors(w->watch.whole, &count)[index].statement > print->time))
		return false;
	watch_want_error(&w->watch, (uint32_t)index);
	if (print)
		watch_want(&w->watch, print->time);
	return true;
}

/* The same of who wrote the index. */
static void want_writer(struct error_watch *w)
{
	uint64_t time = history_statement(w->watch.run, w->writer);

	/* The call before it, in case that it is a parameter. */
	if (time > 1)
		watch_want(&w->watch, time - 1);
	watch_want(&w->watch, time);
}

static struct hence_error *look(struct error_watch *w, const struct recording *run, double until,
                                bool writer)
{
	struct criterion unused = {0};
	struct hence_error *error;

	w->watch.run = run;
	w->watch.until = until;
	w->watch.out = &unused;
	w->watch.errors = &w->errors;
	error = watch_ask(&w->watch);
	if (!error && w->watch.whole && writer)
		want_writer(w);
	else if (!error && w->watch.whole && !want(w))
		return NULL;
	if (!error)
		error = watch_run(&w->watch);
	watch_errors_deinit(&w->errors);
	w->errors = (struct watch_errors){0};
	criterion_deinit(&unused);
	return error;
}

struct hence_error *memory_error_find(const struct recording *run, uint64_t printed_before,
                                      double until, struct explanation_memory_error *out)
{
	struct explanation_memory_error found = {0};
	struct error_watch w = {.watch = {.outputs = printed_before != UINT64_MAX,
	                                  .statement = on_statement,
	                                  .finish = finish},
	                        .printed = printed_before,
	                        .out = &found};
	struct hence_error *error = look(&w, run, until, false);
	const struct execution *whole;
	uint64_t given; /* looked for in the run as it is kept */

	whole = w.watch.whole;
	given = whole ? w.given : 0;
	w.given -= given;
	w.ended = false;
	w.watch = (struct watch){.run = run, .statement = on_write, .finish = finish_write};
	/* What it cannot tell is no loss. */
	if (!error && (w.writer || w.given))
		error_destroy(look(&w, run, until, true));
	w.given = given;
	if (!error && given)
		find_given(&w, whole,
		           found.index.file ? history_statement(run, w.writer) : found.time);
	explain_sources_destroy(w.sources);
	if (error)
		explanation_memory_error_deinit(&found);
	else
		*out = found;
	return error;
}

struct hence_error *memory_error_recurs(const struct recording *run,
                                        const struct explanation_memory_error *same, double until,
                                        bool *out)
{
	struct error_watch w = {.watch = {.statement = on_statement, .finish = finish},
	                        .printed = UINT64_MAX,
	                        .same = same};
	struct execution *whole;
	struct hence_error *error = history_whole(run, &whole);
	const struct execution_error *errors;
	uint32_t count;

	if (!error && whole) {
		errors = execution_errors(whole, &count);
		for (uint32_t i = 0; i < count && !w.found; i++)
			w.found = errors[i].kind != ERROR_FAULT && is_same(&w, whole, &errors[i]);
	} else if (!error) {
		error = look(&w, run, until, false);
	}
	if (!error)
		*out = w.found;
	return error;
}

/* --- the failure --- */

void explain_memory_error(struct explanation *e)
{
	const struct explanation_memory_error *m = &e->memory_error;
	struct explanation_step *step;

	explanation_place_deinit(&e->failure.at);
	e->failure.at = explain_copy_place(&m->at);
	if (!e->steps.size) {
		step = vec_push(&e->steps);
		step->kind = EXPLANATION_MEMORY;
		step->what = mem_strdup(m->words);
		step->observed = true;
		step->time = m->time;
		step->at = explain_copy_place(&m->at);
	}
	if (e->verdict == EXPLANATION_UNPROVEN)
		e->verdict = EXPLANATION_EXPLAINED;
	free(e->hint);
	e->hint = NULL;
}

/* --- suspects --- */

#define USUAL 0.2 /* what it is worth when a run that passes makes the same error */
/* The same of a declaration or allocation, where another size would not help: the object was freed, or should have been
   initialised, later; the access lies before its start; or a change of other code is known to help. */
#define LIVED 0.4

void memory_error_suspect(struct explanation *e, const struct explanation_fix *cure)
{
	const struct explanation_memory_error *m = &e->memory_error;
	bool member = m->kind && !strcmp(m->kind, describe_error_kind(ERROR_OUT_OF_MEMBER));
	bool declared = !m->given.file && !m->before && !cure && !member;
	bool allocated = !m->freed.file && !m->before && !cure && !member;
	const char *object = m->object ? m->object : "the object";
	const struct {
		const struct explanation_place *place;
		enum suspect_row row;
		double factor;
		const char *words; /* with the kind or the object, if that is to be named */
		const char *named;
	} all[] = {
		{&m->at, SUSPECT_MEMORY_ACCESS, 1, "makes the first memory error (%s)", m->kind},
		{&m->declared, SUSPECT_MEMORY_OBJECT, declared ? 1 : LIVED,
	         "declares %s, which the first memory error is about", object},
		{&m->allocated, SUSPECT_MEMORY_OBJECT, allocated ? 1 : LIVED,
	         "allocates what the first memory error is about", NULL},
		{&m->freed, SUSPECT_MEMORY_FREE, 1, "frees what the first memory error uses", NULL},
		{&m->index, SUSPECT_MEMORY_INDEX, 1,
	         "writes what the first memory error uses as index, pointer or value", NULL},
		{&m->given, SUSPECT_MEMORY_GIVEN, 1,
	         "leaves %s uninitialised, which the first memory error uses", object},
	};

	for (size_t i = 0; m->kind && i < sizeof(all) / sizeof(*all); i++)
		suspects_add(e, all[i].place, all[i].row, (m->usual ? USUAL : 1) * all[i].factor,
		             all[i].named ? str_format(all[i].words, all[i].named)
		                          : mem_strdup(all[i].words));
	if (m->kind && cure)
		suspects_add(
			e, &cure->at, SUSPECT_MEMORY_CURED, m->usual ? USUAL : 1,
			mem_strdup(
				"with a small change of this line the first memory error is gone"));
	suspects_settle(e);
}
