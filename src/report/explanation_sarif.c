/*
 * An explanation as SARIF 2.1.0, which tools for code review and editors load: one run with one result, the failure.
 * The chain is its code flow, suspects are related locations that its message links to.
 *
 * The result is of kind 'fail' in any case: that the program fails was seen. Its level is 'error' if the failure is
 * explained; if not, it is 'warning', and the message says what is missing. What could not be established is told as
 * notifications of the invocation.
 */
#include <string.h>

#include "base/map.h"
#include "base/version.h"
#include "report/explanation_fixes.h"
#include "report/explanation_words.h"
#include "report/json.h"
#include "report/sarif.h"

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"

static bool is_explained(const struct explanation *e)
{
	return e->verdict && !strcmp(e->verdict, "explained");
}

/* --- the run of hence --- */

static void add_notification(struct sarif *s, const char *level, const char *text)
{
	sarif_open(s);
	json_add_member(s->out, "level", level);
	sarif_add_message(s, "message", text);
	str_add_char(s->out, '}');
}

static void add_notifications(struct sarif *s)
{
	const struct explanation *e = s->e;
	struct str verdict = STR_INIT;

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
	if (!e->fixes_only || !e->verdict || !strcmp(e->verdict, "incomplete"))
		explanation_add_no_fix(&verdict, e);
	explanation_add_doubt(&verdict, e);
	if (verdict.length)
		add_notification(s, "note", str_text(&verdict));
	str_add_char(s->out, ']');
	str_deinit(&verdict);
}

static void add_command_line(struct sarif *s)
{
	const struct explanation *e = s->e;
	struct str line = STR_INIT;

	if (!e->invocation.size)
		return;
	sarif_add_command(&line, e->invocation.at, e->invocation.size);
	json_add_member(s->out, "commandLine", str_text(&line));
	json_add_texts(s->out, "arguments", e->invocation.at + 1, e->invocation.size - 1);
	str_deinit(&line);
}

static void add_invocation(struct sarif *s)
{
	json_add_key(s->out, "invocations");
	str_add(s->out, "[{");
	add_command_line(s);
	json_add_flag(s->out, "executionSuccessful",
	              !s->e->verdict || strcmp(s->e->verdict, "incomplete"));
	add_notifications(s);
	str_add(s->out, "}]");
}

static void add_tool(struct sarif *s)
{
	json_add_key(s->out, "tool");
	str_add_char(s->out, '{');
	json_add_key(s->out, "driver");
	str_add_char(s->out, '{');
	json_add_member(s->out, "name", "hence");
	json_add_member(s->out, "version", HENCE_VERSION);
	json_add_member(s->out, "semanticVersion", HENCE_VERSION);
	sarif_add_message(s, "shortDescription", "Explains why a C program failed.");
	sarif_add_rules(s);
	str_add(s->out, "}}");
}

/* --- what tells two failures apart --- */

/* A line of source without its blanks, which change when it is moved into a block. */
static void add_squeezed(struct str *out, const char *text)
{
	for (; *text; text++)
		if (!strchr(" \t\r", *text))
			str_add_char(out, *text);
}

/* Of the kind of failure, the file without its folder, the function, and the statement: lines may be added before
   it, the program be built elsewhere, and other experiments be made, and it stays. */
static void add_fingerprint(struct sarif *s, const char *key, const struct explanation_place *place,
                            const char *statement)
{
	const char *source = place ? sarif_source(s, place) : NULL, *file, *slash;
	struct str text = STR_INIT;

	file = place && place->file ? place->file : "";
	slash = strrchr(file, '/');
	str_printf(&text, "%s\n%s\n%s\n", s->e->failure.kind ? s->e->failure.kind : "",
	           slash ? slash + 1 : file, place && place->function ? place->function : "");
	add_squeezed(&text, source ? source : statement ? statement : "");
	json_add_key(s->out, key);
	str_printf(s->out, "\"%016llx\"", (unsigned long long)map_hash_string(str_text(&text)));
	str_deinit(&text);
}

/* Of the failure, and of where it began. */
static void add_fingerprints(struct sarif *s)
{
	const struct explanation *e = s->e;

	json_add_key(s->out, "partialFingerprints");
	str_add_char(s->out, '{');
	add_fingerprint(s, "henceFailure/v1", explanation_failure_place(e), NULL);
	if (e->steps.size && sarif_has_file(explanation_step_place(&e->steps.at[0])))
		add_fingerprint(s, "henceOrigin/v1", explanation_step_place(&e->steps.at[0]),
		                e->steps.at[0].statement);
	str_add_char(s->out, '}');
}

/* --- the failure --- */

/* 'Look first at [sort.c:35](1), [sort.c:17](2)': viewers make links to the related locations of them. */
static void add_links(struct str *message, const struct explanation *e)
{
	uint32_t shown = explanation_shown_suspects(e, false);

	for (uint32_t i = 0; i < shown; i++) {
		struct explanation_place place = e->suspects.at[i].at;
		struct str text = STR_INIT;

		place.column = 0;
		explanation_add_place(&text, &place);
		str_add(message, i ? ", " : ". Look first at ");
		sarif_add_link(message, str_text(&text), i + 1);
		str_deinit(&text);
	}
}

static void add_result_message(struct sarif *s)
{
	struct str text = STR_INIT, message = STR_INIT, verdict = STR_INIT;

	explanation_add_failure(&text, s->e);
	sarif_add_plain(&message, str_text(&text));
	add_links(&message, s->e);
	str_add_char(&message, '.');
	explanation_add_verdict(&verdict, s->e);
	if (verdict.length)
		str_printf(&message, " Not explained: %s.", str_text(&verdict));
	json_add_key(s->out, "message");
	str_add_char(s->out, '{');
	json_add_member(s->out, "text", str_text(&message));
	str_add_char(s->out, '}');
	str_deinit(&text);
	str_deinit(&message);
	str_deinit(&verdict);
}

static void add_related(struct sarif *s)
{
	json_add_key(s->out, "relatedLocations");
	str_add_char(s->out, '[');
	for (uint32_t i = 0; i < explanation_shown_suspects(s->e, s->style->full); i++) {
		const struct explanation_suspect *suspect = &s->e->suspects.at[i];

		sarif_open(s);
		json_add_number(s->out, "id", i + 1);
		sarif_add_location(s, &suspect->at);
		sarif_add_message(s, "message", suspect->why ? suspect->why : "Look here.");
		json_add_key(s->out, "properties");
		str_add_char(s->out, '{');
		json_add_number(s->out, "rank", i + 1);
		json_add_fraction(s->out, "score", suspect->score, 2);
		str_add(s->out, "}}");
	}
	str_add_char(s->out, ']');
}

static void add_reference(struct sarif *s)
{
	const struct explanation *e = s->e;

	json_add_key(s->out, "reference");
	str_add_char(s->out, '{');
	json_add_known(s->out, "kind", e->reference.kind);
	json_add_known(s->out, "text", e->reference.text);
	if (e->reference.command.size)
		json_add_texts(s->out, "command", e->reference.command.at,
		               e->reference.command.size);
	json_add_known(s->out, "stdin", e->reference.stdin_file);
	str_add_char(s->out, '}');
}

static void add_properties(struct sarif *s)
{
	const struct explanation *e = s->e;

	json_add_key(s->out, "properties");
	str_add_char(s->out, '{');
	json_add_known(s->out, "verdict", e->verdict);
	json_add_known(s->out, "program", e->program);
	json_add_texts(s->out, "command", e->command.at, e->command.size);
	add_reference(s);
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
	unsigned rule = sarif_rule_index(s->e->failure.kind);

	json_add_key(s->out, "results");
	str_add(s->out, "[{");
	json_add_member(s->out, "ruleId", sarif_rule_id(rule));
	json_add_number(s->out, "ruleIndex", rule);
	json_add_member(s->out, "kind", "fail");
	json_add_member(s->out, "level", is_explained(s->e) ? "error" : "warning");
	add_result_message(s);
	json_add_key(s->out, "locations");
	str_add_char(s->out, '[');
	if (explanation_failure_place(s->e)) {
		sarif_open(s);
		sarif_add_location(s, explanation_failure_place(s->e));
		str_add_char(s->out, '}');
	}
	str_add_char(s->out, ']');
	add_fingerprints(s);
	if (s->e->steps.size)
		sarif_add_flow(s);
	add_related(s);
	sarif_add_fixes(s);
	add_properties(s);
	str_add(s->out, "}]");
}

void explanation_print_sarif(const struct explanation *e, const struct explanation_style *style,
                             FILE *file)
{
	struct str out = STR_INIT;
	struct sarif s = {.e = e, .style = style, .out = &out};

	str_add_char(&out, '{');
	json_add_member(&out, "$schema", SCHEMA);
	json_add_member(&out, "version", "2.1.0");
	json_add_key(&out, "runs");
	str_add(&out, "[{");
	add_tool(&s);
	add_invocation(&s);
	json_add_member(&out, "columnKind", "utf16CodeUnits");
	add_result(&s);
	sarif_add_artifacts(&s);
	str_add(&out, "}]}\n");
	fwrite(str_text(&out), 1, out.length, file);
	vec_deinit(&s.files);
	str_deinit(&out);
}
