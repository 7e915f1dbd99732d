/* Reads manifests: see eval_manifest.h. */
#include "research/eval_manifest.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "cli/commands.h"
#include "research/eval.h"

static const char *const case_keys[] = {
	"name",    "folder", "build",     "program",  "in_place",      "args",
	"stdin",   "files",  "passing",   "expected", "expected_text", "timeout",
	"options", "faults", "corrected", "held_out",
};
static const char *const program_keys[] = {"folder", "build", "program", "in_place"};
static const char *const command_keys[] = {"args", "stdin"};
static const char *const fault_keys[] = {"file", "line", "near", "or"};
static const char *const place_keys[] = {"file", "line"};
static const char *const top_keys[] = {"eval", "defaults", "cases"};

#define KEYS(keys) keys, sizeof(keys) / sizeof(*keys)

/* An object that is being read. The first error is kept, and nothing is read after it. */
struct reader {
	struct arena *arena;
	const char *file, *where; /* 'case 'x'' */
	struct hence_error *error;
};

static void complain(struct reader *r, const char *key, const char *what)
{
	if (!r->error)
		r->error = error_create(HENCE_ERROR_INPUT, "%s: %s: \"%s\" %s", r->file, r->where,
		                        key, what);
}

static void check_keys(struct reader *r, json_t *object, const char *const *keys, size_t count)
{
	const char *key, *near;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		size_t i = 0;

		while (i < count && strcmp(keys[i], key))
			i++;
		if (i < count || r->error)
			continue;
		near = cli_nearest(key, keys, count);
		r->error = error_create(HENCE_ERROR_INPUT, "%s: %s: unknown key \"%s\"%s%s%s",
		                        r->file, r->where, key, near ? "; did you mean \"" : "",
		                        near ? near : "", near ? "\"?" : "");
	}
}

/* --- values --- */

static const char *take_text(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		return NULL;
	if (json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value))
		return arena_strdup(r->arena, json_string_value(value));
	complain(r, key, "must be a text");
	return NULL;
}

static void take_texts(struct reader *r, const json_t *object, const char *key,
                       struct eval_texts *out)
{
	const json_t *list = json_object_get(object, key), *value;
	size_t i;

	if (list && !json_is_array(list))
		complain(r, key, "must be a list of texts");
	json_array_foreach(list, i, value) if (json_is_string(value)) * vec_push(&out->list) =
		arena_strdup(r->arena, json_string_value(value));
	else complain(r, key, "must be a list of texts");
}

static unsigned take_number(struct reader *r, const json_t *object, const char *key,
                            json_int_t least)
{
	const json_t *value = json_object_get(object, key);
	json_int_t number = json_integer_value(value);

	if (!value && !least)
		return 0;
	if (json_is_integer(value) && number >= least && number <= INT32_MAX)
		return (unsigned)number;
	complain(r, key, least ? "must be a whole number above 0" : "must be a whole number");
	return 0;
}

/* The elements of a list of objects; NULL when there is none. */
static const json_t *take_objects(struct reader *r, const json_t *object, const char *key)
{
	const json_t *list = json_object_get(object, key), *value;
	size_t i;

	if (list && !json_is_array(list))
		complain(r, key, "must be a list of objects");
	json_array_foreach(list, i, value) if (!json_is_object(value))
		complain(r, key, "must be a list of objects");
	return r->error ? NULL : list;
}

/* --- parts of a case --- */

static void take_program(struct reader *r, const json_t *object, const char *base,
                         const struct eval_program *usual, struct eval_program *out)
{
	const char *folder = take_text(r, object, "folder");

	*out = *usual;
	if (folder)
		out->folder =
			*folder == '/' ? folder : arena_printf(r->arena, "%s/%s", base, folder);
	if (json_object_get(object, "build"))
		out->build = take_text(r, object, "build");
	if (json_object_get(object, "program"))
		out->program = take_text(r, object, "program");
	if (json_object_get(object, "in_place")) {
		const json_t *value = json_object_get(object, "in_place");

		if (value && !json_is_boolean(value))
			complain(r, "in_place", "must be true or false");
		out->in_place = json_is_true(value);
	}
}

static void take_corrected(struct reader *r, const json_t *object, const char *base,
                           struct eval_case *out)
{
	json_t *corrected = json_object_get(object, "corrected");

	if (!corrected)
		return;
	if (!json_is_object(corrected)) {
		complain(r, "corrected", "must be an object");
		return;
	}
	check_keys(r, corrected, KEYS(program_keys));
	take_program(r, corrected, base, &out->faulty, &out->corrected);
	if (!json_object_size(corrected))
		complain(r, "corrected",
		         "must say where the corrected program is: \"build\", \"folder\" or "
		         "\"program\"");
}

static void take_commands(struct reader *r, const json_t *object, const char *key,
                          struct eval_commands *out)
{
	const json_t *list = take_objects(r, object, key);
	json_t *value;
	size_t i;

	json_array_foreach(list, i, value)
	{
		struct eval_command command = {.has_arguments = json_object_get(value, "args")};

		check_keys(r, value, KEYS(command_keys));
		take_texts(r, value, "args", &command.arguments);
		command.input = take_text(r, value, "stdin");
		if (!command.has_arguments && !command.input)
			complain(r, key, "must have \"args\" or \"stdin\"");
		*vec_push(&out->list) = command;
	}
}

static void take_place(struct reader *r, const json_t *object, struct eval_fault *out)
{
	struct eval_place place = {take_text(r, object, "file"), take_number(r, object, "line", 1)};

	if (!place.file)
		complain(r, "faults", "must have \"file\" and \"line\"");
	*vec_push(&out->places) = place;
}

static void take_faults(struct reader *r, const json_t *object, struct eval_case *out)
{
	const json_t *list = take_objects(r, object, "faults"), *others;
	json_t *value, *other;
	size_t i, k;

	json_array_foreach(list, i, value)
	{
		struct eval_fault fault = {.near = take_number(r, value, "near", 0)};

		check_keys(r, value, KEYS(fault_keys));
		take_place(r, value, &fault);
		others = take_objects(r, value, "or");
		json_array_foreach(others, k, other)
		{
			check_keys(r, other, KEYS(place_keys));
			take_place(r, other, &fault);
		}
		*vec_push(&out->faults) = fault;
	}
}

static bool is_method(const char *name)
{
	for (unsigned i = 0; i < EVAL_METHODS; i++)
		if (!strcmp(eval_method_names[i], name))
			return true;
	return !strcmp(name, "all");
}

/* --- cases --- */

static void commands_deinit(struct eval_commands *commands)
{
	for (uint32_t i = 0; i < commands->list.size; i++)
		vec_deinit(&commands->list.at[i].arguments.list);
	vec_deinit(&commands->list);
}

static void case_deinit(struct eval_case *c)
{
	for (uint32_t i = 0; i < c->options.size; i++)
		vec_deinit(&c->options.at[i].words.list);
	for (uint32_t i = 0; i < c->faults.size; i++)
		vec_deinit(&c->faults.at[i].places);
	vec_deinit(&c->arguments.list);
	vec_deinit(&c->files.list);
	commands_deinit(&c->passing);
	commands_deinit(&c->held_out);
	vec_deinit(&c->options);
	vec_deinit(&c->faults);
}

static void take_case(struct reader *r, json_t *object, const char *base, struct eval_manifest *out)
{
	struct eval_program usual = {.folder = base};
	struct eval_case c = {.name = take_text(r, object, "name")};
	const struct eval_commands *passing;
	const json_t *value;
	double seconds;
	json_t *options;
	const char *method;

	if (!c.name || !*c.name || strchr(c.name, '/') || *c.name == '.')
		complain(r, "name", "must be a text that can be the name of a file");
	else
		r->where = arena_printf(r->arena, "case '%s'", c.name);
	check_keys(r, object, KEYS(case_keys));
	take_program(r, object, base, &usual, &c.faulty);
	take_corrected(r, object, base, &c);
	take_texts(r, object, "args", &c.arguments);
	take_texts(r, object, "files", &c.files);
	c.input = take_text(r, object, "stdin");
	take_commands(r, object, "passing", &c.passing);
	take_commands(r, object, "held_out", &c.held_out);
	c.expected = take_text(r, object, "expected");
	c.expected_text = take_text(r, object, "expected_text");
	value = json_object_get(object, "timeout");
	seconds = json_number_value(value);
	if (value && (!json_is_number(value) || !isfinite(seconds) || seconds <= 0))
		complain(r, "timeout", "must be a number of seconds above 0");
	c.timeout = value ? seconds : 0;
	options = json_object_get(object, "options");
	if (options && !json_is_object(options))
		complain(r, "options",
		         "must be an object: a list of options for each method, or for \"all\"");
	json_object_foreach(options, method, value)
	{
		struct eval_extra extra = {.method = arena_strdup(r->arena, method)};

		if (!is_method(method))
			complain(r, "options",
			         "must have names of methods, or \"all\", as its keys");
		take_texts(r, options, method, &extra.words);
		*vec_push(&c.options) = extra;
	}
	take_faults(r, object, &c);
	passing = &c.passing;
	if (!c.faulty.program)
		complain(r, "program", "is missing: the path of the program");
	if (!c.faults.size)
		complain(r, "faults",
		         "is missing: where the fault is, as [{\"file\": ..., \"line\": ...}]");
	if (c.expected && c.expected_text)
		complain(r, "expected", "and \"expected_text\" do not go together; leave one out");
	for (uint32_t i = 0; i < out->cases.size; i++)
		if (c.name && !strcmp(out->cases.at[i].name, c.name))
			complain(r, "name", "is that of another case, too");
	for (uint32_t i = 1; i < passing->list.size; i++)
		if (passing->list.at[i].has_arguments != passing->list.at[0].has_arguments ||
		    !passing->list.at[i].input != !passing->list.at[0].input)
			complain(r, "passing", "must have the same keys in each of its commands");
	if (r->error)
		case_deinit(&c);
	else
		*vec_push(&out->cases) = c;
}

static void take_manifest(struct reader *r, json_t *top, const char *base,
                          struct eval_manifest *out)
{
	json_t *defaults = json_object_get(top, "defaults"), *merged;
	const json_t *cases, *value;
	size_t i;

	check_keys(r, top, KEYS(top_keys));
	if (json_integer_value(json_object_get(top, "eval")) != EVAL_VERSION)
		complain(r, "eval", "must be 1, the version of this form");
	if (defaults && !json_is_object(defaults))
		complain(r, "defaults", "must be an object");
	cases = take_objects(r, top, "cases");
	if (!json_array_size(cases))
		complain(r, "cases", "must be a list of at least one case");
	json_array_foreach(cases, i, value)
	{
		r->where = arena_printf(r->arena, "case number %zu", i + 1);
		merged = defaults ? json_copy(defaults) : json_object();
		json_object_update(merged, (json_t *)value);
		if (!r->error)
			take_case(r, merged, base, out);
		json_decref(merged);
	}
}

struct hence_error *eval_manifest_read(const char *path, struct eval_manifest *out)
{
	struct eval_manifest manifest = {0};
	struct reader r = {&manifest.arena, path, "the manifest", NULL};
	char *full = realpath(path, NULL), *slash = full ? strrchr(full, '/') : NULL;
	json_error_t wrong;
	json_t *top;

	if (!full)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", path);
	*(slash == full ? slash + 1 : slash) = 0;
	top = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
	if (!top)
		r.error = error_create(HENCE_ERROR_INPUT, "%s:%d: this is no JSON: %s", path,
		                       wrong.line > 0 ? wrong.line : 1, wrong.text);
	else if (!json_is_object(top))
		complain(&r, "cases", "is missing: a manifest is an object");
	else
		take_manifest(&r, top, arena_strdup(&manifest.arena, full), &manifest);
	json_decref(top);
	free(full);
	if (r.error)
		eval_manifest_deinit(&manifest);
	else
		*out = manifest;
	return r.error;
}

void eval_manifest_deinit(struct eval_manifest *manifest)
{
	for (uint32_t i = 0; i < manifest->cases.size; i++)
		case_deinit(&manifest->cases.at[i]);
	vec_deinit(&manifest->cases);
	arena_deinit(&manifest->arena);
}
