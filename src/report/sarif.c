/*
 * An explanation as SARIF 2.1.0, which editors and tools for code review read: one run with one result, the failure.
 * The chain is its code flow, suspects are related locations that its message links to.
 *
 * The kind of the result is always 'fail', since the program was seen to fail. Its level is 'error' if the failure is
 * explained; if not, it is 'warning', and the message says what is missing. What could not be established
 * is a notification of the invocation.
 */
#include <string.h>

#include "base/guard.h"
#include "base/map.h"
#include "base/version.h"
#include "report/explanation.h"
#include "report/explanation_words.h"
#include "report/json.h"

/* A log that is being written. */
struct sarif {
	const struct explanation *e;
	struct str *out;
	const struct explanation_style *style;
	VEC(const char *) files; /* that places are in, in the order of `artifacts` */
};

/* --- texts --- */

/* A bracket that is followed by another one would end a link's text. With a backslash it does not; viewers that know no
   links show one character more. It has one if an odd number of them stands before it: two are one that is meant. */
static void add_plain(struct str *message, const char *text)
{
	struct str safe GUARD(str_deinit) = STR_INIT;
	unsigned backslashes = 0;

	explanation_add_safe(&safe, text);
	for (const char *at = str_text(&safe); *at; at++) {
		if (*at == '{' || *at == '}')
			str_add_char(message, *at);
		if (at[0] == ']' && at[1] == '(' && backslashes % 2 == 0)
			str_add_char(message, '\\');
		str_add_char(message, *at);
		backslashes = *at == '\\' ? backslashes + 1 : 0;
	}
}

/* Appends `"key":{"text":...}`: a message that is shown as it stands. Braces would be placeholders (3.11.5) and
   `[a](b)` a link (3.11.6); control characters are written as escapes. One that is empty is '-'. */
static void add_message(struct sarif *s, const char *key, const char *text)
{
	struct str message GUARD(str_deinit) = STR_INIT;

	add_plain(&message, *text ? text : "-");
	json_add_key(s->out, key);
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", str_text(&message));
	str_add_char(s->out, '}');
}

/* Appends `{` or `,{` of the next element of an array. */
static void open_object(struct sarif *s)
{
	str_add(s->out, s->out->text[s->out->length - 1] == '[' ? "{" : ",{");
}

/* --- places --- */

/* Where relative names of files begin: the folder that the program was compiled in. Viewers ask the user for it, or take the
   folder that is open. */
#define BASE "SRCROOT"

/* Has it a file that can be named? */
static bool has_file(const struct explanation_place *place)
{
	return place && place->file && place->file[strspn(place->file, "./")];
}

/* The text of its line; NULL: not known. Valid as long as the explanation. */
static const char *source_of(const struct sarif *s, const struct explanation_place *place)
{
	if (place->source)
		return place->source;
	for (uint32_t i = 0; i < s->e->sources.size && place->file; i++) {
		const struct explanation_source *source = &s->e->sources.at[i];

		if (!strcmp(source->file, place->file) && place->line >= source->first &&
		    place->line - source->first < source->lines.size)
			return source->lines.at[place->line - source->first];
	}
	return NULL;
}

/* --- files --- */

static void add_artifact_location(struct sarif *s, const char *file, uint32_t index)
{
	/* What may stand in a path of a URI as it is. A colon may not: it would end the name of a scheme. */
	static const char unreserved[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					 "0123456789-._~/";
	const char *between = "", *at = file;
	struct str uri GUARD(str_deinit) = STR_INIT;

	str_add(&uri, *file == '/' ? "file:///" : "");
	/* Without segments that are empty or '.' (3.10.2). '..' stays: where it leads, links decide. */
	while (*at) {
		size_t length = strcspn(at, "/");

		if (length && !(length == 1 && *at == '.')) {
			str_add(&uri, between);
			for (size_t i = 0; i < length; i++)
				str_printf(&uri, strchr(unreserved, at[i]) ? "%c" : "%%%02X",
				           (unsigned char)at[i]);
			between = "/";
		}
		at += length + (at[length] == '/');
	}
	str_add_char(s->out, '{');
	json_add_member(s->out, "uri", str_text(&uri));
	if (*file != '/')
		json_add_member(s->out, "uriBaseId", BASE);
	json_add_number(s->out, "index", index);
	str_add_char(s->out, '}');
}

static uint32_t file_index(struct sarif *s, const char *file)
{
	for (uint32_t i = 0; i < s->files.size; i++)
		if (!strcmp(s->files.at[i], file))
			return i;
	*vec_push(&s->files) = file;
	return s->files.size - 1;
}

/* Appends `"artifactLocation":{...}` of a file. */
static void add_artifact(struct sarif *s, const char *file)
{
	json_add_key(s->out, "artifactLocation");
	add_artifact_location(s, file, file_index(s, file));
}

/* --- lines --- */

/* Characters in the first `length` bytes of a text, as columns are counted: units of UTF-16. */
static unsigned utf16_units(const char *text, size_t length)
{
	const char *end = text + length;
	unsigned units = 0;

	while (text < end) {
		size_t size = json_utf8_length((const unsigned char *)text);

		units += size == 4 ? 2 : 1;
		text += size ? size : 1;
	}
	return units;
}

/* Compilers count bytes; here units of UTF-16 are counted, as most viewers do. A byte that is no UTF-8 is shown as
   one character. *rest is the text from the character there on; NULL: it is not known. */
static unsigned utf16_column(const char *source, unsigned column, const char **rest)
{
	unsigned units = 1;
	size_t length;

	*rest = column ? NULL : source;
	if (!source || !column || column > strlen(source))
		return column;
	for (const char *end = source + column;; source += length) {
		length = json_utf8_length((const unsigned char *)source);
		length += !length;
		if (source + length >= end)
			break;
		units += length == 4 ? 2 : 1;
	}
	*rest = source;
	return units;
}

static void add_snippet(struct sarif *s, const char *text)
{
	json_add_key(s->out, "snippet");
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", text);
	str_add_char(s->out, '}');
}

/* A region that has no end goes to the end of its line (3.30.2): so does its text. The whole line is its context,
   unless it is the region itself. */
static void add_regions(struct sarif *s, const struct explanation_place *place)
{
	const char *source = source_of(s, place), *rest;
	unsigned column = utf16_column(source, place->column, &rest);

	json_add_key(s->out, "region");
	str_add_char(s->out, '{');
	json_add_number(s->out, "startLine", place->line);
	json_add_nonzero(s->out, "startColumn", column);
	if (rest)
		add_snippet(s, rest);
	str_add_char(s->out, '}');
	if (!source || column < 2)
		return;
	json_add_key(s->out, "contextRegion");
	str_add_char(s->out, '{');
	json_add_number(s->out, "startLine", place->line);
	add_snippet(s, source);
	str_add_char(s->out, '}');
}

/* Appends the members of a location but its message: where it is, and in which function. */
static void add_location(struct sarif *s, const struct explanation_place *place)
{
	if (!place)
		return;
	if (has_file(place)) {
		json_add_key(s->out, "physicalLocation");
		str_add_char(s->out, '{');
		add_artifact(s, place->file);
		if (place->line)
			add_regions(s, place);
		str_add_char(s->out, '}');
	}
	if (!place->function)
		return;
	json_add_key(s->out, "logicalLocations");
	str_add(s->out, "[{");
	json_add_member(s->out, "name", place->function);
	json_add_member(s->out, "kind", "function");
	str_add(s->out, "}]");
}

/* --- plausible edits: fixes (3.55) --- */

/* The changed text in the line that it is in; NULL: it is not there, or is more than a line. */
static const char *find_before(struct sarif *s, const struct explanation_fix *fix)
{
	const char *source = source_of(s, &fix->at), *before = fix->before ? fix->before : "";

	if (!source || !fix->patch || !fix->at.line || !has_file(&fix->at) || strchr(before, '\n'))
		return NULL;
	source += strspn(source, " \t");
	return strncmp(source, before, strlen(before)) ? NULL : source;
}

/* Appends the member `fixes`: the changes of the code that are shown and have a patch. Nothing if there are none. */
static void add_fixes(struct sarif *s)
{
	bool any = false;

	for (uint32_t i = 0; i < explanation_shown_fixes(s->e, s->style); i++) {
		const struct explanation_fix *fix;
		const char *source, *text;
		unsigned column;
		struct str tried GUARD(str_deinit) = STR_INIT;

		if (!find_before(s, &s->e->fixes.at[i]))
			continue;
		if (!any) {
			json_add_key(s->out, "fixes");
			str_add_char(s->out, '[');
		}
		any = true;
		fix = &s->e->fixes.at[i];
		source = source_of(s, &fix->at);
		text = find_before(s, fix);
		column = utf16_units(source, (size_t)(text - source)) + 1;
		open_object(s);
		explanation_add_tried(&tried, s->e, fix);
		add_message(s, "description", str_text(&tried));
		json_add_key(s->out, "artifactChanges");
		str_add(s->out, "[{");
		add_artifact(s, fix->at.file);
		json_add_key(s->out, "replacements");
		str_add(s->out, "[{");
		json_add_key(s->out, "deletedRegion");
		str_add_char(s->out, '{');
		json_add_number(s->out, "startLine", fix->at.line);
		json_add_number(s->out, "startColumn", column);
		json_add_number(s->out, "endColumn",
		                column + utf16_units(text, strlen(fix->before ? fix->before : "")));
		str_add_char(s->out, '}');
		if (fix->after && *fix->after) {
			json_add_key(s->out, "insertedContent");
			str_add_char(s->out, '{');
			json_add_member(s->out, "text", fix->after);
			str_add_char(s->out, '}');
		}
		str_add(s->out, "}]}]}");
	}
	if (any)
		str_add_char(s->out, ']');
}

/* --- the chain, a code flow: values of a step --- */

/* A variable is a key of an object: of two of one name, the later says whose it is; if that is the same, too, which
   of them it is. */
static void add_name(struct str *out, const struct explanation_step *step, uint32_t number)
{
	const struct explanation_value *v = &step->values.at[number];
	unsigned before = 0, alike = 0;

	for (uint32_t i = 0; i < number; i++) {
		const struct explanation_value *other = &step->values.at[i];

		before += explanation_same_text(other->name, v->name);
		alike += explanation_same_text(other->name, v->name) &&
		         explanation_same_text(other->function, v->function);
	}
	str_add(out, v->name);
	if (before && v->function)
		str_printf(out, " of %s()", v->function);
	if (alike || (before && !v->function))
		str_printf(out, " (%u)", before + 1);
}

/* `failing`: the values there; else those of the reference, as texts only. */
static void add_values(struct sarif *s, const struct explanation_step *step, const char *key,
                       bool failing)
{
	json_add_key(s->out, key);
	str_add_char(s->out, '{');
	for (uint32_t i = 0; i < step->values.size; i++) {
		const struct explanation_value *v = &step->values.at[i];
		const char *value = failing ? v->failing : v->reference;
		struct str name GUARD(str_deinit) = STR_INIT;

		if (!v->name || !*v->name)
			continue;
		add_name(&name, step, i);
		if (failing)
			add_message(s, str_text(&name), value ? value : "(does not exist)");
		else
			json_add_known(s->out, str_text(&name), value);
	}
	str_add_char(s->out, '}');
}

static bool has_names(const struct explanation_step *step)
{
	for (uint32_t i = 0; i < step->values.size; i++)
		if (step->values.at[i].name && *step->values.at[i].name)
			return true;
	return false;
}

/* --- the chain: what a step is --- */

/* Places in the order that they were executed in, if their times are all known; else they are in order. */
static uint32_t execution_order(const struct explanation *e, uint32_t number)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < e->steps.size; i++) {
		if (!e->steps.at[i].time)
			return number + 1;
		before += e->steps.at[i].time < e->steps.at[number].time;
	}
	return before + 1;
}

/* --- the chain: steps --- */

static void add_step(struct sarif *s, uint32_t number)
{
	const struct explanation_step *step = &s->e->steps.at[number];
	const struct explanation_place *place = explanation_step_place(step);
	const char *kind = explanation_kind_name(step->kind, step->kind_word);
	struct str text GUARD(str_deinit) = STR_INIT, cause GUARD(str_deinit) = STR_INIT;

	open_object(s);
	json_add_key(s->out, "location");
	str_add_char(s->out, '{');
	add_location(s, place);
	str_add(&text, !number ? "" : step->apart ? "also, " : "therefore ");
	explanation_add_step_short(&text, step, &explanation_unmarked, EXPLANATION_SHORT_VALUE);
	if (!step->proven && !step->observed)
		str_add(&text, " (not proven)");
	explanation_add_cause(&cause, step);
	if (cause.length)
		str_printf(&text, "; %s", str_text(&cause));
	add_message(s, "message", str_text(&text));
	str_add_char(s->out, '}');
	/* The words that the standard has for it (3.38.8); kinds that it has none for are our own. */
	json_add_key(s->out, "kinds");
	str_add_char(s->out, '[');
	if (step->kind == EXPLANATION_CALL)
		str_add(s->out, "\"call\",\"function\"");
	else if (step->kind == EXPLANATION_INPUT)
		str_add(s->out, "\"acquire\",\"taint\"");
	else if (!kind || step->kind == EXPLANATION_VALUE)
		str_add(s->out, step->transition ? "\"acquire\",\"value\"" : "\"value\"");
	else
		json_add_string(s->out, kind);
	str_add_char(s->out, ']');
	if (has_names(step))
		add_values(s, step, "state", true);
	/* How deep calls are nested at a place is not known; main() is the outermost function for sure. */
	json_add_number(s->out, "nestingLevel",
	                place->function && strcmp(place->function, "main") ? 1 : 0);
	json_add_number(s->out, "executionOrder", execution_order(s->e, number));
	json_add_member(s->out, "importance",
	                step->transition || step->observed ? "essential" : "important");
	json_add_key(s->out, "properties");
	str_add_char(s->out, '{');
	json_add_known(s->out, "kind", kind);
	json_add_flag(s->out, "transition", step->transition);
	json_add_flag(s->out, step->observed ? "observed" : "proven",
	              step->observed || step->proven);
	if (step->apart)
		json_add_flag(s->out, "apart", true);
	if (step->usual)
		json_add_flag(s->out, "usual", true);
	json_add_known(s->out, "method", step->method);
	if (has_names(step))
		add_values(s, step, "reference", false);
	json_add_key(s->out, "experiments");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < step->proofs.size; i++)
		str_printf(s->out, "%s%llu", i ? "," : "",
		           (unsigned long long)step->proofs.at[i].experiment);
	str_add(s->out, "]}");
	str_add_char(s->out, '}');
}

/* --- rules: one for each kind of failure. An id never changes: users may have silenced it --- */

#define PREFIX "hence/"

static const struct rule {
	enum explanation_kind kind;
	const char *id, *name, *brief, *full;
} rules[] = {
	{EXPLANATION_CRASH, PREFIX "crash", "Crash", "The program dies of a signal.",
         "The program was ended by a signal that it did not send itself on purpose, such as "
         "SIGSEGV or SIGFPE."},
	{EXPLANATION_ASSERT, PREFIX "assert", "AssertionFailure", "An assertion does not hold.",
         "The program found by itself that something is not so that its author took for granted, "
         "and gave up."},
	{EXPLANATION_WRONG_OUTPUT, PREFIX "wrong-output", "WrongOutput",
         "The program prints something else than expected.",
         "What the program prints differs from what was given as right."},
	{EXPLANATION_EXIT, PREFIX "exit", "WrongExitStatus",
         "The program ends with another exit status than expected.",
         "The program says by its exit status that it failed, or that it did not when it should "
         "have."},
	{EXPLANATION_HANG, PREFIX "hang", "Hang", "The program does not come to an end.",
         "The program was stopped because it took longer than it was given."},
	{EXPLANATION_MEMORY, PREFIX "memory", "MemoryError",
         "The program uses memory that it must not use.",
         "The program reads or writes memory outside of an object, after its life, or before it "
         "has a value."},
	{EXPLANATION_TEST, PREFIX "test", "TestFailure", "A test of the program fails.",
         "A command that judges the program's run says that it failed."},
	{EXPLANATION_NO_KIND, PREFIX "failure", "Failure", "The program fails.",
         "The program fails in a way that has no rule of its own."},
};

#define RULES (sizeof(rules) / sizeof(*rules))

static const char help[] = "The code flow leads from the input to the failure: each step tells "
			   "variables whose values decide whether the "
			   "program fails, and the value that they have in a run that passes. A "
			   "step that is proven was tried: with the other "
			   "value the program does not fail, or the run that passes does. Related "
			   "locations are where to look first.";

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"

/* --- the run of hence --- */

static void add_notification(struct sarif *s, const char *level, const char *text)
{
	open_object(s);
	json_add_member(s->out, "level", level);
	add_message(s, "message", text);
	str_add_char(s->out, '}');
}

static void add_invocation(struct sarif *s)
{
	const struct explanation *e = s->e;
	struct str verdict = STR_INIT;

	json_add_key(s->out, "invocations");
	str_add(s->out, "[{");
	if (e->invocation.size) {
		struct str line GUARD(str_deinit) = STR_INIT;

		/* A shell leaves words of these as they are. */
		static const char simple[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_-./=:,+@%";

		for (uint32_t i = 0; i < e->invocation.size; i++) {
			str_add(&line, i ? " " : "");
			if (*e->invocation.at[i] &&
			    !e->invocation.at[i][strspn(e->invocation.at[i], simple)])
				str_add(&line, e->invocation.at[i]);
			else
				str_add_quoted(&line, e->invocation.at[i]);
		}
		json_add_member(s->out, "commandLine", str_text(&line));
		json_add_texts(s->out, "arguments", e->invocation.at + 1, e->invocation.size - 1);
	}
	json_add_flag(s->out, "executionSuccessful", s->e->verdict != EXPLANATION_INCOMPLETE);
	explanation_add_verdict(&verdict, e);
	json_add_key(s->out, "toolExecutionNotifications");
	str_add_char(s->out, '[');
	if (verdict.length)
		add_notification(s, "warning", str_text(&verdict));
	for (uint32_t i = 0; i < e->notes.size; i++)
		add_notification(s, "note", e->notes.at[i]);
	if (e->hint)
		add_notification(s, "note", e->hint);
	str_deinit(&verdict);
	if (!e->fixes_only || !e->verdict || e->verdict == EXPLANATION_INCOMPLETE)
		explanation_add_no_fix(&verdict, e);
	explanation_add_doubt(&verdict, e);
	if (verdict.length)
		add_notification(s, "note", str_text(&verdict));
	str_add_char(s->out, ']');
	str_deinit(&verdict);
	str_add(s->out, "}]");
}

/* --- what tells two failures apart --- */

/* Of the kind of failure, the file without its folder, the function, and the statement: lines may be added before
   it, the program be built elsewhere, and other experiments be made, and it stays. */
static void add_fingerprint(struct sarif *s, const char *key, const struct explanation_place *place,
                            const char *statement)
{
	const char *source = place ? source_of(s, place) : NULL, *file, *slash;
	struct str text GUARD(str_deinit) = STR_INIT;
	const char *kind = explanation_kind_name(s->e->failure.kind, s->e->failure.kind_word);

	file = place && place->file ? place->file : "";
	slash = strrchr(file, '/');
	str_printf(&text, "%s\n%s\n%s\n", kind ? kind : "", slash ? slash + 1 : file,
	           place && place->function ? place->function : "");
	/* Without its blanks, which change when a line is moved into a block. */
	for (const char *at = source ? source : statement ? statement : ""; *at; at++)
		if (!strchr(" \t\r", *at))
			str_add_char(&text, *at);
	json_add_key(s->out, key);
	str_printf(s->out, "\"%016llx\"", (unsigned long long)map_hash_string(str_text(&text)));
}

/* --- the failure --- */

/* 'Look first at [sort.c:35](1), [sort.c:17](2)': viewers make links to the related locations of them. */
static void add_links(struct str *message, const struct explanation *e)
{
	uint32_t shown = explanation_shown_suspects(e, false);

	for (uint32_t i = 0; i < shown; i++) {
		struct explanation_place place = e->suspects.at[i].at;
		struct str text GUARD(str_deinit) = STR_INIT;
		struct str safe GUARD(str_deinit) = STR_INIT;

		place.column = 0;
		explanation_add_place(&text, &place);
		str_add(message, i ? ", " : ". Look first at ");
		/* A link to the location of that number. */
		explanation_add_safe(&safe, str_text(&text));
		str_add_char(message, '[');
		for (const char *at = str_text(&safe); *at; at++) {
			if (*at == '{' || *at == '}')
				str_add_char(message, *at);
			if (strchr("[]\\", *at))
				str_add_char(message, '\\');
			str_add_char(message, *at);
		}
		str_printf(message, "](%u)", i + 1);
	}
}

static void add_result_message(struct sarif *s)
{
	struct str text GUARD(str_deinit) = STR_INIT, message GUARD(str_deinit) = STR_INIT,
			verdict GUARD(str_deinit) = STR_INIT;

	explanation_add_failure(&text, s->e);
	add_plain(&message, str_text(&text));
	add_links(&message, s->e);
	str_add_char(&message, '.');
	explanation_add_verdict(&verdict, s->e);
	if (verdict.length)
		str_printf(&message, " Not explained: %s.", str_text(&verdict));
	json_add_key(s->out, "message");
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", str_text(&message));
	str_add_char(s->out, '}');
}

static void add_properties(struct sarif *s)
{
	const struct explanation *e = s->e;

	json_add_key(s->out, "properties");
	str_add_char(s->out, '{');
	json_add_known(s->out, "verdict", explanation_verdict_names[e->verdict]);
	json_add_known(s->out, "program", e->program);
	json_add_texts(s->out, "command", e->command.at, e->command.size);
	json_add_key(s->out, "reference");
	str_add_char(s->out, '{');
	json_add_member(s->out, "kind", recipe_reference_names[e->reference.kind]);
	json_add_known(s->out, "text", e->reference.text);
	if (e->reference.command.size)
		json_add_texts(s->out, "command", e->reference.command.at,
		               e->reference.command.size);
	json_add_known(s->out, "stdin", e->reference.stdin_file);
	str_add_char(s->out, '}');
	json_add_key(s->out, "stats");
	str_add_char(s->out, '{');
	json_add_number(s->out, "experiments", e->stats.experiments);
	json_add_nonzero(s->out, "confounded", e->stats.confounded);
	json_add_nonzero(s->out, "runs", e->stats.runs);
	json_add_nonzero(s->out, "statements_failing", e->stats.statements_failing);
	json_add_nonzero(s->out, "statements_reference", e->stats.statements_reference);
	json_add_nonzero(s->out, "edits", e->stats.edits);
	json_add_nonzero(s->out, "edits_run", e->stats.edits_run);
	json_add_nonzero(s->out, "edits_plausible", e->stats.edits_plausible);
	json_add_fraction(s->out, "seconds", e->stats.seconds, 3);
	str_add(s->out, "}}");
}

static void add_result(struct sarif *s)
{
	bool explained = s->e->verdict == EXPLANATION_EXPLAINED;
	unsigned rule = 0;
	const struct explanation *e = s->e;

	while (rule < RULES - 1 && rules[rule].kind != e->failure.kind)
		rule++;
	json_add_key(s->out, "results");
	str_add(s->out, "[{");
	json_add_member(s->out, "ruleId", rules[rule].id);
	json_add_number(s->out, "ruleIndex", rule);
	json_add_member(s->out, "kind", "fail");
	json_add_member(s->out, "level", explained ? "error" : "warning");
	add_result_message(s);
	json_add_key(s->out, "locations");
	str_add_char(s->out, '[');
	if (explanation_failure_place(e)) {
		open_object(s);
		add_location(s, explanation_failure_place(e));
		str_add_char(s->out, '}');
	}
	str_add_char(s->out, ']');
	/* Of the failure, and of where it began. */
	json_add_key(s->out, "partialFingerprints");
	str_add_char(s->out, '{');
	add_fingerprint(s, "henceFailure/v1", explanation_failure_place(e), NULL);
	if (e->steps.size && has_file(explanation_step_place(&e->steps.at[0])))
		add_fingerprint(s, "henceOrigin/v1", explanation_step_place(&e->steps.at[0]),
		                e->steps.at[0].statement);
	str_add_char(s->out, '}');
	if (e->steps.size) {
		struct str verdict GUARD(str_deinit) = STR_INIT;

		explanation_add_verdict(&verdict, e);
		json_add_key(s->out, "codeFlows");
		str_add(s->out, "[{");
		add_message(s, "message",
		            verdict.length
		                    ? str_text(&verdict)
		                    : "From the input to the failure: each step follows from "
		                      "the one before, unless it says 'also'.");
		json_add_key(s->out, "threadFlows");
		str_add(s->out, "[{");
		json_add_key(s->out, "locations");
		str_add_char(s->out, '[');
		for (uint32_t i = 0; i < e->steps.size; i++)
			add_step(s, i);
		str_add(s->out, "]}]}]");
	}
	json_add_key(s->out, "relatedLocations");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < explanation_shown_suspects(e, s->style->full); i++) {
		const struct explanation_suspect *suspect = &e->suspects.at[i];

		open_object(s);
		json_add_number(s->out, "id", i + 1);
		add_location(s, &suspect->at);
		add_message(s, "message", suspect->why ? suspect->why : "Look here.");
		json_add_key(s->out, "properties");
		str_add_char(s->out, '{');
		json_add_number(s->out, "rank", i + 1);
		json_add_fraction(s->out, "score", suspect->score, 2);
		str_add(s->out, "}}");
	}
	str_add_char(s->out, ']');
	add_fixes(s);
	add_properties(s);
	str_add(s->out, "}]");
}

void explanation_print_sarif(const struct explanation *e, const struct explanation_style *style,
                             FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;
	struct sarif s = {.e = e, .style = style, .out = &out};

	str_add_char(&out, '{');
	json_add_member(&out, "$schema", SCHEMA);
	json_add_member(&out, "version", "2.1.0");
	json_add_key(&out, "runs");
	str_add(&out, "[{");
	json_add_key(s.out, "tool");
	str_add_char(s.out, '{');
	json_add_key(s.out, "driver");
	str_add_char(s.out, '{');
	json_add_member(s.out, "name", "hence");
	json_add_member(s.out, "version", HENCE_VERSION);
	json_add_member(s.out, "semanticVersion", HENCE_VERSION);
	add_message(&s, "shortDescription", "Explains why a C program failed.");
	/* Appends the member `rules`. */
	json_add_key(s.out, "rules");
	str_add_char(s.out, '[');
	for (unsigned i = 0; i < RULES; i++) {
		open_object(&s);
		json_add_member(s.out, "id", rules[i].id);
		json_add_member(s.out, "name", rules[i].name);
		add_message(&s, "shortDescription", rules[i].brief);
		add_message(&s, "fullDescription", rules[i].full);
		add_message(&s, "help", help);
		str_add(s.out, ",\"defaultConfiguration\":{\"level\":\"error\"}}");
	}
	str_add_char(s.out, ']');
	str_add(s.out, "}}");
	add_invocation(&s);
	json_add_member(&out, "columnKind", "utf16CodeUnits");
	add_result(&s);
	json_add_key(s.out, "originalUriBaseIds");
	str_add(s.out, "{\"" BASE "\":{");
	add_message(&s, "description",
	            "The folder that the program was compiled in: relative names of files "
	            "begin there.");
	str_add(s.out, "}}");
	json_add_key(s.out, "artifacts");
	str_add_char(s.out, '[');
	for (uint32_t i = 0; i < s.files.size; i++) {
		open_object(&s);
		json_add_key(s.out, "location");
		add_artifact_location(&s, s.files.at[i], i);
		json_add_member(s.out, "sourceLanguage", "c");
		str_add_char(s.out, '}');
	}
	str_add_char(s.out, ']');
	str_add(&out, "}]}\n");
	fwrite(str_text(&out), 1, out.length, file);
	vec_deinit(&s.files);
}
