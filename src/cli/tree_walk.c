/* A walk through a cause tree: see tree_walk.h. */
#include "cli/tree_walk.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "report/explanation_words.h"
#include "report/json.h"

void tree_walk_init(struct tree_walk *walk)
{
	*walk = (struct tree_walk){.at = 1};
}

void tree_walk_deinit(struct tree_walk *walk)
{
	vec_deinit(&walk->marks);
	vec_deinit(&walk->steps);
	vec_deinit(&walk->expanded);
}

/* --- marks --- */

enum tree_mark tree_walk_mark(const struct tree_walk *walk, uint32_t number)
{
	return number <= walk->marks.size ? (enum tree_mark)walk->marks.at[number - 1]
	                                  : TREE_MARK_NONE;
}

static void tree_walk_set_mark(struct tree_walk *walk, uint32_t number, enum tree_mark mark)
{
	while (walk->marks.size < number)
		*vec_push(&walk->marks) = TREE_MARK_NONE;
	walk->marks.at[number - 1] = (unsigned char)mark;
}

bool *tree_walk_alive(const struct tree_walk *walk, const struct cause_tree *tree)
{
	bool *alive = mem_alloc(tree->nodes.size + 1);
	VEC(uint32_t) open = VEC_INIT;

	*vec_push(&open) = 1;
	while (open.size) {
		uint32_t number = open.at[--open.size];
		const struct cause_node *node = cause_tree_node(tree, number);

		if (!node || alive[number - 1] || tree_walk_mark(walk, number) == TREE_MARK_NOT)
			continue;
		alive[number - 1] = true;
		for (uint32_t i = 0; i < node->children.size; i++)
			*vec_push(&open) = node->children.at[i];
		for (uint32_t i = 0; i < node->again.size; i++)
			*vec_push(&open) = node->again.at[i];
	}
	vec_deinit(&open);
	return alive;
}

/* --- where to go next --- */

/* Can it still be the cause that is looked for, and has the user not marked it? */
static bool is_open(const struct tree_walk *walk, const bool *alive, uint32_t number)
{
	return alive[number - 1] && tree_walk_mark(walk, number) == TREE_MARK_NONE;
}

/* The first open one below a node; 0: none. */
static uint32_t first_below(const struct tree_walk *walk, const struct cause_tree *tree,
                            const bool *alive, uint32_t number)
{
	const struct cause_node *node = cause_tree_node(tree, number);

	for (uint32_t i = 0; i < node->children.size; i++)
		if (is_open(walk, alive, node->children.at[i]))
			return node->children.at[i];
	for (uint32_t i = 0; i < node->again.size; i++)
		if (is_open(walk, alive, node->again.at[i]))
			return node->again.at[i];
	return 0;
}

/* The next open one: beside the node, else beside what it belongs to, and so on; then any. 0: none. */
static uint32_t next_of(const struct tree_walk *walk, const struct cause_tree *tree,
                        const bool *alive, uint32_t number)
{
	uint32_t found = 0;

	for (uint32_t up = cause_tree_node(tree, number)->parent; up && !found;
	     up = cause_tree_node(tree, up)->parent)
		found = first_below(walk, tree, alive, up);
	for (uint32_t i = 1; i < tree->nodes.size && !found; i++)
		if (is_open(walk, alive, i + 1))
			found = i + 1;
	return found;
}

static struct tree_walk_reply say(const char *text)
{
	return (struct tree_walk_reply){.action = TREE_WALK_SAY, .say = text};
}

static struct tree_walk_reply go(struct tree_walk *walk, uint32_t number, const char *text)
{
	walk->at = number;
	return (struct tree_walk_reply){.action = TREE_WALK_SHOW, .say = text};
}

/* --- answers --- */

static void mark(struct tree_walk *walk, enum tree_mark what)
{
	*vec_push(&walk->steps) = (struct tree_walk_step){walk->at, tree_walk_mark(walk, walk->at)};
	tree_walk_set_mark(walk, walk->at, what);
}

static struct tree_walk_reply take_not(struct tree_walk *walk, const struct cause_tree *tree)
{
	uint32_t next;
	bool *alive;

	if (walk->at == 1)
		return say("this is the failure itself; s goes on to what led to it");
	mark(walk, TREE_MARK_NOT);
	alive = tree_walk_alive(walk, tree);
	next = next_of(walk, tree, alive, walk->at);
	free(alive);
	if (!next)
		return say("no unmarked cause is left; l lists all, b takes the answer back");
	return go(walk, next, NULL);
}

struct tree_walk_reply tree_walk_enter(struct tree_walk *walk, const struct cause_tree *tree)
{
	const struct cause_node *node = cause_tree_node(tree, walk->at);
	uint32_t below, next;
	bool *alive;

	if (!node->children.size && !node->again.size)
		return say(
			"nothing is known that leads to it: if it is the cause, answer y; n goes "
			"on");
	alive = tree_walk_alive(walk, tree);
	below = first_below(walk, tree, alive, walk->at);
	next = below ? below : next_of(walk, tree, alive, walk->at);
	free(alive);
	if (!next)
		return say("all that leads to it has an answer, and all others have; l lists them");
	return go(walk, next, below ? NULL : "all that leads to it has an answer; the next one:");
}

static struct tree_walk_reply take_suspicious(struct tree_walk *walk, const struct cause_tree *tree)
{
	mark(walk, TREE_MARK_SUSPICIOUS);
	if (!cause_tree_node(tree, walk->at)->expanded) {
		*vec_push(&walk->expanded) = walk->at;
		return (struct tree_walk_reply){.action = TREE_WALK_EXPAND};
	}
	return tree_walk_enter(walk, tree);
}

static struct tree_walk_reply take_back(struct tree_walk *walk)
{
	const struct tree_walk_step *step;

	if (!walk->steps.size)
		return say("this is where it began");
	step = &walk->steps.at[--walk->steps.size];
	tree_walk_set_mark(walk, step->at, step->before);
	return go(walk, step->at, NULL);
}

static struct tree_walk_reply take_go(struct tree_walk *walk, const struct cause_tree *tree,
                                      const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || number > tree->nodes.size || !number)
		return say("g needs the number of a cause; l lists them");
	*vec_push(&walk->steps) = (struct tree_walk_step){walk->at, tree_walk_mark(walk, walk->at)};
	return go(walk, (uint32_t)number, NULL);
}

/* --- a line of answers --- */

/* The letter of an answer: its first word is that letter or one of the words that begin with it. 0: it is
   none. */
static char letter_of(const char *word, size_t length)
{
	static const char *const words[] = {"not", "suspicious", "yes",  "back", "list",
	                                    "go",  "write",      "quit", "help", "?"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (length && (length == 1 || length == strlen(words[i])) &&
		    !strncmp(word, words[i], length))
			return *words[i];
	return 0;
}

struct tree_walk_reply tree_walk_take(struct tree_walk *walk, const struct cause_tree *tree,
                                      const char *line)
{
	const char *word = line + strspn(line, " \t"), *rest;
	size_t length = strcspn(word, " \t");

	rest = word + length + strspn(word + length, " \t");
	switch (letter_of(word, length)) {
	case 'n': return take_not(walk, tree);
	case 's': return take_suspicious(walk, tree);
	case 'y':
		mark(walk, TREE_MARK_IT);
		return (struct tree_walk_reply){.action = TREE_WALK_REPORT};
	case 'b': return take_back(walk);
	case 'l': return (struct tree_walk_reply){.action = TREE_WALK_LIST};
	case 'g': return take_go(walk, tree, rest);
	case 'w':
		if (!*rest)
			return say("w needs the name of a file");
		return (struct tree_walk_reply){.action = TREE_WALK_SAVE, .argument = rest};
	case 'q': return (struct tree_walk_reply){.action = TREE_WALK_QUIT};
	case 'h':
	case '?': return (struct tree_walk_reply){.action = TREE_WALK_HELP};
	}
	return say(
		"answer n (not it), s (suspicious), y (this is it), b, l, g N, w FILE or q; h for "
		"help");
}

static const char *const mark_names[] = {
	[TREE_MARK_NONE] = "none",
	[TREE_MARK_NOT] = "not",
	[TREE_MARK_SUSPICIOUS] = "suspicious",
	[TREE_MARK_IT] = "this",
};

#define MARKS (sizeof(mark_names) / sizeof(*mark_names))

/* --- the file of a walk: writing --- */

struct hence_error *tree_session_write(const char *path, const struct tree_walk *walk,
                                       const struct cause_tree *tree, uint32_t levels)
{
	char *other GUARD_FREE = str_format("%s.new", path);
	FILE *file = fopen(other, "we");
	struct hence_error *error = NULL;
	struct str text GUARD(str_deinit) = STR_INIT;
	bool failed = !file;
	const char *comma = "";

	str_add_char(&text, '{');
	json_add_number(&text, "hence", EXPLANATION_VERSION);
	json_add_member(&text, "kind", "tree-session");
	json_add_member(&text, "program", tree->program ? tree->program : "");
	json_add_texts(&text, "command", tree->command.at, tree->command.size);
	json_add_member(&text, "what", tree->what ? tree->what : "");
	json_add_number(&text, "levels", levels);
	json_add_number(&text, "at", walk->at);
	json_add_key(&text, "expanded");
	str_add_char(&text, '[');
	for (uint32_t i = 0; i < walk->expanded.size; i++)
		str_printf(&text, "%s%u", i ? "," : "", walk->expanded.at[i]);
	str_add_char(&text, ']');
	json_add_key(&text, "marks");
	str_add_char(&text, '[');
	for (uint32_t i = 0; i < walk->marks.size; i++) {
		if (walk->marks.at[i] == TREE_MARK_NONE)
			continue;
		str_printf(&text, "%s{", comma);
		comma = ",";
		json_add_number(&text, "number", i + 1);
		json_add_member(&text, "mark", mark_names[walk->marks.at[i]]);
		explanation_add_place_json(&text, &tree->nodes.at[i].at);
		str_add_char(&text, '}');
	}
	str_add_char(&text, ']');
	json_add_key(&text, "steps");
	str_add_char(&text, '[');
	for (uint32_t i = 0; i < walk->steps.size; i++) {
		str_add(&text, i ? ",{" : "{");
		json_add_number(&text, "at", walk->steps.at[i].at);
		json_add_member(&text, "before", mark_names[walk->steps.at[i].before]);
		str_add_char(&text, '}');
	}
	str_add_char(&text, ']');
	str_add(&text, "}\n");
	if (file) {
		failed = fwrite(str_text(&text), 1, text.length, file) != text.length;
		failed |= fclose(file) != 0;
		failed = failed || rename(other, path);
	}
	if (failed)
		error = error_from_errno(HENCE_ERROR_INPUT, "cannot save the session to %s", path);
	if (failed && file)
		remove(other);
	return error;
}

/* --- the file of a walk: reading --- */

static struct hence_error *no_session(const char *path, const char *why)
{
	return error_create(HENCE_ERROR_INPUT,
	                    "%s is no session of hence tree: %s; give another file, or remove it",
	                    path, why);
}

static bool read_mark(const json_t *value, enum tree_mark *out)
{
	const char *text = json_string_value(value);

	for (size_t i = 0; i < MARKS && text; i++)
		if (!strcmp(text, mark_names[i])) {
			*out = (enum tree_mark)i;
			return true;
		}
	return false;
}

#define MOST_NUMBER 10000000 /* of a cause: what is larger is damage */

/* A number of a cause; 0: it is none. */
static uint32_t read_number(const json_t *value)
{
	json_int_t number = json_integer_value(value);

	return number > 0 && number < MOST_NUMBER ? (uint32_t)number : 0;
}

/* A place for each cause that the user marked; the others have none. */
static bool read_marks(const json_t *list, struct tree_session *out)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		uint32_t number = read_number(json_object_get(item, "number"));
		const char *file = json_string_value(json_object_get(item, "file"));
		enum tree_mark mark;
		struct cause_node *node;

		if (!number || !read_mark(json_object_get(item, "mark"), &mark))
			return false;
		tree_walk_set_mark(&out->walk, number, mark);
		while (out->tree.nodes.size < number)
			vec_push(&out->tree.nodes);
		node = &out->tree.nodes.at[number - 1];
		cause_node_deinit(node);
		node->at.file = file ? mem_strdup(file) : NULL;
		node->at.line = (unsigned)json_integer_value(json_object_get(item, "line"));
	}
	return json_is_array(list);
}

static bool read_steps(const json_t *list, struct tree_walk *out)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i);
		struct tree_walk_step step = {.at = read_number(json_object_get(item, "at"))};

		if (!step.at || !read_mark(json_object_get(item, "before"), &step.before))
			return false;
		*vec_push(&out->steps) = step;
	}
	return json_is_array(list);
}

static bool read_expanded(const json_t *list, struct tree_walk *out)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		uint32_t number = read_number(json_array_get(list, i));

		if (!number)
			return false;
		*vec_push(&out->expanded) = number;
	}
	return json_is_array(list);
}

static bool read_texts(const json_t *session, struct cause_tree *out)
{
	const char *program = json_string_value(json_object_get(session, "program"));
	const char *what = json_string_value(json_object_get(session, "what"));
	const json_t *command = json_object_get(session, "command");

	for (size_t i = 0; i < json_array_size(command); i++) {
		const char *word = json_string_value(json_array_get(command, i));

		if (!word)
			return false;
		*vec_push(&out->command) = mem_strdup(word);
	}
	out->program = program ? mem_strdup(program) : NULL;
	out->what = what ? mem_strdup(what) : NULL;
	return program && what && json_is_array(command);
}

static struct hence_error *read_session(const char *path, const json_t *session,
                                        struct tree_session *out)
{
	const char *kind = json_string_value(json_object_get(session, "kind"));

	if (!kind || strcmp(kind, "tree-session"))
		return no_session(path, "it is something else");
	if (json_integer_value(json_object_get(session, "hence")) != EXPLANATION_VERSION)
		return no_session(path, "it is of another version");
	out->levels = read_number(json_object_get(session, "levels"));
	out->walk.at = read_number(json_object_get(session, "at"));
	if (!out->walk.at || !out->levels || !read_texts(session, &out->tree) ||
	    !read_marks(json_object_get(session, "marks"), out) ||
	    !read_steps(json_object_get(session, "steps"), &out->walk) ||
	    !read_expanded(json_object_get(session, "expanded"), &out->walk))
		return no_session(path, "something is missing in it, or damaged");
	return NULL;
}

struct hence_error *tree_session_read(const char *path, struct tree_session *out, bool *exists)
{
	struct tree_session found = {0};
	FILE *file = fopen(path, "re");
	struct hence_error *error;
	json_error_t reason;
	json_t *session;

	*exists = false;
	if (!file && errno == ENOENT)
		return NULL;
	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--session: cannot read %s", path);
	session = json_loadf(file, JSON_REJECT_DUPLICATES, &reason);
	fclose(file);
	if (!session)
		return no_session(path, reason.text);
	error = read_session(path, session, &found);
	json_decref(session);
	if (error) {
		tree_session_deinit(&found);
		return error;
	}
	*exists = true;
	*out = found;
	return NULL;
}

void tree_session_deinit(struct tree_session *session)
{
	tree_walk_deinit(&session->walk);
	cause_tree_deinit(&session->tree);
}

/* --- the file of a walk: does it fit the tree? --- */

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_command(const struct cause_tree *a, const struct cause_tree *b)
{
	if (a->command.size != b->command.size || !same_text(a->program, b->program))
		return false;
	for (uint32_t i = 0; i < a->command.size; i++)
		if (strcmp(a->command.at[i], b->command.at[i]))
			return false;
	return true;
}

/* The first cause that is not where it was, or not there; 0: none. */
static uint32_t find_moved(const struct tree_session *session, const struct cause_tree *tree)
{
	for (uint32_t i = 0; i < session->tree.nodes.size; i++) {
		const struct explanation_place *then = &session->tree.nodes.at[i].at;

		if (tree_walk_mark(&session->walk, i + 1) == TREE_MARK_NONE)
			continue;
		if (i >= tree->nodes.size || tree->nodes.at[i].at.line != then->line ||
		    !same_text(tree->nodes.at[i].at.file, then->file))
			return i + 1;
	}
	for (uint32_t i = 0; i < session->walk.steps.size; i++)
		if (session->walk.steps.at[i].at > tree->nodes.size)
			return session->walk.steps.at[i].at;
	return session->walk.at > tree->nodes.size ? session->walk.at : 0;
}

struct hence_error *tree_session_check(const char *path, const struct tree_session *session,
                                       const struct cause_tree *tree, uint32_t levels, bool whole)
{
	uint32_t moved;

	if (!same_command(&session->tree, tree))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is the session of another command; give another file",
		                    path);
	if (session->levels != levels)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is a session with --levels %u; give the same", path,
		                    session->levels);
	if (!same_text(session->tree.what, tree->what))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s is the session of another failure (%s); give another file",
		                    path, session->tree.what);
	moved = whole ? find_moved(session, tree) : 0;
	if (!moved)
		return NULL;
	return error_create(
		HENCE_ERROR_INPUT,
		"%s does not fit: cause %u is not where it was; has the program changed? "
		"Give another file",
		path, moved);
}
