/* How a report was made: see recipe.h. docs/verify.md describes its JSON. */
#include "report/recipe.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/fields.h"
#include "report/json.h"
#include "run/blobs.h"
#include "runtime/protocol.h"

#define BUILD_DIGITS 32u
#define MOST_SECONDS 1e6

/*
 * --- locale: the variables that say how programs sort, write characters and tell the time ---
 *
 * Other variables are not kept: a report may be shown to others, and users do not expect secrets in it.
 */

static bool begins(const char *text, const char *name)
{
	return !strncmp(text, name, strlen(name));
}

static bool is_locale(const char *variable)
{
	return (begins(variable, "LC_") && strchr(variable, '=')) || begins(variable, "LANG=") ||
	       begins(variable, "LANGUAGE=") || begins(variable, "TZ=");
}

void recipe_take_locale(struct recipe *recipe)
{
	for (char **at = environ; *at; at++)
		if (is_locale(*at))
			*vec_push(&recipe->locale) = mem_strdup(*at);
}

/* The first variable of ours that is one of these; NULL: none is. Caller frees. */
static char *find_own(void)
{
	for (char **at = environ; *at; at++)
		if (is_locale(*at))
			return mem_strndup(*at, strcspn(*at, "="));
	return NULL;
}

void recipe_set_locale(const struct recipe *recipe)
{
	char *name;

	while ((name = find_own())) {
		unsetenv(name);
		free(name);
	}
	for (uint32_t i = 0; i < recipe->locale.size; i++) {
		const char *variable = recipe->locale.at[i];

		name = mem_strndup(variable, strcspn(variable, "="));
		setenv(name, strchr(variable, '=') + 1, 1);
		free(name);
	}
}

/* --- programs --- */

/* Messages quote the text. */
static void check_printable(struct reader *r, const char *key, const char *text)
{
	for (; text && *text; text++)
		if ((unsigned char)*text < ' ' || *text == 127)
			reader_fail(r, key, "has a control character");
}

static void check_path(struct reader *r, const char *key, const char *path)
{
	check_printable(r, key, path);
	if (path && *path != '/')
		reader_fail(r, key, "does not begin with /");
}

static const struct field program_rows[] = {
	FIELD_BYTES(struct recipe_program, name, "name", .needed = true),
	FIELD_BYTES(struct recipe_program, path, "path"),
	FIELD_BYTES(struct recipe_program, build, "build", .needed = true),
	FIELD_END,
};

static void check_program(struct reader *r, const json_t *json, void *object)
{
	const struct recipe_program *program = object;

	check_printable(r, "name", program->name);
	check_path(r, "path", program->path);
	if (strlen(program->build) != BUILD_DIGITS ||
	    strspn(program->build, "0123456789abcdef") != BUILD_DIGITS)
		reader_fail(r, "build", "is not 32 hexadecimal digits");
}

static const struct fields program_fields =
	FIELDS(struct recipe_program, program_rows, .strict = true, .check = check_program);

static bool has_path(const void *object, const void *member)
{
	return ((const struct recipe_program *)member)->path;
}

/* --- input --- */

static const char *const kind_names[] = {[INPUT_ARGUMENT] = "argument",
                                         [INPUT_STDIN] = "stdin",
                                         [INPUT_FILE] = "file",
                                         [INPUT_VARIABLE] = "variable",
                                         NULL};

static bool has_bytes(const void *object, const void *member)
{
	return !((const struct input_part *)object)->unset;
}

static const struct field part_rows[] = {
	FIELD_ENUM(struct input_part, kind, "kind", kind_names, .needed = true),
	FIELD_BYTES(struct input_part, name, "name"),
	FIELD_FLAG(struct input_part, unset, "unset"),
	FIELD_STR(struct input_part, bytes, "bytes", .when = has_bytes, .always = true),
	FIELD_FLAG(struct input_part, varied, "varied", .always = true),
	FIELD_END,
};

static void check_bytes(struct reader *r, const json_t *json, void *object)
{
	if (!((const struct input_part *)object)->unset)
		reader_need(r, json, "bytes");
}

static const struct fields part_fields =
	FIELDS(struct input_part, part_rows, .strict = true, .check = check_bytes);

static void check_input(struct reader *r, const char *key, const struct input *input)
{
	for (uint32_t i = 0; i < input->parts.size && !r->error; i++) {
		size_t mark = reader_enter_item(r, key, i);
		const struct input_part *part = &input->parts.at[i];
		bool named = part->kind == INPUT_FILE || part->kind == INPUT_VARIABLE;

		/* What input.h says about the order and names of parts. */
		if (named != (part->name && *part->name))
			reader_fail(r, "name", named ? "is missing" : "is one too many");
		if (part->unset && part->kind != INPUT_VARIABLE)
			reader_fail(r, "unset", "is about variables only");
		if (part->kind == INPUT_VARIABLE && part->name && strchr(part->name, '='))
			reader_fail(r, "name", "has a '='");
		if ((part->kind == INPUT_ARGUMENT || part->kind == INPUT_VARIABLE) &&
		    memchr(str_text(&part->bytes), 0, part->bytes.length))
			reader_fail(r, "bytes", "has a zero byte");
		if (part->kind == INPUT_ARGUMENT && i && part[-1].kind != INPUT_ARGUMENT)
			reader_fail(r, "kind", "stands at the wrong place");
		for (uint32_t j = 0; part->kind != INPUT_ARGUMENT && !r->error && j < i; j++)
			if (input->parts.at[j].kind == part->kind && part->kind == INPUT_STDIN)
				reader_fail(r, "kind", "stands at the wrong place");
			else if (input->parts.at[j].kind == part->kind &&
			         !strcmp(input->parts.at[j].name, part->name))
				reader_fail(r, "name", "is there twice");
		if (part->kind == INPUT_VARIABLE && part->name &&
		    !strcmp(part->name, HENCE_SESSION_ENV))
			reader_fail(r, "name", "is a variable of hence's own");
		reader_leave(r, mark);
	}
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
		reader_fail(r, key, "has other files or variables than what was given");
}

static bool has_failing(const void *object, const void *member)
{
	const struct recipe *recipe = object;

	return !input_equal(&recipe->given, &recipe->failing);
}

/* --- what it was compared with --- */

static const struct field patch_rows[] = {
	FIELD_BYTES(struct recipe_patch, file, "file"),
	FIELD_NUMBER(struct recipe_patch, line, "line", .most = INT32_MAX),
	FIELD_COUNT(struct recipe_patch, instance, "instance", .needed = true, .always = true),
	FIELD_COUNT(struct recipe_patch, instances, "instances", .needed = true, .always = true),
	FIELD_COUNT(struct recipe_patch, time, "time", .needed = true, .always = true),
	FIELD_NUMBER(struct recipe_patch, outcome, "outcome", .needed = true, .always = true,
                     .most = INT32_MAX),
	FIELD_END,
};
static const struct fields patch_fields = FIELDS(struct recipe_patch, patch_rows, .strict = true);

static bool is_input(const void *object, const void *member)
{
	return ((const struct recipe *)object)->kind == RECIPE_INPUT;
}

static bool is_patched(const void *object, const void *member)
{
	return ((const struct recipe *)object)->kind == RECIPE_PATCHED;
}

static bool is_edit(const void *object, const void *member)
{
	return ((const struct recipe *)object)->kind == RECIPE_EDIT;
}

static void write_builds(struct str *out, const void *object, const void *root)
{
	if (((const struct recipe *)object)->kind == RECIPE_PROGRAM)
		json_add_flag(out, "compared_builds", true);
}

static void read_builds(struct reader *r, const json_t *json, void *object)
{
	if (reader_flag(r, json, "compared_builds"))
		((struct recipe *)object)->kind = RECIPE_PROGRAM;
}

/* --- the whole --- */

static bool has_expected(const void *object, const void *member)
{
	return ((const struct recipe *)object)->has_expected;
}

static bool has_status(const void *object, const void *member)
{
	return ((const struct recipe *)object)->has_status;
}

static const struct field recipe_rows[] = {
	FIELD_OBJECT(struct recipe, program, "program", &program_fields, .needed = true),
	FIELD_BYTES_LIST(struct recipe, sources, "sources"),
	FIELD_OBJECT(struct recipe, other, "pass_program", &program_fields, .when = has_path),
	FIELD_BYTES(struct recipe, folder, "folder", .needed = true),
	FIELD_BYTES_LIST(struct recipe, locale, "locale"),
	FIELD_LIST(struct recipe, given.parts, "given", &part_fields, .needed = true,
                   .always = true),
	FIELD_LIST(struct recipe, failing.parts, "failing", &part_fields, .when = has_failing,
                   .always = true),
	FIELD_FLAG(struct recipe, tree_of_given, "tree_of_given"),
	FIELD_FLAG(struct recipe, fixes_of_given, "fixes_of_given"),
	FIELD_LIST(struct recipe, reference.parts, "reference", &part_fields, .when = is_input,
                   .always = true),
	FIELD_OBJECT(struct recipe, patch, "patch", &patch_fields, .when = is_patched),
	FIELD_BYTES(struct recipe, edit, "edit", .when = is_edit),
	FIELD_HOOK("compared_builds", .write = write_builds, .read = read_builds),
	/* What is a failure. */
	FIELD_STR(struct recipe, expected, "expected", .when = has_expected, .always = true),
	FIELD_FLAG(struct recipe, line, "line"),
	FIELD_NUMBER(struct recipe, status, "expected_status", .when = has_status, .always = true),
	FIELD_BYTES(struct recipe, test, "test"),
	FIELD_FLAG(struct recipe, invert, "invert"),
	FIELD_FLAG(struct recipe, any, "any_failure"),
	FIELD_FLAG(struct recipe, unconfined, "unconfined"),
	FIELD_FRACTION(struct recipe, timeout, "timeout", .to = MOST_SECONDS, .digits = 6),
	FIELD_BYTES_LIST(struct recipe, models, "models"),
	FIELD_COUNT(struct recipe, tape_limit, "tape_limit", .needed = true, .always = true,
                    .most = INT64_MAX),
	FIELD_END,
};

/* What another hence or a person wrote is looked at closely: it will be run. */
static void check_recipe(struct reader *r, const json_t *json, void *object)
{
	struct recipe *recipe = object;
	bool input, patch, builds;

	check_path(r, "folder", recipe->folder);
	for (uint32_t i = 0; i < recipe->locale.size; i++)
		if (!is_locale(recipe->locale.at[i]))
			reader_fail(r, "locale", "has a variable of another kind");
	check_input(r, "given", &recipe->given);
	if (json_object_get(json, "failing"))
		check_input(r, "failing", &recipe->failing);
	else
		input_copy(&recipe->failing, &recipe->given);
	check_alike(r, "failing", &recipe->given, &recipe->failing);
	/* Which of the members is there says what kind it is. */
	input = json_object_get(json, "reference");
	patch = json_object_get(json, "patch");
	builds = recipe->kind == RECIPE_PROGRAM;
	if (input + patch + (recipe->edit != NULL) + builds > 1)
		reader_fail(r, "reference", "is not the only one");
	if (builds && !recipe->other.path)
		reader_fail(r, "pass_program", "is missing");
	if (input) {
		recipe->kind = RECIPE_INPUT;
		check_input(r, "reference", &recipe->reference);
		check_alike(r, "reference", &recipe->given, &recipe->reference);
	} else if (patch) {
		recipe->kind = RECIPE_PATCHED;
	} else if (recipe->edit) {
		recipe->kind = RECIPE_EDIT;
	}
	recipe->has_expected = json_object_get(json, "expected");
	recipe->has_status = json_object_get(json, "expected_status");
	if (recipe->status > 255)
		reader_fail(r, "expected_status", "is no exit status");
	if (json_object_get(json, "timeout") && recipe->timeout <= 0)
		reader_fail(r, "timeout", "is no number of seconds");
	if (recipe->has_expected + (recipe->test != NULL) + (recipe->other.path != NULL) > 1)
		reader_fail(r, "expected", "is not the only judge");
	if (!recipe->program.path == !recipe->sources.size)
		reader_fail(r, "program", "needs a path, or sources");
}

const char *const recipe_reference_names[] = {"none", "input", "program", "patched", "edit", NULL};

const struct fields recipe_fields =
	FIELDS(struct recipe, recipe_rows, .strict = true, .check = check_recipe);

struct recipe *recipe_create(void)
{
	return mem_alloc(sizeof(struct recipe));
}

void recipe_destroy(struct recipe *recipe)
{
	if (recipe)
		fields_free(&recipe_fields, recipe);
	free(recipe);
}

struct hence_error *recipe_build_of(const char *path, char **out)
{
	struct str text = STR_INIT;
	struct blobs *blobs;
	uint8_t hash[16];
	struct hence_error *error = blobs_open(path, &blobs);

	if (error)
		return error;
	blobs_build_hash(blobs, hash);
	blobs_close(blobs);
	for (unsigned i = 0; i < sizeof(hash); i++)
		str_printf(&text, "%02x", hash[i]);
	*out = str_steal(&text);
	return NULL;
}
