/* A branch or switch of a recorded run: see branch.h. */
#include "experiment/branch.h"

#include <string.h>

#include "base/mem.h"
#include "words/describe.h"

/* --- where it can go --- */

static uint32_t block_after(const struct plan_function *function, const struct plan_block *block,
                            uint32_t successor)
{
	return function->successors.at[block->successor + successor];
}

static bool leads_to(const struct branch *branch, uint32_t block)
{
	for (uint32_t i = 0; i < branch->ways; i++)
		if (branch->blocks[i] == block)
			return true;
	return false;
}

void branch_find(const struct point_sites *sites, const struct activation *a, struct branch *out)
{
	const struct program_place *place = &a->function->place;
	const struct plan_block *block;
	uint64_t value;

	*out = (struct branch){.site = {place->module, place->function, a->block,
	                                a->function->plan->blocks.at[a->block].statements - 1}};
	block = &a->function->plan->blocks.at[out->site.block];
	if (!point_sites_find(sites, &out->site, HENCE_SITE_BRANCH, NULL, 0))
		return;
	for (uint32_t i = 0; i < block->successors && out->ways < BRANCH_WAYS; i++) {
		uint32_t to = block_after(a->function->plan, block, i);

		if (leads_to(out, to) || !point_sites_value(sites, &out->site, i, &value))
			continue;
		out->successors[out->ways] = i;
		out->blocks[out->ways++] = to;
	}
}

uint32_t branch_goes(const struct execution *e, const struct activation *a)
{
	const struct code_slot *slot = execution_slot(e, a, a->function->insns[a->pc - 1].a);
	const struct plan_function *function = a->function->plan;

	if (slot->undefined)
		return UINT32_MAX;
	return block_after(function, &function->blocks.at[a->block],
	                   plan_branch_successor(function, a->block, slot->bits));
}

/* --- what it is called --- */

/* What is left of a text without what begins and ends it; NULL: nothing is. Caller frees. */
static char *middle(const struct str *text, size_t begin, size_t end)
{
	if (text->length <= begin + end)
		return NULL;
	return mem_strndup(str_text(text) + begin, text->length - begin - end);
}

void branch_describe(struct names *names, struct execution *e, uint32_t successor,
                     struct branch_words *out)
{
	struct described described = {0};

	describe_statement(names, e, false, &described);
	if (described.kind == DESCRIBED_SWITCH) {
		const struct activation *a;
		struct describe_scope scope;
		LLVMValueRef instruction;
		struct str text = STR_INIT;

		out->condition = middle(&described.text, strlen("switch ("),
		                        strlen("): ") + described.result.length);
		/* 'case 3', 'default' */
		a = execution_top(e, 0);
		scope = (struct describe_scope){.names = names, .a = a};
		instruction = a->function->instructions[a->pc - 1];
		if (!successor) {
			out->other = mem_strdup("default");
		} else {
			str_add(&text, "case ");
			describe_case(&scope, instruction, successor - 1, &text);
			out->other = str_steal(&text);
		}
	} else {
		out->condition =
			middle(&described.text, 0, strlen(" is ") + described.result.length);
		out->other = mem_strdup(successor ? "false" : "true");
	}
	out->failing = str_steal(&described.result);
	described_deinit(&described);
}
