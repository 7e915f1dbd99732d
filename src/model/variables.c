/* Variables from debug information: see variables.h. */
#include "model/variables.h"

#include <string.h>

#include "model/declares.h"
#include "model/di.h"
#include "model/scopes.h"

MAP_DEFINE_U64(storage_map, struct variable *);
MAP_DEFINE_U64(function_map, struct variable_list);
MAP_DEFINE_U64(program_map, LLVMValueRef);
MAP_DEFINE_STRING(name_map, const struct variable *);

struct variables {
	struct types *types;
	LLVMContextRef context;
	struct scopes scopes;
	struct arena arena;
	struct storage_map by_storage;
	struct function_map by_function;
	struct name_map by_name;      /* at file scope */
	struct program_map functions; /* DISubprogram -> function */
	LLVMMetadataRef plain;        /* the last expression without a deref: nearly all are that */
};

static uint64_t key(const void *pointer)
{
	return (uintptr_t)pointer;
}

static const char *file_of(struct variables *v, LLVMMetadataRef node)
{
	LLVMMetadataRef file = LLVMDIVariableGetFile(node);
	unsigned length = 0;
	const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;

	return length ? arena_strndup(&v->arena, name, length) : NULL;
}

/* What locals and globals have in common. */
static struct variable *make(struct variables *v, LLVMMetadataRef node, LLVMValueRef storage)
{
	struct variable *variable = arena_new(&v->arena, struct variable), **slot;
	size_t length;
	const char *name = di_variable_name(v->context, node, &length);

	variable->name = name ? arena_strndup(&v->arena, name, length) : NULL;
	variable->type = types_of(v->types, di_variable_type(v->context, node));
	variable->storage = storage;
	variable->scope = scopes_of(&v->scopes, LLVMDIVariableGetScope(node));
	variable->file = file_of(v, node);
	variable->line = LLVMDIVariableGetLine(node);
	slot = storage_map_put(&v->by_storage, key(storage));
	while (*slot)
		slot = (struct variable **)&(*slot)->also;
	*slot = variable;
	return variable;
}

/* Parameters first, by their number. Those of an inlined function are locals here. */
static uint32_t rank(const struct variable *variable)
{
	return variable->argument && !variable->inlined ? variable->argument : UINT32_MAX;
}

static void list(struct variables *v, LLVMValueRef function, const struct variable *variable)
{
	struct variable_list *all = function_map_put(&v->by_function, key(function));
	uint32_t i = all->size;

	*vec_push(all) = variable;
	for (; i && rank(all->at[i - 1]) > rank(variable); i--)
		all->at[i] = all->at[i - 1];
	all->at[i] = variable;
}

/* Locals. */

static bool has_deref(struct variables *v, LLVMMetadataRef expression)
{
	bool deref;
	char *text;

	if (!expression || expression == v->plain)
		return false;
	text = di_text(v->context, expression);
	deref = strstr(text, "DW_OP_deref");
	LLVMDisposeMessage(text);
	if (!deref)
		v->plain = expression;
	return deref;
}

static void add_local(struct variables *v, const struct declare *d)
{
	struct variable *variable = make(v, d->variable, d->storage);
	char *text = di_text(v->context, d->variable);
	const char *flags = di_field(text, "flags");

	variable->argument = di_number(text, "arg");
	variable->artificial = flags && strstr(flags, "DIFlagArtificial");
	variable->indirect = has_deref(v, d->expression);
	if (d->location) {
		variable->column = LLVMDILocationGetColumn(d->location);
		variable->inlined = LLVMDILocationGetInlinedAt(d->location);
	}
	if (!variable->name)
		variable->name = "?";
	LLVMDisposeMessage(text);
	list(v, d->function, variable);
}

static void add_locals(struct variables *v)
{
	struct declare_list declares = VEC_INIT;

	declares_find(types_module(v->types), &declares);
	for (uint32_t i = 0; i < declares.size; i++)
		add_local(v, &declares.at[i]);
	vec_deinit(&declares);
}

/* Globals. */

static LLVMMetadataRef global_node(LLVMValueRef global)
{
	size_t count;
	LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &count);
	LLVMMetadataRef found = NULL;

	for (size_t i = 0; i < count && !found; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);

		if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
			found = LLVMDIGlobalVariableExpressionGetVariable(node);
	}
	LLVMDisposeValueMetadataEntries(all);
	return found;
}

/* `__func__` and its like have a position but no name; string literals are the same to LLVM. */
static const char *predefined_name(LLVMValueRef global)
{
	static const char *const names[] = {"__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"};
	size_t length;
	const char *name = LLVMGetValueName2(global, &length);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(name, names[i], strlen(names[i])) && name[strlen(names[i])] == '.')
			return names[i];
	return NULL;
}

static void add_global(struct variables *v, LLVMValueRef global)
{
	LLVMMetadataRef node = global_node(global), scope;
	struct variable *variable;
	LLVMValueRef *function;

	if (!node)
		return;
	variable = make(v, node, global);
	if (!variable->name) {
		variable->name = predefined_name(global);
		if (!variable->name)
			storage_map_remove(&v->by_storage, key(global));
		return;
	}
	if (!variable->scope) {
		*name_map_put(&v->by_name, variable->name) = variable;
		return;
	}
	for (scope = LLVMDIVariableGetScope(node); di_parent_scope(v->context, scope);)
		scope = di_parent_scope(v->context, scope);
	function = program_map_find(&v->functions, key(scope));
	if (function)
		list(v, *function, variable);
}

static void add_globals(struct variables *v)
{
	LLVMValueRef global = LLVMGetFirstGlobal(types_module(v->types));

	for (; global; global = LLVMGetNextGlobal(global))
		add_global(v, global);
}

static void add_functions(struct variables *v)
{
	LLVMValueRef function = LLVMGetFirstFunction(types_module(v->types));

	for (; function; function = LLVMGetNextFunction(function)) {
		LLVMMetadataRef program = LLVMGetSubprogram(function);

		if (!program)
			continue;
		*program_map_put(&v->functions, key(program)) = function;
		scopes_measure(&v->scopes, function);
	}
}

struct variables *variables_create(struct types *types)
{
	struct variables *v = mem_alloc(sizeof(*v));

	v->types = types;
	v->context = LLVMGetModuleContext(types_module(types));
	scopes_init(&v->scopes, v->context);
	add_functions(v);
	add_locals(v);
	add_globals(v);
	return v;
}

void variables_destroy(struct variables *v)
{
	if (!v)
		return;
	map_each(&v->by_function, i) vec_deinit(&v->by_function.at[i].value);
	function_map_deinit(&v->by_function);
	storage_map_deinit(&v->by_storage);
	program_map_deinit(&v->functions);
	name_map_deinit(&v->by_name);
	scopes_deinit(&v->scopes);
	arena_deinit(&v->arena);
	free(v);
}

/* Questions. */

static const struct variable *find(const struct variables *v, LLVMValueRef storage)
{
	struct variable **found = storage_map_find(&v->by_storage, key(storage));

	return found ? *found : NULL;
}

const struct variable *variables_of_alloca(const struct variables *v, LLVMValueRef storage)
{
	return find(v, storage);
}

const struct variable *variables_of_global(const struct variables *v, LLVMValueRef global)
{
	return find(v, global);
}

const struct variable_list *variables_of_function(const struct variables *v, LLVMValueRef function)
{
	return function_map_find(&v->by_function, key(function));
}

static uint32_t depth(const struct variable *variable)
{
	return variable->scope ? variable->scope->depth + 1 : 0;
}

/* Appends behind those from `first` on that lie deeper or as deep. */
static void add_by_depth(const struct variable *variable, uint32_t first, struct variable_list *out)
{
	uint32_t i = out->size;

	*vec_push(out) = variable;
	for (; i > first && depth(out->at[i - 1]) < depth(variable); i--)
		out->at[i] = out->at[i - 1];
	out->at[i] = variable;
}

void variables_named(const struct variables *v, LLVMValueRef function, const char *name,
                     struct variable_list *out)
{
	const struct variable_list *all = function ? variables_of_function(v, function) : NULL;
	const struct variable **global = name_map_find(&v->by_name, name);
	uint32_t first = out->size;

	for (uint32_t i = 0; all && i < all->size; i++)
		if (!strcmp(all->at[i]->name, name))
			add_by_depth(all->at[i], first, out);
	if (global)
		*vec_push(out) = *global;
}

static LLVMValueRef function_of(LLVMValueRef instruction)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

const struct variable_scope *variables_scope(const struct variables *v, LLVMValueRef instruction)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);

	if (location)
		return scopes_find(&v->scopes, LLVMDILocationGetScope(location));
	return scopes_find(&v->scopes, LLVMGetSubprogram(function_of(instruction)));
}

/* Is the variable declared before the position? A name means what was declared last before it. */
static bool is_before(const struct variable *variable, LLVMMetadataRef location)
{
	uint32_t line = location ? LLVMDILocationGetLine(location) : 0;

	if (!line || variable->line != line)
		return !line || variable->line < line;
	return variable->column <= LLVMDILocationGetColumn(location);
}

/* The variable of that name that is declared last before the position, in just this scope. */
static const struct variable *find_in(const struct variable_list *all,
                                      const struct variable_scope *scope, const char *name,
                                      LLVMMetadataRef location)
{
	LLVMMetadataRef inlined = location ? LLVMDILocationGetInlinedAt(location) : NULL;
	const struct variable *best = NULL;

	for (uint32_t i = 0; i < all->size; i++) {
		const struct variable *one = all->at[i];

		if (one->scope != scope || strcmp(one->name, name) || one->inlined != inlined ||
		    !is_before(one, location))
			continue;
		if (!best || one->line > best->line ||
		    (one->line == best->line && one->column >= best->column))
			best = one;
	}
	return best;
}

const struct variable *variables_at(const struct variables *v, LLVMValueRef instruction,
                                    const char *name)
{
	const struct variable_list *all = variables_of_function(v, function_of(instruction));
	const struct variable_scope *scope = variables_scope(v, instruction);
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
	const struct variable **global = name_map_find(&v->by_name, name), *found;

	for (; all && scope; scope = scope->parent) {
		found = find_in(all, scope, name, location);
		if (found)
			return found;
	}
	return global ? *global : NULL;
}
