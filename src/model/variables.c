/* Variables from debug information: see variables.h. */
#include "model/variables.h"

#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "model/di.h"
#include "model/ir.h"

struct declare {
	LLVMValueRef function;
	LLVMValueRef storage; /* alloca or parameter */
	LLVMMetadataRef variable, expression;
	LLVMMetadataRef location; /* DILocation; may be NULL */
};

struct declare_list {
	struct declare *at;
	uint32_t size, room;
};

MAP_DEFINE_U64(scope_map, struct variable_scope *);

struct scopes {
	LLVMContextRef context;
	struct arena arena;
	struct scope_map known; /* DISubprogram or DILexicalBlock -> scope */
};

/* ------ declarations of local variables ------ */

#if HENCE_LLVM >= 22

static void find_at(LLVMValueRef function, LLVMValueRef instruction, struct declare_list *out)
{
	LLVMDbgRecordRef record = LLVMGetFirstDbgRecord(instruction);

	for (; record; record = LLVMGetNextDbgRecord(record)) {
		LLVMValueRef storage;

		if (LLVMDbgRecordGetKind(record) != LLVMDbgRecordDeclare)
			continue;
		storage = LLVMDbgVariableRecordGetValue(record, 0);
		if (!storage)
			continue;
		*vec_push(out) = (struct declare){
			.function = function,
			.storage = storage,
			.variable = LLVMDbgVariableRecordGetVariable(record),
			.expression = LLVMDbgVariableRecordGetExpression(record),
			.location = LLVMDbgRecordGetDebugLoc(record),
		};
	}
}

#else

static const char declare_name[] = "llvm.dbg.declare";

/* The value inside a metadata operand; NULL: it was deleted. */
static LLVMValueRef value_in(LLVMValueRef metadata)
{
	LLVMMetadataKind kind = LLVMGetMetadataKind(LLVMValueAsMetadata(metadata));
	LLVMValueRef value;

	if (kind != LLVMLocalAsMetadataMetadataKind && kind != LLVMConstantAsMetadataMetadataKind)
		return NULL;
	LLVMGetMDNodeOperands(metadata, &value);
	return value;
}

static void find_at(LLVMValueRef function, LLVMValueRef instruction, struct declare_list *out)
{
	LLVMValueRef storage;

	if (!LLVMIsADbgDeclareInst(instruction))
		return;
	storage = value_in(LLVMGetOperand(instruction, 0));
	if (!storage)
		return;
	*vec_push(out) = (struct declare){
		.function = function,
		.storage = storage,
		.variable = LLVMValueAsMetadata(LLVMGetOperand(instruction, 1)),
		.expression = LLVMValueAsMetadata(LLVMGetOperand(instruction, 2)),
		.location = LLVMInstructionGetDebugLoc(instruction),
	};
}

#endif

static void find_all(LLVMModuleRef module, struct declare_list *out)
{
	LLVMValueRef function = LLVMGetFirstFunction(module);

	for (; function; function = LLVMGetNextFunction(function)) {
		LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

		for (; block; block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
			     i = LLVMGetNextInstruction(i))
				find_at(function, i, out);
	}
}

#if HENCE_LLVM >= 22

/* Appends all declarations in the order of the code. The module is as before when this returns.
   Caller frees with vec_deinit(). */
static void declares_find(LLVMModuleRef module, struct declare_list *out)
{
	find_all(module, out);
}

#else

static void declares_find(LLVMModuleRef module, struct declare_list *out)
{
	LLVMBool records = LLVMIsNewDbgInfoFormat(module);
	LLVMValueRef had = LLVMGetNamedFunction(module, declare_name), has;

	LLVMSetIsNewDbgInfoFormat(module, 0);
	find_all(module, out);
	LLVMSetIsNewDbgInfoFormat(module, records);
	/* The old form declares the function, and the new one leaves it. */
	has = LLVMGetNamedFunction(module, declare_name);
	if (has && !had && !LLVMGetFirstUse(has))
		LLVMDeleteFunction(has);
}

#endif

/* ------ scopes ------ */

/* A DILexicalBlockFile is no scope of C: it says that an #include lies inside a block. */
static LLVMMetadataRef skip_includes(LLVMContextRef context, LLVMMetadataRef node)
{
	while (node && LLVMGetMetadataKind(node) == LLVMDILexicalBlockFileMetadataKind)
		node = di_parent_scope(context, node);
	return node;
}

static struct variable_scope *scopes_of(struct scopes *scopes, LLVMMetadataRef node);

/* The scope of a node, made when it is new; NULL: file scope, or not a scope of C. Valid until
   scopes_deinit(), like what follows. */
static struct variable_scope *scopes_of(struct scopes *scopes, LLVMMetadataRef node)
{
	struct variable_scope **known, *scope;
	LLVMMetadataKind kind;

	node = skip_includes(scopes->context, node);
	if (!node)
		return NULL;
	known = scope_map_find(&scopes->known, (uintptr_t)node);
	if (known)
		return *known;
	kind = LLVMGetMetadataKind(node);
	if (kind != LLVMDISubprogramMetadataKind && kind != LLVMDILexicalBlockMetadataKind)
		return NULL;
	scope = arena_new(&scopes->arena, struct variable_scope);
	if (kind == LLVMDISubprogramMetadataKind) {
		size_t length;
		const char *name = di_subprogram_name(scopes->context, node, &length);

		scope->function_name = name ? arena_strndup(&scopes->arena, name, length) : "?";
		scope->first_line = LLVMDISubprogramGetLine(node);
	} else {
		LLVMMetadataRef parent = di_parent_scope(scopes->context, node);
		char *text = di_text(scopes->context, node);

		scope->first_line = di_number(text, "line");
		LLVMDisposeMessage(text);
		scope->parent = scopes_of(scopes, parent);
		scope->function_name = scope->parent ? scope->parent->function_name : "?";
		scope->depth = scope->parent ? scope->parent->depth + 1 : 0;
	}
	scope->last_line = scope->first_line;
	*scope_map_put(&scopes->known, (uintptr_t)node) = scope;
	return scope;
}

/* The scope of a node if there is one already; NULL: there is none. */
static const struct variable_scope *scopes_find(const struct scopes *scopes, LLVMMetadataRef node)
{
	struct variable_scope **known;

	node = skip_includes(scopes->context, node);
	known = node ? scope_map_find(&scopes->known, (uintptr_t)node) : NULL;
	return known ? *known : NULL;
}

static void measure(struct scopes *scopes, LLVMValueRef instruction)
{
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction), node;
	struct variable_scope *scope;

	if (!location)
		return;
	node = LLVMDILocationGetScope(location);
	scope = scopes_of(scopes, node);
	/* Lines of an included file say nothing about this one. */
	if (LLVMGetMetadataKind(node) != LLVMDILexicalBlockFileMetadataKind) {
		uint32_t line = LLVMDILocationGetLine(location);

		for (; scope; scope = (struct variable_scope *)scope->parent)
			if (scope->last_line < line)
				scope->last_line = line;
	}
}

/* ------ variables ------ */

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

static void add_locals(struct variables *v)
{
	struct declare_list declares = VEC_INIT;

	declares_find(types_module(v->types), &declares);
	for (uint32_t i = 0; i < declares.size; i++) {
		const struct declare *d = &declares.at[i];
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

static void add_globals(struct variables *v)
{
	LLVMValueRef global = LLVMGetFirstGlobal(types_module(v->types));

	for (; global; global = LLVMGetNextGlobal(global)) {
		LLVMMetadataRef node = global_node(global), scope;
		struct variable *variable;
		LLVMValueRef *function;

		if (!node)
			continue;
		variable = make(v, node, global);
		if (!variable->name) {
			variable->name = predefined_name(global);
			if (!variable->name)
				storage_map_remove(&v->by_storage, key(global));
			continue;
		}
		if (!variable->scope) {
			*name_map_put(&v->by_name, variable->name) = variable;
			continue;
		}
		for (scope = LLVMDIVariableGetScope(node); di_parent_scope(v->context, scope);)
			scope = di_parent_scope(v->context, scope);
		function = program_map_find(&v->functions, key(scope));
		if (function)
			list(v, *function, variable);
	}
}

struct variables *variables_create(struct types *types)
{
	struct variables *v = mem_alloc(sizeof(*v));

	v->types = types;
	v->context = LLVMGetModuleContext(types_module(types));

	struct scopes *scopes = &v->scopes;
	LLVMContextRef context = v->context;

	*scopes = (struct scopes){.context = context};

	LLVMValueRef function = LLVMGetFirstFunction(types_module(v->types));

	for (; function; function = LLVMGetNextFunction(function)) {
		LLVMMetadataRef program = LLVMGetSubprogram(function);

		if (!program)
			continue;
		*program_map_put(&v->functions, key(program)) = function;

		/* Finds the scopes that a function's instructions come from, and where they end. */
		LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

		scopes_of(&v->scopes, LLVMGetSubprogram(function));
		for (; block; block = LLVMGetNextBasicBlock(block))
			for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
			     i = LLVMGetNextInstruction(i))
				measure(&v->scopes, i);
	}

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
	scope_map_deinit(&v->scopes.known);
	arena_deinit(&v->scopes.arena);
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
