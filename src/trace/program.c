/* The program that a tape is of: see program.h. */
#include "trace/program.h"

#include <assert.h>
#include <string.h>

#include "run/blobs.h"

MAP_DEFINE_STRING(file_map, struct blobs *);

struct program *program_create(void)
{
	struct program *program = mem_alloc(sizeof(*program));

	program->context = LLVMContextCreate();
	program->files = mem_alloc(sizeof(struct file_map));
	return program;
}

static void module_deinit(struct program_module *module)
{
	plan_destroy(module->plan);
	if (module->ir)
		LLVMDisposeModule(module->ir);
	free(module->addresses);
	free(module->path);
}

void program_destroy(struct program *program)
{
	struct file_map *files;

	if (!program)
		return;
	files = program->files;
	for (uint32_t i = 0; i < program->modules.size; i++)
		module_deinit(&program->modules.at[i]);
	map_each(files, i)
	{
		blobs_close(files->at[i].value);
		free((char *)files->at[i].key);
	}
	file_map_deinit(files);
	free(files);
	vec_deinit(&program->modules);
	address_map_deinit(&program->functions);
	address_map_deinit(&program->low_functions);
	address_map_deinit(&program->low_labels);
	name_at_map_deinit(&program->outside);
	LLVMContextDispose(program->context);
	free(program);
}

static struct hence_error *find_blob(struct program *program, const char *path,
                                     const uint8_t hash[16], const struct blobs **blobs,
                                     const struct blob **blob)
{
	struct file_map *files = program->files;
	struct blobs **known = file_map_find(files, path), *opened;
	struct hence_error *error;

	if (!known) {
		error = blobs_open(path, &opened);
		if (error)
			return error;
		known = file_map_put(files, mem_strdup(path));
		*known = opened;
	}
	*blobs = *known;
	*blob = blobs_find(*known, hash);
	if (!*blob)
		return error_create(HENCE_ERROR_INPUT,
		                    "%s has changed since it was recorded (its IR is gone); record "
		                    "it again",
		                    path);
	if ((*blob)->header.llvm != HENCE_LLVM)
		return error_create(
			HENCE_ERROR_INPUT,
			"%s was built with LLVM %u and this hence uses LLVM %d; rebuild it", path,
			(*blob)->header.llvm, HENCE_LLVM);
	return NULL;
}

static struct hence_error *read_ir(struct program *program, const struct blobs *blobs,
                                   const struct blob *blob, const char *path, LLVMModuleRef *out)
{
	LLVMMemoryBufferRef buffer;
	struct hence_error *error;
	uint8_t *bitcode;
	LLVMBool failed;
	size_t size;

	error = blobs_bitcode(blobs, blob, &bitcode, &size);
	if (error)
		return error;
	buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((char *)bitcode, size, "ir");
	failed = LLVMParseBitcodeInContext2(program->context, buffer, out);
	LLVMDisposeMemoryBuffer(buffer);
	free(bitcode);
	return failed ? error_create(HENCE_ERROR_INPUT, "the IR in %s is damaged; rebuild it", path)
	              : NULL;
}

static void note_addresses(struct program *program, uint32_t number)
{
	struct program_module *module = &program->modules.at[number];
	struct plan *plan = module->plan;
	const uint64_t *at = module->addresses;

	for (uint32_t f = 0; f < plan->functions.size; f++) {
		struct program_place place = {number, f, 0};

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
	const struct blobs *blobs;
	const struct blob *blob;
	struct hence_error *error = find_blob(program, path, record->hash, &blobs, &blob);

	if (!error)
		error = read_ir(program, blobs, blob, path, &module->ir);
	if (error)
		return error;
	module->plan = plan_create(module->ir);
	module->imports = record->functions + record->globals + record->labels;
	if (!fits(module->plan, record))
		return error_create(HENCE_ERROR_INPUT,
		                    "%s does not fit its IR; rebuild it with this hence cc", path);
	return NULL;
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
