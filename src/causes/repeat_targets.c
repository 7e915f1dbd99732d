/* What is changed in the failing run alone: see repeat_target.h. */
#include <stdlib.h>
#include <string.h>

#include "causes/branch.h"
#include "causes/repeat_target.h"
#include "describe/describe.h"

struct describing {
	struct repeat_targets *targets;
	struct point_sites *sites;
	struct names *names;
	bool checked; /* the failed check is a branch */
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

static const char *changed_of(const struct repeat_item *item)
{
	return text_of(item->cause ? item->cause->changed : item->proof->changed);
}

static const char *from_of(const struct repeat_item *item)
{
	return item->cause ? item->cause->from : item->proof->from;
}

static const char *to_of(const struct repeat_item *item)
{
	return item->cause ? item->cause->to : item->proof->to;
}

static void check(struct repeat_item *item, const char *changed, const char *from, const char *to)
{
	if (strcmp(changed_of(item), text_of(changed)))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("what the statement is about is %s",
		                         changed ? changed : "not known"));
	else
		repeat_check_change(item, from_of(item), from, to_of(item), to);
}

/* --- branches --- */

/* A step of a branch that was turned round does not say which way in numbers: it is the one that has the name. */
static bool is_meant(const struct repeat_target *target, uint32_t successor, const char *name)
{
	if (target->item->cause)
		return target->item->cause->bits == successor;
	return to_of(target->item) && !strcmp(to_of(target->item), name);
}

static void describe_branch(struct describing *d, struct execution *e, struct repeat_target *target)
{
	const struct activation *a = execution_top(e, 0);
	uint32_t goes = branch_goes(e, a);
	struct branch branch;

	branch_find(d->sites, a, &branch);
	for (uint32_t i = 0; i < branch.ways && !target->described; i++) {
		struct branch_words words;

		if (branch.blocks[i] == goes)
			continue;
		branch_describe(d->names, e, branch.successors[i], &words);
		if (is_meant(target, branch.successors[i], words.other)) {
			target->described = true;
			target->successor = branch.successors[i];
			check(target->item, words.condition ? words.condition : "the branch",
			      words.failing, words.other);
		}
		free(words.condition);
		free(words.failing);
		free(words.other);
	}
}

/* --- stores --- */

static void take_store(struct describing *d, struct repeat_target *target,
                       const struct store *store, const struct name *name, const char *changed,
                       const char *from)
{
	uint64_t value = target->item->cause->bits;
	char *to = store_print(d->names, store, name, value);

	target->described = true;
	target->store = *store;
	target->value = value;
	check(target->item, changed, from, to);
	free(to);
}

static void describe_store(struct describing *d, struct execution *e, struct repeat_target *target)
{
	const struct activation *a = execution_top(e, 0);
	struct described described = {0};
	struct store store = store_measure(e, a, a->pc - 1);

	describe_statement(d->names, e, false, &described);
	if (described.writes.size == 1) {
		char *changed = store_name(d->names, a, &described.writes.at[0].name);

		take_store(d, target, &store, &described.writes.at[0].name, changed,
		           str_text(&described.writes.at[0].value));
		free(changed);
	}
	described_deinit(&described);
}

/* A parameter was put in its place before the first statement of its function. */
static void describe_parameter(struct describing *d, struct execution *e,
                               struct repeat_target *target)
{
	const struct activation *a = execution_top(e, 0);

	for (uint32_t pc = 0; pc < a->pc && !target->described; pc++) {
		const struct code_insn *insn = &a->function->insns[pc];
		struct name name = {0};
		struct store store;
		char *from;

		if (insn->op != CODE_STORE || insn->bytes > 8)
			continue;
		store = store_measure(e, a, pc);
		if (!names_find_variable(d->names, store.address,
		                         &(struct names_use){.size = store.size}, &name))
			continue;
		if (!strcmp(str_text(&name.text), changed_of(target->item))) {
			from = store_print(d->names, &(struct store){0}, &name, 0);
			take_store(d, target, &store, &name, str_text(&name.text), from);
			free(from);
		}
		name_deinit(&name);
	}
}

/* --- the run --- */

/* Has the function on top executed no statement yet? */
static bool is_first(const struct activation *a)
{
	for (uint32_t pc = 0; pc < a->pc; pc++)
		if (a->function->insns[pc].flags & CODE_STATEMENT)
			return false;
	return true;
}

static void on_begin(struct describing *d, struct execution *e, uint64_t number)
{
	for (uint32_t i = 0; i < d->targets->all.size; i++) {
		struct repeat_target *target = &d->targets->all.at[i];

		if (target->time == number && target->at == number && !target->branch &&
		    is_first(execution_top(e, 0)))
			describe_parameter(d, e, target);
	}
}

static void on_end(struct describing *d, struct execution *e, uint64_t number)
{
	const struct activation *a = execution_top(e, 0);
	uint8_t op = a->function->insns[a->pc - 1].op;
	bool branches = op == CODE_BRANCH || op == CODE_SWITCH;

	d->checked |= number == d->targets->check && branches;
	for (uint32_t i = 0; i < d->targets->all.size; i++) {
		struct repeat_target *target = &d->targets->all.at[i];

		if (target->time != number || target->described || target->item->why)
			continue;
		if (target->branch && branches)
			describe_branch(d, e, target);
		else if (!target->branch && op == CODE_STORE &&
		         a->function->insns[a->pc - 1].bytes <= 8)
			describe_store(d, e, target);
	}
}

static void on_statement(void *context, struct execution *e, enum execution_event event,
                         uint64_t number)
{
	struct describing *d = context;

	if (event == EXECUTION_BEGINS)
		on_begin(d, e, number);
	else
		names_follow(d->names);
	if (event == EXECUTION_ENDED)
		on_end(d, e, number);
}

struct hence_error *repeat_describe_targets(const struct recording *run,
                                            struct repeat_targets *targets)
{
	struct describing d = {.targets = targets};
	const struct execution_options options = {
		.table = run->table, .begins = true, .statement = on_statement, .context = &d};
	struct hence_error *error = point_sites_create(run, &d.sites);

	if (error)
		return error;
	error = names_decode(run, &options, &d.names);
	point_sites_destroy(d.sites);
	if (!d.checked)
		targets->check = 0;
	for (uint32_t i = 0; i < targets->all.size && !error; i++)
		if (!targets->all.at[i].described)
			repeat_refuse(
				targets->all.at[i].item, REPEAT_UNTRIED,
				mem_strdup("there is nothing there that could be changed so"));
	return error;
}
