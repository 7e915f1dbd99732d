/* The answer of `hence verify`: see verify.h. */
#include "cli/verify.h"

#include <stdio.h>
#include <string.h>

#include "report/explanation_words.h"
#include "report/json.h"

/* What an experiment was, wherever it stands in the report. */
struct told {
	uint64_t experiment;
	const char *changed, *from, *to, *in, *outcome;
	const struct explanation_place *at;
	uint64_t instance;
};

static struct told tell(const struct repeat_item *item)
{
	const struct explanation_proof *p = item->proof;
	const struct cause_proof *c = item->cause;
	const struct explanation_fix *f = item->fix;

	if (f)
		return (struct told){f->experiment, f->edit, f->before, f->after,
		                     "failing",     "pass",  &f->at,    0};
	if (p)
		return (struct told){p->experiment, p->changed, p->from, p->to,
		                     p->in,         p->outcome, &p->at,  p->instance};
	return (struct told){c->experiment, c->changed, c->from,   c->to,
	                     "failing",     c->outcome, &c->point, c->point_instance};
}

/* --- text --- */

static void add_safe(struct str *out, const char *before, const char *text)
{
	str_add(out, before);
	explanation_add_safe(out, text ? text : "?");
}

/* 'change 1 [7]: a.c:3:9: with 'x < 3' instead of 'x <= 3': pass' */
static void add_change(struct str *out, const struct repeat_item *item)
{
	const struct explanation_fix *f = item->fix;

	str_printf(out, "change %u [%llu]: ", item->change, (unsigned long long)f->experiment);
	explanation_add_place(out, &f->at);
	if (*f->after) {
		add_safe(out, ": with '", f->after);
		add_safe(out, "' instead of '", f->before);
	} else {
		add_safe(out, ": without '", f->before);
	}
	str_add(out, "': pass");
}

static void add_experiment(struct str *out, const struct repeat_item *item)
{
	struct told t = tell(item);

	if (item->fix) {
		add_change(out, item);
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

void verify_print_text(const struct repeat_items *items, uint32_t held)
{
	for (uint32_t i = 0; i < items->all.size; i++) {
		struct str line = STR_INIT;

		add_experiment(&line, &items->all.at[i]);
		str_add(&line, " -- ");
		add_end(&line, &items->all.at[i]);
		puts(str_text(&line));
		str_deinit(&line);
	}
	if (items->left_out)
		printf("%u more changes of the code were not tried\n", items->left_out);
	printf("%u of %u experiments hold\n", held, items->all.size);
}

/* --- JSON --- */

static const char *end_name(enum repeat_end end)
{
	return end == REPEAT_HOLDS ? "holds" : end == REPEAT_DIFFERS ? "differs" : "untried";
}

static void add_item(struct str *out, const struct repeat_item *item, uint32_t number)
{
	struct told t = tell(item);

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

void verify_print_json(const struct verify_command *command, const struct repeat_items *items,
                       uint32_t held)
{
	struct str out = STR_INIT;

	str_add_char(&out, '{');
	json_add_number(&out, "hence_verify", 1);
	json_add_member(&out, "report", command->path);
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
	str_deinit(&out);
}
