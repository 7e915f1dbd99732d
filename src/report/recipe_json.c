/* How a report was made, as JSON: see recipe.h. docs/verify.md describes it. */
#include <string.h>

#include "report/json.h"
#include "report/recipe.h"

static void add_text(struct str *out, const char *key, const char *text)
{
	json_add_bytes(out, key, text, strlen(text));
}

static void add_known(struct str *out, const char *key, const char *text)
{
	if (text)
		add_text(out, key, text);
}

static void add_list(struct str *out, const char *key, char *const *texts, uint32_t count)
{
	if (!count)
		return;
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		str_add(out, i ? "," : "");
		json_add_bytes_value(out, texts[i], strlen(texts[i]));
	}
	str_add_char(out, ']');
}

static void add_program(struct str *out, const char *key, const struct recipe_program *program)
{
	json_add_key(out, key);
	str_add_char(out, '{');
	add_text(out, "name", program->name);
	add_known(out, "path", program->path);
	add_text(out, "build", program->build);
	str_add_char(out, '}');
}

/* --- input --- */

static const char *const kind_names[] = {[INPUT_ARGUMENT] = "argument",
                                         [INPUT_STDIN] = "stdin",
                                         [INPUT_FILE] = "file",
                                         [INPUT_VARIABLE] = "variable"};

static void add_part(struct str *out, const struct input_part *part)
{
	json_add_member(out, "kind", kind_names[part->kind]);
	add_known(out, "name", part->name);
	if (part->unset)
		json_add_flag(out, "unset", true);
	else
		json_add_bytes(out, "bytes", str_text(&part->bytes), part->bytes.length);
	json_add_flag(out, "varied", part->varied);
}

static void add_input(struct str *out, const char *key, const struct input *input)
{
	json_add_key(out, key);
	str_add_char(out, '[');
	for (uint32_t i = 0; i < input->parts.size; i++) {
		str_add(out, i ? ",{" : "{");
		add_part(out, &input->parts.at[i]);
		str_add_char(out, '}');
	}
	str_add_char(out, ']');
}

/* --- the rest --- */

static void add_patch(struct str *out, const struct recipe_patch *patch)
{
	json_add_key(out, "patch");
	str_add_char(out, '{');
	add_known(out, "file", patch->file);
	json_add_nonzero(out, "line", patch->line);
	json_add_number(out, "instance", patch->instance);
	json_add_number(out, "instances", patch->instances);
	json_add_number(out, "time", patch->time);
	json_add_number(out, "outcome", patch->outcome);
	str_add_char(out, '}');
}

static void add_reference(struct str *out, const struct recipe *r)
{
	if (r->kind == RECIPE_INPUT)
		add_input(out, "reference", &r->reference);
	else if (r->kind == RECIPE_PATCHED)
		add_patch(out, &r->patch);
	else if (r->kind == RECIPE_EDIT)
		json_add_member(out, "edit", r->edit);
	else if (r->kind == RECIPE_PROGRAM)
		json_add_flag(out, "compared_builds", true);
}

static void add_oracle(struct str *out, const struct recipe *r)
{
	if (r->has_expected)
		json_add_bytes(out, "expected", str_text(&r->expected), r->expected.length);
	if (r->line)
		json_add_flag(out, "line", true);
	add_known(out, "test", r->test);
	if (r->invert)
		json_add_flag(out, "invert", true);
	if (r->any)
		json_add_flag(out, "any_failure", true);
	if (r->unconfined)
		json_add_flag(out, "unconfined", true);
	if (r->timeout > 0)
		json_add_fraction(out, "timeout", r->timeout, 6);
}

void recipe_add_json(const struct recipe *r, struct str *out)
{
	str_add_char(out, '{');
	add_program(out, "program", &r->program);
	add_list(out, "sources", r->sources.at, r->sources.size);
	if (r->other.path)
		add_program(out, "pass_program", &r->other);
	add_text(out, "folder", r->folder);
	add_list(out, "locale", r->locale.at, r->locale.size);
	add_input(out, "given", &r->given);
	if (!input_equal(&r->given, &r->failing))
		add_input(out, "failing", &r->failing);
	if (r->tree_of_given)
		json_add_flag(out, "tree_of_given", true);
	if (r->fixes_of_given)
		json_add_flag(out, "fixes_of_given", true);
	add_reference(out, r);
	add_oracle(out, r);
	add_list(out, "models", r->models.at, r->models.size);
	json_add_number(out, "tape_limit", r->tape_limit);
	str_add_char(out, '}');
}
