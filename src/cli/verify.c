/* `hence verify`: makes the experiments of a saved report again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "methods/repeat.h"
#include "cli/replay.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "explain/fixes.h"
#include "report/explanation_words.h"
#include "report/json.h"

/* What an experiment was, wherever it stands in the report. */
struct told {
	uint64_t experiment;
	const char *changed, *from, *to, *in, *outcome;
	const struct explanation_place *at;
	uint64_t instance;
};

static struct told told_of(const struct repeat_item *item)
{
	const struct explanation_proof *p = item->proof;
	const struct cause_proof *c = item->cause;
	const struct explanation_fix *f = item->fix;

	if (f)
		return (struct told){f->experiment, f->edit, f->before, f->after,
		                     "failing",     "pass",  &f->at,    0};
	if (p)
		return (struct told){p->experiment,
		                     p->changed,
		                     p->from,
		                     p->to,
		                     explanation_run_names[p->in],
		                     verdict_names[p->outcome],
		                     &p->at,
		                     p->instance};
	return (struct told){c->experiment, c->changed,       c->from,
	                     c->to,         "failing",        verdict_names[c->outcome],
	                     &c->point,     c->point_instance};
}

/* --- printing: text --- */

static void add_safe(struct str *out, const char *before, const char *text)
{
	str_add(out, before);
	explanation_add_safe(out, text ? text : "?");
}

static void add_experiment(struct str *out, const struct repeat_item *item)
{
	struct told t = told_of(item);

	if (item->fix) {
		/* 'change 1 [7]: a.c:3:9: with 'x < 3' instead of 'x <= 3': pass' */
		const struct explanation_fix *f = item->fix;

		str_printf(out, "change %u [%llu]: ", item->change,
		           (unsigned long long)f->experiment);
		explanation_add_place(out, &f->at);
		if (*f->after) {
			add_safe(out, ": with '", f->after);
			add_safe(out, "' instead of '", f->before);
		} else {
			add_safe(out, ": without '", f->before);
		}
		str_add(out, "': pass");
		return;
	}
	if (item->step)
		str_printf(out, "step %u [%llu]: ", item->step, (unsigned long long)t.experiment);
	else
		str_printf(out, "cause %u of the tree: ", item->node);
	add_safe(out, "", t.changed);
	add_safe(out, repeat_is_branch(item) ? " is " : " = ", t.to);
	add_safe(out, " (not ", t.from);
	str_printf(out, ") in the %s run at ", t.in);
	explanation_add_place(out, t.at);
	if (t.instance > 1)
		str_printf(out, ", time %llu", (unsigned long long)t.instance);
	if (item->proof && item->proof->local)
		str_add(out, ", judged by the next step");
	if (item->proof && item->proof->guarded)
		str_add(out, ", guarded");
	str_printf(out, ": %s", t.outcome);
}

static void add_end(struct str *out, const struct repeat_item *item)
{
	if (item->end == REPEAT_HOLDS) {
		str_add(out, "holds");
		return;
	}
	str_add(out, item->end == REPEAT_UNTRIED ? "cannot be tried" : "does not hold");
	if (item->why)
		add_safe(out, ": ", item->why);
	else
		str_printf(out, ": now it is %s", verdict_name(item->outcome));
}

/* --- printing: JSON --- */

static const char *end_name(enum repeat_end end)
{
	return end == REPEAT_HOLDS ? "holds" : end == REPEAT_DIFFERS ? "differs" : "untried";
}

static void add_item(struct str *out, const struct repeat_item *item, uint32_t number)
{
	struct told t = told_of(item);

	json_add_number(out, "number", number);
	json_add_nonzero(out, "step", item->step);
	json_add_nonzero(out, "node", item->node);
	json_add_nonzero(out, "change", item->change);
	json_add_number(out, "experiment", t.experiment);
	json_add_member(out, "kind",
	                item->fix                ? "edit"
	                : repeat_is_branch(item) ? "branch"
	                                         : "value");
	json_add_known(out, "changed", t.changed);
	json_add_known(out, "from", t.from);
	json_add_known(out, "to", t.to);
	json_add_member(out, "in", t.in);
	explanation_add_place_json(out, t.at);
	json_add_nonzero(out, "instance", t.instance);
	json_add_member(out, "reported", t.outcome);
	if (item->tried)
		json_add_member(out, "now", verdict_name(item->outcome));
	json_add_member(out, "result", end_name(item->end));
	json_add_known(out, "why", item->why);
}

static void verify_print_json(const char *path, const struct repeat_items *items, uint32_t held)
{
	struct str out GUARD(str_deinit) = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence_verify", 1);
	json_add_member(&out, "report", path);
	json_add_key(&out, "experiments");
	str_add_char(&out, '[');
	for (uint32_t i = 0; i < items->all.size; i++) {
		str_add(&out, i ? ",{" : "{");
		add_item(&out, &items->all.at[i], i + 1);
		str_add_char(&out, '}');
	}
	str_add_char(&out, ']');
	json_add_number(&out, "held", held);
	json_add_number(&out, "total", items->all.size);
	json_add_nonzero(&out, "left_out", items->left_out);
	str_add_char(&out, '}');
	puts(str_text(&out));
}

/* --- the experiments of a report, made again --- */

/* Kinds of experiments. Those of a kind are of the same runs. */
typedef bool wanted_function(const struct repeat_item *item);

static bool is_compared(const struct repeat_item *item)
{
	return !repeat_is_alone(item);
}

static bool is_of_tree(const struct repeat_item *item)
{
	return item->cause;
}

static bool is_switched(const struct repeat_item *item)
{
	return repeat_is_alone(item) && !item->cause && !item->fix;
}

static bool is_edit(const struct repeat_item *item)
{
	return item->fix;
}

static bool has(const struct repeat_items *items, wanted_function *wanted)
{
	for (uint32_t i = 0; i < items->all.size; i++)
		if (wanted(&items->all.at[i]))
			return true;
	return false;
}

/* None of them can be tried. What is wrong with hence itself is no answer. */
static struct hence_error *refuse(struct repeat_items *items, wanted_function *wanted,
                                  struct hence_error *error, const char *why)
{
	if (error && error->kind == HENCE_ERROR_INTERNAL)
		return error;
	for (uint32_t i = 0; i < items->all.size; i++)
		if (wanted(&items->all.at[i]))
			repeat_refuse(&items->all.at[i], REPEAT_UNTRIED,
			              mem_strdup(error ? error->message : why));
	error_destroy(error);
	return NULL;
}

/* Why there is no run at all; the user was told more. */
static const char *no_run(struct references *p)
{
	return budget_is_over(&p->search.budget)
	               ? "the time was over"
	               : "the run that is to be explained is not what it was";
}

/* Why there are no two runs to compare. */
static const char *no_pair(struct references *p)
{
	return budget_is_over(&p->search.budget) ? "the time was over"
	       : p->notes.size                   ? p->notes.at[p->notes.size - 1]
	       : p->recipe->kind == RECIPE_NONE  ? "the report does not say what it compares with"
	                                         : "the reference does not do what it did";
}

static struct hence_error *compare(struct references *p, struct repeat_items *items)
{
	const struct comparison runs = references_comparison(p);
	struct hence_error *error = NULL;

	if (!has(items, is_compared))
		return NULL;
	if (!p->is_aligned)
		return refuse(items, is_compared, NULL, no_pair(p));
	error = repeat_compared(&runs, items);
	return error ? refuse(items, is_compared, error, NULL) : NULL;
}

static struct hence_error *try_alone(struct references *p, const struct cause_tree *tree,
                                     wanted_function *wanted, struct repeat_items *items)
{
	const struct comparison runs = references_comparison(p);
	struct hence_error *error = NULL;

	if (!has(items, wanted))
		return NULL;
	if (!p->has_failing)
		return refuse(items, wanted, NULL, "the time was over");
	error = repeat_alone(&runs, tree, wanted, items);
	return error ? refuse(items, wanted, error, NULL) : NULL;
}

static void show(void *context, uint64_t edits, const char *phase)
{
	budget_show(context, edits, phase);
}

static struct hence_error *try_edits(struct references *p, struct repeat_items *items)
{
	struct edit_search_options options = fixes_options(p);
	struct hence_error *error;

	if (!has(items, is_edit))
		return NULL;
	options.stop = budget_stops;
	options.progress = show;
	options.context = &p->search.budget;
	error = p->has_failing ? repeat_edits(&options, items) : NULL;
	return refuse(items, is_edit, error, "the time was over");
}

/* --- the pairs of runs --- */

/* Makes the experiments on the failing input that is explained, or on that which was given. The tree and the changes of
   the code may be of either. */
static struct hence_error *verify_runs(struct replay *replay, bool given,
                                       struct repeat_items *items)
{
	const struct recipe *recipe = replay->recipe;
	const struct {
		wanted_function *wanted;
		bool here;
	} kinds[] = {{is_compared, !given},
	             {is_switched, !given},
	             {is_of_tree, recipe->tree_of_given == given},
	             {is_edit, recipe->fixes_of_given == given}};
	struct hence_error *error = NULL;
	struct references pair;
	bool any = false;
	int code = 0;

	for (size_t i = 0; i < 4; i++)
		any |= kinds[i].here && has(items, kinds[i].wanted);
	if (!any)
		return NULL;
	replay_begin(replay, given || !has(items, is_compared), given, &pair);
	error = references_repeat(&pair);
	code = cli_refused(&pair.refused);
	if (error || code) {
		char *why = mem_strdup(error ? error->message : no_run(&pair));

		if (!error || error->kind != HENCE_ERROR_INTERNAL) {
			error_destroy(error);
			error = NULL;
		}
		for (size_t i = 0; i < 4 && !error; i++)
			if (kinds[i].here)
				error = refuse(items, kinds[i].wanted, NULL, why);
		free(why);
		references_deinit(&pair);
		return error;
	}
	if (!given && pair.has_failing)
		error = compare(&pair, items);
	if (!error && !given)
		error = try_alone(&pair, replay->report.tree, is_switched, items);
	if (!error && recipe->tree_of_given == given)
		error = try_alone(&pair, replay->report.tree, is_of_tree, items);
	if (!error && recipe->fixes_of_given == given)
		error = try_edits(&pair, items);
	if (!error && !given)
		error = refuse(items, is_compared, NULL, no_pair(&pair));
	budget_hide(&pair.search.budget);
	references_deinit(&pair);
	return error;
}

/* --- the command --- */

static struct hence_error *verify_all(struct replay *replay, struct repeat_items *items)
{
	struct hence_error *error;

	interrupt_catch();
	error = verify_runs(replay, false, items);
	return error ? error : verify_runs(replay, true, items);
}

static struct hence_error *verify_report(const struct options *options, struct replay *replay,
                                         int *code)
{
	struct repeat_items items;
	struct hence_error *error;
	uint32_t held;

	if (options->step > replay->report.steps.size)
		return error_create(HENCE_ERROR_INPUT, "--step %llu: the report has %u steps",
		                    (unsigned long long)options->step, replay->report.steps.size);
	replay->options.jobs = options->report.failure.jobs;
	replay->options.time = options->report.failure.time;
	repeat_list(&replay->report, (uint32_t)options->step, &items);
	error = items.all.size ? verify_all(replay, &items) : NULL;
	held = 0;
	for (uint32_t i = 0; i < items.all.size; i++)
		held += items.all.at[i].end == REPEAT_HOLDS;
	*code = items.all.size && held == items.all.size ? CLI_DONE : CLI_NOT_PROVEN;
	if (!error && options->report.format == REPORT_JSON)
		verify_print_json(options->operands.at[0], &items, held);
	else if (!error) {
		/* What came of each, and how many hold, to standard output. */
		for (uint32_t i = 0; i < items.all.size; i++) {
			struct str line = STR_INIT;

			add_experiment(&line, &items.all.at[i]);
			str_add(&line, " -- ");
			add_end(&line, &items.all.at[i]);
			puts(str_text(&line));
			str_deinit(&line);
		}
		if (items.left_out)
			printf("%u more changes of the code were not tried\n", items.left_out);
		printf("%u of %u experiments hold\n", held, items.all.size);
	}
	repeat_items_deinit(&items);
	return error;
}

static struct hence_error *verify(struct options *options, int *code)
{
	if (!options->operands.size)
		return error_create(HENCE_ERROR_INPUT,
		                    "no report given; use 'hence verify [OPTIONS] REPORT'");
	if (options->operands.size > 1)
		return error_create(HENCE_ERROR_INPUT, "hence verify takes one report; what is %s?",
		                    options->operands.at[1]);
	return replay_run(options, options->operands.at[0], verify_report, code);
}

const struct command command_verify = {
	.name = "verify",
	.bit = COMMAND_VERIFY,
	.formats = 1u << REPORT_TEXT | 1u << REPORT_JSON,
	.usage = "hence verify [OPTIONS] REPORT",
	.summary = "make the experiments of a saved report again, and say which still hold",
	.about = "Makes the experiments of a saved report again and says which still hold: the "
		 "program is run with the input that the report has, each value, branch or piece "
		 "of code is changed where the report says, and what comes of it is compared. Exit "
		 "code 0: all hold; 3: some do not, or cannot be tried. The program must be the "
		 "one that the report is about; it runs confined.",
	.run = verify,
};
