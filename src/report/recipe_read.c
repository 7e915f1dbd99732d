/* Reads how a report was made: see recipe.h. What another hence or a person wrote is looked at closely. */
#include <string.h>

#include "base/mem.h"
#include "report/json.h"
#include "report/recipe.h"
#include "runtime/protocol.h"

#define BUILD_DIGITS 32u
#define MOST_SECONDS 1e6

/* An object that is being read. The first error stays; then nothing more is read. */
struct reader {
	const json_t *json;
	const char *name; /* for messages: 'program' */
	size_t used;      /* members that were asked for and are there */
	struct hence_error *error;
};

static void refuse(struct reader *r, const char *key, const char *why)
{
	if (!r->error)
		r->error = error_create(HENCE_ERROR_INPUT, "%s%s%s %s", r->name, *key ? "." : "",
		                        key, why);
}

/* NULL: it is not there, or there was an error. */
static const json_t *member(struct reader *r, const char *key, bool needed)
{
	const json_t *json = r->error ? NULL : json_object_get(r->json, key);

	if (!json && needed)
		refuse(r, key, "is missing");
	r->used += json != NULL;
	return json;
}

static bool flag(struct reader *r, const char *key)
{
	const json_t *json = member(r, key, false);

	if (json && !json_is_boolean(json))
		refuse(r, key, "is not true or false");
	return json_is_true(json);
}

static uint64_t number(struct reader *r, const char *key, bool needed, uint64_t most)
{
	const json_t *json = member(r, key, needed);
	json_int_t value = json_integer_value(json);

	if (json && (!json_is_integer(json) || value < 0 || (uint64_t)value > most))
		refuse(r, key, "is no number that it can be");
	return r->error ? 0 : (uint64_t)value;
}

static void bytes(struct reader *r, const char *key, const json_t *json, struct str *out)
{
	if (json && !json_read_bytes(json, out))
		refuse(r, key, "is neither a text nor bytes in base64");
}

/* Without a zero byte. NULL: not there. Caller frees. */
static char *text_of(struct reader *r, const char *key, const json_t *json)
{
	struct str text = STR_INIT;

	if (!json)
		return NULL;
	bytes(r, key, json, &text);
	if (memchr(str_text(&text), 0, text.length))
		refuse(r, key, "has a zero byte");
	return str_steal(&text);
}

static char *text(struct reader *r, const char *key, bool needed)
{
	return text_of(r, key, member(r, key, needed));
}

/* A text that messages quote. */
static char *printable(struct reader *r, const char *key, bool needed)
{
	char *all = text(r, key, needed);

	for (const char *at = all; at && *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			refuse(r, key, "has a control character");
	return all;
}

/* Has it members that nobody knows? Gives the error to who reads the whole. */
static void finish(struct reader *r, struct reader *whole)
{
	if (!r->error && !json_is_object(r->json))
		refuse(r, "", "is no object");
	if (!r->error && r->used != json_object_size(r->json))
		r->error = error_create(HENCE_ERROR_INPUT, "%s has members that nobody knows",
		                        r->name);
	if (whole && !whole->error)
		whole->error = r->error;
	else if (whole)
		error_destroy(r->error);
}

#define read_list(r, key, list)                                                                    \
	do {                                                                                       \
		const json_t *list_ = member((r), (key), false);                                   \
		if (list_ && !json_is_array(list_))                                                \
			refuse((r), (key), "is no list");                                          \
		for (size_t i_ = 0; i_ < json_array_size(list_) && !(r)->error; i_++)              \
			*vec_push(list) = text_of((r), (key), json_array_get(list_, i_));          \
	} while (0)

/* --- programs --- */

static bool is_build(const char *text)
{
	return strlen(text) == BUILD_DIGITS && strspn(text, "0123456789abcdef") == BUILD_DIGITS;
}

static void read_program(struct reader *whole, const char *name, const json_t *json,
                         struct recipe_program *out)
{
	struct reader r = {.json = json, .name = name};

	if (!json)
		return;
	out->name = printable(&r, "name", true);
	out->path = printable(&r, "path", false);
	out->build = text(&r, "build", true);
	if (out->path && *out->path != '/')
		refuse(&r, "path", "does not begin with /");
	if (out->build && !is_build(out->build))
		refuse(&r, "build", "is not 32 hexadecimal digits");
	finish(&r, whole);
}

/* --- input --- */

static bool find_kind(const char *name, enum input_kind *out)
{
	static const char *const names[] = {"argument", "stdin", "file", "variable"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (name && !strcmp(name, names[i])) {
			*out = (enum input_kind)i;
			return true;
		}
	return false;
}

/* What input.h says about their order and names. */
static void check_part(struct reader *r, const struct input *input)
{
	const struct input_part *part = &input->parts.at[input->parts.size - 1];
	bool named = part->kind == INPUT_FILE || part->kind == INPUT_VARIABLE;

	if (named != (part->name && *part->name))
		refuse(r, "name", named ? "is missing" : "is one too many");
	if (part->unset && part->kind != INPUT_VARIABLE)
		refuse(r, "unset", "is about variables only");
	if (part->kind == INPUT_VARIABLE && part->name && strchr(part->name, '='))
		refuse(r, "name", "has a '='");
	if ((part->kind == INPUT_ARGUMENT || part->kind == INPUT_VARIABLE) &&
	    memchr(str_text(&part->bytes), 0, part->bytes.length))
		refuse(r, "bytes", "has a zero byte");
	if (part->kind == INPUT_ARGUMENT && input->parts.size > 1 &&
	    part[-1].kind != INPUT_ARGUMENT)
		refuse(r, "kind", "stands at the wrong place");
	for (uint32_t i = 0; part->kind != INPUT_ARGUMENT && !r->error && i + 1 < input->parts.size;
	     i++)
		if (input->parts.at[i].kind == part->kind && part->kind == INPUT_STDIN)
			refuse(r, "kind", "stands at the wrong place");
		else if (input->parts.at[i].kind == part->kind &&
		         !strcmp(input->parts.at[i].name, part->name))
			refuse(r, "name", "is there twice");
	if (part->kind == INPUT_VARIABLE && part->name && !strcmp(part->name, HENCE_SESSION_ENV))
		refuse(r, "name", "is a variable of hence's own");
}

static void read_part(struct reader *whole, const char *key, const json_t *json, struct input *out)
{
	char *name = str_format("recipe.%s", key);
	struct reader r = {.json = json, .name = name};
	struct input_part *part = vec_push(&out->parts);
	char *kind = text(&r, "kind", true);

	if (kind && !find_kind(kind, &part->kind))
		refuse(&r, "kind", "is not known");
	part->name = text(&r, "name", false);
	part->unset = flag(&r, "unset");
	bytes(&r, "bytes", member(&r, "bytes", !part->unset), &part->bytes);
	part->varied = flag(&r, "varied");
	check_part(&r, out);
	finish(&r, whole);
	free(kind);
	free(name);
}

static void read_input(struct reader *whole, const char *key, const json_t *json, struct input *out)
{
	if (json && !json_is_array(json))
		refuse(whole, key, "is no list");
	for (size_t i = 0; i < json_array_size(json) && !whole->error; i++)
		read_part(whole, key, json_array_get(json, i), out);
}

/* All runs are given the same files, variables and standard input, in the same order, though not with the same bytes. Trials
   count on that. */
static void check_alike(struct reader *r, const char *key, const struct input *given,
                        const struct input *other)
{
	uint32_t i = 0, j = 0;
	bool alike;

	while (i < given->parts.size && given->parts.at[i].kind == INPUT_ARGUMENT)
		i++;
	while (j < other->parts.size && other->parts.at[j].kind == INPUT_ARGUMENT)
		j++;
	alike = given->parts.size - i == other->parts.size - j;
	for (; alike && i < given->parts.size; i++, j++) {
		const struct input_part *a = &given->parts.at[i], *b = &other->parts.at[j];

		alike = a->kind == b->kind &&
		        !strcmp(a->name ? a->name : "", b->name ? b->name : "");
	}
	if (!alike)
		refuse(r, key, "has other files or variables than what was given");
}

/* --- the rest --- */

static void read_patch(struct reader *whole, const json_t *json, struct recipe_patch *out)
{
	struct reader r = {.json = json, .name = "recipe.patch"};

	out->file = text(&r, "file", false);
	out->line = (unsigned)number(&r, "line", false, INT32_MAX);
	out->instance = number(&r, "instance", true, INT64_MAX);
	out->instances = number(&r, "instances", true, INT64_MAX);
	out->time = number(&r, "time", true, INT64_MAX);
	out->outcome = (uint32_t)number(&r, "outcome", true, INT32_MAX);
	finish(&r, whole);
}

static void read_reference(struct reader *r, struct recipe *out)
{
	const json_t *input = member(r, "reference", false), *patch = member(r, "patch", false);
	bool builds = flag(r, "compared_builds");
	char *edit = text(r, "edit", false);

	if ((input != NULL) + (patch != NULL) + (edit != NULL) + builds > 1)
		refuse(r, "reference", "is not the only one");
	if (builds && !out->other.path)
		refuse(r, "pass_program", "is missing");
	if (input) {
		out->kind = RECIPE_INPUT;
		read_input(r, "reference", input, &out->reference);
		if (!r->error)
			check_alike(r, "reference", &out->given, &out->reference);
	} else if (patch) {
		out->kind = RECIPE_PATCHED;
		read_patch(r, patch, &out->patch);
	} else if (edit) {
		out->kind = RECIPE_EDIT;
		out->edit = edit;
		edit = NULL;
	} else if (builds) {
		out->kind = RECIPE_PROGRAM;
	}
	free(edit);
}

static void read_oracle(struct reader *r, struct recipe *out)
{
	const json_t *expected = member(r, "expected", false);
	const json_t *timeout = member(r, "timeout", false);

	out->has_expected = expected;
	bytes(r, "expected", expected, &out->expected);
	out->line = flag(r, "line");
	out->test = text(r, "test", false);
	out->invert = flag(r, "invert");
	out->any = flag(r, "any_failure");
	out->unconfined = flag(r, "unconfined");
	if (timeout && (!json_is_number(timeout) || json_number_value(timeout) <= 0 ||
	                json_number_value(timeout) > MOST_SECONDS))
		refuse(r, "timeout", "is no number of seconds");
	out->timeout = timeout ? json_number_value(timeout) : 0;
	if ((expected != NULL) + (out->test != NULL) + (out->other.path != NULL) > 1)
		refuse(r, "expected", "is not the only judge");
}

static void read_inputs(struct reader *r, struct recipe *out)
{
	const json_t *failing = member(r, "failing", false);

	read_input(r, "given", member(r, "given", true), &out->given);
	if (failing)
		read_input(r, "failing", failing, &out->failing);
	else if (!r->error)
		input_copy(&out->failing, &out->given);
	if (!r->error)
		check_alike(r, "failing", &out->given, &out->failing);
	out->tree_of_given = flag(r, "tree_of_given");
	out->fixes_of_given = flag(r, "fixes_of_given");
}

struct hence_error *recipe_read(const json_t *json, struct recipe **out)
{
	struct reader r = {.json = json, .name = "recipe"};
	struct recipe *recipe = recipe_create();

	read_program(&r, "recipe.program", member(&r, "program", true), &recipe->program);
	read_list(&r, "sources", &recipe->sources);
	read_program(&r, "recipe.pass_program", member(&r, "pass_program", false), &recipe->other);
	recipe->folder = printable(&r, "folder", true);
	if (recipe->folder && *recipe->folder != '/')
		refuse(&r, "folder", "does not begin with /");
	read_list(&r, "locale", &recipe->locale);
	for (uint32_t i = 0; i < recipe->locale.size; i++)
		if (!recipe_is_locale(recipe->locale.at[i]))
			refuse(&r, "locale", "has a variable of another kind");
	read_inputs(&r, recipe);
	read_reference(&r, recipe);
	read_oracle(&r, recipe);
	read_list(&r, "models", &recipe->models);
	recipe->tape_limit = number(&r, "tape_limit", true, INT64_MAX);
	if (!r.error && !recipe->program.path == !recipe->sources.size)
		refuse(&r, "program", "needs a path, or sources");
	finish(&r, NULL);
	if (r.error)
		recipe_destroy(recipe);
	else
		*out = recipe;
	return r.error;
}
