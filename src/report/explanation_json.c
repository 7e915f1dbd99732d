/* An explanation as JSON: the saved report. explanation_read.c reads it. */
#include <ctype.h>
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_fixes.h"
#include "report/explanation_words.h"
#include "report/json.h"
#include "report/recipe.h"

void explanation_add_file_json(struct str *out, const char *file)
{
	json_add_known(out, "file", file);
	if (!file || json_is_utf8(file))
		return;
	json_add_key(out, "file_bytes");
	str_add_char(out, '"');
	for (const unsigned char *at = (const unsigned char *)file; *at; at++)
		str_printf(out, isalnum(*at) || strchr("/._-+", *at) ? "%c" : "%%%02X", *at);
	str_add_char(out, '"');
}

void explanation_add_place_json(struct str *out, const struct explanation_place *place)
{
	explanation_add_file_json(out, place->file);
	json_add_nonzero(out, "line", place->line);
	json_add_nonzero(out, "column", place->column);
	json_add_known(out, "function", place->function);
}

static void add_value(struct str *out, const struct explanation_value *v)
{
	json_add_known(out, "variable", v->name);
	json_add_known(out, "failing", v->failing);
	json_add_known(out, "reference", v->reference);
	json_add_known(out, "local_to", v->function);
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

static void add_aims(struct str *out, const struct explanation_proof *proof)
{
	if (!proof->aims.size)
		return;
	json_add_key(out, "aims");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < proof->aims.size; i++) {
		const struct explanation_aim *aim = &proof->aims.at[i];

		open(out, i);
		json_add_number(out, "time", aim->time);
		json_add_texts(out, "variables", aim->names.at, aim->names.size);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

/* With the point in the run that was changed, so that it can be tried again. */
static void add_proof(struct str *out, const struct explanation_proof *proof)
{
	json_add_number(out, "experiment", proof->experiment);
	json_add_known(out, "changed", proof->changed);
	json_add_known(out, "from", proof->from);
	json_add_known(out, "to", proof->to);
	json_add_member(out, "in", proof->in);
	json_add_member(out, "outcome", proof->outcome);
	if (proof->local)
		json_add_member(out, "judged", "next step");
	if (proof->whole)
		json_add_member(out, "judged", "run");
	if (proof->guarded)
		json_add_flag(out, "guarded", true);
	explanation_add_place_json(out, &proof->at);
	json_add_nonzero(out, "instance", proof->instance);
	json_add_nonzero(out, "time", proof->time);
	add_aims(out, proof);
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
	explanation_add_place_json(out, place);
	json_add_known(out, "statement", statement);
	json_add_known(out, "source", place->source);
	str_add_char(out, '}');
}

/* --- memory at a step --- */

static void add_cells(struct str *out, const struct explanation_box *box)
{
	json_add_key(out, "cells");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < box->cells.size; i++) {
		const struct explanation_cell *cell = &box->cells.at[i];

		open(out, i);
		json_add_known(out, "name", cell->name);
		json_add_known(out, "value", cell->value);
		json_add_known(out, "reference", cell->reference);
		json_add_nonzero(out, "points_to", cell->target);
		if (cell->decides)
			json_add_flag(out, "decides", true);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_memory(struct str *out, const struct explanation_memory *memory)
{
	json_add_key(out, "memory");
	str_add(out, "{\"boxes\":[");
	for (uint32_t i = 0; i < memory->boxes.size; i++) {
		const struct explanation_box *box = &memory->boxes.at[i];

		open(out, i);
		json_add_member(out, "name", box->name ? box->name : "");
		json_add_known(out, "type", box->type);
		json_add_known(out, "where", box->where);
		add_cells(out, box);
		json_add_nonzero(out, "more", box->more);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
	json_add_nonzero(out, "more", memory->more);
	str_add_char(out, '}');
}

/* --- a step --- */

static void add_sentence(struct str *out, const struct explanation_step *step)
{
	struct str text = STR_INIT;

	explanation_add_step(&text, step, &explanation_unmarked);
	json_add_member(out, "text", str_text(&text));
	str_deinit(&text);
}

static void add_step(struct str *out, const struct explanation_step *step)
{
	explanation_add_place_json(out, &step->at);
	json_add_nonzero(out, "instance", step->instance);
	json_add_nonzero(out, "reference_instance", step->reference_instance);
	json_add_nonzero(out, "time", step->time);
	json_add_nonzero(out, "reference_time", step->reference_time);
	json_add_known(out, "kind", step->kind);
	if (step->values.size)
		add_value(out, &step->values.at[0]);
	if (step->values.size > 1)
		add_value_list(out, "with", step->values.at + 1, step->values.size - 1);
	add_sentence(out, step);
	json_add_known(out, "what", step->what);
	json_add_known(out, "when", step->when);
	if (step->call)
		json_add_flag(out, "call", true);
	json_add_known(out, "method", step->method);
	json_add_known(out, "also_found_by", step->also);
	json_add_flag(out, "transition", step->transition);
	if (step->transition && (step->cause.file || step->statement))
		add_statement(out, "cause", &step->cause, step->statement);
	if (step->transition && step->until.file)
		add_statement(out, "until", &step->until, step->until_statement);
	json_add_known(out, "source", step->at.source);
	json_add_flag(out, step->observed ? "observed" : "proven", step->observed || step->proven);
	if (step->observed && step->proven)
		json_add_flag(out, "proven", true);
	if (step->apart)
		json_add_flag(out, "apart", true);
	if (step->usual)
		json_add_flag(out, "usual", true);
	add_proofs(out, step);
	if (step->memory.boxes.size)
		add_memory(out, &step->memory);
}

/* --- the rest --- */

static void add_failure(struct str *out, const struct explanation *e)
{
	json_add_key(out, "failure");
	str_add_char(out, '{');
	json_add_known(out, "kind", e->failure.kind);
	explanation_add_place_json(out, &e->failure.at);
	json_add_known(out, "message", e->failure.message);
	json_add_known(out, "source", e->failure.at.source);
	str_add_char(out, '}');
}

static void add_memory_error(struct str *out, const struct explanation_memory_error *error)
{
	const struct {
		const char *key;
		const struct explanation_place *place;
	} places[] = {{"declared", &error->declared},
	              {"allocated", &error->allocated},
	              {"freed", &error->freed},
	              {"index", &error->index},
	              {"given", &error->given}};

	json_add_key(out, "memory_error");
	str_add_char(out, '{');
	json_add_member(out, "kind", error->kind);
	explanation_add_place_json(out, &error->at);
	json_add_known(out, "source", error->at.source);
	json_add_flag(out, "writes", error->writes);
	json_add_known(out, "object", error->object);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (places[i].place->file)
			add_statement(out, places[i].key, places[i].place, NULL);
	json_add_nonzero(out, "time", error->time);
	if (error->before)
		json_add_flag(out, "before", true);
	if (error->usual)
		json_add_flag(out, "usual", true);
	json_add_known(out, "words", error->words);
	str_add_char(out, '}');
}

static void add_reference(struct str *out, const struct explanation *e)
{
	json_add_key(out, "reference");
	str_add_char(out, '{');
	json_add_known(out, "kind", e->reference.kind);
	json_add_known(out, "text", e->reference.text);
	if (e->reference.command.size)
		json_add_texts(out, "command", e->reference.command.at, e->reference.command.size);
	json_add_known(out, "stdin", e->reference.stdin_file);
	if (e->reference.edit) {
		const struct explanation_fix *fix = explanation_find_fix(e, e->reference.edit);

		json_add_key(out, "edit");
		str_add_char(out, '{');
		json_add_member(out, "edit", e->reference.edit);
		if (fix) {
			explanation_add_file_json(out, fix->at.file);
			json_add_nonzero(out, "line", fix->at.line);
			json_add_known(out, "before", fix->before);
			json_add_known(out, "after", fix->after);
		}
		str_add_char(out, '}');
	}
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

static void add_evidence(struct str *out, const struct explanation_suspect *suspect)
{
	json_add_key(out, "evidence");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < suspect->evidence.size; i++) {
		open(out, i);
		json_add_member(out, "kind", suspect->evidence.at[i].kind);
		json_add_fraction(out, "weight", suspect->evidence.at[i].weight,
		                  EXPLANATION_WEIGHT_DIGITS);
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
		explanation_add_place_json(out, &s->at);
		json_add_fraction(out, "score", s->score, EXPLANATION_SCORE_DIGITS);
		json_add_known(out, "why", s->why);
		json_add_known(out, "source", s->at.source);
		if (s->evidence.size)
			add_evidence(out, s);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_fix(struct str *out, const struct explanation_fix *fix)
{
	explanation_add_place_json(out, &fix->at);
	json_add_known(out, "edit", fix->edit);
	json_add_known(out, "class", fix->class);
	json_add_member(out, "before", fix->before ? fix->before : "");
	json_add_member(out, "after", fix->after ? fix->after : "");
	json_add_nonzero(out, "mark", fix->mark);
	json_add_nonzero(out, "mark_length", fix->mark_length);
	json_add_fraction(out, "score", fix->score, EXPLANATION_FIX_DIGITS);
	json_add_key(out, "tried_on");
	str_add_char(out, '{');
	json_add_number(out, "failing", fix->failing);
	json_add_number(out, "failing_of", fix->failing_of);
	json_add_number(out, "passing", fix->passing);
	json_add_number(out, "passing_of", fix->passing_of);
	str_add_char(out, '}');
	json_add_number(out, "agree", fix->agree);
	if (fix->fitted)
		json_add_flag(out, "fitted", true);
	json_add_nonzero(out, "changed", fix->changed);
	json_add_nonzero(out, "experiment", fix->experiment);
	json_add_known(out, "source", fix->at.source);
	if (fix->patch)
		json_add_bytes(out, "patch", fix->patch, strlen(fix->patch));
	json_add_known(out, "no_patch", fix->no_patch);
}

void explanation_add_fixes_json(struct str *out, const struct explanation *e)
{
	json_add_key(out, "fixes");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->fixes.size; i++) {
		open(out, i);
		add_fix(out, &e->fixes.at[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
	if (e->fixes_only)
		json_add_flag(out, "fixes_only", true);
}

static void add_points(struct str *out, const struct explanation *e)
{
	json_add_key(out, "points");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->points.size; i++) {
		const struct explanation_point *p = &e->points.at[i];

		open(out, i);
		explanation_add_place_json(out, &p->at);
		json_add_nonzero(out, "failing_time", p->failing_time);
		json_add_nonzero(out, "reference_time", p->reference_time);
		add_value_list(out, "variables", p->values.at, p->values.size);
		json_add_flag(out, "transition", p->transition);
		json_add_known(out, "source", p->at.source);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_sources(struct str *out, const struct explanation *e)
{
	json_add_key(out, "sources");
	str_add_char(out, '[');
	for (uint32_t i = 0; i < e->sources.size; i++) {
		open(out, i);
		explanation_add_file_json(out, e->sources.at[i].file);
		json_add_number(out, "first", e->sources.at[i].first);
		json_add_texts(out, "lines", e->sources.at[i].lines.at,
		               e->sources.at[i].lines.size);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

static void add_stats(struct str *out, const struct explanation *e)
{
	json_add_key(out, "stats");
	str_add_char(out, '{');
	json_add_number(out, "experiments", e->stats.experiments);
	json_add_nonzero(out, "confounded", e->stats.confounded);
	json_add_nonzero(out, "runs", e->stats.runs);
	json_add_fraction(out, "seconds", e->stats.seconds, EXPLANATION_SECONDS_DIGITS);
	json_add_nonzero(out, "statements_failing", e->stats.statements_failing);
	json_add_nonzero(out, "statements_reference", e->stats.statements_reference);
	if (explanation_sought_fixes(e)) {
		json_add_number(out, "edits", e->stats.edits);
		json_add_number(out, "edits_idle", e->stats.edits_idle);
		json_add_number(out, "edits_run", e->stats.edits_run);
		json_add_number(out, "edits_plausible", e->stats.edits_plausible);
		json_add_number(out, "edit_places", e->stats.edit_places);
	}
	str_add_char(out, '}');
}

static void add_parts(struct str *out, const struct explanation *e)
{
	for (uint32_t i = 0; i < e->parts.size; i++) {
		json_add_key(out, e->parts.at[i].key);
		str_add_bytes(out, str_text(&e->parts.at[i].json), e->parts.at[i].json.length);
	}
	if (e->tree) {
		json_add_key(out, "tree");
		cause_tree_add_json(e->tree, out);
	}
	if (e->recipe) {
		json_add_key(out, "recipe");
		recipe_add_json(e->recipe, out);
	}
}

void explanation_print_json(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence", EXPLANATION_VERSION);
	json_add_known(&out, "verdict", e->verdict);
	json_add_known(&out, "program", e->program);
	json_add_texts(&out, "command", e->command.at, e->command.size);
	if (e->invocation.size)
		json_add_texts(&out, "invocation", e->invocation.at, e->invocation.size);
	add_failure(&out, e);
	if (e->memory_error.kind)
		add_memory_error(&out, &e->memory_error);
	add_reference(&out, e);
	add_steps(&out, e);
	add_suspects(&out, e);
	if (explanation_sought_fixes(e))
		explanation_add_fixes_json(&out, e);
	if (e->points.size)
		add_points(&out, e);
	add_parts(&out, e);
	json_add_texts(&out, "notes", e->notes.at, e->notes.size);
	json_add_known(&out, "hint", e->hint);
	add_stats(&out, e);
	if (e->sources.size)
		add_sources(&out, e);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
	str_deinit(&out);
}
