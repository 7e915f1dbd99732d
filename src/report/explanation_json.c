/* An explanation as JSON: the saved report. */
#include <string.h>

#include "report/explanation_words.h"
#include "report/json.h"

/* A member that is left out when it is not known. */
static void add_text(struct str *out, const char *key, const char *text)
{
	if (text)
		json_add_member(out, key, text);
}

static void add_number(struct str *out, const char *key, uint64_t number)
{
	if (number)
		json_add_number(out, key, number);
}

static void add_flag(struct str *out, const char *key, bool flag)
{
	json_add_key(out, key);
	str_add(out, flag ? "true" : "false");
}

/* JSON has points, whatever the user's language has. */
static void add_fraction(struct str *out, const char *key, double number, int digits)
{
	uint64_t scale = digits == 3 ? 1000 : 100;
	uint64_t value = (uint64_t)(number * (double)scale + 0.5);

	json_add_key(out, key);
	str_printf(out, "%llu.%0*llu", (unsigned long long)(value / scale), digits,
	           (unsigned long long)(value % scale));
}

static void add_texts(struct str *out, const char *key, char *const *texts, uint32_t count)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? "," : "");
		json_add_string(out, texts[i]);
	}
	str_add_char(out, ']');
}

/* The members of an object that says where. */
static void add_place(struct str *out, const struct explanation_place *place)
{
	add_text(out, "file", place->file);
	add_number(out, "line", place->line);
	add_number(out, "column", place->column);
	add_text(out, "function", place->function);
}

static void add_value(struct str *out, const struct explanation_value *v)
{
	add_text(out, "variable", v->name);
	add_text(out, "failing", v->failing);
	add_text(out, "reference", v->reference);
}

static void open(struct str *out, uint32_t index)
{
	str_add(out, index ? ",{" : "{");
}

static void add_value_list(struct str *out, const char *key, const struct explanation_value *values,
                           uint32_t count)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		open(out, i);
		add_value(out, &values[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

/* --- steps --- */

/* With the point in the run that was changed, so that it can be tried again. */
static void add_proof(struct str *out, const struct explanation_proof *proof)
{
	json_add_number(out, "experiment", proof->experiment);
	add_text(out, "changed", proof->changed);
	add_text(out, "from", proof->from);
	add_text(out, "to", proof->to);
	json_add_member(out, "in", proof->in);
	json_add_member(out, "outcome", proof->outcome);
	if (proof->local)
		json_add_member(out, "judged", "next step");
	if (proof->guarded)
		add_flag(out, "guarded", true);
	add_place(out, &proof->at);
	add_number(out, "instance", proof->instance);
}

static void add_proofs(struct str *out, const struct explanation_step *step)
{
	json_add_key(out, "proof");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < step->proofs.size; i++) {
		open(out, i);
		add_proof(out, &step->proofs.at[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_statement(struct str *out, const char *key, const struct explanation_place *place,
                          const char *statement)
{
	json_add_key(out, key);
	str_add_char(out, '{');
	add_place(out, place);
	add_text(out, "statement", statement);
	add_text(out, "source", place->source);
	str_add_char(out, '}');
}

static void add_sentence(struct str *out, const struct explanation_step *step)
{
	struct str text = STR_INIT;

	explanation_add_step(&text, step, &explanation_unmarked);
	json_add_member(out, "text", str_text(&text));
	str_deinit(&text);
}

static void add_step(struct str *out, const struct explanation_step *step)
{
	add_place(out, &step->at);
	add_number(out, "instance", step->instance);
	add_number(out, "reference_instance", step->reference_instance);
	add_text(out, "kind", step->kind);
	if (step->values.size)
		add_value(out, &step->values.at[0]);
	if (step->values.size > 1)
		add_value_list(out, "with", step->values.at + 1, step->values.size - 1);
	add_sentence(out, step);
	add_text(out, "when", step->when);
	add_text(out, "method", step->method);
	add_text(out, "also_found_by", step->also);
	add_flag(out, "transition", step->transition);
	if (step->transition && step->cause.file)
		add_statement(out, "cause", &step->cause, step->statement);
	if (step->transition && step->until.file)
		add_statement(out, "until", &step->until, step->until_statement);
	add_text(out, "source", step->at.source);
	add_flag(out, step->observed ? "observed" : "proven", step->observed || step->proven);
	if (step->apart)
		add_flag(out, "apart", true);
	if (step->usual)
		add_flag(out, "usual", true);
	add_proofs(out, step);
}

/* --- the rest --- */

static void add_failure(struct str *out, const struct explanation *e)
{
	json_add_key(out, "failure");
	str_add_char(out, '{');
	add_text(out, "kind", e->failure.kind);
	add_place(out, &e->failure.at);
	add_text(out, "message", e->failure.message);
	str_add_char(out, '}');
}

static void add_reference(struct str *out, const struct explanation *e)
{
	json_add_key(out, "reference");
	str_add_char(out, '{');
	add_text(out, "kind", e->reference.kind);
	add_text(out, "text", e->reference.text);
	if (e->reference.command.size)
		add_texts(out, "command", e->reference.command.at, e->reference.command.size);
	add_text(out, "stdin", e->reference.stdin_file);
	str_add_char(out, '}');
}

static void add_steps(struct str *out, const struct explanation *e)
{
	json_add_key(out, "steps");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->steps.size; i++) {
		open(out, i);
		add_step(out, &e->steps.at[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_suspects(struct str *out, const struct explanation *e)
{
	json_add_key(out, "suspects");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->suspects.size; i++) {
		const struct explanation_suspect *s = &e->suspects.at[i];

		open(out, i);
		add_place(out, &s->at);
		add_fraction(out, "score", s->score, 2);
		add_text(out, "why", s->why);
		add_text(out, "source", s->at.source);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_points(struct str *out, const struct explanation *e)
{
	json_add_key(out, "points");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->points.size; i++) {
		const struct explanation_point *p = &e->points.at[i];

		open(out, i);
		add_place(out, &p->at);
		add_number(out, "failing_time", p->failing_time);
		add_number(out, "reference_time", p->reference_time);
		add_value_list(out, "variables", p->values.at, p->values.size);
		add_flag(out, "transition", p->transition);
		add_text(out, "source", p->at.source);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_stats(struct str *out, const struct explanation *e)
{
	json_add_key(out, "stats");
	str_add_char(out, '{');
	json_add_number(out, "experiments", e->stats.experiments);
	add_number(out, "confounded", e->stats.confounded);
	add_number(out, "runs", e->stats.runs);
	add_fraction(out, "seconds", e->stats.seconds, 3);
	add_number(out, "statements_failing", e->stats.statements_failing);
	add_number(out, "statements_reference", e->stats.statements_reference);
	str_add_char(out, '}');
}

static void add_parts(struct str *out, const struct explanation *e)
{
	for (uint32_t i = 0; i < e->parts.size; i++) {
		json_add_key(out, e->parts.at[i].key);
		str_add_bytes(out, str_text(&e->parts.at[i].json), e->parts.at[i].json.length);
	}
}

void explanation_print_json(const struct explanation *e, FILE *file)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", EXPLANATION_VERSION);
	add_text(&out, "verdict", e->verdict);
	add_text(&out, "program", e->program);
	add_texts(&out, "command", e->command.at, e->command.size);
	add_failure(&out, e);
	add_reference(&out, e);
	add_steps(&out, e);
	add_suspects(&out, e);
	if (e->points.size)
		add_points(&out, e);
	add_parts(&out, e);
	add_texts(&out, "notes", e->notes.at, e->notes.size);
	add_text(&out, "hint", e->hint);
	add_stats(&out, e);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
	str_deinit(&out);
}
