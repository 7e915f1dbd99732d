/*
 * Is a table of models sound? Checked once before it is used, so that readers need not: every
 * offset, index and enum is in range, every text and expression ends, and no expression leaves its
 * stack.
 */
#include "outside/table.h"

#include <string.h>

/* What it is that cannot be right; NULL: all is well. */
static const char *check_part(const struct outside_table *table, uint32_t offset, uint64_t count,
                              size_t size, const char *what)
{
	if (offset % 8 || offset < sizeof(*table) || offset > table->size ||
	    count * size > table->size - offset)
		return what;
	return NULL;
}

static const char *check_layout(const struct outside_table *table)
{
	const char *bad = NULL;

	if (table->slot_count & (table->slot_count - 1))
		return "hash";
	if (!bad)
		bad = check_part(table, table->slots, table->slot_count, 4, "hash");
	if (!bad)
		bad = check_part(table, table->functions, table->function_count,
		                 sizeof(struct outside_function), "functions");
	if (!bad)
		bad = check_part(table, table->clauses, table->clause_count,
		                 sizeof(struct outside_clause), "clauses");
	if (!bad)
		bad = check_part(table, table->insns, table->insn_count,
		                 sizeof(struct outside_insn), "expressions");
	if (!bad)
		bad = check_part(table, table->text, table->text_size, 1, "names");
	return bad;
}

static int stack_change(uint32_t op)
{
	if (op < OUTSIDE_PUSHES)
		return 1;
	return op < OUTSIDE_UNARIES ? 0 : -1;
}

static int stack_need(uint32_t op)
{
	return 1 - stack_change(op);
}

static bool good_operand(const struct outside_insn *insn)
{
	switch (insn->op) {
	case OUTSIDE_ARG: return insn->value >= 0 && insn->value < (int32_t)OUTSIDE_PARAMS;
	case OUTSIDE_OLD: return insn->value >= 0 && insn->value < (int32_t)OUTSIDE_OLDS;
	case OUTSIDE_GLOBAL: return insn->value >= 0 && insn->value < OUTSIDE_GLOBALS;
	case OUTSIDE_LOAD:
		return insn->value == 1 || insn->value == 2 || insn->value == 4 || insn->value == 8;
	default: return insn->op < OUTSIDE_OPS;
	}
}

/* The whole pool is checked as one row of expressions, each from behind an END to its own. */
static const char *check_insns(const struct outside_table *table)
{
	const struct outside_insn *insn = (const void *)((const char *)table + table->insns);
	int depth = 0;

	if (!table->insn_count || insn[0].op != OUTSIDE_END ||
	    insn[table->insn_count - 1].op != OUTSIDE_END)
		return "expressions";
	for (uint32_t i = 1; i < table->insn_count; i++) {
		if (insn[i].op == OUTSIDE_END) {
			if (depth > 1)
				return "expressions";
			depth = 0;
			continue;
		}
		if (!good_operand(&insn[i]) || depth < stack_need(insn[i].op))
			return "expressions";
		depth += stack_change(insn[i].op);
		if (depth > (int)OUTSIDE_STACK)
			return "expressions";
	}
	return NULL;
}

/* An expression begins at 0 or right behind the end of another. */
static bool good_code(const struct outside_table *table, uint32_t code)
{
	const struct outside_insn *insns = (const void *)((const char *)table + table->insns);

	return !code || (code < table->insn_count && insns[code - 1].op == OUTSIDE_END);
}

static bool good_clause(const struct outside_table *table, const struct outside_clause *clause)
{
	bool form = clause->kind == OUTSIDE_FORMATS || clause->kind == OUTSIDE_SCANS;

	if (clause->kind >= OUTSIDE_CLAUSE_KINDS || clause->region >= OUTSIDE_REGIONS ||
	    clause->stream_kind >= OUTSIDE_STREAMS || clause->argument > OUTSIDE_PARAMS)
		return false;
	if (clause->region == OUTSIDE_FLAGS && clause->kind != OUTSIDE_WRITES)
		return false;
	if (form && clause->extra != OUTSIDE_FORM && clause->extra >= OUTSIDE_PARAMS)
		return false;
	return good_code(table, clause->when) && good_code(table, clause->stream) &&
	       good_code(table, clause->at) && good_code(table, clause->from) &&
	       good_code(table, clause->to) && good_code(table, clause->count) &&
	       (form || good_code(table, clause->extra));
}

static bool good_function(const struct outside_table *table, const struct outside_function *f)
{
	if (f->name >= table->text_size || f->identity >= table->text_size ||
	    f->params > OUTSIDE_PARAMS || f->old_count > OUTSIDE_OLDS ||
	    f->active > f->clause_count ||
	    (uint64_t)f->clause + f->clause_count > table->clause_count)
		return false;
	for (uint32_t i = 0; i < OUTSIDE_OLDS; i++)
		if (!good_code(table, f->olds[i]))
			return false;
	return !(f->old_active >> f->old_count);
}

/* Rows that belong to a clause must lie in the same function. */
static bool good_rows(const struct outside_table *table, const struct outside_function *f)
{
	const struct outside_clause *rows = outside_table_clauses(table, f);

	for (uint32_t i = 0; i < f->clause_count; i++)
		for (uint32_t k = 1; k <= rows[i].sources; k++)
			if (i + k >= f->clause_count || rows[i + k].kind != OUTSIDE_SOURCE)
				return false;
	return true;
}

static const char *check_functions(const struct outside_table *table)
{
	const uint32_t *slots = (const void *)((const char *)table + table->slots);

	for (uint32_t i = 0; i < table->slot_count; i++)
		if (slots[i] > table->function_count)
			return "hash";
	for (uint32_t i = 0; i < table->function_count; i++) {
		const struct outside_function *f = outside_table_function(table, i);

		if (!good_function(table, f) || !good_rows(table, f))
			return "functions";
	}
	return NULL;
}

static const char *check_clauses(const struct outside_table *table)
{
	const struct outside_clause *rows = (const void *)((const char *)table + table->clauses);

	for (uint32_t i = 0; i < table->clause_count; i++)
		if (!good_clause(table, &rows[i]))
			return "clauses";
	return NULL;
}

static const char *check_all(const struct outside_table *table)
{
	const char *bad = check_layout(table);
	const char *text = bad ? NULL : (const char *)table + table->text;

	if (!bad && (!table->text_size || text[table->text_size - 1]))
		bad = "names";
	if (!bad)
		bad = check_insns(table);
	if (!bad)
		bad = check_clauses(table);
	if (!bad)
		bad = check_functions(table);
	return bad;
}

struct hence_error *outside_table_check(const void *bytes, size_t size)
{
	const struct outside_table *table = bytes;
	const char *bad;

	if (size < sizeof(*table) || memcmp(table->magic, OUTSIDE_MAGIC, sizeof(table->magic)))
		return error_create(HENCE_ERROR_INPUT, "the table of models is not one");
	if (table->version != OUTSIDE_VERSION)
		return error_create(HENCE_ERROR_INPUT,
		                    "the table of models has version %u, this hence reads %u; "
		                    "record again",
		                    table->version, OUTSIDE_VERSION);
	if (table->size > size)
		return error_create(HENCE_ERROR_INPUT, "the table of models is cut short");
	bad = check_all(table);
	if (bad)
		return error_create(HENCE_ERROR_INPUT, "the table of models is damaged: %s", bad);
	return NULL;
}
