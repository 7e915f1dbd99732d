/* Scopes: see scopes.h. */
#include "model/scopes.h"

#include "model/di.h"

void scopes_init(struct scopes *scopes, LLVMContextRef context)
{
	*scopes = (struct scopes){.context = context};
}

void scopes_deinit(struct scopes *scopes)
{
	scope_map_deinit(&scopes->known);
	arena_deinit(&scopes->arena);
}

/* A DILexicalBlockFile is no scope of C: it says that an #include lies inside a block. */
static LLVMMetadataRef skip_includes(LLVMContextRef context, LLVMMetadataRef node)
{
	while (node && LLVMGetMetadataKind(node) == LLVMDILexicalBlockFileMetadataKind)
		node = di_parent_scope(context, node);
	return node;
}

static void make_function(struct scopes *scopes, struct variable_scope *scope, LLVMMetadataRef node)
{
	size_t length;
	const char *name = di_subprogram_name(scopes->context, node, &length);

	scope->function_name = name ? arena_strndup(&scopes->arena, name, length) : "?";
	scope->first_line = LLVMDISubprogramGetLine(node);
}

static void make_block(struct scopes *scopes, struct variable_scope *scope, LLVMMetadataRef node)
{
	LLVMMetadataRef parent = di_parent_scope(scopes->context, node);
	char *text = di_text(scopes->context, node);

	scope->first_line = di_number(text, "line");
	LLVMDisposeMessage(text);
	scope->parent = scopes_of(scopes, parent);
	scope->function_name = scope->parent ? scope->parent->function_name : "?";
	scope->depth = scope->parent ? scope->parent->depth + 1 : 0;
}

struct variable_scope *scopes_of(struct scopes *scopes, LLVMMetadataRef node)
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
	if (kind == LLVMDISubprogramMetadataKind)
		make_function(scopes, scope, node);
	else
		make_block(scopes, scope, node);
	scope->last_line = scope->first_line;
	*scope_map_put(&scopes->known, (uintptr_t)node) = scope;
	return scope;
}

const struct variable_scope *scopes_find(const struct scopes *scopes, LLVMMetadataRef node)
{
	struct variable_scope **known;

	node = skip_includes(scopes->context, node);
	known = node ? scope_map_find(&scopes->known, (uintptr_t)node) : NULL;
	return known ? *known : NULL;
}

static void extend(struct variable_scope *scope, uint32_t line)
{
	for (; scope; scope = (struct variable_scope *)scope->parent)
		if (scope->last_line < line)
			scope->last_line = line;
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
	if (LLVMGetMetadataKind(node) != LLVMDILexicalBlockFileMetadataKind)
		extend(scope, LLVMDILocationGetLine(location));
}

void scopes_measure(struct scopes *scopes, LLVMValueRef function)
{
	LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);

	scopes_of(scopes, LLVMGetSubprogram(function));
	for (; block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
		     i = LLVMGetNextInstruction(i))
			measure(scopes, i);
}
