/* A saved explanation: the same backwards as explanation_json.c. */
#include "report/explanation_read.h"

#include <string.h>

#include "report/cause_tree.h"
#include "report/json.h"
#include "report/recipe.h"
#include "report/saved.h"

#define LONGEST  1e12 /* seconds */
#define HEAVIEST 1e6  /* weight of evidence */

static const char *const verdicts[] = {"explained", "unproven", "incomplete", NULL};
static const char *const references[] = {"input", "patched", "program", "edit", "none", NULL};

static uint64_t read_count(struct reader *r, const json_t *object, const char *key)
{
	return reader_number(r, object, key, UINT64_MAX);
}

/* --- what failed, and what it is compared with --- */

static void read_failure(struct reader *r, const json_t *root, struct explanation *e)
{
	const json_t *failure = reader_object(r, root, "failure");
	size_t mark = reader_enter(r, "failure");

	reader_need(r, failure, "kind");
	e->failure.kind = reader_word(r, failure, "kind");
	reader_place(r, failure, &e->failure.at);
	e->failure.message = reader_text(r, failure, "message");
	reader_leave(r, mark);
}

static void read_memory_error(struct reader *r, const json_t *root,
                              struct explanation_memory_error *error)
{
	const struct {
		const char *key;
		struct explanation_place *place;
	} places[] = {{"declared", &error->declared},
	              {"allocated", &error->allocated},
	              {"freed", &error->freed},
	              {"index", &error->index},
	              {"given", &error->given}};
	const json_t *object, *inner;
	size_t mark, in;

	object = reader_object(r, root, "memory_error");
	mark = reader_enter(r, "memory_error");
	reader_need(r, object, "kind");
	error->kind = reader_word(r, object, "kind");
	reader_place(r, object, &error->at);
	error->writes = reader_flag(r, object, "writes");
	error->object = reader_text(r, object, "object");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (!json_object_get(object, places[i].key))
			continue;
		inner = reader_object(r, object, places[i].key);
		in = reader_enter(r, places[i].key);
		reader_place(r, inner, places[i].place);
		reader_leave(r, in);
	}
	error->time = read_count(r, object, "time");
	error->before = reader_flag(r, object, "before");
	error->usual = reader_flag(r, object, "usual");
	error->words = reader_text(r, object, "words");
	reader_leave(r, mark);
}

static void read_reference(struct reader *r, const json_t *root, struct explanation *e)
{
	const json_t *reference = reader_object(r, root, "reference");
	size_t mark = reader_enter(r, "reference");

	reader_need(r, reference, "kind");
	e->reference.kind = reader_choice(r, reference, "kind", references);
	e->reference.text = reader_text(r, reference, "text");
	reader_texts(r, reference, "command", &e->reference.command);
	e->reference.stdin_file = reader_text(r, reference, "stdin");
	if (reference && json_object_get(reference, "edit")) {
		const json_t *edit = reader_object(r, reference, "edit");
		size_t inner = reader_enter(r, "edit");

		reader_need(r, edit, "edit");
		e->reference.edit = reader_text(r, edit, "edit");
		reader_leave(r, inner);
	}
	reader_leave(r, mark);
}

/* --- lists --- */

static void read_evidence(struct reader *r, const json_t *item, void *out)
{
	struct explanation_suspect *suspect = out;
	struct explanation_evidence *evidence = vec_push(&suspect->evidence);

	reader_need(r, item, "kind");
	evidence->kind = reader_word(r, item, "kind");
	evidence->weight = reader_fraction(r, item, "weight", -HEAVIEST, HEAVIEST);
}

static void read_suspect(struct reader *r, const json_t *item, void *out)
{
	struct explanation *e = out;
	struct explanation_suspect *suspect = vec_push(&e->suspects);

	reader_place(r, item, &suspect->at);
	suspect->score = reader_fraction(r, item, "score", 0, 1);
	suspect->why = reader_text(r, item, "why");
	reader_each(r, item, "evidence", read_evidence, suspect);
}

static void read_fix(struct reader *r, const json_t *item, void *out)
{
	static const char *const needed[] = {"before", "after", "tried_on"};
	static const char *const runs[] = {"failing", "failing_of", "passing", "passing_of"};
	uint32_t counts[4];
	struct explanation *e = out;
	struct explanation_fix *fix = vec_push(&e->fixes);
	const json_t *tried, *patch = json_object_get(item, "patch");
	struct str bytes = STR_INIT;
	size_t mark;

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		reader_need(r, item, needed[i]);
	reader_place(r, item, &fix->at);
	fix->edit = reader_text(r, item, "edit");
	fix->class = reader_word(r, item, "class");
	fix->before = reader_text(r, item, "before");
	fix->after = reader_text(r, item, "after");
	fix->mark = (unsigned)reader_number(r, item, "mark", INT32_MAX);
	fix->mark_length = (unsigned)reader_number(r, item, "mark_length", INT32_MAX);
	fix->score = reader_fraction(r, item, "score", 0, 1);
	tried = reader_object(r, item, "tried_on");
	mark = reader_enter(r, "tried_on");
	for (size_t i = 0; i < 4; i++) {
		reader_need(r, tried, runs[i]);
		counts[i] = (uint32_t)reader_number(r, tried, runs[i], UINT32_MAX);
		if (!r->error && i % 2 && counts[i - 1] > counts[i])
			reader_fail(r, runs[i], "is %u, but %u of them are told", counts[i],
			            counts[i - 1]);
	}
	fix->failing = counts[0];
	fix->failing_of = counts[1];
	fix->passing = counts[2];
	fix->passing_of = counts[3];
	reader_leave(r, mark);
	fix->agree = (uint32_t)reader_number(r, item, "agree", UINT32_MAX);
	fix->fitted = reader_flag(r, item, "fitted");
	fix->changed = read_count(r, item, "changed");
	fix->experiment = read_count(r, item, "experiment");
	if (patch && (!json_read_bytes(patch, &bytes) || strlen(str_text(&bytes)) != bytes.length))
		reader_fail(r, "patch", "is neither a text nor {\"base64\": ...} of one");
	else if (patch)
		fix->patch = mem_strdup(str_text(&bytes));
	str_deinit(&bytes);
	fix->no_patch = reader_text(r, item, "no_patch");
	if (!r->error && (size_t)fix->mark + fix->mark_length > strlen(fix->after))
		reader_fail(r, "mark", "is outside of \"after\"");
}

static void read_point_value(struct reader *r, const json_t *item, void *out)
{
	struct explanation_point *point = out;

	reader_need(r, item, "variable");
	explanation_read_value(r, item, vec_push(&point->values));
}

static void read_point(struct reader *r, const json_t *item, void *out)
{
	struct explanation *e = out;
	struct explanation_point *point = vec_push(&e->points);

	reader_place(r, item, &point->at);
	point->failing_time = read_count(r, item, "failing_time");
	point->reference_time = read_count(r, item, "reference_time");
	reader_each(r, item, "variables", read_point_value, point);
	point->transition = reader_flag(r, item, "transition");
}

static void read_source(struct reader *r, const json_t *item, void *out)
{
	struct explanation *e = out;
	struct explanation_source *source = vec_push(&e->sources);

	reader_need(r, item, "file");
	reader_need(r, item, "first");
	source->file = reader_file(r, item);
	source->first = (unsigned)reader_number(r, item, "first", INT32_MAX);
	reader_texts(r, item, "lines", &source->lines);
	if (!r->error && !source->first)
		reader_fail(r, "first", "is 0, but lines are counted from 1");
}

static void read_stats(struct reader *r, const json_t *root, struct explanation *e)
{
	const json_t *stats = reader_object(r, root, "stats");
	size_t mark = reader_enter(r, "stats");

	e->stats.experiments = read_count(r, stats, "experiments");
	e->stats.confounded = read_count(r, stats, "confounded");
	e->stats.runs = read_count(r, stats, "runs");
	e->stats.seconds = reader_fraction(r, stats, "seconds", 0, LONGEST);
	e->stats.statements_failing = read_count(r, stats, "statements_failing");
	e->stats.statements_reference = read_count(r, stats, "statements_reference");
	e->stats.edits = read_count(r, stats, "edits");
	e->stats.edits_idle = read_count(r, stats, "edits_idle");
	e->stats.edits_run = read_count(r, stats, "edits_run");
	e->stats.edits_plausible = read_count(r, stats, "edits_plausible");
	e->stats.edit_places = read_count(r, stats, "edit_places");
	reader_leave(r, mark);
}

/* --- pieces that are not understood: as they are --- */

static const char *const own_keys[] = {
	"hence", "verdict",  "program", "command",    "invocation",  "failure", "reference",
	"steps", "suspects", "points",  "sources",    "tree",        "recipe",  "notes",
	"hint",  "stats",    "fixes",   "fixes_only", "memory_error"};

static void take_part(void *context, const char *key, const char *value, size_t length)
{
	struct explanation *e = context;
	struct explanation_part *part;

	for (size_t i = 0; i < sizeof(own_keys) / sizeof(*own_keys); i++)
		if (!strcmp(own_keys[i], key))
			return;
	part = vec_push(&e->parts);
	part->key = *vec_push(&e->kept) = mem_strdup(key);
	str_add_bytes(&part->json, value, length);
}

/* --- lines that places have, but that are not written again with each --- */

static const char *find_line(const struct explanation *e, const struct explanation_place *place)
{
	for (uint32_t i = 0; i < e->sources.size && place->file; i++) {
		const struct explanation_source *source = &e->sources.at[i];

		if (place->line >= source->first &&
		    place->line - source->first < source->lines.size &&
		    !strcmp(source->file, place->file))
			return source->lines.at[place->line - source->first];
	}
	return NULL;
}

static void fill_line(const struct explanation *e, struct explanation_place *place)
{
	const char *line = place->source ? NULL : find_line(e, place);

	if (line)
		place->source = mem_strdup(line);
}

static void fill_tree(struct explanation *e)
{
	for (uint32_t i = 0; i < e->tree->nodes.size; i++) {
		struct cause_node *node = &e->tree->nodes.at[i];

		fill_line(e, &node->via);
		for (uint32_t k = 0; k < node->statements.size; k++)
			fill_line(e, &node->statements.at[k].at);
		for (uint32_t k = 0; k < node->proofs.size; k++)
			fill_line(e, &node->proofs.at[k].at);
	}
}

/* --- the whole --- */

static void read_all(struct reader *r, const json_t *root, struct explanation *e)
{
	static const char *const needed[] = {"verdict", "command",  "failure", "reference",
	                                     "steps",   "suspects", "stats"};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		reader_need(r, root, needed[i]);
	e->verdict = reader_choice(r, root, "verdict", verdicts);
	e->program = reader_text(r, root, "program");
	reader_texts(r, root, "command", &e->command);
	reader_texts(r, root, "invocation", &e->invocation);
	read_failure(r, root, e);
	if (json_object_get(root, "memory_error"))
		read_memory_error(r, root, &e->memory_error);
	read_reference(r, root, e);
	reader_each(r, root, "steps", explanation_read_step, e);
	reader_each(r, root, "suspects", read_suspect, e);
	reader_each(r, root, "fixes", read_fix, e);
	e->fixes_sought = json_object_get(root, "fixes") != NULL;
	e->fixes_only = reader_flag(r, root, "fixes_only");
	reader_each(r, root, "points", read_point, e);
	reader_each(r, root, "sources", read_source, e);
	reader_texts(r, root, "notes", &e->notes);
	e->hint = reader_text(r, root, "hint");
	read_stats(r, root, e);
}

/* They read themselves. */
static struct hence_error *read_parts(const json_t *root, struct explanation *e)
{
	const json_t *tree = json_object_get(root, "tree");
	const json_t *recipe = json_object_get(root, "recipe");
	struct hence_error *error = NULL;

	if (tree) {
		e->tree = mem_alloc(sizeof(*e->tree));
		error = cause_tree_read(tree, e, e->tree);
	}
	if (!error && recipe)
		error = recipe_read(recipe, &e->recipe);
	return error;
}

struct hence_error *explanation_read_saved(const struct saved *saved, struct explanation *out)
{
	struct explanation e = {0};
	struct reader r = {.kept = &e};
	struct hence_error *error;

	read_all(&r, saved->root, &e);
	error = reader_finish(&r);
	if (!error)
		error = read_parts(saved->root, &e);
	if (!error) {
		saved_each(saved, take_part, &e);
		if (e.tree)
			fill_tree(&e);
		*out = e;
		return NULL;
	}
	explanation_deinit(&e);
	return saved_damaged(saved, error);
}

static struct hence_error *only_tree(const struct saved *saved)
{
	if (!saved_is_tree(saved))
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"%s is a report of 'hence tree', which has no steps; save one with 'hence "
		"explain --save FILE'",
		saved->name);
}

struct hence_error *explanation_read(const char *path, struct explanation *out)
{
	struct saved saved = {0};
	struct hence_error *error = saved_read(path, &saved);

	if (error)
		return error;
	error = saved_check_kind(&saved);
	if (!error)
		error = only_tree(&saved);
	if (!error)
		error = explanation_read_saved(&saved, out);
	saved_deinit(&saved);
	return error;
}
