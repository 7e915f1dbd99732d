/* `hence switch`: branches that make a failing program pass when they go the other way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "explain/provenance.h"
#include "explain/question.h"
#include "methods/predicates.h"
#include "cli/progress.h"
#include "cli/commands.h"
#include "explain/references.h"
#include "cli/record.h"
#include "explain/input_search.h"
#include "cli/options.h"
#include "report/json.h"

struct switch_report {
	const struct options *options;
	const struct references *pair;
	const struct predicates *found;
	double seconds;
};

/* --- printing: text --- */

/* 'n > 0 is true (instance 3 of 7); had it been false, the program would have passed' */
static void add_sentence(const struct predicate *p, struct str *out)
{
	bool branch = p->patched[0] == 't' || p->patched[0] == 'f';

	str_printf(out, branch ? "%s is %s" : "switch (%s) goes to %s",
	           p->condition ? p->condition : "the condition", p->failing);
	if (p->instances > 1)
		str_printf(out, " (instance %llu of %llu)", (unsigned long long)p->instance,
		           (unsigned long long)p->instances);
	str_printf(out, "; had it %s %s, the program would have passed",
	           branch ? "been" : "gone to", p->patched);
	if (p->early)
		str_add(out, ", but without printing what it did before it failed");
	else if (p->check)
		str_add(out, ", since it would not have been checked");
}

/* How many of them count (predicate_counts()). */
static uint32_t switch_count(const struct predicates *found)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < found->all.size; i++)
		count += predicate_counts(&found->all.at[i]);
	return count;
}

/* What was found in how many. */
static void add_sum(const struct switch_report *r, struct str *out)
{
	const struct predicates *f = r->found;
	unsigned long long found = switch_count(f), tried = f->experiments, ways = f->ways;

	if (found)
		str_printf(
			out,
			"%llu critical predicate%s; %llu of %llu switched branches tried, %.1f s",
			found, found == 1 ? "" : "s", tried, ways, r->seconds);
	else
		str_printf(
			out,
			"%llu of %llu switched branches tried, none %smakes the program pass; %s",
			tried, ways, f->all.size ? "but these " : "",
			f->stopped ? "--time SECONDS allows more"
				   : "no single branch hides the fault: give an input that passes "
				     "to 'hence explain' (--pass, --pass-stdin), or see 'hence "
				     "slice' for what the failure came from");
}

static void print_text(const struct switch_report *r, FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;
	char *command = references_command_text(r->pair, &r->pair->reduced.given);

	str_printf(&out, "%s ", command);
	oracle_write_text(&r->pair->reduced.oracle, &out);
	free(command);
	str_add(&out, "\n\n");
	for (uint32_t i = 0; i < r->found->all.size; i++) {
		const struct predicate *p = &r->found->all.at[i];

		str_printf(&out, "%s:%u:%u in %s(): ", p->file ? p->file : "?", p->line, p->column,
		           p->function);
		add_sentence(p, &out);
		str_add(&out, i + 1 == r->found->all.size ? "\n\n" : "\n");
	}
	add_sum(r, &out);
	str_add(&out, "\n");
	for (uint32_t i = 0; i < r->pair->notes.size; i++)
		str_printf(&out, "%s\n", r->pair->notes.at[i]);
	for (uint32_t i = 0; i < r->found->notes.size; i++)
		str_printf(&out, "%s\n", r->found->notes.at[i]);
	fwrite(str_text(&out), 1, out.length, file);
}

static void print_gcc(const struct switch_report *r, FILE *file)
{
	struct str out GUARD(str_deinit) = STR_INIT;

	for (uint32_t i = 0; i < r->found->all.size; i++) {
		const struct predicate *p = &r->found->all.at[i];

		str_printf(&out, "%s:%u:%u: note: ", p->file ? p->file : "?", p->line, p->column);
		add_sentence(p, &out);
		str_add(&out, "\n");
	}
	fwrite(str_text(&out), 1, out.length, file);
}

/* --- printing: JSON --- */

static void add_predicate(const struct predicate *p, struct str *out)
{
	str_add_char(out, '{');
	if (p->file)
		json_add_member(out, "file", p->file);
	json_add_number(out, "line", p->line);
	json_add_number(out, "column", p->column);
	json_add_member(out, "function", p->function);
	json_add_number(out, "time", p->time);
	json_add_number(out, "instance", p->instance);
	json_add_number(out, "instances", p->instances);
	if (p->condition)
		json_add_member(out, "condition", p->condition);
	json_add_member(out, "failing", p->failing);
	json_add_member(out, "patched", p->patched);
	json_add_flag(out, "in_slice", p->in_slice);
	json_add_flag(out, "exact", p->exact);
	json_add_flag(out, "early", p->early);
	json_add_flag(out, "check", p->check);
	str_add_char(out, '}');
}

static void print_json(const struct switch_report *r, FILE *file)
{
	const struct oracle *oracle = &r->pair->reduced.oracle;
	struct str out GUARD(str_deinit) = STR_INIT, text GUARD(str_deinit) = STR_INIT;
	const char *comma = "";

	oracle_write_text(oracle, &text);
	str_add_char(&out, '{');
	json_add_number(&out, "hence", 1);
	reduce_add_command(r->options->report.failure.command, &out);
	json_add_key(&out, "failure");
	str_add_char(&out, '{');
	json_add_member(&out, "kind", failure_kind_name(oracle->failure.kind));
	json_add_member(&out, "message", str_text(&text));
	str_add_char(&out, '}');
	json_add_key(&out, "predicates");
	str_add_char(&out, '[');
	for (uint32_t i = 0; i < r->found->all.size; i++) {
		str_add(&out, i ? "," : "");
		add_predicate(&r->found->all.at[i], &out);
	}
	str_add_char(&out, ']');
	json_add_number(&out, "branches", r->found->branches);
	json_add_number(&out, "ways", r->found->ways);
	json_add_number(&out, "experiments", r->found->experiments);
	json_add_flag(&out, "complete", !r->found->stopped);
	json_add_key(&out, "notes");
	str_add_char(&out, '[');
	for (uint32_t i = 0; i < r->pair->notes.size; i++, comma = ",") {
		str_add(&out, comma);
		json_add_string(&out, r->pair->notes.at[i]);
	}
	for (uint32_t i = 0; i < r->found->notes.size; i++, comma = ",") {
		str_add(&out, comma);
		json_add_string(&out, r->found->notes.at[i]);
	}
	str_add_char(&out, ']');
	str_add(&out, "}\n");
	fwrite(str_text(&out), 1, out.length, file);
}

#define ENOUGH 5u /* predicates, without --all */

static struct hence_error *check(const struct options *c)
{
	if (c->report.failure.pass_program)
		return error_create(HENCE_ERROR_INPUT,
		                    "hence switch compares with no other program; give what is "
		                    "right with --expect FILE instead of --pass-prog");
	return run_check_output(c->report.out, "-o", false);
}

/* --- the search --- */

static struct hence_error *find(const struct options *c, struct references *p,
                                struct predicates *out)
{
	const struct comparison pair = references_comparison(p);
	struct hence_error *error =
		predicates_find(&pair, c->first ? PREDICATES_FIRST : PREDICATES_NEAREST,
	                        c->all ? 0 : ENOUGH, UINT32_MAX, out);

	budget_hide(&p->search.budget);
	return error;
}

static struct hence_error *print(const struct switch_report *report)
{
	const char *path = report->options->report.out;
	FILE *file;
	struct hence_error *error = record_open(path, &file);

	if (error)
		return error;
	/* Prints in the format of the command. */
	switch (report->options->report.format) {
	case REPORT_JSON: print_json(report, file); break;
	case REPORT_GCC: print_gcc(report, file); break;
	default: print_text(report, file); break;
	}
	return record_close(path, file);
}

static struct hence_error *search(const struct options *c, struct references *p, int *code)
{
	struct predicates found = {0};
	struct switch_report report = {.options = c, .pair = p, .found = &found};
	struct hence_error *error;

	if (!p->has_failing) {
		fprintf(stderr, "hence: the time was up before the failing run was recorded; give "
		                "more with --time\n");
		*code = CLI_NOT_PROVEN;
		return NULL;
	}
	error = find(c, p, &found);
	/* What was under way when the time was over may fail. */
	if (error && budget_is_over(&p->search.budget)) {
		error_destroy(error);
		error = NULL;
		found.stopped = true;
	}
	report.seconds = budget_clock() - p->began;
	if (!error)
		error = print(&report);
	*code = switch_count(&found) ? CLI_DONE : CLI_NOT_PROVEN;
	predicates_deinit(&found);
	return error;
}

static struct hence_error *find_branches(struct options *c, int *code)
{
	const struct explain_question question = {.failure = &c->report.failure,
	                                          .run = &c->report.run};
	struct references pair;
	struct hence_error *error = check(c);

	if (error)
		return error;
	c->report.failure.fixed = true;
	references_begin(&pair, &question);
	progress_watch(&pair.search);
	pair.as_given = pair.alone = true;
	error = references_find(&pair);
	*code = cli_refused(&pair.refused);
	if (!error && !*code)
		error = search(c, &pair, code);
	references_deinit(&pair);
	return error;
}

const struct command command_switch = {
	.name = "switch",
	.bit = COMMAND_SWITCH,
	.formats = REPORT_LISTS,
	.usage = "hence switch [OPTIONS] -- PROGRAM ARGS...",
	.summary = "find branches that make a failing program pass when they go the other way",
	.about = "Finds branches of the failing run that make it pass when they go the other way "
		 "once: the conditions of if and of loops, and switch statements. Branches that "
		 "the failure came from are tried first, the last one first. What is right is said "
		 "by --expect or --test; without them a run passes when it exits with 0. The input "
		 "is "
		 "taken as it is. The program must have been built with hence cc; it runs "
		 "confined, so no file of yours is changed.",
	.run = find_branches,
};
