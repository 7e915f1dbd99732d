/* The binary table of models: see table.h. */
#include "outside/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t place(uint32_t *end, size_t size)
{
	uint32_t start = *end;

	*end += (uint32_t)((size + 7) & ~(size_t)7);
	return start;
}

static void copy(void *base, uint32_t offset, const void *from, size_t size)
{
	if (size)
		memcpy((char *)base + offset, from, size);
}

void outside_table_write(const struct outside_models *models, void **bytes, size_t *size)
{
	struct outside_table table = {0};
	void *base;

	uint32_t end = sizeof(table);

	memcpy(table.magic, OUTSIDE_MAGIC, sizeof(table.magic));
	table.version = OUTSIDE_VERSION;
	table.slot_count = models->slots.size;
	table.slots = place(&end, sizeof(uint32_t) * table.slot_count);
	table.function_count = models->functions.size;
	table.functions = place(&end, sizeof(struct outside_function) * table.function_count);
	table.clause_count = models->clauses.size;
	table.clauses = place(&end, sizeof(struct outside_clause) * table.clause_count);
	table.insn_count = models->insns.size;
	table.insns = place(&end, sizeof(struct outside_insn) * table.insn_count);
	table.text_size = models->text.size;
	table.text = place(&end, table.text_size);
	table.size = end;

	base = mem_alloc(table.size);
	copy(base, 0, &table, sizeof(table));
	copy(base, table.slots, models->slots.at, sizeof(uint32_t) * table.slot_count);
	copy(base, table.functions, models->functions.at,
	     sizeof(struct outside_function) * table.function_count);
	copy(base, table.clauses, models->clauses.at,
	     sizeof(struct outside_clause) * table.clause_count);
	copy(base, table.insns, models->insns.at, sizeof(struct outside_insn) * table.insn_count);
	copy(base, table.text, models->text.at, table.text_size);
	*bytes = base;
	*size = table.size;
}

struct hence_error *outside_table_load(const char *folder, char *const *files, size_t file_count,
                                       void **bytes, size_t *size)
{
	struct outside_models models;
	struct hence_error *error;

	outside_models_init(&models);
	error = outside_models_add_folder(&models, folder);
	for (size_t i = 0; i < file_count && !error; i++)
		error = outside_models_add_file(&models, files[i]);
	if (!error)
		outside_table_write(&models, bytes, size);
	outside_models_deinit(&models);
	return error;
}

static const void *at(const struct outside_table *table, uint32_t offset)
{
	return (const char *)table + offset;
}

const struct outside_function *outside_table_function(const struct outside_table *table,
                                                      uint32_t index)
{
	const struct outside_function *functions = at(table, table->functions);

	assert(index < table->function_count);
	return &functions[index];
}

const struct outside_clause *outside_table_clauses(const struct outside_table *table,
                                                   const struct outside_function *function)
{
	const struct outside_clause *clauses = at(table, table->clauses);

	return clauses + function->clause;
}

const struct outside_insn *outside_table_code(const struct outside_table *table, uint32_t code)
{
	const struct outside_insn *insns = at(table, table->insns);

	assert(code < table->insn_count);
	return &insns[code];
}

const char *outside_table_text(const struct outside_table *table, uint32_t text)
{
	assert(text < table->text_size);
	return at(table, table->text + text);
}

const struct outside_function *outside_table_find(const struct outside_table *table,
                                                  const char *name)
{
	const uint32_t *slots = at(table, table->slots);
	uint32_t slot = outside_hash(name);

	for (uint32_t tries = 0; tries < table->slot_count; tries++, slot++) {
		uint32_t index = slots[slot & (table->slot_count - 1)];
		const struct outside_function *function;

		if (!index)
			return NULL;
		function = outside_table_function(table, index - 1);
		if (!strcmp(outside_table_text(table, function->name), name))
			return function;
	}
	return NULL;
}
