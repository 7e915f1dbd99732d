/* The dialogue of `hence tree -i`: see tree.h. What answers do, tree_walk.h says. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/tree.h"
#include "cli/tree_session.h"
#include "report/source.h"
#include "report/explanation_words.h"

#define AROUND 2u /* lines before and after the one of a cause that are shown */

static const char help[] =
	"  n        not it: this cause, and what leads only to it, is not looked at any more\n"
	"  s        suspicious: go to what led to it\n"
	"  y        yes, this is it: write the report, and end\n"
	"  b        back: take the last answer back\n"
	"  l        list all causes with the answers (- not it, ? suspicious, . cut off)\n"
	"  g N      go to cause N\n"
	"  w FILE   save the session to FILE; --session FILE takes it up again\n"
	"  q        quit\n"
	"  h        this help\n";

struct talk {
	struct tree_run *run;
	struct tree_walk walk;
	FILE *answers;
	struct explanation_style style;
	uint32_t levels;
};

/* --- what is shown --- */

/* The line of a cause and those around it. */
static void show_source(const struct talk *talk, const struct explanation_place *at)
{
	unsigned first = at->line > AROUND ? at->line - AROUND : 1;

	for (unsigned line = first; at->source && line <= at->line + AROUND; line++) {
		struct explanation_place place =
			explain_place(talk->run->sources, at->file, line, 0, NULL);
		struct str code = STR_INIT, text = STR_INIT;

		source_add_expanded(place.source ? place.source : "", &code);
		explanation_add_safe(&text, str_text(&code));
		if (place.source)
			printf("%c %5u  %s\n", line == at->line ? '>' : ' ', line, str_text(&text));
		str_deinit(&code);
		str_deinit(&text);
		explanation_place_deinit(&place);
	}
}

static void show(const struct talk *talk)
{
	const struct cause_tree *tree = &talk->run->report;
	const struct cause_node *node = cause_tree_node(tree, talk->walk.at);

	putchar('\n');
	if (talk->walk.at == 1) {
		struct str text = STR_INIT;

		explanation_add_safe(&text, tree->what ? tree->what : "the failure");
		printf("%s\n", str_text(&text));
		str_deinit(&text);
	}
	show_source(talk, &node->at);
	cause_node_print_text(tree, talk->walk.at, &talk->style, stdout);
	printf("   level %u", node->level);
	if (!node->expanded)
		printf("; what led to it is not computed yet");
	else if (!node->children.size && !node->again.size)
		printf("; nothing is known that led to it");
	for (uint32_t i = 0; i < node->children.size; i++)
		printf("%s%u", i ? ", " : "; led to by ", node->children.at[i]);
	putchar('\n');
}

static char letter(const struct talk *talk, const bool *alive, uint32_t number)
{
	switch (tree_walk_mark(&talk->walk, number)) {
	case TREE_MARK_NOT: return '-';
	case TREE_MARK_SUSPICIOUS: return '?';
	case TREE_MARK_IT: return '!';
	case TREE_MARK_NONE: break;
	}
	return alive[number - 1] ? ' ' : '.';
}

static void list_below(const struct talk *talk, const bool *alive, uint32_t number)
{
	const struct cause_node *node = cause_tree_node(&talk->run->report, number);
	struct str text = STR_INIT;

	explanation_add_place(&text, &node->at);
	str_add(&text, node->wanted ? "  " : "");
	cause_node_add_condition(node, &text);
	printf("%c%c%*s%u. %s%s\n", number == talk->walk.at ? '>' : ' ',
	       letter(talk, alive, number), 1 + (int)(2 * (node->level < 20 ? node->level : 20)),
	       "", number, str_text(&text), node->proven ? " PROVEN" : "");
	str_deinit(&text);
	for (uint32_t i = 0; i < node->children.size; i++)
		list_below(talk, alive, node->children.at[i]);
}

static void list(const struct talk *talk)
{
	bool *alive = tree_walk_alive(&talk->walk, &talk->run->report);

	list_below(talk, alive, 1);
	free(alive);
}

/* --- answers --- */

/* A line without its end. False: there is none. */
static bool read_answer(const struct talk *talk, char **line, size_t *room)
{
	ssize_t length;

	printf("hence> ");
	fflush(stdout);
	length = getline(line, room, talk->answers);
	if (length < 0) {
		putchar('\n');
		return false;
	}
	while (length > 0 && strchr(" \t\r\n", (*line)[length - 1]))
		(*line)[--length] = '\0';
	if (talk->run->command->answers) {
		struct str text = STR_INIT;

		explanation_add_safe(&text, *line);
		printf("%s\n", str_text(&text));
		str_deinit(&text);
	}
	return true;
}

/* A file that cannot be written does not end the dialogue. */
static void save(const struct talk *talk, const char *path)
{
	struct hence_error *error =
		tree_session_write(path, &talk->walk, &talk->run->report, talk->levels);

	printf("%s\n", error ? error->message : "saved");
	error_destroy(error);
}

static struct hence_error *expand(struct talk *talk)
{
	struct hence_error *error = tree_run_expand(talk->run, talk->walk.at);
	struct tree_walk_reply reply;

	if (error)
		return error;
	reply = tree_walk_enter(&talk->walk, &talk->run->report);
	if (reply.say)
		printf("%s\n", reply.say);
	if (reply.action == TREE_WALK_SHOW)
		show(talk);
	return NULL;
}

/* One answer. *end: it was the last. */
static struct hence_error *answer(struct talk *talk, const char *line, bool *end, int *code)
{
	struct tree_walk_reply reply = tree_walk_take(&talk->walk, &talk->run->report, line);

	if (reply.say)
		printf("%s\n", reply.say);
	switch (reply.action) {
	case TREE_WALK_SHOW: show(talk); break;
	case TREE_WALK_SAY: break;
	case TREE_WALK_EXPAND: return expand(talk);
	case TREE_WALK_LIST: list(talk); break;
	case TREE_WALK_SAVE: save(talk, reply.argument); break;
	case TREE_WALK_HELP: fputs(help, stdout); break;
	case TREE_WALK_QUIT: *end = true; break;
	case TREE_WALK_REPORT:
		*end = true;
		*code = CLI_DONE;
		putchar('\n');
		return tree_print(talk->run, talk->walk.at);
	}
	return NULL;
}

/* --- the whole --- */

/* The terminal: standard input may be the program's. */
static struct hence_error *open_answers(struct talk *talk)
{
	const char *path = talk->run->command->answers;

	if (path)
		talk->answers = fopen(path, "re");
	else if (isatty(0))
		talk->answers = stdin;
	else
		talk->answers = fopen("/dev/tty", "re");
	if (talk->answers)
		return NULL;
	if (path)
		return error_from_errno(HENCE_ERROR_INPUT, "--answers: cannot read %s", path);
	return error_create(HENCE_ERROR_INPUT,
	                    "-i needs a terminal for the answers; give them with --answers FILE");
}

/* Goes on where the session ended. */
static struct hence_error *resume(struct talk *talk)
{
	const char *path = talk->run->command->session;
	struct tree_session session;
	bool exists = false;
	struct hence_error *error = path ? tree_session_read(path, &session, &exists) : NULL;

	if (error || !exists)
		return error;
	error = tree_session_check(path, &session, &talk->run->report, talk->levels, false);
	for (uint32_t i = 0; !error && i < session.walk.expanded.size; i++)
		if (cause_tree_node(&talk->run->report, session.walk.expanded.at[i]))
			error = tree_run_expand(talk->run, session.walk.expanded.at[i]);
	if (!error)
		error = tree_session_check(path, &session, &talk->run->report, talk->levels, true);
	if (!error) {
		tree_walk_deinit(&talk->walk);
		talk->walk = session.walk;
		session.walk = (struct tree_walk){0};
	}
	tree_session_deinit(&session);
	return error;
}

static struct hence_error *converse(struct talk *talk, int *code)
{
	struct hence_error *error = NULL;
	char *line = NULL;
	size_t room = 0;
	bool end = false;

	show(talk);
	while (!error && !end && !search_is_interrupted() && read_answer(talk, &line, &room))
		error = answer(talk, line, &end, code);
	free(line);
	if (!error && talk->run->command->session)
		error = tree_session_write(talk->run->command->session, &talk->walk,
		                           &talk->run->report, talk->levels);
	return error;
}

struct hence_error *tree_talk(struct tree_run *run, int *code)
{
	const struct report_options terminal = {.color = run->command->report.color};
	struct talk talk = {.run = run,
	                    .style = report_options_style(&terminal),
	                    .levels = run->search.options.levels};
	struct hence_error *error = open_answers(&talk);

	tree_walk_init(&talk.walk);
	if (!error)
		error = resume(&talk);
	if (!error)
		error = converse(&talk, code);
	tree_walk_deinit(&talk.walk);
	if (talk.answers && talk.answers != stdin)
		fclose(talk.answers);
	return error;
}
