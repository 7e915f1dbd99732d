/* Saved reports: see saved.h. */
#include "report/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/mem.h"
#include "base/str.h"
#include "report/explanation_words.h"

#define MOST (512u << 20) /* bytes; no report is so large, but /dev/zero is */

/* --- the file --- */

static struct hence_error *read_all(FILE *file, const char *name, struct str *out)
{
	char buffer[1 << 16];
	size_t count;

	while ((count = fread(buffer, 1, sizeof(buffer), file)) > 0 && out->length <= MOST)
		str_add_bytes(out, buffer, count);
	if (ferror(file))
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", name);
	if (out->length > MOST)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s is no report of hence: it is too large for one; save one with "
			"'hence explain --save FILE'",
			name);
	return NULL;
}

struct hence_error *saved_read(const char *path, struct saved *out)
{
	bool given = strcmp(path, "-") != 0;
	const char *name = given ? path : "standard input";
	FILE *file = given ? fopen(path, "re") : stdin;
	struct str text GUARD(str_deinit) = STR_INIT;
	struct hence_error *error;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "cannot read %s", name);
	error = read_all(file, name, &text);
	if (given)
		fclose(file);
	if (!error)
		error = saved_parse(name, str_text(&text), text.length, out);
	return error;
}

/* --- is it ours? --- */

static struct hence_error *no_report(const char *name, const char *why)
{
	struct str text GUARD(str_deinit) = STR_INIT;
	struct hence_error *error;

	explanation_add_safe(&text, why);
	error = error_create(
		HENCE_ERROR_INPUT,
		"%s is no report of hence: %s; save one with 'hence explain --save FILE'", name,
		str_text(&text));
	return error;
}

/* The error about text that jansson cannot read. */
static struct hence_error *no_json(const struct saved *s, const json_error_t *reason)
{
	char *why;
	struct hence_error *error;

	if (!s->length)
		return no_report(s->name, "it is empty");
	why = str_format("it is no JSON, or cut off (line %d, column %d: %s)", reason->line,
	                 reason->column, reason->text);
	error = no_report(s->name, why);
	free(why);
	return error;
}

static struct hence_error *check_version(const struct saved *s)
{
	const json_t *version = json_object_get(s->root, "hence");

	if (!json_is_object(s->root))
		return no_report(s->name, "it is no object of JSON");
	if (!version && json_object_get(s->root, "dual_slice"))
		return NULL; /* it has no version; saved_check_kind() tells what it is */
	if (!version)
		return no_report(s->name, "it has no version, the member \"hence\"");
	if (!json_is_integer(version))
		return no_report(s->name, "its version, the member \"hence\", is no whole number");
	if (json_integer_value(version) == EXPLANATION_VERSION)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"%s is a report of version %lld (\"hence\"), this hence reads version %d; "
		"make the report again, or use the hence that made it",
		s->name, (long long)json_integer_value(version), EXPLANATION_VERSION);
}

struct hence_error *saved_parse(const char *name, const char *text, size_t length,
                                struct saved *out)
{
	struct saved s = {.name = mem_strdup(name), .length = length};
	struct hence_error *error;
	json_error_t reason;

	s.text = mem_strndup(text, length);
	s.root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &reason);
	error = s.root ? check_version(&s) : no_json(&s, &reason);
	if (error)
		saved_deinit(&s);
	else
		*out = s;
	return error;
}

void saved_deinit(struct saved *saved)
{
	json_decref(saved->root);
	free(saved->text);
	free(saved->name);
	*saved = (struct saved){0};
}

/* --- what it is --- */

bool saved_is_tree(const struct saved *saved)
{
	return json_object_get(saved->root, "tree") && !json_object_get(saved->root, "steps");
}

struct hence_error *saved_check_kind(const struct saved *s)
{
	/* What only reports of that command have. */
	static const struct {
		const char *key, *command;
	} others[] = {
		{"dual_slice", "compare --dual-slice"},
		{"slice", "slice"},
		{"predicates", "switch"},
		{"chop", "chop"},
		{"verdicts", "reduce"},
		{"marks", "tree --session"},
		{"formula", "rank"},
	};

	if (saved_is_tree(s) ||
	    (json_object_get(s->root, "steps") && !json_object_get(s->root, "marks")))
		return NULL;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (json_object_get(s->root, others[i].key))
			return error_create(
				HENCE_ERROR_INPUT,
				"%s is a report of 'hence %s', and no explanation; those are "
				"made by explain, fix, transitions, chain, compare and tree, with "
				"--json",
				s->name, others[i].command);
	return no_report(s->name, "it has no steps and no tree");
}

struct hence_error *saved_damaged(const struct saved *saved, struct hence_error *wrong)
{
	struct hence_error *error;

	if (!wrong)
		return NULL;
	error = error_create(
		wrong->kind,
		"%s is damaged: %s; make the report again with 'hence explain --save FILE'",
		saved->name, wrong->message);
	error_destroy(wrong);
	return error;
}

/* --- bytes of its members: the text is known to be right --- */

static const char *skip_space(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
	for (at++; *at != '"'; at++)
		at += *at == '\\';
	return at + 1;
}

static const char *skip_value(const char *at)
{
	unsigned depth = 0;

	do {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	} while (depth || !strchr(",}] \t\r\n", *at));
	return at;
}

void saved_each(const struct saved *saved,
                void (*take)(void *context, const char *key, const char *value, size_t length),
                void *context)
{
	const char *at = skip_space(skip_space(saved->text) + 1);

	while (*at == '"') {
		const char *end = skip_string(at), *value = skip_space(skip_space(end) + 1);
		char *key = mem_strndup(at + 1, (size_t)(end - at) - 2);

		at = skip_value(value);
		if (!strchr(key, '\\'))
			take(context, key, value, (size_t)(at - value));
		free(key);
		at = skip_space(at);
		if (*at == ',')
			at = skip_space(at + 1);
	}
}
