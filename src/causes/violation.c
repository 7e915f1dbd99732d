/* What was violated in a run: see violation.h. */
#include "causes/violation_work.h"

#include <stdlib.h>
#include <string.h>

void violation_deinit(struct violation *v)
{
	for (uint32_t i = 0; i < v->notes.size; i++)
		free(v->notes.at[i]);
	vec_deinit(&v->notes);
	vec_deinit(&v->also);
	str_deinit(&v->what);
	str_deinit(&v->wanted);
	str_deinit(&v->numbers);
	free(v->file);
	free(v->function);
	*v = (struct violation){0};
}

void violation_note(struct violation *v, const char *format, ...)
{
	struct str text = STR_INIT;
	va_list args;

	va_start(args, format);
	str_vprintf(&text, format, args);
	va_end(args);
	*vec_push(&v->notes) = str_steal(&text);
}

void violation_set_place(struct violation *v, struct names *names, uint32_t code, uint64_t time)
{
	struct walk_place place = names_place(names, code);

	free(v->file);
	free(v->function);
	v->file = place.file ? mem_strdup(place.file) : NULL;
	v->function = mem_strdup(place.function);
	v->line = place.line;
	v->column = place.column;
	v->time = time;
}

bool violation_is_kept(const struct violation_work *w, uint32_t instance)
{
	uint32_t first, end;

	execution_kept(w->kept, &first, &end);
	return instance >= first && instance < end;
}

/* --- terms --- */

term violation_and(struct terms *terms, term a, term b)
{
	return a && b ? term_make(terms, TERM_AND, 1, a, b, 0) : a ? a : b;
}

term violation_or(struct terms *terms, term a, term b)
{
	return a && b ? term_make(terms, TERM_OR, 1, a, b, 0) : a ? a : b;
}

term violation_differs(struct terms *terms, term a, uint64_t value)
{
	return term_not(terms, term_equals(terms, a, value));
}

/* The address of a variable is a symbol, too, of the instruction that reckons it. */
static bool is_fixed(struct violation_work *w, term t)
{
	const struct term_node *node = term_at(w->terms, t);

	if (node->op != TERM_VARIABLE || node->value >= TERM_ANY)
		return node->op == TERM_CONSTANT;
	return term_is_constant(w->terms, symbolic_define(w->symbolic, (uint32_t)node->value)->term,
	                        NULL);
}

term violation_has_changed(struct violation_work *w, term t)
{
	if (is_fixed(w, t))
		return 0;
	return violation_differs(w->terms, t,
	                         term_evaluate(w->terms, t, symbolic_actual, w->symbolic));
}

term violation_memory(struct violation_work *w, struct execution *now, uint64_t address,
                      uint32_t size)
{
	struct memory *memory = execution_memory(now);
	uint32_t writers[8];
	uint8_t values[8] = {0};
	uint64_t bits;
	term t;

	memory_read(memory, address, size, values);
	for (uint32_t i = 0; i < size; i++)
		memory_source_run(memory, address + i, 1, &writers[i]);
	t = symbolic_memory(w->symbolic, address, size, writers, values);
	memcpy(&bits, values, sizeof(bits));
	return t ? t : term_constant(w->terms, 8 * size, bits);
}

/* --- the result --- */

void violation_set_event(struct violation_work *w, uint32_t instance)
{
	w->out->kind = VIOLATION_EVENT;
	w->out->instance = instance;
	w->out->claim = 0;
}

void violation_set_claim(struct violation_work *w, uint32_t instance, term claim)
{
	violation_set_event(w, instance);
	if (!claim || term_is_constant(w->terms, claim, NULL))
		return;
	if (term_evaluate(w->terms, claim, symbolic_actual, w->symbolic)) {
		violation_note(w->out,
		               "the condition %s held in the run as far as it is known, so what "
		               "led there is shown instead",
		               w->out->wanted.length ? str_text(&w->out->wanted) : "");
		str_deinit(&w->out->wanted);
		str_deinit(&w->out->numbers);
		return;
	}
	w->out->kind = VIOLATION_CHECK;
	w->out->claim = claim;
}

/* The first byte that is not as expected; UINT64_MAX: there is none. */
static uint64_t find_difference(const struct violation_question *q)
{
	uint64_t at = 0, length = q->output ? q->output->length : 0;

	if (!q->expected)
		return UINT64_MAX;
	while (at < length && at < q->expected_size && q->output->text[at] == q->expected[at])
		at++;
	return at == length && at == q->expected_size ? UINT64_MAX : at;
}

/* Of a run that failed, output that is missing at the end says less than the failure. */
static bool is_about_output(const struct violation_question *q, uint64_t offset)
{
	const struct outcome *outcome = q->outcome;

	if (offset == UINT64_MAX)
		return false;
	return offset < q->output->length || (outcome->kind == OUTCOME_EXITED && outcome->status == q->status);
}

struct hence_error *violation_find(const struct recording *run, struct symbolic *symbolic,
                                   const struct violation_question *question, struct violation *out)
{
	struct violation found = {0};
	struct violation_work w = {.run = run,
	                           .symbolic = symbolic,
	                           .terms = symbolic_terms(symbolic),
	                           .kept = symbolic_execution(symbolic),
	                           .question = question,
	                           .out = &found};
	uint64_t offset = find_difference(question);
	struct hence_error *error;

	if (question->check)
		error = violation_of_check(&w);
	else if (is_about_output(question, offset))
		error = violation_of_output(&w, offset);
	else
		error = violation_of_failure(&w);
	if (error)
		violation_deinit(&found);
	else
		*out = found;
	return error;
}
