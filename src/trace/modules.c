/* The IR of recorded programs: see modules.h. */
#include "trace/modules.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "run/blobs.h"

MAP_DEFINE_STRING(file_map, struct blobs *);

struct module {
	uint8_t hash[16];
	LLVMModuleRef ir; /* NULL: it is somebody else's */
	struct plan *plan;
	struct types *types;         /* NULL: nobody asked yet */
	struct variables *variables; /* the same */
};

struct modules {
	LLVMContextRef context;
	struct modules *base;  /* that has all the others; NULL: none */
	struct file_map files; /* ELF files that are open */
	VEC(struct module) list;
};

struct modules *modules_create(void)
{
	struct modules *modules = mem_alloc(sizeof(*modules));

	modules->context = LLVMContextCreate();
	return modules;
}

void modules_destroy(struct modules *modules)
{
	if (!modules)
		return;
	for (uint32_t i = 0; i < modules->list.size; i++) {
		variables_destroy(modules->list.at[i].variables);
		types_destroy(modules->list.at[i].types);
		if (!modules->list.at[i].ir)
			continue;
		plan_destroy(modules->list.at[i].plan);
		LLVMDisposeModule(modules->list.at[i].ir);
	}
	vec_deinit(&modules->list);
	map_each(&modules->files, i)
	{
		blobs_close(modules->files.at[i].value);
		free((char *)modules->files.at[i].key);
	}
	file_map_deinit(&modules->files);
	LLVMContextDispose(modules->context);
	free(modules);
}

static struct hence_error *find_blob(struct modules *modules, const char *path,
                                     const uint8_t hash[16], const struct blobs **blobs,
                                     const struct blob **blob)
{
	struct file_map *files = &modules->files;
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

static struct hence_error *read_ir(struct modules *modules, const struct blobs *blobs,
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
	failed = LLVMParseBitcodeInContext2(modules->context, buffer, out);
	LLVMDisposeMemoryBuffer(buffer);
	free(bitcode);
	return failed ? error_create(HENCE_ERROR_INPUT, "the IR in %s is damaged; rebuild it", path)
	              : NULL;
}

struct modules *modules_create_edited(struct modules *base, const uint8_t hash[16],
                                      const struct plan *plan)
{
	struct modules *modules = modules_create();
	struct module *module = vec_push(&modules->list);

	modules->base = base;
	memcpy(module->hash, hash, 16);
	module->plan = (struct plan *)plan;
	return modules;
}

struct hence_error *modules_find(struct modules *modules, const char *path, const uint8_t hash[16],
                                 const struct plan **out)
{
	struct module module = {.ir = NULL};
	const struct blobs *blobs;
	const struct blob *blob;
	struct hence_error *error;

	for (uint32_t i = 0; i < modules->list.size; i++)
		if (!memcmp(modules->list.at[i].hash, hash, 16)) {
			*out = modules->list.at[i].plan;
			return NULL;
		}
	if (modules->base)
		return modules_find(modules->base, path, hash, out);
	error = find_blob(modules, path, hash, &blobs, &blob);
	if (!error)
		error = read_ir(modules, blobs, blob, path, &module.ir);
	if (error)
		return error;
	memcpy(module.hash, hash, 16);
	module.plan = plan_create(module.ir, NULL);
	*vec_push(&modules->list) = module;
	*out = module.plan;
	return NULL;
}

static struct module *module_of(struct modules *modules, const struct plan *plan)
{
	struct module *m = NULL;

	for (uint32_t i = 0; i < modules->list.size && !m; i++)
		if (modules->list.at[i].plan == plan)
			m = &modules->list.at[i];
	if (!m && modules->base)
		return module_of(modules->base, plan);
	assert(m);
	if (!m->types) {
		m->types = types_create(plan->module);
		m->variables = variables_create(m->types);
	}
	return m;
}

struct types *modules_types(struct modules *modules, const struct plan *plan)
{
	return module_of(modules, plan)->types;
}

const struct variables *modules_variables(struct modules *modules, const struct plan *plan)
{
	return module_of(modules, plan)->variables;
}
