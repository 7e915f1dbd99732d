/* The experiments of a report once more: see repeat.h. */
#include "causes/repeat_work.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_place(const struct explanation_place *a, const struct explanation_place *b)
{
	return a->line == b->line && a->column == b->column && same_text(a->file, b->file);
}

/* Does the proof of a step tell of this experiment of the tree? */
static bool is_same(const struct explanation_proof *proof, const struct cause_proof *cause)
{
	return same_text(proof->changed, cause->changed) && same_text(proof->from, cause->from) &&
	       same_text(proof->to, cause->to) && same_place(&proof->at, &cause->point) &&
	       proof->instance == cause->point_instance;
}

/* --- listing --- */

static void find_cause(const struct cause_tree *tree, struct repeat_item *item)
{
	for (uint32_t i = 0; i < tree->nodes.size && !item->cause; i++)
		for (uint32_t k = 0; k < tree->nodes.at[i].proofs.size && !item->cause; k++)
			if (is_same(item->proof, &tree->nodes.at[i].proofs.at[k])) {
				item->node = tree->nodes.at[i].number;
				item->cause = &tree->nodes.at[i].proofs.at[k];
			}
}

static void list_step(const struct explanation *e, uint32_t number, struct repeat_items *out)
{
	const struct explanation_step *step = &e->steps.at[number - 1];

	for (uint32_t i = 0; i < step->proofs.size; i++) {
		struct repeat_item *item = vec_push(&out->all);

		item->step = number;
		item->kind = step->kind ? step->kind : "value";
		item->proof = &step->proofs.at[i];
		if (same_text(step->method, "tree") && e->tree)
			find_cause(e->tree, item);
	}
}

static bool is_listed(const struct repeat_items *items, const struct cause_proof *cause)
{
	for (uint32_t i = 0; i < items->all.size; i++)
		if (items->all.at[i].cause == cause)
			return true;
	return false;
}

static void list_node(const struct cause_node *node, struct repeat_items *out)
{
	for (uint32_t i = 0; i < node->proofs.size; i++) {
		struct repeat_item *item;

		if (is_listed(out, &node->proofs.at[i]))
			continue;
		item = vec_push(&out->all);
		item->node = node->number;
		item->kind = node->proofs.at[i].kind;
		item->cause = &node->proofs.at[i];
	}
}

void repeat_list(const struct explanation *e, uint32_t step, struct repeat_items *out)
{
	*out = (struct repeat_items){0};
	for (uint32_t i = 1; i <= e->steps.size; i++)
		if (!step || step == i)
			list_step(e, i, out);
	for (uint32_t i = 0; e->tree && !step && i < e->tree->nodes.size; i++)
		list_node(&e->tree->nodes.at[i], out);
	for (uint32_t i = 0; !step && i < e->fixes.size; i++) {
		struct repeat_item *item;

		if (i >= REPEAT_FIXES) {
			out->left_out++;
			continue;
		}
		item = vec_push(&out->all);
		item->kind = "edit";
		item->change = i + 1;
		item->fix = &e->fixes.at[i];
	}
}

void repeat_items_deinit(struct repeat_items *items)
{
	for (uint32_t i = 0; i < items->all.size; i++)
		free(items->all.at[i].why);
	vec_deinit(&items->all);
}

bool repeat_is_alone(const struct repeat_item *item)
{
	return item->cause || item->fix || item->proof->whole;
}

void repeat_refuse(struct repeat_item *item, enum repeat_end end, char *why)
{
	if (item->tried || item->why) {
		free(why);
		return;
	}
	item->end = end;
	item->why = why;
}

/* --- what came of it --- */

bool repeat_in_failing(const struct repeat_item *item)
{
	return item->cause || item->fix || same_text(item->proof->in, "failing");
}

bool repeat_is_branch(const struct repeat_item *item)
{
	return same_text(item->cause ? item->cause->kind : item->kind, "branch");
}

void repeat_check_change(struct repeat_item *item, const char *from, const char *from_now,
                         const char *to, const char *to_now)
{
	const char *changed = item->cause ? item->cause->changed : item->proof->changed;

	if (!same_text(from, from_now))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("%s is %s there, not %s", changed,
		                         from_now ? from_now : "?", from ? from : "?"));
	else if (!same_text(to, to_now))
		repeat_refuse(item, REPEAT_DIFFERS,
		              str_format("%s would become %s, not %s", changed,
		                         to_now ? to_now : "?", to ? to : "?"));
}

void repeat_judge(struct repeat_item *item, const char *reported, enum verdict now)
{
	bool same = same_text(reported, verdict_name(now));

	item->tried = true;
	item->outcome = now;
	item->end = same ? REPEAT_HOLDS : REPEAT_DIFFERS;
}
