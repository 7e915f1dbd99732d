/* A walk through a cause tree: see tree_walk.h. */
#include "cli/tree_walk.h"

#include <stdlib.h>
#include <string.h>

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

void tree_walk_set_mark(struct tree_walk *walk, uint32_t number, enum tree_mark mark)
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

/* Can it still be it, and was nothing said about it? */
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
		return say("no cause is left that nothing was said about; l lists all, b takes the "
		           "answer back");
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

/* --- one line --- */

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
