/* The program that a tape is of: see program.h. */
#include "trace/program.h"

#include <assert.h>
#include <string.h>

struct program *program_create(struct modules *modules)
{
	struct program *program = mem_alloc(sizeof(*program));

	program->source = modules;
	return program;
}

static void module_deinit(struct program_module *module)
{
	value_map_deinit(&module->values);
	free(module->addresses);
	free(module->path);
}

void program_destroy(struct program *program)
{
	if (!program)
		return;
	for (uint32_t i = 0; i < program->modules.size; i++)
		module_deinit(&program->modules.at[i]);
	vec_deinit(&program->modules);
	address_map_deinit(&program->functions);
	address_map_deinit(&program->low_functions);
	address_map_deinit(&program->low_labels);
	name_at_map_deinit(&program->outside);
	free(program);
}

/* Of several definitions the linker takes one that is not weak, else the first; the addresses of all
   are then that one's. */
static bool is_replaced(const struct program *program, LLVMValueRef function, uint64_t address)
{
	return LLVMGetLinkage(function) != LLVMExternalLinkage &&
	       LLVMGetLinkage(function) != LLVMInternalLinkage && program_at(program, address);
}

static void note_addresses(struct program *program, uint32_t number)
{
	struct program_module *module = &program->modules.at[number];
	const struct plan *plan = module->plan;
	const uint64_t *at = module->addresses;

	for (uint32_t f = 0; f < plan->functions.size; f++) {
		struct program_place place = {number, f, 0};

		if (is_replaced(program, plan->functions.at[f].function, at[f]))
			continue;
		*address_map_put(&program->functions, at[f]) = place;
		*address_map_put(&program->low_functions, (uint32_t)at[f]) = place;
	}
	at += plan->functions.size + plan->globals.size;
	for (uint32_t l = 0; l < plan->labels.size; l++) {
		const struct plan_label *label = &plan->labels.at[l];
		struct program_place place = {number, label->function, label->block};

		*address_map_put(&program->low_labels, (uint32_t)at[l]) = place;
	}
	at += plan->labels.size;
	for (uint32_t i = 0; i < plan->imports.size; i++)
		*name_at_map_put(&program->outside, at[i]) = plan->imports.at[i].name;
}

void program_index(struct program *program, uint32_t number)
{
	struct program_module *module = &program->modules.at[number];
	const struct plan *plan = module->plan;
	const uint64_t *at = module->addresses;
	struct value_map *values = &module->values;

	for (uint32_t f = 0; f < plan->functions.size; f++)
		*value_map_put(values, (uint64_t)plan->functions.at[f].function) = *at++;
	for (uint32_t g = 0; g < plan->globals.size; g++)
		*value_map_put(values, (uint64_t)plan->globals.at[g]) = *at++;
	for (uint32_t l = 0; l < plan->labels.size; l++)
		*value_map_put(values, (uint64_t)plan->labels.at[l].basic_block) = *at++;
	/* Of a function that may be replaced, what the loader chose. */
	for (uint32_t i = 0; i < plan->imports.size; i++)
		*value_map_put(values, (uint64_t)plan->imports.at[i].function) = *at++;
}

static bool fits(const struct plan *plan, const struct hence_module_record *record)
{
	return plan->functions.size == record->functions && plan->globals.size == record->globals &&
	       plan->labels.size == record->labels && plan->imports.size == record->imports;
}

/* Splits the record into its parts; the path ends it. */
static struct hence_error *split(const uint8_t *bytes, uint32_t size,
                                 struct hence_module_record *record, const uint8_t **addresses,
                                 const char **path)
{
	uint64_t count, rest;

	if (size < sizeof(*record))
		return error_create(HENCE_ERROR_INTERNAL,
		                    "damaged: a module record that is too short");
	memcpy(record, bytes, sizeof(*record));
	count = (uint64_t)record->functions + record->globals + record->labels + record->imports;
	rest = size - sizeof(*record);
	if (count * 8 >= rest || bytes[size - 1])
		return error_create(HENCE_ERROR_INTERNAL,
		                    "damaged: a module record that does not fit");
	*addresses = bytes + sizeof(*record);
	*path = (const char *)*addresses + count * 8;
	return NULL;
}

static struct hence_error *load(struct program *program, struct program_module *module,
                                const struct hence_module_record *record, const char *path)
{
	struct hence_error *error =
		modules_find(program->source, path, record->hash, &module->plan);

	if (error)
		return error;
	module->imports = record->functions + record->globals + record->labels;
	if (fits(module->plan, record))
		return NULL;
	module->plan = NULL;
	return error_create(HENCE_ERROR_INPUT,
	                    "%s does not fit its IR; rebuild it with this hence cc", path);
}

struct hence_error *program_load(struct program *program, const uint8_t *bytes, uint32_t size)
{
	struct hence_module_record record;
	struct program_module *module;
	struct hence_error *error;
	const uint8_t *addresses;
	const char *path;

	error = split(bytes, size, &record, &addresses, &path);
	if (error)
		return error;
	if (record.number > program->modules.size)
		return error_create(HENCE_ERROR_INTERNAL, "damaged: a module without a number");
	if (record.number == program->modules.size)
		vec_push(&program->modules);
	module = &program->modules.at[record.number];
	if (module->plan)
		return NULL;
	error = load(program, module, &record, path);
	if (error)
		return error;
	module->path = mem_strdup(path);
	memcpy(module->hash, record.hash, sizeof(module->hash));
	module->addresses = mem_alloc((module->imports + record.imports) * sizeof(uint64_t));
	memcpy(module->addresses, addresses, (module->imports + record.imports) * sizeof(uint64_t));
	note_addresses(program, record.number);
	return NULL;
}

const struct plan_function *program_function(const struct program *program,
                                             struct program_place place)
{
	return &program->modules.at[place.module].plan->functions.at[place.function];
}

const struct program_place *program_at(const struct program *program, uint64_t address)
{
	return address_map_find(&program->functions, address);
}
