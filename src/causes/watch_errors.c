/* Errors with memory: see watch_errors.h. */
#include "causes/watch_errors.h"

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

int64_t watch_errors_first(struct watch *w, bool destroying)
{
	uint32_t count;
	const struct execution_error *errors = execution_errors(w->e, &count);

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
	int64_t index = watch_errors_first(w, true);
	const struct execution_error *error;
	uint32_t count;

	if (index < 0 && any)
		index = watch_errors_first(w, false);
	if (index < 0)
		return;
	error = &execution_errors(w->e, &count)[index];
	if (destroys(error) || error->kind == ERROR_AFTER_FREE)
		watch_errors_add(s, w, (uint32_t)index);
	note_earlier(s, w, (uint32_t)index, error->code);
}
