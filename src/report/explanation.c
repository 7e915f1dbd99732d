/*
 * An explanation: what it holds, and its JSON, the saved report. The tables below are all that knows the fields; writing,
 * reading, freeing and settling follow them (fields.h). docs/report.schema.json describes the JSON.
 */
#include "report/explanation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/fields.h"
#include "report/json.h"
#include "report/saved.h"

#define LONGEST  1e12 /* seconds */
#define HEAVIEST 1e6  /* weight of evidence */

const char *const explanation_verdict_names[] = {NULL, "explained", "unproven", "incomplete", NULL};
const char *const explanation_run_names[] = {"failing", "reference", NULL};
const char *const explanation_kind_names[] = {
	NULL,     "value", "branch", "call", "input",        "output", "memory", "crash",
	"assert", "exit",  "hang",   "test", "wrong-output", "check",  "abort",  NULL};

const char *const suspect_row_names[SUSPECT_ROWS + 1] = {
	[SUSPECT_ROOT] = "root",
	[SUSPECT_MAKES] = "makes",
	[SUSPECT_RECEIVES] = "receives",
	[SUSPECT_ALL_ALONG] = "all-along",
	[SUSPECT_HANDS_ON] = "hands-on",
	[SUSPECT_SHOWS] = "shows",
	[SUSPECT_SWITCH] = "switch",
	[SUSPECT_TREE_BRANCH] = "tree-branch",
	[SUSPECT_TREE_VALUE] = "tree-value",
	[SUSPECT_CHANGED] = "changed",
	[SUSPECT_TREE_OPEN] = "tree-open",
	[SUSPECT_DUAL] = "dual-slice",
	[SUSPECT_CHOP] = "chop",
	[SUSPECT_SPECTRA] = "spectra",
	[SUSPECT_EDIT] = "edit",
	[SUSPECT_EDIT_LOOSE] = "edit-loose",
	[SUSPECT_MEMORY_CURED] = "memory-cured",
	[SUSPECT_MEMORY_OBJECT] = "memory-object",
	[SUSPECT_MEMORY_ACCESS] = "memory-access",
	[SUSPECT_MEMORY_FREE] = "memory-free",
	[SUSPECT_MEMORY_INDEX] = "memory-index",
	[SUSPECT_MEMORY_GIVEN] = "memory-given",
	[SUSPECT_MEMORY_ORIGIN] = "memory-origin",
	[SUSPECT_CRASH_ORIGIN] = "crash-origin",
	[SUSPECT_CRASH] = "crash",
};

enum explanation_kind explanation_kind_of(const char *name)
{
	for (uint32_t i = 1; explanation_kind_names[i]; i++)
		if (!strcmp(explanation_kind_names[i], name))
			return i;
	return EXPLANATION_NO_KIND;
}

const char *explanation_kind_name(enum explanation_kind kind, const char *word)
{
	return kind ? explanation_kind_names[kind] : word;
}

/* --- places --- */

static const struct field place_rows[] = {
	FIELD_FILE(struct explanation_place, file),
	FIELD_NUMBER(struct explanation_place, line, "line", .most = INT_MAX),
	FIELD_NUMBER(struct explanation_place, column, "column", .most = INT_MAX),
	FIELD_TEXT(struct explanation_place, function, "function"),
	FIELD_TEXT(struct explanation_place, source, "source", .only_read = true),
	FIELD_END,
};
const struct fields explanation_place_fields = FIELDS(struct explanation_place, place_rows);

/* The text of the line of the place `at`, where the JSON of the struct around it has it. */
#define SOURCE_OF(type, at) FIELD_TEXT(type, at.source, "source", .only_written = true)

/* A place that is an object of its own. */
static const struct field place_object_rows[] = {
	FIELD_MEMBERS_OF_SAME(&explanation_place_fields),
	FIELD_TEXT(struct explanation_place, source, "source", .only_written = true),
	FIELD_END,
};
static const struct fields place_object_fields =
	FIELDS(struct explanation_place, place_object_rows);

static bool has_file(const void *object, const void *member)
{
	return ((const struct explanation_place *)member)->file;
}

#define PLACE_OBJECT(type, member, key)                                                            \
	FIELD_OBJECT(type, member, key, &place_object_fields, .when = has_file)

/* --- values, proofs, memory of a step --- */

static const struct field value_rows[] = {
	FIELD_TEXT(struct explanation_value, name, "variable"),
	FIELD_TEXT(struct explanation_value, failing, "failing"),
	FIELD_TEXT(struct explanation_value, reference, "reference"),
	FIELD_TEXT(struct explanation_value, function, "local_to"),
	FIELD_END,
};
static const struct fields value_fields = FIELDS(struct explanation_value, value_rows);

/* In a list, a value has a name. */
static void check_name(struct reader *r, const json_t *json, void *object)
{
	reader_need(r, json, "variable");
}

static const struct fields named_value_fields =
	FIELDS(struct explanation_value, value_rows, .check = check_name);

static const struct field aim_rows[] = {
	FIELD_COUNT(struct explanation_aim, time, "time", .needed = true, .always = true),
	FIELD_TEXTS(struct explanation_aim, names, "variables", .always = true),
	FIELD_END,
};
static const struct fields aim_fields = FIELDS(struct explanation_aim, aim_rows);

static const char *const judges[] = {"next step", "run", NULL};

static void write_judge(struct str *out, const void *object, const void *root)
{
	const struct explanation_proof *proof = object;

	if (proof->local || proof->whole)
		json_add_member(out, "judged", judges[proof->whole]);
}

static void read_judge(struct reader *r, const json_t *json, void *object)
{
	struct explanation_proof *proof = object;
	const char *judge = reader_choice(r, json, "judged", judges);

	proof->local = judge == judges[0];
	proof->whole = judge == judges[1];
}

/* With the point in the run that was changed, so that it can be tried again. */
static const struct field proof_rows[] = {
	FIELD_COUNT(struct explanation_proof, experiment, "experiment", .needed = true,
                    .always = true),
	FIELD_TEXT(struct explanation_proof, changed, "changed", .needed = true),
	FIELD_TEXT(struct explanation_proof, from, "from"),
	FIELD_TEXT(struct explanation_proof, to, "to"),
	FIELD_ENUM(struct explanation_proof, in, "in", explanation_run_names, .needed = true),
	FIELD_ENUM(struct explanation_proof, outcome, "outcome", verdict_names, .needed = true),
	FIELD_HOOK("judged", .write = write_judge, .read = read_judge),
	FIELD_FLAG(struct explanation_proof, guarded, "guarded"),
	FIELD_MEMBERS(struct explanation_proof, at, &explanation_place_fields),
	FIELD_COUNT(struct explanation_proof, instance, "instance"),
	FIELD_COUNT(struct explanation_proof, time, "time"),
	FIELD_LIST(struct explanation_proof, aims, "aims", &aim_fields),
	FIELD_END,
};
static const struct fields proof_fields = FIELDS(struct explanation_proof, proof_rows);

static const struct field cell_rows[] = {
	FIELD_TEXT(struct explanation_cell, name, "name"),
	FIELD_TEXT(struct explanation_cell, value, "value"),
	FIELD_TEXT(struct explanation_cell, reference, "reference"),
	FIELD_NUMBER(struct explanation_cell, target, "points_to"),
	FIELD_FLAG(struct explanation_cell, decides, "decides"),
	FIELD_END,
};
static const struct fields cell_fields = FIELDS(struct explanation_cell, cell_rows);

static const struct field box_rows[] = {
	FIELD_TEXT(struct explanation_box, name, "name", .needed = true, .always = true),
	FIELD_TEXT(struct explanation_box, type, "type"),
	FIELD_TEXT(struct explanation_box, where, "where"),
	FIELD_LIST(struct explanation_box, cells, "cells", &cell_fields, .always = true),
	FIELD_COUNT(struct explanation_box, more, "more"),
	FIELD_END,
};
static const struct fields box_fields = FIELDS(struct explanation_box, box_rows);

static const struct field memory_rows[] = {
	FIELD_LIST(struct explanation_memory, boxes, "boxes", &box_fields, .always = true),
	FIELD_COUNT(struct explanation_memory, more, "more"),
	FIELD_END,
};

/* Arrows lead to boxes. */
static void check_memory(struct reader *r, const json_t *json, void *object)
{
	const struct explanation_memory *memory = object;

	for (uint32_t i = 0; i < memory->boxes.size; i++)
		for (uint32_t k = 0; k < memory->boxes.at[i].cells.size; k++) {
			uint32_t target = memory->boxes.at[i].cells.at[k].target;
			size_t mark;

			if (target <= memory->boxes.size)
				continue;
			mark = reader_enter_item(r, "boxes", i);
			reader_enter_item(r, "cells", k);
			reader_fail(r, "points_to", "is %u, but there are %u boxes", target,
			            memory->boxes.size);
			reader_leave(r, mark);
		}
}

static const struct fields memory_fields =
	FIELDS(struct explanation_memory, memory_rows, .check = check_memory);

static bool has_boxes(const void *object, const void *member)
{
	return ((const struct explanation_memory *)member)->boxes.size;
}

/* --- steps --- */

/* The first value is among the members of the step itself. */
static void write_values(struct str *out, const void *object, const void *root)
{
	const struct explanation_step *step = object;

	if (step->values.size)
		fields_write(&value_fields, &step->values.at[0], out);
	if (step->values.size > 1)
		fields_write_list(&named_value_fields, "with", step->values.at + 1,
		                  step->values.size - 1, root, out);
}

static void read_values(struct reader *r, const json_t *json, void *object)
{
	struct explanation_step *step = object;
	struct explanation_value *first = vec_push(&step->values);

	fields_read(r, &value_fields, json, first);
	if (!first->name && !first->failing && !first->reference && !first->function &&
	    !json_object_get(json, "with"))
		step->values.size = 0;
	else if (!first->name && !json_object_get(json, "what"))
		reader_fail(r, "variable", "is missing");
	reader_list(r, json, "with", &named_value_fields, &step->values);
}

/* What the step says as a sentence, for readers that do not make one. */
static void write_sentence(struct str *out, const void *object, const void *root)
{
	struct str text GUARD(str_deinit) = STR_INIT;

	explanation_add_step(&text, object, &explanation_unmarked);
	json_add_member(out, "text", str_text(&text));
}

static const struct field cause_rows[] = {
	FIELD_MEMBERS(struct explanation_step, cause, &explanation_place_fields),
	FIELD_TEXT(struct explanation_step, statement, "statement"),
	SOURCE_OF(struct explanation_step, cause),
	FIELD_END,
};
static const struct fields cause_fields = FIELDS(struct explanation_step, cause_rows);

static bool has_cause(const void *object, const void *member)
{
	const struct explanation_step *step = object;

	return step->transition && (step->cause.file || step->statement);
}

static const struct field until_rows[] = {
	FIELD_MEMBERS(struct explanation_step, until, &explanation_place_fields),
	FIELD_TEXT(struct explanation_step, until_statement, "statement"),
	SOURCE_OF(struct explanation_step, until),
	FIELD_END,
};
static const struct fields until_fields = FIELDS(struct explanation_step, until_rows);

static bool has_until(const void *object, const void *member)
{
	const struct explanation_step *step = object;

	return step->transition && step->until.file;
}

/* What was seen needs no proof. */
static bool asks_proof(const void *object, const void *member)
{
	const struct explanation_step *step = object;

	return !step->observed || step->proven;
}

static const struct field step_rows[] = {
	FIELD_MEMBERS(struct explanation_step, at, &explanation_place_fields),
	FIELD_COUNT(struct explanation_step, instance, "instance"),
	FIELD_COUNT(struct explanation_step, reference_instance, "reference_instance"),
	FIELD_COUNT(struct explanation_step, time, "time"),
	FIELD_COUNT(struct explanation_step, reference_time, "reference_time"),
	FIELD_OPEN(struct explanation_step, kind, kind_word, "kind", explanation_kind_names),
	FIELD_LIST(struct explanation_step, values, "with", &value_fields, .write = write_values,
                   .read = read_values),
	FIELD_HOOK("text", .write = write_sentence),
	FIELD_TEXT(struct explanation_step, what, "what"),
	FIELD_TEXT(struct explanation_step, when, "when"),
	FIELD_FLAG(struct explanation_step, call, "call"),
	FIELD_WORD(struct explanation_step, method, "method"),
	FIELD_WORD(struct explanation_step, also, "also_found_by"),
	FIELD_FLAG(struct explanation_step, transition, "transition", .always = true),
	FIELD_OBJECT_OF_SAME("cause", &cause_fields, .when = has_cause),
	FIELD_OBJECT_OF_SAME("until", &until_fields, .when = has_until),
	SOURCE_OF(struct explanation_step, at),
	FIELD_FLAG(struct explanation_step, observed, "observed"),
	FIELD_FLAG(struct explanation_step, proven, "proven", .always = true, .when = asks_proof),
	FIELD_FLAG(struct explanation_step, apart, "apart"),
	FIELD_FLAG(struct explanation_step, usual, "usual"),
	FIELD_LIST(struct explanation_step, proofs, "proof", &proof_fields, .always = true),
	FIELD_OBJECT(struct explanation_step, memory, "memory", &memory_fields, .when = has_boxes),
	FIELD_END,
};
static const struct fields step_fields = FIELDS(struct explanation_step, step_rows);

/* --- suspects --- */

static const struct field evidence_rows[] = {
	FIELD_OPEN(struct explanation_evidence, kind, kind_word, "kind", suspect_row_names,
                   .needed = true),
	FIELD_FRACTION(struct explanation_evidence, weight, "weight", .from = -HEAVIEST,
                       .to = HEAVIEST, .digits = EXPLANATION_WEIGHT_DIGITS, .always = true),
	FIELD_END,
};
static const struct fields evidence_fields = FIELDS(struct explanation_evidence, evidence_rows);

static const struct field suspect_rows[] = {
	FIELD_MEMBERS(struct explanation_suspect, at, &explanation_place_fields),
	FIELD_FRACTION(struct explanation_suspect, score, "score", .to = 1,
                       .digits = EXPLANATION_SCORE_DIGITS, .always = true),
	FIELD_TEXT(struct explanation_suspect, why, "why"),
	SOURCE_OF(struct explanation_suspect, at),
	FIELD_LIST(struct explanation_suspect, evidence, "evidence", &evidence_fields),
	FIELD_TEXTS(struct explanation_suspect, words, NULL),
	FIELD_END,
};
static const struct fields suspect_fields = FIELDS(struct explanation_suspect, suspect_rows);

/* --- fixes --- */

static const struct field tried_rows[] = {
	FIELD_NUMBER(struct explanation_fix, failing, "failing", .needed = true, .always = true),
	FIELD_NUMBER(struct explanation_fix, failing_of, "failing_of", .needed = true,
                     .always = true),
	FIELD_NUMBER(struct explanation_fix, passing, "passing", .needed = true, .always = true),
	FIELD_NUMBER(struct explanation_fix, passing_of, "passing_of", .needed = true,
                     .always = true),
	FIELD_END,
};

static void check_tried(struct reader *r, const json_t *json, void *object)
{
	const struct explanation_fix *fix = object;

	if (fix->failing > fix->failing_of)
		reader_fail(r, "failing_of", "is %u, but %u of them are counted", fix->failing_of,
		            fix->failing);
	if (fix->passing > fix->passing_of)
		reader_fail(r, "passing_of", "is %u, but %u of them are counted", fix->passing_of,
		            fix->passing);
}

static const struct fields tried_fields =
	FIELDS(struct explanation_fix, tried_rows, .check = check_tried);

/* The patch stays as it is, since it must fit the source byte for byte. */
static const struct field fix_rows[] = {
	FIELD_MEMBERS(struct explanation_fix, at, &explanation_place_fields),
	FIELD_TEXT(struct explanation_fix, edit, "edit"),
	FIELD_WORD(struct explanation_fix, class, "class"),
	FIELD_TEXT(struct explanation_fix, before, "before", .needed = true, .always = true),
	FIELD_TEXT(struct explanation_fix, after, "after", .needed = true, .always = true),
	FIELD_NUMBER(struct explanation_fix, mark, "mark", .most = INT_MAX),
	FIELD_NUMBER(struct explanation_fix, mark_length, "mark_length", .most = INT_MAX),
	FIELD_FRACTION(struct explanation_fix, score, "score", .to = 1,
                       .digits = EXPLANATION_FIX_DIGITS, .always = true),
	FIELD_OBJECT_OF_SAME("tried_on", &tried_fields, .needed = true),
	FIELD_NUMBER(struct explanation_fix, agree, "agree", .always = true),
	FIELD_FLAG(struct explanation_fix, fitted, "fitted"),
	FIELD_COUNT(struct explanation_fix, changed, "changed"),
	FIELD_COUNT(struct explanation_fix, experiment, "experiment"),
	SOURCE_OF(struct explanation_fix, at),
	FIELD_BYTES(struct explanation_fix, patch, "patch"),
	FIELD_TEXT(struct explanation_fix, no_patch, "no_patch"),
	FIELD_END,
};

static void check_fix(struct reader *r, const json_t *json, void *object)
{
	const struct explanation_fix *fix = object;

	if ((size_t)fix->mark + fix->mark_length > strlen(fix->after))
		reader_fail(r, "mark", "is outside of \"after\"");
}

/* Bytes that the first `length` bytes of a text take when it is settled. */
static unsigned settled_length(const char *text, size_t length)
{
	char *part = mem_strndup(text, length), *clean = json_clean(part);

	length = strlen(clean);
	free(part);
	free(clean);
	return (unsigned)length;
}

/* The mark moves with the text. */
static void settle_fix(void *object)
{
	struct explanation_fix *fix = object;
	unsigned end;

	explanation_fix_clamp(fix);
	if (!fix->after || json_is_utf8(fix->after))
		return;
	end = settled_length(fix->after, fix->mark + (size_t)fix->mark_length);
	fix->mark = settled_length(fix->after, fix->mark);
	fix->mark_length = end > fix->mark ? end - fix->mark : 0;
}

static const struct fields fix_fields =
	FIELDS(struct explanation_fix, fix_rows, .check = check_fix, .settle = settle_fix);

static const struct field fixes_rows[] = {
	FIELD_LIST(struct explanation, fixes, "fixes", &fix_fields, .always = true),
	FIELD_FLAG(struct explanation, fixes_only, "fixes_only"),
	FIELD_END,
};
static const struct fields fixes_fields = FIELDS(struct explanation, fixes_rows);

static bool has_sought_fixes(const void *object, const void *member)
{
	return explanation_sought_fixes(object);
}

/* --- what failed, and what it is compared with --- */

static const struct field failure_rows[] = {
	FIELD_OPEN(struct explanation, failure.kind, failure.kind_word, "kind",
                   explanation_kind_names, .needed = true),
	FIELD_MEMBERS(struct explanation, failure.at, &explanation_place_fields),
	FIELD_TEXT(struct explanation, failure.message, "message"),
	SOURCE_OF(struct explanation, failure.at),
	FIELD_END,
};
static const struct fields failure_fields = FIELDS(struct explanation, failure_rows);

static const struct field memory_error_rows[] = {
	FIELD_WORD(struct explanation_memory_error, kind, "kind", .needed = true),
	FIELD_MEMBERS(struct explanation_memory_error, at, &explanation_place_fields),
	SOURCE_OF(struct explanation_memory_error, at),
	FIELD_FLAG(struct explanation_memory_error, writes, "writes", .always = true),
	FIELD_TEXT(struct explanation_memory_error, object, "object"),
	PLACE_OBJECT(struct explanation_memory_error, declared, "declared"),
	PLACE_OBJECT(struct explanation_memory_error, allocated, "allocated"),
	PLACE_OBJECT(struct explanation_memory_error, freed, "freed"),
	PLACE_OBJECT(struct explanation_memory_error, index, "index"),
	PLACE_OBJECT(struct explanation_memory_error, given, "given"),
	FIELD_COUNT(struct explanation_memory_error, time, "time"),
	FIELD_FLAG(struct explanation_memory_error, before, "before"),
	FIELD_FLAG(struct explanation_memory_error, usual, "usual"),
	FIELD_TEXT(struct explanation_memory_error, words, "words"),
	FIELD_END,
};
static const struct fields memory_error_fields =
	FIELDS(struct explanation_memory_error, memory_error_rows);

static bool has_memory_error(const void *object, const void *member)
{
	return ((const struct explanation_memory_error *)member)->kind;
}

static const struct field origin_rows[] = {
	FIELD_WORD(struct explanation_origin, kind, "kind", .needed = true),
	FIELD_MEMBERS(struct explanation_origin, at, &explanation_place_fields),
	SOURCE_OF(struct explanation_origin, at),
	FIELD_TEXT(struct explanation_origin, name, "name"),
	FIELD_TEXT(struct explanation_origin, value, "value"),
	FIELD_COUNT(struct explanation_origin, time, "time"),
	FIELD_TEXT(struct explanation_origin, words, "words"),
	FIELD_END,
};
static const struct fields origin_fields = FIELDS(struct explanation_origin, origin_rows);

static bool has_origin(const void *object, const void *member)
{
	return ((const struct explanation_origin *)member)->kind;
}

/* The place and the text of the edit, which is one of the fixes. */
static void write_edit(struct str *out, const void *object, const void *root)
{
	const struct explanation *e = object;
	const struct explanation_fix *fix = explanation_find_fix(e, e->reference.edit);
	struct explanation_place place = {0};

	if (!fix)
		return;
	place.file = fix->at.file;
	place.line = fix->at.line;
	fields_write(&explanation_place_fields, &place, out);
	json_add_known(out, "before", fix->before);
	json_add_known(out, "after", fix->after);
}

static const struct field edit_rows[] = {
	FIELD_TEXT(struct explanation, reference.edit, "edit", .needed = true),
	FIELD_HOOK(NULL, .write = write_edit),
	FIELD_END,
};
static const struct fields edit_fields = FIELDS(struct explanation, edit_rows);

static bool has_edit(const void *object, const void *member)
{
	return ((const struct explanation *)object)->reference.edit;
}

static const struct field reference_rows[] = {
	FIELD_ENUM(struct explanation, reference.kind, "kind", recipe_reference_names,
                   .needed = true),
	FIELD_TEXT(struct explanation, reference.text, "text"),
	FIELD_TEXTS(struct explanation, reference.command, "command"),
	FIELD_TEXT(struct explanation, reference.stdin_file, "stdin"),
	FIELD_OBJECT_OF_SAME("edit", &edit_fields, .when = has_edit),
	FIELD_END,
};
static const struct fields reference_fields = FIELDS(struct explanation, reference_rows);

/* --- points, sources, statistics --- */

static const struct field point_rows[] = {
	FIELD_MEMBERS(struct explanation_point, at, &explanation_place_fields),
	FIELD_COUNT(struct explanation_point, failing_time, "failing_time"),
	FIELD_COUNT(struct explanation_point, reference_time, "reference_time"),
	FIELD_LIST(struct explanation_point, values, "variables", &named_value_fields,
                   .always = true),
	FIELD_FLAG(struct explanation_point, transition, "transition", .always = true),
	SOURCE_OF(struct explanation_point, at),
	FIELD_END,
};
static const struct fields point_fields = FIELDS(struct explanation_point, point_rows);

static const struct field source_rows[] = {
	FIELD_FILE(struct explanation_source, file, .needed = true),
	FIELD_NUMBER(struct explanation_source, first, "first", .needed = true, .always = true,
                     .most = INT_MAX),
	FIELD_TEXTS(struct explanation_source, lines, "lines", .always = true),
	FIELD_END,
};

static void check_source(struct reader *r, const json_t *json, void *object)
{
	if (!((const struct explanation_source *)object)->first)
		reader_fail(r, "first", "is 0, but lines are counted from 1");
}

static const struct fields source_fields =
	FIELDS(struct explanation_source, source_rows, .check = check_source);

static const struct field edit_stats_rows[] = {
	FIELD_COUNT(struct explanation, stats.edits, "edits", .always = true),
	FIELD_COUNT(struct explanation, stats.edits_idle, "edits_idle", .always = true),
	FIELD_COUNT(struct explanation, stats.edits_run, "edits_run", .always = true),
	FIELD_COUNT(struct explanation, stats.edits_plausible, "edits_plausible", .always = true),
	FIELD_COUNT(struct explanation, stats.edit_places, "edit_places", .always = true),
	FIELD_END,
};
static const struct fields edit_stats_fields = FIELDS(struct explanation, edit_stats_rows);

static const struct field stats_rows[] = {
	FIELD_COUNT(struct explanation, stats.experiments, "experiments", .always = true),
	FIELD_COUNT(struct explanation, stats.confounded, "confounded"),
	FIELD_COUNT(struct explanation, stats.runs, "runs"),
	FIELD_FRACTION(struct explanation, stats.seconds, "seconds", .to = LONGEST,
                       .digits = EXPLANATION_SECONDS_DIGITS, .always = true),
	FIELD_COUNT(struct explanation, stats.statements_failing, "statements_failing"),
	FIELD_COUNT(struct explanation, stats.statements_reference, "statements_reference"),
	FIELD_COUNT(struct explanation, stats.decodes, "decodes"),
	FIELD_COUNT(struct explanation, stats.resumed, "resumed"),
	FIELD_COUNT(struct explanation, stats.walks, "walks"),
	FIELD_MEMBERS_OF_SAME(&edit_stats_fields, .when = has_sought_fixes),
	FIELD_END,
};
static const struct fields stats_fields = FIELDS(struct explanation, stats_rows);

/* --- the whole --- */

static void write_version(struct str *out, const void *object, const void *root)
{
	json_add_number(out, "hence", EXPLANATION_VERSION);
}

/* Pieces that are not understood, as they are. */
static void write_parts(struct str *out, const void *object, const void *root)
{
	const struct explanation *e = object;

	for (uint32_t i = 0; i < e->parts.size; i++) {
		json_add_key(out, e->parts.at[i].key);
		str_add_bytes(out, str_text(&e->parts.at[i].json), e->parts.at[i].json.length);
	}
}

static const struct field part_rows[] = {
	FIELD_STR(struct explanation_part, json, NULL),
	FIELD_END,
};
static const struct fields part_fields = FIELDS(struct explanation_part, part_rows);

static const struct field explanation_rows[] = {
	FIELD_HOOK("hence", .write = write_version),
	FIELD_ENUM(struct explanation, verdict, "verdict", explanation_verdict_names,
                   .needed = true),
	FIELD_TEXT(struct explanation, program, "program"),
	FIELD_TEXTS(struct explanation, command, "command", .needed = true, .always = true),
	FIELD_TEXTS(struct explanation, invocation, "invocation"),
	FIELD_OBJECT_OF_SAME("failure", &failure_fields, .needed = true),
	FIELD_OBJECT(struct explanation, memory_error, "memory_error", &memory_error_fields,
                     .when = has_memory_error),
	FIELD_OBJECT(struct explanation, origin, "origin", &origin_fields, .when = has_origin),
	FIELD_OBJECT_OF_SAME("reference", &reference_fields, .needed = true),
	FIELD_LIST(struct explanation, steps, "steps", &step_fields, .needed = true,
                   .always = true),
	FIELD_LIST(struct explanation, suspects, "suspects", &suspect_fields, .needed = true,
                   .always = true),
	FIELD_MEMBERS_OF_SAME(&fixes_fields, .when = has_sought_fixes),
	FIELD_LIST(struct explanation, points, "points", &point_fields),
	FIELD_LIST(struct explanation, parts, NULL, &part_fields, .write = write_parts),
	FIELD_POINTER(struct explanation, tree, "tree", &cause_tree_fields),
	FIELD_POINTER(struct explanation, recipe, "recipe", &recipe_fields),
	FIELD_TEXTS(struct explanation, notes, "notes", .always = true),
	FIELD_TEXT(struct explanation, hint, "hint"),
	FIELD_OBJECT_OF_SAME("stats", &stats_fields, .needed = true),
	FIELD_LIST(struct explanation, sources, "sources", &source_fields),
	FIELD_TEXTS(struct explanation, kept, NULL),
	FIELD_END,
};

static void check_explanation(struct reader *r, const json_t *json, void *object)
{
	((struct explanation *)object)->fixes_sought = json_object_get(json, "fixes");
}

static const struct fields explanation_fields =
	FIELDS(struct explanation, explanation_rows, .check = check_explanation);

void explanation_print_json(const struct explanation *e, const struct explanation_style *style,
                            FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	fields_write(&explanation_fields, e, &out);
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
}

void explanation_add_fixes_json(struct str *out, const struct explanation *e)
{
	fields_write(&fixes_fields, e, out);
}

void explanation_add_place_json(struct str *out, const struct explanation_place *place)
{
	fields_write(&explanation_place_fields, place, out);
}

void explanation_settle(struct explanation *e)
{
	fields_settle(&explanation_fields, e);
}

void explanation_deinit(struct explanation *e)
{
	fields_free(&explanation_fields, e);
	*e = (struct explanation){0};
}

void explanation_step_deinit(struct explanation_step *step)
{
	fields_free(&step_fields, step);
}

void explanation_place_deinit(struct explanation_place *place)
{
	fields_free(&explanation_place_fields, place);
	*place = (struct explanation_place){0};
}

void explanation_suspect_deinit(struct explanation_suspect *suspect)
{
	fields_free(&suspect_fields, suspect);
}

void explanation_fix_deinit(struct explanation_fix *fix)
{
	fields_free(&fix_fields, fix);
	*fix = (struct explanation_fix){0};
}

void explanation_memory_error_deinit(struct explanation_memory_error *error)
{
	fields_free(&memory_error_fields, error);
	*error = (struct explanation_memory_error){0};
}

void explanation_origin_deinit(struct explanation_origin *origin)
{
	fields_free(&origin_fields, origin);
	*origin = (struct explanation_origin){0};
}

const char *const explanation_fix_classes[] = {"operator",  "constant", "variable",  "operand",
                                               "condition", "call",     "statement", "data",
                                               "width",     NULL};

uint32_t explanation_shown_suspects(const struct explanation *e, bool full)
{
	return full || e->suspects.size < EXPLANATION_SHOWN_SUSPECTS ? e->suspects.size
	                                                             : EXPLANATION_SHOWN_SUSPECTS;
}

/* --- reading --- */

static void take_part(void *context, const char *key, const char *value, size_t length)
{
	struct explanation *e = context;
	struct explanation_part *part;

	if (fields_know(&explanation_fields, key))
		return;
	part = vec_push(&e->parts);
	part->key = *vec_push(&e->kept) = mem_strdup(key);
	str_add_bytes(&part->json, value, length);
}

/* Gives a place the text of its line from the sources, where that is not written with each place. */
static void fill_line(const struct explanation *e, struct explanation_place *place)
{
	for (uint32_t i = 0; i < e->sources.size && place->file && !place->source; i++) {
		const struct explanation_source *source = &e->sources.at[i];

		if (place->line >= source->first &&
		    place->line - source->first < source->lines.size &&
		    !strcmp(source->file, place->file))
			place->source = mem_strdup(source->lines.at[place->line - source->first]);
	}
}

struct hence_error *explanation_read_saved(const struct saved *saved, struct explanation *out)
{
	struct explanation e = {0};
	struct reader r = {.kept = &e};
	struct hence_error *error;

	fields_read(&r, &explanation_fields, saved->root, &e);
	error = reader_finish(&r);
	if (error) {
		explanation_deinit(&e);
		return saved_damaged(saved, error);
	}
	saved_each(saved, take_part, &e);
	for (uint32_t i = 0; e.tree && i < e.tree->nodes.size; i++) {
		struct cause_node *node = &e.tree->nodes.at[i];

		fill_line(&e, &node->via);
		for (uint32_t k = 0; k < node->statements.size; k++)
			fill_line(&e, &node->statements.at[k].at);
		for (uint32_t k = 0; k < node->proofs.size; k++)
			fill_line(&e, &node->proofs.at[k].at);
	}
	*out = e;
	return NULL;
}

struct hence_error *explanation_read(const char *path, struct explanation *out)
{
	struct saved saved = {0};
	struct hence_error *error = saved_read(path, &saved);

	if (error)
		return error;
	error = saved_check_kind(&saved);
	if (!error && saved_is_tree(&saved))
		error = error_create(
			HENCE_ERROR_INPUT,
			"%s is a report of 'hence tree', which has no steps; save one with 'hence "
			"explain --save FILE'",
			saved.name);
	if (!error)
		error = explanation_read_saved(&saved, out);
	saved_deinit(&saved);
	return error;
}

/* --- printers --- */

const struct explanation_format explanation_formats[] = {
	{"text", explanation_print_text},   {"json", explanation_print_json},
	{"sarif", explanation_print_sarif}, {"html", explanation_print_html},
	{"dot", explanation_print_dot},     {"gcc", explanation_print_gcc},
};

const unsigned explanation_format_count =
	sizeof(explanation_formats) / sizeof(*explanation_formats);
