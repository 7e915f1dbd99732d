/* Where a cause tree goes: see tree.h. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/record.h"
#include "cli/tree.h"

/* --- the report --- */

static void print_text(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file)
{
	const struct explanation_style style = report_options_style(options);
	uint32_t deepest = cause_tree_deepest(tree, TREE_SHOWN);

	if (deepest < TREE_DEPTH)
		deepest = TREE_DEPTH;
	if (show)
		deepest = (uint32_t)show;
	else if (options->full)
		deepest = UINT32_MAX;
	if (chosen)
		cause_tree_print_path(tree, chosen, &style, file);
	else
		cause_tree_print_text(tree, &style, deepest, options->full, file);
}

void tree_print_report(const struct cause_tree *tree, const struct report_options *options,
                       uint64_t show, uint32_t chosen, FILE *file)
{
	switch (options->format) {
	case REPORT_JSON: cause_tree_print_json(tree, chosen, file); break;
	case REPORT_DOT: cause_tree_print_dot(tree, file); break;
	case REPORT_GCC: cause_tree_print_gcc(tree, file); break;
	default: print_text(tree, options, show, chosen, file); break;
	}
}

static struct hence_error *save(const struct tree_run *run, uint32_t chosen)
{
	const char *path = run->command->report.save;
	FILE *file;
	struct hence_error *error = record_open_option(path, "--save", &file);

	if (error)
		return error;
	cause_tree_print_json(&run->report, chosen, file);
	return record_close_option(path, "--save", file);
}

struct hence_error *tree_print(const struct tree_run *run, uint32_t chosen)
{
	const struct tree_command *c = run->command;
	struct hence_error *error = c->report.save ? save(run, chosen) : NULL;
	FILE *file;

	if (!error)
		error = record_open(c->report.out, &file);
	if (error)
		return error;
	tree_print_report(&run->report, &c->report, c->show, chosen, file);
	return record_close(c->report.out, file);
}

/* --- for other solvers --- */

static struct hence_error *write_file(const char *path, const struct str *text)
{
	FILE *file = fopen(path, "we");
	bool failed;

	if (!file)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot write %s", path);
	failed = fwrite(str_text(text), 1, text->length, file) != text->length;
	failed |= fclose(file) != 0;
	if (failed)
		return error_from_errno(HENCE_ERROR_INPUT, "--smt: cannot write %s", path);
	return NULL;
}

static struct hence_error *write_node(const struct tree_command *command, const struct tree *tree,
                                      uint32_t index)
{
	const struct tree_node *node = &tree->nodes.at[index];
	char *path = str_format("%s/%u.smt2", command->smt, index + 1);
	struct str text = STR_INIT;
	struct hence_error *error;

	solver_print(tree_solver(tree), node->conjuncts.at, node->conjuncts.size, &text);
	error = write_file(path, &text);
	str_deinit(&text);
	free(path);
	return error;
}

struct hence_error *tree_write_smt(const struct tree_command *command, const struct tree *tree)
{
	struct hence_error *error = NULL;

	for (uint32_t i = 0; i < tree->nodes.size && !error; i++) {
		const struct tree_node *node = &tree->nodes.at[i];

		if (node->conjuncts.size && node->how != REFUTED_NOT)
			error = write_node(command, tree, i);
	}
	return error;
}
